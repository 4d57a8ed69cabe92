"""One command line of `ompc cc`: what it is about, the host compiler that stands behind it, and what is said.

In: the words and the environment.   Out: `Command`; the host compiler, started or in this process's place.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ompc.base.diagnostics import CompileError, Diagnostic, Kind, format_diagnostic
from ompc.base.frozen import dataclass
from ompc.base.optimisations import names_in
from ompc.base.options import FloatingPoint, Level
from ompc.base.visible import printable
from ompc.toolchain.machine.cc import Compiler, find_c_compiler, find_cxx_compiler
from ompc.toolchain.objects.cc_arguments import SETTINGS, TARGETS, CommandLine, parse_command_line

if TYPE_CHECKING:
    from ompc.toolchain.cache.cache import Cache
    from ompc.toolchain.machine.setting import Setting

ACTIVE = "OMPC_CC_ACTIVE"
"""The environment variable that is set for the compilers that this one starts. Where it is set already, the host
compiler is a wrapper around ompc.
"""


_VALUES: Mapping[str, tuple[str, ...]] = {
    "target": TARGETS,
    "opt": tuple(level.value for level in Level),
    "fp": tuple(mode.value for mode in FloatingPoint),
    "gpus": ("one", "several"),
}


@dataclass(frozen=True)
class Command:
    """One command line: the language of its name, ompc's settings, the host compiler."""

    line: CommandLine
    cxx: bool
    own: Mapping[str, str]
    host: Compiler
    environ: Mapping[str, str]

    @cached_property
    def cache(self) -> Cache:
        from ompc.base.cache_directory import cache_directory  # most files need none
        from ompc.toolchain.cache.cache import DEFAULT_LIMIT_BYTES, Cache

        limit = self.environ.get("OMPC_CACHE_LIMIT", "")
        return Cache(cache_directory(self.environ), int(limit) << 20 if limit.isdecimal() else DEFAULT_LIMIT_BYTES)

    @property
    def quiet(self) -> bool:
        return bool(self.own.get("quiet")) or "-w" in self.line.flags

    @property
    def translates(self) -> bool:
        """Is there a C source that may have loops for the device?"""
        return self.line.openmp and not self.cxx and bool(self.line.sources) and self.own.get("target") != "host"

    def setting(self, target: str | None = None) -> Setting:
        """The tools for the device; `target`: of what is linked, else as asked."""
        from ompc.toolchain.machine.gpu import remembered_gpu
        from ompc.toolchain.machine.setting import choose_setting
        from ompc.toolchain.objects.cc_object import Job, request_of

        own = self.own if target is None else {**self.own, "target": target}
        job = Job(Path(), None, (), (), "", None)
        request = replace(request_of(job, own, self.host.command), cc=_quoted(self.host))
        return choose_setting(
            request, self.environ, lambda environ: remembered_gpu(environ, self.cache.directory / "gpu.json")
        )


def command_of(words: Sequence[str], cxx: bool) -> Command:
    line = parse_command_line(words)
    named = {name: os.environ.get(f"OMPC_{name.upper()}", "") for name in (*SETTINGS, "quiet", "time")}
    own = {**{name: value for name, value in named.items() if value}, **line.own}
    for name, values in _VALUES.items():
        if own.get(name, values[0]) not in values:
            message = f"there is no {name} '{own[name]}'; there are: {', '.join(values)}"
            raise CompileError(Diagnostic("OMPC420", Kind.ERROR, message, help=f"see --{name} and OMPC_{name.upper()}"))
    try:
        names_in(own.get("without", ""))
    except ValueError as error:
        diagnostic = Diagnostic("OMPC420", Kind.ERROR, str(error), help="see --without and OMPC_WITHOUT")
        raise CompileError(diagnostic) from None
    environ = {name: value for name, value in os.environ.items() if name not in {"CC", "CXX"} or not _names_ompc(value)}
    environ[ACTIVE] = "1"
    find = find_cxx_compiler if cxx else find_c_compiler
    chosen = _other_compiler(cxx) if ACTIVE in os.environ else own.get("cxx" if cxx else "cc")
    return Command(line, cxx, own, find({**environ, "CC": "", "CXX": ""}, chosen), environ)


