"""A variable that hides another one gets a name of its own in kernels, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.driver import compile_to
from ompc.ir.queries import declared_in
from ompc.transform import for_kernels

TEXT = """
static int a[400][400], s[400];
enum {{ LAST = 7 }};
static int twice(int x) {{ return 2 * x; }}
void f(int n, int m, int k)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("s[i] = k; { int k = 3; a[i][0] = k; }", {"k_2"}),
        ("s[i] = m; for (int m = 0; m < 9; m++) a[i][m] = m;", {"m_2"}),
        ("for (int q = 0; q < 9; q++) { a[i][q] = 1; long q = 3; s[i] += q; }", {"q", "q_2"}),
        ("{ int i = 3; s[i] = i; }", {"i_2"}),
        ("s[i] = twice(LAST); { int twice = k; int LAST = k; a[i][twice] = LAST; }", {"twice_2", "LAST"}),
        ("int k_2 = k; { int k = k_2; { int k = 4; s[i] = k; } a[i][0] = k; }", {"k_2", "k_3", "k_4"}),
        ("for (int q = 0; q < 9; q++) a[i][q] = 1; for (int q = 0; q < 9; q++) a[i][q] += q;", {"q"}),
        ("{ int m = 3; s[i] = m; } { int m = 4; s[i] += m; }", {"m"}),
        ("{ int k = 3; s[i] = k; }", {"k"}),  # the other one is not used
        ("s[i] = k; if (i > 3) { int k = 3; a[i][0] = k; } else { int k = 4; a[i][1] = k; }", {"k_2", "k_3"}),
    ],
)
def test_names(tmp_path: Path, body: str, names: set[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text(TEXT.format(body=body))
    (kernel,) = for_kernels(compile_to("transform", source), compile_to("omp", source).loops).loops.values()
    assert kernel.body is not None
    assert {symbol.name for symbol in declared_in(kernel.body)} == names
