"""Variables that begin at a number and only grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.analysis.integers.growing import least_values
from ompc.driver import compile_to
from ompc.ir.queries import declared_in

PROGRAM = """
int given(void);
void f(int n, double *a)
{
    %s
    #pragma omp parallel for firstprivate(k)
    for (int i = 0; i < n; i++) a[i] = (double)k;
    %s
}
"""


@pytest.mark.parametrize(
    ("before", "behind", "least"),
    [
        ("int k = 0;", "", 0),
        ("int k; for (k = 3; k < n; k++) {}", "k = 5; k += 2;", 3),
        ("long k = -2; k += 1;", "", -2),
        ("int k = 0; if (n > 3) k = -1;", "", -1),
        ("int k = 4294967295u;", "", -1),
        ("int k = 0;", "k--;", None),
        ("int k = 0;", "k -= 1;", None),
        ("int k = 0;", "k += -1;", None),
        ("int k = 0;", "k += 5u;", None),
        ("int k = 0;", "k += 5l;", None),
        ("int k = 0;", "k += n;", None),
        ("int k = n;", "", None),
        ("int k = 0; k = given();", "", None),
        ("short k = 0; k++;", "", None),
        ("unsigned k = 0;", "", None),
        ("int k = 0, *p = &k; *p = -1;", "", None),
        ("static int k = 0;", "k++;", None),
        ("volatile int k = 0;", "", None),
        ("int k = 0;", "\n#pragma omp parallel for reduction(max : k)\nfor (int j = 0; j < n; j++) k = j;", None),
        (
            "int k = 0;",
            "\n#pragma omp parallel for linear(k : -1)\nfor (int j = 0; j < n; j++) a[j] = k;",
            None,
        ),
    ],
)
def test_least_values(before: str, behind: str, least: int | None, tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_text(PROGRAM % (before, behind))
    unit = compile_to("transform", path)
    body = unit.functions["f"].body
    assert body is not None
    symbols = [symbol for symbol in declared_in(body) if symbol.name == "k"]
    assert list(least_values(unit.functions, symbols).values()) == ([] if least is None else [least])
