"""The list of rewrites: each has a name of its own that users know, and a file of its own that shows what it does."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import combinations

import pytest
from single_kernel import kernel

from ompc.base.optimisations import OPTIMISATIONS, WITHOUT
from ompc.base.options import FloatingPoint, Level
from ompc.base.tuning import ALLOWED
from ompc.plan.model.plan import Plan
from ompc.plan.schedule.rewrites import REWRITES, Beside, Rewrite, Together

NAMES = [rewrite.name for rewrite in REWRITES]
AT_A_RUN = {one.name for one in OPTIMISATIONS if one.is_of_run}


def change_of(rewrite: Rewrite | Beside | Together) -> Callable[..., object]:
    return rewrite.make if isinstance(rewrite, Beside) else rewrite.change


def test_no_name_is_there_twice() -> None:
    known = [one.name for one in OPTIMISATIONS]
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(known)) == len(known)


@pytest.mark.parametrize("name", NAMES)
def test_each_can_be_left_out(name: str) -> None:
    assert name in WITHOUT or name in AT_A_RUN


@pytest.mark.parametrize("rewrite", REWRITES, ids=NAMES)
def test_what_is_better_is_tried_before(rewrite: Rewrite | Beside | Together) -> None:
    assert set(rewrite.unless) <= set(NAMES[: NAMES.index(rewrite.name)])


def test_each_has_a_file_of_its_own() -> None:
    modules = [change_of(rewrite).__module__ for rewrite in REWRITES]
    assert len(set(modules)) == len(modules)


@pytest.mark.parametrize("rewrite", REWRITES, ids=NAMES)
def test_its_file_shows_the_schedule_before_and_after(rewrite: Rewrite | Beside | Together) -> None:
    text = sys.modules[change_of(rewrite).__module__].__doc__ or ""
    assert re.search(r"^The schedule( \(.+\))?:\n\n    axis \w: .+ {2,}axis \w: ", text, re.MULTILINE), text


def test_each_kernel_of_a_launch_has_a_number_that_can_be_asked_for() -> None:
    beside = [rewrite for rewrite in REWRITES if isinstance(rewrite, Beside)]
    sets = [some for count in range(len(beside) + 1) for some in combinations(beside, count)]
    apply = [some for some in sets if not any(set(each.unless) & {other.name for other in some} for each in some)]
    assert max(map(len, apply)) == max(ALLOWED["schedule"])


# ------------------------------------------------------------------------------ those of groups

PROGRAM = """
void f(int n, int m, const int *row, const float *w, const float *x, float *y)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        float s = 0;
        {body}
        y[i] = s;
    }}
}}
"""
ROWS = "for (int k = row[i]; k < row[i + 1]; k++) s += w[k] * x[k];"
QUOTIENTS = "for (int k = 0; k < m; k++) s += 1 / (x[k] + w[i]);"
IN_ORDER = "for (int k = 0; k < m; k++) if (w[i * m + k] > s) s = w[i * m + k];"


def shape_of(plan: Plan) -> tuple[str, bool, bool]:
    """Which threads the group has, whether it is for several iterations, and whether there is the second form."""
    lanes = kernel(plan).own.lanes
    if lanes is None:
        return "alone", False, False
    return lanes.group_of.value, lanes.unroll_and_jam is not None, lanes.by_block is not None


@pytest.mark.parametrize(
    ("body", "without", "expected"),
    [
        (ROWS, (), ("lanes", False, True)),
        (ROWS, ("block-rows",), ("lanes", False, False)),
        (ROWS, ("helping-warps", "unroll-and-jam"), ("lanes", False, True)),
        (ROWS, ("shared-loops",), ("alone", False, False)),
        (QUOTIENTS, (), ("warps", True, False)),
        (QUOTIENTS, ("unroll-and-jam",), ("warps", False, False)),
        (QUOTIENTS, ("shared-loops",), ("alone", False, False)),
        (IN_ORDER, (), ("producers", False, False)),
        (IN_ORDER, ("shared-loops", "unroll-and-jam", "block-rows"), ("producers", False, False)),
        (IN_ORDER, ("helping-warps",), ("alone", False, False)),
    ],
)
def test_each_leaves_out_what_it_makes(
    plan_of: Callable[..., Plan], body: str, without: tuple[str, ...], expected: tuple[str, bool, bool]
) -> None:
    plan = plan_of(PROGRAM.format(body=body), Level.AUTO, FloatingPoint.DEFAULT, without=frozenset(without))
    assert shape_of(plan) == expected
