"""Loops of an iteration that hand elements on: which become one, each behind the one before, and how far."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate

CASE = Path(__file__).parents[1] / "execution/cases/shifted_loops.c"
PROGRAM = """
static double a[300][80], b[300][80], c[300][80], e[300];
int main(int argc, char **argv)
{
    int n = 70 + argc, k = argc, counts[4];
#pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        double v[80], d[80], s = 0, t;
        int j, q;
        @BODY@
    }
    return (int)c[1][2];
}
"""
FIRST = "for (j = 0; j < 80; j++) v[j] = a[i][j];"
LAST = "for (j = 1; j < n; j++) c[i][j] = c[i][j - 1] / 2 + v[j];"


def _lines(text: str) -> list[str]:
    """Which loops are one, as it is said above the kernels."""
    comments = re.sub(r"\n//\s+", " ", text)
    return re.findall(r"the loops of lines ([\d, ]+) are one loop, each behind the one before", comments)


def test_loops_of_the_case() -> None:
    """In its other functions one thing or another keeps them apart."""
    text = translate(CASE, Options()).files["shifted_loops.cu"]
    source = CASE.read_text().splitlines()
    heads = [number for number, line in enumerate(source, 1) if line.startswith("static void ")]
    found = []
    for lines in _lines(text):
        head = max(number for number in heads if number < int(lines.split(",")[0]))
        found.append((re.sub(r".*void (\w+).*", r"\1", source[head - 1]), len(lines.split(","))))
    assert found == [
        ("solver", 4),
        ("single", 4),
        ("places", 3),
        ("shapes", 4),
        ("guarded", 2),
        ("beside", 4),
        ("beside", 2),
        ("bounds", 4),
        ("late", 3),
        ("between", 2),
        ("between", 2),
        ("elsewhere", 2),
        ("rows", 5),
    ]


def _text(tmp_path: Path, body: str, without: frozenset[str] = frozenset()) -> str:
    source = tmp_path / "lines.c"
    source.write_text(PROGRAM.replace("@BODY@", body))
    return translate(source, Options(without=without)).files["lines.cu"]


@pytest.mark.parametrize(
    ("between", "last", "behind"),
    [
        ("", LAST, 0),
        ("", LAST.replace("v[j]", "v[j + 2]"), 2),
        ("", LAST.replace("v[j]", "v[j - 2]"), 0),
        ("", LAST.replace("v[j]", "v[j - 2] * v[j + 5]"), 5),
        ("for (j = 1; j < n; j++) d[j] = v[j + 1];", LAST.replace("v[j]", "d[j + 1]"), 2),
        ("v[n] = 2; v[1] = v[0] + 1;", LAST, 0),
        ("e[i] = 3;", LAST, 0),
        ("if (k > 3) for (j = 1; j < n; j++) v[j] = v[j + 1];", LAST, 1),
    ],
)
def test_how_far_they_are_behind(tmp_path: Path, between: str, last: str, behind: int) -> None:
    text = _text(tmp_path, f"{FIRST} {between} {last}")
    assert _lines(text)
    place = rf"j_ahead - {behind}" if behind else "j_ahead"
    assert f"{place} < n" in text


@pytest.mark.parametrize(
    ("between", "last"),
    [
        ("", LAST.replace("v[j]", "v[j + 13]")),  # too far
        ("", LAST.replace("v[j]", "v[79 - j]")),  # backwards
        ("", LAST.replace("v[j]", "v[2 * j % 80]")),
        ("", LAST.replace("j++", "j += 2")),
        ("", LAST.replace("c[i][j - 1] / 2", "2")),  # no loop goes step by step
        ("", LAST.replace("v[j]", "v[j]; if (c[i][j] > 9) break") .replace("++) c", "++) { c") + "}"),
        ("v[(int)e[i]] = 3;", LAST),
        ("s = 3;", LAST.replace("v[j]", "v[j] * s")),
        ("for (j = 1; j < n; j++) s += v[j];", LAST.replace("v[j]", "v[j] * s")),
        ("double y = e[i];", LAST.replace("v[j]", "v[j] * y")),
        ("e[i] = v[3];", "v[3] = 7; " + LAST.replace("v[j]", "v[j] * e[i]")),
        ("", LAST + " e[i] = j;"),
        ("q = n - (int)e[i];", LAST.replace("j < n", "j < q")),
    ],
)
def test_what_stays_as_it_was(tmp_path: Path, between: str, last: str) -> None:
    body = f"{FIRST} {between} {last}"
    with_it, without = (_text(tmp_path, body, names) for names in (frozenset[str](), frozenset({"shifted-loops"})))
    assert not _lines(with_it)
    assert with_it.partition("namespace")[2] == without.partition("namespace")[2]


def test_what_is_used_behind_is_stored(tmp_path: Path) -> None:
    """At its place alone, if that can be said; within the array, where it is one under a condition alone."""
    stores = [
        "j_ahead == n && 0",
        "j_ahead < 80",
        "",
    ]
    uses = ["e[i] = v[n];", "for (q = 0; q < n; q++) e[i] += v[q];", ""]
    texts = [_text(tmp_path, f"{FIRST} {LAST} {use}") for use in uses]
    assert all(map(_lines, texts))
    assert [text.count("v[j_ahead] = v_") for text in texts] == [1, 1, 0]
    assert all(store in text for store, text in zip(stores[1:], texts[1:], strict=True))
    assert "if (j_ahead == n && j_ahead < 80)" in texts[0]
    assert "double v[80]" not in texts[2]
