"""Programs of several files: built and run, their loops calling functions of the other files; and their folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from prepared_runtime import keeping_nvcc

from ompc.cli import main
from ompc.toolchain.machine.nvcc import find_nvcc

HEADER = """\
enum color { RED = 3, GREEN = 5 };
struct point { double x, y; enum color c; struct point *next; };
struct other;
double mean(struct point *), hidden(int), table_at(int), blue(struct point), odd(struct other *), old();
double rest(void), again(int), weird(int);
extern double table[], lonely[];
"""
MAIN = """\
#include <stdio.h>
#include "p.h"
static double half(double x) { return x * 2; }
double out[100];
int weird(int i) { return i; }
int main(void)
{
    struct point ps[100];
    struct pair { float a; } pairs[100];
    for (int i = 0; i < 100; i++) {
        ps[i].x = i; ps[i].y = 2 * i; ps[i].c = i % 2 ? RED : GREEN;
        pairs[i].a = i;
    }
#pragma omp parallel for
    for (int i = 0; i < 100; i++) out[i] = mean(&ps[i]) + half(1);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) out[i] += hidden(i);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) out[i] += table_at(i) + lonely[i % 3] + again(i);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) out[i] += blue(ps[i]) + pairs[i].a;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) out[i] += old(i);
    double s = 0;
    for (int i = 0; i < 100; i++) s += out[i] * i;
    printf("%g\\n", s + rest());
    return 0;
}
""".replace("int weird(int i) { return i; }\n", "")
SECOND = """\
#include "../p.h"
static double half(double x) { return x / 2; }
static double scale = 3;
double table[100] = {1, 2, 3};
double mean(struct point *p) { return half(p->x + p->y) + (p->c == RED ? 10 : GREEN); }
double hidden(int i) { return scale * i; }
double table_at(int i) { return table[i] + half(4) + weird(i); }
double weird(int i) { return i > 3 ? again(i - 4) * 0 + 1 : 2; }
struct pair { double a, b; };
double blue(struct point p) { struct pair q = {p.x, p.y}; enum { RED = 7 }; return q.a * q.b + RED; }
double old(i) int i; { return i; }
static double v[50];
double rest(void)
{
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < 50; i++) v[i] = half(i);
    for (int i = 0; i < 50; i++) s += v[i];
    scale = 4;
    return s;
}
"""
THIRD = """\
double lonely[3] = {7, 8, 9};
double again(int i) { return i * 0.5; }
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder; its files are main.c, sub/main.c and third.c."""
    (tmp_path / "sub").mkdir()
    for name, text in (("p.h", HEADER), ("main.c", MAIN), ("sub/main.c", SECOND), ("third.c", THIRD)):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SOURCES = ("main.c", "sub/main.c", "third.c")


def output(command: list[str | Path], **environment: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment or None, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stderr + done.stdout


def test_loops_call_functions_of_other_files(
    program: Path, emulating_cxx: str, capfd: pytest.CaptureFixture[str]
) -> None:
    expected = output(["gcc", "-fopenmp", "-w", *SOURCES, "-o", "plain"]) + output([program / "plain"])
    for level in ("baseline", "thesis", "auto"):
        words = ["--target", "emulate", "--cxx", emulating_cxx, "--opt", level, "-O0", "-w"]
        assert main(["build", *SOURCES, "-o", "program", *words]) == 0
        said = capfd.readouterr().err
        assert "cannot be named where the loop starts (sub/main.c, line 3) [OMPC332]" in said
        assert "calls 'blue', which cannot be analysed: 'pair' is another type in sub/main.c" in said
        assert "calls 'old', whose source is not here" in said
        ran = output([program / "program"], OMPC_LOG="3", OMPC_CHECK="memory")
        lines = [line for line in ran.splitlines() if ": grid" in line or not line.startswith("ompc: ")]
        loops = [line.partition(": grid")[0] for line in lines]
        assert loops == [
            "ompc: main.c:13: main_out",
            "ompc: main.c:17: main_out_3",
            "ompc: sub/main.c:16: rest",
            expected.strip(),
        ]


def test_a_thread_of_any_file_keeps_all_loops_on_the_host(program: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with (program / "third.c").open("a") as file:
        file.write("#include <pthread.h>\nint go(pthread_t *t) { return pthread_create(t, 0, 0, 0); }\n")
    assert main(["explain", "--all", *SOURCES]) == 0
    assert capfd.readouterr().out.count("OMPC340") >= 4


def test_a_program_and_its_arguments(program: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (program / "a.c").write_text("int code(void);\nint main(int n, char **v) { return n + code(); }\n")
    (program / "b.c").write_text("int code(void) { return 4; }\n")
    assert main(["build-and-run", "a.c", "b.c", "--target", "host", "--", "1", "-x"]) == 7


@pytest.mark.nvcc
def test_the_folder_of_a_program_builds(
    program: Path, runtime_folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["translate", *SOURCES, "-o", "folder", "--report", "report.json", "-q"]) == 0
    assert [file["source"] for file in json.loads((program / "report.json").read_text())["files"]] == [*SOURCES]
    nvcc = find_nvcc(os.environ)
    assert nvcc is not None
    monkeypatch.setenv("NVCC", keeping_nvcc(runtime_folder))
    assert main(["config", "--target", "cuda"]) == 0  # takes its time, once for the session
    tools = [f"OMPC={sys.executable} -m ompc", f"NVCC={os.environ['NVCC']}", f"LDFLAGS={' '.join(nvcc.link_flags())}"]
    output(["make", "-C", "folder", "ARCH=sm_75", "CFLAGS=-O0 -w", "NVCCFLAGS=-O0", *tools])
    assert output([program / "folder" / "main"], OMPC_DISABLE="1") == "5.14403e+07\n"
