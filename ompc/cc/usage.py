"""`ompc cc --help`: what it does beside the host compiler, whose own help follows."""

from __future__ import annotations

USAGE = """\
Usage: ompc cc [OPTIONS] FILE...

Be a C compiler for build systems. The command line is the host compiler's, with
one difference: the parallel loops of C files that are compiled with -fopenmp
get device code. `ompc c++` links C++ programs with it.

  make CC="ompc cc"
  cmake -DCMAKE_C_COMPILER=ompc-cc
  ./configure CC="ompc cc" CFLAGS="-O2 -fopenmp"

Options of its own, each of them also a variable of the environment, as in
--opt thesis, --opt=thesis or OMPC_OPT=thesis:
  --target auto|cuda|emulate|host  what runs the loops
  --opt baseline|thesis|auto       how much to optimise
  --fp strict|default|fast         fused multiply-add on the device
  --gpus one|several               kernels of which each GPU may do a part
  --without NAME,...               what --opt auto is not to do
  --arch ARCH                      GPU to compile for, such as sm_90
  --cc COMMAND, --cxx COMMAND      the host compilers: --cc mpicc
  -q                               no line for each loop on the host

`man ompc` and docs/projects.md have more. The host compiler's own help follows.

"""
