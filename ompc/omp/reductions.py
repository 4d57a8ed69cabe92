"""The list items of reduction clauses: operator, array section, user-defined reduction (OpenMP 5.2, 5.5).

    reduction(+ : s, h, q[2:n])     the sum of a scalar, of every element of an array, of n elements from the second on

Two ways to have a result. A scalar, a struct, or an array of at most `PRIVATE_ELEMENTS` elements has a copy in each
thread; the copies are combined at the end (Sharing.REDUCTION). A larger array, or what a pointer points to, is
accumulated into in place, one indivisible update after the other (Sharing.SHARED_REDUCTION): the original values take
part in the combination anyway.

In: the directive, the declared reductions visible there.   Out: `ReductionItem`s, or the reason why not (OMPC304,
OMPC305, OMPC350).
Not here: that the loop only accumulates -- analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.directive import Clause, Directive
from ompc.ir.tree import Expr, OpaqueExpr, Symbol
from ompc.omp.clause_text import split_top_level
from ompc.omp.declared_reductions import Declarations
from ompc.omp.model import Dimension, ReductionItem, Sharing
from ompc.omp.uses import has_side_effects
from ompc.sema.expressions import parse_expression

OPERATORS = frozenset({"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"})
_BITWISE = frozenset("&|^")
PRIVATE_ELEMENTS = 64
"""Larger arrays of each thread's own would need more memory traffic than indivisible updates."""

_MODIFIERS = frozenset({"default", "task"})
"""`task` is for tasks that take part, of which a loop on the device has none."""


def operator_of(clause: Clause) -> str:
    """The operator of a reduction clause; `-` is the sum that it has been since OpenMP 1 (5.2, 5.5.5)."""
    operator = (clause.modifier or "").split(",")[-1].strip()
    return "+" if operator == "-" else operator


def sharing_of_item(symbol: Symbol, item: str) -> Sharing:
    """How the variable of a list item is shared: each thread its own, or one for all."""
    count = elements_of(symbol.type)
    private = ty.is_scalar(symbol.type) or isinstance(symbol.type, ty.Struct)
    if isinstance(symbol.type, ty.Pointer):
        return Sharing.SHARED_REDUCTION
    if private or (count is not None and count <= PRIVATE_ELEMENTS and _is_fixed(item, symbol)):
        return Sharing.REDUCTION
    return Sharing.SHARED_REDUCTION


def elements_of(kind: ty.Type) -> int | None:
    """The number of elements of an array of constant size."""
    count = 1
    while isinstance(kind, ty.Array):
        if not isinstance(kind.length, int):
            return None
        count, kind = count * kind.length, kind.of
    return count


def _is_fixed(item: str, symbol: Symbol) -> bool:
    """Is it the whole array, or a section of one dimension between plain numbers?"""
    dimensions = _brackets(item, symbol)
    numbers = all(part == "" or part.isdecimal() for text in dimensions for part in text.split(":"))
    return not dimensions or (
        len(dimensions) == 1
        and numbers
        and isinstance(symbol.type, ty.Array)
        and not isinstance(symbol.type.of, ty.Array)
    )


def _brackets(item: str, symbol: Symbol) -> list[str]:
    """What stands in each pair of brackets of a list item."""
    rest = item[len(symbol.name) :].strip()
    found: list[str] = []
    depth = 0
    for character in rest:
        depth -= character == "]"
        if depth > 0:
            found[-1] += character
        elif character == "[":
            found.append("")
        depth += character == "["
    return [text.strip() for text in found]


# ------------------------------------------------------------------ the items


def reduction_items(
    directive: Directive, sharing: Mapping[Symbol, Sharing], scope: Mapping[str, Symbol], declared: Declarations
) -> tuple[ReductionItem, ...] | Reason:
    """The items of all reduction clauses that are reductions of the loop itself."""
    found: list[ReductionItem] = []
    for clause in directive.all("reduction"):
        modifiers = [m.strip() for m in (clause.modifier or "").split(",")[:-1]]
        if unknown := sorted(set(modifiers) - _MODIFIERS):
            return _unsupported(directive, f"with the modifier `{unknown[0]}`")
        for item, symbol in zip(clause.items, clause.symbols, strict=True):
            if sharing[symbol] not in (Sharing.REDUCTION, Sharing.SHARED_REDUCTION):
                continue
            made = _item(item, symbol, clause, scope, declared, directive.loc)
            if isinstance(made, Reason):
                return made
            found.append(made)
    return tuple(found)


def _unsupported(directive: Directive, what: str) -> Reason:
    return Reason("OMPC304", f"the clause `reduction` {what} is not supported", directive.loc)


def _item(
    item: str, symbol: Symbol, clause: Clause, scope: Mapping[str, Symbol], declared: Declarations, loc: Location
) -> ReductionItem | Reason:
    dimensions = [_dimension(text, scope, loc) for text in _brackets(item, symbol)]
    section = tuple(d for d in dimensions if d is not None)
    if len(section) != len(dimensions):
        return Reason("OMPC350", f"the array section `{item}` cannot be read", loc)
    if any(e is not None and has_side_effects(e) for d in section for e in (d.lower, d.length)):
        return Reason("OMPC305", f"the array section `{item}` has a side effect, or calls a function", loc)
    element = _element(symbol.type, len(section))
    if element is None:
        return Reason("OMPC350", f"the list item `{item}` does not designate elements of one array", loc)
    operator = operator_of(clause)
    if operator in OPERATORS and ty.is_arithmetic(element):
        if operator in _BITWISE and not ty.is_integer(element):
            return Reason("OMPC350", f"`{operator}` does not combine values of the type of `{item}`", loc)
        return ReductionItem(symbol, operator, section)
    own = declared.find(operator, element)
    if own is None:
        what = "cannot be read" if declared.unread else "is not known for its type"
        return Reason("OMPC350", f"the reduction `{operator}` of `{item}` {what}", loc)
    return ReductionItem(symbol, operator, section, own)


def _dimension(text: str, scope: Mapping[str, Symbol], loc: Location) -> Dimension | None:
    """`lower : length` or one index; None for what is no expression."""
    parts = split_top_level(text, ":", limit=1)
    if parts == [""] or "?" in parts[0]:
        return None
    parsed: list[Expr | None] = [parse_expression(p, scope, loc) if p.strip() else None for p in parts]
    if any(isinstance(e, OpaqueExpr) or (e is not None and not ty.is_integer(e.type)) for e in parsed):
        return None
    if len(parts) == 1:
        assert parsed[0] is not None
        return Dimension(parsed[0], None, single=True)
    return Dimension(parsed[0], parsed[1])


def _element(kind: ty.Type, sections: int) -> ty.Type | None:
    """The type of the elements that a section of so many dimensions has; None when it follows stored pointers."""
    if isinstance(kind, ty.Pointer):
        if sections == 0:
            return None
        kind, sections = kind.to, sections - 1
    while isinstance(kind, ty.Array):
        kind, sections = kind.of, sections - 1
    return None if sections > 0 or isinstance(kind, ty.Pointer) else ty.unqualified(kind)


def fixed_range(item: ReductionItem) -> tuple[int, int]:
    """(first, count) of the elements of an item that each thread has a copy of; a scalar is one element."""
    whole = elements_of(item.symbol.type) or 1
    if not item.section:
        return 0, whole
    (only,) = item.section
    first = 0 if only.lower is None else constant_value(only.lower) or 0
    length = 1 if only.single else whole - first if only.length is None else constant_value(only.length)
    return first, whole - first if length is None else length
