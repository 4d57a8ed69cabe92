"""What each thread of a team has of the variables declared outside of its region."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.analysis.privatisation.concurrent_context import private_in
from ompc.driver import compile_to
from ompc.ir.tree import Pragma
from ompc.ir.walk import walk
from ompc.omp.constructs import forks_team


@pytest.mark.parametrize(
    ("region", "private"),
    [
        ("parallel private(n) firstprivate(m)\n{ a[n] = m; }", "mn"),
        ("parallel reduction(+: n)\n{ n++; }", ""),
        ("parallel\n{\n#pragma omp for\nfor (i = 0; i < n; i++) a[i] = 0; }", "i"),
        ("parallel\n{\n#pragma omp loop\nfor (i = 0; i < n; i++) a[i] = 0; }", "i"),
        ("target teams distribute parallel for\nfor (i = 0; i < n; i++) a[i] = 0;", "i"),
        ("parallel\n{\n#pragma omp for simd\nfor (i = 0; i < n; i++) a[i] = 0; }", "i"),
        # the threads share the variable that the name means outside of the loop
        ("parallel\n{\n#pragma omp for\nfor (i = 0; i < n; i++) a[i] = 0;\n#pragma omp single\ni = m; }", ""),
        ("parallel\n{\n#pragma omp simd\nfor (i = 0; i < n; i++) a[i] = 0; }", ""),
        ("parallel\n{ for (i = 0; i < n; i++) a[i] = 0; }", ""),
    ],
)
def test_private_in(tmp_path: Path, region: str, private: str) -> None:
    source = tmp_path / "t.c"
    source.write_text(f"void f(int n, int m, double *a) {{ int i; (void)i;\n#pragma omp {region}\n}}\n")
    body = compile_to("sema", source).functions["f"].body
    assert body is not None
    (team,) = (node for node in walk(body) if isinstance(node, Pragma) and forks_team(node.directive))
    assert {symbol.name for symbol in private_in(team)} == {*private}
