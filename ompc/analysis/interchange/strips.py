"""Analysis: which loops over strips, and loops through one, are one loop that was divided by hand.

    for (it = 0; it < n; it += T)                  i from 0 to n
        for (i = it; i < min(n, it + T); i++)

    for (b = 0; b < n / T; b++)                    i from 0 to n / T * T
        for (i = b * T; i < (b + 1) * T; i++)

A strip begins where the counter of the outer loop is, or at a multiple of it, and is as long as it is to the next one;
the last one may end earlier, at a bound that the launch does not change. The loop through a strip may stand inside of
other loops, which are inside of that over strips.

Where no bound cuts the last strip, a program that means rows of n elements has only whole strips: then the one loop
goes to n, which the host asks before the launch (`divisible`). Without that it goes to the end of the last strip.

    no new overflow    the end of the last strip is computed in `long`, or as the program computes it
    no passing by      a counter without a sign does not step over its largest value: the host asks

    In: Facts, the loops of a nest, outermost first, and what was declared between them.   Out: Strips.
    Not here: whether they may be one loop -- plan/rewrites/whole_loops.py; strips in steps of more than one, or
    backwards.
    Source: strip-mining, the other way round (Wolfe, "More iteration space tiling", SC 1989).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.integers.domain_forms import DomainForms
from ompc.analysis.integers.polynomials import Polynomial, Quotient, converted, number, variable
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import copied
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.asked import Divisible, LeastValue
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """The loop `over` strips and that `through` one are one loop from `lower` on, while it is `relation` `upper`, if
    the host finds the `least` values, and that sizes are `divisible`.
    """

    over: CanonicalLoop
    through: CanonicalLoop
    lower: t.Expr
    relation: str
    upper: t.Expr
    least: tuple[LeastValue, ...] = ()
    divisible: tuple[Divisible, ...] = ()


def strips_in(
    facts: Facts, nest: Sequence[CanonicalLoop], ends: Collection[t.Symbol], divisible: bool
) -> tuple[Strips, ...]:
    """Those of the nest, in the order of the loops over strips. `ends` are variables that keep what they get between
    two of its loops; `divisible`: the host may be asked whether there are only whole strips.
    """
    found: list[Strips] = []
    for place, outer in enumerate(nest):
        inside = [loop for loop in nest[place + 1 :] if outer.var in symbols_in(loop.lower)]
        one = strips_of(facts, outer, inside[0], ends, divisible) if len(inside) == 1 else None
        if one is not None and inside[0].statement in facts.inner_loops:
            found.append(one)
    return tuple(found)


def strips_of(
    facts: Facts,
    outer: CanonicalLoop,
    inner: CanonicalLoop,
    ends: Collection[t.Symbol] = (),
    divisible: bool = False,
) -> Strips | None:
    """The strips that `outer` is over and `inner` through, if they are that. As of strips_in otherwise."""
    if not (_counts_up(outer) and _counts_up(inner) and facts.has_fixed_bounds(outer)):
        return None
    if inner.constant_step != 1 or ty.unqualified(outer.type) != ty.unqualified(inner.type):
        return None
    first, by, step = _forms(facts).of(inner.lower), _begins_at_multiples(facts, outer, inner), _step(facts, outer)
    if first is None or by is None or step is None:
        return None
    next_strip = first + by * step
    parts = least_of(_with_definitions(facts, inner.upper, ends))
    forms = [_end(facts, part, inner.relation) for part in parts]
    if next_strip not in forms:
        return None
    bounds = [part for part, form in zip(parts, forms, strict=True) if form != next_strip]
    if len(bounds) > 1 or not facts.invariance.holds(*bounds) or not all(map(_is_sum, bounds)):
        return None
    if any(ty.unqualified(bound.type) not in (ty.INT, ty.unqualified(inner.type)) for bound in bounds):
        return None
    least = _least_values(facts, outer)
    if least is None:
        return None
    found = None
    if divisible and not bounds:
        found = _of_whole_strips(facts, outer, inner, by * step)
    found = found or _whole(facts, outer, inner, by, bounds[0] if bounds else None)
    return None if found is None else replace(found, least=least)


def _forms(facts: Facts) -> DomainForms:
    """In which a number is also what is known by its text alone, as that of a step of another type."""
    return DomainForms(facts.known.invariant, facts.known.definitions, facts.forms.counters)


def _counts_up(loop: CanonicalLoop) -> bool:
    plain = not loop.down and loop.relation in ("<", "<=") and loop.pointer is None and not loop.var.address_taken
    kinds = {ty.unqualified(part.type) for part in (loop.var, loop.lower, loop.upper)}
    kind = ty.unqualified(loop.type)
    return plain and kind in (ty.INT, ty.LONG, ty.ULONG) and kinds <= {ty.INT, kind}


def _least_values(facts: Facts, outer: CanonicalLoop) -> tuple[LeastValue, ...] | None:
    """What must be so for the counter not to step over its largest value; None: the host cannot ask."""
    if ty.unqualified(outer.type) != ty.ULONG:
        return ()
    step = outer.step if outer.constant_step is None else None
    texts = [None if part is None else _text(facts, part) for part in (outer.upper, step)]
    if texts[0] is None or (step is not None and texts[1] is None):
        return None
    return tuple(LeastValue(f"(long){text}", place) for place, text in enumerate(texts) if text is not None)


def _text(facts: Facts, part: t.Expr) -> str | None:
    """The number or variable as the host says it where the pragma stands."""
    value = constant_value(part)
    if isinstance(value, int):
        return str(value)
    if isinstance(part, t.Cast) and ty.is_integer(part.operand.type):
        return _text(facts, part.operand)
    return part.symbol.name if isinstance(part, t.Name) and facts.can_be_asked(part.symbol) else None


def _step(facts: Facts, loop: CanonicalLoop) -> Polynomial | None:
    if loop.constant_step is not None:
        return number(loop.constant_step)
    return None if loop.step is None else _forms(facts).of(converted(loop.step, loop.var))


def _begins_at_multiples(facts: Facts, outer: CanonicalLoop, inner: CanonicalLoop) -> Polynomial | None:
    """What the outer counter is multiplied by, where a strip begins; None: that is no multiple of it."""
    first = _forms(facts).of(inner.lower)
    parts = None if first is None else first.linear_in([outer.var])
    if parts is None or parts[0].terms or outer.var not in parts[1]:
        return None
    by = parts[1][outer.var]
    numbered = outer.constant_step == 1 and ty.unqualified(outer.type) != ty.ULONG
    return by if by == number(1) or numbered else None


def _end(facts: Facts, bound: t.Expr, relation: str) -> Polynomial | None:
    """The first number that is none of the loop's any more."""
    form = _forms(facts).of(bound)
    return form if form is None or relation == "<" else form + number(1)


