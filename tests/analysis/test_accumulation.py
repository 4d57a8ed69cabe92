"""Reduction variables that are only accumulated into, and those that are not (OMPC344)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.plan.parameters.classification import classify_parameters

FUNCTIONS = """
static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { if (a > b) return a; return b; }
static double highest(double a, double b) { if (a > b) return a; else return b; }
static double lowest(double a, double b) { if (a > b) { return b; } else { return a; } }
static double limit;
static double limited(double a, double b) { if (a > limit) return a; return limit; }
static double odd(double a, double b) { return a < 3 ? a : b; }
static double square(double a) { double b = a; b *= a; return b; }
static int calls;
static double noted(double a) { calls = 1; return a; }
static void add(double *p, double a) { *p += a; }
static void add_twice(double *p, double a) { add(p, a); p[0] = p[0] + a; }
static void add_both(double *p, double *q) { *p += *q; }
static void raise(double *p, double a) { if (a > *p) *p = a; }
static double add_and_get(double *p, double a) { *p += a; return *p; }
#define MAX(a, b) ((a) > (b) ? (a) : (b))
"""


def refused(found: Facts) -> bool:
    result = classify_parameters(found)
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
        ("max", "s = highest(s, x[i]);"),
        ("min", "s = lowest(s, x[i]);"),
        ("+", "y[i] = 1;"),
        ("+", "s = s + x[i] - y[i];"),
        ("+", "x[i] > 0 ? (s += x[i]) : (s -= y[i]);"),
        ("+", "for (int k = 0; k < 3; k++, s += x[i]) y[i] = 1;"),
        ("max", "if (fabs(x[i]) > s) s = fabs(x[i]);"),
        ("max", "if (square(x[i]) > s) s = square(x[i]);"),
        ("+", "double *q = &s; *q += 1;"),
        ("+", "add(&s, x[i]);"),
        ("+", "add_twice(&s, x[i]);"),
        ("max", "raise(&s, x[i]);"),
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
        ("+", "y[i] = s; s = x[i];"),
        ("+", "s += x[i]; y[i] = s;"),
        ("+", "if (s < 10) s += x[i];"),
        ("+", "for (k = 0; k < s; k++) y[i] = 1;"),
        ("||", "if (x[i] > 0) count = 0;"),
        ("max", "if (x[i] < s) s = x[i];"),
        ("min", "s = x[i] < s ? s : x[i];"),
        ("max", "s = fmin(s, x[i]);"),
        ("max", "s = least(s, x[i]);"),
        ("min", "s = odd(s, x[i]);"),
        ("max", "s = lowest(x[i], s);"),
        ("max", "s = limited(x[i], s);"),
        ("max", "if (x[i] > s) s = y[i] + s;"),
        ("+", "y[i] = s += x[i];"),
        ("+", "y[i] = count++;"),
        ("max", "if (x[i] > s) s = 2 * x[i];"),
        ("max", "s = x[i] > s ? y[i] : s;"),
        ("max", "if (square(x[i]) > s) s = square(y[i]);"),
        ("max", "if (noted(x[i]) > s) s = noted(x[i]);"),
        ("+", "double *q = &s; *q += 1; y[i] = *q;"),
        ("+", "raise(&s, x[i]);"),
        ("+", "y[i] = add_and_get(&s, x[i]);"),
        ("+", "add(&s, s);"),
        ("+", "add_both(&s, &s);"),
        ("+", "count += x[i];"),
        ("+", "count = count + x[i];"),
    ],
)
def test_other_uses(body_facts: Callable[..., Facts], op: str, body: str) -> None:
    variable = "count" if "count" in body else "s"
    assert refused(body_facts(body, clauses=f"private(k) reduction({op}:{variable})", before=FUNCTIONS))
