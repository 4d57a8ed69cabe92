"""Forms of a kernel: the values of its template parameters, and by what a launcher chooses among them.

    template <bool aligned, int points>                                     `template_head`
    __global__ void relax(...)

    launch.dispatch(shape,                                                  `forms`
                    {OMPC_FORM(points == 2 && aligned, relax<true, 2>),
                     OMPC_FORM(points == 2, relax<false, 2>),
                     ...
                     OMPC_FORM(true, relax<false, 1>)},
                    d_u.get(), trips);

Each part of a plan that makes the kernel a template adds one choice, a line of `_choices`; forms are all combinations,
except that a thread has one row where arrays are not aligned. The first form whose condition holds is launched, and the
last one's always does.

    In: Schedule, the launcher's names.   Out: text.   Not here: what the parameters do in the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ompc.base.frozen import dataclass
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan
from ompc.render.launcher.declarations import Locals

ALWAYS = "true"


@dataclass(frozen=True, slots=True)
class Choice:
    """Template parameters that have their values together: `values` as (condition, template arguments)."""

    parameters: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """`when`: a condition on what the launcher knows; `kernel`: with its template arguments."""

    when: str
    kernel: str


def _either(name: Name, condition: str) -> Choice:
    return Choice(f"bool {name}", ((condition, "true"), (ALWAYS, "false")))


def _choices(schedule: Schedule, names: Locals) -> Iterator[Choice]:
    lanes, rows = schedule.lanes, schedule.form_of(RowCoarsening)
    if rows is not None:
        yield _of_rows(schedule, rows, names)
    elif schedule.vectors is not None:
        yield _either(schedule.vectors.relied_on, names.aligned)
    if rows is None and schedule.once is not None:
        yield _either(schedule.once, f"{names.shape}.whole")
    if lanes is not None and lanes.unroll_and_jam is not None:
        points = lanes.unroll_and_jam.names["points"]
        yield Choice(f"int {points}", ((f"{points} == 2", "2"), (ALWAYS, "1")))
    if lanes is not None and lanes.by_block is not None:
        yield _either(lanes.by_block.name, f"{lanes.group}.by_block")
    if schedule.accumulators:
        yield _either(schedule.accumulators[0].exist, f"{names.shape}.shared != 0")


def _of_rows(schedule: Schedule, plan: RowCoarsening, names: Locals) -> Choice:
    """`once`: the grid has a thread for each point, and its loops have one turn. With arrays that are not aligned there
    is one row, for any grid.
    """
    rows, n, vectors = names.rows, plan.names, schedule.vectors
    parameters, values = f"int {n['rows']}", [(f"{rows} == 8", "8"), (f"{rows} == 4", "4"), (ALWAYS, "1")]
    if schedule.once is not None:
        whole = [(f"{rows} == {count} && {names.shape}.whole", f"{count}, true") for count in (8, 4)]
        parameters += f", bool {schedule.once}"
        values = [*whole, *((condition, f"{count}, false") for condition, count in values)]
    if vectors is None:
        return Choice(parameters, tuple(values))
    *several, (_, one) = values
    aligned = [(condition, f"{value}, true") for condition, value in (*several, (names.aligned, one))]
    return Choice(f"{parameters}, bool {vectors.relied_on}", (*aligned, (ALWAYS, f"{one}, false")))


def template_head(schedule: Schedule, names: Locals) -> str:
    """The template parameters; empty: the kernel is no template."""
    return ", ".join(choice.parameters for choice in _choices(schedule, names))


def forms(schedule: Schedule, names: Locals) -> list[Form]:
    """All forms of the kernel, in the order in which they are asked for."""
    found = []
    for values in product(*(choice.values for choice in _choices(schedule, names))):
        when = " && ".join(condition for condition, _ in values if condition != ALWAYS)
        arguments = ", ".join(argument for _, argument in values)
        found.append(Form(when or ALWAYS, f"{schedule.kernel}<{arguments}>" if arguments else str(schedule.kernel)))
    return found


def forms_of_tiles(tiles: TilePlan, names: Locals) -> list[Form]:
    """By the points of a thread. Products of doubles are never added for one alone."""
    *counts, least = (8, 4, 2) if tiles.product else (8, 4, 2, 1)
    asked = [(f"{names.tiling}.points == {points}", points) for points in counts]
    return [Form(when, f"{tiles.kernel}<{points}>") for when, points in (*asked, (ALWAYS, least))]


def rows_asked(schedule: Schedule, plan: RowCoarsening) -> tuple[str, str]:
    """The launch's method that finds how many rows a thread gets, and the form that it may ask the device about. Where
    there is a thread for each point, four rows are better than eight, unless they lie behind each other.
    """
    once = schedule.once is not None
    most = 4 if once and plan.axis == "y" else 8
    values = [str(most)] + ["true"] * once + ["true"] * (schedule.vectors is not None)
    return f"rows<{most}>" if once else "rows", f"OMPC_KERNEL({schedule.kernel}<{', '.join(values)}>)"
