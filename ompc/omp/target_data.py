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
from ompc.ir.directive import Directive
from ompc.ir.tree import OpaqueExpr, Pragma, Storage, Symbol, Unit
from ompc.omp.clause_text import MalformedError, split_top_level
from ompc.omp.constructs import listed
from ompc.omp.model import MappedSection, Sharing
from ompc.omp.uses import has_side_effects
from ompc.sema.expressions import parse_expression


def is_pure(text: str, pragma: Pragma) -> bool:
    """Is it the text of an expression that can be evaluated once more?"""
    expr = parse_expression(text.strip(), pragma.scope, pragma.loc)
    return not isinstance(expr, OpaqueExpr) and not has_side_effects(expr)


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
        if how not in kept and ty.is_arithmetic(symbol.type) and symbol not in mapped and symbol not in resident
    )


def _mapped(levels: Iterable[Directive]) -> set[Symbol]:
    """The variables that map clauses name as a whole."""
    clauses = [clause for level in levels for clause in level.all("map")]
    return {s for clause in clauses for item, s in zip(clause.items, clause.symbols, strict=True) if item == s.name}


def _default_map(levels: Iterable[Directive], category: str) -> str | None:
    """The behaviour that `defaultmap` gives to variables of the category; None: nothing is said."""
    for clause in (clause for level in levels for clause in level.all("defaultmap")):
        behaviour, of = (clause.items[0], "all") if clause.modifier is None else (clause.modifier, clause.items[0])
        if of in ("all", category):
            return behaviour
    return None


def is_whole_copy(levels: Sequence[Directive], symbol: Symbol) -> bool:
    """Does `defaultmap(firstprivate: aggregate)` make a copy of the shared variable?"""
    whole = not ty.is_arithmetic(symbol.type) and not isinstance(symbol.type, ty.Pointer)
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
    inside = {s for s in symbols if s.loc.file == here[0] == end.loc.file and here[1] < s.loc.line < here[2]}
    return inside | (set(end.scope.values()) - set(begin.scope.values()))


def sections_of(levels: Iterable[Directive], pragma: Pragma) -> Mapping[Symbol, MappedSection]:
    """How far map clauses say that pointers reach: `p[first : count]`, of the elements that `p` points to."""
    found: dict[Symbol, MappedSection] = {}
    for clause in (clause for level in levels for clause in level.all("map")):
        for item, symbol in zip(clause.items, clause.symbols, strict=True):
            section = _section(item, symbol, pragma) if isinstance(symbol.type, ty.Pointer) else None
            if section is not None:
                found.setdefault(symbol, section)
    return found


def _section(item: str, symbol: Symbol, pragma: Pragma) -> MappedSection | None:
    rest = item.removeprefix(symbol.name).strip()
    if not rest.startswith("[") or not rest.endswith("]") or "->" in rest or "." in rest.rpartition("]")[2]:
        return None
    try:
        inside = _first_brackets(rest)
        parts = [part.strip() for part in split_top_level(inside, ":")]
    except MalformedError:
        return None
    first, count = (parts[0], "1") if len(parts) == 1 else (parts[0] or "0", parts[1]) if len(parts) == 2 else ("", "")
    if not first or not count or not is_pure(first, pragma) or not is_pure(count, pragma):
        return None
    return MappedSection(first, count)


def _first_brackets(text: str) -> str:
    """What stands in the first pair of brackets of `text`, which begins with one. Raises MalformedError."""
    depth = 0
    for at, character in enumerate(text):
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[1:at]
    raise MalformedError("a bracket is not closed")
