"""Plan: batched division: inner loops in batches of iterations, with a speculative fast path and exact repetition.

IEEE's quotients and roots take a few instructions for normal-range operands and a call for others. Where every
operation may branch to that call, a thread does one after the other. So the iterations of an inner loop go in batches,
which the compiler unrolls: all with the few instructions, which say whether an operand was outside of the normal range
(ompc_batches.h). If one was, the group is done again as it stands in the program. Results have the same bits.

    for (j = 0; j < n; j++)             ompc::in_batches<32, int>(0, n, 1, [&](auto &arithmetic, int j, float &s) {
        s += m[j] / sqrtf(d[j]);            s += arithmetic.divide(m[j], arithmetic.sqrt(d[j]));
                                        }, s);

An iteration may be done twice when it writes only numbers of its own thread, and wrong values do no harm before they
are found out (analysis/floats/misspeculation_safety.py).

The schedule:

    axis x: i ...                        axis x: i ...
        for (j ...) s += ...;                for (j ..., 32 at a time) s += ...;
        y[i] = s;                            y[i] = s;

    In: Schedule, Nest.   Out: Schedule.
    Not here: loops with `break` or with loops inside; divisions in functions that are called; which operands need not
    be watched -- normal_range_operands.py.
    Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor" (1990).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.floats.misspeculation_safety import harmless
from ompc.analysis.floats.nan_propagation import propagated_to_sums
from ompc.analysis.floats.rsqrt import ROOTS, root_below
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import ends_early
from ompc.ir.queries import assigned_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.forms.normal_range_operands import normal_range_operations
from ompc.plan.groups.lane_terms import NotDivisibleError
from ompc.plan.groups.lane_work import carried_by, check_computes, leaves_its_variable
from ompc.plan.machine import DEVICE
from ompc.plan.model.batch_model import BatchedLoop, Batches
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.launch import StreamPlan
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.nest import Nest

_KINDS = (ty.FLOAT, ty.DOUBLE)

_SMALL, _LONG = 4, 32
"""The iterations in a batch of a loop that may be short or whose iterations differ, and the iterations from which on a
loop counts as long. They do not depend on the device: they weigh the iterations that the last batch lacks.
"""
_UNFIT = (t.For, t.While, t.DoWhile, t.Switch, t.Print)


def in_batches(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """With batched loops, and with the operations of terms that lanes share."""
    if isinstance(schedule.form, (TilePlan, TransposedPlan, RowCoarsening, StreamPlan)):
        return Refused()  # points of a tile, or rows, or neighbours, are computed together already
    found = _batches(nest, schedule.lanes)
    return Refused() if found is None else replace(schedule, batches=found)


def _batches(nest: Nest, lanes: LaneSharing | None) -> Batches | None:
    """None where there are none."""
    facts, body, contraction = nest.facts, nest.body, nest.choices.contraction
    found: dict[t.Stmt, BatchedLoop] = {}
    operations: set[t.Expr] = set()
    normal_range = normal_range_operations(body, _operations(facts, contraction, body), contraction, _functions(facts))
    rough = _approximations(facts, contraction, body)
    shared = [] if lanes is None else list(lanes.body.loops())
    inside = {node for loop in shared for node in walk(loop.loop.statement)}
    divided = {loop.loop.statement for loop in shared if isinstance(loop.how, ByLanes) and not loop.nest}
    for loop in shared:
        if loop.nest:
            continue
        fast = _operations(facts, contraction, loop.computed) - normal_range
        if loop.loop.statement not in divided and harmless(loop.computed, fast, _functions(facts)):
            operations |= fast
    for node in walk(body):
        if isinstance(node, t.For) and node not in inside - divided and node in facts.inner_loops:
            fast = _operations(facts, contraction, node.body)
            plain = rough.intersection(walk(node.body))
            batched = _batched(facts, facts.inner_loops[node], fast, normal_range, plain, contraction)
            if batched is not None:
                found[node] = batched
                operations |= fast - normal_range
    if not operations and not normal_range and not found:
        return None
    because = _because(found.values(), operations, normal_range, rough)
    return Batches(Local("arithmetic"), because, found, frozenset(operations), normal_range, frozenset(rough))


def _because(
    loops: Iterable[BatchedLoop],
    operations: Collection[t.Expr],
    normal_range: Collection[t.Expr],
    rough: Collection[t.Expr],
) -> str:
    how = [f"{batched.size} iterations of the loop over {batched.loop.var.name}" for batched in loops]
    if operations and not how:
        how.append("terms that lanes share")
    if normal_range:
        how.append("operands proved in the normal range")
    if rough:
        how.append("floats approximated (--fp fast)")
    return f"quotients and roots without branches: {', '.join(dict.fromkeys(how))}"


def _operations(facts: Facts, contraction: Contraction, body: t.Stmt) -> set[t.Expr]:
    """The quotients and roots with a fast path; the roots of contracted quotients are none of their own."""
    nodes = [node for node in walk(body) if isinstance(node, t.Expr) and not contraction.is_approximate(node.type)]
    inside = {root_below(node) for node in nodes if isinstance(node, t.Binary) and node in contraction.roots}
    return {node for node in nodes if node not in inside and _is_fast(facts, node)}


def _approximations(facts: Facts, contraction: Contraction, body: t.Stmt) -> set[t.Expr]:
    """Those that nvcc approximates, without branches."""
    nodes = (node for node in walk(body) if isinstance(node, t.Expr) and contraction.is_approximate(node.type))
    return {node for node in nodes if _is_fast(facts, node)}


def _is_fast(facts: Facts, node: t.Expr) -> bool:
    match node:
        case t.Binary(op="/", right=right) | t.Assign(op="/=", value=right):
            return node.type in _KINDS and ty.is_arithmetic(right.type) and not _is_constant(right)
        case t.Call(function=t.Name(symbol=symbol)):
            return symbol.name in ROOTS and symbol not in _functions(facts)
        case _:
            return False


def _is_constant(node: t.Expr) -> bool:
    """By a power of two, the compiler multiplies; by other constants it divides well enough."""
    return isinstance(node, t.FloatConst) or constant_value(node) is not None


def _functions(facts: Facts) -> Collection[t.Symbol]:
    return {function.symbol for function in facts.device_code.functions}


def _batched(
    facts: Facts,
    loop: CanonicalLoop,
    fast: set[t.Expr],
    normal_range: frozenset[t.Expr],
    plain: set[t.Expr],
    contraction: Contraction,
) -> BatchedLoop | None:
    """`normal_range` ones of `fast`, and `plain` ones besides, need no watching."""
    if not fast and not plain:
        return None
    nodes = list(walk(loop.body))
    words = sum((ty.size_of(operation.type) or 0) // 4 for operation in fast | plain)
    sizes = (size for most, most_words, size in DEVICE.group_sizes if len(nodes) <= most and words <= most_words)
    size = next(sizes, None)
    unfit = ends_early(loop.body) or any(isinstance(node, _UNFIT) for node in nodes)
    if size is None or loop.pointer is not None or unfit:
        return None
    if not isinstance(loop.var.type, ty.Int) or leaves_its_variable(facts, loop):
        return None
    declared = {node.symbol for node in nodes if isinstance(node, t.VarDecl)}
    try:
        check_computes(facts, loop, declared)
    except NotDivisibleError:
        return None
    written = sorted(assigned_in(loop.body) - declared, key=lambda symbol: symbol.position)
    if loop.var in written or not all(map(_is_number, written)) or not set(written).isdisjoint(facts.loop.conditional):
        return None
    watched = fast - normal_range
    if not harmless(loop.body, watched, _functions(facts)):
        return None
    carried = carried_by(facts, loop, written)
    roots = contraction.roots.intersection(watched)
    by_results = bool(roots) and propagated_to_sums(loop.body, roots, carried)
    if any(isinstance(node, t.If) for node in nodes) or not _is_long(facts, loop):
        size = _SMALL
    elif words == 1 and (by_results or plain):
        size = DEVICE.group_of_one_word
    kept, renewed = ([s for s in written if (s in carried) is wanted] for wanted in (True, False))
    return BatchedLoop(loop, tuple(kept), tuple(renewed), size, by_results, not watched)


def _is_long(facts: Facts, loop: CanonicalLoop) -> bool:
    """Has the loop as many iterations in all threads? Those of lists are often short."""
    trips = constant_value(loop.upper)
    return facts.has_fixed_bounds(loop) and (trips is None or trips >= _LONG)


def _is_number(symbol: t.Symbol) -> bool:
    return isinstance(symbol.type, (ty.Int, ty.Float)) and symbol.type != ty.BOOL
