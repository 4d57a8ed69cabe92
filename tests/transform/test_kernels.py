"""Loops as their kernels have them: the text form, and what is verified of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ompc.base.diagnostics import InternalError
from ompc.base.options import Options
from ompc.driver import compile_to, translate
from ompc.ir.tree import Block
from ompc.omp.model import ParallelLoop
from ompc.transform import Kernels, for_kernels
from ompc.transform.show import show_kernels
from ompc.transform.verify import verify_kernels

PROGRAM = """
#include <stdlib.h>
void f(int n, double *x, double *y) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double root = y[i];
        if (root < 0) exit(1);
        x[i] = root;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i];
}
"""


@pytest.fixture(name="kernels")
def _kernels(tmp_path: Path) -> Kernels:
    source = tmp_path / "a.c"
    source.write_text(PROGRAM)
    return for_kernels(compile_to("transform", source), compile_to("omp", source).loops)


def test_the_text_shows_what_is_another_program(kernels: Kernels) -> None:
    first, *rest, last = show_kernels(kernels).splitlines()
    assert (first, last) == ("f_x: for its kernel", "f_y: as in the file")
    assert any("__ompc_leave();" in line for line in rest) and not any("exit" in line for line in rest)


def test_the_dump_is_that_text(kernels: Kernels, tmp_path: Path) -> None:
    assert translate(tmp_path / "a.c", Options(without=frozenset({"chains"}))).dumps["kernels"] == show_kernels(kernels)


def _without_declaration(own: ParallelLoop) -> dict[str, Any]:
    assert isinstance(own.body, Block)
    body = replace(own.body, items=own.body.items[1:])
    return {"body": body, "loops": (*own.loops[:-1], replace(own.loops[-1], body=body))}


def test_what_is_broken_is_said(kernels: Kernels) -> None:
    verify_kernels(kernels)
    loop, own = next(iter(kernels.loops.items()))
    for changes, what in (
        ({"id": "other"}, "another loop's"),
        ({"body": own.loops[0].statement}, "innermost loop"),
        (_without_declaration(own), "nothing declares the variable `root`"),
    ):
        with pytest.raises(InternalError, match=what):
            verify_kernels(Kernels(kernels.unit, {loop: replace(own, **changes)}))
