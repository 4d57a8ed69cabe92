"""docs/performance.md is true: its figures are those of the records, its examples are translated as it says."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.cli import main
from ompc.driver import translate

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
TEXT = PAGE.read_text()
LINKS = {name: PAGE.parent / path for name, path in re.findall(r"^\[([^\]]+)\]: (\S+)$", TEXT, re.MULTILINE)}
_FIGURE = re.compile(
    r"\| ([\d.]+ (?:us|ms|s)) \| \[(\w+)\] (\S+) (\w+) (kernel|repetition|phase|whole) \|$", re.MULTILINE
)
FIGURES = _FIGURE.findall(TEXT)
QUOTED = re.findall(r"\| ([\d.]+ (?:us|ms|s|GB/s)) \| (?:([\d.]+ us) \| )?\[(\w+)\] \|$", TEXT, re.MULTILINE)
EXAMPLES = re.findall(r"^<!-- (explain|device): (.+?) -->\n```c\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


@cache
def record(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(LINKS[name].read_text())
    return found


def of_advice(pair: str, fp: str, measure: str) -> float:
    """Seconds of a launch, or of a phase, in the first run of docs/advice.c that was built so."""
    run = next(found for found in record("advice")["runs"] if found["fp"] == fp)
    if measure == "phase":
        return float(run["phase_seconds"][pair])
    region = next(found for found in run["regions"] if found["id"] == pair)
    return float(region["kernel_seconds"]) / int(region["launches"])


def measured(name: str, program: str, variant: str, measure: str) -> float:
    """Seconds, as benchmarks/kernels_results.py has them; `whole`: of the process."""
    if name == "advice":
        return of_advice(program, variant, measure)
    of_program = next(found for found in record(name)["programs"] if found["name"] == program)
    runs: Sequence[dict[str, Any]] = of_program["variants"][variant]["runs"]

    def values(key: str) -> list[float]:
        return [
            run[key] for run in runs if run.get(key) is not None and (run["round"] >= 0 or key[:3] in ("ker", "rep"))
        ]

    if measure == "kernel":
        return min(values("kernel_seconds")) / int(of_program["repetitions"])
    if measure == "repetition":
        return min(values("repetition_seconds"))
    return median(values({"phase": "own_seconds", "whole": "whole_seconds"}[measure]))


def seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * _UNITS[unit]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: " ".join(figure[1:]))
def test_a_figure_is_that_of_the_record(figure: tuple[str, str, str, str, str]) -> None:
    text, name, program, variant, measure = figure
    assert seconds(text) == pytest.approx(measured(name, program, variant, measure), rel=0.006)


def test_every_row_with_a_source_has_been_read() -> None:
    assert len(FIGURES) + len(QUOTED) == len(re.findall(r"^\|.* \[\w+\][\w -]*\|$", TEXT, re.MULTILINE))


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda quoted: f"{quoted[2]} {quoted[0]}")
def test_a_figure_is_in_the_text_that_is_quoted(quoted: tuple[str, str, str]) -> None:
    *figures, source = quoted
    for number in (figure.split()[0] for figure in figures if figure):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", LINKS[source].read_text()), number


@pytest.mark.parametrize(("where", "words", "program"), EXAMPLES, ids=[words for _, words, _ in EXAMPLES])
def test_an_example_is_translated_as_the_page_says(
    where: str,
    words: str,
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(program)
    assert main(["explain", "--all", "a.c"] if where == "explain" else ["translate", "a.c", "--dump", where]) == 0
    assert words in " ".join(capsys.readouterr().out.split())


def test_the_pairs_run_on_the_device_at_the_lines_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGE.parent)
    translated = translate(Path("advice.c"), Options())
    assert not translated.diagnostics
    loops = translated.report["regions"]
    named = [loop for loop in loops if loop["directive"] != "no pragma"]  # measured without these
    regions = {f"{loop['function']}_{loop['line']}" for loop in named}  # as loops were called then
    assert regions == {region["id"] for region in record("advice")["runs"][0]["regions"]}
