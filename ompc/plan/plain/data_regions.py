"""Plan: data regions: statements of the host during which arrays stay on the device.

    main_loop_to_device(now, next);        cudaMalloc and a copy of each
    for (k = 0; k < steps; k++) {
        step(now, next);                   its launch finds the copies
        double *old = now;
        ...
    }
    arrays_to_host();                      what launches have written is copied back; cudaFree

Such is a loop, or statements that follow each other in a block, of which two or more run launches, where

    nothing in it leaves it but at its end (no return or goto; break out of its own loop is its end), calls code that is
        not seen, ends the program, or is run by several threads
    no other region can be run by it, and its launches are run by nothing else than regions in which the array stays

and the arrays are those that no host code in it touches, or shares an object with one that is touched; whose pointers
there are copies of pointers in front of it (roots.py), to the beginning of a whole block or declared array, which
nothing has freed, and which no thread or transfer may use meanwhile. Which copy is which the launch function finds by
the host's address: so pointers may change places. The other arrays are copied with each launch, as all are outside of
regions. Regions that keep all arrays of their launches come first, the outermost before the others; then those that
keep some, the innermost before the others.
Launches may be another file's: a region is where its array is known by a name of its own file. Needs `main` in the
program: else callers might run it twice at the same time.

    In: the files with their launches, the units, Arrays.   Out: the files with DataRegions, and with what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.host.host_code import Launch, Use
from ompc.analysis.host.host_objects import Object, Unknown
from ompc.analysis.host.host_uses import HostUses, TooMany
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes
from ompc.plan.plain.arrays import Arrays
from ompc.plan.plain.host_flow import LOOPS, HostFlow, Section, are_related
from ompc.plan.plain.model import DataRegion, KeptArray, PlainArray, PlainFile, PlainLaunch
from ompc.plan.plain.roots import Roots
from ompc.plan.residency.residual_transfers import launches_of

_Loop = tuple[str, str]
"""A file's name, and the id of a region in it."""

_Key = tuple[_Loop, str]
"""A loop, and the name of a variable of its launch."""


@dataclass(frozen=True, slots=True)
class _Found:
    """`kept`: the roots of the arrays that stay, of `all` that launches use."""

    section: Section
    kept: Mapping[_Key, frozenset[t.Symbol]]
    all: frozenset[_Key]
    repeated: bool

    @property
    def is_complete(self) -> bool:
        return len(self.kept) == len(self.all)


def with_data_regions(
    files: Sequence[PlainFile], units: Sequence[t.Unit], arrays: Arrays
) -> tuple[PlainFile, ...]:
    """`files`: all that have launches."""
    if arrays.pointers.program.main is None:
        return tuple(files)
    try:
        chosen = _Regions(files, units, arrays).chosen()
    except TooMany:
        return tuple(files)
    kept = {key for found, _ in chosen for key in found.kept}
    regions = [region for _, region in chosen]
    return tuple(
        replace(
            file,
            launches=tuple(_with_kept(file, launch, kept) for launch in file.launches),
            data=tuple(region for region in regions if region.file == file.path),
        )
        for file in files
    )


def _with_kept(file: PlainFile, launch: PlainLaunch, kept: set[_Key]) -> PlainLaunch:
    """Without the parameters that say how much of an array crosses."""
    stay = [array for array in launch.arrays if _key(_loop(file, launch), array) in kept]
    others = {str(name) for array in launch.arrays if array not in stay for name in array.variable.sizes}
    sizes = {str(name) for array in stay for name in array.variable.sizes} - others
    return replace(
        launch,
        arguments=tuple(a for a in launch.arguments if str(a.name) not in sizes),
        arrays=tuple(replace(array, kept=array in stay) for array in launch.arrays),
    )


def _loop(file: PlainFile, launch: PlainLaunch) -> _Loop:
    return file.plan.name, launch.region.id


def _key(loop: _Loop, array: PlainArray) -> _Key:
    return loop, str(array.variable.device_name)


