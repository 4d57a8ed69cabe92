"""With which options a file is compiled: those of the nearest compile_commands.json, then those of the command line.

A file that a database names is one of a program's several files, of which the database has the others; another one is
a program of its own, as `ompc explain FILE.c` takes it.

    In: the path of a file.   Out: options and the compiler's directory; what keeps a database from being read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.lsp.answers import OtherFile
from ompc.toolchain.objects.compile_commands import NAME, FileCommand, database_near, read_database

MOST_FILES = 60
"""In a database, of which one is looked at together with the others."""


@dataclass(frozen=True, slots=True)
class Compiled:
    options: Options
    directory: str
    problems: tuple[Diagnostic, ...] = ()
    beside: tuple[OtherFile, ...] = ()


@dataclass(slots=True)
class Projects:
    """`options`: of all files; `build_path`: the database of all files, where the user names it."""

    options: Options
    build_path: Path | None = None
    _read: dict[Path, tuple[int, Mapping[Path, FileCommand]]] = field(default_factory=dict)

    def of(self, path: str) -> Compiled:
        folder = str(Path(path).parent)
        database = self.build_path or database_near(Path(path))
        if database is None:
            return Compiled(self.options, folder)
        try:
            commands = self._commands(database)
        except CompileError as error:
            return Compiled(self.options, folder, error.diagnostics)
        command = commands.get(Path(os.path.realpath(path)))
        if command is None:
            return Compiled(self.options, folder)
        flags = (*command.flags, *self.options.cpp_flags)
        place = command.directory if command.directory.is_dir() else folder  # of an old database, it may be gone
        options = replace(self.options, cpp_flags=flags, part=True)
        return Compiled(options, str(place), beside=self._beside(command, commands))

    def _beside(self, own: FileCommand, commands: Mapping[Path, FileCommand]) -> tuple[OtherFile, ...]:
        """Nothing, if they are too many to be read each time that the text changes."""
        if len(commands) > MOST_FILES:
            return ()
        others = [command for command in commands.values() if command is not own and command.source.is_file()]
        return tuple(OtherFile(str(c.source), str(c.directory), (*c.flags, *self.options.cpp_flags)) for c in others)

    def _commands(self, database: Path) -> Mapping[Path, FileCommand]:
        """As long as the file is the same, it is read once."""
        file = database / NAME if database.is_dir() else database
        try:
            changed = file.stat().st_mtime_ns
        except OSError:
            changed = -1
        if self._read.get(file, (-2, {}))[0] != changed:
            self._read[file] = changed, read_database(file)
        return self._read[file][1]
