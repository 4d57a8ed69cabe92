"""Analysis: C integer expressions as isl affine expressions over a loop nest.

`Nest` gives isl names to the variables of a kernel (i0, i1, ... for loop counters, p0, p1, ... for launch-invariant
integers) and writes the iteration domain of an access. Everything that is not affine is None: the caller falls back.

    for (i = 1; i < n - 1; i++) for (j = 0; j < m; j++)  ... u[i][j + 1]
        domain    1 <= i0 < p0 - 1 and 0 <= i1 < p1
        subscript i1 + 1

Where unsigned arithmetic could wrap round or a conversion change the value, nothing is affine (integers/ranges.py).
Source: Feautrier, "Dataflow analysis of array and scalar references", IJPP 1991; sets by isl (Verdoolaege, ICMS 2010).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import islpy as isl

from ompc.analysis.integers.ranges import Range, counter_range, is_endless, keeps_value
from ompc.base.diagnostics import InternalError
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.omp.model import CanonicalLoop

MOST_OPERATIONS, LEAST_OPERATIONS = 16_000, 500
"""The most and the fewest isl operations that a question is granted; the answer is unknown when they run out. One
question in a thousand needs more than 4,000; strides of 3 and 1000 in one subscript use up whatever they are granted.
"""

FEW_VARIABLES = 12
"""The most variables of a question that gets its full share of operations. With more of them the numbers in isl's
tables get long, and an operation takes many times as long.
"""

PARTS_READ_TOGETHER = 50
"""The most parts of a union that isl reads at once. Reading takes a time that grows with the square of the number of
parts, 5 s for 5,000; two sets that have been read become one at once.
"""

OPERATIONS_OF_FILE = 160_000
"""The isl operations that all the questions about one file which remain without an answer may cost together. A question
gets a quarter of what is left at most, or LEAST_OPERATIONS, so that something is left for those behind it.
"""


@dataclass(slots=True)
class _Allowance:
    """What isl may still do for a file. `asked`: where the last question was asked, which had `granted` operations."""

    left: int = OPERATIONS_OF_FILE
    granted: int = 0
    asked: isl.Context | None = None

    def begin(self) -> None:
        self.left, self.asked = OPERATIONS_OF_FILE, None

    def grant(self, context: isl.Context, variables: int) -> int:
        """For the next question, which is asked in `context` about sets with at most so many variables."""
        if self.asked is not None and _has_none_left(self.asked):
            self.left -= self.granted
        self.asked, self.granted = context, max(LEAST_OPERATIONS, min(MOST_OPERATIONS, self.left // 4))
        share = min(1.0, FEW_VARIABLES / max(1, variables))
        return int(self.granted * share * share * share)


_LISTS = re.compile(r"(?:exists |\[)([^]:]*)\]? ?:")
"""Matches the dimensions of a set, and the variables that are quantified in its constraints."""


def _variables(text: str) -> int:
    """Of the part of the set that has most."""
    return max(sum(found[1].count(",") + 1 for found in _LISTS.finditer(part)) for part in text.split(";"))


_ALLOWANCE = _Allowance()


def begin_file() -> None:
    """From here on questions are about another file."""
    _ALLOWANCE.begin()
    _ANSWERS.clear()


def _has_none_left(context: isl.Context) -> bool:
    try:
        isl.Space.params_alloc(context, 0)
    except isl.Error:
        return True
    return False


class Sets:
    """Sets of one context of isl's. Each text is parsed once: walks over code ask for the same ones again and again."""

    def __init__(self) -> None:
        self._context = isl.Context()
        self._read: dict[str, isl.Set] = {}
        self._most_variables = 0

    def read(self, text: str) -> isl.Set:
        """The set that `text` describes; questions about it may take a bounded time. InternalError: it is no isl."""
        self._most_variables = max(self._most_variables, _variables(text))
        granted = _ALLOWANCE.grant(self._context, self._most_variables)
        self._context.set_max_operations(0)
        found = self._read.get(text)
        if found is None:
            try:
                found = self._read[text] = isl.Set.read_from_str(self._context, text)
            except isl.Error as error:
                raise InternalError(f"isl cannot read {text}: {error}") from None
        self._context.reset_operations()
        self._context.set_max_operations(granted)
        return found

    def union(self, parameters: str, parts: Sequence[str]) -> isl.Set:
        """Of one set or more such as `[a0] : 0 <= a0 < p0`, with `parameters` such as `p0, p1`; else as `read`."""
        together = range(0, len(parts), PARTS_READ_TOGETHER)
        sets = [self.read(f"[{parameters}] -> {{ {'; '.join(parts[k : k + PARTS_READ_TOGETHER])} }}") for k in together]
        while len(sets) > 1:
            pairs = zip(sets[::2], sets[1::2], strict=False)
            sets = [one.union(other) for one, other in pairs] + sets[len(sets) & ~1 :]
        return sets[0]


def is_empty(text: str) -> bool:
    """Is the set that `text` describes empty? Raises isl.Error where that is too much to ask."""
    if text not in _ANSWERS:
        try:
            _ANSWERS[text] = bool(Sets().read(text).is_empty())
        except isl.Error:
            _ANSWERS[text] = None
    answer = _ANSWERS[text]
    if answer is None:
        raise isl.Error("the question is too large")
    return answer


def only_value(text: str) -> int | None:
    """The number that is all there is in a set of one dimension, whatever its parameters; None: there are others."""
    found = Sets().read(text)
    low, high = found.dim_min_val(0), found.dim_max_val(0)
    return low.to_python() if low.is_int() and low.eq(high) else None


_ANSWERS: dict[str, bool | None] = {}
"""The answers to questions about the file. None: the question was too large. It is not asked again, since what is left
for it only gets less.
"""


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
        step = loop.constant_step
        if lower is None or upper is None or step is None or is_endless(loop):
            return None
        self.ranges[loop.var] = counter_range(loop, self.ranges)
        name = self.counters[loop.var] = f"i{len(self.named)}"
        self.named.append(name)
        relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
        sign = "-" if loop.down else "+"
        stride = "" if step == 1 else f" and (exists e: {name} = {lower} {sign} {step} * e)"
        first = f"{name} <= {lower}" if loop.down else f"{lower} <= {name}"
        starts = _where_it_starts(loop, lower, upper)
        return f"{first} and {name} {relation} {upper}{stride}{starts}"


def _converted(value: t.Expr, kind: ty.Type) -> t.Expr:
    """`value` as what a variable of this type is after its assignment."""
    kind = ty.unqualified(kind)
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)


def _where_it_starts(loop: CanonicalLoop, lower: str, upper: str) -> str:
    """A number of 64 bits that would be negative with a sign is beyond all others: no iterations begin there.

    As in `for (size_t k = n - 2; k < n; k++)` with n = 1, which turns nowhere.
    """
    kind = loop.var.type
    least, greatest = (upper, lower) if loop.down else (lower, upper)
    known = constant_value(loop.upper if loop.down else loop.lower)
    signed = not isinstance(kind, ty.Int) or kind.signed or kind.size < 8
    if signed or loop.relation == "!=" or (known is not None and 0 <= known < 1 << 63):
        return ""
    return f" and ({least} >= 0 or {greatest} < 0)"


def _is_signed(node: t.Expr) -> bool:
    return isinstance(node.type, ty.Int) and node.type.signed
