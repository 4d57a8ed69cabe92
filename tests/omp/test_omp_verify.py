"""The verifier notices each broken invariant of the stage's product."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ompc.base.diagnostics import InternalError
from ompc.driver import compile_to
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.regions import OmpUnit
from ompc.omp.verify import verify_unit

PROGRAM = """
void f(int n, double *a)
{
    double s = 0;
    int i;
#pragma omp parallel for reduction(+:s)
    for (i = 0; i < n; i++)
        s += a[i];
}
"""


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> ParallelLoop:
    source = tmp_path_factory.mktemp("verify") / "program.c"
    source.write_text(PROGRAM)
    return compile_to("omp", source).loops[0]


def test_an_id_is_unique(loop: ParallelLoop) -> None:
    with pytest.raises(InternalError, match="used twice"):
        verify_unit(OmpUnit((loop, loop)))


@pytest.mark.parametrize(("name", "sharing"), [("n", None), ("i", Sharing.SHARED), ("s", Sharing.SHARED)])
def test_sharing_is_complete(loop: ParallelLoop, name: str, sharing: Sharing | None) -> None:
    table = {s: sharing if s.name == name else how for s, how in loop.sharing.items()}
    kept = {s: how for s, how in table.items() if how is not None}
    with pytest.raises(InternalError):
        verify_unit(OmpUnit((replace(loop, sharing=kept),)))


@pytest.mark.parametrize("change", [
    {"loops": ()},
    {"reductions": ()},
])
def test_the_product_is_whole(loop: ParallelLoop, change: dict[str, Any]) -> None:
    with pytest.raises(InternalError):
        verify_unit(OmpUnit((replace(loop, **change),)))


@pytest.mark.parametrize("change", [{"down": True}, {"constant_step": 0}])
def test_loops_are_normalised(loop: ParallelLoop, change: dict[str, Any]) -> None:
    broken = replace(loop.loops[0], **change)
    with pytest.raises(InternalError):
        verify_unit(OmpUnit((replace(loop, loops=(broken,)),)))
