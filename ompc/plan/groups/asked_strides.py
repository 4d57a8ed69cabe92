"""Plan: nests that threads share where the kernel finds their strides large enough, and one thread does otherwise.

    int row = g[b].row, plane = g[b].plane;         the iteration's own numbers
    for (k ...) for (j ...) for (i ...)             apart where |row| >= ni and |plane| >= (nj - 1) * |row| + ni
        y[i + j * row + k * plane] = ...

All threads of the group have these numbers before the nest begins, and find the same. A stride is a number, or made of
integers of the loop's own or the launch's. It is computed as addresses are, modulo 2^64: numbers that are too far from
0 are none that the kernel takes for large enough.

    In: the loops of a nest.   Out: the strides to ask about, as expressions; None: the entries are not independent then
    either.
    Not here: what is asked of them, and why that suffices -- analysis/dependence/spread_places.py; which loops are a
    nest -- shared_nests.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ompc.analysis.dependence.spread_places import strides_to_ask
from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Factor, Polynomial
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.storing_loops import candidate_of, changes_bounds, reached_in

Strides = tuple[tuple[t.Expr, ...], ...]


def asked_strides(facts: Facts, nest: Sequence[CanonicalLoop], held: Collection[t.Symbol]) -> Strides | None:
    """Of each place that the kernel asks about, one for each loop; `held`: storing_loops.held_arrays."""
    outermost = nest[0]
    shared = reached_in(facts, outermost, held)
    if len(nest) < 2 or any(changes_bounds(facts, loop, shared) for loop in nest):
        return None
    found = strides_to_ask([candidate_of(facts, loop) for loop in nest], shared, facts.atomic_operations)
    if not found or any(map(_meet_anyway, found)):
        return None
    known = symbols_in(facts.device_code.body)
    if not all(_can_be_asked(stride, known) for strides in found for stride in strides):
        return None
    loc = outermost.statement.loc
    return tuple(tuple(_as_expression(stride, loc) for stride in strides) for strides in found)


def _meet_anyway(strides: Sequence[Polynomial]) -> bool:
    """Are there entries at one place for any numbers? Where a loop moves nowhere, or two by the same."""
    both_ways = {*strides, *(-stride for stride in strides)}
    return not all(stride.terms for stride in strides) or len(both_ways) < 2 * len(strides)


def _can_be_asked(stride: Polynomial, known: Collection[t.Symbol]) -> bool:
    """Has the kernel the variables that it is made of?"""
    return all(isinstance(factor, t.Symbol) and factor in known and _is_plain(factor) for factor in stride.factors)


def _is_plain(symbol: t.Symbol) -> bool:
    return isinstance(symbol.type, ty.Int) and not symbol.type.quals & {"volatile", "_Atomic"}


def _as_expression(stride: Polynomial, loc: Location) -> t.Expr:
    """In 64 bits, without a sign."""
    terms = [_product(factors, coefficient, loc) for factors, coefficient in stride.terms]
    found: t.Expr = terms[0] if terms else _number(0, loc)
    for term in terms[1:]:
        found = t.Binary(ty.ULONG, loc, "+", found, term)
    return found


def _product(factors: Sequence[Factor], coefficient: int, loc: Location) -> t.Expr:
    names = [t.Cast(ty.ULONG, loc, t.Name(f.type, loc, f)) for f in factors if isinstance(f, t.Symbol)]
    parts: list[t.Expr] = [*names, *([_number(coefficient, loc)] * (coefficient != 1 or not names))]
    found = parts[0]
    for part in parts[1:]:
        found = t.Binary(ty.ULONG, loc, "*", found, part)
    return found


def _number(value: int, loc: Location) -> t.Expr:
    return t.Cast(ty.ULONG, loc, t.IntConst(ty.LONG, loc, value, str(value)))
