"""Plan: does a loop's variable move a subscript by one element?

    u[i * m + j]                       j does; i does not
    int at = i * m + j;  ... u[at]     j does

A polynomial of the counters answers that (integers/polynomials.py). A subscript that is none, as u[first[i] + j], is
looked at as text: a plain term of a sum. What is not recognised costs speed alone.

    In: a subscript, a loop variable.   Out: bool.   Source: coalescing as in the CUDA C++ Programming Guide.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Polynomial
from ompc.ir import tree as t
from ompc.ir.queries import symbols_in


def moves_by_one(facts: Facts, subscripts: Sequence[t.Expr], var: t.Symbol) -> bool:
    """Is the element that the next iteration of `var` accesses the next one, or the one before, as far as is known?"""
    *outer, last = subscripts
    place = facts.forms.of(last)
    by_one = is_plain_term(last, var) if place is None else _step(place, var) in (1, -1)
    return by_one and not any(_moves(facts, subscript, var) for subscript in outer)


def moves(facts: Facts, subscripts: Sequence[t.Expr], var: t.Symbol) -> bool:
    """Is it another element in the next iteration of `var`, as far as is known?"""
    return any(_moves(facts, subscript, var) for subscript in subscripts)


def moves_to_next(facts: Facts, subscripts: Sequence[t.Expr], var: t.Symbol) -> bool:
    """Is it certainly the next one?"""
    *outer, last = subscripts
    place = facts.forms.of(last)
    by_one = place is not None and _step(place, var) == 1
    return by_one and not any(_moves(facts, subscript, var) for subscript in outer)


def _step(place: Polynomial, var: t.Symbol) -> int | None:
    parts = place.linear_in([var])
    step = None if parts is None else parts[1].get(var)
    return None if step is None else step.constant


def _moves(facts: Facts, subscript: t.Expr, var: t.Symbol) -> bool:
    place = facts.forms.of(subscript)
    return mentions(subscript, var) if place is None else var in place.factors


def is_plain_term(expr: t.Expr, var: t.Symbol) -> bool:
    match expr:
        case t.Name(symbol=symbol):
            return symbol is var
        case t.Binary(op="+", left=left, right=right):
            return is_plain_term(left, var) != is_plain_term(right, var)
        case t.Binary(op="-", left=left):
            return is_plain_term(left, var)
        case t.Cast(operand=operand):
            return is_plain_term(operand, var)
        case _:
            return False


def mentions(expr: t.Expr, var: t.Symbol) -> bool:
    return var in symbols_in(expr)
