"""The runtime as a library: what Makefiles, CMake and pkg-config need of it, made once and kept beside the cache.

    ~/.cache/ompc/runtime/KEY/include/*.h
                              lib/libompc_rt.a
                              lib/pkgconfig/ompc_rt.pc
                              words.json                 the options, as lists of words

Headers and library of one folder were made from the same sources: KEY hashes these, the compilers and their options. An
object says by a name that it refers to (`ompc_runtime_cuda_0123abcd`) with which it was compiled, and no other library
has that, so that a linker finds objects and libraries that do not go together.

In: the setting, the variant, the cache.   Out: `Installed`.
CompileError OMPC404: the runtime cannot be compiled; OMPC411: there is no place for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import ompc
from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.base.resources import Runtime, runtime_digest, runtime_files
from ompc.toolchain.cache.cache import RUNTIMES, Cache
from ompc.toolchain.commands.commands import Variant
from ompc.toolchain.commands.fused import contraction_words
from ompc.toolchain.commands.runtime_object import known_runtime, object_mark, runtime_key, runtime_object
from ompc.toolchain.commands.steps import Workplace
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.machine.setting import Setting, Target
from ompc.toolchain.objects.cc_link import cuda_words

_WORDS = "words.json"
_PACKAGE = "ompc_rt"


@dataclass(frozen=True, slots=True)
class Installed:
    """Where the library is, and the options with which programs are built with it.

    `cflags`    for the host file, and for whatever includes a header
    `cxxflags`  for the device file: nvcc's, or, for the emulator, the C++ compiler's
    `libs`      for the C compiler, as it links
    """

    prefix: str
    cflags: tuple[str, ...]
    cxxflags: tuple[str, ...]
    libs: tuple[str, ...]

    @property
    def pkg_config_path(self) -> Path:
        return Path(self.prefix) / "lib" / "pkgconfig"


def installed_runtime(setting: Setting, variant: Variant, cache: Cache, say: Callable[[str], None]) -> Installed:
    """Make it, unless it is there. `say`: is told when that takes a while."""
    prefix = (cache.directory / RUNTIMES / runtime_key(setting, variant)[:16]).absolute()
    known = _known(prefix)
    if known is not None:
        return known
    if known_runtime(setting, variant, cache) is None:
        say(f"building the runtime for {setting.target.value}, once for these compilers and options")
    try:
        prefix.parent.mkdir(parents=True, exist_ok=True)
        with temporary_directory(".new-", prefix.parent) as name:
            made = _made(Path(name), prefix, setting, variant, cache)
            _place(Path(name), prefix)
    except OSError as error:
        message = f"the runtime cannot be kept in {cache.directory}: {error.strerror}"
        help_ = "name another place in OMPC_CACHE_DIR"
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, message, help=help_)) from None
    return made


def words_text(words: Sequence[str]) -> str:
    """As a shell takes them."""
    return " ".join(shlex.quote(word) for word in words)


def _known(prefix: Path) -> Installed | None:
    try:
        read = json.loads((prefix / _WORDS).read_text())
        found = Installed(read["prefix"], *(tuple(read[kind]) for kind in ("cflags", "cxxflags", "libs")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not (_library(prefix).is_file() and (found.pkg_config_path / f"{_PACKAGE}.pc").is_file()):
        return None
    with contextlib.suppress(OSError):
        os.utime(prefix / _WORDS)
    return found


def _made(new: Path, prefix: Path, setting: Setting, variant: Variant, cache: Cache) -> Installed:
    """Fill `new`, which will be `prefix`."""
    new.chmod(0o755)
    include, library = new / "include", _library(new)
    include.mkdir()
    library.parent.mkdir()
    target = Runtime.CUDA if setting.target is Target.CUDA else Runtime.EMULATE
    for part in (Runtime.COMMON, target):
        for name, path in runtime_files(part).items():
            if path.suffix == ".h":
                shutil.copyfile(path, include / name)
    with temporary_directory("ompc-") as directory:
        place = Workplace(Path(directory), setting, {})
        _archive(runtime_object(place, variant, cache), library, setting)
    made = _options(prefix, setting)
    pkg_config = library.parent / "pkgconfig"
    pkg_config.mkdir()
    (pkg_config / f"{_PACKAGE}.pc").write_text(_pkg_config_text(made, setting))
    (new / _WORDS).write_text(json.dumps(asdict(made), indent=1) + "\n")
    return made


def _library(prefix: Path) -> Path:
    return prefix / "lib" / f"lib{_PACKAGE}.a"


def _archive(runtime: Path, library: Path, setting: Setting) -> None:
    """With one member, which is linked whole."""
    ar = shutil.which("ar", path=setting.environ.get("PATH")) or "ar"
    outcome = run_tool([ar, "rcs", str(library), str(runtime)], setting.environ)
    if not outcome.ok:
        message, notes = "ompc's runtime cannot be put into a library", (outcome.text.strip(),)
        raise CompileError(Diagnostic("OMPC404", Kind.ERROR, message, notes=notes))


def _options(prefix: Path, setting: Setting) -> Installed:
    mark = object_mark(setting.target)
    cflags = (f"-I{prefix / 'include'}", f"-DOMPC_OBJECT={mark}", f"-DOMPC_RUNTIME=0x{runtime_digest()[:8]}")
    libs: tuple[str, ...] = (f"-L{prefix / 'lib'}", f"-l{_PACKAGE}")
    if setting.target is Target.CUDA:
        cxxflags: tuple[str, ...] = ("-std=c++17", "-Xcompiler", "-fopenmp", *cflags)
        libs += tuple(cuda_words(setting, shared=False))
    else:
        cxxflags = ("-std=c++17", "-fopenmp", "-fno-strict-aliasing", *contraction_words(True), *cflags)
    return Installed(str(prefix), cflags, cxxflags, (*libs, "-fopenmp", "-lstdc++", "-lm"))


def _pkg_config_text(made: Installed, setting: Setting) -> str:
    lines = [
        f"# Of a program that ompc has translated for {setting.target.value}. ompc config --pkg-config-path makes it.",
        "Name: ompc_rt",
        "Description: The runtime of programs that ompc has translated",
        f"Version: {ompc.__version__}",
        f"Cflags: {_escaped(made.cflags)}",
        f"Libs: {_escaped(made.libs)}",
    ]
    return "\n".join(lines) + "\n"


def _escaped(words: Sequence[str]) -> str:
    """As pkg-config reads and prints them: blanks behind a backslash."""
    return " ".join(word.replace("\\", "\\\\").replace(" ", "\\ ").replace("$", "$$") for word in words)


def _place(new: Path, prefix: Path) -> None:
    """Another process may have made the same meanwhile, or somebody deleted a part of it."""
    if prefix.exists() and _known(prefix) is None:
        shutil.rmtree(prefix, ignore_errors=True)
    try:
        new.rename(prefix)
    except OSError:
        if _known(prefix) is None:
            raise
