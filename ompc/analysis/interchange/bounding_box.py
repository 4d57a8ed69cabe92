"""Analysis: the bounding box of a loop of a triangle: bounds that are the same in all iterations of the loop around it.

    for (i = 0; i < n; i++)                        j from 0 to n, of which i has those with j <= i
        for (j = 0; j <= i; j++)

One of the bounds is the same for all iterations of the outer loop, and the other one moves by a constant with it: these
are not bands around a diagonal. The box ends where that bound is in the first or in the last iteration of the outer
loop, whichever is further: each of its rows and columns has a point of the triangle, unless a row is empty.

    no new overflow    where a bound is computed with a number that no iteration has computed it with, in `long`

    In: Facts, a loop inside of others.   Out: Box, or None.
    Not here: who goes over the box -- plan/rewrites/boxes.py (an axis of the grid), plan/forms/tiles.py (a tile).
    Source: the bounding box of an iteration domain, as CUDA kernels of PPCG have it (Verdoolaege et al., "Polyhedral
    parallel code generation for CUDA", TACO 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ompc.analysis.facts import Facts
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import copied
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """The iterations that `loop` has for any of the loop `around` it: its variable goes from `lower` on while it is
    `relation` `upper`.

    `guard`      holds for the iterations that the loop has for this one of the loop around it
    `by`         how much the moving bound grows from one iteration of that loop to the next
    `apart`      the moving bound without the variable of that loop, where that is a number
    `is_lower`   it is the lower bound that moves
    """

    loop: CanonicalLoop
    around: CanonicalLoop
    by: int
    apart: int | None
    is_lower: bool
    relation: str
    lower: t.Expr
    upper: t.Expr
    guard: t.Expr


def bounding_box(facts: Facts, loop: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> Box | None:
    """Of `loop`, a bound of which changes with one of the `outer` ones."""
    if not counts_up(loop):
        return None
    lower, upper = facts.invariance.holds(loop.lower), facts.invariance.holds(loop.upper)
    if lower == upper:
        return None
    moving = loop.upper if lower else loop.lower
    around = [other for other in outer if other.var in symbols_in(moving)]
    if len(around) != 1 or not counts_up(around[0]) or around[0].dependent:
        return None
    by, apart = _moves_by(facts, moving, around[0].var)
    if not by:
        return None
    found = partial(Box, loop, around[0], by, apart, not lower)
    if not lower:
        first = _at(moving, around[0], last=by < 0)
        return None if first is None else found(loop.relation, first, loop.upper, _guard(loop, ">=", loop.lower))
    guard = _guard(loop, loop.relation, loop.upper)
    if by == 1 and loop.relation == "<=" and isinstance(moving, t.Name):  # j <= i, where i < n: j < n
        return found(around[0].relation, loop.lower, copied(around[0].upper), guard)
    end = _at(moving, around[0], last=by > 0)
    return None if end is None else found(loop.relation, loop.lower, end, guard)


def counts_up(loop: CanonicalLoop) -> bool:
    """One after the other, in `int`, to a bound that it reaches or not?"""
    kinds = {ty.unqualified(part.type) for part in (loop.var, loop.lower, loop.upper)}
    plain = loop.constant_step == 1 and not loop.down and loop.relation in ("<", "<=")
    return plain and kinds == {ty.INT} and loop.pointer is None and not loop.var.address_taken


def _moves_by(facts: Facts, bound: t.Expr, var: t.Symbol) -> tuple[int | None, int | None]:
    """By how much the bound grows from one iteration of `var` to the next, and what it is without `var`; None: that is
    no number.
    """
    form = facts.forms.of(bound)
    parts = None if form is None else form.linear_in([var])
    if parts is None:
        return None, None
    return (parts[1][var].constant if var in parts[1] else 0), parts[0].constant


def _at(bound: t.Expr, outer: CanonicalLoop, last: bool) -> t.Expr | None:
    """The bound in the first, or the last, iteration of the outer loop; None: it is no sum of variables."""
    value = outer.upper if last else outer.lower
    if not last and isinstance(bound, t.Name):
        return copied(value)
    at = _wide(value, None, None)
    if at is not None and last and outer.relation == "<":
        at = t.Binary(ty.LONG, value.loc, "-", at, t.IntConst(ty.INT, value.loc, 1, "1"))
    wide = None if at is None else _wide(bound, outer.var, at)
    return None if wide is None else t.Cast(ty.INT, bound.loc, wide)


def _wide(expr: t.Expr, var: t.Symbol | None, value: t.Expr | None) -> t.Expr | None:
    """A copy of a sum, computed in `long`, with `value` in the place of `var`."""
    number = constant_value(expr)
    if isinstance(number, int):
        return t.IntConst(ty.LONG, expr.loc, number, str(number))
    match expr:
        case t.Name(symbol=symbol) if symbol is var and value is not None:
            return copied(value)
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            one, other = _wide(left, var, value), _wide(right, var, value)
            return None if one is None or other is None else t.Binary(ty.LONG, expr.loc, expr.op, one, other)
        case t.Name() if ty.unqualified(expr.type) == ty.INT:
            return t.Cast(ty.LONG, expr.loc, copied(expr))
        case _:
            return None


def _guard(loop: CanonicalLoop, relation: str, bound: t.Expr) -> t.Expr:
    return t.Binary(ty.INT, bound.loc, relation, t.Name(loop.var.type, bound.loc, loop.var), copied(bound))
