"""All pages together: none is missing in the index; sections, codes, variables and commands that they name exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ompc.base.diagnostics import TITLES
from ompc.cli import command_line
from ompc.toolchain.objects.cc_arguments import SETTINGS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md")), ROOT / "benchmarks" / "README.md"]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name} {page.name}")


@cache
def own_words() -> frozenset[str]:
    """ompc's macros and variables of the environment, by all sources and tests."""
    kinds = {".py", ".h", ".c", ".cu", ".cc", ".j2", ".cmake", ".mk", ".sh"}
    files = (path for root in ("ompc", "templates", "tests") for path in sorted((ROOT / root).rglob("*")))
    texts = (path.read_text(errors="replace") for path in files if path.suffix in kinds)
    return frozenset(word for text in texts for word in re.findall(r"\bOMPC_[A-Z_]+\b", text))


@cache
def sections(page: Path) -> frozenset[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles)


def test_the_index_has_every_page() -> None:
    linked = set(re.findall(r"\]\(([\w./]+)\)", (DOCS / "README.md").read_text()))
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= linked


@each_page
def test_sections_that_are_linked_exist(page: Path) -> None:
    for target, section in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text()):
        assert section in sections((page.parent / target).resolve() if target else page), f"{target}#{section}"


@each_page
def test_rows_of_a_table_have_as_many_cells(page: Path) -> None:
    cells, code = 0, False
    for line in page.read_text().splitlines():
        code ^= line.startswith("```")
        if code or not line.startswith("|"):
            cells = 0
            continue
        found = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line))) - 1
        assert line.endswith("|") and cells in (0, found), line
        cells = found


@each_page
def test_codes_exist(page: Path) -> None:
    ends = {"OMPC449", "OMPC499"}  # of the ranges that diagnostics.md lists
    assert set(re.findall(r"OMPC\d{3}\b", page.read_text())) <= set(TITLES) | ends


@each_page
def test_macros_and_variables_of_the_environment_exist(page: Path) -> None:
    named = set(re.findall(r"\bOMPC_[A-Z_]*[A-Z]\b", page.read_text()))
    of_ompc_cc = {f"OMPC_{name.upper()}" for name in (*SETTINGS, "quiet", "time")}
    assert named <= own_words() | of_ompc_cc


@each_page
def test_commands_exist(page: Path) -> None:
    named = re.findall(r"(?:^    |`)ompc ([a-z][\w+-]*)", page.read_text(), re.MULTILINE)
    assert set(named) <= set(command_line.commands) | {"c++"}
