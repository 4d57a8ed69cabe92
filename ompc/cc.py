"""The commands `ompc cc` and `ompc c++`: drop-in compilers for build systems.

    make CC="ompc cc"        cmake -DCMAKE_C_COMPILER=ompc-cc        ./configure CC="ompc cc"

What is not ompc's business becomes the host compiler: the process is replaced, so that messages, standard streams and
exit status are its own. ompc's business are C sources compiled with -fopenmp, and links of objects with device code.
Whatever goes wrong there, the host compiler gets the file as it is: a build that gcc would do never fails.

`ompc c++` compiles nothing itself; it links, and sees device code in objects and archives as `ompc cc` does.

Besides cli.py this is the only module that prints, exits and reads the environment; it imports no stage before one is
needed, since it is started once for each file of a project.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from ompc.diagnostics import CompileError, Diagnostic, Kind, format_diagnostic
from ompc.options import FloatingPoint, Level, Options
from ompc.toolchain.cache import DEFAULT_LIMIT_BYTES, Cache, cache_directory, copy_executable
from ompc.toolchain.cc import Compiler, find_c_compiler, find_cxx_compiler
from ompc.toolchain.cc_arguments import SETTINGS, CommandLine, Input, Stage, TooDeepError, parse_command_line
from ompc.toolchain.cc_link import Contents, examine_inputs, link_words
from ompc.toolchain.cc_object import Job, Made, compile_flags, host_only_flag, make_object, request_of
from ompc.toolchain.gpu import remembered_gpu
from ompc.toolchain.setting import Setting, Target, choose_setting
from ompc.translation import Translation

ACTIVE = "OMPC_CC_ACTIVE"
"""Set for the compilers that this one starts: where it is there already, the host compiler is a wrapper around us."""

_VALUES: Mapping[str, tuple[str, ...]] = {
    "target": tuple(target.value for target in Target),
    "opt": tuple(level.value for level in Level),
    "fp": tuple(mode.value for mode in FloatingPoint),
}


@dataclass(frozen=True)
class _Command:
    """One command line: the language of its name, ompc's settings, the host compiler."""

    line: CommandLine
    cxx: bool
    own: Mapping[str, str]
    host: Compiler
    environ: Mapping[str, str]

    @cached_property
    def cache(self) -> Cache:
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
        own = self.own if target is None else {**self.own, "target": target}
        job = Job(Path(), None, (), (), "", None)
        request = replace(request_of(job, own, self.host.command), cc=_quoted(self.host))
        return choose_setting(
            request, self.environ, lambda environ: remembered_gpu(environ, self.cache.directory / "gpu.json")
        )


def main(words: Sequence[str], cxx: bool = False) -> int:
    """Compile or link; the exit status, where the host compiler has not taken this process's place."""
    try:
        command = _command(words, cxx)
    except (CompileError, TooDeepError) as error:
        _say(error.diagnostics if isinstance(error, CompileError) else ())
        return 1
    try:
        if command.line.stage is Stage.OTHER or _is_special(command.line.output) or ACTIVE in os.environ:
            return _become(command, command.line.given)
        return _assemble(command) if command.line.stage is Stage.ASSEMBLE else _link(command)
    except KeyboardInterrupt:
        return 130
    except CompileError as error:
        _say(error.diagnostics)
        return 1
    except Exception as error:  # the last resort: the host compiler does what it would have done without ompc
        _say([_failed("this", _crash(error))])
        return _become(command, command.line.given)


def run_subcommand() -> None:
    """For `ompc`: be `ompc cc` or `ompc c++`, if that is the command, without loading what other commands need."""
    if sys.argv[1:2] == ["cc"] or sys.argv[1:2] == ["c++"]:
        gc.disable()
        sys.exit(main(sys.argv[2:], cxx=sys.argv[1] == "c++"))


def entry() -> None:
    """The command `ompc-cc`."""
    gc.disable()
    sys.exit(main(sys.argv[1:]))


def entry_cxx() -> None:
    """The command `ompc-c++`."""
    gc.disable()
    sys.exit(main(sys.argv[1:], cxx=True))


def _command(words: Sequence[str], cxx: bool) -> _Command:
    line = parse_command_line(words)
    named = {name: os.environ.get(f"OMPC_{name.upper()}", "") for name in (*SETTINGS, "quiet")}
    own = {**{name: value for name, value in named.items() if value}, **line.own}
    for name, values in _VALUES.items():
        if own.get(name, values[0]) not in values:
            message = f"there is no {name} '{own[name]}'; there are: {', '.join(values)}"
            raise CompileError(Diagnostic("OMPC420", Kind.ERROR, message, help=f"see --{name} and OMPC_{name.upper()}"))
    environ = {name: value for name, value in os.environ.items() if name not in {"CC", "CXX"} or not _names_ompc(value)}
    environ[ACTIVE] = "1"
    find = find_cxx_compiler if cxx else find_c_compiler
    chosen = _other_compiler(cxx) if ACTIVE in os.environ else own.get("cxx" if cxx else "cc")
    return _Command(line, cxx, own, find({**environ, "CC": "", "CXX": ""}, chosen), environ)


