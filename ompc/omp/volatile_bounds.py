"""Bounds that read volatile variables: the launch reads them once, and the kernel has the numbers.

    volatile int first, last;                        OMPC_OFFLOAD(ompc_launch_f(first, last, a))    one read of each
    #pragma omp parallel for                  ->
    for (i = first; i < last; i++)                   for (i = first; i < last; i++)            numbers of the kernel
        a[i] = 0;

How often a loop evaluates its bounds and its step is not said (OpenMP 5.2, 4.4.1). So the call of the launcher may read
such a variable, and the host's loop again where the launch refuses. What else is found out about a bound must not rest
on two reads being equal: from here on it is a number that the host says.

In: a loop in canonical form.   Out: the same with other variables in its bounds (`ParallelLoop.fixed`); or itself.
Not here: other effects in bounds (OMPC305); volatile objects in the body (OMPC327).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.queries import declared_in, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.tree import Expr, Name, Storage, Symbol
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop, FixedRead, ParallelLoop, Sharing

_POSITION = -3_200
"""The position of the first new variable: before those of the file, in an order of their own."""


def why_not_read(loops: Sequence[CanonicalLoop], sharing: Mapping[Symbol, Sharing], at: Location) -> Reason | None:
    """Why the launch cannot read such a variable: threads have their own, and nobody compares them."""
    for symbol in sorted(_volatile_in_bounds(loops), key=lambda symbol: symbol.position):
        if sharing.get(symbol, Sharing.SHARED) is not Sharing.SHARED:
            message = f"a bound or the step reads `{symbol.name}`, a volatile variable of each thread"
            return Reason("OMPC305", message, at)
    return None


def _volatile_in_bounds(loops: Iterable[CanonicalLoop]) -> set[Symbol]:
    bounds = [bound for each in loops for bound in (each.lower, each.upper, each.step) if bound is not None]
    return {symbol for bound in bounds for symbol in symbols_in(bound) if "volatile" in symbol.type.quals}


def with_volatile_bounds_read(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with numbers in place of volatile variables in its bounds."""
    named = _volatile_in_bounds(loop.loops)
    if not named or loop.body is None:
        return loop
    inside = symbols_in(loop.body)
    taken = {symbol.name for symbol in inside | declared_in(loop.body) | loop.sharing.keys()}
    taken |= {each.var.name for each in loop.loops}
    numbers: dict[Symbol, Symbol] = {}
    fixed: dict[Symbol, FixedRead] = {}
    for place, symbol in enumerate(sorted(named, key=lambda symbol: symbol.position)):
        name = f"{symbol.name}_read"
        while name in taken:
            name += "_"
        taken.add(name)
        numbers[symbol] = Symbol(
            name, ty.unqualified(symbol.type), Storage.AUTO, symbol.loc, _POSITION + place, loop.function
        )
        fixed[numbers[symbol]] = FixedRead(Name(symbol.type, loop.loc, symbol), "", (), "a volatile bound")

    def change(node: Node) -> Node | None:
        match node:
            case Name(symbol=symbol, loc=loc) if symbol in numbers:
                return Name(numbers[symbol].type, loc, numbers[symbol])
            case _:
                return None

    def read(bound: Expr) -> Expr:
        return rewritten(bound, change)

    def changed(each: CanonicalLoop) -> CanonicalLoop:
        step = None if each.step is None else read(each.step)
        return replace(each, lower=read(each.lower), upper=read(each.upper), step=step)

    sharing = {symbol: how for symbol, how in loop.sharing.items() if symbol not in named - inside}
    return replace(loop, loops=tuple(map(changed, loop.loops)), sharing=sharing, fixed={**loop.fixed, **fixed})
