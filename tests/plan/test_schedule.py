"""Schedule trees: one point a thread, each form's rewrite, the rules of all of them, and loops left to one thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel

from ompc.base.options import Level
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.launch import SlicePlan
from ompc.plan.model.plan import KernelPlan, Plan
from ompc.plan.model.schedule import (
    Accumulate,
    Axis,
    Barrier,
    OnePoint,
    Schedule,
    Scope,
    Slots,
    StripLoop,
    Strips,
    TilePoints,
    Tiles,
    in_order,
)
from ompc.plan.model.tile_model import TransposedPlan
from ompc.plan.schedule.alone import LoopAlone, loops_alone
from ompc.plan.schedule.show import show_schedules
from ompc.plan.schedule.verify import broken_rules

PlanOf = Callable[..., Plan]
ARRAYS = "int n; double a[256][256], b[256][256], c[256][256], s[256]; int count[64]; unsigned char d[4096];"


def region(text: str) -> str:
    return f"{ARRAYS}\nvoid f(double *out)\n{{\n    double sum = 0, last = 0;\n    {text}\n    *out = sum + last;\n}}\n"


STENCIL = """#pragma omp parallel for reduction(+: sum)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            a[i][j] = b[i - 1][j] + b[i][j];
            sum += b[i][j];
        }"""
TRANSPOSE = """#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j][i] = b[i][j];"""
PRODUCT = """#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];"""
ROW_SUMS = """#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int k = 0; k < n; k++)
            t += a[i][k];
        s[i] = t;
    }"""
HISTOGRAM = """#pragma omp parallel for
    for (int i = 0; i < 4096; i++) {
        #pragma omp atomic
        count[d[i] & 63]++;
    }"""
PLAIN = """#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++)
        s[i] = last = i;"""


def forms_of(schedule: Schedule) -> tuple[str, ...]:
    return tuple(type(axis.taken).__name__ for axis in schedule.axes)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        (PLAIN, [("OnePoint",)]),
        (STENCIL, [("Strips", "OnePoint")]),
        (TRANSPOSE, [("OnePoint", "OnePoint"), ("Tiles", "Tiles")]),
        (PRODUCT, [("OnePoint", "OnePoint"), ("Tiles", "Tiles")]),
        (ROW_SUMS, [("Slots",)]),
        (HISTOGRAM, [("Strips",)]),
    ],
)
def test_each_form_takes_iterations_in_its_way(plan_of: PlanOf, text: str, forms: list[tuple[str, ...]]) -> None:
    found = kernel(plan_of(region(text))).schedules
    assert [forms_of(schedule) for schedule in found] == forms
    assert len({schedule.kernel for schedule in found}) == len(found)


def test_other_levels_have_one_point_a_thread(plan_of: PlanOf) -> None:
    (schedule,) = kernel(plan_of(region(STENCIL), Level.THESIS)).schedules
    assert forms_of(schedule) == ("OnePoint",)


def test_the_text_form(plan_of: PlanOf) -> None:
    assert show_schedules(plan_of(region(TRANSPOSE))) == """\
f of region f: one point a thread
    axis y: i = 0; i < n; i += 1 (n iterations)
    axis x: j = 0; j < n; j += 1 (n iterations)
        body, line 8
f_transposed of region f: transposed through tiles
    axis y: i = 0; i < n; i += 1 (n iterations), up to 32 by a block at a time
    axis x: j = 0; j < n; j += 1 (n iterations), up to 32 by a block at a time
        points of the tile along x
            body, line 8
        barrier
        points of the tile along y
            stage out a[j][i] in a_tile
        barrier
"""


def test_what_is_combined_and_what_is_last_is_said(plan_of: PlanOf) -> None:
    text = show_schedules(plan_of(region(STENCIL))) + show_schedules(plan_of(region(PLAIN)))
    assert "combine sum, Sum, grid\n" in text
    assert "in the last iteration: last\n" in text


# ------------------------------------------------------------------------------------------------ the rules


@pytest.fixture
def transposed(plan_of: PlanOf) -> tuple[KernelPlan, Schedule]:
    found = kernel(plan_of(region(TRANSPOSE)))
    return found, found.schedules[1]


def broken(found: KernelPlan, schedule: Schedule) -> str:
    return "; ".join(broken_rules(found, schedule))


def test_schedules_of_plans_break_no_rule(plan_of: PlanOf) -> None:
    for text in (PLAIN, STENCIL, TRANSPOSE, PRODUCT, ROW_SUMS, HISTOGRAM):
        found = kernel(plan_of(region(text)))
        assert [broken(found, schedule) for schedule in found.schedules] == [""] * len(found.schedules)


