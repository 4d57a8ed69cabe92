"""The host's C and C++ compilers: find them, run them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that exists. `command` is how to call it: the program, then the words that $CC has after it."""

    path: Path
    command: tuple[str, ...]
    chosen: bool = False
    """Has the user named it (by an option or the environment), rather than ompc found it?"""

    @property
    def openmp(self) -> tuple[str, ...]:
        """OpenMP, with target regions on the host: gcc can be made to compile them for accelerators itself."""
        is_gcc = re.search(r"gcc|g\+\+", self.path.resolve().name) is not None
        return ("-fopenmp", "-foffload=disable") if is_gcc else ("-fopenmp",)

    def identity(self) -> tuple[object, ...]:
        """What changes when the compiler is replaced, found without starting it: resolved path, time and size."""
        real = self.path.resolve()
        status = real.stat()
        return (*self.command, str(real), status.st_mtime_ns, status.st_size)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a tool's run ended: exit status and everything it wrote to standard error and output."""

    status: int
    text: str

    @property
    def ok(self) -> bool:
        return self.status == 0


def find_c_compiler(environ: Mapping[str, str], named: str | None = None) -> Compiler:
    """`named`, else $CC, else the first of cc, gcc, clang on the PATH. CompileError OMPC104: none of them."""
    usual = ("cc", "gcc", "clang")
    cure = "install gcc (Debian: apt install gcc libc6-dev) or name a compiler with --cc or $CC"
    return _found(environ, named or environ.get("CC"), usual, "OMPC104", "C", cure)


def find_cxx_compiler(environ: Mapping[str, str], named: str | None = None) -> Compiler:
    """`named`, else $CXX, else the first of c++, g++, clang++ on the PATH. CompileError OMPC407: none of them."""
    usual = ("c++", "g++", "clang++")
    cure = "install g++ (Debian: apt install g++) or name a compiler with --cxx or $CXX"
    return _found(environ, named or environ.get("CXX"), usual, "OMPC407", "C++", cure)


def _found(
    environ: Mapping[str, str], named: str | None, usual: tuple[str, ...], code: str, language: str, cure: str
) -> Compiler:
    found = _find(environ, named, usual)
    if found is None:
        raise CompileError(Diagnostic(code, Kind.ERROR, _not_found(language, named), help=cure))
    return found


def _not_found(language: str, named: str | None) -> str:
    return f"the {language} compiler '{named}' was not found" if named else f"no {language} compiler was found"


def _find(environ: Mapping[str, str], named: str | None, usual: Sequence[str]) -> Compiler | None:
    if named:
        words = tuple(shlex.split(named))
        path = shutil.which(words[0], path=environ.get("PATH")) if words else None
        return Compiler(Path(path), (path, *words[1:]), chosen=True) if path else None
    for name in usual:
        path = shutil.which(name, path=environ.get("PATH"))
        if path:
            return Compiler(Path(path), (path,))
    return None


def run_tool(command: Sequence[str], environ: Mapping[str, str], directory: Path | None = None) -> Outcome:
    """Run a compiler or another tool to its end, with no standard input.

    A tool that cannot be started at all (not executable, wrong format) has status 127 and the reason as its text. Its
    temporary files are in a folder of ours: nvcc leaves them where it is told to end.
    """
    place = Path(environ.get("TMPDIR", ""))
    try:
        with temporary_directory("ompc-tool-", place if place.is_absolute() and place.is_dir() else None) as own:
            done = subprocess.run(
                list(command),
                env={**environ, "TMPDIR": own},
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
    except OSError as error:
        return Outcome(127, f"{command[0]}: {error.strerror}")
    return Outcome(done.returncode, done.stdout)


def version_line(compiler: Compiler, environ: Mapping[str, str]) -> str:
    """The first line of `--version`, or what the compiler said instead."""
    lines = run_tool([*compiler.command, "--version"], environ).text.strip().splitlines()
    return lines[0] if lines else "(prints no version)"
