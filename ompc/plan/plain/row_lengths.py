"""Plan: what stands for the length of a row: the variable by which the array was declared.

    void f(int m, double (*u)[m])       launch_f(m, u), and not launch_f((long)(sizeof(u[0]) / sizeof(u[0][0])), u)

That is the length if nothing changes the variable. The host knows it by that name where no other variable of the
function has it; where the launch function has it as well, it is not told twice.

In: KernelPlan, the functions of the program.   Out: the variables, by the names of the kernel's parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import changed_in, declared_in, symbols_in
from ompc.plan.model.plan import KernelPlan


def row_lengths(kernel: KernelPlan, functions: Iterable[t.Function]) -> dict[str, t.Symbol]:
    found: dict[str, t.Symbol] = {}
    for v in kernel.arrays:
        kind = v.symbol.type
        rows = kind.to if isinstance(kind, ty.Pointer) else kind.of if isinstance(kind, ty.Array) else kind
        for name, length in zip(v.dimensions, ty.lengths_of(rows), strict=False):
            symbol = _variable(length)
            if symbol is not None and _is_steady(symbol, functions):
                found.setdefault(str(name), symbol)
    return found


def told_otherwise(kernel: KernelPlan, lengths: Mapping[str, t.Symbol]) -> dict[str, t.Symbol]:
    """Those of `lengths` that the launch function has by their own names."""
    own = {v.symbol for v in kernel.values}
    bounds = [bound.expr for loop in kernel.grid for bound in (loop.lower, loop.upper) if bound.expr is not None]
    own.update(*map(symbols_in, bounds))
    return {name: symbol for name, symbol in lengths.items() if symbol in own}


def _variable(length: int | t.Expr | None) -> t.Symbol | None:
    if isinstance(length, t.Cast):
        return _variable(length.operand)
    return length.symbol if isinstance(length, t.Name) else None


def _is_steady(symbol: t.Symbol, functions: Iterable[t.Function]) -> bool:
    if symbol.address_taken or not symbol.is_automatic or symbol.type.quals & {"volatile"}:
        return False
    for function in functions:
        if function.body is not None and (symbol in function.params or symbol in declared_in(function.body)):
            named = [each for each in (*function.params, *declared_in(function.body)) if each.name == symbol.name]
            return named == [symbol] and symbol not in changed_in(function.body)
    return False
