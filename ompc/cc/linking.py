"""`ompc cc` as the linking command: objects that lack functions of other files are made again, then all are linked.

In: the command.   Out: the host compiler's exit status.
Not here: what is added to the link -- toolchain/objects/cc_link.py; what objects remember -- cc_units.py beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.cc.command import Command, become, crash, failed, say, say_unasked, say_unread, start
from ompc.cc.objects import made_of
from ompc.toolchain.commands.commands import c_runtime_words
from ompc.toolchain.machine.tuning_files import read_tuning
from ompc.toolchain.objects.cc_again import Others, make_again, options_of
from ompc.toolchain.objects.cc_arguments import CommandLine
from ompc.toolchain.objects.cc_link import (
    Contents,
    examine_inputs,
    libraries,
    link_words,
    linked_files,
    variant_of_link,
)
from ompc.toolchain.objects.cc_mpi import mpi_step
from ompc.toolchain.objects.cc_object import Made, compile_flags
from ompc.toolchain.objects.cc_units import (
    Incomplete,
    Unit,
    attach,
    could_rename,
    exports_names,
    incomplete_units,
    may_lack,
    parts_of,
    units_of,
    whole_program_units,
    with_member,
)

if TYPE_CHECKING:
    from ompc.driver import SourceFile
    from ompc.ir.tree import Unit as TypedUnit


def link(command: Command) -> int:
    """Compile the sources of the command, complete the objects, link; the exit status."""
    line = command.line
    if command.translates and line.dependencies:
        # Compiled as it is first, for the dependency files alone: their names have rules.
        status = start(command, line.given)
        if status != 0:
            return status
    with temporary_directory("ompc-") as name:
        directory = Path(name)
        objects, left = _own_objects(command, directory)
        say_unread(command)
        say_unasked(command)
        lacking = may_lack([*left.values(), *units_of(_all_files(command, objects))])
        if lacking or examine_inputs(line, objects).target is not None:
            objects |= _other_objects(command, objects, directory)
            for position in left.keys() & objects.keys():
                attach(left[position], objects[position], directory)
            again = _completed(command, objects, directory) if lacking else {}
            objects |= again
            front = [f"-L{directory / _LIBRARIES}"] if (directory / _LIBRARIES).exists() else []
            contents = examine_inputs(line, objects, front)
            if contents.target is not None:
                return _linked(command, contents, objects, front, directory)
            if again:  # and no loop is left for the device
                return start(command, _with_objects(line, objects, front))
        return become(command, line.given)


def _all_files(command: Command, made: Mapping[int, Path]) -> list[Path]:
    return [*linked_files(command.line, made).values(), *libraries(command.line.words)]


def _own_objects(command: Command, directory: Path) -> tuple[dict[int, Path], dict[int, Unit]]:
    """By the positions of the command's sources: objects with device code; what was left to the host compiler."""
    objects: dict[int, Path] = {}
    left: dict[int, Unit] = {}
    line = command.line
    for number, source in enumerate(line.sources if command.translates else ()):
        made = made_of(command, source, line.output or "a.out", None, directory / str(number))
        if isinstance(made, Made):
            objects[source.position] = made.object.rename(made.object.with_name(Path(source.text).stem + ".o"))
        elif made is not None and made.unit is not None:
            left[source.position] = made.unit
    return objects, left


_LIBRARIES = "libraries"
"""The subfolder with copies of the archives that -l names; the linker looks for them there first."""


_Read = Callable[["SourceFile"], "TypedUnit | None"]


def _read(file: SourceFile) -> TypedUnit | None:
    from ompc.driver import read_unit  # here, since most links need none of the stages

    return read_unit(file)


def _completed(command: Command, made: Mapping[int, Path], directory: Path) -> dict[int, Path]:
    """Objects and archives, by position, whose loops now call functions that other files of the link define.

    Not for a shared library, in which a program may put another function in the place of one.
    """
    line = command.line
    if "-shared" in line.words or could_rename(line.words) or command.own.get("target") == "host":
        return {}
    files = linked_files(line, made)
    named = _all_files(command, made)
    parts = parts_of(named)
    whole = () if exports_names(line.words) else whole_program_units(named, parts)
    found: dict[int, Path] = {}
    read = cache(_read)
    for number, incomplete in enumerate(incomplete_units(parts)):
        part, unit = incomplete.part, incomplete.unit
        position = next((at for at, path in files.items() if path == part.path), None)
        scratch = directory / f"again{number}"
        scratch.mkdir()
        program = [other for other in whole if other is not unit and other != unit]
        again = _made_again(command, incomplete, scratch, program, read)
        if again is None:
            continue
        replacement = again.object
        if part.member is not None:
            place = _LIBRARIES if position is None else f"archive{position}"
            replacement = directory / place / part.path.name
            with_member(part.path, part.member, again.object, replacement)
        if position is not None:
            found[position] = replacement
    return found


