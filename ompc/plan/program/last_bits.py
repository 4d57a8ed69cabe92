"""Plan: in which loops the device's floating-point numbers may differ from the host's in their last bits, and why.

    s += a[i] * x[i]            the product is fused with the sum (plan/model/contraction.py)
    y[i] = 1 / sqrt(x[i])       quotient and root are one operation
    for (k...) s += v[k]        the lanes of a warp each have a part of the sum (plan/groups/lane_sums.py)
    reduction(+: s)             threads and blocks each have a part; so have those of atomic sums, in no fixed order
    y[i] = exp(x[i])            CUDA's function, not glibc's

A product meets a sum where one of the values that an operand may have been given is that product; through memory, too.

    In: the plan, Facts.   Out: LastBits of every loop on the device for which there are any, by its id.
    Not here: which uses of a value are harmless -- analysis/floats/contraction_safety.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.floats.float_values import FloatValues, float_values, is_product, is_real
from ompc.analysis.reductions.operations import Result
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.options import FloatingPoint
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import plain_name
from ompc.omp.model import ParallelLoop
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.plan import Plan, RegionPlan

_AS_ON_THE_HOST = frozenset(
    "ceil copysign fabs fdim floor fma fmax fmin fmod ldexp logb nearbyint nextafter remainder rint round scalbln "
    "scalbn sqrt trunc".split()
)
"""Functions of which IEEE 754 or C fixes every bit of the result."""


@dataclass(frozen=True, slots=True)
class LastBits:
    """`words`: what is done otherwise, as a clause; `lines`: where, of the file that the loop stands in."""

    words: str
    lines: tuple[int, ...] = ()


def last_bits(plan: Plan, facts: Mapping[ParallelLoop, Facts | Reason]) -> Mapping[str, tuple[LastBits, ...]]:
    by_id = {loop.id: known for loop, known in facts.items() if isinstance(known, Facts)}
    made = {region.id: tuple(_of(region, by_id[region.id], plan.contraction)) for region in plan.on_device}
    return {name: found for name, found in made.items() if found}


def _of(region: RegionPlan, facts: Facts, contraction: Contraction) -> Iterator[LastBits]:
    if contraction.contracts:
        fused = _fused(facts) - contraction.exact
        yield from _at(region, "products are fused with sums", fused)
    yield from _at(region, "1 / sqrt(x) is one operation", contraction.roots & facts.inverse_roots)
    if contraction.fp is FloatingPoint.FAST:
        yield from _at(region, "quotients and roots of floats are approximations", _approximate(facts, contraction))
    yield from _regrouped(region)
    yield from _at(region, "atomic sums are formed in no fixed order", _atomic_sums(region, facts))
    yield from _at(region, "mathematical functions are CUDA's", _of_the_device(facts))


def _at(region: RegionPlan, words: str, nodes: Iterable[t.Expr]) -> Iterator[LastBits]:
    found = list(nodes)
    lines = {node.loc.line for node in found if node.loc.file == region.loop.loc.file}
    if found:
        yield LastBits(words, tuple(sorted(lines)))


def _fused(facts: Facts) -> frozenset[t.Expr]:
    """The products that an operand of a sum may be."""
    values = float_values(facts.device_code, facts.accesses)
    pending = [operand for node in facts.device_code.nodes for operand in _operands(node)]
    seen: set[t.Expr] = set()
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += _seen_through(node, values)
    return frozenset(filter(is_product, seen))


def _operands(node: object) -> tuple[t.Expr, ...]:
    match node:
        case t.Binary(op="+" | "-", left=left, right=right) if is_real(node):
            return (left, right)
        case t.Assign(op="+=" | "-=", target=target, value=value) if is_real(target):
            return (target, value)
        case _:
            return ()


def _seen_through(node: t.Expr, values: FloatValues) -> tuple[t.Expr, ...]:
    if isinstance(node, t.Unary) and node.op == "-":
        return (node.operand,)
    return values.sources(node) or ()


def _regrouped(region: RegionPlan) -> Iterator[LastBits]:
    kernel = region.kernel
    assert kernel is not None
    for lanes in (schedule.lanes for schedule in kernel.schedules):
        shares = lanes is not None and lanes.stores
        of_few = "" if lanes is None or lanes.instead is None else ", where there are few points"
        where = ", where a group of threads has an iteration" if shares else of_few
        for shared in () if lanes is None else lanes.body.loops():
            if not isinstance(shared.how, ByLanes):
                continue
            sums = [p.symbol.name for p in shared.how.partials if _is_real(p.symbol.type)]
            if sums:
                words = f"lanes each have a part of the sum {_named(sums)}{where}"
                yield LastBits(words, (shared.loop.statement.loc.line,))
    sums = [item.symbol.name for item in kernel.reductions if item.op in ("Sum", "Product") and _is_real(item.type)]
    if sums:
        yield LastBits(f"threads each have a part of the reduction {_named(sums)}")


def _is_real(kind: ty.Type) -> bool:
    return isinstance(ty.unqualified(ty.element_of(kind)), ty.Float)


def _named(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def _approximate(facts: Facts, contraction: Contraction) -> Iterator[t.Expr]:
    for node in facts.device_code.nodes:
        match node:
            case t.Binary(op="/") | t.Assign(op="/="):
                is_concerned = contraction.is_approximate(node.type)
            case t.Call(function=t.Name(symbol=symbol)):
                is_concerned = plain_name(symbol.name) == "sqrt" and contraction.is_approximate(node.type)
            case _:
                continue
        if is_concerned:
            yield node


def _atomic_sums(region: RegionPlan, facts: Facts) -> Iterator[t.Expr]:
    """Those whose order leaves a trace in nothing but the last bits, if they are not reductions now."""
    reduced = {item.symbol for item in region.loop.reductions}
    for operation in facts.atomic_operations.forms.operations:
        place = operation.object
        is_sum = operation.group is not None and not operation.in_order and operation.result is Result.NOTHING
        if is_real(place) and is_sum and not (isinstance(place, t.Name) and place.symbol in reduced):
            yield place


def _of_the_device(facts: Facts) -> Iterator[t.Expr]:
    own = {function.symbol for function in facts.device_code.functions}
    for node in facts.device_code.nodes:
        if isinstance(node, t.Call) and is_real(node) and isinstance(node.function, t.Name):
            symbol = node.function.symbol
            if symbol not in own and plain_name(symbol.name) not in _AS_ON_THE_HOST:
                yield node
