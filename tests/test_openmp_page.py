"""docs/openmp.md is whole and true: a row for every directive and clause, with a test that has it in a pragma."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.diagnostics import TITLES
from ompc.omp.grammar import DIRECTIVES, words_of_directive

PAGE = Path(__file__).parent.parent / "docs" / "openmp.md"
TEXT = PAGE.read_text()
LINKS = {name: PAGE.parent / path for name, path in re.findall(r"^\[([^\]]+)\]: (\S+)$", TEXT, re.MULTILINE)}
PLACES = {"device", "host", "stays", "hint"}
_PRAGMA = re.compile(r"(?:#\s*pragma\s+|\")(omp\b(?:[^\n\\]|\\.)*(?:\\\n[^\n]*)*)")


def rows(title: str) -> list[tuple[list[str], str, list[Path]]]:
    """The names, the place, and the tests of each row of a table."""
    section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    cells = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    assert all(len(row) == 4 for row in cells), [row for row in cells if len(row) != 4]
    return [
        (re.findall(r"`([^`]+)`", row[0]), row[1], [LINKS[name] for name in re.findall(r"\[([^\]]+)\]", row[3])])
        for row in cells
    ]


def pragmas_in(files: list[Path]) -> list[tuple[str, str]]:
    """Each pragma in the files: its directive, and its words."""
    found = []
    for text in (match for file in files for match in _PRAGMA.findall(file.read_text())):
        words = re.match(r"omp((?:\s+\w+)*)", text)
        names = words[1].split() if words else []
        found.append((" ".join(names[: words_of_directive(names)]), text))
    return found


DIRECTIVE_ROWS, CLAUSE_ROWS = rows("Directives"), rows("Clauses")


def test_every_directive_has_a_row() -> None:
    named = [name for names, _, _ in DIRECTIVE_ROWS for name in names]
    assert sorted(named) == sorted(DIRECTIVES)


def test_every_clause_has_a_row() -> None:
    named = [name for names, _, _ in CLAUSE_ROWS for name in names]
    assert sorted(named) == sorted({clause for grammar in DIRECTIVES.values() for clause in grammar.clauses})


@pytest.mark.parametrize("row", DIRECTIVE_ROWS, ids=lambda row: row[0][0])
def test_a_directive_is_in_the_tests_of_its_row(row: tuple[list[str], str, list[Path]]) -> None:
    names, where, tests = row
    assert set(where.split(", ")) <= PLACES
    assert set(names) <= {name for name, _ in pragmas_in(tests)}


@pytest.mark.parametrize("row", CLAUSE_ROWS, ids=lambda row: row[0][0])
def test_a_clause_is_in_the_tests_of_its_row(row: tuple[list[str], str, list[Path]]) -> None:
    names, where, tests = row
    assert set(where.split(", ")) <= PLACES
    used = {
        word
        for directive, text in pragmas_in(tests)
        for word in set(re.findall(r"\w+", text)) & (DIRECTIVES[directive].clauses if directive else set())
    }
    assert set(names) <= used


def test_every_code_exists() -> None:
    assert set(re.findall(r"OMPC\d{3}", TEXT)) <= set(TITLES)


def test_every_link_leads_to_a_file_and_is_used() -> None:
    body = TEXT.split("\n[", 1)[0]
    assert all(path.is_file() for path in LINKS.values())
    assert set(re.findall(r"\[([\w/.]+)\](?!\()", body)) == set(LINKS)
