"""NVIDIA's compiler: find it, also where PyPI's packages put it, and know what it can build for.

    $NVCC, $CUDA_HOME/bin, $CUDA_PATH/bin, the PATH, /usr/local/cuda/bin, then <site-packages>/nvidia/cu13/bin

The last is what `pip install ".[gpu]"` brings. There the libraries are in `lib`, where nvcc's own profile expects
`lib64`, so that they must be named with -L.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.toolchain.machine.cc import run_tool

OLDEST_ARCHITECTURE = "sm_75"
"""That CUDA 13 builds for."""

_ANY_GPU = "-arch=all-major"
"""For a machine without a GPU. Code for each generation takes two or three times as long to compile; PTX of the oldest
instead would be compiled at each start elsewhere, without what newer ones can do.
"""

_ARCHITECTURE = re.compile(r"(?:sm_|compute_)?(\d{2,3}[af]?)$")


@dataclass(frozen=True, slots=True)
class Nvcc:
    """An nvcc that exists; `origin` says where it was found, for people."""

    path: Path
    origin: str
    library_directories: tuple[Path, ...] = ()

    def identity(self) -> tuple[object, ...]:
        """What changes when nvcc is replaced, found without starting it."""
        real = self.path.resolve()
        status = real.stat()
        return (str(self.path), str(real), status.st_mtime_ns, status.st_size)

    def link_flags(self) -> tuple[str, ...]:
        return tuple(f"-L{directory}" for directory in self.library_directories)


def find_nvcc(environ: Mapping[str, str], packages: Iterable[Path] | None = None) -> Nvcc | None:
    """The first nvcc in the order of the module's docstring.

    `packages`: the directories to search for PyPI's `cu*/bin/nvcc`; by default those of the `nvidia` namespace package.
    """
    roots = nvidia_packages() if packages is None else packages
    return next((nvcc for nvcc in _candidates(environ, roots) if nvcc.path.is_file()), None)


def _candidates(environ: Mapping[str, str], packages: Iterable[Path]) -> Iterator[Nvcc]:
    if environ.get("NVCC"):
        yield _at(Path(shutil.which(environ["NVCC"], path=environ.get("PATH")) or environ["NVCC"]), "$NVCC")
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if environ.get(variable):
            yield _in_toolkit(Path(environ[variable]), f"${variable}")
    on_path = shutil.which("nvcc", path=environ.get("PATH"))
    if on_path:
        yield _at(Path(on_path), "PATH")
    yield _in_toolkit(Path("/usr/local/cuda"), "system")
    for root in packages:
        for toolkit in sorted(root.glob("cu[0-9]*"), reverse=True):
            yield _in_toolkit(toolkit, "Python package")


def _in_toolkit(toolkit: Path, origin: str) -> Nvcc:
    return _at(toolkit / "bin" / "nvcc", origin)


def _at(path: Path, origin: str) -> Nvcc:
    # Only PyPI's layout has the static runtime where nvcc does not look for it.
    toolkit = path.resolve().parent.parent
    lib = toolkit / "lib"
    unusual = (lib / "libcudart_static.a").is_file() and not (toolkit / "lib64").exists()
    return Nvcc(path, origin, (lib,) if unusual else ())


def nvidia_packages() -> list[Path]:
    """The directories of PyPI's packages of NVIDIA's."""
    spec = importlib.util.find_spec("nvidia")
    return [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]


def require_nvcc(environ: Mapping[str, str]) -> Nvcc:
    """As find_nvcc. CompileError OMPC401: there is none."""
    found = find_nvcc(environ)
    if found is None:
        raise CompileError(
            Diagnostic(
                "OMPC401",
                Kind.ERROR,
                "--target cuda needs nvcc, and none was found",
                help='pip install ".[gpu]", for ompc, brings it; or set CUDA_HOME, or build with --target emulate',
            )
        )
    return found


def cuda_version(nvcc: Nvcc, environ: Mapping[str, str]) -> tuple[int, int] | None:
    """The toolkit's version as nvcc states it; None when it says nothing of the kind."""
    match = re.search(r"release (\d+)\.(\d+)", run_tool([str(nvcc.path), "--version"], environ).text)
    return (int(match[1]), int(match[2])) if match else None


def cuda_libraries(nvcc: Nvcc, environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The directories in which nvcc itself would look for CUDA's runtime library."""
    told = run_tool([str(nvcc.path), "--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null"], environ).text
    named = re.findall(r'"-L([^"]*)"', next((line for line in told.splitlines() if "LIBRARIES=" in line), ""))
    return (*nvcc.library_directories, *(Path(directory) for directory in named if not directory.endswith("/stubs")))


def architecture_flag(arch: str | None, capability: tuple[int, int] | None) -> str:
    """nvcc's -arch option for what the user asked (None: this machine's GPU, or any); `capability` is that GPU's.

    CompileError OMPC408: `native` without a GPU, or a word that is no architecture.
    """
    if arch in {"all", "all-major"}:
        return f"-arch={arch}"
    if arch in {None, "native"} and capability is not None:
        return f"-arch=sm_{capability[0]}{capability[1]}"
    if arch is None:
        return _ANY_GPU
    if arch == "native":
        raise CompileError(
            Diagnostic(
                "OMPC408",
                Kind.ERROR,
                "--arch native needs a GPU in this machine, and none was found",
                help="name the architecture that the program will run on, such as --arch sm_90",
            )
        )
    match = _ARCHITECTURE.match(arch)
    if match is None:
        raise CompileError(
            Diagnostic(
                "OMPC408",
                Kind.ERROR,
                f"'{arch}' is no GPU architecture",
                help="write it as sm_90, or native for the GPU of this machine, or all-major for every one",
            )
        )
    return f"-arch={arch}" if arch.startswith(("sm_", "compute_")) else f"-arch=sm_{match[1]}"
