"""Products that must be rounded before they are added: those whose value decides something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.ir.show import c_expr


@pytest.mark.parametrize(
    ("body", "exact"),
    [
        ("y[i] = x[i] * 2 + 1;", []),
        ("if (x[i] * x[i] + 1 > 4) y[i] = 1;", ["x[i] * x[i]"]),
        ("if (x[i] * x[i] > 4) y[i] = 1;", []),
        ("double a = x[i] * 3; double b = a + 1; if (b > 2) y[i] = b;", ["x[i] * 3"]),
        ("double a = x[i] * 3; a += x[i]; y[i] = a;", []),
        ("double a = 1; a *= x[i]; idx[i] = (int)(a + 0.5);", ["a *= x[i]"]),
        ("idx[i] = x[i] * 2 + 0.5;", ["x[i] * 2"]),
        ("idx[i] += x[i] * 2;", ["x[i] * 2"]),
        ("idx[i] *= x[i] * 2;", []),
        ("y[(int)(x[i] * 2 + 1)] = 0;", ["x[i] * 2"]),
        ("y[i] = x[i] * 2 + 1; if (y[i] > 0) idx[i] = 1;", ["x[i] * 2"]),
        ("double a = x[i]; while (a < 10) a = a * 2 + 1; y[i] = a;", ["a * 2"]),
        ("y[i] = sqrt(x[i] * x[i] + 1) < 2 ? 1 : 0;", ["x[i] * x[i]"]),
        ("float a = x[i]; float b = a * a; if (b - 1) y[i] = 1;", ["a * a"]),
        ("int a = idx[i] * 3 + 1; if (a > 2) y[i] = x[i] * 2 + 1;", []),
        ("y[i] = 1 / sqrt(x[i]);", []),
        ("if (1 / sqrt(x[i]) > 2) y[i] = 1 / sqrt(y[i]);", ["1 / sqrt(x[i])"]),
        ("double a = 1.0 / sqrt(x[i]); s = 3 / a; while (s > 1) s -= 1;", ["1.0 / sqrt(x[i])"]),
        ("idx[i] = (int)fabs(1.0f / sqrtf(idx[i]));", ["1.0f / sqrtf(idx[i])"]),
        ("y[i] = x[(int)(2 / sqrt(x[i]))];", []),  # two operations anyway
    ],
)
def test_exact_products(body_facts: Callable[..., Facts], body: str, exact: list[str]) -> None:
    assert sorted(map(c_expr, body_facts(body).exact)) == sorted(exact)


XY = "x[i] * y[i]"


@pytest.mark.parametrize(
    "body",
    [
        "idx[i] = (int)lrint(x[i] * y[i] + 3);",
        "idx[i] = lroundf(x[i] * y[i] + 3);",
        "w[0] = floor(x[i] * y[i] + 3);",
        "w[0] = rint(x[i] * y[i] + 3);",
        "w[0] = fmod(x[i] * y[i] + 3, 2);",
        "w[0] = copysign(1, x[i] * y[i] + 3);",
        "w[0] = nextafter(x[i] * y[i] + 3, 9);",
        "idx[i] = signbit(x[i] * y[i] + 3);",
        "idx[i] = isnan(x[i] * y[i] + 3);",
        "idx[i] = ilogb(x[i] * y[i] + 3);",
        "int v[2] = {x[i] * y[i] - 3}; idx[i] = v[0];",
        "int v[2][2] = {{1, 2}, {3, x[i] * y[i] - 3}}; idx[i] = v[1][1];",
        "struct S { double b; int a; } s = {.a = x[i] * y[i] - 3}; idx[i] = s.a;",
        "struct S { double b; int a; } s; s = (struct S){1, x[i] * y[i] - 3}; idx[i] = s.a;",
        "idx[i] = ((int[]){x[i] * y[i] - 3})[0];",
        "idx[i] = abs(x[i] * y[i] - 3);",
        "w[0] = ldexp(1.0, x[i] * y[i] - 3);",
        "w[0] = sqrt(x[i] * y[i] - 3);",
        "w[0] = sqrt(fabs(x[i] * y[i] - 3));",
        "w[0] = cbrt(x[i] * y[i] - 3);",
        "w[0] = log(x[i] * y[i] - 3);",
        "w[0] = log1p(x[i] * y[i] - 3);",
        "w[0] = acos(x[i] * y[i] - 3);",
        "w[0] = asin(x[i] * y[i] - 3);",
        "w[0] = atan2(x[i] * y[i] - 3, 1);",
        "w[0] = tan(x[i] * y[i] - 3);",
        "w[0] = pow(x[i] * y[i] - 3, 0.5);",
        "w[0] = pow(2 - x[i], x[i] * y[i] - 3);",
        "w[0] = 1 / (x[i] * y[i] - 3);",
        "w[0] /= x[i] * y[i] - 3;",
        "w[0] = (x[i] * y[i] - 3) / x[i];",
        "union { double d; long n; } v; v.d = x[i] * y[i] - 3; idx[i] = v.n;",
        "union { double d; long n; } v = {x[i] * y[i] - 3}; idx[i] = v.n;",
        "union { double d; float f[2]; } v; v.d = x[i] * y[i] - 3; w[0] = v.f[1];",
        "struct { int k; union { double d; unsigned char c[8]; } u; } v; v.u.d = x[i] * y[i] - 3; idx[i] = v.u.c[0];",
        "double d = x[i] * y[i] - 3; idx[i] = *(long *)&d;",
        "double d = x[i] * y[i] - 3; unsigned char *c = (unsigned char *)&d; idx[i] = c[0];",
        "double d[2] = {x[i] * y[i] - 3}; idx[i] = d[0] > 0;",
        "struct S { double d; } a = {x[i] * y[i] - 3}, b; b = a; idx[i] = b.d > 0;",
        "double d = x[i] * y[i]; d -= 3; double e = d; switch ((int)e) { case 1: w[0] = 1; }",
        "float d = x[i] * y[i] - 3; if (d) w[0] = 1;",
        "double d = x[i] * y[i] - 3; double *p = &d; if (!*p) w[0] = 1;",
        "idx[i] = (r = x[i] * y[i] - 3) > 0;",
        "idx[i] = (x[i] > 0 ? x[i] * y[i] - 3 : 1) && i;",
    ],
)
def test_uses_that_decide(body_facts: Callable[..., Facts], body: str) -> None:
    assert XY in map(c_expr, body_facts(body).exact)


@pytest.mark.parametrize(
    "body",
    [
        "w[0] += x[i] * y[i] + 3;",
        "w[0] = -(x[i] * y[i] + 3) * 2 - x[i];",
        "w[0] = sin(x[i] * y[i] + 3) + exp(-(x[i] * y[i] + 3));",
        "w[0] = fmax(0, x[i] * y[i] + 3);",
        "w[0] = ldexp(x[i] * y[i] + 3, 2);",
        "float v = x[i] * y[i] + 3; w[0] = v;",
        "double v[2] = {x[i] * y[i] + 3}; w[0] = v[0];",
        "struct S { double b; int a; } s = {x[i] * y[i] + 3, i}; w[0] = s.b; idx[i] = s.a;",
        "union { double d; double v[1]; } u; u.d = x[i] * y[i] + 3; w[0] = u.v[0];",
        "double v = i > 2 ? x[i] * y[i] + 3 : 0; w[0] = v;",
        "w[0] = (x[i] * y[i] + 3) / 2;",
        "w[0] = (x[i] * y[i] + 3) / (1 + fabs(x[i]));",
        "w[0] = pow(x[i] * y[i] + 3, 2);",
        "if (x[i] > 0) w[0] = x[i] * y[i] + 3;",
    ],
)
def test_harmless_uses(body_facts: Callable[..., Facts], body: str) -> None:
    assert XY not in map(c_expr, body_facts(body).exact)


SQUARES = "double a = x[i] - x[j], b = x[k] - x[m], q = a * a + b * b;"


@pytest.mark.parametrize(
    ("body", "exact"),
    [
        (f"{SQUARES} w[0] = sqrt(q) + 1 / q + log(q) + 1 / sqrt(q) + pow(q, 1.5);", 0),
        (f"{SQUARES} w[0] = sqrt(q - 1);", 2),
        ("s = 0; for (j = 0; j < m; j++) s += x[j] * x[j]; w[0] = sqrt(s / m);", 0),
        ("s = 0; for (j = 0; j < m; j++) s += x[j] * y[j]; w[0] = sqrt(s / m);", 1),
        ("double a = x[i] * 3 - 2, q = a * a + 1; w[0] = sqrt(q) + 1 / q;", 0),
        ("double a = x[i] * 3 - 2, q = a * a; w[0] = sqrt(q);", 0),  # as far as |a| moves
        ("double a = x[i] * 3 - 2, q = a * a; w[0] = 1 / q;", 2),
        ("double a = x[i] * 3; w[0] = 1 / a;", 0),
    ],
)
def test_edges(body_facts: Callable[..., Facts], body: str, exact: int) -> None:
    assert len(body_facts(body, clauses="private(j, k, s)").exact) == exact


@pytest.mark.parametrize(
    ("use", "decides"),
    [
        ("idx[i] = lrint(s * 1e18);", True),
        ("w[0] = floor(s);", True),
        ("long v[1] = {s * 1e18}; idx[i] = v[0];", True),
        ("idx[i] = (s > 2);", True),
        ("w[0] = s / x[i];", False),
        ("w[0] = s * 2 + exp(s);", False),
    ],
)
def test_sums_keep_their_order(body_facts: Callable[..., Facts], use: str, decides: bool) -> None:
    facts = body_facts(f"s = 0; for (j = 0; j < m; j++) s += x[j]; {use}", clauses="private(j, s)")
    assert ("s += x[j]" in map(c_expr, facts.contraction_safety.deciding)) == decides


def test_combiners(body_facts: Callable[..., Facts]) -> None:
    """What a user's combiner does with the values is not asked."""
    before = """struct best { double v; int at; };
    #pragma omp declare reduction(least : struct best : omp_out = omp_in.v < omp_out.v ? omp_in : omp_out) \\
        initializer(omp_priv = omp_orig)
    static struct best found;"""
    facts = body_facts("found.v += x[i] * y[i];", clauses="reduction(least : found)", before=before)
    assert list(map(c_expr, facts.exact)) == [XY]


