"""Which additions to integers blocks collect in shared memory under auto, in kernels and in loops that they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import Level
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.model.plan import Plan
from ompc.plan.model.schedule import OnePoint
from ompc.plan.verify import verify_plan

PROGRAM = """
struct cell {{ double weight; int many; }};
static int large[100000], twice[300], table[8][9000];
static double reals[100000];
static long wide[8][9000];
static volatile int seldom[100000];
static void count_in(int *of) {{
    #pragma omp atomic
    ++*of;
}}
void run(int n, const int *key, int **row, long **sums, unsigned char **narrow, double **real, struct cell **cells,
         int *out)
{{
    int seen = 0; (void)seen;
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""

ATOMIC = "\n#pragma omp atomic\n"
IN_TWICE = "int *p = key[i] & 1 ? twice : twice + 9;"


@pytest.mark.parametrize(
    ("clauses", "body", "collected"),
    [
        ("", f"{ATOMIC}row[key[i] & 3][key[i] >> 2]++;", "*row"),
        ("", f"{ATOMIC}sums[0][key[i]] -= 2;", "*sums"),
        ("", f"{ATOMIC}narrow[1][key[i]] = 3 + narrow[1][key[i]];", "*narrow"),
        ("", f"{ATOMIC}cells[0][key[i]].many += i;", "*cells"),
        ("", f"{ATOMIC}large[key[i]]++;", "large"),
        ("", f"{IN_TWICE} {ATOMIC}p[key[i]]++;", "twice"),
        ("", f"if (key[i] > 3) {{ {ATOMIC}row[0][key[i]]++; }}", "*row"),
        ("", f"for (int k = 0; k < 3; k++) {{ {ATOMIC}row[k][key[i]] += k; }}", "*row"),
        ("", f"{ATOMIC}row[0][i / 64]++;", "*row"),
        ("", f"{ATOMIC}row[0][key[i]]++; {ATOMIC}large[key[i]]--;", "large, *row"),
        ("", f"{ATOMIC}row[0][key[i]]++; {ATOMIC}sums[0][key[i]]--;", "*row"),
        ("reduction(+ : seen)", f"seen += key[i]; {ATOMIC}row[0][key[i]]++;", "*row"),
        # as many turns of a loop in each iteration, so that blocks have as much to do
        ("", f"for (int k = 0; k < i; k++) {{ {ATOMIC}row[0][key[k]]++; }}", None),
        ("", f"int k = key[i]; while (k > 9) {{ {ATOMIC}row[0][k]++; k /= 2; }}", None),
        # elements of the iterations' own, values that are asked for, what is seen, other operations and types
        ("", f"{ATOMIC}row[0][i] += key[i];", None),
        ("", f"{ATOMIC}row[i][key[i]]++;", None),
        ("private(seen)", "\n#pragma omp atomic capture\nseen = row[0][key[i]]++; out[i] = seen;", None),
        ("", f"{ATOMIC}row[0][key[i]]++; out[i] = row[1][i];", None),
        ("", f"{ATOMIC}row[0][key[i]] ^= i;", None),
        ("", f"{ATOMIC}row[0][key[i]]++; {ATOMIC}row[1][key[i]] |= 1;", None),
        ("", f"{ATOMIC}row[0][key[i]] += 0.5;", None),
        ("", f"{ATOMIC}real[0][key[i]] += 1;", None),
        ("", f"{ATOMIC}reals[key[i]] += 1;", None),
        ("", f"{ATOMIC}cells[0][key[i]].many++; out[i] = cells[0][0].weight > 3;", None),
        ("", "count_in(&row[0][key[i]]);", None),
        ("collapse(2)", f"for (int k = 0; k < n; k++) {{ {ATOMIC}row[0][key[k]]++; }}", None),
    ],
)
def test_collected(clauses: str, body: str, collected: str | None, plan_of: Callable[..., Plan]) -> None:
    if "collapse" in clauses:  # no loop may stand in braces of its own
        program = PROGRAM.format(clauses=clauses, body="\v").replace("{\n        \v\n    }", body)
    else:
        program = PROGRAM.format(clauses=clauses, body=body)
    found = kernel(plan_of(program)).own.collected
    assert [each.words for each in found] == ([] if collected is None else [collected])


@pytest.mark.parametrize(
    ("body", "collected"),
    [
        ("for (int k = key[i]; k < key[i + 1]; k++) table[i][out[k]]++;", ["table"]),
        ("for (int k = key[i]; k < key[i + 1]; k++) table[i][out[k]] -= k; table[i][0]++;", ["table"]),
        ("table[i][3] = n; for (int k = 0; k < n; k++) table[i][out[k]] += 2;", ["table"]),
        ("for (int k = 0; k < n; k++) table[i][out[k]] += 2; for (int k = 0; k < n; k++) table[i][k] *= 2;", ["table"]),
        # each entry has its own; the counter is seen, or another operation is done
        ("for (int k = 0; k < n; k++) table[i][k] += out[k];", []),
        ("for (int k = 0; k < n; k++) out[i * 9000 + k] = table[i][key[k]]++;", []),
        ("for (int k = 0; k < n; k++) table[i][key[k]] ^= k;", []),
    ],
)
def test_of_shared_loops(body: str, collected: list[str], plan_of: Callable[..., Plan]) -> None:
    schedules = kernel(plan_of(PROGRAM.format(clauses="", body=body))).schedules
    assert [each.words for schedule in schedules for each in collected_by(schedule)] == collected


def test_one_type_in_shared_loops(plan_of: Callable[..., Plan]) -> None:
    """A block has no room for tables of two."""
    body = (
        "for (int k = 0; k < n; k++) wide[i][out[k]]++; for (int k = 0; k < n; k++) table[i][out[k]] += 2;"
        " for (int k = 0; k < n; k++) wide[i][key[k]] += k;"
    )
    schedules = kernel(plan_of(PROGRAM.format(clauses="", body=body))).schedules
    assert [each.words for schedule in schedules for each in collected_by(schedule)] == ["wide", "wide"]


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto(level: Level, plan_of: Callable[..., Plan]) -> None:
    program = PROGRAM.format(clauses="", body=f"{ATOMIC}large[key[i]]++;")
    assert not kernel(plan_of(program, level)).own.collected


def test_verified(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses="", body=f"{ATOMIC}large[key[i]]++;"))
    own = kernel(plan).own
    strided = replace(own, axes=own.with_axes({"x": OnePoint()}))
    with pytest.raises(InternalError, match="neighbouring iterations"):
        verify_plan(with_schedule(plan, strided))
    nothing = replace(own, combined=())
    with pytest.raises(InternalError, match="neighbouring iterations"):
        verify_plan(with_schedule(plan, nothing))
