"""docs/tour.md is true: what it shows of each stage is what `--dump` prints of that program.

`pytest --rewrite tests/test_tour_page.py` writes the lines of today between the first and the last of each run.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from excerpts import check, excerpts_in, rewritten

from ompc.base.options import Options
from ompc.driver import translate

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "tour.md"
PROGRAM = "jacobi.c"
STAGES = ("preprocess", "sema", "transform", "omp", "kernels", "analysis", "plan", "schedule", "host", "device")


def outputs_of_today() -> dict[str, str]:
    """The program itself and its dumps, by the words above an excerpt. In the folder of the program."""
    found = translate(Path(PROGRAM), Options())
    assert tuple(found.dumps) == STAGES
    return {
        PROGRAM: Path(PROGRAM).read_text(),
        f"Makefile of {PROGRAM}": found.files["Makefile"],
        **{f"{stage} of {PROGRAM}": found.dumps[stage] for stage in STAGES},
    }


def test_what_is_shown_is_what_the_stages_print(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(ROOT / "benchmarks" / "programs")
    outputs = outputs_of_today()
    if request.config.getoption("--rewrite"):
        PAGE.write_text(rewritten(PAGE.read_text(), outputs))
    for excerpt in excerpts_in(PAGE.read_text()):
        check(excerpt, outputs[excerpt.of])


def test_every_stage_is_shown() -> None:
    shown = {excerpt.of.partition(" of ")[0] for excerpt in excerpts_in(PAGE.read_text())}
    assert shown >= {PROGRAM, *STAGES}
