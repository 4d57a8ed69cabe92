"""docs/rules.md: every rule has a test, and every test that the page names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"
TEXT = PAGE.read_text()
LINKS = {name: PAGE.parent / path for name, path in re.findall(r"^\[([^\]]+)\]: (\S+)$", TEXT, re.MULTILINE)}
ROWS = [line.strip("| ").rsplit(" | ", 1) for line in TEXT.splitlines() if line.startswith("| ")]
RULES = [row for row in ROWS if row[1] not in ("Test", "---")]
_NAMED = re.compile(r"\[(\w+)\](?: `([^`]+)`)?")


@pytest.mark.parametrize("row", RULES, ids=lambda row: row[0])
def test_a_rule_has_tests_that_exist(row: list[str]) -> None:
    """A link to a file, and what is to be found in it."""
    tests = _NAMED.findall(row[1])
    assert tests
    for name, words in tests:
        assert words in LINKS[name].read_text(), f"{words} in {LINKS[name]}"


def test_every_link_leads_to_a_file_and_is_used() -> None:
    assert all(path.is_file() for path in LINKS.values())
    assert {name for row in RULES for name, _ in _NAMED.findall(row[1])} == set(LINKS)
