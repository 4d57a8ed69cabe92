"""What is said of a call through a pointer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason

PROGRAM = """
struct law {{ double (*of)(double); int (*count)(void); }};
static double twice(double x) {{ return 2 * x; }}
static double square(double x) {{ return x * x; }}
static double never(double x) {{ return x; }}
static int count(void) {{ return 1; }}
struct law laws[2] = {{{{twice, count}}, {{twice, count}}}};
double a[100];
double f(struct law *p, double (*q)(double), float (*r)(float), int k)
{{
    if (k > 0)
        q = square;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = {call};
    return never(1.0);
}}
"""


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("p->of(a[i])", "'p->of', which may be 'twice' or 'square'"),
        ("(*q)(a[i])", "'q', which may be 'twice' or 'square'"),
        ("laws[k].count()", "'laws[k].count', which may be 'count'"),
        ("r(1.0f)", "'r'"),
    ],
)
def test_the_pointer_and_what_it_may_be(
    facts_or_reason: Callable[[str], Facts | Reason], call: str, words: str
) -> None:
    found = facts_or_reason(PROGRAM.format(call=call))
    assert isinstance(found, Reason) and found.code == "OMPC322"
    assert found.message == f"calls through the function pointer {words}"
