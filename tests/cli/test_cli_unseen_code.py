"""Programs of which ompc sees a part at a time: requests that outlive a call, loops of one team in several files, and
generated files that are compiled with other macros than they were made with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ompc.base.resources import PACKAGE
from ompc.cli import main

MPI_H = """\
typedef struct { void *to; const void *from; int bytes; } MPI_Request;
int MPI_Irecv(void *to, int bytes, MPI_Request *);
int MPI_Isend(const void *from, int bytes, MPI_Request *);
int MPI_Wait(MPI_Request *);
int MPI_Test_all(void);
"""
MPI_C = """\
#include <string.h>
#include "mpi.h"
static char wire[4096];
static MPI_Request receiving, sending;
int MPI_Irecv(void *to, int bytes, MPI_Request *r) { receiving = *r = (MPI_Request){to, 0, bytes}; return 0; }
int MPI_Isend(const void *from, int bytes, MPI_Request *r) { sending = *r = (MPI_Request){0, from, bytes}; return 0; }
int MPI_Test_all(void)
{
    if (sending.from) memcpy(wire, sending.from, sending.bytes);
    if (receiving.to) memcpy(receiving.to, wire, receiving.bytes);
    sending.from = receiving.to = 0;
    return 1;
}
int MPI_Wait(MPI_Request *r) { (void)r; return MPI_Test_all(); }
"""
EXCHANGE = """\
#include <stdio.h>
#include <stdlib.h>
#include "mpi.h"
#define N 40
static double u[N], halo[8], result[N];
static double sum(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 5 + 1);
    return s;
}
static void step(double *to, const double *from, int n)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) to[i] = (from[i - 1] + from[i + 1]) / 2 + halo[i % 8];
}
int main(void)
{
    MPI_Request in, out;
    double *v = calloc(N, sizeof *v);
    for (int i = 0; i < N; i++) u[i] = i;
    MPI_Irecv(halo, sizeof halo, &in);
    MPI_Isend(v + 4, sizeof halo, &out);
    step(v, u, N);
    MPI_Wait(&in);
    step(result, v, N);
    printf("%g %g\\n", sum(halo, 8), sum(result, N));
#pragma omp target data map(tofrom: u) map(to: halo) map(from: result)
    {
        MPI_Irecv(halo, sizeof halo, &in);
        MPI_Isend(u, sizeof halo, &out);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) u[i] += halo[i % 8];
#pragma omp target update from(u)
        MPI_Test_all();
#pragma omp target update to(halo)
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) result[i] = u[i] + halo[i % 8];
    }
    printf("%g %g %g\\n", sum(halo, 8), sum(u, N), sum(result, N));
    return 0;
}
"""
LIBRARY_C = """\
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static double own[30000], *kept;
static int ends[2];
double *own_array(void) { return own; }
void keep(double *p) { kept = p; }
double later(int i) { kept[i] += 1; return kept[i + 1]; }
double *moved(double *p, int n) { p = realloc(p, n * sizeof *p); p[n - 1] = 3; return p; }
void finished(double *p) { free(p); }
double *fresh(int n) { void *p; return posix_memalign(&p, 64, n * sizeof(double)) ? 0 : memset(p, 0, n * 8); }
int put(const double *p) { return ends[1] || pipe(ends) == 0 ? (int)write(ends[1], p, 24000) : -1; }
int get(double *p) { return (int)read(ends[0], p, 24000); }
double each(double *p, int n, void (*with)(double *, int))
{
    double s = 0;
    for (int k = 0; k < 3; k++) { with(p, n); s += p[k] + kept[n / 2 + k]; p[n - 1] -= k; }
    return s;
}
"""
LARGE = """\
#include <stdio.h>
#include <stdlib.h>
double *own_array(void), later(int), *moved(double *, int), *fresh(int), each(double *, int, void (*)(double *, int));
void keep(double *), finished(double *);
int put(const double *), get(double *);
static double a[30000];
static void grow(double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] += i % 5 + 1;
}
int main(void)
{
    double s = 0, *x = calloc(30000, sizeof *x), *y;
    keep(a);
    for (int k = 0; k < 3; k++) {
        grow(a, 30000), grow(own_array(), 30000);
        s += later(5 + k) + own_array()[k];
        grow(a, 30000), grow(x, 30000);
        s += later(20000) + put(x + 9 * k);
        x = moved(x, 30000 + 9000 * k);
        grow(x, 30000), grow(a, 10000);
        s += get(x + 100) + x[29999] + later(7);
        y = fresh(20000), keep(y), grow(y, 20000);
        s += later(3), s += y[3], s += each(y, 20000, grow), s += each(x, 15000, grow);
        finished(y), keep(a);
    }
    for (int i = 0; i < 30000; i++) s += a[i] * (i % 7) + x[i] * (i % 3) + own_array()[i];
    printf("%.12g\\n", s);
    finished(x);
    return 0;
}
"""
FIELDS_H = """\
enum { N = 30 };
double u[N][N], rhs[N][N], forcing[N][N];
int points, steps;
void compute_rhs(void), solve(double weight), add(void);
double norm(void);
"""
SOLVER = """\
#include "fields.h"
void compute_rhs(void)
{
    int i, j;
#pragma omp for
    for (i = 0; i < points; i++)
        for (j = 0; j < points; j++) rhs[i][j] = forcing[i][j];
#pragma omp for nowait
    for (i = 1; i < points - 1; i++)
        for (j = 1; j < points - 1; j++)
            rhs[i][j] += u[i - 1][j] + u[i + 1][j] - 4 * u[i][j] + u[i][j - 1] + u[i][j + 1];
#pragma omp barrier
}
static void line(int i, double weight)
{
    for (int j = 1; j < points; j++) rhs[i][j] += weight * rhs[i][j - 1];
}
void solve(double weight)
{
    int i;
#pragma omp for
    for (i = 1; i < points - 1; i++) line(i, weight);
}
void add(void)
{
    int i, j;
#pragma omp for
    for (i = 1; i < points - 1; i++)
        for (j = 1; j < points - 1; j++) u[i][j] += rhs[i][j] * 0.125;
}
"""
TIME_STEPS = """\
#include <math.h>
#include <stdio.h>
#include "fields.h"
double norm(void)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) s += u[i][j] * u[i][j];
    return sqrt(s);
}
static void step(int number)
{
    compute_rhs();
    solve(number % 2 ? 0.25 : 0.5);
    add();
}
int main(void)
{
    int number;
    points = N - 2;
    steps = 6;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) forcing[i][j] = (i * j) % 7 - 3;
