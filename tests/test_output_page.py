"""docs/reading_the_output.md is true: what it shows is what ompc writes, what it names is in the runtime's headers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from excerpts import check, excerpts_in, rewritten

from ompc.base.options import Options
from ompc.driver import translate, with_library

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reading_the_output.md"
RUNTIME = ROOT / "ompc" / "runtime"
_PROGRAM = re.compile(r"^`filter\.c`:\n\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WORDS = (r"launch\.(\w+)", r"ompc::(\w+)", r"`\.(\w+)", r"OMPC_[A-Z]+", r"rows")
"""What a row speaks of: the first of these that is in it."""
_INTERNAL = {"OMPC_HOST_H", "OMPC_MAPPED", "OMPC_ARRAYS"}
"""Macros of the header that stand in no translated program."""


def outputs_of_today(page: str) -> dict[str, str]:
    """The program of the page, translated in the current directory."""
    program = _PROGRAM.search(page)
    assert program is not None
    Path("filter.c").write_text(program[1])
    source, options = Path("filter.c"), Options()
    found = with_library([translate(source, options)], [source], options)
    files = {"host": "filter.c", "device": "filter.cu", "launchers": "filter_launchers.cu", "Makefile": "Makefile"}
    return {f"{what} of filter.c": found.files[name] for what, name in files.items()}


def test_what_is_shown_is_what_ompc_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = outputs_of_today(PAGE.read_text())
    if request.config.getoption("--rewrite"):
        PAGE.write_text(rewritten(PAGE.read_text(), outputs))
    for excerpt in excerpts_in(PAGE.read_text()):
        check(excerpt, outputs[excerpt.of])


def test_every_line_of_a_host_file_is_explained() -> None:
    macros = re.findall(r"^#define (OMPC_[A-Z_]+)", next(RUNTIME.rglob("ompc_host.h")).read_text(), re.MULTILINE)
    assert set(macros) - _INTERNAL <= set(re.findall(r"OMPC_[A-Z_]+", PAGE.read_text()))


def test_what_the_tables_name_is_in_that_header() -> None:
    """The words of a row's first cell are in the file that its last cell names."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.endswith(".h` |")]
    assert len(rows) > 20
    for row in rows:
        header = row[-1].strip("`")
        text = next(RUNTIME.rglob(header)).read_text()
        words = next(found for pattern in _WORDS if (found := re.findall(pattern, row[0])))
        missing = [word for word in words if not re.search(rf"\b{word}\b", text)]
        assert not missing, header
