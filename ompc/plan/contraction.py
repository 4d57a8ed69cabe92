"""Plan: which quotients 1 / sqrt(x) are one operation.

As nvcc contracts a product and a sum to FMA, which rounds once instead of twice, ompc contracts the quotient and the
root: one rounding less, and nearer to the number than the two operations (ompc_rsqrt.h has the bounds).

    inverse = 1.0f / sqrtf(square);             inverse = ompc::rsqrt(square);
    if (1 / sqrt(x) < limit) ...                as it stands: a last bit decides (analysis/exactness.py)

Nothing is contracted with --fp strict. With --fp fast, quotients and roots of floats are the device's approximations,
and nvcc itself makes one of the two.

    In: the facts of the file's kernels, options.   Out: Contraction.
    Not here: the contraction of products with sums, which is nvcc's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ompc.analysis.facts import Facts
from ompc.options import FloatingPoint, Options
from ompc.sema import tree as t
from ompc.sema import types as ty


@dataclass(frozen=True, slots=True)
class Contraction:
    """`exact`: products that must not be contracted with sums, and quotients that stay; `roots`: quotients 1 / sqrt(x)
    that are one operation. The same for all kernels of the file, as they share functions.
    """

    fp: FloatingPoint
    exact: frozenset[t.Expr] = frozenset()
    roots: frozenset[t.Expr] = frozenset()

    def is_approximate(self, kind: ty.Type) -> bool:
        """Does nvcc approximate quotients and roots of this type?"""
        return self.fp is FloatingPoint.FAST and ty.unqualified(kind) == ty.FLOAT

    def with_renewed(self, renewed: Iterable[Mapping[t.Expr, t.Expr]]) -> Contraction:
        """Besides, the nodes of shared loops that stand for one of the nodes."""
        pairs = [pair for standing in renewed for pair in standing.items()]
        exact, roots = ({new for new, old in pairs if old in known} for known in (self.exact, self.roots))
        return replace(self, exact=self.exact | exact, roots=self.roots | roots)


def contraction(options: Options, kernels: Sequence[Facts]) -> Contraction:
    exact = frozenset[t.Expr]()
    if options.fp is FloatingPoint.DEFAULT:
        exact = exact.union(*(facts.exact for facts in kernels))
    chosen = Contraction(options.fp, exact)
    if not options.does("inverse-roots") or options.fp is FloatingPoint.STRICT:
        return chosen
    found = {quotient for facts in kernels for quotient in facts.inverse_roots if quotient not in exact}
    return replace(chosen, roots=frozenset(node for node in found if not chosen.is_approximate(node.type)))
