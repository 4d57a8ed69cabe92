"""What `ompc explain` says, in a pipe and on terminals."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path

import made_by_hand
import pytest
from in_process import Cli
from rich.console import Console

from ompc.base.diagnostics import TITLES
from ompc.base.options import Options
from ompc.base.resources import advice
from ompc.driver import translate
from ompc.tools.explain import launch_words, plain_explanation, print_explanation

ROOT = Path(__file__).parent.parent.parent
README, PROGRAMS = ROOT / "README.md", ROOT / "benchmarks" / "programs"
EXPLAINED = Path(__file__).parent / "explained"


def on_terminal(report: Mapping[str, object], width: int) -> list[str]:
    stream = io.StringIO()
    print_explanation(report, Console(file=stream, width=width, color_system=None, highlight=False))
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def variable(name: str, placement: str, because: str, **others: object) -> dict[str, object]:
    return {"name": name, "type": "double [40]", "placement": placement, "because": because, "bytes": 320, **others}


REPORT: dict[str, object] = {
    "schema": 1,
    "source": "filter.c",
    "opt": "auto",
    "regions": [
        {
            "id": "main_8",
            "function": "main",
            "line": 8,
            "directive": "parallel for",
            "target": "gpu",
            "launch": {
                "iterations": ["n - 2", "m"],
                "dimensions": 2,
                "block": "up to 256 threads",
                "grid": "one thread per iteration",
                "reductions": ["sum by +", "top by max"],
                "condition": "n > 100",
                "colour": "red",
            },
            "variables": [
                variable("x", "global", "written; page-locked", transfer_in="whole object, 320 bytes"),
                variable("y", "readonly", "only read; page-locked", transfer_in="elements 1 .. n"),
                variable("n", "parameter", "only read: passed by value"),
                variable("m", "parameter", "only read: passed by value"),
                variable("i", "register", "each thread has its own"),
                variable("t", "register", "each thread has its own"),
            ],
        },
        {
            "line": 20,
            "function": "main",
            "target": "host",
            "reason": {"code": "OMPC321", "message": "f calls itself", "line": 22},
        },
    ],
}


def test_in_a_pipe_every_loop_and_variable_has_its_line(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "twice.c")
    assert status == 0
    assert "twice.c: 2 parallel loops, 1 on the GPU, 1 on the host (--opt auto)" in out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert "8 main parallel for GPU blocks of 256 x 1 x 1" in rows
    assert [row for row in rows if row.startswith("20 main parallel for host OMPC310: calls printf. What to do: ")]
    assert "x int[4] 16 readwrite global pageable whole whole it is written" in rows
    assert "\x1b" not in out and out.isascii()


def test_launches_are_sentences() -> None:
    assert launch_words(REPORT["regions"][0]["launch"]) == (  # type: ignore[index]
        "(n - 2) x m iterations; a grid of 2 dimensions; blocks of up to 256 threads; one thread per iteration; "
        "reductions: sum by +, top by max; only if n > 100; colour: red"
    )
    assert launch_words({}) == "-" and launch_words(None) == "-"


def test_on_a_terminal_shared_reasons_are_said_once() -> None:
    lines = on_terminal(REPORT, 120)
    text = "\n".join(lines)
    assert "  x, y  page-locked" in lines and "  x     written" in lines
    assert "  n, m  parameter: only read: passed by value" in lines
    assert "  i, t  register: each thread has its own" in lines
    assert "whole object " in text.replace("\n", " ") and "320 bytes" not in text


def test_loops_on_the_host_say_what_can_be_done() -> None:
    lines = on_terminal(REPORT, 120)
    assert "  OMPC321: f calls itself (line 22)" in lines
    assert f"  What to do: {advice('OMPC321')}" in lines


@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_line_is_wider_than_the_terminal_and_no_name_is_cut(width: int) -> None:
    lines = on_terminal(REPORT, width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)


def test_reports_of_other_versions_are_shown() -> None:
    later = {"regions": [{"launch": "later"}, 5], "new": 1}
    assert plain_explanation(later).startswith("-: 1 parallel loop, 0 on the GPU")
    assert on_terminal({}, 100) == ["-: no parallel loops (--opt -)"]
    assert made_by_hand.REPORT["schema"] == 1


def test_every_code_has_advice() -> None:
    assert [code for code in TITLES if not advice(code)] == []
    assert advice("OMPC999") is None


@pytest.mark.parametrize("name", ["jacobi", "heat", "transfer"])
def test_copies_of_benchmark_programs(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """explained/NAME.txt has what is said about copies between launches; `pytest --rewrite` writes it anew."""
    monkeypatch.chdir(PROGRAMS)
    lines = plain_explanation(translate(Path(f"{name}.c"), Options()).report).splitlines()
    found, copied = [], False
    for line in lines:
        copied = bool(line) and (copied or line.startswith("Copied"))
        if copied or re.match(rf"\w+  {name}\.c:\d+  ", line):
            found.append(line.rstrip() + "\n")
    expected = EXPLAINED / f"{name}.txt"
    if request.config.getoption("--rewrite", default=False):
        expected.write_text("".join(found))
    assert "".join(found) == expected.read_text(), f"{expected.name} has changed (pytest --rewrite)"


def test_the_readme_shows_what_is_said_of_jacobi() -> None:
    readme = [line.removeprefix("    ") for line in README.read_text().splitlines() if line.startswith("    ")]
    shown = [line for line in readme if re.match(r"(\w+ +(in|out)|Copied|  +(in|out)) ", line)]
    said = (EXPLAINED / "jacobi.txt").read_text().splitlines()
    assert len(shown) == 7 and shown == said[-7:]


def test_copies_on_a_terminal_and_of_other_versions() -> None:
    residual_transfers = [{"way": "in", "when": "never", "because": "every element is overwritten"}, {"way": "out"}, 7]
    region = {
        "target": "gpu",
        "variables": [variable("x", "global", "written", crossings=residual_transfers), {"crossings": 3}],
    }
    lines = on_terminal({"regions": [region]}, 100)
    assert "  x       in   never  every element is overwritten" in lines
    assert "          out  -      -" in lines


def test_codes_are_explained(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "OMPC322", "ompc101")
    assert status == 0 and out.startswith("OMPC322: a function pointer\n\n```c\n")
    assert "**What to do.** Call the function by its name" in out and "\n\nOMPC101: " in out
    assert "\n\n    ompc: warning: pool.o creates threads" in cli.run("explain", "OMPC424")[1]
    status, out, err = cli.run("explain", "OMPC999")
    assert (status, out) == (2, "") and "There is no code OMPC999" in err
    assert "OMPC322: no such file" in cli.run("explain", "twice.c", "OMPC322")[2]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_copies_keep_their_names_on_narrow_terminals(width: int) -> None:
    because = "read by the host at swe.c:155, 256, 259 (called at line 339) and 3 more, after the last launch"
    transfer = {"way": "in", "when": "before the first launch that uses it", "because": because}
    region = {"target": "gpu", "variables": [variable("hmax", "global", "written", crossings=[transfer])]}
    lines = on_terminal({"regions": [region]}, width)
    assert max(map(len, lines)) <= width and "…" not in "".join(lines)
    assert [line for line in lines if re.match(r"  hmax +in ", line)]


def test_in_a_notebook_an_explanation_is_still_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert plain_explanation(REPORT).startswith("filter.c: 2 parallel loops")