class _Regions:
    def __init__(self, files: Sequence[PlainFile], units: Sequence[t.Unit], arrays: Arrays) -> None:
        self._arrays, self._files = arrays, {file.path: file for file in files}
        self._units = {function.symbol: unit for unit in units for function in unit.functions.values()}
        self._known = {_loop(file, launch): launch for file in files for launch in file.launches}
        pragmas = {launch.region.loop.pragma: _launch(file, launch) for file in files for launch in file.launches}
        self._uses = HostUses(units, pragmas)
        passed = {pragma for file in files for team in file.teams for pragma in team.pragmas}
        self._flow = HostFlow(self._uses, arrays.pointers, pragmas.keys(), passed)
        self._of_array = {loop for loop, launch in self._known.items() if launch.arrays}
        self._functions = {
            event.what.loop: symbol
            for symbol, code in self._flow.codes.items()
            for event in code.events
            if isinstance(event.what, Use)
        }
        self._taken: list[_Found] = []
        self._known_sections: dict[tuple[t.Stmt, ...], _Found | None] = {}
        self._given_up: set[tuple[t.Stmt, ...]] = set()

    def chosen(self) -> list[tuple[_Found, DataRegion]]:
        """As many as there are when every launch finds its arrays wherever it is run."""
        while True:
            self._taken = []
            self._choose()
            sections = {key: [f.section for f in self._taken if key in f.kept] for f in self._taken for key in f.kept}
            lost = {key for key, some in sections.items() if not self._flow.runs_only_in(some, key[0])}
            if not lost:
                return [(found, self._region(found)) for found in self._taken]
            self._given_up |= {f.section.statements for f in self._taken if not lost.isdisjoint(f.kept)}

    def _choose(self) -> None:
        codes = sorted(self._flow.codes.items(), key=lambda item: -len(self._flow.below[item[0]]))  # callers first
        blocks = [block for _, code in codes for block in _blocks(code.function, self._flow.passed)]
        for block in blocks:
            self._taken += [found for found in self._sections(*block) if found.is_complete]
        for block in reversed(blocks):
            self._taken += self._sections(*block)

    def _region(self, found: _Found) -> DataRegion:
        section = found.section
        written: dict[t.Symbol, bool] = {}
        for (loop, name), roots in found.kept.items():
            (array,) = [a for a in self._known[loop].arrays if str(a.variable.device_name) == name]
            for root in roots:
                written[root] = written.get(root, False) or bool(array.variable.writes)
        order = sorted(written, key=lambda root: root.position)
        kept = [KeptArray(root, self._whole(root, section), written[root]) for root in order]
        file = section.statements[0].loc.file
        return DataRegion(section.function.name, file, section.statements, tuple(kept))

    def _whole(self, root: t.Symbol, section: Section) -> str:
        types = self._files[section.statements[0].loc.file].types
        extent = self._arrays.whole_of(root, isinstance(root.type, ty.Pointer), types)
        return "" if extent is None else extent.bytes

    # ------------------------------------------------------------ one block

    def _sections(self, function: t.Function, block: t.Block, before: tuple[t.Stmt, ...]) -> Iterator[_Found]:
        """The regions of a block, none of which could be larger without keeping less."""
        code = self._flow.codes[function.symbol]
        if block.loc.file not in self._files or block.loc.file != self._units[function.symbol].file:
            return
        runs = [at for at, item in enumerate(block.items) if self._launched(Section(code, (item,), ()))]
        last: _Found | None = None
        first = 0
        for at in runs:
            alone = self._found(Section(code, block.items[at : at + 1], before + block.items[:at]))
            joined = None
            if last is not None:
                joined = self._found(Section(code, block.items[first : at + 1], before + block.items[:first]))
            if joined is not None and last is not None and self._loses_nothing(joined, last, alone):
                last = joined
                continue
            yield from self._worth(last)
            first, last = at, alone
        yield from self._worth(last)

    def _worth(self, found: _Found | None) -> Iterator[_Found]:
        if found is not None and found.kept and found.repeated:
            yield found

    def _loses_nothing(self, joined: _Found, one: _Found, other: _Found | None) -> bool:
        if other is None or not joined.kept.keys() >= one.kept.keys() | other.kept.keys():
            return False
        return any(are_related(self._objects(a), self._objects(b)) for a in one.kept for b in other.kept)

    def _launched(self, section: Section) -> frozenset[_Loop]:
        launched = self._flow.launched(section.code, section.span)
        return frozenset(loop for loop in self._of_array if loop in launched)

    # ------------------------------------------------------------ one section

    def _found(self, section: Section) -> _Found | None:
        if section.statements in self._given_up:
            return None
        if section.statements not in self._known_sections:
            self._known_sections[section.statements] = self._examined(section)
        found = self._known_sections[section.statements]
        meets = found is not None and any(self._flow.can_meet(section, other.section) for other in self._taken)
        return None if meets else found

    def _examined(self, section: Section) -> _Found | None:
        if not self._flow.goes_through(section) or not _begins_line(section):
            return None
        loops = self._launched(section)
        arrays = {_key(loop, array): array for loop in loops for array in self._known[loop].arrays}
        roots = {key: found for key in arrays if (found := self._roots(section, key, arrays[key])) is not None}
        touched = set(self._uses.accessed_in(section.code, section.span))
        left = dict(arrays)
        while gone := [key for key in left if key not in roots or are_related(self._objects(key), touched)]:
            for key in gone:
                touched |= self._objects(key)
                del left[key]
        repeated = len(section.statements) > 1 or isinstance(section.statements[0], LOOPS)
        return _Found(section, {key: roots[key] for key in left}, frozenset(arrays), repeated)

    def _objects(self, key: _Key) -> frozenset[Object]:
        return self._uses.objects(key)

    def _roots(self, section: Section, key: _Key, array: PlainArray) -> frozenset[t.Symbol] | None:
        """None: the array cannot stay."""
        v, objects = array.variable, self._objects(key)
        if v.obj is None or len(v.obj.path) != v.is_pointee or v.former is not None or not objects:
            return None
        if any(isinstance(found, Unknown) for found in objects) or are_related(objects, self._flow.shared):
            return None
        unit = self._units[section.function.symbol]
        roots = Roots(self._flow, section, self._arrays.pointers.program, unit)
        found = roots.of(v.symbol, self._functions[key[0]])
        if not found or not all(self._whole(root, section) for root in found):
            return None
        for root in found:
            place, everywhere = roots.declared_at(root), not root.is_automatic
            if isinstance(root.type, ty.Pointer) and self._flow.may_be_freed(section, objects, place, everywhere):
                return None
        return found


