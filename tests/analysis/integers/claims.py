"""What the integer core claims of a loop, beside what its iterations do (enumeration.py).

A claim may be weaker than the truth: a larger bounding section, no proof. Where it is stronger, `contradicted` says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

import islpy as isl
from enumeration import Meaningless, Run, Touch, finished, iterations

from ompc.analysis.dependence.dependence import Dependences, obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.independence import independence
from ompc.analysis.integers.polynomials import Polynomial
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.iteration_footprints import iteration_footprints
from ompc.analysis.memory.lmad import Lmad
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import wrapped
from ompc.ir.show import c_expr
from ompc.omp.model import CanonicalLoop

Bytes = frozenset[int]
NOTHING = (0, -1)
MOST_PAIRS = 20
"""Of the accesses in one loop, whose directions are compared."""


VALUES = (
    {"n": 5, "m": 3, "l": 2, "un": 4, "ul": 6, "uc": 250, "sc": -2},
    {"n": 4, "m": 0, "l": -3, "un": 0, "ul": 0, "uc": 3, "sc": 5},
    {"n": 1, "m": -2, "l": 9, "un": 2**32 - 2, "ul": 2**64 - 3, "uc": 0, "sc": 127},
    {"n": 6, "m": 7, "l": 5, "un": 9, "ul": 1, "uc": 255, "sc": -128},
)
"""Of the parameters, with which each loop is run."""
OTHERS = {"j": 0, "k": 0, "shared": 4, "taken": 2, "color": 1, "narrow": 3}
"""Of other variables."""


def wrong_claims(facts: Facts) -> list[str]:
    """What is claimed of a loop, and is not so where it runs with some values of its parameters."""
    found: list[str] = []
    for values in ({**OTHERS, **parameters} for parameters in VALUES):
        try:
            run = finished(facts.loop, values)
        except Meaningless:
            continue
        claims = (*contradicted(facts, run.touched, values), *_varying(facts, run))
        found += [f"{facts.loop.function}: {claim} {values}" for claim in claims]
    return found


def contradicted(facts: Facts, touched: Sequence[Touch], values: Mapping[str, int]) -> Iterator[str]:
    """The claims that are not so where the function's parameters have these values."""
    if not independence(facts).unproved and _conflict(touched, lambda touch: touch.iteration):
        yield "the iterations are independent"
    for loop in facts.inner_loops.values():
        yield from _of_inner_loop(facts, loop, touched)
    if any(loop.dependent for loop in facts.loop.loops):
        return
    numbers = Numbers(values, {loop.var: tuple(iterations(loop, values)) for loop in facts.loop.loops})
    for obj in facts.shared_objects:
        own = [touch for touch in touched if touch.object == (obj.symbol.name, obj.pointee)]
        if isinstance(obj.symbol.type, (ty.Pointer, ty.Array)) and (obj.pointee or not _is_pointer(obj)):
            yield from (f"{obj}: {claim}" for claim in _of_object(facts, obj, own, numbers))


def _varying(facts: Facts, run: Run) -> Iterator[str]:
    for node, values in run.seen.items():
        if len(values) > 1 and ty.is_integer(node.type) and facts.invariance.holds(node):
            yield f"`{c_expr(node)}` is the same in all iterations"


def _is_pointer(obj: MemoryObject) -> bool:
    return isinstance(obj.symbol.type, ty.Pointer)


def _conflict(touched: Sequence[Touch], turn: object) -> bool:
    """Do two turns touch the same byte, one of them writing?"""
    writers: dict[tuple[object, int], set[object]] = {}
    users: dict[tuple[object, int], set[object]] = {}
    for touch in touched:
        for byte in range(touch.first, touch.first + touch.bytes):
            users.setdefault((touch.object, byte), set()).add(turn(touch))
            if touch.writes:
                writers.setdefault((touch.object, byte), set()).add(turn(touch))
    return any(len(users[place]) > 1 for place in writers)


def _of_inner_loop(facts: Facts, loop: CanonicalLoop, touched: Sequence[Touch]) -> Iterator[str]:
    """Inside the annotated loops alone, as loops are that become another axis of the grid."""
    shared = [access for access in facts.accesses if not facts.is_thread_private(access.obj)]
    inside = [access for access in shared if loop.statement in access.context]
    if any(access.context[0] is not loop.statement for access in inside):
        return
    yield from _of_directions(facts, loop, inside, touched)
    if obstacle(facts.candidate(loop, facts.loop.loops), inside, facts.atomic_operations) is not None:
        return
    for iteration in {touch.iteration for touch in touched}:
        own = [touch for touch in touched if touch.iteration == iteration and touch.turns]
        whole = [touch for touch in own if touch.turns[0][0] is loop.statement]
        if _conflict(whole, lambda touch: touch.turns[0][1]):
            yield f"the iterations of the loop over {loop.var.name} are independent"


