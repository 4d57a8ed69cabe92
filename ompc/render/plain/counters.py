"""The counters of a plain kernel's loops, and how many iterations its launch function counts.

    i = 1; i < n; i++            1 + index            i >= n: beyond     n - 1 iterations
    i = 0; i < n; i += 2         2 * index            i >= n             (n - 1) / 2 + 1
    i = n - 1; i >= 0; i--       n - 1 - index        i < 0              n
    i = k + 1; i < n; i++        k + 1 + index        i >= n             n - (long)(k + 1)

A thread's index is `blockIdx.x * blockDim.x + threadIdx.x`. The last block's threads, and those that go on, count
beyond the end: what keeps their counters in range is the limit that `blocks` checks, and where a loop does not begin
at a number (or, downward, end at one), an assertion of the launch function about the other end.

In: GridLoop, a printer of expressions.   Out: text.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.plan.model.launch import Bound, GridLoop
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.types import TypePrinter

BEYOND: Mapping[str, str] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MARGIN = "(1 << 22)"
"""More than a counter moves beyond the end: the threads of a launch."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Of the loops of one kernel."""

    expressions: ExpressionPrinter
    types: TypePrinter

    def bound(self, bound: Bound) -> str:
        """As the kernel and its launch function say it."""
        if bound.constant is not None and bound.expr is None:
            return str(bound.constant)
        return str(bound.name) if bound.expr is None else self.expressions.first_term(bound.expr)

    # ------------------------------------------------------------ in the kernel

    def head(self, loop: GridLoop) -> str:
        kind, name, axis = self.kind(loop), loop.variable, loop.axis
        condition = f"{name} {loop.loop.relation} {self.bound(loop.upper)}"
        times = f"{loop.step.constant} * " if loop.step.constant != 1 else ""
        step = f"{times}gridDim.{axis} * {_wide(loop, kind)}blockDim.{axis}"
        return f"for ({kind} {name} = {self.first(loop)}; {condition}; {name} {'-' if loop.loop.down else '+'}= {step})"

    def first(self, loop: GridLoop) -> str:
        """The thread's first value."""
        axis, begin = loop.axis, self.bound(loop.lower)
        index = f"blockIdx.{axis} * {_wide(loop, self.kind(loop))}blockDim.{axis} + threadIdx.{axis}"
        if loop.step.constant != 1:
            index = f"{loop.step.constant} * ({index})"
        elif loop.loop.down:
            index = f"({index})"
        return f"{begin} {'-' if loop.loop.down else '+'} {index}" if loop.loop.down or begin != "0" else index

    def beyond(self, loop: GridLoop) -> str:
        """Is the thread's value behind the loop's last?"""
        return f"{loop.variable} {BEYOND[loop.loop.relation]} {self.bound(loop.upper)}"

    def is_last(self, loop: GridLoop) -> str:
        """Is the thread's value, one of the loop's, its last?"""
        step, down, ends_with = loop.step.constant or 1, loop.loop.down, loop.loop.relation.endswith("=")
        end = self.bound(loop.upper)
        if step == 1:
            beside = end if ends_with else less_by(end, -1 if down else 1)
            return f"{loop.variable} == {beside}"
        return f"{loop.variable} {'-' if down else '+'} {step} {BEYOND[loop.loop.relation]} {end}"

    def kind(self, loop: GridLoop) -> str:
        return self.types.declare(ty.unqualified(loop.lower.type))

    # ------------------------------------------------------------ in the launch function

    def is_empty(self, loop: GridLoop) -> str:
        """Has it no iterations? Empty: it certainly has."""
        low, high = _ends(loop)
        ends_with = loop.loop.relation.endswith("=")
        if low.constant is not None and high.constant is not None and low.constant < high.constant + ends_with:
            return ""
        sign = ">" if loop.loop.down else "<"
        return f"{self.bound(loop.upper)} {sign}{'' if ends_with else '='} {self.bound(loop.lower)}"

    def count(self, loop: GridLoop) -> str:
        """How many iterations it has, if it has any."""
        low, high = _ends(loop)
        is_one, ends_with = loop.step.constant == 1, loop.loop.relation.endswith("=")
        more = ends_with if is_one else ends_with - 1  # besides the difference of the ends
        top = self.bound(high)
        if low.constant is not None:
            between = less_by(top, low.constant - more)
        else:
            own = low.type if low.expr is None else low.expr.type
            wide = "" if ty.size_of(own) == 8 else "(long)"
            bottom = self.bound(low)
            bottom = bottom if bottom.isidentifier() else f"({bottom})"
            between = f"{less_by(top, -more)} - {wide}{bottom}"
        if is_one:
            return between
        return f"{between if between.isidentifier() else f'({between})'} / {loop.step.constant} + 1"

    def longest(self, loop: GridLoop) -> str:
        """How many iterations it may have at most, where that is not what `blocks` takes for it; empty: it is."""
        if ty.size_of(loop.lower.type) == 8:
            return "LONG_MAX"
        far = 1 << 30
        is_near = all(end.constant is not None and abs(end.constant) < far for end in (loop.lower, loop.upper))
        if loop.step.constant == 1 or is_near:
            return ""
        return f"INT_MAX / {loop.step.constant} - {_MARGIN}"

    def far_end(self, loop: GridLoop) -> str:
        """What must hold of the end that counters pass where the other one is no number, in C; empty: nothing."""
        if ty.size_of(loop.lower.type) == 8 or _ends(loop)[0].constant is not None:
            return ""
        end, margin = self.bound(loop.upper), f"{loop.step.constant} * {_MARGIN}" * (loop.step.constant != 1) or _MARGIN
        return f"{end} >= INT_MIN + {margin}" if loop.loop.down else f"{end} <= INT_MAX - {margin}"


def _ends(loop: GridLoop) -> tuple[Bound, Bound]:
    """The lower and the higher one."""
    return (loop.upper, loop.lower) if loop.loop.down else (loop.lower, loop.upper)


def _wide(loop: GridLoop, kind: str) -> str:
    """Indices are 32 bits wide, as is their product."""
    return f"({kind})" if ty.size_of(loop.lower.type) == 8 else ""


def less_by(upper: str, less: int) -> str:
    """`upper - less`, of which a number is the end of it."""
    head, sign, tail = upper.rpartition(" - ") if " - " in upper else upper.rpartition(" + ")
    if sign and tail.isdecimal() and head.isidentifier():
        less += int(tail) if sign == " - " else -int(tail)
        upper = head
    if upper.isdecimal():
        return str(int(upper) - less)
    return upper if not less else f"{upper} - {less}" if less > 0 else f"{upper} + {-less}"
