"""The data environment of a target construct (OpenMP 5.2, 5.8): what it copies, and how far its pointers reach.

    #pragma omp declare target (total)
    #pragma omp target teams distribute parallel for map(to: p[0:n])
    for (...) { total = ...; last = p[i]; }

    `total` is the host's own; `last`, a scalar that nothing maps, is a copy of the construct's; `p` reaches n elements.

In: directives, sharing tables, the unit's `declare target` directives.   Out: sets of variables; `MappedSection`s.
Not here: what may be done with them -- target.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ompc.ir import types as ty
from ompc.ir.directive import Directive, ListItem, Operand
from ompc.ir.tree import Pragma, Storage, Symbol, Unit
from ompc.omp.constructs import listed
from ompc.omp.model import MappedSection, Sharing
from ompc.omp.uses import has_side_effects


def copies_of(
    levels: Sequence[Directive], sharing: Mapping[Symbol, Sharing], resident: frozenset[Symbol]
) -> frozenset[Symbol]:
    """The scalars that the target construct copies, since nothing maps them (5.2, 5.8.1)."""
    if _default_map(levels, "scalar") not in (None, "firstprivate", "default"):
        return frozenset()
    mapped = _mapped(levels) | listed(levels[:1], "reduction", "lastprivate")
    kept = (Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.LOOP)
    return frozenset(
        symbol
        for symbol, how in sharing.items()
        if how not in kept and ty.is_number(symbol.type) and symbol not in mapped and symbol not in resident
    )


def _mapped(levels: Iterable[Directive]) -> set[Symbol]:
    """The variables that map clauses name as a whole."""
    clauses = [clause for level in levels for clause in level.all("map")]
    return {item.symbol for clause in clauses for item in clause.listed if item.whole}


def _default_map(levels: Iterable[Directive], category: str) -> str | None:
    """The behaviour that `defaultmap` gives to variables of the category; None: nothing is said."""
    for clause in (clause for level in levels for clause in level.all("defaultmap")):
        behaviour, of = (clause.kind, "all") if clause.modifier is None else (clause.modifier, clause.kind)
        if of in ("all", category):
            return behaviour
    return None


def is_whole_copy(levels: Sequence[Directive], symbol: Symbol) -> bool:
    """Does `defaultmap(firstprivate: aggregate)` make a copy of the shared variable?"""
    whole = not ty.is_number(symbol.type) and not isinstance(symbol.type, ty.Pointer)
    return whole and symbol not in _mapped(levels) and _default_map(levels, "aggregate") == "firstprivate"


def declared_for_devices(unit: Unit) -> frozenset[Symbol]:
    """Variables with static storage that `declare target` puts on the device: no construct makes copies of them.

    They are named in a list, or declared between `declare target` and `end declare target`.
    """
    found: set[Symbol] = set()
    begun: list[Pragma] = []
    for pragma in unit.pragmas:
        name = pragma.directive.name
        if name == "end declare target":
            found |= _between(begun.pop(), pragma, unit) if begun else set()
        elif name == "declare target" and pragma.directive.named:
            found |= {s for s in pragma.directive.named if s.storage is not Storage.FUNCTION}
        elif name in ("declare target", "begin declare target"):
            begun.append(pragma)
    return frozenset(found)


def _between(begin: Pragma, end: Pragma, unit: Unit) -> set[Symbol]:
    here = (begin.loc.file, begin.loc.line, end.loc.line)
    symbols = [variable.symbol for variable in unit.variables]
    return {s for s in symbols if s.loc.file == here[0] == end.loc.file and here[1] < s.loc.line < here[2]}


def sections_of(levels: Iterable[Directive]) -> Mapping[Symbol, MappedSection]:
    """How far map clauses say that pointers reach: `p[first : count]`, of the elements that `p` points to.

    What is reached through another pointer (`p[1].q[0:n]`, `p[1][0:n]`) does not say how far `p` itself does.
    """
    found: dict[Symbol, list[MappedSection]] = {}
    for item in (item for level in levels for clause in level.all("map") for item in clause.listed):
        section = _section(item)
        if section is not None:
            found.setdefault(item.symbol, []).append(section)
    return {symbol: sections[0] for symbol, sections in found.items() if len(set(sections)) == 1}


def _section(item: ListItem) -> MappedSection | None:
    kind = item.symbol.type
    if not item.brackets or item.rest or not isinstance(kind, ty.Pointer):
        return None
    inner = kind.to
    for _ in item.brackets[1:]:
        if not isinstance(inner, ty.Array):
            return None
        inner = inner.of
    outermost = item.brackets[0]
    first = Operand("0", None) if outermost.lower is None else outermost.lower
    count = Operand("1", None) if outermost.single else outermost.length
    if count is None or not all(_is_pure(part) for part in (outermost.lower, outermost.length) if part is not None):
        return None
    return MappedSection(first.text, count.text)


def _is_pure(part: Operand) -> bool:
    """Can the expression be evaluated once more?"""
    return part.expr is not None and not has_side_effects(part.expr)
