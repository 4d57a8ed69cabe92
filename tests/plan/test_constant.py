"""What lives in constant memory: the thesis' rule, and the proof of uniform indices with reads per byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.base.options import Level
from ompc.base.source import NOWHERE
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.memory.constant import Candidate, place
from ompc.plan.model.plan import Plan
from ompc.plan.model.variable import Placement

PROGRAM = """
#define N 1000
static double w[33], x[N + 33], y[N], z[N][8], table[64];
static double at(const double *v, int k) {{ return v[k]; }}
void f(int n)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def placements(plan: Plan) -> dict[str, Placement]:
    return {v.symbol.name: v.placement for region in plan.regions for v in region.variables}


@pytest.mark.parametrize(
    ("body", "auto", "thesis"),
    [
        ("double s = 0; for (int k = 0; k < 33; k++) s += w[k] * x[i + k]; y[i] = s;", True, True),
        (
            "for (int j = 0; j < 8; j++)"
            " { double s = 0; for (int k = 0; k < 33; k++) s += w[k] * x[i + k]; z[i][j] = s; }",
            True,
            True,
        ),
        ("for (int j = 0; j < 8; j++) z[i][j] = w[j];", False, True),
        ("y[i] = w[i % 33];", False, True),
        ("y[i] = w[3];", True, True),
        ("y[i] = w[n % 33];", True, True),
        ("int k = 0; while (k < 33 && x[i] > w[k]) k++; y[i] = k;", False, True),  # k counts under a varying condition
        ("int k = i > 3 ? 1 : 2; y[i] = w[k];", False, True),
        ("int k = 5; if (i > 3) k = 6; y[i] = w[k];", False, True),
        ("double s = 0; for (int k = i; k < 33; k++) s += w[k]; y[i] = s;", False, True),
        ("double s = 0; for (int k = 0; k < i % 33; k++) s += w[k]; y[i] = s;", True, True),
        ("y[i] = at(w, 4);", True, False),  # passed to a function: not looked at by the thesis (4.2.1)
        ("y[i] = at(w, i % 33);", False, False),
        ("const double *p = &w[2]; y[i] = *p;", True, False),
        ("const double *p = &w[i % 33]; y[i] = *p;", False, False),
        ("w[i % 33] = 1; y[i] = 0;", False, False),
        ("w[(int)x[i]] += i; y[i] = 0;", False, False),
    ],
)
def test_a_small_table(plan_of: Callable[..., Plan], body: str, auto: bool, thesis: bool) -> None:
    text = PROGRAM.format(body=body)
    assert (placements(plan_of(text, Level.AUTO))["w"] is Placement.CONSTANT) is auto
    assert (placements(plan_of(text, Level.THESIS))["w"] is Placement.CONSTANT) is thesis
    assert placements(plan_of(text, Level.BASELINE))["w"] is Placement.GLOBAL


def candidate(name: str, size: int, reads: int, position: int) -> Candidate:
    symbol = t.Symbol(name, ty.Array(ty.CHAR, size), t.Storage.FILE_STATIC, NOWHERE, position)
    return Candidate(symbol, size, reads)


def test_thesis_takes_them_in_the_order_found_while_they_fit() -> None:
    candidates = [candidate("a", 40_000, 1, 0), candidate("b", 30_000, 900, 1), candidate("c", 25_536, 5, 2)]
    choice = place(candidates, Level.THESIS)
    assert [symbol.name for symbol in choice.chosen] == ["a", "c"]
    assert "30000 bytes" in next(iter(choice.refused.values()))


def test_auto_takes_the_most_read_per_byte_first() -> None:
    candidates = [candidate("a", 40_000, 1, 0), candidate("b", 30_000, 900, 1), candidate("c", 25_536, 5, 2)]
    assert [symbol.name for symbol in place(candidates, Level.AUTO).chosen] == ["b", "c"]


def test_exactly_64_kb_fits() -> None:
    assert place([candidate("a", 65_536, 1, 0)], Level.THESIS).chosen
    assert not place([candidate("a", 65_537, 1, 0)], Level.THESIS).chosen


