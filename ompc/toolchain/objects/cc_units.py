"""What an object file remembers of its source, so that the link can compile it again with the program's other files.

    simulation.c   #pragma omp parallel for   ... mat = pick_mat(&seed);
    material.c     int pick_mat(uint64_t *seed) {...}

`ompc cc -fopenmp -c` sees one file; the loop stays on the host since the source of `pick_mat` is not there. Each object
therefore has a section `.ompc.unit`, which linkers leave out of programs: where the source lies and how it was
compiled. At the link, the unit whose loops lack a function and the units that define it are read together. So is, with
all others, a unit with loops of teams whose other code it does not have, where a unit of the link looks at flags.

Whether the sources still are what was compiled is asked again then, by the hash of the preprocessed text.

In: objects, archives.   Out: `Unit`s, and which of them should be compiled again with which others.
Not here: compiling them -- cc_object.py; the order of events -- ompc/cc.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path

from ompc.base.frozen import dataclass, field

_SECTION = ".ompc.unit"
_RECORD = re.compile(rb"ompc-unit:(\{[^\0]*\})\0")
_RENAMES = re.compile(r"-Wl,.*--?(wrap|defsym).*|--?(wrap|defsym)\b.*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One compiled source.

    `directory`  where the compiler was started; `source`, `flags` are as they were written there
    `own`        ompc's settings by name, with the target that was chosen
    `digest`     SHA-256 of the preprocessed text
    `missing`    functions without a source that keep loops of this file on the host
    `asks`       functions without a source that threads of its teams call as they ask for their number
    `answers`    it asks OpenMP for such numbers
    `teams`      it has loops on the device whose teams run code of other files, too
    `looks`      it has what waits for other threads: it looks at what they change at any time
    """

    directory: str
    source: str
    language: str | None
    flags: tuple[str, ...]
    own: Mapping[str, str]
    digest: str
    missing: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    answers: bool = False
    teams: bool = False
    looks: bool = False

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


def unit_from_text(text: str) -> Unit:
    """Undo `Unit.text`. ValueError, TypeError: it is not one of this version."""
    read = json.loads(text)
    return Unit(**{**read, **{name: tuple(read[name]) for name in ("flags", "missing", "asks")}})


def attach(unit: Unit, path: Path, scratch: Path) -> None:
    """Write the unit into an object file. One that objcopy cannot read, such as clang's for -flto, stays as it is."""
    record = scratch / "unit"
    record.write_bytes(f"ompc-unit:{unit.text()}\0".encode())
    changes = ["--add-section", f"{_SECTION}={record}", "--set-section-flags", f"{_SECTION}=exclude,readonly"]
    try:
        subprocess.run(["objcopy", *changes, str(path)], capture_output=True, check=False)
    except OSError:
        return


def units_in(content: bytes) -> tuple[Unit, ...]:
    """The units that an object was made of: several, if `ld -r` joined them."""
    read = (_unit_of(match[1].decode(errors="replace")) for match in _RECORD.finditer(content))
    return tuple(unit for unit in read if unit is not None)


def _unit_of(text: str) -> Unit | None:
    try:
        return unit_from_text(text)
    except (ValueError, TypeError, KeyError):  # another version's
        return None


@dataclass(frozen=True)
class Part:
    """An object file of the link, or a member of an archive. Names are those that the linker sees."""

    path: Path
    member: str | None
    defined: list[str] = field(default_factory=list, compare=False)
    undefined: list[str] = field(default_factory=list, compare=False)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        if self.member is None:
            return units_in(self.path.read_bytes())
        return units_in(member_of(self.path, self.member))


def member_of(archive: Path, member: str) -> bytes:
    return subprocess.run(["ar", "p", str(archive), member], capture_output=True, check=False).stdout


def units_of(paths: Iterable[Path]) -> list[Unit]:
    """The units of the objects and archives."""
    return [unit for path in paths if path.is_file() for unit in units_in(path.read_bytes())]


def may_lack(units: Collection[Unit]) -> bool:
    """May one of the units become another one where the others are read with it?"""
    return any(unit.missing for unit in units) or _may_ask(units) or _may_wait(units)


def _may_ask(units: Collection[Unit]) -> bool:
    """May one of the files ask about threads by functions of another?"""
    return any(unit.asks for unit in units) and any(unit.answers for unit in units)


