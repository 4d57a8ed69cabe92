"""By how much an expression moves a variable: `k++`, `k += 2`, `k = k - 1`, `k += m`.

    In: an expression, the variable.   Out: Moves; None: it does something else with it.
    Not here: whether what is added stays the same -- induction_variables.py.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value


@dataclass(frozen=True, slots=True)
class Moves:
    """`number`, and the values of variables, are added."""

    number: int = 0
    others: tuple[t.Expr, ...] = ()

    def __add__(self, other: Moves) -> Moves:
        return Moves(self.number + other.number, self.others + other.others)


def moves_of(expr: t.Expr, symbol: t.Symbol) -> Moves | None:
    """What `expr` itself adds to `symbol`."""
    match expr:
        case t.IncDec(op=op, operand=t.Name(symbol=named)) if named is symbol:
            return Moves(1 if op == "++" else -1)
        case t.Assign(op="+=" | "-=" as op, target=t.Name(symbol=named), value=value) if named is symbol:
            return _added(value, symbol, op == "-=")
        case t.Assign(op="=", target=t.Name(symbol=named), value=t.Binary(op="+" | "-" as op) as value) if (
            named is symbol and ty.unqualified(value.type) == ty.unqualified(symbol.type)
        ):
            left, right = value.left, value.right
            if _is_name(left, symbol):
                return _added(right, symbol, op == "-")
            return _added(left, symbol, False) if op == "+" and _is_name(right, symbol) else None
        case _:
            return None


def _added(value: t.Expr, symbol: t.Symbol, subtracted: bool) -> Moves | None:
    number = constant_value(value)
    kind, own = ty.unqualified(value.type), ty.unqualified(symbol.type)
    if not isinstance(kind, ty.Int) or not isinstance(own, ty.Int) or kind.size > own.size:
        return None
    if kind.size == own.size and kind != own and own.signed and number is None:
        return None
    if number is not None:
        return Moves(-number if subtracted else number) if abs(number) < 1 << 31 else None
    return None if subtracted else Moves(0, (value,))


def _is_name(expr: t.Expr, symbol: t.Symbol) -> bool:
    return isinstance(expr, t.Name) and expr.symbol is symbol
