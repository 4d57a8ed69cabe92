"""Directives that the C compiler does not know are ignored, as it ignores them; those it knows are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.base.source import Location
from ompc.frontend import load
from ompc.omp.ignored import without_ignored
from ompc.omp.model import ParallelLoop
from ompc.omp.regions import find_parallel_loops
from ompc.omp.resolve import resolved
from ompc.sema import analyse

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


def loop_of(path: Path, ignored: list[int]) -> ParallelLoop:
    path.write_text(TEXT)
    loaded = load(path, Options())
    unit = analyse(loaded.ast, loaded.preprocessed.file, loaded.preprocessed.source)
    lines = [Location(loaded.preprocessed.file, line) for line in ignored]
    unit = without_ignored(resolved(unit, loaded.preprocessed.source), lines)
    (loop,) = find_parallel_loops(unit, loaded.preprocessed.source).loops
    return loop


@pytest.mark.parametrize(("ignored", "code"), [([4, 7], None), ([7], "OMPC308"), ([], "OMPC308")])
def test_the_loop_below_an_ignored_directive_is_the_parallel_one(
    ignored: list[int], code: str | None, tmp_path: Path
) -> None:
    loop = loop_of(tmp_path / "a.c", ignored)
    assert (loop.host and loop.host.code) == code
    assert [nested.var.name for nested in loop.loops] == (["i"] if code is None else [])