def _may_wait(units: Collection[Unit]) -> bool:
    """May threads of a team wait for one another beside a loop of which one of the files alone does not show it?"""
    return any(unit.teams for unit in units) and any(unit.looks for unit in units)


def with_member(archive: Path, member: str, content: Path, copy: Path) -> None:
    """Make `copy` of the archive, unless it is there, and replace one member in it."""
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(archive, copy)
    named = copy.parent / member
    shutil.copyfile(content, named)
    subprocess.run(["ar", "r", str(copy), str(named)], capture_output=True, check=True)


def could_rename(words: Iterable[str]) -> bool:
    """Does the link give a function another definition than the one that has its name?"""
    return any(_RENAMES.fullmatch(word) for word in words)


def exports_names(words: Iterable[str]) -> bool:
    """May code that the command does not name use the program's objects?"""
    return any(word in ("-r", "-rdynamic", "-shared") or word.startswith(("-Wl,", "-Xlinker", "-T")) for word in words)


def whole_program_units(paths: Sequence[Path], parts: Sequence[Part]) -> tuple[Unit, ...]:
    """All units of the link; none where it has other code, such as an object of another compiler or a library."""
    seen = {part.path for part in parts}
    if any(path not in seen for path in paths) or not all(part.units for part in parts):
        return ()
    return tuple(unit for part in parts for unit in part.units)


def parts_of(paths: Sequence[Path]) -> list[Part]:
    """The objects and members of archives, in the order of the link."""
    files = [str(path) for path in paths if path.is_file()]
    if not files:
        return []
    listed = subprocess.run(
        ["nm", "-A", "-g", "-P", *files], capture_output=True, text=True, errors="surrogateescape", check=False
    ).stdout
    found: dict[tuple[str, str | None], Part] = {}
    for line in listed.splitlines():
        match = re.fullmatch(r"(?P<path>.+?)(\[(?P<member>[^\]]+)\])?: (?P<name>\S+) (?P<kind>\w)( .*)?", line)
        if match is None:
            continue
        key = (match["path"], match["member"])
        part = found.setdefault(key, Part(Path(match["path"]), match["member"]))
        (part.undefined if match["kind"] in "Uwv" else part.defined).append(match["name"])
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A unit that other units of the link may make another one. `beside`: those that define functions which its loops
    lack, and what those call; `around`: those that show what its teams do. `found`: the functions that its loops
    lacked, and that one of `beside` defines.
    """

    part: Part
    unit: Unit
    beside: tuple[Unit, ...]
    around: tuple[Unit, ...]
    found: tuple[str, ...] = ()


def incomplete_units(parts: Sequence[Part]) -> Iterator[Incomplete]:
    """The units that should be made again.

    A function counts that exactly one part of the link defines: of several, the linker chooses.
    """
    defining: dict[str, list[Part]] = {}
    for part in parts:
        for name in part.defined:
            defining.setdefault(name, []).append(part)
    only = {name: found[0] for name, found in defining.items() if len(found) == 1}
    program = [unit for part in parts for unit in part.units]
    waits = _may_wait(program)
    for part in parts:
        for unit in part.units if len(part.units) == 1 else ():
            beside = _needed(unit, part, only)
            around = [other for other in program if other != unit and other not in beside]
            if beside or (waits and unit.teams and around):
                found = tuple(name for name in unit.missing if _defines(only.get(name), part))
                yield Incomplete(part, unit, beside, tuple(around) if waits and unit.teams else (), found)


def _defines(part: Part | None, own: Part) -> bool:
    """Is it another part than its `own`, whose sources are known?"""
    return part is not None and part is not own and bool(part.units)


def _needed(unit: Unit, own: Part, only: Mapping[str, Part]) -> tuple[Unit, ...]:
    """The units that define what `unit` lacks, and what those call."""
    found: dict[Part, None] = {}
    asked = (name for name in unit.asks if (part := only.get(name)) and any(each.answers for each in part.units))
    names = [*unit.missing, *asked]
    for name in names:  # grows
        part = only.get(name)
        if part is not None and _defines(part, own) and part not in found:
            found[part] = None
            names += part.undefined
    return tuple(other for part in found for other in part.units)
