"""Directives that the C compiler does not know are ignored, as it ignores them; those it knows are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.source import Location
from ompc.driver import compile_to
from ompc.omp.model import ParallelLoop

TEXT = """\
void f(int n, double *a)
{
#pragma omp parallel for
#pragma omp tile sizes(4)
    for (int i = 0; i < n; i++) {
        a[i] = 0;
#pragma omp unroll
        for (int j = 0; j < 4; j++)
            a[i] += j;
    }
}
"""


def loop_of(path: Path, ignored: list[int], monkeypatch: pytest.MonkeyPatch) -> ParallelLoop:
    path.write_text(TEXT)
    warnings = [Diagnostic("OMPC201", Kind.WARNING, "ignored", Location(str(path), line)) for line in ignored]
    monkeypatch.setattr("ompc.frontend.check_syntax", lambda *_: warnings)
    (loop,) = compile_to("omp", path).loops
    return loop


@pytest.mark.parametrize(("ignored", "code"), [([4, 7], None), ([7], "OMPC308"), ([], "OMPC308")])
def test_the_loop_below_an_ignored_directive_is_the_parallel_one(
    ignored: list[int], code: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = loop_of(tmp_path / "a.c", ignored, monkeypatch)
    assert (loop.host and loop.host.code) == code
    assert [nested.var.name for nested in loop.loops] == (["i"] if code is None else [])
