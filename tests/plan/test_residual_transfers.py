"""What is said about copies between launches, and the host's statements that they are because of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Level, Options
from ompc.driver import translate_program

Said = dict[str, tuple[str, str]]

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 10000
#define LOOP _Pragma("omp parallel for") for (int i = 0; i < N; i++)
"""


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """`said({"a.c": text, ...})`: of the variables of all loops, "u in" and "u out": when, and because of what."""

    def run(*texts: str, level: Level = Level.AUTO) -> Said:
        monkeypatch.chdir(tmp_path)
        sources = [Path(f"{chr(ord('a') + at)}.c") for at in range(len(texts))]
        for source, text in zip(sources, texts, strict=True):
            source.write_text(text)
        found: Said = {}
        for translation in translate_program(sources, Options(level=level)):
            regions: Any = translation.report["regions"]
            for variable in (v for region in regions for v in region["variables"]):
                for crossing in variable["crossings"]:
                    known = f"{variable['name']} {crossing['way']}"
                    found[known] = (crossing["when"], crossing["because"])
        return found

    return run


STEPS = """#include <stdio.h>
#include <stdlib.h>
#define N 10000
static double *vector(int n) { double *v = malloc(n * sizeof *v); if (v == NULL) exit(1); return v; }
static void fill(double *v, double x) { for (int i = 0; i < N; i++) v[i] = x; }
static double norm(const double *v) { double s = 0; for (int i = 0; i < N; i++) s += v[i] * v[i]; return s; }
int main(int argc, char **argv)
{
    double *a = vector(N), *b = vector(N), *source = vector(N), *r = vector(N), *lost = vector(N), *t, sum = 0;
    fill(a, 1);
    fill(b, 0);
    for (int k = 0; k < argc + 10; k++) {
        source[k] = k, argc += 0;
        #pragma omp parallel for reduction(+:sum)
        for (int i = 1; i < N - 1; i++) {
            b[i] = a[i - 1] + a[i + 1] + source[i];
            r[i] = b[i] - a[i];
            lost[i] = r[i];
            sum += r[i];
        }
        if (k % 10 == 0)
            printf("%g %g\\n", norm(r), sum);
        t = a; a = b; b = t;
    }
    fwrite(a, sizeof *a, N, stdout);
    return norm(b) > 1;
}
"""


def test_a_program_in_steps(said: Callable[..., Said]) -> None:
    found = said(STEPS)
    assert found["source in"] == (
        "before every launch",
        "written by the host at a.c:13, inside the loop of line 12 over the launches",
    )
    assert found["a in"] == (
        "before the first launch only",
        "written by the host at a.c:5 (called at line 10) and 5 (called at line 11), never between launches",
    )
    assert found["b out"] == (
        "when the host reads it",
        "read by the host at a.c:6 (called at line 26); read by fwrite at a.c:25, after the last launch",
    )
    assert found["r in"] == (
        "before the first launch only",
        "no host code writes it; what is overwritten is not copied",
    )
    assert found["r out"] == (
        "when the host reads it",
        "read by the host at a.c:6 (called at line 22), under a condition inside the loop of line 12 over the launches",
    )
    assert found["lost out"] == ("at most when the program ends", "no host code reads it")
    assert found["sum out"] == (
        "after every launch",
        "the result, which each launch brings home; read by the host at a.c:22",
    )


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_the_other_levels_copy_always(said: Callable[..., Said], level: Level) -> None:
    found = said(STEPS, level=level)
    assert found["lost out"] == ("after every launch", f"--opt {level.value}: every launch copies")
    assert found["a in"][0] == "before every launch" and "a out" not in found


