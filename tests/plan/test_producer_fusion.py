"""Loops of an iteration of which one uses up what the other one makes: which become one."""

from __future__ import annotations

import re
from pathlib import Path

from ompc.base.options import Options
from ompc.driver import translate

CASE = Path(__file__).parents[1] / "execution/cases/producers.c"


def test_loops_that_become_one() -> None:
    """Those of the case whose headings say so; the others differ from them in one thing."""
    text = translate(CASE, Options()).files["producers.cu"]
    kernels = re.findall(r"^// \S*producers\.c:(\d+): (?:.*\n)((?://.*\n)*)", text, re.MULTILINE)
    source = CASE.read_text().splitlines()
    fused = []
    for line, said in kernels:
        if "are one, so that" in said:
            before = "\n".join(source[: int(line)])
            fused.append(re.findall(r"/\* (.*?) \*/", before)[-1].split(",")[0].split(";")[0].rstrip("."))
    assert fused == [
        "Numbers by twos",
        "One element each time",
        "By threes from another number on",
        "A chain of three loops",
        "Names that mean something else in the second loop",
        "Names that mean something else in the second loop",
        "A counter that another loop has",
    ]
