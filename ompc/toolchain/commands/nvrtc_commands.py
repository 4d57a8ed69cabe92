"""The compiler command lines of a library whose kernels are NVRTC's, as lists of words. Nothing is run here.

solver.cu     c++ -O2 -std=c++17 -x c++      what is the host's in it; its kernels are compiled when it is loaded
ompc_*.cc     c++ -O2 -std=c++17
link          c++ -fopenmp, with CUDA's runtime library
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ompc.base.options import FloatingPoint
from ompc.base.resources import Runtime, include_words, runtime_directories
from ompc.toolchain.machine.setting import Setting


def host_part_command(setting: Setting, number: int, source: Path, output: Path) -> list[str]:
    """Compile the launchers of a library's device file of that number. Kernels in it are read, and nothing else."""
    assert setting.cxx is not None
    words = [*setting.cxx.command, "-std=c++17", "-x", "c++", "-O2", "-fopenmp", "-w", f"-DOMPC_DEVICE_FILE={number}"]
    return [*words, "-fno-strict-aliasing", "-fPIC", *_includes(setting), "-c", str(source), "-o", str(output)]


def runtime_words(setting: Setting) -> list[str]:
    """The compiler and its options for C++ files of the runtime, but for the files."""
    assert setting.cxx is not None
    return [*setting.cxx.command, "-O2", "-std=c++17", "-fno-strict-aliasing", "-DOMPC_NVRTC", *_includes(setting)]


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
