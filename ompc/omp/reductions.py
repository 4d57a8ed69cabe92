"""The list items of reduction clauses: operator, array section, user-defined reduction (OpenMP 5.2, 5.5).

    reduction(+ : s, h, q[2:n])     the sum of a scalar, of every element of an array, of n elements from the second on

Two ways to have a result. A scalar, a struct, or an array of at most `PRIVATE_ELEMENTS` elements has a copy in each
thread; the copies are combined at the end (Sharing.REDUCTION). A larger array, or what a pointer points to, is
accumulated into in place, one atomic update after the other (Sharing.SHARED_REDUCTION): the original values take
part in the combination anyway.

In: the directive, the declared reductions visible there.   Out: `ReductionItem`s, or the reason why not (OMPC304,
OMPC305, OMPC350).
Not here: that the loop only accumulates -- analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.directive import Clause, Directive, ListItem, Operand
from ompc.ir.tree import Expr, Symbol
from ompc.omp.declared_reductions import Declarations
from ompc.omp.model import Dimension, ReductionItem, Sharing
from ompc.omp.uses import has_side_effects

OPERATORS = frozenset({"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"})
_BITWISE = frozenset("&|^")
_OF_COMPLEX = frozenset("+-*")
PRIVATE_ELEMENTS = 64
"""The most elements of an array of which each thread has a copy: larger ones would need more memory traffic than atomic
updates.
"""

_MODIFIERS = frozenset({"default", "task", "inscan"})
"""The modifiers that are supported. `task` is for tasks that take part, of which a loop on the device has none. Of
`inscan`, scans.py says more.
"""


def operator_of(clause: Clause) -> str:
    """The operator of a reduction clause; `-` is the sum that it has been since OpenMP 1 (5.2, 5.5.5)."""
    operator = clause.modifiers[-1] if clause.modifiers else ""
    return "+" if operator == "-" else operator


def sharing_of_item(item: ListItem) -> Sharing:
    """How the variable of a list item is shared: each thread its own, or one for all."""
    symbol = item.symbol
    count = elements_of(symbol.type)
    private = ty.is_scalar(symbol.type) or ty.has_parts(symbol.type)
    if isinstance(symbol.type, ty.Pointer):
        return Sharing.SHARED_REDUCTION
    if private or (count is not None and count <= PRIVATE_ELEMENTS and _is_fixed(item)):
        return Sharing.REDUCTION
    return Sharing.SHARED_REDUCTION


def elements_of(kind: ty.Type) -> int | None:
    """The number of elements of an array of constant size."""
    lengths = ty.constant_lengths(kind)
    return None if lengths is None else prod(lengths)


def _is_fixed(item: ListItem) -> bool:
    """Is it the whole array, or a section of one dimension between constants?"""
    kind = item.symbol.type
    if item.whole:
        return True
    if item.rest or len(item.brackets) != 1 or not isinstance(kind, ty.Array) or isinstance(kind.of, ty.Array):
        return False
    ends = (end for end in (item.brackets[0].lower, item.brackets[0].length) if end is not None)
    return all(end.expr is not None and constant_value(end.expr) is not None for end in ends)


# ------------------------------------------------------------------ the items


def reduction_items(
    directive: Directive, sharing: Mapping[Symbol, Sharing], declared: Declarations
) -> tuple[ReductionItem, ...] | Reason:
    """The items of all reduction clauses that are reductions of the loop itself."""
    found: list[ReductionItem] = []
    for clause in directive.all("reduction"):
        if unknown := sorted(set(clause.modifiers[:-1]) - _MODIFIERS):
            return _unsupported(directive, f"with the modifier `{unknown[0]}`")
        for item in clause.listed:
            if sharing[item.symbol] not in (Sharing.REDUCTION, Sharing.SHARED_REDUCTION):
                continue
            made = _item(item, operator_of(clause), declared, directive.loc)
            if isinstance(made, Reason):
                return made
            found.append(made)
    return tuple(found)


def _unsupported(directive: Directive, what: str) -> Reason:
    return Reason("OMPC304", f"the clause `reduction` {what} is not supported", directive.loc)


def _item(item: ListItem, operator: str, declared: Declarations, loc: Location) -> ReductionItem | Reason:
    symbol, text = item.symbol, item.text
    if isinstance(symbol.type, ty.Unknown):
        return Reason("OMPC323", f"`{text}` has a type that ompc does not know: {symbol.type.why}", loc)
    section = _section(item)
    if section is None:
        return Reason("OMPC350", f"the array section `{text}` cannot be read", loc)
    if any(e is not None and has_side_effects(e) for d in section for e in (d.lower, d.length)):
        return Reason("OMPC305", f"the array section `{text}` has a side effect, or calls a function", loc)
    element = _element(symbol.type, len(section))
    if element is None:
        return Reason("OMPC350", f"the list item `{text}` does not designate elements of one array", loc)
    if operator in OPERATORS and ty.is_number(element):
        of_any = isinstance(element, ty.Float) and operator not in _BITWISE
        if not (ty.is_integer(element) or of_any or operator in _OF_COMPLEX):
            return Reason("OMPC350", f"`{operator}` does not combine values of the type of `{text}`", loc)
        return ReductionItem(symbol, operator, section)
    own = declared.find(operator, element)
    if own is None:
        what = "cannot be read" if declared.unread else "is not known for its type"
        return Reason("OMPC350", f"the reduction `{operator}` of `{text}` {what}", loc)
    return ReductionItem(symbol, operator, section, own)


def _section(item: ListItem) -> tuple[Dimension, ...] | None:
    """The dimensions of an item; None where something else is behind its name, or between its brackets."""
    parts = [part for b in item.brackets for part in (b.lower, b.length) if part is not None]
    if item.rest or any(part.expr is None or not ty.is_integer(part.expr.type) for part in parts):
        return None
    return tuple(Dimension(_expr(b.lower), _expr(b.length), b.single) for b in item.brackets)


def _expr(part: Operand | None) -> Expr | None:
    return None if part is None else part.expr


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
