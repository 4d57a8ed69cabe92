"""docs/limits.md is whole: every code that keeps a loop on the host is there, and none that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

from ompc.base.diagnostics import TITLES

TEXT = (Path(__file__).parent.parent / "docs" / "limits.md").read_text()
NAMED = set(re.findall(r"OMPC\d{3}", TEXT))
NO_LIMITS = {"OMPC357", "OMPC358"}
"""Warnings about pragmas that are not followed: the loop is where it would be without them."""


def test_every_code_that_keeps_a_loop_on_the_host_is_there() -> None:
    assert {code for code in TITLES if "OMPC300" < code < "OMPC400"} - NO_LIMITS <= NAMED


def test_every_refusal_of_a_launch_is_there() -> None:
    refusals = {
        "OMPC450",
        "OMPC451",
        "OMPC452",
        "OMPC453",
        "OMPC454",
        "OMPC457",
        "OMPC458",
        "OMPC467",
        "OMPC468",
        "OMPC470",
    }
    assert refusals <= NAMED
