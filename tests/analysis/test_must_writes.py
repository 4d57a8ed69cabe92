"""What a launch certainly overwrites before it reads it, as LMADs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Length, Polynomial
from ompc.analysis.memory.lmad import Lmad

EACH = "for (int i = 0; i < n; i++)"


def polynomial(p: Polynomial) -> str:
    """`8*m + 16`."""
    terms = [
        "*".join([str(coefficient), *(f"#{f.dimension}" if isinstance(f, Length) else f.name for f in factors)])
        for factors, coefficient in reversed(p.terms)
    ]
    return " + ".join(terms) or "0"


def part_text(part: Lmad) -> str:
    """`FIRST BYTES: COUNT times APART, ...`; a count of `trips` is that of a parallel loop."""
    dimensions = [
        ("trips" if dimension.count is None else polynomial(dimension.count))
        + ("" if dimension.step == 1 else f" by {dimension.step}")
        + f" times {polynomial(dimension.stride)}"
        for dimension in part.dimensions
    ]
    return f"{polynomial(part.first)} {part.bytes}: {', '.join(dimensions)}"


def found(facts: Facts, name: str) -> list[str]:
    obj = next(obj for obj in facts.shared_objects if str(obj) == name)
    return [part_text(part) for part in facts.must_writes.of(obj)]


@pytest.mark.parametrize(
    ("body", "head", "name", "expected"),
    [
        ("y[i] = x[i];", EACH, "*y", "0 8: trips times 8"),
        ("y[i - 1] = 1;", "for (int i = n; i >= 1; i -= 1)", "*y", "8*n + -8 8: trips times -8"),
        ("y[2 * i] = 1; y[2 * i + 1] = 2;", EACH, "*y", "0 16: trips times 16"),
        ("for (int q = 0; q < m; q++) y[i * m + q] = 1;", EACH, "*y", "0 8: trips times 8*m, 1*m times 8"),
        ("for (int q = 1; q <= m - 1; q++) y[i * m + q] = 1;", EACH, "*y", "8 8: trips times 8*m, 1*m + -1 times 8"),
        ("for (int q = m; q-- > 0;) y[i * m + q] = 1;", EACH, "*y", None),
        ("for (int q = m - 1; q >= 0; q--) y[i * m + q] = 1;", EACH, "*y", "8*m + -8 8: trips times 8*m, 1*m times -8"),
        ("for (int q = 0; q < m; q += 3) y[i * m + q] = 1;", EACH, "*y", "0 8: trips times 8*m, 1*m by 3 times 24"),
        ("for (int q = 0; q < m; q++) y[q * n + i] = 1;", EACH, "*y", "0 8: trips times 8, 1*m times 8*n"),
        ("for (int q = 0; q < m; q++) g[i][q] = 1;", EACH, "g", "0 8: trips times 240, 1*m times 8"),
        ("for (int q = 1; q < 30; q++) g[i][q] = 1;", EACH, "g", None),  # a gap between the rows
        ("int at = i * m; for (int q = 0; q < m; q++) { int k = at + q; y[k] = 1; }", EACH, "*y",
         "0 8: trips times 8*m, 1*m times 8"),
        # not always, not by every iteration, not these places
        ("if (x[i] > 0) y[i] = 1;", EACH, "*y", None),
        ("for (int q = 0; q < i; q++) y[i * m + q] = 1;", EACH, "*y", None),
        ("for (int q = 0; q < idx[i]; q++) y[i * m + q] = 1;", EACH, "*y", None),
        ("for (int q = 0; q < m; q++) { if (x[q] > 0) break; y[i * m + q] = 1; }", EACH, "*y", None),
        ("if (x[i] > 0) continue; y[i] = 1;", EACH, "*y", None),
        ("int q = 0; while (q < m) y[i * m + q++] = 1;", EACH, "*y", None),
        ("y[idx[i]] = 1;", EACH, "*y", None),
        ("y[i * i] = 1;", EACH, "*y", None),
        ("y[3 * i] = 1;", EACH, "*y", None),
        ("y[i * un] = 1;", "for (unsigned i = 0; i < un; i++)", "*y", None),
        ("(void)(x[i] > 0 && (y[i] = 1));", EACH, "*y", None),
        ("int q = 5; const int k = q; for (q = 0; q < m; q++) y[i * m + k] = 1;", EACH, "*y", None),
        # bounds that wrap round
        ("for (unsigned long q = un - 1ul; q < un; q++) y[i + q] = 1;", EACH, "*y", None),
        ("for (unsigned q = un - 1; q > 0; q--) y[i + q] = 1;", EACH, "*y", None),
        # reads
        ("y[i] += 1;", EACH, "*y", None),
        ("y[i] = y[i] + 1;", EACH, "*y", None),
        ("y[i] = 0; y[i] += x[i];", EACH, "*y", "0 8: trips times 8"),
        ("x[i] = y[i]; y[i] = 0;", EACH, "*y", None),
        ("y[i] = 0; x[i] = y[i + 1];", EACH, "*y", None),
        ("y[i] = 0; for (int q = 0; q < m; q++) y[i] += x[q];", EACH, "*y", "0 8: trips times 8"),
        ("if (n > 3) y[i] = 0; y[i] += x[i];", EACH, "*y", None),
        ("for (int q = 0; q < m; q++) y[i] = 0; y[i] += x[i];", EACH, "*y", None),  # m may be 0
        ("for (int q = 0; q < m; q++) g[i][q] = 0; for (int r = 0; r < m; r++) g[i][r] += 1;", EACH, "g",
         "0 8: trips times 240, 1*m times 8"),
        ("for (int q = 0; q < m; q++) g[i][q] = 0; for (int q = 0; q <= m; q++) g[i][q] += 1;", EACH, "g", None),
        ("for (int q = 0; q < m; q++) g[i][q] = 0; for (int q = 0; q < m; q++) g[i][q + 1] += 1;", EACH, "g", None),
        ("for (int q = 0; q < m; q++) g[i][q] = 0; for (int r = m - 1; r >= 0; r--) g[i][r] += 1;", EACH, "g", None),
        ("for (int q = 0; q < m; q++) { g[i][q] = q; x[i] += g[i][q]; }", EACH, "g",
         "0 8: trips times 240, 1*m times 8"),
        ("for (int q = 0; q < m; q++) { x[i] += q ? g[i][q - 1] : 0; g[i][q] = q; }", EACH, "g", None),
    ],
)  # fmt: skip
def test_parts(body_facts: Callable[..., Facts], body: str, head: str, name: str, expected: str | None) -> None:
    assert found(body_facts(body, head=head), name) == ([] if expected is None else [expected])


RECORDS = """
typedef struct { double x, y; } Point;
typedef struct { char tag; double value; } Padded;
typedef union { int small; double large; } Either;
typedef struct { unsigned low : 5; int rest; } Bits;
"""


@pytest.mark.parametrize(
    ("parameter", "body", "expected"),
    [
        ("Point *p", "p[i].y = i; p[i].x = i;", ["0 16: trips times 16"]),
        ("Point *p", "p[i].y = i;", []),
        ("Point *p", "p[i] = origin;", ["0 16: trips times 16"]),
        ("Padded *p", "p[i].tag = 1; p[i].value = i;", []),
        ("Either *p", "p[i].small = i;", []),
        ("Either *p", "p[i].large = i;", ["0 8: trips times 8"]),
        ("Bits *p", "p[i].low = 1; p[i].rest = 2;", []),
        ("double p[][3]", "p[i][1] = 1; p[i][0] = 2; p[i][2] = 3;", ["0 24: trips times 24"]),
        ("double p[n][m]", "for (int j = 0; j < m; j++) p[i][j] = 0;", ["0 8: trips times 8*#0, 1*m times 8"]),
        ("double (*p)[m][2]", "for (int j = 0; j < m; j++) p[i][j][0] = p[i][j][1] = 0;",
         ["0 16: trips times 8*#0*#1, 1*m times 16"]),
    ],
)  # fmt: skip
def test_parts_of_elements(facts: Callable[[str], Facts], parameter: str, body: str, expected: list[str]) -> None:
    text = (
        f"{RECORDS}void f(int n, int m, Point origin, {parameter}) {{\n#pragma omp parallel for\n{EACH} {{ {body} }} }}"
    )
    assert found(facts(text), "*p") == expected
