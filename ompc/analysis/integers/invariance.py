"""Analysis: invariance: has an expression one value wherever a region of the program evaluates it?

    for (i = 0; i < n; i++)                     the launch does not change n, m and g, nor any int that g->nx may be
        for (j = 0; j < g->nx - m / 2; j++)     the bound: one value in the launch
            a[i * m + j] = 0;                   i * m: one value in each execution of the loop over j

It has where it is integer arithmetic on variables that the region does not change, and on memory that it does not
write, at places that are invariant themselves. The region is what its two questions say: a launch (`Facts.invariance`),
one execution of a loop (the counters around it are `fixed` too), what all threads of a team run.

Not arithmetic is what need not have one value, or may do more than have one:

    x * y + z       one place may be contracted to an FMA, another one, or the launcher's compiler, leaves it alone;
                    so comparisons of floating-point variables are arithmetic, sums and conversions of them are not
    f(n), n++       a call, an assignment, and the comma that stands behind one
    sizeof(a)       of variable length: the length that the declaration found
    volatile int    may change at any time

    In: an expression, a region's two answers.   Out: the first part that may change, or None.
    Not here: equal values in all lanes at one time (locality/uniform.py) or in all threads (flow/team_uniform.py), the
    same bits of floating-point values (floats/steadiness.py), what other code of a team may do meanwhile
    (privatisation/concurrent_context.py).
    Source: loop-invariant expressions, Aho, Lam, Sethi and Ullman, "Compilers", 9.5.1.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.walk import children

_INEXACT = (ty.Float, ty.Complex)


def nothing(lvalue: t.Expr) -> bool:
    """All memory may change."""
    return False


@dataclass(frozen=True, slots=True)
class Invariance:
    """`fixed`: has the variable one value in the region? `keeps`: does what the region writes leave this element or
    member alone, wherever it is, if that does not change? Without an answer all memory may change.
    """

    fixed: Callable[[t.Symbol], bool]
    keeps: Callable[[t.Expr], bool] = nothing

    def holds(self, *exprs: t.Expr | None) -> bool:
        """Are all of them invariant? None is: the step that a loop's head does not give."""
        return all(expr is None or self.obstacle(expr) is None for expr in exprs)

    def obstacle(self, expr: t.Expr) -> t.Expr | None:
        """The first part, in the order of the text, that may change or may not be evaluated again; None: invariant."""
        pending = [expr]
        while pending:
            node = pending.pop()
            if constant_value(node) is None:
                if not self._is_kept(node):
                    return node
                pending += [part for part in reversed(tuple(children(node))) if isinstance(part, t.Expr)]
        return None

    def _is_kept(self, node: t.Expr) -> bool:
        """Is the node invariant if its operands are?"""
        if node.type.quals & {"volatile", "_Atomic"}:
            return False
        match node:
            case t.Name(symbol=symbol):
                return self.fixed(symbol)
            case t.Index() | t.Member() | t.Unary(op="*"):
                return not (ty.is_scalar(node.type) or ty.is_number(node.type)) or self.keeps(node)
            case t.Binary() | t.Unary(op="+" | "-" | "~" | "!") | t.Conditional():
                return not isinstance(node.type, _INEXACT)
            case t.Cast(type=kind, operand=operand):
                return not isinstance(kind, _INEXACT) and not isinstance(operand.type, _INEXACT)
            case _:
                return False
