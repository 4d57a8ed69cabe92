"""Analysis: floating-point values that contraction and regrouping leave nearly as they are, relatively.

A sum of a product that is rounded and one of a product that is not differ by the product's last bit. Where the sum
nearly cancels, that is all there is of it: x * x - y * y is 0 on the host for x == y, and not with a fused product.
What has no such sum keeps its sign, and is zero where it is zero; so 1 / r, sqrt(r) and log(r) stay near, too.

    dx * dx + dy * dy       steady: nothing cancels        a[i] - b[i]     unchanged, where they are no products
    x * x - y * y           not                            x * x / 3       unchanged

    In: FloatValues.   Out: four questions about an expression.
    Not here: between which bounds values lie -- float_ranges.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from ompc.analysis.floats.float_values import FloatValues, is_product, is_real
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import range_of
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import plain_name

_KEEP_STEADY = ("sqrt", "cbrt", "fabs", "fmin", "fmax", "hypot")
"""Functions whose results are steady where their arguments are."""
_ALWAYS_STEADY = ("exp", "exp2", "cosh")
"""Functions that are positive and have no edge: a small difference of the argument makes a small relative difference of
the result.
"""
_NEVER_NEGATIVE = ("sqrt", "fabs", "hypot", "exp", "exp2", "cosh")

_Parts = bool | tuple[t.Expr, ...]
"""The answer itself, or the parts of the expression for which the same must hold."""


@dataclass(slots=True)
class _Question:
    """Asks `of` an expression and then of its parts. Where the parts lead back to it and nothing else decides, the
    answer is `in_cycle`. All answers are found in a time that grows with the code.
    """

    of: Callable[[t.Expr], _Parts]
    in_cycle: bool
    _known: dict[t.Expr, bool] = field(default_factory=dict)

    def __call__(self, node: t.Expr) -> bool:
        if node not in self._known:
            self._explore(node)
        return self._known[node]

    def _explore(self, start: t.Expr) -> None:
        needed_by: defaultdict[t.Expr, list[t.Expr]] = defaultdict(list)
        missing: dict[t.Expr, int] = {}
        pending, decided = [start], list[t.Expr]()
        while pending:
            node = pending.pop()
            if node in missing or node in self._known:
                continue
            parts = self.of(node)
            missing[node] = 0 if isinstance(parts, bool) else len(parts)
            if isinstance(parts, bool) or not parts:
                self._known[node] = parts if isinstance(parts, bool) else True
                decided.append(node)
                continue
            for part in parts:
                needed_by[part].append(node)
                pending.append(part)
        decided.extend(part for part in needed_by if part in self._known and part not in missing)
        while decided:
            node = decided.pop()
            for user in needed_by[node]:
                missing[user] -= 1
                if user not in self._known and (not self._known[node] or missing[user] == 0):
                    self._known[user] = self._known[node]
                    decided.append(user)
        for node in missing:
            self._known.setdefault(node, self.in_cycle)


class Steadiness:
    """`is_steady`: is its relative error small, however it is computed? `is_unchanged`: has it the same bits?
    `is_never_negative`; `is_of_squares`: is it a sum of squares, whose root moves by no more than what is squared?
    """

    def __init__(self, values: FloatValues, inverse_roots: Collection[t.Expr]) -> None:
        self._values = values
        self._inverse_roots = inverse_roots
        self.is_steady = self._question(self._at_once_steady, self._steady)
        in_cycle = False  # a sum that lanes may have parts of
        self.is_unchanged = self._question(self._at_once_unchanged, self._unchanged, in_cycle)
        self.is_never_negative = self._question(self._at_once_never_negative, self._never_negative)
        self.is_of_squares = self._question(self._at_once_of_squares, self._of_squares)
        self._is_no_product = self._question(self._at_once_no_product, self._no_product)

    def _question(
        self, at_once: Callable[[t.Expr], bool | None], computed: Callable[[t.Expr], _Parts], in_cycle: bool = True
    ) -> _Question:
        """Decided `at_once`, or by the values that the node may be, or by the operands that it is `computed` from."""

        def of(node: t.Expr) -> _Parts:
            answer = at_once(node)
            if answer is not None:
                return answer
            sources = self._values.sources(node)
            return computed(node) if sources is None else sources

        return _Question(of, in_cycle)

    def _at_once_steady(self, node: t.Expr) -> bool | None:
        return True if self.is_unchanged(node) else None

    def _steady(self, node: t.Expr) -> _Parts:
        match node:
            case t.Unary(op="-", operand=operand):
                return (operand,)
            case t.Binary(op="*" | "/", left=left, right=right) | t.Assign(op="*=" | "/=", target=left, value=right):
                return left, right
            case t.Binary(op="+", left=left, right=right) | t.Assign(op="+=", target=left, value=right):
                return (left, right) if all(map(self.is_never_negative, (left, right))) else False
            case t.Call(function=t.Name(symbol=symbol), args=args):
                name = plain_name(symbol.name)
                return name in _ALWAYS_STEADY or (args if name in _KEEP_STEADY else False)
            case _:
                return False

    def _at_once_unchanged(self, node: t.Expr) -> bool | None:
        if _is_integer(node):
            return True  # what an integer is made of is exact
        return False if node in self._inverse_roots else None

    def _unchanged(self, node: t.Expr) -> _Parts:
        match node:
            case t.FloatConst():
                return True
            case t.Unary(op="-", operand=operand):
                return (operand,)
            case t.Binary(op="+" | "-", left=left, right=right):
                return (left, right) if self._is_no_product(left) and self._is_no_product(right) else False
            case t.Binary(op="*" | "/", left=left, right=right):
                return left, right
            case t.Call(args=args):
                return args
            case _:
                return False

    def _at_once_no_product(self, node: t.Expr) -> bool | None:
        return False if is_product(node) else None

    def _no_product(self, node: t.Expr) -> _Parts:
        return (node.operand,) if isinstance(node, t.Unary) else True

    def _at_once_never_negative(self, node: t.Expr) -> bool | None:
        if _is_integer(node):
            return range_of(node, {})[0] >= 0
        return False if self._values.comes_from_outside(node) else None

    def _never_negative(self, node: t.Expr) -> _Parts:
        match node:
            case t.FloatConst():
                return True
            case t.Binary(op="*", left=left, right=right) if same(left, right):
                return True
            case t.Binary(op="+" | "*" | "/", left=left, right=right):
                return left, right
            case t.Assign(op="+=" | "*=" | "/=", target=left, value=right):
                return left, right
            case t.Call(function=t.Name(symbol=symbol)):
                return plain_name(symbol.name) in _NEVER_NEGATIVE
            case _:
                return False

    def _at_once_of_squares(self, node: t.Expr) -> bool | None:
        if self.is_never_negative(node) and self.is_steady(node):
            return True
        return False if self._values.comes_from_outside(node) else None

    def _of_squares(self, node: t.Expr) -> _Parts:
        match node:
            case t.Binary(op="*", left=left, right=right) if same(left, right):
                return True
            case t.Binary(op="+", left=left, right=right) | t.Assign(op="+=", target=left, value=right):
                return left, right
            case t.Binary(op="*" | "/", left=left, right=right) | t.Assign(op="*=" | "/=", target=left, value=right):
                positive = self.is_never_negative(right) or _is_count(right)
                return (left,) if positive and self.is_steady(right) else False
            case _:
                return False


def _is_count(node: t.Expr) -> bool:
    """Is it made of integers alone, as in `sum / ((double)n * m)`? Nobody wants the root where that is negative."""
    match node:
        case t.Binary(op="*", left=left, right=right):
            return _is_count(left) and _is_count(right)
        case t.Cast(operand=operand):
            return _is_count(operand)
        case _:
            return _is_integer(node)


def _is_integer(node: t.Expr) -> bool:
    return ty.is_arithmetic(node.type) and not is_real(node)
