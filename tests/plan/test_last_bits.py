"""Which loops are said to differ from the host in their last bits, and because of what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import FloatingPoint, Options
from ompc.driver import translate
from ompc.tools.explain import last_bits_words, with_places
from ompc.tools.overview import in_full
from ompc.tools.wrapping import as_text

PROGRAM = """
double sqrt(double); double exp(double); double floor(double);
static double x[1000], y[1000], a[100][100], row[101]; static int c[1000];
static double square(double v) {{ return v * v; }}
double f(double s)
{{
    int k; double t;
    #pragma omp parallel for private(k, t){clauses}
    for (int i = 0; i < 1000; i++) {{
        {body}
    }}
    return s;
}}
"""
BUSY = "t = x[i]; for (k = 0; k < 1000; k++) t = t * x[i] + 0.5;"
"""Operations enough for each byte."""


def said(directory: Path, body: str, fp: FloatingPoint = FloatingPoint.DEFAULT, clauses: str = "") -> list[str]:
    source = directory / "program.c"
    source.write_text(PROGRAM.format(body=body, clauses=clauses))
    found: Any = translate(source, Options(fp=fp)).report
    (region,) = found["regions"]
    assert region["target"] == "gpu", region["reason"]
    words = last_bits_words(region)
    told = as_text(in_full([found], 10_000))
    assert all(with_places(line.removeprefix("Last bits "), str(source)) in told for line in words)
    return [] if not words else words[0].removeprefix("Last bits may differ: ").split("; ")


ROOTS = "t = 1 / sqrt(x[i] + 3); for (k = 0; k < 1000; k++) y[i] += 1 / sqrt(t + k);"
SUM = "lanes each have a part of the sum "
FUSED = "products are fused with sums (line 10)"


@pytest.mark.parametrize(
    ("body", "clauses", "words"),
    [
        (f"{BUSY} y[i] = t;", "", [FUSED]),
        (f"{BUSY} y[i] = t + square(x[i]);", "", ["products are fused with sums (lines 4, 10)"]),
        (f"{BUSY} c[i] = (int)floor(t);", "", []),  # what decides is as on the host
        ("y[i] = x[i] * 2;", "", []),
        ("y[i] = x[i] * 2 + 1;", "", []),  # waits for memory
        ("c[i] = c[i] * 2 + 1;", "", []),
        ("y[i] = sqrt(x[i]);", "", []),
        ("y[i] = exp(x[i]);", "", ["mathematical functions are CUDA's (line 10)"]),
        ("s += x[i];", " reduction(+:s)", ["threads each have a part of the reduction `s`"]),
        ("s = x[i] > s ? x[i] : s;", " reduction(max:s)", []),
        (ROOTS, "", ["1 / sqrt(x) is one operation (line 10)", SUM + "`y_i` (line 10)"]),
        ("t = 0; for (k = c[i]; k < c[i + 1]; k++) t += x[k]; y[i] = t;", "", [SUM + "`t` (line 10)"]),
        ("{_Pragma(\"omp atomic\") y[c[i]] += x[i];}", "", ["atomic sums are formed in no fixed order (line 10)"]),
    ],
)  # fmt: skip
def test_said(tmp_path: Path, body: str, clauses: str, words: list[str]) -> None:
    assert said(tmp_path, body, clauses=clauses) == words


def test_strict_and_fast(tmp_path: Path) -> None:
    body = f"{BUSY} float q = (float)t / 3; y[i] = q; s += t;"
    clauses = " reduction(+:s)"
    reduction = "threads each have a part of the reduction `s`"
    assert said(tmp_path, body, FloatingPoint.STRICT, clauses) == [reduction]
    fast = [FUSED, "quotients and roots of floats are approximations (line 10)", reduction]
    assert said(tmp_path, body, FloatingPoint.FAST, clauses) == fast
