"""The emulating runtime, read and compiled once for all kernels of a test session.

    c++ -I<folder> -Wl,<folder>/runtime.o ...

Most of what a small kernel costs is the runtime: reading its header, and compiling what its classes define in place.
Here the header is precompiled, and `#pragma interface` at the top of a copy of each header leaves the members of its
classes to one object file, with `#pragma implementation` ("C++ Interface" in GCC's manual). g++ does not take the
precompiled header where the options differ from those that it was made with, and reads the copies.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from ompc.resources import Runtime, package_digest, runtime_directory

SANITIZERS = ("-fsanitize=address,undefined",)
_DIRECTORIES = tuple(runtime_directory(kind) for kind in (Runtime.EMULATE, Runtime.COMMON))
_COMMAND = ("c++", "-std=c++17", "-fopenmp", "-ffp-contract=off", "-fno-strict-aliasing")


def emulating_compiler(folder: Path, options: Sequence[str]) -> str:
    """The command of a C++ compiler for kernels that are compiled with `options`; it must link the program too."""
    prepared = _once(folder, "runtime", options, _prepare)
    return f"c++ -I{prepared} -Wl,{prepared}/runtime.o"


def hasty_compiler(folder: Path) -> Path:
    """One that links nothing, for programs to which it does not matter how kernels are compiled: without optimising."""
    return _once(folder, "header", ("-O0",), _prepare_header) / "c++"


def _once(folder: Path, kind: str, options: Sequence[str], prepare: Callable[[Path, Sequence[str]], None]) -> Path:
    """A directory in `folder` that the first process that needs it has prepared."""
    key = sha256(repr((package_digest(), *options)).encode()).hexdigest()[:24]
    made = folder / f"{kind}-{key}"
    if not made.exists():
        mine = folder / f"{kind}-{key}.{os.getpid()}"
        mine.mkdir(parents=True)
        prepare(mine, options)
        try:
            mine.rename(made)
        except OSError:  # another process was quicker
            shutil.rmtree(mine)
    return made


def _prepare(made: Path, options: Sequence[str]) -> None:
    headers = [header for directory in _DIRECTORIES for header in sorted(directory.glob("*.h"))]
    for header in headers:
        (made / header.name).write_text("#pragma interface\n" + header.read_text())
    _compile(*options, f"-I{made}", "-x", "c++-header", made / "ompc_rt.h", "-o", made / "ompc_rt.h.gch")
    names = [f'#pragma implementation "{header.name}"\n' for header in headers]
    (made / "runtime.cc").write_text("".join(names) + '#include "ompc_rt.h"\n')
    _compile(*options, f"-I{made}", "-c", made / "runtime.cc", "-o", made / "runtime.o")


def _prepare_header(made: Path, options: Sequence[str]) -> None:
    own = [f"-I{directory}" for directory in _DIRECTORIES]
    _compile(*options, *own, "-x", "c++-header", _DIRECTORIES[0] / "ompc_rt.h", "-o", made / "ompc_rt.h.gch")
    script = made / "c++"
    script.write_text(f'#!/bin/sh\nexec c++ -I"${{0%/*}}" "$@" {" ".join(options)} -g0\n')
    script.chmod(0o755)


def _compile(*words: str | Path) -> None:
    done = subprocess.run([*_COMMAND, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
