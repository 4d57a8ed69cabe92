"""compile_commands.json: with which options a project compiles each of its C files.

    [{"directory": "/home/u/solver/build", "file": "../mesh.c", "command": "cc -I../inc -DN=3 -O2 -c ../mesh.c"}]

CMake writes one (CMAKE_EXPORT_COMPILE_COMMANDS), Meson does always, `bear -- make` for makefiles. What counts here are
the options that the preprocessor and the meaning of the program depend on; paths in them lead to the
same files. Of a file that is compiled several times the first command counts.

    Source: JSON Compilation Database Format Specification, clang.llvm.org/docs/JSONCompilationDatabase.html.
    In: the file, or a folder that has it.   Out: the options of each C file; CompileError OMPC108.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.toolchain.objects.cc_arguments import TooDeepError, parse_command_line
from ompc.toolchain.objects.cc_object import Job

NAME = "compile_commands.json"
_WITH_PATH = re.compile(r"(-I|-iquote|-isystem|-idirafter|-include|-imacros|-isysroot|--sysroot=)(.*)", re.DOTALL)
_OTHERWISE_GIVEN = re.compile(r"-O.*|-fopenmp(=.*)?|-p")


@dataclass(frozen=True, slots=True)
class FileCommand:
    """How a file is compiled: an absolute path, the compiler's directory, and the options for the preprocessor."""

    source: Path
    directory: Path
    flags: tuple[str, ...]


def read_database(path: Path, here: Path | None = None) -> Mapping[Path, FileCommand]:
    """The C files of the database, by their absolute paths. `path`: the file, or the folder that it lies in. Paths in
    options that lead below `here` begin there, others are absolute.
    """
    file = _file_of(path)
    try:
        entries = json.loads(file.read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError as error:
        raise _refusal(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise _refusal(f"{file} is no JSON: {error}") from None
    if not isinstance(entries, list):
        raise _refusal(f"{file} is no list of commands")
    found: dict[Path, FileCommand] = {}
    for entry in entries:
        for command in _commands(entry, file.absolute().parent, here) if isinstance(entry, Mapping) else ():
            found.setdefault(command.source, command)
    return found


def database_near(source: Path) -> Path | None:
    """The database that a file belongs to: in its folder or `build` there, or the same in a folder above."""
    for folder in source.absolute().parents:
        for candidate in (folder / NAME, folder / "build" / NAME):
            if candidate.is_file():
                return candidate
    return None


def command_of(source: Path, database: Mapping[Path, FileCommand], path: Path) -> FileCommand:
    """The command of one file. CompileError OMPC108: it has none."""
    found = database.get(_whole(source))
    if found is None:
        raise _refusal(f"{_file_of(path)} has no command that compiles {source}")
    return found


def _file_of(path: Path) -> Path:
    return path / NAME if path.is_dir() else path


def _refusal(message: str) -> CompileError:
    help_ = "see ompc explain OMPC108"
    return CompileError(Diagnostic("OMPC108", Kind.ERROR, message, help=help_))


def _whole(path: Path) -> Path:
    """Without links and dots."""
    return Path(os.path.realpath(path))


def _commands(entry: Mapping[str, object], beside: Path, here: Path | None) -> Iterator[FileCommand]:
    """The command of an entry, if it is about a C file."""
    directory = beside / str(entry.get("directory") or "")
    words = _words(entry)
    if words is None:
        return
    try:
        line = parse_command_line(words[1:], lambda path: (directory / path).read_text(errors="surrogateescape"))
    except TooDeepError:
        return
    source = _whole(directory / str(entry.get("file") or ""))
    languages = {item.is_c for item in line.inputs if _whole(directory / item.text) == source}
    if True in languages:
        job = Job(source, None, line.flags, (), "", None)
        flags = [flag for flag in job.preprocess if not _OTHERWISE_GIVEN.fullmatch(flag)]
        yield FileCommand(source, directory, tuple(_located(flags, directory, here)))


def _words(entry: Mapping[str, object]) -> Sequence[str] | None:
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list) and arguments:
        return list(map(str, arguments))
    try:
        return shlex.split(command) if isinstance(command, str) else None
    except ValueError:  # a quote is not closed
        return None


def _located(flags: Sequence[str], directory: Path, here: Path | None) -> Iterator[str]:
    """With the paths in them as they lead there from `here`."""
    option = ""
    for flag in flags:
        found = _WITH_PATH.fullmatch(flag)
        if option:
            yield _path(option, flag, directory, here)
            option = ""
        elif found is None:
            yield flag
        elif found[2]:
            yield found[1] + _path(found[1], found[2], directory, here)
        else:
            yield flag
            option = flag


def _path(option: str, path: str, directory: Path, here: Path | None) -> str:
    """A file that is not beside the command is searched for as an #include is, and stays as it is written."""
    whole = Path(os.path.normpath(directory / path))
    if option in {"-include", "-imacros"} and not whole.exists():
        return path
    return str(whole if here is None else seen_from(here, whole))


def seen_from(here: Path, path: Path) -> Path:
    """A path below `here` from there, another one as it is."""
    try:
        return path.relative_to(here)
    except ValueError:
        return path