def test_accesses_between_two_loops(said: Callable[..., Said]) -> None:
    """What is accessed after one launch and before another is on the device already."""
    found = said(
        HEAD
        + """static double x[N], y[N], z[N], w[N], few[4];
        int main(void)
        {
            double own[N];
            few[0] = 1;
            LOOP { own[i] = i; x[i] = few[i % 4] + i; w[i] = i; }
            x[3] = own[2];
            LOOP { y[i] = x[i]; z[i] = w[i]; }
            z[0] = 1;
            return 0;
        }
        """
    )
    assert found["x in"] == ("again when the host has written it", "written by the host at a.c:12, between launches")
    assert found["w in"] == ("before the first launch that uses it", "no host code writes it")
    assert found["y in"] == ("never", "every element is overwritten")
    assert found["z out"] == (
        "where the host writes to it",
        "written by the host at a.c:14, the rest of the pages is copied back first",
    )
    assert found["own out"] == ("when the host reads it", "read by the host at a.c:12, after the launch")
    assert found["few in"][1].startswith("32 bytes are no page of memory")


def test_a_copy_of_former_values_is_the_array_s(said: Callable[..., Said]) -> None:
    """The host writes the array: it has none of the copy's name."""
    found = said(
        HEAD
        + """static double x[300][300];
        int main(int argc, char **argv)
        {
            for (int step = 0; step < argc + 3; step++) {
                x[step][4] = step, argc += 0;
                #pragma omp parallel for
                for (int j = 0; j < 300; j++)
                    for (int i = 0; i < 300; i++) {
                        double sum = 0;
                        for (int k = i + 1; k < 300; k++)
                            sum += x[k][j];
                        x[i][j] = sum;
                    }
            }
            return x[2][3] > 1;
        }
        """
    )
    assert found["x_before in"][0] == "before every launch" and "written by the host at a.c:" in found["x_before in"][1]
    assert found["x in"] == ("never", "every element is overwritten")


def test_conditions_and_jumps(said: Callable[..., Said]) -> None:
    found = said(
        HEAD
        + """static double x[N], y[N], z[N];
        int main(int argc, char **argv)
        {
            double old;
            do {
                old = y[1];
                LOOP { x[i] += 1; y[i] += x[i]; }
            } while (x[0] < argc && y[2] < argc);
        again:
            LOOP z[i] += 1;
            if (z[0] < 100)
                goto again;
            return old > 1;
        }
        """
    )
    assert found["x out"] == (
        "after every launch",
        "read by the host at a.c:13, in the condition of the loop of line 10 over the launches",
    )
    assert found["y out"] == (
        "after every launch",
        "read by the host at a.c:11, inside the loop of line 10 over the launches",
    )
    assert found["z out"] == (
        "after every launch",
        "read by the host at a.c:16, inside the loop of line 17 over the launches",
    )


def test_library_and_pointers_in_memory(said: Callable[..., Said]) -> None:
    found = said(
        HEAD
        + """struct grid { double *u, *f; };
        static double **matrix(void)
        {
            double **rows = malloc(N * sizeof *rows);
            for (int i = 0; i < N; i++)
                rows[i] = malloc(9 * sizeof **rows);
            return rows;
        }
        static void init(struct grid *g) { g->u = malloc(N * 8); g->f = malloc(N * 8); memset(g->u, 0, N * 8); }
        static int order(const void *a, const void *b) { return *(double *)a < *(double *)b; }
        static double (*look)(double *);
        static double first(double *x) { return x[0]; }
        int main(void)
        {
            double **a = matrix(), **b = matrix(), *sorted = malloc(N * 8), *seen = malloc(N * 8);
            struct grid g;
            look = first;
            init(&g);
            a[0][0] = 1;
            fread(g.f, 8, N, stdin);
            LOOP { b[i][0] = a[i][1] + g.u[i] + g.f[i]; sorted[i] = i; seen[i] = i; }
            printf("%g", b[0][0] + look(seen));
            qsort(sorted, N, 8, order);
            return 0;
        }
        """
    )
    assert found["*a in"] == ("before the launch", "written by the host at a.c:24")
    assert found["*b out"] == ("when the host reads it", "read by the host at a.c:27, after the launch")
    assert found["a in"][1] == "it holds pointers, which each launch translates"
    assert found["g.u in"] == ("before the launch", "written by memset at a.c:14 (called at line 23)")
    assert found["g.f in"] == ("before the launch", "written by fread at a.c:25")
    assert found["seen out"][1] == "read by the host at a.c:17 (called at line 27), after the launch"
    assert (
        found["sorted out"][1]
        == "read by the host at a.c:15 (called at line 28); read by qsort at a.c:28, after the launch"
    )