def _launch(file: PlainFile, launch: PlainLaunch) -> Launch:
    """All objects that it uses, and all that the host reads for it."""
    pragma, region, loop = launch.region.loop.pragma, launch.region, _loop(file, launch)
    uses = [Use((loop, str(v.device_name)), loop, v.obj) for v in region.variables if v.obj is not None]
    read = [
        t.Unary(ty.INT, region.loop.loc, "*", t.Name(symbol.type, region.loop.loc, symbol))
        for argument in launch.plan.arguments
        if not re.fullmatch(r"&?\w+", argument.host_text)
        for name in re.findall(r"[^\W\d]\w*", argument.host_text)
        if (symbol := pragma.scope.get(name)) is not None and isinstance(symbol.type, (ty.Pointer, ty.Array))
    ]
    return Launch(tuple(uses), (*launches_of(file.plan)[pragma].bounds, *read))


def _begins_line(section: Section) -> bool:
    """Is nothing else of the function in the line in which it begins?"""
    body, line = section.function.body, section.statements[0].loc.line
    own = {node for statement in section.statements for node in nodes(statement)}
    return body is not None and all(node.loc.line != line for node in nodes(body) if node not in own)


def _blocks(
    function: t.Function, passed: Collection[t.Pragma]
) -> Iterator[tuple[t.Function, t.Block, tuple[t.Stmt, ...]]]:
    """Its blocks, outer ones first, each with the statements that have run when it begins."""
    pending: list[tuple[t.Stmt | None, tuple[t.Stmt, ...]]] = [(function.body, ())]
    for statement, before in pending:  # grows meanwhile
        match statement:
            case t.Block(items=items):
                yield function, statement, before
                pending += [(item, before + items[:at]) for at, item in enumerate(items)]
            case t.If(then=then, other=other):
                pending += [(then, before), (other, before)]
            case t.While(body=body) | t.DoWhile(body=body) | t.For(body=body):
                pending.append((body, before))
            case t.Pragma(body=body) if statement in passed:
                pending.append((body, before))
            case _:
                pass
