"""Analysis: variables of a function that begin at a number and only grow: what their least value is.

    for (int k = 0; k < n; k++)                     k >= 0 wherever it has a value
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];        0 <= k, j < n: elements of rows of n

Whatever the order of execution is: every assignment is one of a constant, or adds one that is not negative. Signed
numbers do not overflow; one that is narrower than `int` may come round.

    In: a function.   Out: the least value of each such variable.
    Not here: the values of loops' counters in their bodies -- ranges.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value, wrapped
from ompc.ir.queries import declarations_in, nodes, target_of, unread_in
from ompc.ir.walk import Node, walk

_STARTS_ELSEWHERE = frozenset({"reduction", "in_reduction", "task_reduction", "linear"})
"""Clauses that give private copies values of their own."""


def least_values(functions: Mapping[str, t.Function], symbols: Iterable[t.Symbol]) -> dict[t.Symbol, int]:
    """Of those of the variables that only grow."""
    found: dict[t.Symbol, int] = {}
    for symbol in symbols:
        function = functions.get(symbol.function or "")
        least = _growing(function.body).get(symbol) if function is not None and function.body is not None else None
        if least is not None:
            found[symbol] = least
    return found


@lru_cache(maxsize=256)
def _growing(body: t.Stmt) -> Mapping[t.Symbol, int]:
    if unread_in(body) is not None:
        return {}
    least: dict[t.Symbol, int | None] = {}
    for declaration in declarations_in(body):
        if declaration.init is not None:
            _note(least, declaration.symbol, _constant(declaration.init, declaration.symbol))
    for node in nodes(body):
        target = target_of(node)
        if isinstance(target, t.Name) and not _grows(node, target.symbol):
            _note(least, target.symbol, _assigned(node, target.symbol))
    found = {symbol: value for symbol, value in least.items() if value is not None and _is_plain(symbol)}
    for symbol in _with_other_values(body):
        found.pop(symbol, None)
    return found


def _note(least: dict[t.Symbol, int | None], symbol: t.Symbol, value: int | None) -> None:
    known = least.get(symbol, value)
    least[symbol] = None if known is None or value is None else min(known, value)


def _constant(value: t.Expr, to: t.Symbol) -> int | None:
    number = constant_value(value)
    return None if number is None else wrapped(number, to.type)


def _assigned(node: Node, symbol: t.Symbol) -> int | None:
    return _constant(node.value, symbol) if isinstance(node, t.Assign) and node.op == "=" else None


def _grows(node: Node, symbol: t.Symbol) -> bool:
    match node:
        case t.IncDec(op="++"):
            return True
        case t.Assign(op="+=", value=t.Expr(type=ty.Int(signed=True, size=size)) as value):
            by = constant_value(value)
            return by is not None and by >= 0 and size <= (ty.size_of(symbol.type) or 0)
        case _:
            return False


def _is_plain(symbol: t.Symbol) -> bool:
    kind = symbol.type
    local = symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER) and not symbol.address_taken
    is_wide = isinstance(kind, ty.Int) and kind.signed and kind.size >= ty.INT.size
    return local and is_wide and not kind.quals & {"volatile", "_Atomic"}


def _with_other_values(body: t.Stmt) -> Iterable[t.Symbol]:
    pragmas = (node for node in walk(body) if isinstance(node, t.Pragma))
    clauses = (clause for pragma in pragmas for clause in pragma.directive.clauses)
    return {symbol for clause in clauses if clause.name in _STARTS_ELSEWHERE for symbol in clause.symbols}
