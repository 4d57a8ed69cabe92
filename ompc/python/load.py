"""`ompc.load` and `ompc.compile_string`: from C files to a library in this process.

    translate      as for a program whose callers are not seen (driver.translate_library)
    build          the shared object, through the build cache (toolchain/build.py)
    load           a copy of its own, with names that nobody else sees, so that the same file can be loaded with other
                   flags, or again when it was edited

The runtime in it replaces nothing of the process: not malloc, nor handlers of signals.

In: paths or text, options.   Out: Library. LoadError: it does not compile; ImportError: there is no NumPy.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from ompc.base.cache_directory import cache_directory
from ompc.base.diagnostics import CompileError, Diagnostic, Kind, format_diagnostic
from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.progress import can_show, shown
from ompc.base.translation import Translation
from ompc.base.watch import Watch, now_text
from ompc.python.failures import LoadError, OmpcWarning
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.cc import find_c_compiler
from ompc.toolchain.machine.flags import MissingValueError, split_flags
from ompc.toolchain.machine.setting import KernelCompiler, Request, Setting, Target, choose_setting, tuning_for
from ompc.toolchain.machine.tuning_files import read_tuning

try:
    from ompc.python.library import Contents, Library, Report
except ModuleNotFoundError as error:  # pragma: no cover  NumPy is there in all tests
    if error.name != "numpy":
        raise
    raise ImportError("libraries for Python need NumPy: pip install numpy") from None

from ompc import driver
from ompc.base.ending import temporary_directory
from ompc.plan.residency.borrowed_buffers import borrowed_buffers_of
from ompc.plan.residency.residual_transfers import HostProgram
from ompc.python.entries import load_entries
from ompc.python.kernels import hand_over
from ompc.python.prototypes import RUNTIME, prototypes_of, variables_of
from ompc.python.stubs import write_stub
from ompc.toolchain.commands.nvrtc_commands import EXPORTED

DELAY_SECONDS = 2.0
"""How long a build takes before a terminal shows anything: nobody has asked for this line."""

Source = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `ompc.load` is asked for, besides the source; its documentation says what each is."""

    target: str = "auto"
    opt: str = "auto"
    fp: str = "default"
    arch: str | None = None
    flags: Sequence[str] = ()
    cc: str | None = None
    cxx: str | None = None
    cache: Source | None = None
    quiet: bool = False
    compiler: str | None = None
    stubs: bool | Source = False


def load_files(source: Source | Sequence[Source], wanted: Wanted) -> Library:
    """A C file, or the C files of one library, as a library of functions. Errors are those of `ompc.load`."""
    sources = (source,) if isinstance(source, (str, os.PathLike)) else source
    if not isinstance(sources, Sequence) or not all(isinstance(each, (str, os.PathLike)) for each in sources):
        raise TypeError(f"source is a path, or a list of paths, not {source!r}")
    try:
        request = _request([Path(each) for each in sources], wanted)
        with _watched(request, wanted.quiet) as watch:
            library, told = _library(request, _cache(wanted.cache), watch)
    except CompileError as error:
        raise LoadError(error.diagnostics) from None
    if wanted.stubs is not False:
        place = Path(sources[0]).with_suffix(".pyi") if wanted.stubs is True else Path(wanted.stubs)
        write_stub(place, library._stub())
    if not wanted.quiet:
        _warn(told)
    return library


@contextmanager
def _watched(request: Request, quiet: bool) -> Iterator[Watch]:
    """A watch whose stages a terminal shows, once the work has taken long."""
    files = [str(source) for source in request.sources]
    on_terminal = not quiet and can_show(sys.stderr, os.environ)
    with shown(files[0], on_terminal, delay=DELAY_SECONDS) as say_now:
        yield Watch(lambda running: say_now(now_text(files, running)))


def compile_text(text: str, wanted: Wanted) -> Library:
    """C text as a library of functions."""
    if wanted.stubs is True:
        raise ValueError("stubs=True: a text lies in no folder; stubs=FILE names the file for the stubs")
    return load_files(file_of_text(text, wanted, "string.c"), wanted)


def file_of_text(text: str, wanted: Wanted, name: str) -> Path:
    """A file in the cache, called `name`, with this text."""
    content = text.encode()
    place = _cache(wanted.cache).directory / "strings" / hashlib.sha256(content).hexdigest()[:16]
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="ompc-"))
    path = place / name
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
    return path


def _cache(given: Source | None) -> Cache:
    return Cache(cache_directory(os.environ) if given is None else Path(given))


_Choice = TypeVar("_Choice", Target, Level, FloatingPoint, KernelCompiler)


def _chosen(choices: type[_Choice], name: str, value: str) -> _Choice:
    try:
        return choices(value)
    except ValueError:
        raise ValueError(f"{name} is one of {', '.join(each.value for each in choices)}, not {value!r}") from None