def _made_again(
    command: Command, incomplete: Incomplete, scratch: Path, program: Sequence[Unit], read: _Read
) -> Made | None:
    def translate(options: Options, others: Others, complete: bool) -> Translation:
        from ompc.driver import SourceFile, translate_beside

        def files(units: Sequence[Unit]) -> list[SourceFile]:
            return [SourceFile(Path(u.source), options_of(u, host), Path(u.directory)) for u in units]

        own = replace(files([unit])[0], options=replace(options, tuning=read_tuning(command.environ)))
        beside, around = (list(map(read, files(units))) for units in (others.beside, others.around))
        return translate_beside(own, beside, around, complete=complete)

    unit, host = incomplete.unit, command.host.command
    try:
        setting = command.setting(unit.own["target"])
        others = Others(incomplete.beside, incomplete.around, program)
        made = make_again(unit, others, host, setting, translate, command.cache, scratch)
    except CompileError as error:
        first = error.diagnostics[0]
        say([failed(unit.source, f"with the program's other files, {first.message} ({first.code})")])
        return None
    except Exception as error:  # no failure of ompc may stop a build
        say([failed(unit.source, crash(error))])
        return None
    if made is not None:
        say([Diagnostic("OMPC425", Kind.HOST, f"{unit.source} is compiled again: {_why(incomplete)}")], command.quiet)
    return made


def _why(incomplete: Incomplete) -> str:
    if incomplete.beside and not incomplete.found:
        sources = ", ".join(unit.source for unit in incomplete.beside)
        return f"its threads may ask for their numbers by functions of {sources}"
    if incomplete.beside:
        names = [f"'{name}'" for name in incomplete.found]
        listed = " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]]) or "them"
        sources = ", ".join(unit.source for unit in incomplete.beside)
        return f"its loops call functions of {sources}, so what was said of {listed} (OMPC320) no longer holds"
    return "threads of a team wait for one another beside its loops, as the other files show"


_SOURCE = re.compile(r".*\.(c|i|s|S|C|cc|cp|cpp|cxx|c\+\+|CPP|ii|sx|m|mm|f|F|for|f90|F90)")


def _other_objects(command: Command, made: Mapping[int, Path], directory: Path) -> dict[int, Path]:
    """The sources that the host compiler has to compile, by position: what they refer to shows in their objects."""
    line = command.line
    found: dict[int, Path] = {}
    for item in line.inputs:
        is_source = item.language is not None or _SOURCE.fullmatch(item.text)
        if is_source and item.position not in made and item.text != "-":
            output = directory / f"{item.position}-{Path(item.text).stem}.o"
            language = [] if item.language is None else ["-x", item.language]
            if start(command, [*compile_flags(line.flags), *language, "-c", item.text, "-o", str(output)]) == 0:
                found[item.position] = output
    return found


def _linked(
    command: Command, contents: Contents, objects: Mapping[int, Path], front: Sequence[str], directory: Path
) -> int:
    line, target = command.line, contents.target
    assert target is not None
    asked = command.setting() if command.own.get("target", "auto") == "auto" else None
    if asked is not None and asked.target is target:
        say(asked.notes, command.quiet)
    if contents.threads is not None:
        names = {path: line.words[at] for at, path in objects.items()}
        named = names.get(contents.threads, contents.threads)
        message = f"{named} creates threads of its own: all loops of the program run on the host"
        say([Diagnostic("OMPC424", Kind.WARNING, message)])
    setting = command.setting(target.value)
    words = _with_objects(line, objects, front)
    in_front = c_runtime_words(setting, variant_of_link(line))
    mpi = mpi_step(_own_files(line, objects), line.words, in_front, setting.environ, directory)
    if isinstance(mpi, Diagnostic):
        say([mpi], command.quiet)
        mpi = None
    return start(command, [*words, *link_words(contents, line, setting, command.cache, directory, mpi)])


def _own_files(line: CommandLine, objects: Mapping[int, Path]) -> list[Path]:
    """The objects and archives of the link that are the program's, and not MPI's own."""
    files = [*linked_files(line, objects).values(), *libraries(line.words)]
    return [path for path in files if ".so" not in path.name and not path.name.startswith(("libmpi", "libpmpi"))]


def _with_objects(line: CommandLine, objects: Mapping[int, Path], front: Sequence[str]) -> list[str]:
    """The words of the command, with objects in the places of what they were made from."""
    explicit = {item.position: item.language for item in line.inputs if item.language is not None}
    words = [*front]
    for at, word in enumerate(line.words):
        if at not in objects:
            words.append(word)
        elif at in explicit:
            words += ["-x", "none", str(objects[at]), "-x", explicit[at]]
        else:
            words.append(str(objects[at]))
    return words
