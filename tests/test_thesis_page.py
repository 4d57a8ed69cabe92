"""docs/thesis.md is whole and true: a row for every section of each source, and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "thesis.md").read_text()
SECTIONS = {
    "The thesis": "1 2 2.1 2.2 2.3 3 3.1 3.2 3.2.1 3.2.2 4 4.1 4.2 4.2.1 4.2.2 4.3 5 5.1 5.2 5.3 6".split(),
    "Tuning the construction of a Verlet list (an article)": [
        "Introduction",
        "Approach",
        "Use of shared memory",
        "Bank conflicts",
        "Layout of the buffer",
        "When the buffer is full",
        "Results",
        "Summary",
    ],
    "Lennard-Jones forces by the third law or without (an article)": [
        "Introduction",
        "The loop on a GPU",
        "Tuning 1",
        "Tuning 2",
        "Tuning 3",
        "Why it is fastest",
        "Summary",
        "Addendum of 26 January 2016",
        "Addendum of 27 January 2016",
    ],
    "Shared memory: the transpose (an article)": "2.3 2.3.1 2.3.2".split(),
    "Cell-linked lists with less idle time (a thesis, Mie University, 2019)": (
        "1 2.1 2.1.1 2.1.2 2.2 2.3 2.3.1 3.1 3.2 4.1 4.2 4.3 5 6".split()
    ),
}


def rows(title: str) -> list[list[str]]:
    section = re.split(rf"^##+ {re.escape(title)}$", TEXT, flags=re.MULTILINE)[1].split("\n##")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize("title", SECTIONS)
def test_every_section_of_a_source_has_a_row(title: str) -> None:
    assert [row[0] for row in rows(title)] == SECTIONS[title]


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"`((?:ompc|tests|templates|benchmarks|docs)/[\w./]*)[`]", TEXT)
    assert len(named) > 100
    assert not [name for name in named if not (ROOT / name).exists()]