def _request(sources: Sequence[Path], wanted: Wanted) -> Request:
    if not sources:
        raise ValueError("there is no file to load")
    for path in sources:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
    try:
        rest, flags = split_flags(wanted.flags)
    except MissingValueError as error:
        raise ValueError(f"option '{error}' requires a value") from None
    if rest:
        raise ValueError(f"'{rest[0]}' is no compiler option that ompc knows")
    target = _chosen(Target, "target", wanted.target)
    compiler = find_c_compiler(os.environ, wanted.cc)
    options = Options(
        level=_chosen(Level, "opt", wanted.opt),
        fp=_chosen(FloatingPoint, "fp", wanted.fp),
        cpp_flags=flags.preprocess,
        cc=str(compiler.path),
        cc_arguments=compiler.command[1:],
        compile_flags=flags.compile,
        link_flags=flags.link,
        tuning=tuning_for(target, read_tuning(os.environ)),
    )
    others = tuple(sources[1:])
    kernels = None if wanted.compiler is None else _chosen(KernelCompiler, "compiler", wanted.compiler)
    return Request(sources[0], options, flags, target, wanted.arch, wanted.cc, wanted.cxx, others, kernels=kernels)


def _library(request: Request, cache: Cache, watch: Watch) -> tuple[Library, Sequence[str]]:
    """The library, and what there is to say of it."""
    translations, program = driver.translate_library(request.sources, request.options, watch)
    _check_read(translations, program)
    setting = choose_setting(request, os.environ)
    contents = _contents(request, setting, translations, program)
    own = [p.name for p in contents.prototypes] + [v.name for v in contents.variables]
    exported = [*own, *RUNTIME, *(() if setting.nvrtc is None else EXPORTED)]
    wanted = replace(request, target=setting.target, exports=tuple(exported))
    with temporary_directory("ompc-") as directory:
        # The file may go once it is loaded. Its name must be new, or the loader takes it for one that it has.
        place = Path(directory) / f"lib{request.source.stem}.so"
        build_program(wanted, setting, lambda: translations, place, cache, watch)
        try:
            handle = ctypes.CDLL(str(place), mode=os.RTLD_LOCAL | os.RTLD_NOW)
        except OSError as error:
            message = f"the library cannot be loaded: {error}"
            raise CompileError(Diagnostic("OMPC413", Kind.ERROR, message, help=_cure(str(error)))) from None
        if setting.nvrtc is not None:
            hand_over(handle, translations, setting, request.options.fp, cache)
    compiler = find_c_compiler(os.environ, request.cc)
    entries = load_entries(contents.prototypes, contents.lending.kept, compiler, os.environ, cache)
    library = Library(contents, handle, entries)
    told = [format_diagnostic(diagnostic) for diagnostic in contents.diagnostics]
    told += [f"function {name}() is lib[{name!r}]: lib.{name} is the library's own" for name in library._hidden]
    if request.kernels is not None and setting.target is not Target.CUDA:
        told.append(f"compiler={request.kernels.value!r} has no effect: no kernels for a GPU (target {library.target})")
    return library, told


def _cure(error: str) -> str | None:
    """What to do about an error of the dynamic linker's."""
    if "libgomp" not in error:
        return None
    others = "this process has an older OpenMP library in it, which another package has brought (PyTorch has one)"
    return f"{others}; load the library before that is imported"


def _check_read(translations: Sequence[Translation], program: HostProgram) -> None:
    """What ompc has not understood cannot be called either."""
    if len(program.units) < len(translations):
        unread = [d for found in translations for d in found.diagnostics if d.code in {"OMPC103", "OMPC105"}]
        raise CompileError(*(replace(d, kind=Kind.ERROR) for d in unread))


def _contents(
    request: Request, setting: Setting, translations: Sequence[Translation], program: HostProgram
) -> Contents:
    lines = [source.read_text(errors="surrogateescape").splitlines() for source in request.sources]
    units = tuple(zip(program.units, lines, strict=True))
    prototypes = {p.name: p for unit, text in units for p in prototypes_of(unit, text)}
    variables = {v.name: v for unit, _ in units for v in variables_of(unit)}
    on_host = setting.target is Target.HOST
    said = [d for found in translations for d in found.diagnostics if not (on_host and d.kind is Kind.HOST)]

    def reports() -> Sequence[Report]:
        return [translation.report for translation in translations]

    lending = borrowed_buffers_of(program)
    diagnostics = (*setting.notes, *said)
    return Contents(
        request.sources,
        setting.target.value,
        tuple(prototypes.values()),
        tuple(variables.values()),
        lending,
        reports,
        diagnostics,
    )


def _warn(texts: Iterable[str]) -> None:
    for text in texts:
        warnings.warn(text, OmpcWarning, stacklevel=4)
