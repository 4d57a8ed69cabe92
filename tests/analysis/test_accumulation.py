"""Reduction variables that are only accumulated into, and those that are not (OMPC344)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.diagnostics import Reason
from ompc.plan.roles import drafts

FUNCTIONS = """
static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { if (a > b) return a; return b; }
static double odd(double a, double b) { return a < 3 ? a : b; }
#define MAX(a, b) ((a) > (b) ? (a) : (b))
"""


def refused(found: Facts) -> bool:
    result = drafts(found)
    if isinstance(result, Reason):
        assert result.code == "OMPC344", result
        return True
    return False


@pytest.mark.parametrize(
    ("op", "body"),
    [
        ("+", "s += x[i];"),
        ("+", "s -= x[i]; s++; --s;"),
        ("+", "s = s + x[i];"),
        ("+", "s = x[i] + s;"),
        ("+", "s = s + x[i] + y[i];"),
        ("+", "s = s - x[i];"),
        ("-", "s -= x[i];"),
        ("*", "s *= x[i];"),
        ("*", "s = s * x[i];"),
        ("|", "count |= 1 << i;"),
        ("&&", "count = count && x[i] > 0;"),
        ("||", "if (x[i] > 0) count = 1;"),
        ("&&", "if (x[i] > 0) { count = 0; }"),
        ("max", "if (x[i] > s) s = x[i];"),
        ("max", "if (s < x[i]) { s = x[i]; }"),
        ("min", "s = x[i] < s ? x[i] : s;"),
        ("min", "s = s < x[i] ? s : x[i];"),
        ("max", "s = fmax(s, x[i]);"),
        ("max", "s = MAX(s, x[i]);"),
        ("min", "s = least(x[i], s);"),
        ("max", "s = most(s, x[i]);"),
        ("+", "y[i] = 1;"),
    ],
)
def test_only_accumulates(body_facts: Callable[..., Facts], op: str, body: str) -> None:
    variable = "count" if "count" in body else "s"
    assert not refused(body_facts(body, clauses=f"reduction({op}:{variable})", before=FUNCTIONS))


@pytest.mark.parametrize(
    ("op", "body"),
    [
        ("*", "s += 2;"),
        ("+", "s *= x[i];"),
        ("+", "s += s;"),
        ("+", "s = x[i] - s;"),
        ("+", "s = x[i];"),
        ("+", "s += x[i]; y[i] = s;"),
        ("+", "if (s < 10) s += x[i];"),
        ("+", "for (k = 0; k < s; k++) y[i] = 1;"),
        ("||", "if (x[i] > 0) count = 0;"),
        ("max", "if (x[i] < s) s = x[i];"),
        ("min", "s = x[i] < s ? s : x[i];"),
        ("max", "s = fmin(s, x[i]);"),
        ("max", "s = least(s, x[i]);"),
        ("min", "s = odd(s, x[i]);"),
        ("max", "if (x[i] > s) s = y[i] + s;"),
        ("+", "double *q = &s; *q += 1;"),
    ],
)
def test_other_uses(body_facts: Callable[..., Facts], op: str, body: str) -> None:
    variable = "count" if "count" in body else "s"
    assert refused(body_facts(body, clauses=f"private(k) reduction({op}:{variable})", before=FUNCTIONS))
