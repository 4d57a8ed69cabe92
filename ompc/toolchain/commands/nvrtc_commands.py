"""The compiler command lines of a library whose kernels are NVRTC's, as lists of words. Nothing is run here.

solver.cu     c++ -O2 -std=c++17 -x c++      what is the host's in it; its kernels are compiled when it is loaded
ompc_*.cc     c++ -O2 -std=c++17
link          c++ -fopenmp, with CUDA's runtime library
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ompc.base.options import FloatingPoint
from ompc.base.resources import Runtime, include_words, runtime_directories, runtime_files
from ompc.toolchain.machine.setting import Setting


def host_part_command(setting: Setting, number: int, source: Path, output: Path) -> list[str]:
    """Compile the launchers of a library's device file of that number. Kernels in it are read, and nothing else."""
    assert setting.cxx is not None
    words = [*setting.cxx.command, "-std=c++17", "-x", "c++", "-O2", "-fopenmp", "-w", f"-DOMPC_DEVICE_FILE={number}"]
    return [*words, "-fno-strict-aliasing", "-fPIC", *_includes(setting), "-c", str(source), "-o", str(output)]


def runtime_words(setting: Setting) -> list[str]:
    """The compiler and its options for C++ files of the runtime, but for the files.

    A header of cuda/ that includes "ompc_kernel.h" finds the one beside it before any of -I's, so what NVRTC's target
    has instead is read ahead of all: else a library has two bodies of one function.
    """
    assert setting.cxx is not None
    options = ["-O2", "-std=c++17", "-fno-strict-aliasing", "-DOMPC_NVRTC"]
    first = runtime_files(Runtime.NVRTC)["ompc_kernel.h"]
    return [*setting.cxx.command, *options, *_includes(setting), "-include", str(first)]


def _includes(setting: Setting) -> list[str]:
    """CUDA's own headers that PyPI's package lacks come last."""
    assert setting.nvrtc is not None
    own = include_words(Runtime.NVRTC, Runtime.CUDA, Runtime.COMMON)
    (nvrtc,) = runtime_directories(Runtime.NVRTC)
    after = nvrtc / "headers"
    return [*own, "-isystem", str(setting.nvrtc.include), "-idirafter", str(after)]


def link_words(setting: Setting) -> list[str]:
    """CUDA's runtime for the linker."""
    assert setting.nvrtc is not None
    runtime = setting.nvrtc.runtime
    shared = [] if runtime.suffix == ".a" else [f"-Wl,-rpath,{runtime.parent}"]
    return [str(runtime), *shared, "-ldl", "-lrt", "-lpthread"]


def kernel_options(setting: Setting, fp: FloatingPoint, contracts: bool) -> tuple[str, ...]:
    """What NVRTC is given for kernels; `contracts` as in Translation."""
    assert setting.architecture is not None
    return (
        setting.architecture,
        *("-std=c++17", "-default-device", "-lineinfo"),
        *fp.nvcc_options(contracts),
        *include_words(Runtime.CUDA, Runtime.COMMON),
    )


EXPORTED: Sequence[str] = ("ompc_code_name", "ompc_code_is", "ompc_code_image")
"""The functions that the library exports for Python, besides what all libraries export."""