def _of_directions(
    facts: Facts, loop: CanonicalLoop, accesses: Sequence[Access], touched: Sequence[Touch]
) -> Iterator[str]:
    """Of each two accesses to one element in one iteration of the annotated loops."""
    dependences = Dependences(facts.candidate(loop, facts.loop.loops))
    places: dict[t.Expr, list[tuple[tuple[int, ...], int, int]]] = {}
    for touch in touched:
        if touch.turns and touch.turns[0][0] is loop.statement:
            places.setdefault(touch.node, []).append((touch.iteration, touch.first, touch.turns[0][1]))
    for first, second in list(combinations_with_replacement(accesses, 2))[:MOST_PAIRS]:
        if first.obj != second.obj or not (first.mode.writes or second.mode.writes):
            continue
        try:
            found = dependences.between(first, second)
        except isl.Error:
            continue
        one, other = (set(places.get(access.node, ())) for access in (first, second))
        ahead = {b[2] - a[2] for a in one for b in other if a[:2] == b[:2]}
        signs = {"<" if steps > 0 else ">" if steps else "=" for steps in ahead}
        if found is not None and not signs <= found.directions:
            yield f"`{c_expr(first.node)}` and `{c_expr(second.node)}`: {found}, and not {ahead}"
        if found is not None and found.distance is not None and not ahead <= {found.distance}:
            yield f"`{c_expr(first.node)}` and `{c_expr(second.node)}` are {found.distance} apart, and not {ahead}"


