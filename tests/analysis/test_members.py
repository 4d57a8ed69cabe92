"""For which members of a shared struct variable iterations race."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.memory.members import raced_member
from ompc.ir.show import c_expr

BEFORE = """
static struct {
    int count, last; double f[99]; unsigned low : 4, high : 4;
    union { struct { int x, z; } p; struct { int v, w; } q; int all[2]; } u;
} shared;
"""


@pytest.mark.parametrize(
    ("body", "raced"),
    [
        ("shared.f[i] = shared.f[i] + shared.count;", None),
        ("shared.last = i; y[i] = shared.count;", None),
        ("shared.count = shared.count + 1;", "shared.count"),
        ("shared.low = shared.high;", "shared.low"),
        ("shared.u.p.x = i; y[i] = shared.count;", None),
        ("shared.u.p.x = i; y[i] = shared.u.p.x;", "shared.u.p.x"),
        ("shared.u.p.x = i; y[i] = shared.u.q.v;", "shared.u.p.x"),  # the same bytes
        ("shared.u.p.x = i; y[i] = shared.u.all[0];", "shared.u.p.x"),
    ],
)
def test_raced_member(body: str, raced: str | None, body_facts: Callable[..., Facts]) -> None:
    found = [access for access in body_facts(body, before=BEFORE).accesses if access.obj.symbol.name == "shared"]
    write = raced_member(found, [access for access in found if access.mode.writes])
    assert (None if write is None else c_expr(write.node)) == raced
