"""Races that are proved, each with its two iterations; and above all correct loops, of which nothing must be said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.diagnostics import Diagnostic
from ompc.base.options import Options
from ompc.cli import main
from ompc.driver import compile_to

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"


def warnings_about(source: Path, options: Options | None = None) -> list[Diagnostic]:
    known = compile_to("analysis", source, options or Options())
    return [warning for warnings in known.told.values() for warning in warnings]


@pytest.fixture
def warnings(tmp_path: Path) -> Callable[..., list[Diagnostic]]:
    def run(code: str, before: str = "") -> list[Diagnostic]:
        source = tmp_path / "t.c"
        source.write_text(
            f"""
            #include <math.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <omp.h>
            double a[1000], b[100][100], w[7];
            int flag, key[100], global;
            volatile int ready;
            struct point {{ double x, y; int *list; }} points[100], one;
            struct grid {{ int nx, list[3]; }};
            extern const int counts[];
            void unseen(int);
            static double half(double x) {{ return x / 2; }}
            static void locked(omp_lock_t *lock) {{ omp_set_lock(lock); }}
            {before}
            void f(int n, int m, unsigned un, int lo, int hi, double *x, double *y, double **rows, omp_lock_t *lock,
                   int *length, struct grid *g)
            {{
                int i, j, k = 0, t = 0, count = 0; double s = 0, p = 1;
                (void)j; (void)k; (void)s; (void)t; (void)p; (void)count; (void)i;
                {code}
            }}
            """
        )
        return warnings_about(source)

    return run


FOR = "for (i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        # elements; the iterations are the least ones
        ("for (i = 1; i < n; i++) a[i] = a[i - 1];", "iterations i = 1 and i = 2 of this loop both access 'a[1]'"),
        ("for (i = 0; i < n; i++) a[i] = a[i + 1];", "iterations i = 0 and i = 1 of this loop both access 'a[1]'"),
        ("for (i = lo; i < hi; i++) x[i] = x[i - 1];", "i = lo and i = lo + 1 of this loop both access 'x[lo]'"),
        ("for (i = n; i > 0; i--) a[i] = a[i - 1];", "both access 'a["),
        # bounds in memory that the loop does not write
        (
            "for (i = 1; i < *length; i++) a[i] = a[i - 1];",
            "iterations i = 1 and i = 2 of this loop both access 'a[1]'",
        ),
        ("for (i = 1; i < g->nx - 1; i++) a[i] = a[i - 1];", "i = 1 and i = 2 of this loop both access 'a[1]'"),
        # or may write, as by an `int *`: the loop's own bounds do not change
        ("for (i = 1; i < *length; i++) key[i] = key[i - 1];", "both access 'key[1]'"),
        ("for (i = 1; i < g->nx - 1; i++) g->list[0] = i;", "both access 'g[0].list[0]'"),
        ("for (i = 1; i < g->list[2]; i++) a[i] = a[i - 1];", "i = 1 and i = 2 of this loop both access 'a[1]'"),
        ("for (i = 1; i < counts[k]; i++) x[i] = x[i - 1];", "i = 1 and i = 2 of this loop both access 'x[1]'"),
        ("for (i = 0; i < n / 2; i++) a[2 * i + 1] = a[i] + 1;", "i = 0 and i = 1 of this loop both access 'a[1]'"),
        ("for (i = 0; i < 100; i++) a[i] = a[i + 50];", "i = 0 and i = 50 of this loop both access 'a[50]'"),
        ("for (i = 0; i < 100; i += 2) a[i] = a[i + 50];", "i = 0 and i = 50 of this loop both access 'a[50]'"),
        ("for (i = 0; i < 50; i++) a[i] = a[49 - i];", "i = 0 and i = 49 of this loop both access 'a["),
        ("for (i = 1; i < n; i++) if (i < 5) a[i] = a[i - 1];", "i = 1 and i = 2"),
        ("for (i = 1; i < n; i++) { int left = i - 1; a[i] = a[left]; }", "i = 1 and i = 2"),
        ('for (i = 1; i < n; i++) { a[i] = half(a[i - 1]); printf("%g", a[i]); }', "i = 1 and i = 2"),
        ("for (i = 0; i < n; i++) for (int q = 0; q < m; q++) a[q] += x[i];", "both access 'a[0]'"),
        ("for (i = 0; i < n; i++) for (int q = 0; q < i; q++) a[q] = i;", "i = 1 and i = 2"),
        ("for (i = 1; i < n; i++) for (int q = 0; q < m; q++) b[i][q] = b[i - 1][q];", "both access 'b[1][0]'"),
        ("for (i = 1; i < n; i++) rows[i][3] = rows[i - 1][3];", "both access 'rows[1][3]'"),
        ("for (i = 1; i < n; i++) points[i].x = points[i - 1].x;", "both access 'points[1].x'"),
        ("for (i = 0; i < n; i++) one.x += x[i];", "both access 'one.x'"),
        ("for (i = 0; i < n; i++) *x += y[i];", "both access 'x[0]'"),
        ("for (un = 1; un < 50; un++) a[un] = a[un - 1];", "un = 1 and un = 2"),
        # variables
        ("for (i = 0; i < n; i++) s += a[i];", "both access 's' (read and written"),
        ("for (i = 0; i < n; i++) { global = i; key[i] = global * global; }", "both access 'global'"),
        ("for (i = 0; i < n; i++) global = i;", "both access 'global' (written"),
        ("for (i = 0; i < n; i++) for (global = 0; global < m; global++) b[i][global] = 1;", "both access 'global'"),
        ("for (i = 0; i < n; i++) { static int calls; calls++; }", "both access 'calls'"),
        ("for (i = 0; i < n; i++) { flag = flag + 1; }", "both access 'flag'"),
    ],
)
def test_a_race(warnings: Callable[..., list[Diagnostic]], code: str, words: str) -> None:
    found = warnings("#pragma omp parallel for\n" + code)
    assert len(found) == 1
    assert words in found[0].message


@pytest.mark.parametrize(
    ("pragmas", "code", "words"),
    [
        ("#pragma omp parallel for collapse(2)", "for (i = 1; i < n; i++) for (j = 0; j < m; j++) b[i][j] = b[i-1][j];",
         "iterations (i, j) = (1, 0) and (i, j) = (2, 0) of this loop both access 'b[1][0]'"),
        ("#pragma omp parallel for schedule(static, 4)", "for (i = 1; i < 40; i++) a[i] = a[i-1];", "i = 4 and i = 5"),
        ("#pragma omp parallel for schedule(dynamic, 4)", "for (i = 0; i < 40; i++) a[i] = a[i+8];", "i = 0 and i = 8"),
        ("#pragma omp parallel for if(n > 10)", "for (i = 1; i < n; i++) a[i] = a[i - 1];", "i = 1 and i = 2"),
        ("#pragma omp parallel for", "for (i = 1; i < n; i++) { double *row = b[i]; row[2] = b[i - 1][2]; }",
         "i = 1 and i = 2"),
        ("#pragma omp parallel for reduction(+: s) private(t)", FOR + "{ t = i; s += t; k += t; }", "'k'"),
        ("#pragma omp parallel for ordered", "for (i = 0; i < n; i++) s += i;", "'s'"),
        ("#pragma omp target parallel for map(a)", "for (i = 1; i < n; i++) a[i] = a[i - 1];", "i = 1 and i = 2"),
        ("#pragma omp parallel\n#pragma omp for", "for (i = 1; i < n; i++) a[i] = a[i - 1];", "i = 1 and i = 2"),
        ("#pragma omp parallel for default(none) shared(n, s)", "for (i = 0; i < n; i++) s += i;", "'s'"),
    ],
)  # fmt: skip
def test_a_race_under_clauses(warnings: Callable[..., list[Diagnostic]], pragmas: str, code: str, words: str) -> None:
    found = warnings(f"{pragmas}\n{code}")
    assert len(found) == 1
    assert words in found[0].message


def test_a_race_in_a_region_with_other_code(warnings: Callable[..., list[Diagnostic]]) -> None:
    region = "#pragma omp parallel\n{\n int own = 0;\n unseen(1);\n#pragma omp for\n"
    found = warnings(f"{region} {FOR} {{ own += i; s += i; }} unseen(own); }}")
    assert ["'s'" in warning.message for warning in found] == [True]


@pytest.mark.parametrize(
    ("code", "cure"),
    [
        ("s += a[i];", "add reduction(+:s)"),
        ("count++;", "add reduction(+:count)"),
        ("p = p * a[i];", "add reduction(*:p)"),
        ("p = fmax(p, a[i]);", "add reduction(max:p)"),
        ("global = i; key[i] = global;", "add private(global)"),
        ("global = i; key[i] = global; } if (global > 3) { flag = 1;", "add lastprivate(global): it is used behind"),
        ("global = i; key[i] = global; } if (n > 3) { global = 1;", "add lastprivate(global): it is used behind"),
        ("for (global = 0; global < m; global++) b[i][global] = 1;", "add private(global)"),
        ("a[k] = i; k += 2;", "compute 'k' from the loop's variable"),
        ("key[i] = t; t = i;", "protect all accesses"),
        ("a[3] += x[i];", "#pragma omp atomic"),
        ("a[3] = i;", "which iteration comes last"),
    ],
)
def test_the_cure(warnings: Callable[..., list[Diagnostic]], code: str, cure: str) -> None:
    found = warnings(f"#pragma omp parallel for\n{FOR} {{ {code} }}")
    assert any(cure in (warning.help or "") for warning in found)


@pytest.mark.parametrize(
    "code",
    [
        # no conflict, or not for all values
        "for (i = 1; i < n; i++) a[i] = x[i - 1];",
        "for (i = 0; i < n; i++) a[2 * i] = a[2 * i + 1];",
        "for (i = 0; i < 10; i++) a[i] = a[i + 10];",
        "for (i = 0; i < n; i++) a[i] = a[i + 2];",
        "for (i = 0; i < n; i++) a[i] = a[i + m];",
        "for (i = 0; i < n; i++) a[i + lo] = a[i + hi];",
        "for (i = 0; i < n; i++) for (int q = 0; q < m; q++) a[4 * i + q] = 1;",
        "for (i = 0; i < n; i++) { int q; for (q = 0; q < 2; q++); int at = q;"
        " for (q = 0; q < 5; q++) a[4 * i + at] = i; }",
        "for (i = 0; i < n; i++) for (int q = 0; q < m; q++) x[i * m + q] = x[i * m];",
        "for (i = 0; i < n; i++) a[key[i]] += 1;",
        "for (i = 0; i < n; i++) a[i % 10] += 1;",
        "for (i = 0; i < n; i++) points[i].x = points[i].y;",
        "for (i = 1; i < n; i++) points[i].x = points[i - 1].y;",
        "for (i = 0; i < 1; i++) s += i;",
        "for (i = 0; i < 6; i++) if ((unsigned long)i - 5 < 3) a[0] = x[i];",  # 64 bits without a sign: i = 5 alone
        # through pointers that may or may not lead to the same object
        "for (i = 1; i < n; i++) x[i] = y[i - 1];",
        "for (i = 1; i < n; i++) { points[i].list = key; points[i].list[i] = points[i].list[i - 1]; }",
        "for (i = 1; i < n; i++) { double *row = rows[i]; row[0] = row[1]; }",
        # not in every iteration
        "for (i = 1; i < n; i++) if (i < m) a[i] = a[i - 1];",
        "for (i = 1; i < n; i++) if (x[i] > 0) a[i] = a[i - 1];",
        "for (i = 1; i < n; i++) if (flag) a[i] = a[i - 1];",
        "for (i = 1; i < n; i++) if (i == 3) a[i] = a[i - 1];",
        "for (i = 1; i < n; i++) { if (x[i] > 0) continue; a[i] = a[i - 1]; }",
        "for (i = 1; i < n; i++) { while (x[i] > 0) { x[i] -= 1; a[i] = a[i - 1]; } }",
        "for (i = 0; i < n; i++) { for (int q = 0; q < 9; q++) { if (q == flag) break; a[q] = i; } }",
        "for (i = 0; i < n; i++) key[i] = flag && count++;",
        "for (i = 0; i < n; i++) key[i] = flag ? count++ : 0;",
        "for (i = 0; i < n; i++) if (x[i] > s) s = x[i];",
        "for (i = 0; i < n; i++) key[i] = (int)sizeof(t++);",
        # everybody stores the same
        "for (i = 0; i < n; i++) flag = 1;",
        "for (i = 0; i < n; i++) a[0] = n * 2.0;",
        "for (i = 0; i < n; i++) { flag = m; key[i] = flag; }",
        # protected, or by something that could protect
        "for (i = 0; i < n; i++) {\n#pragma omp atomic\n s += i;\n}",
        "for (i = 0; i < n; i++) {\n#pragma omp critical\n { s += i; }\n}",
        "for (i = 0; i < n; i++) { omp_set_lock(lock); s += i; omp_unset_lock(lock); }",
        "for (i = 0; i < n; i++) { locked(lock); s += i; omp_unset_lock(lock); }",
        "for (i = 0; i < n; i++) { unseen(1); s += i; unseen(0); }",
        "for (i = 0; i < n; i++) if (omp_get_thread_num() == 0) s += i;",
        "for (i = 1; i < n; i++) { while (!ready) ; a[i] = a[i - 1]; }",
        "for (i = 1; i < n; i++) { while (key[i - 1] == 0) ; a[i] = a[i - 1]; key[i] = 1; }",
        "for (i = 1; i < n; i++) { int go = 0; while (!go) {\n#pragma omp atomic read\n go = flag;\n} a[i] = a[i-1]; }",
        "for (i = 0; i < n; i++) { __sync_fetch_and_add(&flag, 1); a[3] += i; }",
    ],
)
def test_nothing_is_said(warnings: Callable[..., list[Diagnostic]], code: str) -> None:
    assert warnings("#pragma omp parallel for\n" + code) == []


@pytest.mark.parametrize("bound", ["n > 1 ? 1 : n", "n > 4", "!n", "n % 2", "n && m", "*length != 3"])
def test_loops_that_may_never_have_two_iterations(warnings: Callable[..., list[Diagnostic]], bound: str) -> None:
    assert warnings(f"#pragma omp parallel for\nfor (i = 0; i < ({bound}); i++) a[3] = i;") == []


@pytest.mark.parametrize(
    ("pragmas", "code"),
    [
        ("#pragma omp parallel for private(j, t) reduction(+: s) lastprivate(count) firstprivate(k)",
         "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { t = j; s += t; count = t; k += t; }"),
        ("#pragma omp parallel for default(private) shared(n, a)", "for (i = 0; i < n; i++) { t = i; a[i] = t; }"),
        ("#pragma omp parallel for reduction(+: a[0:10])", "for (i = 0; i < n; i++) a[3] += i;"),
        ("#pragma omp parallel for num_threads(1)", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel for if(0)", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel for if(half(s) > 0)", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel for schedule(static, 100)", "for (i = 0; i < 50; i++) s += i;"),
        ("#pragma omp parallel for schedule(static, 1)", "for (i = 0; i < 50; i++) a[i] = a[i + 2];"),
        ("#pragma omp parallel for schedule(dynamic, 2)", "for (i = 0; i < 50; i++) a[i / 2 * 2] = a[i];"),
        ("#pragma omp parallel for schedule(static, k)", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel for ordered(1)",
         "for (i = 1; i < n; i++) {\n#pragma omp ordered depend(sink: i - 1)\na[i] = a[i - 1];\n"
         "#pragma omp ordered depend(source)\n}"),
        ("#pragma omp parallel for ordered", "for (i = 1; i < n; i++) {\n#pragma omp ordered\n a[i] = a[i - 1];\n}"),
        ("#pragma omp parallel for simd linear(k: 1)", "for (i = 0; i < n; i++) { a[k] = i; k++; }"),
        ("#pragma omp simd", "for (i = 1; i < n; i++) a[i] = a[i - 1];"),
        ("#pragma omp for", "for (i = 1; i < n; i++) a[i] = a[i - 1];"),
        ("#pragma omp parallel private(s)\n#pragma omp for", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel\n#pragma omp parallel for", "for (i = 0; i < n; i++) s += i;"),
        ("#pragma omp parallel for", "for (i = 0; i < n; i++) {\n#pragma omp simd reduction(+: s)\n"
         "for (int q = 0; q < m; q++) s += 0; }"),
    ],
)  # fmt: skip
def test_nothing_is_said_under_clauses(warnings: Callable[..., list[Diagnostic]], pragmas: str, code: str) -> None:
    assert warnings(f"{pragmas}\n{code}") == []


def test_variables_of_a_region_s_threads(warnings: Callable[..., list[Diagnostic]]) -> None:
    region = "#pragma omp parallel\n{ int own = 0, at = omp_get_thread_num(); double *mine = x + at;\n#pragma omp for\n"
    assert warnings(region + FOR + " { own += i; a[i + at] = a[i]; mine[0] += i; } unseen(own); }") == []


def test_threadprivate(warnings: Callable[..., list[Diagnostic]]) -> None:
    before = "static int mine;\n#pragma omp threadprivate(mine)\n"
    assert warnings("#pragma omp parallel for\n" + FOR + " mine += i;", before) == []


def test_a_program_that_asks_for_one_thread(warnings: Callable[..., list[Diagnostic]]) -> None:
    assert warnings("omp_set_num_threads(1);\n#pragma omp parallel for\n" + FOR + " s += i;") == []


@pytest.mark.parametrize("name", sorted(path.name for path in PROGRAMS.glob("*.c")))
def test_the_benchmarks_have_none(name: str) -> None:
    assert warnings_about(PROGRAMS / name) == []


RACE = """double a[100], s;
void f(int n)
{
#pragma omp parallel for
    for (int i = 1; i < n; i++) { a[i] = a[i - 1]; s += i; }
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = i;
}
"""


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(RACE)
    return tmp_path


def test_the_loop_stays_on_the_host_and_the_report_says_why(race: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "a.c", "--report", "a.json"]) == 0
    first, second = json.loads(Path("a.json").read_text())["regions"]
    assert (first["target"], first["reason"]["code"], second["target"]) == ("host", "OMPC202", "gpu")
    assert [entry["code"] for entry in first["races"]] == ["OMPC202", "OMPC203"] and second["races"] == []
    err = capfd.readouterr().err
    assert "a.c:4: warning: iterations i = 1 and i = 2" in err and "help: add reduction(+:s)" in err
    assert main(["explain", "a.c"]) == 0
    assert "What to do: add reduction(+:s)" in capfd.readouterr().out


def test_werror_refuses_the_file(race: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "a.c", "--werror"]) == 1
    assert "a.c:4: error: iterations i = 1 and i = 2" in capfd.readouterr().err
    assert not Path("a.ompc").exists()


@pytest.mark.parametrize(
    ("clauses", "loop", "kept"),
    [
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) a[i / 8] += 1;", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) a[i >> 3] += 1;", True),
        ("schedule(dynamic, 4)", "for (int i = 0; i < n; i++) if (i & 3) a[i] += a[i - 1];", True),
        ("schedule(static, 4)", "for (int i = 1; i < n; i++) if (i % 4 != 0) a[i] += a[i - 1];", True),
        ("schedule(static, 1)", "for (int i = 4; i < n; i++) a[i] += a[i - 4];", True),
        ("schedule(static, n)", "for (int i = 1; i < n; i++) a[i] += a[i - 1];", True),
        ("", "for (int i = 0; i < n; i++) a[i / 8] += 1;", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) a[i & ~7] += a[i];", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) a[i & ~5] += a[i];", False),
        ("schedule(static, 8)", "for (unsigned i = 0; i < 99u; i++) a[i & ~7u] += a[i];", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) { int *p = a + i / 8; *p += 1; }", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) { int *p = &a[i & ~7], *q = 1 + p; q[-1] += *q; }", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) { int *p = a + i / 8; p += i; *p += 1; }", False),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) { int *p = a + i; *p += 1; }", False),
        ("", "for (int i = 0; i < n; i++) { int *const p = &a[i / 8]; p[0] += 1; }", True),
        ("schedule(static, 8)", "for (int i = 0; i < n; i++) a[i] += 1;", False),
        ("schedule(dynamic, 8)", "for (int i = 0; i < n; i++) if (i % 2 == 0) a[i / 2] = i;", False),
        ("schedule(dynamic, 8)", "for (int i = 0; i < n; i++) a[i] = a[i + m];", False),
        ("schedule(static, n)", "for (int i = 0; i < n; i++) a[key[i]] += 1;", False),
    ],
)
def test_an_order_that_the_schedule_keeps(tmp_path: Path, clauses: str, loop: str, kept: bool) -> None:
    source = tmp_path / "t.c"
    source.write_text(
        f"int a[1000], key[100];\nvoid f(int n, int m)\n{{\n#pragma omp parallel for {clauses}\n{loop}\n}}\n"
    )
    found = compile_to("analysis", source).conflicts
    assert not found.races
    assert bool(found.ordered) is kept


@pytest.mark.parametrize("write", ["*length = i", "length[i] = i", "g->list[i % 3] = i", "*(char *)x = 1", "*g = h"])
def test_bounds_of_inner_loops_that_the_loop_may_change(tmp_path: Path, write: str) -> None:
    source = tmp_path / "t.c"
    source.write_text(
        f"""double a[1000]; struct grid {{ int nx, list[3]; }} h;
        void f(double *x, int *length, struct grid *g)
        {{
            #pragma omp parallel for
            for (int i = 0; i < 9; i++) for (int q = 1; q < g->nx; q++) {{ a[q] = a[q - 1]; {write}; }}
        }}"""
    )
    assert not any("'a[" in warning.message for warning in warnings_about(source))
