"""Which objects a pointer of the kernel can point into."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Mode
from ompc.base.diagnostics import Reason


def effects(facts: Facts) -> dict[str, set[str]]:
    """{object: modes} of the shared objects."""
    return {str(obj): {access.mode.value for access in facts.of(obj)} for obj in facts.shared_objects}


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


@pytest.mark.parametrize(
    ("declarations", "body", "expected"),
    [
        ("double **t;", "t[i][0] = 0;", {"*t": {"read"}, "**t": {"write"}}),
        ("double *t[4];", "double *r = t[i]; *r += 1;", {"t": {"read"}, "*t[]": {"readwrite"}}),
        ("struct { double *u; } *g;", "g->u[i] = 1;", {"*g": {"read"}, "*g->u": {"write"}}),
        ("struct { double *u; } g;", "g.u[i] = 1;", {"g": {"read"}, "*g.u": {"write"}}),
        ("struct { struct { double **m; } *p; } g;", "g.p->m[i][1] = 1;",
         {"g": {"read"}, "*g.p": {"read"}, "*g.p->m": {"read"}, "**g.p->m": {"write"}}),
        ("double *a, *b;", "double *v[2] = {a, b}; v[i % 2][0] = 1;", {"*a": {"write"}, "*b": {"write"}}),
        ("double *a, *b;", "struct { double *p; } s = {a}, t = s; t.p[i] = 0; *b = 1;",
         {"*a": {"write"}, "*b": {"write"}}),
        ("struct s { double *p; } *c; double *b;", "struct s l = c[i]; l.p[0] = 0; l.p = b; l.p[0] = 0;",
         {"*c": {"read"}, "*c->p": {"write"}, "*b": {"write"}}),
    ],
)  # fmt: skip
def test_stored_pointers(
    facts: Callable[[str], Facts], declarations: str, body: str, expected: dict[str, set[str]]
) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    found = effects(facts(f"{declarations} int n;\nvoid f(void) {{\n#pragma omp parallel for\n{loop}\n}}"))
    variables = {name for name in found if not name.startswith("*") and name not in expected}
    assert {name: modes for name, modes in found.items() if name not in variables} == expected


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
        ("union u { double *d; long n; } a; int n;", "a.d[i] = 0;", "OMPC328"),
        ("struct s { double *d; } *a; int n;", "*((double **)a)[i] = a->d[0];", "OMPC328"),
        ("double **a; int n;", "double **p = (void *)a; char *c = (char *)a; p[i][0] = c[0];", "OMPC328"),
        ("struct s { double *d; } a; int n; struct s g(struct s *p) { return *p; }", "g(&a).d[i] = 0;", "OMPC328"),
        ("struct s { struct s *next; } *a; int n;", "struct s *p = a; while (p->next) p = p->next;", "OMPC359"),
        ("struct s { struct s *l, *r; int v; } *a; int n;", "a[i].v = a->l->r->l->v;", "OMPC359"),
        ("double **rows, *x; int n;", "rows[i] = x;", "OMPC360"),
        ("double **rows; int n;", "double **r = rows + i; ++*r;", "OMPC360"),
        ("struct s { double *d; } *a; int n;", "struct s t; t.d = a[0].d + i; a[i] = t;", "OMPC360"),
        ("double *x; int n; long y;", "y = (long)(x + i);", "OMPC361"),
        ("double *x, *y; int n; long z[9];", "z[i] = x - y;", "OMPC361"),
        ("long a; int n;", "((int *)a)[i] = 0;", "OMPC329"),
        ("double *x, *y; int n;", "if (x + i < y) x[i] = y[i];", "OMPC361"),
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
