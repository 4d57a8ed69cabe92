"""Analysis: C integer expressions as isl affine expressions over a loop nest.

`Nest` gives isl names to the variables of a kernel (i0, i1, ... for loop counters, p0, p1, ... for launch-invariant
integers) and writes the iteration domain of an access. Everything that is not affine is None: the caller falls back.

    for (i = 1; i < n - 1; i++) for (j = 0; j < m; j++)  ... u[i][j + 1]
        domain    1 <= i0 < p0 - 1 and 0 <= i1 < p1
        subscript i1 + 1

Where unsigned arithmetic could wrap round or a conversion change the value, nothing is affine (integers/ranges.py).
Source: Feautrier, "Dataflow analysis of array and scalar references", IJPP 1991.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ompc.analysis.integers.ranges import Range, counter_range, is_endless, is_widest, keeps_value
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.omp.model import CanonicalLoop


@dataclass(slots=True)
class Nest:
    """Names for isl. `invariant` are the integer variables that the kernel does not change.

    `counters` are the loops entered so far; `named` all names given, also to loops that were left again.
    """

    invariant: frozenset[t.Symbol]
    counters: dict[t.Symbol, str] = field(default_factory=dict)
    parameters: dict[t.Symbol, str] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    ranges: dict[t.Symbol, Range] = field(default_factory=dict)

    def affine(self, node: t.Expr) -> str | None:
        """`node` as isl text, or None when it is not affine."""
        constant = constant_value(node)
        if constant is not None:
            return str(constant)  # isl takes a factor in parentheses for no constant
        match node:
            case t.Name(symbol=symbol):
                return self._name(symbol)
            case t.Unary(op="+", operand=operand):
                return self.affine(operand)
            case t.Unary(op="-", operand=operand) if _is_signed(node):
                inner = self.affine(operand)
                return None if inner is None else f"(-{inner})"
            case t.Cast(operand=operand) if ty.is_integer(node.type) and keeps_value(node, self.ranges):
                return self.affine(operand) if ty.is_integer(operand.type) else None
            case t.Binary(op="+" | "-" | "*" as op, left=left, right=right) if ty.is_integer(node.type):
                return self._arithmetic(op, left, right) if keeps_value(node, self.ranges) else None
            case _:
                return None

    def _arithmetic(self, op: str, left: t.Expr, right: t.Expr) -> str | None:
        if op == "*" and constant_value(left) is None and constant_value(right) is None:
            return None
        a, b = self.affine(left), self.affine(right)
        return None if a is None or b is None else f"({a} {op} {b})"

    def _name(self, symbol: t.Symbol) -> str | None:
        if symbol in self.counters:
            return self.counters[symbol]
        if symbol in self.invariant and ty.is_integer(symbol.type):
            return self.parameters.setdefault(symbol, f"p{len(self.parameters)}")
        return None

    def enter(self, loop: CanonicalLoop) -> str | None:
        """Give the counter of `loop` a name;
        the constraints on its values as isl text, None when they are not affine.
        """
        lower, upper = self.affine(_converted(loop.lower, loop.var.type)), self.affine(loop.upper)
        if lower is None or upper is None or loop.constant_step is None or is_endless(loop):
            return None
        self.ranges[loop.var] = counter_range(loop, self.ranges)
        name = self.counters[loop.var] = f"i{len(self.named)}"
        self.named.append(name)
        return " and ".join(iterations(loop, name, lower, upper))


def iterations(loop: CanonicalLoop, counter: str, lower: str | None, upper: str | None) -> Iterator[str]:
    """Constraints on the counter of a loop with these bounds; what is not known is none."""
    relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
    if lower is not None:
        yield f"{counter} <= {lower}" if loop.down else f"{lower} <= {counter}"
    if upper is not None:
        yield f"{counter} {relation} {upper}"
    if lower is not None and loop.constant_step != 1:
        yield f"(exists e: {counter} = {lower} {'-' if loop.down else '+'} {loop.constant_step} * e)"
    if lower is not None and upper is not None:
        yield from _where_it_starts(loop, lower, upper)


def _converted(value: t.Expr, kind: ty.Type) -> t.Expr:
    """`value` as what a variable of this type is after its assignment."""
    kind = ty.unqualified(kind)
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)


def _where_it_starts(loop: CanonicalLoop, lower: str, upper: str) -> Iterator[str]:
    """A number of 64 bits that would be negative with a sign is beyond all others: no iterations begin there.

    As in `for (size_t k = n - 2; k < n; k++)` with n = 1, which turns nowhere.
    """
    least, greatest = (upper, lower) if loop.down else (lower, upper)
    known = constant_value(loop.upper if loop.down else loop.lower)
    if is_widest(loop.var.type) and loop.relation != "!=" and not (known is not None and 0 <= known < 1 << 63):
        yield f"({least} >= 0 or {greatest} < 0)"


def _is_signed(node: t.Expr) -> bool:
    return isinstance(node.type, ty.Int) and node.type.signed
