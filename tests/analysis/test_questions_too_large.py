"""Questions about elements that cost too much: each is named once, and the next file begins anew."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from ompc.analysis.integers import integer_sets
from ompc.base.options import Options
from ompc.driver import translate

DEMANDING = """
for (int j = 0; j < n; j += 3)
    for (int k = 0; k < n; k += 1000)
        a[7 * i + 2 * j + 5 * k] = a[7 * i + 2 * j + 5 * k + 1] + b[11 * i + 3 * j];
"""
PLAIN = "a[i] = b[i];"
PROGRAM = """double a[100000], b[100000];
void f(int n, int m, double *to)
{{
#pragma omp parallel for
for (int i = 0; i < n; i++) {{ {} }}
}}
"""


def said(path: Path, body: str) -> list[str]:
    path.write_text(PROGRAM.format(body))
    found = translate(path, Options())
    found.report  # noqa: B018  questions that only people ask
    return [diagnostic.code for diagnostic in found.diagnostics]


@pytest.mark.parametrize(("body", "codes"), [(PLAIN, []), (DEMANDING, ["OMPC366"]), (2 * DEMANDING, ["OMPC366"])])
def test_the_user_is_told(tmp_path: Path, body: str, codes: list[str]) -> None:
    assert said(tmp_path / "a.c", body) == codes


def test_the_next_file_begins_anew(tmp_path: Path) -> None:
    assert [said(tmp_path / "a.c", body) for body in (DEMANDING, PLAIN)] == [["OMPC366"], []]


def test_a_question_of_many_variables_has_a_bound() -> None:
    """isl takes 0 operations for any number of them."""
    assert integer_sets._Allowance().grant(isl.Context(), 500) > 0


def test_reading_a_question_has_a_bound() -> None:
    """Conditions in each other are multiplied out by then: here a million of them."""
    either = tuple(f"(a{k} >= p0 or a{k} + a{(k + 1) % 20} < {k})" for k in range(20))
    with pytest.raises(isl.Error):
        integer_sets.is_empty(["p0"], integer_sets.Piece(tuple(f"a{k}" for k in range(20)), either))


def test_bounds_of_tiles_take_no_minutes(tmp_path: Path) -> None:
    """Largest and least numbers of several, as tools for tiling write them; each is one of four."""
    first = "(16 * c > 2 * t + 1 ? 16 * c : n - c > t ? n - c : c + t > 3 ? c + t : 3)"
    last = "(16 * c + 15 < 2 * t + n ? 16 * c + 15 : n + c < t ? n + c : c - t < 7 ? c - t : 7)"
    body = f"""for (int c = 0; c < n; c++) for (int t = {first.replace("t", "i")}; t < {last.replace("t", "i")}; t++)
        for (int j = {first}; j < {last}; j++) a[2 * t + j] = a[2 * t + j + 1] + b[j];"""
    assert said(tmp_path / "a.c", body) in ([], ["OMPC366"])


@pytest.mark.parametrize(
    "body",
    [
        "double t[8]; for (int k = 0; k < 8; k++) t[k] = i; a[i] = t[m];",  # private elements
        "a[i] = a[i + 1];",  # races
        "to[i] = 1;",  # sections
    ],
)
def test_whoever_asks_goes_on_without_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    monkeypatch.setattr(integer_sets, "MOST_OPERATIONS", 1)
    monkeypatch.setattr(integer_sets, "LEAST_OPERATIONS", 1)
    assert set(said(tmp_path / "a.c", body)) == {"OMPC366"}
