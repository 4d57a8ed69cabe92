"""Loops with `scan`: the schedule of their kernel, and which stay on the host."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ompc
from ompc.base.options import Level
from ompc.plan.model.plan import Plan
from ompc.plan.model.scan_model import TILE
from ompc.plan.schedule.show import show_schedules

PROGRAM = """
int a[1000], b[1000], c[1000], big[1000];
void f(int n, int m)
{{
    int s = 0, t = 1, own, pair[2];
    float other = 0;
    #pragma omp parallel for reduction(inscan, + : s) {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
    (void)own;
}}
"""
INCLUSIVE = "#pragma omp scan inclusive(s)"
EXCLUSIVE = "#pragma omp scan exclusive(s)"


def lines(*parts: str) -> str:
    return "\n".join(parts)


@pytest.mark.parametrize("level", Level)
def test_the_phases_stand_around_the_prefixes(plan_of: Callable[..., Plan], level: Level) -> None:
    body = lines("s += a[i];", INCLUSIVE, "{ own = s; b[i] = own; }")
    plan = plan_of(PROGRAM.format(clauses="lastprivate(own)", body=body), level)
    assert show_schedules(plan) == (
        "f of region f: prefixes in one pass\n"
        "    axis x: i = 0; i < n; i += 1 (n iterations), up to 4096 by a block at a time, in their order\n"
        "        points of the thread\n"
        "            body, line 9\n"
        "        prefix of s, Sum, inclusive\n"
        "        points of the thread\n"
        "            body, line 11\n"
        "            in the last iteration: own\n"
        "    combine s, Sum, grid\n"
    )


def test_the_input_phase_comes_first(plan_of: Callable[..., Plan]) -> None:
    body = lines("b[i] = s;", EXCLUSIVE, "s += a[i];")
    text = show_schedules(plan_of(PROGRAM.format(clauses="", body=body)))
    assert text.index("line 11") < text.index("prefix of s, Sum, exclusive") < text.index("line 9")


def test_inner_loops_stay_in_a_thread(plan_of: Callable[..., Plan]) -> None:
    inside = "for (int k = 0; k < m; k++) big[i * m + k] = s;"
    text = show_schedules(plan_of(PROGRAM.format(clauses="", body=lines("s += a[i];", INCLUSIVE, inside))))
    assert "axis y" not in text


def test_loops_of_a_collapse_have_one_order(plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(clauses="collapse(2)", body="for (int k = 0; k < m; k++) { BODY }")
    text = text.replace("BODY", lines("s += a[i * m + k];", INCLUSIVE, "b[i * m + k] = s;"))
    assert "axis x: i = 0; i < n; i += 1 (n iterations), k = 0; k < m; k += 1" in show_schedules(plan_of(text))


HOST = {
    "a value": ("private(own)", lines("{ own = a[i]; s += own; }", INCLUSIVE, "b[i] = s - own;"), "OMPC367"),
    "an array": ("private(pair)", lines("{ pair[0] = i; s += 1; }", INCLUSIVE, "b[i] = pair[0];"), "OMPC367"),
    "a last value": ("lastprivate(own)", lines("{ own = a[i]; s += own; }", INCLUSIVE, "b[i] = own;"), "OMPC367"),
    "one of some": ("private(own)", lines("{ if (a[i]) own = 1; s += 1; }", INCLUSIVE, "b[i] = own;"), "OMPC367"),
    "changed behind": ("", lines("s += a[i];", INCLUSIVE, "{ b[i] = s; s = 0; }"), "OMPC344"),
    "by its address": ("", lines("s += a[i];", INCLUSIVE, "{ int *p = &s; b[i] = *p; }"), "OMPC344"),
    "no sum": ("", lines("s = 2 * s + a[i];", INCLUSIVE, "b[i] = s;"), "OMPC344"),
    "one further": ("", lines("s += a[i];", INCLUSIVE, "a[i + 1] = s;"), "OMPC367"),
    "one before": ("", lines("s += a[i + 1];", INCLUSIVE, "a[i] = s;"), "OMPC367"),
    "written and read": ("", lines("{ c[i] = a[i]; s += 1; }", INCLUSIVE, "b[i] = c[i / 2] + s;"), "OMPC367"),
    "anywhere": ("", lines("s += b[a[i]];", INCLUSIVE, "b[i] = s;"), "OMPC367"),
    "by another operator": ("", lines("s *= a[i];", INCLUSIVE, "b[i] = s;"), "OMPC344"),
    "read before": ("", lines("{ c[i] = s; s += a[i]; }", INCLUSIVE, "b[i] = s;"), "OMPC344"),
}


@pytest.mark.parametrize(("clauses", "body", "code"), HOST.values(), ids=HOST)
def test_what_stays(plan_of: Callable[..., Plan], clauses: str, body: str, code: str) -> None:
    (region,) = plan_of(PROGRAM.format(clauses=clauses, body=body)).regions
    assert region.reason is not None and region.reason.code == code


DEVICE = {
    "each phase its own": ("private(own)", lines("{ own = a[i]; s += own; }", INCLUSIVE, "{ own = s; b[i] = own; }")),
    "read in both": ("firstprivate(t)", lines("s += a[i] * t;", INCLUSIVE, "b[i] = s * t;")),
    "by memory": ("", lines("{ c[i] = a[i] * a[i]; s += c[i]; }", INCLUSIVE, "b[i] = s - c[i];")),
    "in place": ("", lines("s += a[i];", INCLUSIVE, "a[i] = s;")),
    "in place, before": ("", lines("a[i] = s;", EXCLUSIVE, "s += a[i];")),
    "anywhere, one phase": ("", lines("{ s += a[i]; }", INCLUSIVE, "b[a[i]] = c[b[i]] + s;")),
    "nothing in": ("", lines("{ }", INCLUSIVE, "b[i] = s;")),
    "nothing seen": ("", lines("s += a[i];", INCLUSIVE, "{ }")),
}


@pytest.mark.parametrize(("clauses", "body"), DEVICE.values(), ids=DEVICE)
def test_what_goes(plan_of: Callable[..., Plan], clauses: str, body: str) -> None:
    (region,) = plan_of(PROGRAM.format(clauses=clauses, body=body)).regions
    assert region.reason is None


@pytest.mark.parametrize("level", Level)
def test_arrays_must_not_overlap(plan_of: Callable[..., Plan], level: Level) -> None:
    text = PROGRAM.format(clauses="", body=lines("s += from[i];", INCLUSIVE, "to[i] = s;"))
    (region,) = plan_of(text.replace("int n, int m", "int n, const int *from, int *to"), level).regions
    assert [v.symbol.name for v in region.variables if v.distinct] == ["from", "to"]


def test_rows_may_overlap_each_other(plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(clauses="", body=lines("s += rows[i][0];", INCLUSIVE, "rows[i][0] = s;"))
    (region,) = plan_of(text.replace("int n, int m", "int n, int **rows")).regions
    assert region.reason is not None and region.reason.code == "OMPC367"


def test_plan_and_runtime_have_the_same_tiles() -> None:
    (header,) = (Path(ompc.__file__).parent / "runtime").rglob("ompc_scan_tiles.h")
    threads, rows = (re.search(rf"{name} = (\d+)", header.read_text()) for name in ("scan_threads", "scan_rows"))
    assert threads and rows and int(threads[1]) * int(rows[1]) == TILE
