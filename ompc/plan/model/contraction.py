"""Plan: which products are contracted with sums to FMA, and which quotients 1 / sqrt(x) are one operation.

nvcc contracts what the text leaves it: products that must be rounded are printed as `ompc::mul(a, b)`, and a file of
which nothing is to be contracted is compiled with -fmad=false. As nvcc contracts a product and a sum, ompc contracts
the quotient and the root: one rounding less, and nearer to the number than the two operations (ompc_rsqrt.h).

    inverse = 1.0f / sqrtf(square);             inverse = ompc::rsqrt(square);
    if (1 / sqrt(x) < limit) ...                as it stands: a last bit decides (analysis/floats/contraction_safety.py)

It is done where every use of the value is harmless, and where it pays: not in a kernel that waits for memory anyway.
Nothing is contracted with --fp strict. With --fp fast everything is; quotients and roots of floats are the device's
approximations, and nvcc itself makes one of the two.

    In: the facts of the file's kernels, options.   Out: Contraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.floats.float_values import is_product
from ompc.analysis.locality.intensity import intensity
from ompc.base.frozen import dataclass
from ompc.base.options import FloatingPoint, Options
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import children, walk
from ompc.plan.machine import DEVICE


@dataclass(frozen=True, slots=True)
class Contraction:
    """`exact`: products that must not be contracted with sums, and quotients that stay; `roots`: quotients 1 / sqrt(x)
    that are one operation; `contracts`: is anything? The same for all kernels of the file, as they share functions.
    """

    fp: FloatingPoint
    exact: frozenset[t.Expr] = frozenset()
    roots: frozenset[t.Expr] = frozenset()
    contracts: bool = True

    def is_approximate(self, kind: ty.Type) -> bool:
        """Does nvcc approximate quotients and roots of this type?"""
        return self.fp is FloatingPoint.FAST and ty.unqualified(kind) == ty.FLOAT

    def with_renewed(self, renewed: Iterable[Mapping[t.Expr, t.Expr]]) -> Contraction:
        """Besides, the nodes of shared loops that stand for one of the nodes."""
        pairs = [pair for standing in renewed for pair in standing.items()]
        exact, roots = ({new for new, old in pairs if old in known} for known in (self.exact, self.roots))
        return replace(self, exact=self.exact | exact, roots=self.roots | roots)


def contraction(options: Options, kernels: Sequence[Facts]) -> Contraction:
    if options.fp is FloatingPoint.STRICT:
        return Contraction(options.fp, contracts=False)
    chosen = Contraction(options.fp)
    if options.fp is FloatingPoint.DEFAULT:
        paying = [facts for facts in kernels if _pays(facts)]
        exact = frozenset[t.Expr]().union(*(facts.exact for facts in kernels), _of_others(kernels, paying))
        chosen = replace(chosen, exact=exact, contracts=bool(paying) or not any(map(_multiplies_reals, kernels)))
    if not options.does("inverse-roots") or not chosen.contracts:
        return chosen
    found = {quotient for facts in kernels for quotient in facts.inverse_roots if quotient not in chosen.exact}
    return replace(chosen, roots=frozenset(node for node in found if not chosen.is_approximate(node.type)))


def _pays(facts: Facts) -> bool:
    """Is there something to contract, and is it not clear that the kernel waits for memory? What it reads by subscripts
    from memory may come from a cache.
    """
    if not _multiplies_reals(facts) and not facts.inverse_roots:
        return False
    found = intensity(facts)
    return bool(found.unknown) or found.double + found.single / 2 >= DEVICE.operations_per_byte * found.once


def _multiplies_reals(facts: Facts) -> bool:
    return any(isinstance(node, t.Expr) and is_product(node) for node in facts.device_code.nodes)


def _of_others(kernels: Sequence[Facts], paying: Sequence[Facts]) -> Iterator[t.Expr]:
    """What may meet a sum in kernels that do not gain, and in functions that only these call."""
    shared = {function.symbol for facts in paying for function in facts.device_code.functions}
    for facts in kernels:
        if facts not in paying:
            own = [function.body for function in facts.device_code.functions if function.symbol not in shared]
            for body in (facts.device_code.body, *own):
                yield from () if body is None else _may_meet_sums(body)
            yield from facts.inverse_roots.intersection(walk(facts.device_code.body))


def _may_meet_sums(body: t.Stmt) -> Iterator[t.Expr]:
    factors = {child for node in walk(body) if _multiplies(node) for child in children(node)}
    return (node for node in walk(body) if isinstance(node, t.Expr) and is_product(node) and node not in factors)


def _multiplies(node: object) -> bool:
    """Are its operands no operands of a sum?"""
    return isinstance(node, t.Binary) and node.op in ("*", "/", "<", "<=", ">", ">=", "==", "!=")
