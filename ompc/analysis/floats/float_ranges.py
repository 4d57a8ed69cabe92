"""Analysis: ranges of floating-point values, where they are numbers.

    const float square = dx * dx + dy * dy;      not below 0
    if (square < 1.0f)
        s += 1.0f / (square + 0.01f);            0.01 to 1.01

Intervals of real numbers, widened after each operation by more than rounding can do, so they hold for contracted and
rounded operations alike. An interval says nothing of values that are not a number: a comparison that was true had
numbers on both sides, one that was false may have had none.

Conditions around an expression bound variables that the whole code never assigns but where they are declared.

    In: the code of a kernel.   Out: the interval of each expression asked for, at its place.
    Not here: integers, but by their types -- ranges.py.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import range_of, range_of_type
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import labels_in, never_ends
from ompc.ir.queries import changed_in, unread_in
from ompc.ir.walk import children

Interval = tuple[float, float]
"""The lower and the upper bound; infinite where there is none."""

ANY: Interval = (-math.inf, math.inf)
_Known = Mapping[t.Symbol, Interval]

_SPREAD = 2.0**-20
"""How far a bound is moved outwards for rounding, relatively. The error of several operations on `float` is far below
it.
"""
_LIMITS = {4: (1e-37, 1e38), 8: (1e-300, 1e300)}
"""By the size of the type in bytes: smaller magnitudes than the first may become 0, larger ones than the second
infinite.
"""

_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
_SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ROOTS = ("sqrt", "sqrtf", "__builtin_sqrt", "__builtin_sqrtf")
_MAGNITUDES = ("fabs", "fabsf", "__builtin_fabs", "__builtin_fabsf")
_EXTREMES = ("fmin", "fminf", "fmax", "fmaxf")
_POSITIVE = ("exp", "expf", "exp2", "exp2f", "cosh", "coshf")


def float_ranges(body: t.Stmt, wanted: Collection[t.Expr], own: Collection[t.Symbol]) -> dict[t.Expr, Interval]:
    """The interval of each of the `wanted` expressions of `body`; `own`: the user's functions."""
    if not wanted or labels_in(body) or unread_in(body) is not None:
        return {}
    followed = _Followed(wanted, own, changed_in(body))
    followed.statement(body, {})
    return followed.found


class _Followed:
    def __init__(self, wanted: Collection[t.Expr], own: Collection[t.Symbol], changed: Collection[t.Symbol]) -> None:
        self._wanted = frozenset(wanted)
        self._own = own
        self._changed = changed
        self.found: dict[t.Expr, Interval] = {}

    def statement(self, node: t.Stmt, known: _Known) -> _Known:
        """What is known behind it, in the block that it stands in."""
        match node:
            case t.Block(items=items):
                inside = known
                for item in items:
                    inside = self.statement(item, inside)
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    known = self._declaration(decl, known)
            case t.If(condition=condition, then=then, other=other):
                self._expression(condition, known)
                self.statement(then, self._where(condition, True, known))
                beside = self._where(condition, False, known)
                if other is not None:
                    self.statement(other, beside)
                elif never_ends(then):
                    return beside
            case t.For(init=init, condition=condition, step=step, body=body):
                inside = known if init is None else self.statement(init, known)
                for part in (condition, step):
                    if part is not None:
                        self._expression(part, inside)
                self.statement(body, inside)
            case _:
                self._others(node, known)
        return known

    def _others(self, node: t.Stmt, known: _Known) -> None:
        for child in children(node):
            if isinstance(child, t.Stmt):
                self.statement(child, known)
            elif isinstance(child, t.Expr):
                self._expression(child, known)

    def _declaration(self, decl: t.VarDecl, known: _Known) -> _Known:
        if decl.init is None:
            return known
        self._expression(decl.init, known)
        if not self._keeps_value(decl.symbol) or not isinstance(decl.symbol.type, ty.Float):
            return known
        return {**known, decl.symbol: _rounded(self._of(decl.init, known), decl.symbol.type)}

    def _keeps_value(self, symbol: t.Symbol) -> bool:
        own = symbol.is_automatic
        return own and symbol not in self._changed and not symbol.address_taken

    def _expression(self, node: t.Expr, known: _Known) -> None:
        """Notes the intervals that are wanted, each with what is known where it is evaluated."""
        if node in self._wanted:
            self.found[node] = self._of(node, known)
        match node:
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                self._expression(left, known)
                self._expression(right, self._where(left, op == "&&", known))
            case t.Conditional(condition=condition, then=then, other=other):
                self._expression(condition, known)
                self._expression(then, self._where(condition, True, known))
                self._expression(other, self._where(condition, False, known))
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self._expression(child, known)

    # ------------------------------------------------------------------------------------- conditions

    def _where(self, condition: t.Expr, holds: bool, known: _Known) -> _Known:
        """What is known where the condition has been found to hold, or not to."""
        match condition:
            case t.Binary(op="&&" | "||" as op, left=left, right=right) if (op == "&&") == holds:
                return self._where(right, holds, self._where(left, holds, known))
            case t.Unary(op="!", operand=operand):
                return self._where(operand, not holds, known)
            case t.Cast(operand=operand, type=ty.Int()) if isinstance(operand.type, ty.Int):
                return self._where(operand, holds, known)
            case t.Binary(op=op, left=left, right=right) if op in _OPPOSITE:
                known = self._compared(op, left, right, holds, known)
                return self._compared(_SWAPPED.get(op, op), right, left, holds, known)
            case _:
                return known

    def _compared(self, op: str, left: t.Expr, right: t.Expr, holds: bool, known: _Known) -> _Known:
        """Where `left op right` holds, or not, `left` a variable."""
        while isinstance(left, t.Cast) and _widens(left):
            left = left.operand
        if not isinstance(left, t.Name) or not isinstance(left.type, ty.Float) or not self._keeps_value(left.symbol):
            return known
        if (op == "!=") if holds else (op == "==" or (op != "!=" and not _is_number(right))):
            return known  # what is not equal, or a comparison without numbers
        effective = op if holds else _OPPOSITE[op]
        least, greatest = self._of(right, known)
        low, high = known.get(left.symbol, ANY)
        if effective in ("<", "<=", "=="):
            high = min(high, greatest)
        if effective in (">", ">=", "=="):
            low = max(low, least)
        return {**known, left.symbol: (low, high)}

    # ------------------------------------------------------------------------------------ expressions

    def _of(self, node: t.Expr, known: _Known) -> Interval:
        if not isinstance(node.type, ty.Float):
            return _wider(_of_integer(node))
        return _rounded(self._exactly(node, known), node.type)

    def _exactly(self, node: t.Expr, known: _Known) -> Interval:
        match node:
            case t.FloatConst():
                return _constant(node)
            case t.Name(symbol=symbol):
                return known.get(symbol, ANY)
            case t.Cast(operand=operand) | t.Unary(op="+", operand=operand):
                return self._of(operand, known)
            case t.Unary(op="-", operand=operand):
                low, high = self._of(operand, known)
                return -high, -low
            case t.Binary(op=op, left=left, right=right):
                return self._operation(op, left, right, known)
            case t.Conditional(condition=condition, then=then, other=other):
                return _hull(
                    self._of(then, self._where(condition, True, known)),
                    self._of(other, self._where(condition, False, known)),
                )
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol not in self._own:
                found = [self._of(a, known) for a in args]
                return _clamped(symbol.name, args, found) if symbol.name in _EXTREMES else _called(symbol.name, found)
            case _:
                return ANY

    def _operation(self, op: str, left: t.Expr, right: t.Expr, known: _Known) -> Interval:
        a, b = self._of(left, known), self._of(right, known)
        match op:
            case "+":
                return _sum(a, b)
            case "-":
                return _sum(a, (-b[1], -b[0]))
            case "*":
                low, high = _product(a, b)
                return (max(low, 0.0), high) if same(left, right) else (low, high)
            case "/" if b[0] > 0 or b[1] < 0:
                return _product(a, (1 / b[1], 1 / b[0]))
            case _:
                return ANY