class Numbers:
    """The values of what claims are built from: as launchers reckon, in `long long`."""

    def __init__(self, values: Mapping[str, int], iterations: Mapping[t.Symbol, Sequence[int]]) -> None:
        self.values = {name: wrapped(value, ty.LLONG) for name, value in values.items()}
        self.iterations = iterations
        self.trips = {counter: len(found) for counter, found in iterations.items()}

    def of(self, polynomial: Polynomial) -> int:
        total = 0
        for factors, coefficient in polynomial.terms:
            names = [factor.name for factor in factors if isinstance(factor, t.Symbol)]
            assert len(names) == len(factors)
            total += coefficient * math.prod(self.values[name] for name in names)
        return total

    def turns(self, lmad: Lmad) -> list[tuple[int, int]]:
        """(count, bytes apart) of each loop."""
        dimensions = lmad.dimensions
        counts = [(each, self._count(each.count, each.step, each.loop)) for each in dimensions]
        return [(count, self.of(each.stride)) for each, count in counts]

    def _count(self, count: Polynomial | None, step: int, loop: CanonicalLoop) -> int:
        return self.trips[loop.var] if count is None else max(0, -(-self.of(count) // step))

    def ends(self, lmad: Lmad) -> tuple[int, int] | None:
        """The first and the last byte; None: there are none."""
        turns, first = self.turns(lmad), self.of(lmad.first)
        if any(count == 0 for count, _ in turns):
            return None
        farthest = [(count - 1) * apart for count, apart in turns]
        return first + sum(min(0, f) for f in farthest), first + sum(max(0, f) for f in farthest) + lmad.bytes - 1

    def bytes_of(self, lmad: Lmad) -> Iterator[int]:
        turns, first = self.turns(lmad), self.of(lmad.first)
        for at in product(*(range(count) for count, _ in turns)):
            begin = first + sum(k * apart for k, (_, apart) in zip(at, turns, strict=True))
            yield from range(begin, begin + lmad.bytes)

    def text(self, text: str) -> int:
        """What C text of isl's is; Python's integers have no end, nor has what is cast to `long long`."""
        text = text.replace("(long long)", "").replace("&&", " and ").replace("||", " or ")
        return int(eval(_python(text), {"min": min, "max": max, "floord": lambda a, b: a // b}, dict(self.values)))


def _python(text: str) -> str:
    """`c ? a : b` as `(a if c else b)`, inside of parentheses first."""
    while (inner := re.search(r"\(([^()]*\?[^()]*)\)", text)) is not None:
        text = f"{text[: inner.start()]}({_chosen(inner[1])}){text[inner.end() :]}"
        if "?" not in text:
            return text
    return _chosen(text) if "?" in text else text


def _chosen(text: str) -> str:
    condition, rest = text.split("?", 1)
    then, other = rest.split(":", 1)
    return f"({then}) if ({condition}) else ({_chosen(other) if '?' in other else other})"


def _bytes(touched: Collection[Touch]) -> Bytes:
    return frozenset(byte for touch in touched for byte in range(touch.first, touch.first + touch.bytes))


def _of_object(facts: Facts, obj: MemoryObject, touched: Sequence[Touch], numbers: Numbers) -> Iterator[str]:
    found = _bytes(touched)
    if obj.pointee:
        yield from _of_section(facts, obj, found, numbers)
    yield from _of_bounding_section(facts, obj, found, numbers)
    yield from _of_touched_parts(facts, obj, touched, numbers)
    yield from _of_written_parts(facts, obj, touched, numbers)
    if all(numbers.trips.values()) and not obj.pointee and facts.footprints.overwrites(obj):
        size = ty.size_of(obj.symbol.type) or 0
        if found != frozenset(range(size)) or not all(touch.writes for touch in touched):
            yield "all of it is overwritten"


def _of_section(facts: Facts, obj: MemoryObject, found: Bytes, numbers: Numbers) -> Iterator[str]:
    assert isinstance(obj.symbol.type, ty.Pointer)
    unit = ty.size_of(obj.symbol.type.to) or 0
    ends = (min(found) // unit, max(found) // unit) if found else NOTHING
    if not all(numbers.trips.values()):
        return
    for name, section in (
        ("section", facts.footprints.section(obj)),
        ("window", facts.footprints.bounding_section(obj)),
    ):
        if section is None:
            continue
        _check_spelling(section)
        said = (numbers.text(section.lower), numbers.text(section.upper))
        if said[0] > said[1] or (section.condition is not None and not numbers.text(section.condition)):
            said = NOTHING
        if (found and not (said[0] <= ends[0] and ends[1] <= said[1])) or (name == "section" and said != ends):
            condition = "" if section.condition is None else f" if {section.condition}"
            yield f"{name} {section.lower} .. {section.upper}{condition}, not {ends}"


def _check_spelling(section: Section) -> None:
    text = f"{section.lower} {section.upper} {section.condition}"
    for symbol in section.symbols:
        if not (isinstance(symbol.type, ty.Int) and symbol.type.signed and symbol.type.size == 8):
            assert not re.search(rf"(?<!\(long long\))\b{symbol.name}\b", text), f"{text}: {symbol.name} is not widened"


def _of_bounding_section(facts: Facts, obj: MemoryObject, found: Bytes, numbers: Numbers) -> Iterator[str]:
    bounding_section = facts.bounding_sections.of(obj) if obj.pointee else None
    if bounding_section is None:
        return
    parts = [ends for ends in map(numbers.ends, bounding_section.lmads) if ends is not None]
    said = (min(first for first, _ in parts), max(last for _, last in parts)) if parts else NOTHING
    ends = (min(found), max(found)) if found else NOTHING
    if found and not (said[0] <= ends[0] and ends[1] <= said[1]):
        yield f"bounding section {said}, not {ends}"
    if bounding_section.exact and ends != said and all(numbers.trips.values()):
        yield f"bounding section exactly {said}, not {ends}"


def _of_touched_parts(facts: Facts, obj: MemoryObject, touched: Sequence[Touch], numbers: Numbers) -> Iterator[str]:
    loop = facts.loop.loops[0]
    parts = None if loop.dependent else iteration_footprints(facts.lmads, facts.of(obj), loop)
    for number, value in enumerate(numbers.iterations[loop.var] if parts is not None else ()):
        own = _bytes([touch for touch in touched if touch.iteration[0] == value])
        said = [(numbers.ends(part.lmad), number * numbers.of(part.stride)) for part in parts or ()]
        last = max((ends[1] + moved for ends, moved in said if ends is not None), default=None)
        if own and (last is None or max(own) > last):
            yield f"iteration {number} touches nothing behind {last}, not {max(own)}"


def _of_written_parts(facts: Facts, obj: MemoryObject, touched: Sequence[Touch], numbers: Numbers) -> Iterator[str]:
    parts = facts.must_writes.of(obj)
    written = _bytes([touch for touch in touched if touch.writes])
    for part in parts if all(numbers.trips.values()) else ():
        missing = next((byte for byte in numbers.bytes_of(part) if byte not in written), None)
        if missing is not None:
            yield f"byte {missing} is written"
    if parts:
        own: set[tuple[tuple[int, ...], int]] = set()
        for touch in touched:
            places = {(touch.iteration, byte) for byte in range(touch.first, touch.first + touch.bytes)}
            if touch.writes:
                own |= places
            elif not places <= own:
                yield f"`{touch.node}` reads what the iteration has written"
                return
