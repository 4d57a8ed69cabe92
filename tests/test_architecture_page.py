"""docs/architecture.md: its picture of the stages is drawn from the code.

`pytest --rewrite tests/test_architecture_page.py` draws it anew.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_architecture import MODULES, ROOT, STAGES, imports_of, name_of, stage_of

PAGE = ROOT / "docs" / "architecture.md"
BLOCK = re.compile(r"(<!-- stages -->\n```mermaid\n)(.*?)(```\n)", re.DOTALL)
SHOWN = [name for name in STAGES if (ROOT / "ompc" / name).is_dir() or name in {"pipeline", "driver"}]
"""Packages, and the two modules that put them together."""


@cache
def imported() -> dict[str, set[str]]:
    """By what is shown: what it imports of that."""
    found: dict[str, set[str]] = {name: set() for name in SHOWN}
    for path in MODULES:
        own = stage_of(name_of(path))
        if own in found:
            found[own] |= {stage_of(module) for module, _ in imports_of(path) if module.startswith("ompc.")} - {own}
    return {name: names & set(SHOWN) for name, names in found.items()}


def reached(name: str) -> set[str]:
    return imported()[name].union(*(reached(other) for other in imported()[name]))


def drawn() -> str:
    """What is imported directly, but not by something else that is imported."""
    lines = ["graph RL"]
    for name in reversed(SHOWN):
        others = imported()[name]
        direct = [other for other in SHOWN if other in others and not any(other in reached(via) for via in others)]
        lines += [f"    {name} --> {other}" for other in direct]
    return "\n".join(lines) + "\n"


def test_the_picture_is_drawn_from_the_code(request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text()
    if request.config.getoption("--rewrite"):
        PAGE.write_text(BLOCK.sub(lambda block: block[1] + drawn() + block[3], text))
    found = BLOCK.search(PAGE.read_text())
    assert found is not None
    assert found[2] == drawn()