#pragma omp parallel private(number)
    {
        compute_rhs();
        for (number = 1; number <= steps; number++) {
            step(number);
#pragma omp master
            if (number == 3) forcing[4][4] += 1;
#pragma omp barrier
        }
    }
    printf("%.9g\\n", norm());
    return 0;
}
"""
SIZED = """\
#include <stdio.h>
#ifndef N
#define N 500
#endif
double a[N];
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = i + N;
    printf("%g\\n", a[N - 1]);
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def output(*command: str, **environment: str) -> str:
    environ = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stderr + done.stdout


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)


def without_log(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("ompc: "))


def test_buffers_that_unseen_code_fills_later(folder: Path, hasty_cxx: str) -> None:
    write(folder, mpi_h=MPI_H, mpi_c=MPI_C, main_c=EXCHANGE)
    expected = output("gcc", "-fopenmp", "main.c", "mpi.c", "-o", "plain") + output("./plain")
    output("gcc", "-c", "mpi.c")
    ompc_cc = (sys.executable, "-m", "ompc", "cc", "-fopenmp")
    output(*ompc_cc, "-c", "main.c", OMPC_TARGET="emulate", OMPC_CXX=hasty_cxx)
    output(*ompc_cc, "main.o", "mpi.o", "-o", "program", OMPC_TARGET="emulate", OMPC_CXX=hasty_cxx)
    ran = output("./program", OMPC_LOG="3")
    assert ran.count(": grid") == 4
    assert without_log(ran) == expected


@pytest.mark.parametrize("library", [("-c", "library.c"), ("-shared", "-fPIC", "library.c", "-o", "library.so")])
def test_unseen_code_touches_what_stays_on_the_device(folder: Path, library: tuple[str, ...], hasty_cxx: str) -> None:
    write(folder, library_c=LIBRARY_C, large_c=LARGE)
    output("gcc", "-O2", *library)
    unseen = "./library.so" if "-shared" in library else "library.o"
    expected = output("gcc", "-fopenmp", "large.c", unseen, "-o", "plain") + output("./plain")
    command = (sys.executable, "-m", "ompc", "cc", "-fopenmp", "large.c", unseen, "-o", "program")
    output(*command, OMPC_TARGET="emulate", OMPC_CXX=hasty_cxx)
    ran = output("./program", OMPC_LOG="3")
    assert ran.count(": grid") == 39
    assert without_log(ran) == expected


def test_loops_of_a_team_in_functions_of_another_file(folder: Path, emulating_cxx: str) -> None:
    """As the NAS benchmarks are built: globals in a header, worksharing in functions, `parallel` around their calls."""
    write(folder, fields_h=FIELDS_H, solver_c=SOLVER, main_c=TIME_STEPS)
    output("gcc", "-fopenmp", "-fcommon", "main.c", "solver.c", "-o", "plain", "-lm")
    command = ["build", "main.c", "solver.c", "-o", "program", "--target", "emulate", "-fcommon", "-lm", "-q"]
    assert main([*command, "--cxx", emulating_cxx]) == 0
    for threads, launches_of_a_step in (("1", 3), ("3", 4)):  # nothing says that `weight` keeps no lines apart
        ran = output("./program", OMPC_LOG="3", OMP_NUM_THREADS=threads)
        assert ran.count(": grid") == 2 + 6 * launches_of_a_step
        assert without_log(ran) == output("./plain", OMP_NUM_THREADS=threads)


APART = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int a[30];
int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int *mine = malloc(8 * sizeof *mine);
#pragma omp for schedule(static)
        for (int i = 0; i < 30; i++) {
            mine[i % 8] = i;
            a[i] = mine[i % 8];
        }
        free(mine);
    }
    printf("%d %d %d\\n", a[0], a[10], a[29]);
    return 0;
}
"""


def test_a_disabled_team_says_nothing(folder: Path, emulating_cxx: str) -> None:
    write(folder, apart_c=APART)
    assert main(["build", "apart.c", "-o", "program", "--target", "emulate", "--cxx", emulating_cxx, "-q"]) == 0
    assert output("./program").endswith("different values of `mine` [OMPC458]\n0 10 29\n")
    assert output("./program", OMPC_DISABLE="1") == "0 10 29\n"


def test_a_macro_cannot_change_in_one_half_only(folder: Path) -> None:
    write(folder, sized_c=SIZED)
    assert main(["translate", "sized.c", "-o", "out", "-q"]) == 0
    compiler = ["gcc", "-fopenmp", "-fsyntax-only", "-Iout/ompc_host", "out/sized.c", "-w"]
    include = [word for word in (folder / "out" / "Makefile").read_text().split() if word.startswith("-I")]
    assert subprocess.run([*compiler, *include, "-DN=500"], capture_output=True).returncode == 0
    refused = subprocess.run([*compiler, *include, "-DN=400"], capture_output=True, text=True)
    assert refused.returncode != 0
    assert "was made with N = 500: translate again" in refused.stderr
