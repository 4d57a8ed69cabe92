"""Which arrays are not `__restrict__`, since nvcc would read what was stored by the read-only data path."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from read_only_path import stored_and_read
from single_kernel import kernel

from ompc.base.options import Level, Options
from ompc.base.resources import Runtime, include_words
from ompc.driver import translate
from ompc.plan import decide
from ompc.plan.model.plan import Plan
from ompc.plan.model.variable import Variable
from ompc.toolchain.machine.nvcc import require_nvcc

PROGRAM = """
struct pair {{ double x, y; }};
static double later(const double *a, int i) {{ return a[i]; }}
void f(int n, int m, int *w, const int *r, const int *on, double *a, const double *b, double *c, char *t,
       struct pair *p, const struct pair *q)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{ {body} }}
}}
"""
CASES = Path(__file__).parents[1] / "execution" / "cases"
CASE = CASES / "merged_loads.c"
READ_FIRST = ["merged_loads_c6main_aE"]
"""Kernels that load all that they store to before they do."""


def nightly(paths: list[Path]) -> list[ParameterSet]:
    return [pytest.param(path, marks=pytest.mark.nightly) for path in paths if path != CASE]


MERGED = [
    ("w[i] = i; w[i] = (on[i] ? w[i] : r[i]) + 1;", "wr"),
    ("w[i] = i; if (on[i]) w[n + i] = w[i]; else w[n + i] = r[i];", "wr"),
    ("w[i] = i; int x = r[i]; if (on[i]) x = w[i]; w[i + n] = x;", "wr"),
    ("w[i] = i; w[i + n] = r[i]; if (on[i]) w[i + n] = w[i];", "wr"),
    ("a[i] = i; double s = a[i]; for (int k = 0; k < m; k++) s = b[k]; a[i + n] = s;", "ab"),
    ("a[i] = i; if (on[i]) { c[i] = a[i]; } else if (on[i + n]) c[i] = b[i] * 2;", "ab"),
    ("a[i] = i; if (on[i]) { c[i] = a[i]; continue; } c[i + n] = b[i];", "ab"),
    ("for (int k = 0; k < m; k++) { if (on[k]) a[i * m] += 1; else a[i * m + k] = b[k]; }", "ab"),
    ("a[i] = i; c[i] = on[i] ? later(a, i) : b[i];", "ab"),
    ("double v[9000]; for (int k = 0; k < 9000; k++) v[k] = i; c[i] = on[i] ? v[on[i]] : b[i];", "b"),
    ("p[i].x = i; p[i + n].x = on[i] ? p[i].x : b[i];", "pb"),
    ("p[i].x = i; struct pair s = on[i] ? p[i] : q[i]; p[i + n] = s;", "pq"),
]
APART = [
    "w[i] = (on[i] ? w[i] : r[i]) + 1;",  # read before it is stored
    "a[i] = i; a[i + n] = a[i] + b[i];",  # no alternatives
    "a[i] = i; if (on[i]) a[i + n] = a[i] + b[i];",
    "for (int k = 0; k < m; k++) a[i * m + k] = on[k] ? a[i * m + k] : b[k];",  # an element of its own each time
    "t[i] = i; c[i] = on[i] ? t[i] : b[i];",  # 1 and 8 bytes
    "a[i] = i; c[i] = on[i] ? a[i] : c[i + n];",  # none of the two is only read
]


def named(plan: Plan, chosen: Callable[[Variable], bool]) -> str:
    return "".join(v.symbol.name for v in kernel(plan).arrays if chosen(v))


@pytest.mark.parametrize("body, arrays", MERGED)
def test_alternatives(body: str, arrays: str, plan_of: Callable[..., Plan]) -> None:
    made = plan_of(PROGRAM.format(body=body))
    assert set(named(made, lambda v: v.merges)) == set(arrays)
    assert all("not __restrict__" in v.because for v in kernel(made).arrays if v.merges)


@pytest.mark.parametrize("body", APART)
def test_loads_that_are_not_merged(body: str, plan_of: Callable[..., Plan]) -> None:
    assert named(plan_of(PROGRAM.format(body=body)), lambda v: v.merges) == ""


def test_kernels_that_promise_nothing(plan_of: Callable[..., Plan]) -> None:
    source = PROGRAM.format(body=MERGED[0][0])
    assert named(plan_of(source, Level.THESIS), lambda v: v.merges) == ""


@pytest.mark.nvcc
@pytest.mark.parametrize("case", [CASE, *nightly(sorted(CASES.glob("*.c")))], ids=lambda path: path.stem)
def test_what_nvcc_makes_of_it(case: Path, tmp_path: Path) -> None:
    """No kernel reads by the read-only data path what it may store to."""
    found = stored_and_read_by_nvcc(case, tmp_path)
    assert not [name for name in found if not any(known in name for known in READ_FIRST)]


@pytest.mark.nvcc
def test_what_nvcc_makes_of_it_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is done about it, most of the kernels do. If not, nvcc has been mended."""
    monkeypatch.setattr(decide, "without_merged_loads", lambda kernel, variables: variables)
    assert len(stored_and_read_by_nvcc(CASE, tmp_path)) >= 8


def stored_and_read_by_nvcc(case: Path, tmp_path: Path) -> list[str]:
    flags = re.search(r"^/\* flags: (.*) \*/$", case.read_text(), re.MULTILINE)
    made = translate(case, Options(Level.AUTO, cpp_flags=tuple(flags[1].split()) if flags else ()))
    if f"{case.stem}.cu" not in made.files:
        return []
    (tmp_path / "case.cu").write_text(made.files[f"{case.stem}.cu"])
    folders = [*include_words(Runtime.CUDA, Runtime.COMMON), "-I", str(case.parent)]
    command = [str(require_nvcc(os.environ).path), "-std=c++17", "-arch=sm_90", "-O3", "-w", "-Xcompiler", "-fopenmp"]
    subprocess.run([*command, *folders, "-ptx", "case.cu", "-o", "case.ptx"], check=True, cwd=tmp_path)
    return stored_and_read((tmp_path / "case.ptx").read_text())