def _other_compiler(cxx: bool) -> str | None:
    """A compiler that is not this one under another name."""
    this = Path(sys.argv[0]).resolve()
    found = (shutil.which(name) for name in (("g++", "clang++", "c++") if cxx else ("gcc", "clang", "cc")))
    return next((path for path in found if path is not None and Path(path).resolve() != this), None)


def _names_ompc(command: str) -> bool:
    return any(Path(word).name in {"ompc", "ompc-cc", "ompc-c++"} for word in command.split())


def _quoted(compiler: Compiler) -> str:
    return shlex.join(compiler.command)


def become(command: Command, words: Sequence[str]) -> int:
    """Let the host compiler take this process's place."""
    sys.stdout.flush()
    sys.stderr.flush()
    program = command.host.command
    try:
        os.execve(program[0], [*program, *words], dict(command.environ))
    except OSError as error:
        message = f"cannot start {program[0]}: {error.strerror}"
        raise CompileError(Diagnostic("OMPC104", Kind.ERROR, message)) from None


def start(command: Command, words: Sequence[str]) -> int:
    """Run the host compiler; its status."""
    status = subprocess.run([*command.host.command, *words], env=dict(command.environ), check=False).returncode
    return status if status >= 0 else 128 - status


def left_to_host(source: str, why: str) -> Diagnostic:
    return Diagnostic("OMPC422", Kind.HOST, f"{source} is compiled for the host alone, {why}")


def failed(source: str, why: str) -> Diagnostic:
    return Diagnostic("OMPC421", Kind.WARNING, f"{source} is compiled for the host alone: {why}")


def crash(error: Exception) -> str:
    """What went wrong; the traceback is in a file."""
    summary = f"ompc failed: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    try:
        handle, name = tempfile.mkstemp(prefix="ompc-crash-", suffix=".txt")
        with os.fdopen(handle, "w") as out:
            out.write(f"ompc cc {' '.join(sys.argv[1:])}\n\n{traceback.format_exc()}")
        return f"{summary}; please report it with {name}"
    except OSError:
        return summary


def say_unread(command: Command) -> None:
    """A source on standard input is the host compiler's."""
    from_stdin = [item for item in command.line.inputs if item.text == "-" and item.language == "c"]
    if command.line.openmp and not command.cxx and from_stdin:
        say([left_to_host("standard input", "since it can be read only once")], command.quiet)


_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+(parallel|for|target|teams|distribute|loop)\b", re.MULTILINE
)


def say_unasked(command: Command) -> None:
    """Sources with parallel loops that nobody asked for: most likely the option was forgotten, or not passed on."""
    line = command.line
    hushed = {"-fno-openmp", "-fopenmp-simd", "-Wno-unknown-pragmas"} & set(line.flags)
    if line.openmp or command.cxx or command.own.get("target") == "host" or command.quiet or hushed:
        return
    files = [source.text for source in line.sources if Path(source.text).is_file()]
    with contextlib.suppress(OSError):  # the host compiler will say so
        for file in files:
            if _DIRECTIVE.search(Path(file).read_bytes()):
                say([left_to_host(file, "since -fopenmp is not given: its OpenMP pragmas are ignored")])


def _wants_color() -> bool:
    """As gcc decides it; the last option of the command line counts."""
    asked = [word for word in sys.argv if re.fullmatch(r"-f(no-)?diagnostics-color(=\w+)?", word)]
    when = asked[-1].partition("=")[2] if asked else "auto"
    if when in {"auto", "auto-if-env"}:
        return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not os.environ.get("NO_COLOR")
    return when == "always" or asked[-1] == "-fdiagnostics-color"


def say(diagnostics: Iterable[Diagnostic], quiet: bool = False) -> None:
    for diagnostic in diagnostics:
        if not (quiet and diagnostic.kind is Kind.HOST):
            text = format_diagnostic(diagnostic, color=_wants_color()) + "\n"
            sys.stderr.write(printable(text))