def _with_definitions(facts: Facts, bound: t.Expr, ends: Collection[t.Symbol]) -> t.Expr:
    while isinstance(bound, t.Name) and bound.symbol in ends:
        value = facts.known.definitions[bound.symbol].init
        if ty.unqualified(value.type) != ty.unqualified(bound.type):
            break
        bound = value
    return bound


def least_of(bound: t.Expr) -> tuple[t.Expr, ...]:
    """What it is the least of, as `a < b ? a : b` is; itself, if it is none."""
    return _chosen(bound, ("<", "<="))


def greatest_of(bound: t.Expr) -> tuple[t.Expr, ...]:
    """What it is the greatest of, as `a < b ? b : a` is; itself, if it is none."""
    return _chosen(bound, (">", ">="))


def _chosen(bound: t.Expr, towards: tuple[str, str]) -> tuple[t.Expr, ...]:
    """What `bound` chooses from: the number that is, in this relation, before the other one."""
    match bound:
        case t.Conditional(condition=t.Binary(op="<" | "<=" | ">" | ">=" as op, left=a, right=b), then=x, other=y):
            first, second = (x, y) if op in towards else (y, x)
            if ty.unqualified(x.type) == ty.unqualified(y.type) and _alike(a, first) and _alike(b, second):
                return a, b
        case _:
            pass
    return (bound,)


def _is_sum(bound: t.Expr) -> bool:
    """Can it be computed also where no strip asks for it?"""
    plain = (t.Name, t.IntConst, t.Cast, t.Conditional)
    return all(
        isinstance(node, plain) or (isinstance(node, t.Binary) and node.op in ("+", "-", "*", "<", ">"))
        for node in walk(bound)
        if isinstance(node, t.Expr)
    )


def _alike(a: t.Expr, b: t.Expr) -> bool:
    return c_expr(a) == c_expr(b) and symbols_in(a) == symbols_in(b)


# -------------------------------------------------------------- the whole loop