def test_axes_have_an_order(transposed: tuple[KernelPlan, Schedule]) -> None:
    found, schedule = transposed
    assert "loops on the axes x, y" in broken(found, replace(schedule, axes=schedule.axes[::-1]))
    assert "loops on the axes y" in broken(found, replace(schedule, axes=schedule.axes[:1]))


@pytest.mark.parametrize(
    ("taken", "effects"),
    [
        (Strips, LaunchEffects(prints=True)),
        (Strips, LaunchEffects(last_values=True)),
        (Strips, LaunchEffects(extrema=True)),
        (Tiles, LaunchEffects(combinations=True)),
        (Tiles, LaunchEffects(league=True)),
        (Slots, LaunchEffects(ends=True)),
        (Slots, LaunchEffects(last_values=True)),
    ],
)
def test_effects_forbid_ways_of_taking(
    plan_of: PlanOf, taken: type[Strips | Tiles | Slots], effects: LaunchEffects
) -> None:
    text = {Strips: STENCIL, Tiles: TRANSPOSE, Slots: ROW_SUMS}[taken]
    found = kernel(plan_of(region(text)))
    schedule = found.schedules[-1]
    assert taken in {type(axis.taken) for axis in schedule.axes}
    assert "in a way that the launch's effects forbid" in broken(replace(found, effects=effects), schedule)


def test_a_launch_with_a_last_value_is_not_sliced(plan_of: PlanOf) -> None:
    found = kernel(plan_of(region(PLAIN)))
    (schedule,) = found.schedules
    sliced = replace(schedule, axes=(replace(schedule.axes[0], slices=SlicePlan("begin", {})), *schedule.axes[1:]))
    assert "in slices" in broken(found, sliced)


def test_all_threads_come_to_a_barrier(transposed: tuple[KernelPlan, Schedule]) -> None:
    found, schedule = transposed
    plain = replace(schedule, axes=schedule.with_axes({"x": OnePoint(), "y": OnePoint()}))
    assert "a barrier in loops that the threads of a block leave at different times" in broken(found, plain)
    tiles = schedule.form_of(TransposedPlan)
    assert tiles is not None
    inside = replace(schedule, body=TilePoints("x", tiles, in_order([schedule.body, Barrier()])))
    assert "a barrier inside of what each thread does for itself" in broken(found, inside)
    assert isinstance(schedule.axes[0].taken, Tiles)
    strip = StripLoop(found.grid[0], Strips(2, schedule.axes[0].taken.form), Barrier())  # type: ignore[arg-type]
    assert "a barrier inside" in broken(found, replace(schedule, body=strip))


def test_staged_elements_do_not_change(plan_of: PlanOf) -> None:
    found = kernel(plan_of(region(PRODUCT)))
    written = tuple(replace(v, writes=1) if v.symbol.name == "b" else v for v in found.arrays)
    assert "stages 'b', which is not read-only" in broken(replace(found, arrays=written), found.schedules[1])


def test_tiles_fit_into_shared_memory(transposed: tuple[KernelPlan, Schedule]) -> None:
    found, schedule = transposed
    tiles = schedule.form_of(TransposedPlan)
    assert tiles is not None
    wide = Tiles(64, replace(tiles, elements=tiles.elements * 8))
    assert "do not fit into shared memory" in broken(found, replace(schedule, axes=schedule.with_axes({"y": wide})))


def test_forms_take_one_loop(transposed: tuple[KernelPlan, Schedule]) -> None:
    found, schedule = transposed
    both = Axis((*schedule.axes[0].loops, *schedule.axes[0].loops), schedule.axes[0].taken)
    assert "several loops are taken together" in broken(found, replace(schedule, axes=(both, schedule.axes[1])))


def test_blocks_combine_where_all_threads_come(plan_of: PlanOf) -> None:
    found = kernel(plan_of(region(PLAIN)))
    (schedule,) = found.schedules
    combined = replace(schedule, combined=(Accumulate("s", "Sum", Scope.BLOCK),))
    assert broken(found, combined) == ""
    assert "not all threads come to the end" in broken(replace(found, effects=LaunchEffects(prints=True)), combined)


# ------------------------------------------------------------------------------------------------ loops alone


def alone(plan: Plan, level: Level = Level.AUTO) -> list[tuple[str | None, str | None, str]]:
    (found,) = plan.regions
    return [(each.variable, each.iterations, each.because) for each in loops_alone(found, level)]


