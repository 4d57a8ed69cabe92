"""Calls that may be done before the rest of the expression in which they stand.

    g[i] = 2 * f(x) + h(f(y), z)        f(x), f(y), h(..., z), in this order, then g[i] = 2 * f_value + h_value
    a[i] += g(&y, b);                   g(&y, b), whatever that writes
    if (ok && f(x))                     none: f is called for some values of `ok`

C leaves the order open in which the operands of an expression are evaluated (C11 6.5), and a compiler has decided. So
nobody must see it: a call that writes nothing may come first wherever the rest does not write; one that writes
variables of the caller's, where it is the only one and the rest cannot read them; and one that is all that is assigned
or added to a place that is where it is. Compilers call the function before they read what it is added to, as C++ wants
it.

    In: an expression, which calls are wanted, what they write.   Out: these calls, in the order of their evaluation.
    Not here: what a call writes -- callees.py; the statements -- inlining.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import children, walk
from ompc.omp.uses import is_query

Writes = Callable[[t.Call], frozenset[t.Symbol] | None]


def calls_first(
    whole: t.Expr, wanted: Callable[[t.Call], bool], writes: Writes, is_hidden: Callable[[t.Symbol], bool]
) -> tuple[t.Call, ...]:
    """The calls in `whole` that can all come before the rest; those in arguments of others before these.

    `is_hidden`: does nobody but the functions that are called have a pointer to the variable?
    """
    calls = tuple(call for call in _certain(whole) if wanted(call))
    if not calls or not _can_wait(whole, calls):
        return ()
    written = [writes(call) for call in calls]
    if not any(each != frozenset() for each in written):
        return calls
    if len(calls) == 1 and _is_all_that_is_assigned(whole, calls[0]):
        return calls
    first = written[0]
    if len(calls) > 1 or first is None or not all(map(is_hidden, first)):
        return ()
    read = {part.symbol for part in _rest(whole, calls) if isinstance(part, t.Name)}
    return calls if first.isdisjoint(read) else ()


def _is_all_that_is_assigned(whole: t.Expr, call: t.Call) -> bool:
    """Is it the value of `whole`, an assignment to a place that no function changes?"""
    return whole is call or (isinstance(whole, t.Assign) and whole.value is call and _is_fixed(whole.target))


def _is_fixed(place: t.Expr) -> bool:
    """A variable or element by name, at subscripts that are made from variables which only the code itself changes."""
    match place:
        case t.Name(symbol=symbol):
            return isinstance(symbol.type, ty.Array) or (symbol.is_automatic and not symbol.address_taken)
        case t.Index(base=base, index=index):
            return _is_fixed(base) and _is_computed(index)
        case t.Member(base=base, arrow=False):
            return _is_fixed(base)
        case _:
            return False


def _is_computed(index: t.Expr) -> bool:
    parts = [part for part in walk(index) if isinstance(part, t.Expr)]
    plain = all(isinstance(part, (t.IntConst, t.Name, t.Binary, t.Unary, t.Cast)) for part in parts)
    names = [part for part in parts if isinstance(part, t.Name)]
    pointers = any(isinstance(part, t.Unary) and part.op in ("*", "&") for part in parts)
    return plain and not pointers and all(_is_fixed(name) and ty.is_integer(name.type) for name in names)


def _certain(node: t.Expr) -> Iterator[t.Call]:
    """The calls that are done whenever the expression is evaluated, the innermost first."""
    match node:
        case t.Binary(op="&&" | "||", left=first) | t.Conditional(condition=first):
            yield from _certain(first)
        case t.Comma() | t.Sizeof() | t.InitList() | t.CompoundLiteral():
            return
        case _:
            for child in children(node):
                if isinstance(child, t.Expr):
                    yield from _certain(child)
            if isinstance(node, t.Call):
                yield node


def _can_wait(whole: t.Expr, calls: tuple[t.Call, ...]) -> bool:
    """Does nothing in the rest write, but the assignment that the expression is?"""
    for part in _rest(whole, calls):
        match part:
            case t.Assign() if part is whole:
                pass
            case t.Assign() | t.IncDec() | t.OpaqueExpr():
                return False
            case t.Call(function=t.Name(symbol=symbol)):
                if not is_query(symbol, part):
                    return False
            case t.Call():
                return False
            case t.Expr(type=ty.Type(quals=quals)) if quals & {"volatile", "_Atomic"}:
                return False
            case _:
                pass
    return True


def _rest(whole: t.Expr, calls: tuple[t.Call, ...]) -> list[t.Expr]:
    """What is evaluated besides the calls and their arguments."""
    done = {part for call in calls for part in walk(call)}
    return [part for part in walk(whole) if isinstance(part, t.Expr) and part not in done]
