"""Which objects a pointer of the kernel can point into."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.accesses import Mode
from ompc.analysis.facts import Facts
from ompc.diagnostics import Reason


def effects(facts: Facts) -> dict[str, set[str]]:
    """{object: modes} of the shared objects."""
    return {str(root): {access.mode.value for access in facts.of(root)} for root in facts.shared_roots}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y[i] = x[i];", {"*x": {"read"}, "*y": {"write"}}),
        ("y[i] += w[3];", {"*y": {"readwrite"}, "w": {"read"}}),
        ("double *q = y + i; *q = 1;", {"*y": {"write"}}),
        ("double *q = &g[i][2]; q[1]++;", {"g": {"readwrite"}}),
        ("double *q = n > 3 ? x : y; q[i] = 1;", {"*x": {"write"}, "*y": {"write"}}),
        ("double *a = x, *b = y, *c; c = a; a = b; b = c; b[i] = 0;", {"*x": {"write"}, "*y": {"write"}}),
        ("double v[4]; double *q = v; q[0] = x[i]; y[i] = *q;", {"*x": {"read"}, "*y": {"write"}}),
        ("double (*row)[30] = u + i; (*row)[3] = 0;", {"*u": {"write"}}),
        ("double *q = u[i]; q++; *--q = 0;", {"*u": {"write"}}),
    ],
)
def test_objects(body_facts: Callable[..., Facts], body: str, expected: dict[str, set[str]]) -> None:
    found = {name: modes for name, modes in effects(body_facts(body)).items() if name not in ("n", "x", "y", "u")}
    assert found == expected


def test_through_functions_in_a_cycle(body_facts: Callable[..., Facts]) -> None:
    before = """
    static double *pick(double *a, double *b, int c) { double *t = c ? a : b; return t; }
    static void put(double *d, double v) { double *e; e = d; d = e; *d = v; }
    """
    found = effects(body_facts("put(pick(x, g[1], i) + i, w[0]);", before=before))
    assert found["*x"] == {"write"}
    assert found["g"] == {"write"}
    assert found["w"] == {"read"}


@pytest.mark.parametrize(
    ("declarations", "body", "code"),
    [
        ("double **rows; int n;", "rows[i][0] = 0;", "OMPC328"),
        ("struct s { double *d; } a; int n;", "a.d[i] = 0;", "OMPC328"),
        ("long a; int n;", "((int *)a)[i] = 0;", "OMPC329"),
        ("double *x, *y; int n;", "if (x + i < y) x[i] = y[i];", "OMPC328"),
    ],
)  # fmt: skip
def test_unknown_targets_stay_on_the_host(
    facts_or_reason: Callable[[str], Facts | Reason], declarations: str, body: str, code: str
) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    found = facts_or_reason(f"{declarations}\nvoid f(void) {{\n#pragma omp parallel for\n{loop}\n}}")
    assert isinstance(found, Reason)
    assert found.code == code


def test_subscripts_up_to_the_first_member(facts: Callable[[str], Facts]) -> None:
    found = facts(
        """struct c { double p[4]; } *cells; int n;
        void f(void) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) cells[i + 1].p[2] = 0; }"""
    )
    (write,) = [access for access in found.accesses if access.mode is Mode.WRITE]
    assert write.subscripts is not None
    assert len(write.subscripts) == 1
