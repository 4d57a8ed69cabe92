"""Analyses are tested on C text: `facts("...")` runs the pipeline up to the facts of the first parallel loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.driver import compile_to


@pytest.fixture(autouse=True)
def _quickly(gcc_is_not_asked: None) -> None:
    """All tests of this room."""


@pytest.fixture
def facts_or_reason(tmp_path: Path) -> Callable[[str], Facts | Reason]:
    def run(text: str) -> Facts | Reason:
        source = tmp_path / "t.c"
        source.write_text(text)
        return next(iter(compile_to("analysis", source).facts.values()))

    return run


@pytest.fixture
def facts(facts_or_reason: Callable[[str], Facts | Reason]) -> Callable[[str], Facts]:
    def run(text: str) -> Facts:
        found = facts_or_reason(text)
        assert isinstance(found, Facts), found
        return found

    return run


@pytest.fixture
def body_facts(facts: Callable[[str], Facts]) -> Callable[..., Facts]:
    """`body_facts("y[i] = x[i];")`: the facts of a loop over i < n with this body and a fixed set of variables."""

    def run(body: str, clauses: str = "", before: str = "", head: str = "for (int i = 0; i < n; i++)") -> Facts:
        return facts(
            f"""
            #include <math.h>
            static double w[33], g[20][30];
            int count;
            {before}
            void f(int n, int m, unsigned un, double *x, double *y, int *idx, double u[][30])
            {{
                int j, k; double s = 0, r = 0; double *p = x;
                (void)j; (void)k; (void)s; (void)r; (void)p;
                #pragma omp parallel for {clauses}
                {head} {{ {body} }}
            }}
            """
        )

    return run
