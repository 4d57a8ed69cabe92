"""Every code is declared, documented, used and exercised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.diagnostics import TITLES, Diagnostic, Kind, format_diagnostic
from ompc.base.source import Location

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"OMPC\d{3}")


def codes_in(paths: list[Path]) -> set[str]:
    return {code for path in paths for code in CODE.findall(path.read_text(errors="replace"))}


def sources() -> list[Path]:
    kinds = {".py", ".h", ".c", ".cc", ".cu", ".j2"}
    roots = (ROOT / "ompc", ROOT / "templates")
    table = ROOT / "ompc" / "base" / "diagnostics.py"
    return [path for root in roots for path in root.rglob("*") if path.suffix in kinds and path != table]


USED = codes_in(sources())


@pytest.mark.parametrize("code", sorted(USED | set(TITLES)))
def test_code_is_declared_documented_used_and_exercised(code: str) -> None:
    assert code in TITLES, "used, but not in the table of ompc/base/diagnostics.py"
    assert code in USED, "in the table of ompc/base/diagnostics.py, but used nowhere"
    assert f"## {code}: {TITLES[code]}\n" in (ROOT / "docs" / "diagnostics.md").read_text()
    tests = [p for p in (ROOT / "tests").rglob("*") if p.is_file() and p.suffix != ".pyc" and p != Path(__file__)]
    assert code in codes_in(tests), "no test exercises it"


def test_sections_are_in_order_and_none_is_left_over() -> None:
    sections = re.findall(r"^## (OMPC\d{3})", (ROOT / "docs" / "diagnostics.md").read_text(), re.MULTILINE)
    assert sections == sorted(TITLES)


def test_the_caret_stands_below_its_column_after_tabs() -> None:
    text = format_diagnostic(Diagnostic("OMPC101", Kind.ERROR, "bad", Location("a.c", 3, 3)), "\t\tx = y;\n")
    assert text.splitlines() == ["a.c:3:3: error: bad [OMPC101]", "    3 | \t\tx = y;", "      | \t\t^"]


def test_without_a_column_there_is_no_excerpt() -> None:
    text = format_diagnostic(Diagnostic("OMPC201", Kind.WARNING, "odd", Location("a.c", 3)), "text")
    assert text == "a.c:3: warning: odd [OMPC201]"
