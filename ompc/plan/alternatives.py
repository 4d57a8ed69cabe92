"""Plan: how else a kernel could be made, for `ompc tune` to try: loops and order of the grid, memory of the arrays.

    for (i ...)              inner(0)        j stays inside a thread
        for (j ...)          order(2, 1)     i is the x axis, whose neighbouring iterations are neighbouring lanes
            u[i][j] = w[3];  constant(0)     w in global memory
                             readonly(0)     what is only read does not take the read-only data path

Each is legal, and none is what the plan has chosen anyway. Left out is what a model says is hopeless: lanes of which no
access of theirs is to neighbouring elements, where there are such accesses along another axis; constant memory of which
each lane certainly reads an element of its own, one after the other.

    In: Kernel, its KernelPlan.   Out: choices, each to be tried for itself; none where the source asks for something.
    Not here: trying them -- tune/; what they do -- mapping.py, constant.py, variables.py, histograms.py, lanes.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ompc.base.options import Level
from ompc.base.tuning import MOST_ORDERED, ShapeChoices
from ompc.plan.mapping.mapping import Kernel, unit_strides
from ompc.plan.memory.constant import varying_tables
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.variable import Placement
from ompc.plan.parameters.classification import KernelParameter

NO_LANES = ShapeChoices(lanes=0)


def alternatives(kernel: Kernel, plan: KernelPlan, level: Level) -> tuple[ShapeChoices, ...]:
    """The other ways to make the kernel."""
    asked = kernel.facts.loop.override
    if level is not Level.AUTO or asked.annotated_only or (asked.shape.values() and not asked.measured):
        return ()
    return (*_mappings(kernel, plan), *_placements(kernel, plan))


def _mappings(kernel: Kernel, plan: KernelPlan) -> Iterator[ShapeChoices]:
    mapping, annotated = kernel.mapping, len(kernel.facts.loop.loops)
    for inner in range(max(len(mapping.nest) - annotated, 0)):
        yield ShapeChoices(inner=inner)
        if inner == 0 and annotated == 1:
            yield ShapeChoices(inner=0).then(NO_LANES)  # else lanes may share what is no axis any more
    if plan.own.lanes is not None:
        yield NO_LANES
    yield from _orders(kernel)


def _orders(kernel: Kernel) -> Iterator[ShapeChoices]:
    """Each other loop that could be x, the others as they are; then the others the other way round."""
    mapping, facts = kernel.mapping, kernel.facts
    if not 2 <= len(mapping.nest) <= MOST_ORDERED or not LaunchEffects.of(facts).is_order_free:
        return
    strides = {loop: unit_strides(facts, loop.var) for loop in mapping.nest}
    for x in (mapping.loops[-1], *(loop for loop in mapping.nest if loop is not mapping.loops[-1])):
        others = [loop for loop in mapping.loops if loop is not x]
        for order in permutations(others):
            same_x = x is mapping.loops[-1]
            if (list(order) == others) == same_x or (strides[x] == 0 and any(strides.values())):
                continue
            yield ShapeChoices(order=tuple(mapping.nest.index(loop) + 1 for loop in (*order, x)))


def _placements(kernel: Kernel, plan: KernelPlan) -> Iterator[ShapeChoices]:
    if plan.constants:
        yield ShapeChoices(constant=0)
    held = {v.symbol for v in plan.constants}
    tables = (parameter for parameter in varying_tables(kernel, Level.AUTO) if parameter.symbol not in held)
    if any(not _is_one_after_the_other(kernel, parameter) for parameter in tables):
        yield ShapeChoices(constant=1)
    if any(v.placement is Placement.READONLY for v in plan.arrays):
        yield ShapeChoices(readonly=0)
    if plan.own.accumulators:
        yield ShapeChoices(shared=0)


def _is_one_after_the_other(kernel: Kernel, parameter: KernelParameter) -> bool:
    """Does each lane read an element of its own? Those of one lane after the other come from constant memory."""
    x, facts = kernel.mapping.loops[-1].var, kernel.facts
    places = (facts.forms.of(subscript) for access in facts.of(parameter.obj) for subscript in access.subscripts or ())
    return any(place is not None and x in place.factors for place in places)
