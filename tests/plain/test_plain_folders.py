"""Programs of several files as one plain folder: gcc's results; arrays stay across files only where that is proved."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from accepted_by_nvcc import FRONT_ENDS

from ompc.base.translation import Translation
from ompc.cli import main
from ompc.toolchain.machine.nvcc import require_nvcc
from tests.plain.plain_programs import built_by_gcc, built_on_host, moved_by, output_of, plain_folder, written

_HEADER = """#include <stdio.h>
#include <stdlib.h>
enum { N = 400 };
struct pair { double *first, *second; };
typedef struct { double *row; int n; } rows;
extern double weight[16];
extern double *scratch, *other;
extern rows all;
void step(const double *x, double *y, int n);
void fill(void);
double norm(const double *x, int n);
double *vector(int n);
double half(double x);
void look(const double *x);
void turn(void);
void shift(struct pair *p);
void move(rows *r);
"""

_STEP = """#include "program.h"
double weight[16], *other;
static void own(double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += 1.0;
}
double half(double x)
{
    return 0.5 * x;
}
void step(const double *x, double *y, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = half(x[i]) + weight[i % 16] + i;
    own(y, n);
}
void fill(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        scratch[i] += 2.0 * i;
}
"""

_NORM = """#include "program.h"
double *scratch;
rows all;
static void own(double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] -= 0.5;
}
double norm(const double *x, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
double *vector(int n)
{
    double *x = malloc(n * sizeof *x);
    for (int k = 0; k < n; k++)
        x[k] = k % 7;
    own(x, n);
    return x;
}
void look(const double *x)
{
    printf("%.3f\\n", x[7]);
}
void turn(void)
{
    double *old = scratch;
    scratch = other;
    other = old;
}
void shift(struct pair *p)
{
    p->first = p->first + 1;
}
void move(rows *r)
{
    r->row++;
}
"""

_MAIN = """#include "program.h"
static int run(double *a, double *b, int steps, double *sum)
{
    %s
    return 0;
}
int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 4;
    double *a = vector(N), *b = vector(N), sum = 0.0;
    for (int k = 0; k < 16; k++)
        weight[k] = k %% 5;
    scratch = vector(N);
    other = vector(N);
    run(a, b, steps, &sum);
    for (int k = 0; k < N; k++)
        sum += (k %% 11 + 1) * (a[k] + 2 * b[k] + 3 * scratch[k] + 4 * other[k]);
    printf("%%.6f\\n", sum);
    return 0;
}
"""

_LOOP = "for (int k = 0; k < steps; k++) {{ {} }}"
_SWAP = "double *old = a; a = b; b = old;"
KEPT = {
    "arguments": (_LOOP.format("step(a, b, N);" + _SWAP), "a, b, weight"),
    "a reduction of another file": (_LOOP.format("step(a, b, N); *sum += norm(b, N);"), "a, b, weight"),
    "a pointer of the program": (_LOOP.format("fill();"), "scratch"),
    "pointers that another file exchanges": (_LOOP.format("fill(); turn();"), "scratch, other"),
}
COPIED = {
    "read by another file": _LOOP.format("step(a, b, N); look(b); look(a);"),
    "read here": _LOOP.format("fill(); *sum += scratch[k];"),
}
REFUSED = {
    "a member that another file moves": ("struct pair p = {a, b}; shift(&p); p.first[(int)p.first[3]] = 1;", "p.first"),
    "a member of the program's": ("all.row = a; move(&all); all.row[(int)all.row[3]] = 1;", "all.row"),
}


def _sources(folder: Path, body: str) -> list[Path]:
    texts = {"main.c": _MAIN % body, "step.c": _STEP, "norm.c": _NORM}
    (folder / "program.h").write_text(_HEADER)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def _built(folder: Path, body: str) -> tuple[Translation, Path, Path]:
    sources = _sources(folder, body)
    translation = plain_folder(sources)
    assert {each.code for each in translation.diagnostics} <= {"OMPC368"}, translation.diagnostics  # not called
    return translation, built_on_host(translation, folder / "plain"), built_by_gcc(sources, folder)


@pytest.mark.parametrize("name", KEPT)
def test_arrays_stay_on_the_device_across_files(name: str, tmp_path: Path) -> None:
    body, arrays = KEPT[name]
    translation, built, original = _built(tmp_path, body)
    assert f"run_to_device({arrays});" in translation.files["main.c"]
    assert output_of(built) == output_of(original)
    assert output_of(built, "0") == output_of(original, "0")
    if "norm" not in body:
        assert moved_by(built, "2") == moved_by(built, "9")


@pytest.mark.parametrize("name", COPIED)
def test_what_a_file_of_the_program_touches_is_copied_each_time(name: str, tmp_path: Path) -> None:
    translation, built, original = _built(tmp_path, COPIED[name])
    assert not re.search(r"to_device\([^)]*\b[ab]\b|to_device\([^)]*scratch", translation.files["main.c"])
    assert output_of(built) == output_of(original)


@pytest.mark.parametrize("name", REFUSED)
def test_what_another_file_does_to_a_pointer_counts(name: str, tmp_path: Path) -> None:
    body, what = REFUSED[name]
    at = body.rindex(";", 0, -1) + 1
    loop = f"{body[:at]}\n#pragma omp parallel for\nfor (int i = 0; i < 2; i++) {body[at:]}"
    translation = plain_folder(_sources(tmp_path, loop))
    (said,) = [each for each in translation.diagnostics if each.code == "OMPC417"]
    assert what in said.message, said.message


def test_the_folder_has_one_shared_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = _sources(tmp_path, KEPT["arguments"][0])
    monkeypatch.chdir(tmp_path)
    assert main(["translate", "--plain", *(path.name for path in sources), "-o", "out"]) == 0
    found = sorted(path.name for path in Path("out").iterdir())
    of_main = ["main.c", "main.cu", "main_cuda.h", "main_shared.cuh"]
    assert found == [".ompc.json", "Makefile", *of_main, "norm.c", "norm.cu", "program.h", "step.c", "step.cu"]
    texts = "".join(path.read_text() for path in Path("out").glob("*.cu"))
    kernels = re.findall(r"__global__ void (\w+)", texts)
    assert sorted(kernels) == ["own", "own_2", "step"]
    made = subprocess.run(["make", "-n", "-C", "out"], capture_output=True, text=True, check=True).stdout
    assert "-c step.cu -o step_device.o" in made
    assert "main.o main_device.o step.o step_device.o norm.o norm_device.o -o main" in made


def test_headers_of_several_directories_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = _sources(tmp_path, KEPT["arguments"][0])
    (tmp_path / "lib").mkdir()
    sources[1] = sources[1].rename(tmp_path / "lib" / "step.c")
    monkeypatch.chdir(tmp_path)
    assert main(["translate", "--plain", "main.c", "lib/step.c", "norm.c", "-I.", "-o", "out"]) == 0
    made = subprocess.run(["make", "-n", "-C", "out"], capture_output=True, text=True, check=True).stdout
    compiled = [line for line in made.splitlines() if "-fopenmp" in line and " -c " in line]
    assert len(compiled) == 3
    for line in compiled:
        subprocess.run(line, cwd="out", shell=True, check=True)


def test_a_file_that_nobody_understands_keeps_all_loops_on_the_host(tmp_path: Path) -> None:
    sources = _sources(tmp_path, KEPT["arguments"][0])
    sources.append(tmp_path / "nested.c")
    sources[-1].write_text("int f(void) { int g(void) { return 1; } return g(); }\n")
    translation = plain_folder(sources)
    assert not translation.plain
    assert any("nested.c cannot be analysed" in each.message for each in translation.diagnostics)


@pytest.mark.nvcc
def test_nvcc_takes_the_folder_without_a_warning(tmp_path: Path) -> None:
    folder = written(plain_folder(_sources(tmp_path, KEPT["a reduction of another file"][0])), tmp_path / "out")
    nvcc = [str(require_nvcc(os.environ).path), *FRONT_ENDS, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"]
    for name in ("main", "step", "norm"):
        ran = subprocess.run([*nvcc, "-c", f"{name}.cu"], cwd=folder, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
