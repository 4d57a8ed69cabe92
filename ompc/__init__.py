"""ompc: a source-to-source compiler from C with OpenMP pragmas to CUDA C.

The pipeline is `ompc.driver.translate`; the command line is `ompc.cli`. In Python, `ompc.load` makes the functions of C
files functions of Python; what that needs is imported by the first call, or where it is named: `ompc.LoadError`.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as of typing, whose import would be most of the time until signals have a meaning
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any

    from ompc.python.device import DeviceArray
    from ompc.python.failures import LoadError, OmpcWarning
    from ompc.python.library import Function, Library

__version__ = "0.1.0"

__all__ = ("DeviceArray", "Function", "Library", "LoadError", "OmpcWarning", "compile_string", "load")

_PLACES = {"DeviceArray": "device", "Function": "library", "Library": "library"}
_PLACES |= {"LoadError": "failures", "OmpcWarning": "failures"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'ompc' has no attribute {name!r}")
    return getattr(import_module(f"ompc.python.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted((*__all__, "__doc__", "__version__"))


def load(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    target: str = "auto",
    opt: str = "auto",
    fp: str = "default",
    arch: str | None = None,
    flags: Sequence[str] = (),
    cc: str | None = None,
    cxx: str | None = None,
    cache: str | os.PathLike[str] | None = None,
    quiet: bool = False,
    compiler: str | None = None,
    stubs: bool | str | os.PathLike[str] = False,
) -> Library:
    """The C functions of a file, or of the files of one library, for Python.

        lib = ompc.load("solver.c", flags=["-DN=3", "-O3"])
        lib.solve(n, u)                       # u: a C-contiguous array of NumPy or CuPy

    `target`: "cuda", "emulate" (the kernels run on the CPU), "host" (plain C with OpenMP) or "auto": cuda where there
    are a GPU and a compiler for it, else emulate. `compiler`: "nvcc", or "nvrtc", which CuPy brings; None: nvcc, if
    there is one. `opt`, `fp`, `arch`, `cc`, `cxx`: as the options of `ompc build`; `flags`: the C
    compiler's own. `cache`: a folder for what is built, by default ompc's own. Warns (OmpcWarning) about loops that
    stay on the host, unless `quiet`. `stubs`: writes types for type checkers, as "solver.pyi" beside "solver.c", or to
    the file that is named; `Library` there is what `load` returns.

    LoadError: the files do not compile, with the compiler's words; FileNotFoundError; ValueError: an option that there
    is not; ImportError: there is no NumPy;
    FileExistsError: there is a file in the place of the stubs that is not ompc's.
    """
    from ompc.python.load import Wanted, load_files

    return load_files(source, Wanted(target, opt, fp, arch, flags, cc, cxx, cache, quiet, compiler, stubs))


def compile_string(
    text: str,
    *,
    target: str = "auto",
    opt: str = "auto",
    fp: str = "default",
    arch: str | None = None,
    flags: Sequence[str] = (),
    cc: str | None = None,
    cxx: str | None = None,
    cache: str | os.PathLike[str] | None = None,
    quiet: bool = False,
    compiler: str | None = None,
    stubs: bool | str | os.PathLike[str] = False,
) -> Library:
    """The C functions of a text, for Python. Arguments and errors are those of `load`."""
    from ompc.python.load import Wanted, compile_text

    return compile_text(text, Wanted(target, opt, fp, arch, flags, cc, cxx, cache, quiet, compiler, stubs))


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext ompc` gives IPython the magic `%%ompc`: a cell of C."""
    from ompc.python.magic import register

    register(shell)