def test_through_a_function(body_facts: Callable[..., Facts]) -> None:
    before = "static double norm(double a, double b) { return a * a + b * b; } static int up(int v) { return v; }"
    facts = body_facts("if (norm(x[i], 2) > 1) y[i] = up(x[i] * 3 + 1);", before=before)
    assert sorted(map(c_expr, facts.exact)) == ["a * a", "b * b", "x[i] * 3"]


@pytest.mark.parametrize(
    ("after", "compared"),
    [
        ("void g(void) { if (w[3] > 0) count = 1; }", True),
        ("void g(void) { count = w[3]; }", True),
        ("void g(void) { count = (int)floor(w[3]); }", True),
        ("void g(void) { for (int i = 0; i < 33; i++) w[i] = w[i] + 1; if (!w[2]) count = 1; }", True),
        ("void g(void) { double t = w[3] * 2; long v[2] = {1, t}; count = v[1]; }", True),
        ("static int h(const double *p, int n) { return p[n] > 0; } void g(void) { count = h(w, 3); }", True),
        ("static double h(int n) { return w[n]; } void g(void) { count = signbit(h(3)); }", True),
        ("void g(void) { double *p = w; p++; count = *p < 3; }", True),
        (
            "void g(void) {\n#pragma omp parallel for\nfor (int i = 0; i < 33; i++) if (w[i] != 0) g2[i] = 1; }",
            True,
        ),
        ("void g(void) { count = memcmp(w, g2, 8); }", True),
        ('void g(void) { char s[99]; sprintf(s, "%g", w[3]); sscanf(s, "%d", &count); }', True),
        ('void g(void) { count = snprintf(0, 0, "%g", w[3]); }', True),
        ('void g(void) { char s[99]; snprintf(s, 99, "%g", w[3]); puts(s); }', False),
        (
            "struct s { double v; }; static int h(const void *q) { const char *p = q; return p[7]; }"
            "void g(void) { struct s v = {w[3]}; count = h(&v); }",
            True,
        ),
        ("void g(void) { long n; memcpy(&n, &w[3], 8); count = n & 1; }", True),
        ("void g(void) { const char *b = (const char *)w; for (int i = 0; i < 8; i++) count += b[i]; }", True),
        ("static double *p = w; void g(void) { count = p[1] > 2; }", True),
        ("static int h(double a) { return a > 0; } int (*p)(double) = h; void g(void) { count = p(w[3]); }", True),
        ("void g(void) { double t[2] = {w[3], 1}; count = t[0] > 0; }", True),
        ("void g(void) { count = *((i_like ? w : g2) + 3) > 0; }", True),
        ("void g(void) { g2[1] = sqrt(w[3]); }", True),
        ("void g(void) { g2[1] = log(w[3] + 1); }", True),
        ("void g(void) { g2[1] = 1 / w[3]; }", True),
        ("static void h(double t) { g2[1] = acos(t); } void g(void) { h(w[3] * 0.1); }", True),
        ("void g(void) { g2[1] = sqrt(w[3] * w[3] + 1) + sin(w[3]); }", False),
        (
            "double g(int n) { double t = 0; for (int i = 0; i < n; i++) t += (w[i] - 1) * (w[i] - 1); "
            "return sqrt(t / ((double)n * 3)); }",
            False,
        ),
        ("void g(void) { g2[1] = 1 / (2 + w[3] * w[3]) + w[2] / 3; }", False),
        ("void h(void *p) { free(p); } void g(void) { int *p = malloc(9); h(w); h(p); count = p[1]; }", False),
        ("void g(void) { const volatile char *b = (const volatile char *)w; (void)b[3]; count = 1; }", False),
        ('void g(void) { asm("comisd %1, %%xmm0; seta %b0" : "+r"(count) : "m"(w[3])); }', True),
        ('void g(void) { double *p = w; asm volatile("" : : "r"(p + 3) : "memory"); }', True),
        ('void g(void) { asm("movsd w+24(%rip), %xmm0"); }', True),
        ('void g(void) { asm volatile("rdtsc # %w x" : "=r"(count) : : "cc"); g2[1] = w[3]; }', False),
        ('void g(void) { asm volatile("rdtsc"\n: "=r"(count)\n:: "memory"); g2[1] = w[3]; }', False),
        ("void g(void) { count = ({ int v = 0; switch (1) { case 1: v = w[3] > 0; } v; }); }", True),
        ("void g(void) { count = __builtin_ia32_something(w[3]); }", True),
        ("void g(void) { goto *(w[3] > 0 ? &&a : &&b); a: count = 1; b:; }", True),
        ("void g(void) { static void *to[] = {&&b, &&a}; goto *to[count]; a: count = w[3] > 0; b:; }", True),
        (
            "typedef double two __attribute__((vector_size(16)));"
            "void g(void) { two v = *(two *)&w[2]; count = v[1] > 0; }",
            True,
        ),
        ('struct { double v; } s; void g(void) { s.v = w[3]; asm("" : : "m"(s.v)); }', True),
        ('struct s { double u, v; } *s; void g(void) { s->v = w[3]; asm("" : : "m"(s[3].v)); }', True),
        ('struct s { double *v; } s[2]; void g(void) { s[1].v = w; asm("" : : "m"(s[1].v[2])); }', True),
        ('void g(void) { printf("%g", w[3]); }', False),
        ("void g(void) { double t = w[3]; w[4] = t; if (g2[1] > 0) count = 1; }", False),
        (
            "double g(void) { double t = 0;\n#pragma omp parallel for reduction(+ : t)\n"
            "for (int i = 0; i < 33; i++) t += w[i];\nreturn t > 1e-9 ? 1 : 0; }",
            False,
        ),
        (
            "double g(void) { double t = 0;\n#pragma omp parallel for reduction(+ : t)\n"
            "for (int i = 0; i < 33; i++) t += w[i];\nreturn sqrt(t / 33) > 0.0 ? 1 : 0; }",
            True,
        ),
        (
            "int h(int n, ...) { va_list a; va_start(a, n); "
            "return va_arg(a, double) > 0; } void g(void) { h(1, w[3]); }",
            True,
        ),
        (
            "int h(int n, ...) { va_list a; va_start(a, n); "
            "return *va_arg(a, double *) > 0; } void g(void) { h(1, w); }",
            True,
        ),
        ("int h(int n, ...) { return n; } void g(void) { h(1, w[3]); }", False),
        ("void g(void) { unsigned long a = (unsigned long)w; double *p = (double *)(a + 8); count = *p > 0; }", True),
        ("void g(void) { unsigned long a = (unsigned long)w; double *p = g2; count = *p > 0 || a % 64; }", False),
        ("static double v; double *h(void) { return &v; } void g(void) { *h() = w[3]; count = v > 0; }", True),
        ("double *h(void) { static double v[3]; return v; } void g(void) { h()[2] = w[3]; count = h()[2] > 0; }", True),
        (
            "double *h(int n) { return malloc(n * 8); }"
            "void g(void) { *h(1) = w[3]; double *p = h(2); count = *p > 0; }",
            False,
        ),
        ("void g(void) { long n; bcopy(&w[3], &n, 8); count = n & 1; }", True),
        ('void g(void) { char s[40]; sprintf(s, "%g", w[3]); count = strcmp(s, "0"); }', True),
        ('void g(void) { char s[40]; sprintf(s, "%g", w[3]); puts(s); }', False),
    ],
)
def test_compared_elsewhere(facts: Callable[[str], Facts], after: str, compared: bool) -> None:
    text = f"""
    #include <math.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <strings.h>
    static double w[33], g2[33];
    int count, i_like;
    void f(int n, double *x, double *y)
    {{
        #pragma omp parallel for
        for (int i = 0; i < n; i++) w[i] = x[i] * y[i] - 3;
    }}
    {after}
    """
    assert list(map(c_expr, facts(text).exact)) == [XY] * compared


def test_members_are_apart(facts: Callable[[str], Facts]) -> None:
    text = """
    struct v { double x, y; };
    static struct v place[33], force[33];
    void f(int n, double a)
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            force[i].x = place[i].x * a - 1;
            place[i].y = place[i].x * a - 2;
        }
    }
    int g(void) { return place[3].x > 1 || place[2].y > 2; }
    """
    assert [node.loc.line for node in facts(text).exact] == [9]