def test_one_budget_for_all_kernels_of_the_file(plan_of: Callable[..., Plan]) -> None:
    text = """
    static double a[5000], b[5000], y[10];
    void f(void) {
        #pragma omp parallel for
        for (int i = 0; i < 10; i++) y[i] = a[7];
        #pragma omp parallel for
        for (int i = 0; i < 10; i++) y[i] += b[7] + a[3];
    }
    """
    for level in (Level.THESIS, Level.AUTO):
        plan = plan_of(text, level)
        assert [str(constant.name) for constant in plan.constants] == ["a"]
        assert placements(plan)["b"] is not Placement.CONSTANT


def test_written_in_one_kernel_constant_in_another(plan_of: Callable[..., Plan]) -> None:
    text = """
    static double a[50], y[10];
    void f(void) {
        #pragma omp parallel for
        for (int i = 0; i < 50; i++) a[i] = i;
        #pragma omp parallel for
        for (int i = 0; i < 10; i++) y[i] = a[7];
    }
    """
    first, second = plan_of(text).regions
    assert {v.symbol.name: v.placement for v in first.variables}["a"] is Placement.GLOBAL
    assert {v.symbol.name: v.placement for v in second.variables}["a"] is Placement.CONSTANT


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("y[i] = p[0] + p[2];", 3),
        ("double s = 0; for (int k = 0; k < 9; k++) s += p[k]; y[i] = s;", 9),
        ("y[i] = p[1];", None),  # what is in front of it may be nobody's
        ("y[i] = p[0] + p[m];", None),
        ("if (i > 3) y[i] = p[0];", None),  # perhaps there is nothing
        ("if (y[i] > 3) y[i] = p[0];", None),
        ("y[i] = p[i];", None),
        ("y[i] = p[0] + p[9000];", None),  # too large
        ("y[i] = p[0]; p[1] = 0;", None),
        ("y[i] = q->a + q->b[1];", 1),
    ],
)
def test_behind_pointers(plan_of: Callable[..., Plan], body: str, size: int | None) -> None:
    """As large as what is certainly read from the first element on; `thesis` knows of no such table."""
    text = f"""
    struct s {{ int a; double b[2]; }};
    void f(double *restrict y, double *p, struct s *q, int n, int m) {{
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {{ {body} }}
    }}
    """
    found = [constant.type for constant in plan_of(text).constants]
    assert [kind.length for kind in found if isinstance(kind, ty.Array)] == ([] if size is None else [size])
    assert plan_of(text, Level.THESIS).constants == ()


def test_two_sizes_behind_one_pointer(plan_of: Callable[..., Plan]) -> None:
    text = """
    void f(double *restrict y, double *p) {
        #pragma omp parallel for
        for (int i = 0; i < 50; i++) y[i] = p[0] + p[1];
        #pragma omp parallel for
        for (int i = 0; i < 50; i++) y[i] = p[0] + p[2];
    }
    """
    first, second = plan_of(text).regions
    assert {v.symbol.name: v.placement for v in first.variables}["p"] is Placement.CONSTANT
    assert {v.symbol.name: v.placement for v in second.variables}["p"] is Placement.READONLY


ASKED = """
static double w[33], y[1000], huge[9000];
void f(double *p)
{{
    #pragma cuda gpurun {clauses}
    #pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        y[i] = w[i % 33] + w[3] + huge[i] + p[(int)w[3]];
}}
"""


@pytest.mark.parametrize("level", list(Level))
def test_the_user_decides(plan_of: Callable[..., Plan], level: Level) -> None:
    plan = plan_of(ASKED.format(clauses="constant(w) threadblocksize(64)"), level)
    assert placements(plan)["w"] is Placement.CONSTANT
    assert plan.regions[0].kernel is not None and plan.regions[0].kernel.threads == 64
    assert plan.warnings == ()
    plan = plan_of(ASKED.format(clauses="noconstant(w)"), level)
    assert placements(plan)["w"] is not Placement.CONSTANT


@pytest.mark.parametrize("name", ["y", "huge", "p"])
def test_what_would_be_wrong_is_refused(plan_of: Callable[..., Plan], name: str) -> None:
    plan = plan_of(ASKED.format(clauses=f"constant({name})"))
    assert placements(plan)[name] is not Placement.CONSTANT
    assert [warning.code for warning in plan.warnings] == ["OMPC358"]