def test_code_that_is_not_seen(said: Callable[..., Said]) -> None:
    found = said(
        HEAD
        + """void keep(double *), look(const double *), other(void);
        static double kept[N], looked[N], own[N];
        double known[N];
        void step(double *given)
        {
            LOOP { kept[i] = known[i] + own[i]; looked[i] = i; given[i] = i; }
            keep(kept);
            look(looked);
            other();
        }
        """
    )
    calls = "may be read by code that is not seen, at a.c:12 (keep), 13 (look) and 14 (other)"
    assert found["kept out"][0] == "when the host reads it" and calls in found["kept out"][1]
    assert found["looked out"] == (
        "when the host reads it",
        "may be read by code that is not seen, at a.c:13 (look), between calls by code that is not seen",
    )
    assert "which can call step" in found["given out"][1] and "which can call step" in found["known in"][1]
    assert found["own in"] == ("before the first launch only", "no host code writes it")


def test_several_files(said: Callable[..., Said]) -> None:
    found = said(
        """#define N 10000
        extern double u[N], v[N]; extern int steps; double *block(void); double sum(const double *, int);
        int main(void)
        {
            double *own = block(), *other = block(), all = 0;
            for (int k = 0; k < steps; k++) {
                #pragma omp parallel for
                for (int i = 0; i < N; i++) { u[i] = v[i]; own[i] = i; other[i] = i; }
                all += sum(u, N);
            }
            return sum(own, 2) > all;
        }
        """,
        """#include <stdlib.h>
        double u[10000], v[10000]; int steps;
        double *block(void) { v[0] = 1; return malloc(80000); }
        double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
        """,
    )
    assert found["v in"] == (
        "before the first launch only",
        "written by the host at b.c:3 (called at a.c:5), never between launches",
    )
    assert found["u out"] == (
        "after every launch",
        "read by the host at b.c:4 (called at a.c:9), inside the loop of line 6 over the launches",
    )
    assert found["own out"][1] == "read by the host at b.c:4 (called at a.c:11), after the last launch"
    assert found["other out"] == ("at most when the program ends", "no host code reads it")


def test_recursion_and_unknown_origins(said: Callable[..., Said]) -> None:
    found = said(
        HEAD
        + """#include <stdint.h>
        static double x[N], hidden[N];
        static void down(int k)
        {
            if (k == 0)
                return;
            x[k] = k;
            LOOP { x[i] += 1; hidden[i] = i; }
            down(k - 1);
        }
        int main(void)
        {
            uintptr_t number = (uintptr_t)hidden;
            double *from = (double *)(number + 8);
            down(9);
            return from[1] > 1;
        }
        """
    )
    assert found["x in"][0] in ("before every launch", "again when the host has written it")
    assert found["hidden out"] == (
        "when the host reads it",
        "may be read through a pointer of unknown origin at a.c:21, after the last launch",
    )


def test_programs_that_are_too_large(said: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ompc.analysis.host.host_uses.MOST_PAIRS", 3)
    found = said(STEPS)
    because = "too many calls and launches in this program to say which host code that is"
    assert found["source in"] == ("again when the host has written it", because)
    assert found["b out"] == ("when the host reads it", because)


def test_lengths_of_variable_arrays_are_code_of_the_host(said: Callable[..., Said]) -> None:
    text = """
static double a[N], b[N];
static int changed(void) { a[0] = 9; return 3; }
int main(void)
{
    for (int k = 0; k < 3; k++) {
        LOOP b[i] += a[i];
        double w[changed()];
        w[0] = 0;
    }
    return (int) sizeof(char[(int) b[0]]);
}
"""
    found = said(HEAD + text)
    assert found["a in"][0] == "before every launch" and "(called at line" in found["a in"][1]
    assert found["b out"][0] == "when the host reads it"
