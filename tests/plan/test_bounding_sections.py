"""What launchers say of arrays whose rows are as long as a variable says: exactly what is touched, or what may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.plan.memory.copy_in_elimination import lmad_text
from ompc.plan.model.extent import BlockExtent, BoundingExtent, SectionExtent
from ompc.plan.model.plan import Plan

PROGRAM = """
struct point {{ float x, y; double z; }};
struct line {{ int n; double a; int data[]; }};
void f(int n, int m, unsigned un, unsigned long long big, const double *a, double *b, const int *at, struct point *p,
       struct line *l, double (*rows)[m])
{{
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""
INNER = "for (int j = 0; j < m; j++)"


def extents(plan: Plan) -> dict[str, str]:
    """`exact: ...` or `within: ...` with the accesses and their loops, `section` or `block`."""
    (region,) = plan.regions
    assert region.kernel is not None, region.reason
    found: dict[str, str] = {}
    for v in region.variables:
        match v.extent:
            case BoundingExtent(bounding_section=bounding_section):
                kind = "exact" if bounding_section.exact else "within"
                found[v.device_name] = f"{kind}: {'; '.join(map(lmad_text, bounding_section.lmads))}"
            case SectionExtent():
                found[v.device_name] = "section"
            case BlockExtent():
                found[v.device_name] = "block"
            case _:
                pass
    return found


OVER = "for 0 <= i < n, 0 <= j < m"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{INNER} b[i * m + j] = 1;", f"exact: b[i * m + j] {OVER}"),
        (f"{INNER} b[(i + 1) * m + j] = b[(i + 1) * m + j + 2];", f"exact: b[(i + 1) * m + j] {OVER}"),
        (f"{INNER} {{ double *q = b + i * m; q[j] = 1; }}", f"exact: q[j] {OVER}"),
        (f"double *q = &b[i * m]; {INNER} {{ double *r = q + j; *r = 1; }}", f"exact: *r {OVER}"),
        (f"double *end = b + n * m - i * m; {INNER} *(end - j) = 1;", f"exact: *(end - j) {OVER}"),
        # variables that the body assigns
        (f"int k; k = i + 1; {INNER} b[k * m + j] = 1;", f"exact: b[k * m + j] {OVER}"),
        # may not be touched
        (f"{INNER} if (a[j] > 0) b[i * m + j] = 1;", f"within: b[i * m + j] {OVER}"),
        (f"{INNER} {{ b[i * m + j] = 0; if (a[j] > 0) b[i * m + j] = 1; }}", f"exact: b[i * m + j] {OVER}"),
        ("for (int j = 0; j <= i; j++) b[i * m + j] = 1;", "within: b[i * m + j] for 0 <= i < n, 0 <= j <= i"),
        ("for (int j = m; j > i; j--) b[i * m + j] = 1;", "within: b[i * m + j] for 0 <= i < n, m >= j > i"),
        ("for (int j = i; j < at[i]; j++) b[i * m] += 1;", "within: b[i * m] for 0 <= i < n"),
        (f"if (i > 3) continue; {INNER} b[i * m + j] = 1;", f"within: b[i * m + j] {OVER}"),
        # nobody knows
        ("b[at[i] * m] = 1;", "block"),
        ("for (int j = 0; j < at[i]; j++) b[i * m + j] += 1;", "block"),
        (f"double *q = b; q += i; {INNER} *q += 1;", "block"),
        (f"{INNER} b[i * j] += 1;", "block"),
        (f"{INNER} b[i * m + (int)big] += j;", "block"),
        (f"{INNER} b[(un * i + j)] += 1;", "block"),
        (f"unsigned k = i * un; {INNER} b[k + j] += 1;", "block"),
        ("b[i] = 1;", "section"),
    ],
)
def test_elements(body: str, expected: str, plan_of: Callable[..., Plan]) -> None:
    assert extents(plan_of(PROGRAM.format(clauses="", body=body), without=frozenset({"boxes"})))["b"] == expected


@pytest.mark.parametrize(
    ("array", "body", "expected"),
    [
        ("p", f"{INNER} p[i * m + j].y = 1;", f"exact: p[i * m + j].y {OVER}"),
        ("p", f"{INNER} {{ struct point *q = p + i * m; (q + j)->z = 1; }}", f"exact: (q + j)->z {OVER}"),
        ("rows", f"{INNER} rows[i][j] = 1;", f"exact: rows[i][j] {OVER}"),
        ("rows", "double *row = rows[i]; row[3] = 1;", "exact: row[3] for 0 <= i < n"),
        # all neighbours of a point lie between two of them
        (
            "rows",
            f"{INNER} b[i * m + j] = rows[i][j] + rows[i][j + 1] + rows[i + 1][j] + rows[i + 2][j];",
            f"exact: rows[i][j] {OVER}; rows[i + 2][j] {OVER}",
        ),
        # of another type, the last of which may end before an element of the array does
        ("p", f"{INNER} ((int *)p)[i * m + j] = 1;", f"within: ((int *)p)[i * m + j] {OVER}"),
        ("l", f"{INNER} l->data[i * m + j] = 1;", "block"),
    ],
)
def test_other_types(array: str, body: str, expected: str, plan_of: Callable[..., Plan]) -> None:
    assert extents(plan_of(PROGRAM.format(clauses="", body=body)))[array] == expected


def test_nests_whose_inner_trips_differ(plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(clauses="collapse(2)", body="b[i * m + j] = 1;").replace(
        "i < n; i++) {", "i < n; i++) for (int j = 0; j < i; j++) {"
    )
    assert extents(plan_of(text))["b"] == "block"