LOOPS_ALONE = [
    ("for (int j = 0; j < n; j++) a[i][j] = i;", []),
    ("for (int j = 0; j < 16; j++) s[i] += a[i][j] * j;", []),
    (
        "for (int j = 1; j < n; j++) a[i][j] = a[i][j - 1] + 1;",
        ["an iteration uses 'a[i][j]' of an earlier one (line 6)"],
    ),
    (  # at most 16 times, whatever n is
        "for (int j = 1; j < n; j++) for (int k = 16 * j; k < (16 * j + 16 < n ? 16 * j + 16 : n); k++) "
        "a[i][k + 1] = a[i][k] * a[i][j];",
        ["iterations may touch the same element of 'a'"],
    ),
    (  # the least of three numbers
        "int m = i + 9; for (int j = 1; j < n; j++) for (int k = 16 * j; k < ((16 * j + 8 < n ? 16 * j + 8 : n) < m "
        "? (16 * j + 8 < n ? 16 * j + 8 : n) : m); k++) a[i][k + 1] = a[i][k] * a[i][j];",
        ["iterations may touch the same element of 'a'"],
    ),
    (
        "int first = 1, last = 5; if (s[i] > 1) first = 5; if (s[i] < 0) last = 1; "
        "for (int j = first - 1; j < last; j++) a[i][j] = 0;",
        [],
    ),
    ("int k = 100 * i; for (int j = 0; j < n; j++) d[k++] = j;", []),
    (
        "int j = 1; while (j < n && a[i][j] > 0) j++; s[i] = j;",
        ["whether it turns again depends on 'j', which its turns change"],
    ),
    ("int j = 1; do { s[i] += a[i][j]; if (s[i] > 9) break; j++; } while (1);", ["it can be left early"]),
    ("while (a[i][0] > 1) a[i][0] /= 2;", ["whether it turns again depends on 'a', which its turns change"]),
    ("for (int j = 0; j < n; j++) { if (b[i][j] > 2) break; a[i][j] = 1; }", ["it can be left early"]),
    (
        "for (int j = 1; j < n; j++) { b[i][j] = b[i][j - 1] + j; for (int k = 0; k < j; k++) c[i][k] = j; }",
        [],  # a group goes through j together, and shares each loop over k
    ),
    ("double t = 0; for (int k = 0; k < n; k++) t += b[i][k] * k; for (int j = 0; j < n; j++) a[i][j] = t;", []),
    (
        "double t = 1; for (int k = 0; k < n; k++) t = t * b[i][k] + k; for (int j = 0; j < n; j++) a[i][j] = t;",
        ["its iterations are independent, but it needs 't', which an iteration of the loop around it computes first"],
    ),
    (
        "double t[40]; int k = i % 8; for (int j = 0; j < 40; j++) t[j] = i + j; "
        "for (int j = 1; j < 40; j++) { double *to = &t[k]; *to += t[j]; } a[i][1] = t[k];",
        ["its iterations are independent", "iterations may touch the same element of 't': '*to' at line 6"],
    ),
]


@pytest.mark.parametrize(("body", "because"), LOOPS_ALONE)
def test_long_loops_of_one_thread_have_a_reason(plan_of: PlanOf, body: str, because: list[str]) -> None:
    text = f"#pragma omp parallel for\n    for (int i = 0; i < n; i++) {{ {body} }}"
    found = alone(plan_of(region(text)))
    assert len(found) == len(because), found
    for (_, _, why), part in zip(found, because, strict=True):
        assert part in why


def test_what_a_group_shares_is_not_alone(plan_of: PlanOf) -> None:
    assert alone(plan_of(region(ROW_SUMS))) == []


def test_a_loop_alone_has_its_place(plan_of: PlanOf) -> None:
    (found,) = plan_of(region(PRODUCT)).regions
    assert loops_alone(found, Level.AUTO) == ()  # blocks stage what they read for their points
    (found,) = plan_of(region(PRODUCT), without=frozenset(("tiles", "kept-elements"))).regions
    because = "iterations may touch the same element of 'c': 'c[i][j]' at line 9"
    assert loops_alone(found, Level.AUTO) == (LoopAlone(8, "k", "n", because),)


def test_other_levels_say_that_they_ask_for_nothing(plan_of: PlanOf) -> None:
    plan = plan_of(region(TRANSPOSE), Level.THESIS)
    ((variable, iterations, because),) = alone(plan, Level.THESIS)
    assert (variable, iterations) == ("j", "n")
    assert because == "its iterations are independent, but only annotated loops are axes at this level of `--opt`"