def _other_compiler(cxx: bool) -> str | None:
    """A compiler that is not this one under another name."""
    this = Path(sys.argv[0]).resolve()
    found = (shutil.which(name) for name in (("g++", "clang++", "c++") if cxx else ("gcc", "clang", "cc")))
    return next((path for path in found if path is not None and Path(path).resolve() != this), None)


def _names_ompc(command: str) -> bool:
    return any(Path(word).name in {"ompc", "ompc-cc", "ompc-c++"} for word in command.split())


def _quoted(compiler: Compiler) -> str:
    return shlex.join(compiler.command)


def _is_special(output: str | None) -> bool:
    """/dev/null, a pipe: nothing that may be replaced by a new file."""
    return output is not None and Path(output).exists() and not Path(output).is_file()


def _become(command: _Command, words: Sequence[str]) -> int:
    """Let the host compiler take this process's place."""
    sys.stdout.flush()
    sys.stderr.flush()
    program = command.host.command
    try:
        os.execve(program[0], [*program, *words], dict(command.environ))
    except OSError as error:
        message = f"cannot start {program[0]}: {error.strerror}"
        raise CompileError(Diagnostic("OMPC104", Kind.ERROR, message)) from None


def _start(command: _Command, words: Sequence[str]) -> int:
    """Run the host compiler; its status."""
    status = subprocess.run([*command.host.command, *words], env=dict(command.environ), check=False).returncode
    return status if status >= 0 else 128 - status


# ---------------------------------------------------------------- -c


def _assemble(command: _Command) -> int:
    line = command.line
    one_file = line.output is not None or any(word.startswith(("-MF", "-Wp,-M")) for word in line.dependencies)
    if not command.translates or (one_file and len(line.inputs) > 1):
        _say_unread(command)
        return _become(command, line.given)
    done: list[Input] = []
    with tempfile.TemporaryDirectory(prefix="ompc-") as directory:
        for number, source in enumerate(line.sources):
            output = Path(line.output or Path(source.text).with_suffix(".o").name)
            made = _made(command, source, str(output), _depfile(line, output), Path(directory) / str(number))
            if made is not None and _placed(made, output, _depfile(line, output)):
                done.append(source)
    if len(done) == len(line.inputs):
        return 0
    positions = {source.position for source in done}
    rest = [word for at, word in enumerate(line.words) if at not in positions]
    return _become(command, rest if done else line.given)


def _depfile(line: CommandLine, output: Path) -> Path | None:
    """Where gcc would write the dependency file of an object."""
    words = line.dependencies
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if word.startswith("-MF"):
            return Path(word[3:] or following)
        if word.startswith(("-Wp,-MD,", "-Wp,-MMD,")):
            return Path(word.split(",")[2])
    return output.with_suffix(".d") if {"-MD", "-MMD"} & set(words) else None


def _placed(made: Made, output: Path, depfile: Path | None) -> bool:
    """False: a file cannot be written, and the host compiler will say so."""
    try:
        if depfile is not None and made.depfile_text is not None:
            depfile.write_text(made.depfile_text, errors="surrogateescape")
        copy_executable(made.object, output)
    except OSError:
        return False
    return True


def _made(command: _Command, source: Input, target: str, depfile: Path | None, directory: Path) -> Made | None:
    """The object of one source; None: the host compiler is to make it."""
    line = command.line
    flag = host_only_flag(line.flags)
    if flag is not None:
        _say([_left_to_host(source.text, f"because of {flag}")], command.quiet)
        return None
    name = target if not any(word.startswith("-Wp,") for word in line.dependencies) else Path(source.text).stem + ".o"
    job = Job(Path(source.text), source.language, line.flags, line.dependencies, name, depfile)
    directory.mkdir()
    try:
        setting = command.setting()
        request = request_of(job, command.own, command.host.command)
        made = make_object(job, request, setting, partial(_translate, job.source), command.cache, directory)
    except CompileError as error:
        first = error.diagnostics[0]
        if first.code != "OMPC101":  # that is the user's own error, and the host compiler's to explain
            _say([_failed(source.text, f"{first.message} ({first.code})")])
        return None
    except Exception as error:  # no failure of ompc may stop a build
        _say([_failed(source.text, _crash(error))])
        return None
    _say(made.diagnostics, command.quiet)
    if not isinstance(made, Made):
        return None
    sys.stderr.write(made.said)
    return made


