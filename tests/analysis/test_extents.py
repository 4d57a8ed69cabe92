"""Exact sections behind pointers, and arrays that a launch overwrites completely."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MemoryObject


def reduced_object(facts: Facts, name: str) -> MemoryObject:
    return next(obj for obj in facts.shared_objects if str(obj) == name)


def section_text(facts: Facts, name: str) -> str | None:
    section = facts.footprints.section(reduced_object(facts, name))
    if section is None:
        return None
    text = f"{section.lower} .. {section.upper}".replace("(long long)", "")
    return text if section.condition is None else f"{text} if {section.condition}".replace("(long long)", "")


@pytest.mark.parametrize(
    ("body", "head", "name", "expected"),
    [
        ("y[i] = x[i];", "for (int i = 0; i < n; i++)", "*x", "0 .. n - 1"),
        ("y[i] = x[i - 1] + x[i + 1];", "for (int i = 1; i < n - 1; i++)", "*x", "0 .. n - 1"),
        ("y[i] = 1;", "for (int i = 1; i < n - 1; i++)", "*y", "1 .. n - 2"),
        ("y[n - i] = 1;", "for (int i = 1; i <= n; i++)", "*y", "0 .. n - 1"),
        ("y[i] = 1;", "for (int i = n - 1; i >= 0; i--)", "*y", "0 .. n - 1"),
        ("y[2 * i + 1] = x[0];", "for (int i = 0; i < 10; i++)", "*y", "1 .. 19"),
        ("y[i] = x[0];", "for (int i = 0; i < 10; i++)", "*x", "0 .. 0"),
        ("for (int q = 0; q < 4; q++) y[4 * i + q] = 1;", "for (int i = 0; i < n; i++)", "*y", "0 .. 4 * n - 1"),
        ("for (int q = 0; q < m; q++) y[i] += x[q];", "for (int i = 0; i < n; i++)", "*x", "0 .. m - 1 if m >= 1"),
        ("u[i][3] = 1;", "for (int i = 2; i < n; i++)", "*u", "2 .. n - 1"),
        # conditional accesses lie inside what is certainly accessed
        ("if (x[i] > 0) y[i] = x[n - 1 - i];", "for (int i = 0; i < n; i++)", "*x", "0 .. n - 1"),
        ("if (x[i] > 0) y[i] = x[i / 2];", "for (int i = 0; i < n; i++)", "*x", None),
        ("y[i] = x[i]; if (i > 0) y[i] += x[i - 1];", "for (int i = 0; i < n; i++)", "*x", "0 .. n - 1"),
        ("if (i > 2) y[i] = 1; else y[0] = 1;", "for (int i = 0; i < n; i++)", "*y", "0 .. n <= 3 ? 0 : n - 1"),
        ("if (x[i] > 0 && i > 2) y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("if (i * i > m) y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("while (y[0] > 3) y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("if (i % 2) y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("y[idx[i]] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("y[i * m] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("y[i * i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("y[i - un] = 1;", "for (unsigned i = 9; i < 20; i++)", "*y", None),
        ("for (int q = 0; q < 9; q++) { if (x[q] > 0) break; y[i] += 1; }", "for (int i = 0; i < n; i++)", "*y", None),
        ("for (int q = 0; q < 9; q++) if (q == i) break; y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", "0 .. n - 1"),
        ("if (x[i] > 0) continue; y[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("int q = 0; while (q < 3) y[i + q++] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
        ("double *q = y + 1; q[i] = 1;", "for (int i = 0; i < n; i++)", "*y", None),
    ],
)
def test_section(body_facts: Callable[..., Facts], body: str, head: str, name: str, expected: str | None) -> None:
    assert section_text(body_facts(body, head=head), name) == expected


@pytest.mark.parametrize(
    ("body", "head", "overwritten"),
    [
        ("for (int q = 0; q < 30; q++) g[i][q] = x[q];", "for (int i = 0; i < 20; i++)", True),
        ("for (int q = 0; q < 30; q++) g[i][q] = x[q];", "for (int i = 0; i < 19; i++)", False),
        ("for (int q = 0; q < 30; q++) g[i][q] = x[q];", "for (int i = 0; i < n; i++)", False),
        ("for (int q = 0; q < 30; q++) g[i][q] += x[q];", "for (int i = 0; i < 20; i++)", False),
        ("for (int q = 0; q < 30; q += 2) g[i][q] = x[q];", "for (int i = 0; i < 20; i++)", False),
        ("for (int q = 0; q < 30; q++) if (x[q] > 0) g[i][q] = 1;", "for (int i = 0; i < 20; i++)", False),
        ("for (int q = 29; q >= 0; q--) g[19 - i][q] = 1;", "for (int i = 0; i < 20; i++)", True),
        ("for (int q = 0; q < 30; q++) g[i][q] = 1; y[0] = g[0][0];", "for (int i = 0; i < 20; i++)", False),
    ],
)
def test_overwritten(body_facts: Callable[..., Facts], body: str, head: str, overwritten: bool) -> None:
    facts = body_facts(body, head=head)
    assert facts.footprints.overwrites(reduced_object(facts, "g")) is overwritten