def _of_integer(node: t.Expr) -> Interval:
    if not isinstance(node.type, (ty.Int, ty.Enum)):
        return ANY
    (low, high), (least, greatest) = range_of(node, {}), range_of_type(node.type)
    kept = least <= low and high <= greatest  # else it may wrap round
    return (float(low), float(high)) if kept else (float(least), float(greatest))


def _sum(a: Interval, b: Interval) -> Interval:
    low, high = a[0] + b[0], a[1] + b[1]
    return (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)


def _product(a: Interval, b: Interval) -> Interval:
    ends = [0.0 if 0 in (x, y) else x * y for x in a for y in b]
    return min(ends), max(ends)


def _hull(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def _called(name: str, args: list[Interval]) -> Interval:
    if name in _ROOTS:
        return math.sqrt(max(args[0][0], 0.0)), math.sqrt(max(args[0][1], 0.0))
    if name in _MAGNITUDES:
        low, high = args[0]
        return max(low, -high, 0.0), max(abs(low), abs(high))
    return (0.0, math.inf) if name in _POSITIVE else ANY


def _clamped(name: str, args: tuple[t.Expr, ...], found: list[Interval]) -> Interval:
    """Of an argument that is not a number the functions give the other one, so only numbers bound the result."""
    numbers = [interval for arg, interval in zip(args, found, strict=True) if _is_number(arg)]
    low, high = _hull(found[0], found[1])
    if name.startswith("fmax"):
        return max([low, *(number[0] for number in numbers)]), high
    return low, min([high, *(number[1] for number in numbers)])


def _constant(node: t.FloatConst) -> Interval:
    text = node.text.rstrip("fFlL")
    try:
        value = float.fromhex(node.text.rstrip("lL")) if "x" in text.lower() else float(text)
    except (ValueError, OverflowError):
        return ANY
    return _wider((value, value))


def _wider(found: Interval) -> Interval:
    low, high = found
    return low - abs(low) * _SPREAD, high + abs(high) * _SPREAD


def _rounded(found: Interval, kind: ty.Type) -> Interval:
    """What the numbers become in the type: small ones perhaps 0, large ones perhaps infinite."""
    tiny, huge = _LIMITS.get(ty.size_of(kind) or 0, (math.inf, 0.0))
    low, high = _wider(found)
    low = -math.inf if low < -huge else min(low, huge)
    high = math.inf if high > huge else max(high, -huge)
    return (0.0 if 0 < low < tiny else low), (0.0 if -tiny < high < 0 else high)


def _is_number(node: t.Expr) -> bool:
    return isinstance(node, t.FloatConst) or not isinstance(node.type, ty.Float) or constant_value(node) is not None


def _widens(node: t.Cast) -> bool:
    from_, to = node.operand.type, node.type
    return isinstance(from_, ty.Float) and isinstance(to, ty.Float) and to.size >= from_.size