def _translate(source: Path, options: Options) -> Translation:
    from ompc import driver  # here, since most files need none of the stages

    return driver.translate(source, options)


def _left_to_host(source: str, why: str) -> Diagnostic:
    return Diagnostic("OMPC422", Kind.HOST, f"{source} is compiled for the host alone, {why}")


def _failed(source: str, why: str) -> Diagnostic:
    return Diagnostic("OMPC421", Kind.WARNING, f"{source} is compiled for the host alone: {why}")


def _crash(error: Exception) -> str:
    """What went wrong; the traceback is in a file."""
    summary = f"ompc failed: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    try:
        handle, name = tempfile.mkstemp(prefix="ompc-crash-", suffix=".txt")
        with os.fdopen(handle, "w") as out:
            out.write(f"ompc cc {' '.join(sys.argv[1:])}\n\n{traceback.format_exc()}")
        return f"{summary}; please report it with {name}"
    except OSError:
        return summary


def _say_unread(command: _Command) -> None:
    """A source on standard input is the host compiler's."""
    from_stdin = [item for item in command.line.inputs if item.text == "-" and item.language == "c"]
    if command.line.openmp and not command.cxx and from_stdin:
        _say([_left_to_host("standard input", "since it can be read only once")], command.quiet)


# ---------------------------------------------------------------- linking


def _link(command: _Command) -> int:
    line = command.line
    with tempfile.TemporaryDirectory(prefix="ompc-") as name:
        directory = Path(name)
        objects: dict[int, Path] = {}
        if command.translates:
            if line.dependencies:  # compiled as it is first, for the dependency files alone: their names have rules
                status = _start(command, line.given)
                if status != 0:
                    return status
            for number, source in enumerate(line.sources):
                made = _made(command, source, line.output or "a.out", None, directory / str(number))
                if made is not None:
                    objects[source.position] = made.object.rename(made.object.with_name(Path(source.text).stem + ".o"))
        _say_unread(command)
        if examine_inputs(line, objects.values()).target is None:
            return _become(command, line.given)
        objects |= _other_objects(command, objects, directory)
        return _linked(command, examine_inputs(line, objects.values()), objects, directory)


_SOURCE = re.compile(r".*\.(c|i|s|S|C|cc|cp|cpp|cxx|c\+\+|CPP|ii|sx|m|mm|f|F|for|f90|F90)")


def _other_objects(command: _Command, made: Mapping[int, Path], directory: Path) -> dict[int, Path]:
    """The sources that the host compiler has to compile, by position: what they refer to shows in their objects."""
    line = command.line
    found: dict[int, Path] = {}
    for item in line.inputs:
        is_source = item.language is not None or _SOURCE.fullmatch(item.text)
        if is_source and item.position not in made and item.text != "-":
            output = directory / f"{item.position}-{Path(item.text).stem}.o"
            language = [] if item.language is None else ["-x", item.language]
            if _start(command, [*compile_flags(line.flags), *language, "-c", item.text, "-o", str(output)]) == 0:
                found[item.position] = output
    return found


def _linked(command: _Command, contents: Contents, objects: Mapping[int, Path], directory: Path) -> int:
    line, target = command.line, contents.target
    assert target is not None
    asked = command.setting() if command.own.get("target", "auto") == "auto" else None
    if asked is not None and asked.target is target:
        _say(asked.notes, command.quiet)
    if contents.threads is not None:
        names = {path: line.words[at] for at, path in objects.items()}
        named = names.get(contents.threads, contents.threads)
        message = f"{named} creates threads of its own: all loops of the program run on the host"
        _say([Diagnostic("OMPC424", Kind.WARNING, message)])
    setting = command.setting(target.value)
    explicit = {item.position: item.language for item in line.inputs if item.language is not None}
    words: list[str] = []
    for at, word in enumerate(line.words):
        if at not in objects:
            words.append(word)
        elif at in explicit:
            words += ["-x", "none", str(objects[at]), "-x", explicit[at]]
        else:
            words.append(str(objects[at]))
    return _start(command, [*words, *link_words(contents, line, setting, command.cache, directory)])


def _say(diagnostics: Iterable[Diagnostic], quiet: bool = False) -> None:
    for diagnostic in diagnostics:
        if not (quiet and diagnostic.kind is Kind.HOST):
            text = format_diagnostic(diagnostic) + "\n"
            sys.stderr.write(text.encode(errors="surrogateescape").decode(errors="replace"))
