"""Blocks of an iteration: the arrays that they become, and those that they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program

TEXT = """#include <stdlib.h>
struct head {{ int count; double weight; }};
struct tail {{ int count; double of[1]; }};
void use(int *words);
static double *counted(int *calls) {{ ++*calls; return NULL; }}
static void fill(void *block, int i) {{ double *numbers = block; for (int k = 0; k < 9; k++) numbers[k] = i * k; }}
void f(double *r, int n, long m, long l)
{{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
        free(t);
    }}
}}
"""


def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(TEXT.format(body=body))
    (translation,) = translate_program([Path("a.c")], Options())
    return translation.files.get("a.cu", ""), translation.files["a.c"]


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("int *t = malloc(18 * sizeof *t); t[0] = i; r[i] = t[0];", " int t[18];"),
        ("int *t = malloc(18 * sizeof *t); fill(t, i); r[i] = t[8];", "alignas(16) int t[18];"),
        ("double *t = malloc(20); t[2] = i; r[i] = t[2];", " double t[3];"),
        ("struct head *t = malloc(sizeof *t + 7 * sizeof(double)); double *d = (double *)(t + 1); r[i] = d[6] = i;",
         "struct head t[5];"),
    ],
)  # fmt: skip
def test_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, declared: str) -> None:
    device, _ = translated(tmp_path, monkeypatch, body)
    assert declared in device


@pytest.mark.parametrize(
    ("body", "length"),
    [
        ("double *t = malloc(m * sizeof *t); t[0] = i; r[i] = t[0];", "(long)(m)"),
        ("double *t = malloc(m * 8 + 4); t[0] = i; r[i] = t[0];", "(long)((m * 8 + 4) / 8 + 1)"),
        ("int *t = calloc(m, 2 * sizeof *t); r[i] = t[0];", "(long)((unsigned long)m * 2)"),
    ],
)
def test_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, length: str) -> None:
    device, host = translated(tmp_path, monkeypatch, body)
    assert "ompc::Expanded" in device
    assert length.replace(" ", "") in host.replace(" ", "").replace("ul", "").replace("UL", "")


@pytest.mark.parametrize(
    "body",
    [
        "char *t = calloc(m, l); r[i] = t[0];",
        "char *t = calloc(-1, m); r[i] = t[0];",
        "int calls = 0; double *t = counted(&calls); t = malloc(80); t[0] = calls; r[i] = t[0];",
        "int calls = 0; double *t = (calls++, NULL); t = malloc(80); t[0] = calls; r[i] = t[0];",
        "struct tail *t = malloc(m * sizeof *t); t->of[0] = i; r[i] = t->of[0];",
    ],
)
def test_on_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    device, _ = translated(tmp_path, monkeypatch, body)
    assert device == ""
