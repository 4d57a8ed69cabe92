"""NVIDIA's compiler as a library (NVRTC), where there is no nvcc: CuPy brings it, and it compiles kernels alone.

    kernels       NVRTC, which has none of the host's headers: runtime/nvrtc/ompc_std.h stands for those of kernels
    launchers     the C++ compiler (nvrtc_commands.py), which needs CUDA's headers and its runtime library, as PyPI's
                  nvidia-cuda-runtime has them, or a toolkit: CUDA 12.8 or newer

In: the environment; text and names.   Out: Nvrtc, an image and the names in it.   CompileError OMPC402, OMPC403.
Not here: whether NVRTC is what a build uses -- setting.py; what is compiled with it -- python/kernels.py.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.resources import Runtime, runtime_files
from ompc.toolchain.machine.nvcc import nvidia_packages

OLDEST_RUNTIME = 12080
"""The oldest version of CUDA's runtime (12.8) that can load images (cudaLibraryLoadData)."""

_STANDARD = (
    *("algorithm", "cfloat", "cmath", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "initializer_list"),
    "limits",
    "type_traits",
)
"""The standard headers that the runtime's part for kernels includes."""


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """NVRTC with all that is needed beside it. `include` has CUDA's headers, `runtime` is its library for the host."""

    version: tuple[int, int]
    include: Path
    runtime: Path

    def identity(self) -> tuple[object, ...]:
        """What changes when one of them is replaced."""
        files = (self.include / "cuda_runtime_api.h", self.runtime)
        return (self.version, *((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files))


def find_nvrtc(environ: Mapping[str, str], packages: Iterable[Path] | None = None) -> Nvrtc | str:
    """NVRTC, or why it cannot be used. `packages`: as find_runtime has them."""
    if importlib.util.find_spec("cupy") is None:
        return "there is no CuPy"
    try:
        version = _library().getVersion()
    except Exception as error:  # CuPy loads the library when it is used first, and says in many ways that it cannot
        return f"CuPy's NVRTC cannot be loaded: {error}"
    runtime = find_runtime(environ, packages)
    if runtime is None:
        return "headers and library of CUDA's runtime, 12.8 or newer, were not found"
    return Nvrtc((int(version[0]), int(version[1])), *runtime)


def require_nvrtc(environ: Mapping[str, str]) -> Nvrtc:
    """As find_nvrtc. CompileError OMPC402: it cannot be used."""
    found = find_nvrtc(environ)
    if isinstance(found, Nvrtc):
        return found
    advice = 'pip install "cupy-cuda13x[ctk]" brings all that is needed'
    raise CompileError(Diagnostic("OMPC402", Kind.ERROR, f"NVRTC cannot be used: {found}", help=advice))


def _library() -> Any:
    return importlib.import_module("cupy_backends.cuda.libs.nvrtc")


def find_runtime(environ: Mapping[str, str], packages: Iterable[Path] | None = None) -> tuple[Path, Path] | None:
    """The folder of CUDA's headers, and its library that is linked: the static one, if there is one, as nvcc does.

    $CUDA_HOME, $CUDA_PATH, then PyPI's packages in `packages`, by default where Python has them, and /usr/local/cuda.
    """
    toolkits = [Path(environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if environ.get(name)]
    for root in nvidia_packages() if packages is None else packages:
        toolkits += [*sorted(root.glob("cu[0-9]*"), reverse=True), root / "cuda_runtime"]
    toolkits += [Path("/usr/local/cuda")] if packages is None else []
    found = ((toolkit / "include", _library_in(toolkit)) for toolkit in toolkits)
    return next(((inc, lib) for inc, lib in found if lib is not None and _version(inc) >= OLDEST_RUNTIME), None)


def _library_in(toolkit: Path) -> Path | None:
    folders = [toolkit / "lib64", toolkit / "lib", *sorted((toolkit / "targets").glob("*/lib"))]
    names = ("libcudart_static.a", "libcudart.so*")
    return next((file for name in names for folder in folders for file in sorted(folder.glob(name))), None)


def _version(include: Path) -> int:
    try:
        text = (include / "cuda_runtime_api.h").read_text(errors="replace")
    except OSError:
        return 0
    found = re.search(r"#define\s+CUDART_VERSION\s+(\d+)", text)
    return int(found[1]) if found else 0


@dataclass(frozen=True, slots=True)
class Image:
    """Machine code, and the names in it, one for each that was asked for."""

    code: bytes
    names: tuple[str, ...]


def headers_for_kernels() -> dict[str, bytes]:
    """What NVRTC reads for the headers of others that the runtime's part for kernels includes, by their names."""
    files = runtime_files(Runtime.NVRTC)
    standard, pipeline = files["ompc_std.h"].read_bytes(), files["ompc_pipeline.h"].read_bytes()
    return {**dict.fromkeys(_STANDARD, standard), "cuda_pipeline.h": pipeline}


def compile_kernels(text: str, file: str, names: Sequence[str], options: Sequence[str]) -> Image:
    """An image with these kernels and variables of a device file without launchers. CompileError OMPC403."""
    library = _library()
    headers = headers_for_kernels()
    program = library.createProgram(
        text.encode(errors="surrogateescape").decode(errors="replace"),
        file,
        list(headers.values()),
        [name.encode() for name in headers],
    )
    try:
        for name in names:
            library.addNameExpression(program, name)
        try:
            library.compileProgram(program, tuple(options))
        except library.NVRTCError as error:
            said = library.getProgramLog(program).strip() or str(error)
            message = "NVRTC could not compile the device file"
            raise CompileError(Diagnostic("OMPC403", Kind.ERROR, message, notes=(said,))) from None
        return Image(library.getCUBIN(program), tuple(library.getLoweredName(program, name) for name in names))
    finally:
        library.destroyProgram(program)
