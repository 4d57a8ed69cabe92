"""What a launcher says of the work of an iteration: `9.0 + 12.0 * m`, in doubles, which nothing overflows.

In: the work as a polynomial.   Out: an expression.
"""

from __future__ import annotations

from ompc.analysis.integers.polynomials import Polynomial
from ompc.ir import tree as t
from ompc.plan.model.names import spelled


def work(iteration: Polynomial) -> str:
    """About so many operations, over the launcher's parameters."""
    if iteration.constant is not None:
        return f"{max(iteration.constant, 1)}"
    text = ""
    for factors, coefficient in sorted(iteration.terms, key=lambda term: len(term[0])):
        sign = (" - " if coefficient < 0 else " + ") if text else "-" * (coefficient < 0)
        names = "".join(f" * {spelled(factor.name)}" for factor in factors if isinstance(factor, t.Symbol))
        text += f"{sign}{abs(coefficient)}.0{names}" if names else f"{sign}{abs(coefficient)}"
    return text