def _whole(
    facts: Facts, outer: CanonicalLoop, inner: CanonicalLoop, by: Polynomial, bound: t.Expr | None
) -> Strips | None:
    """From the beginning of the first strip to the end of the last one, or to the `bound` before that."""
    end = _end(facts, outer.upper, outer.relation)
    if by == number(1) and bound is not None and _end(facts, bound, inner.relation) == end:
        return Strips(outer, inner, outer.lower, outer.relation, outer.upper)
    if outer.relation != "<" or inner.relation != "<" or constant_value(outer.lower) != 0:
        return None
    signed = ty.unqualified(outer.type) != ty.ULONG
    if bound is not None and signed and (_reach(facts, outer, by, bound) or _is_before(facts, outer, by, bound)):
        return Strips(outer, inner, outer.lower, "<", bound)
    last = _end_of_strips(outer) if by == number(1) else _end_of_numbered(outer, by)
    if last is None:
        return None
    if bound is not None:
        less = t.Binary(ty.INT, bound.loc, "<", bound, last)
        last = t.Conditional(last.type, bound.loc, less, copied(bound), copied(last))
    return Strips(outer, inner, outer.lower, "<", last)


def _of_whole_strips(facts: Facts, outer: CanonicalLoop, inner: CanonicalLoop, length: Polynomial) -> Strips | None:
    """One loop up to where the program means it to go, if all strips are whole."""
    bound, by = outer.upper, outer.step
    if outer.constant_step == 1:
        match bound:
            case t.Binary(op="/", left=left, right=right):
                bound, by = left, right
            case _:
                return None
    if outer.relation != "<" or inner.relation != "<" or constant_value(outer.lower) != 0 or by is None:
        return None
    end, step = _text(facts, bound), _text(facts, by)
    if end is None or step is None or _forms(facts).of(converted(by, outer.var)) != length:
        return None
    return Strips(outer, inner, outer.lower, "<", bound, divisible=(Divisible(end, step),))


def _end_of_strips(outer: CanonicalLoop) -> t.Expr | None:
    """Where the last strip ends, of those that begin at multiples of the step."""
    step, end, loc = outer.constant_step, constant_value(outer.upper), outer.upper.loc
    if step is None or step <= 0:
        return None
    kind = ty.unqualified(outer.type)
    if isinstance(end, int):
        return _constant(kind, outer, max(end + step - 1, 0) // step * step)
    wide, upper = ty.LONG if kind == ty.INT else kind, copied(outer.upper)
    if ty.unqualified(upper.type) != wide:
        upper = t.Cast(wide, loc, upper)
    last: t.Expr = t.Binary(wide, loc, "+", upper, _constant(wide, outer, step - 1))
    for op in ("/", "*"):
        last = t.Binary(wide, loc, op, last, _constant(wide, outer, step))
    return last if kind == wide else t.Cast(kind, loc, last)


def _end_of_numbered(outer: CanonicalLoop, by: Polynomial) -> t.Expr | None:
    """Where the last of so many strips ends; 0, if there is none."""
    kind, end, loc = ty.unqualified(outer.type), constant_value(outer.upper), outer.upper.loc
    if by.constant is None:
        ((factors, coefficient), *others) = by.terms
        symbol = factors[0] if len(factors) == 1 and coefficient == 1 and not others else None
        if not isinstance(symbol, t.Symbol) or ty.unqualified(symbol.type) != kind:
            return None
        length: t.Expr = t.Name(symbol.type, loc, symbol)
    elif isinstance(end, int):
        return _constant(kind, outer, max(end, 0) * by.constant)
    else:
        length = _constant(kind, outer, by.constant)
    some = t.Binary(ty.INT, loc, ">", copied(outer.upper), _constant(kind, outer, 0))
    last = t.Binary(kind, loc, "*", copied(outer.upper), length)
    return t.Conditional(kind, loc, some, last, _constant(kind, outer, 0))


def _reach(facts: Facts, outer: CanonicalLoop, by: Polynomial, bound: t.Expr) -> bool:
    """Are there as many strips as the bound needs: `(n + T - 1) / T`, which is none where it is below 0?"""
    length = by.constant
    if length is None or length <= 1:
        return False
    strips, end = _forms(facts).of(outer.upper), _forms(facts).of(bound)
    return end is not None and strips == variable(Quotient(end + number(length - 1), length, floored=False))


def _is_before(facts: Facts, outer: CanonicalLoop, by: Polynomial, bound: t.Expr) -> bool:
    """Is it for certain no more than what the strips reach at least?"""
    if by != number(1):
        return False
    at, end = _forms(facts).of(bound), _forms(facts).of(outer.upper)
    apart = None if at is None or end is None else (end + -at).constant
    return apart is not None and apart >= 0


def _constant(kind: ty.Type, loop: CanonicalLoop, value: int) -> t.IntConst:
    return t.IntConst(kind, loop.upper.loc, value, str(value))
