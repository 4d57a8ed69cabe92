"""`ompc check`: what is new since a baseline fails, wherever it has moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ompc.cli import main

ON_DEVICE = "#pragma omp parallel for\n    for (int i = 0; i < 99; i++)\n        a[i] = i;\n"
CALLS = "#pragma omp parallel for\n    for (int i = 0; i < 99; i++)\n        a[i] = rand();\n"
RACE = "#pragma omp parallel for\n    for (int i = 1; i < 99; i++)\n        a[i] = a[i - 1];\n"


def text(*loops: str) -> str:
    return f"#include <stdlib.h>\nint a[99];\nvoid f(void)\n{{\n{''.join(loops)}}}\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """One command; its status and what it says."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str]:
        status = main(["check", *words])
        said = capfd.readouterr()
        assert said.out == ""
        return status, said.err

    return command


def test_nothing_is_said_of_what_is_on_the_device(run: Any) -> None:
    Path("a.c").write_text(text(ON_DEVICE))
    assert run("a.c") == (0, "")


def test_only_what_is_new_fails(run: Any) -> None:
    Path("a.c").write_text(text(CALLS, RACE))
    status, said = run("a.c", "--sarif", "old.sarif")
    assert status == 1
    assert "a.c:5: note: this loop stays on the host: " in said and "[OMPC320]" in said
    assert "a.c:8: warning: this loop stays on the host: iterations i = 1 and i = 2" in said and "[OMPC202]" in said
    assert said.endswith("ompc: 2 findings\n")
    log = json.loads(Path("old.sarif").read_text())["runs"][0]
    assert [result["kind"] for result in log["results"]] == ["fail"] * 2, "loops of the device are none"

    moved = "/* it has moved to\n   another file */\n"
    Path("b.c").write_text(moved + text(ON_DEVICE, RACE, CALLS.replace("    ", "\t")))
    assert run("b.c", "--baseline", "old.sarif") == (0, "ompc: 2 findings, 2 of them known\n")
    Path("a.c").write_text(text(CALLS, CALLS, RACE.replace("i = 1", "i = 2")))
    status, said = run("a.c", "--baseline", "old.sarif", "--sarif", "new.sarif", "-q")
    assert status == 1 and said.startswith("a.c:11: warning:") and said.endswith("ompc: 3 findings, 1 of them known\n")
    results = json.loads(Path("new.sarif").read_text())["runs"][0]["results"]
    assert [result["baselineState"] for result in results] == ["unchanged", "new", "new"]


def test_a_report_of_explain_is_a_baseline(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.c").write_text(text(ON_DEVICE, CALLS))
    assert main(["explain", "a.c", "--sarif", "old.sarif", "--try", "0"]) == 0
    capfd.readouterr()
    assert run("a.c", "--baseline", "old.sarif")[0] == 0
    Path("a.c").write_text(text(CALLS, CALLS))
    assert run("a.c", "--baseline", "old.sarif")[0] == 1, "a loop of the device has no mark that excuses another"


def test_warnings_and_errors_count(run: Any) -> None:
    Path("a.c").write_text(text(ON_DEVICE.replace("parallel", "paralel")))
    status, said = run("a.c", "--sarif", "old.sarif")
    assert status == 1 and "a.c:5: warning:" in said and "did you mean" in said and "[OMPC201]" in said
    assert run("a.c", "--baseline", "old.sarif")[0] == 0
    Path("bad.c").write_text("int main( {\n")
    for _ in range(2):
        status, said = run("bad.c", "a.c", "--sarif", "bad.sarif")
        assert status == 1 and "[OMPC101]" in said and "[OMPC201]" in said
    assert run("bad.c", "--baseline", "bad.sarif")[0] == 1, "an error is always new"


def test_each_file_is_looked_at_by_itself(run: Any) -> None:
    loop = "#pragma omp parallel for\n    for (int i = 0; i < 99; i++)\n        a[i] = g(i);\n"
    Path("a.c").write_text("int g(int);\n" + text(loop))
    Path("b.c").write_text("int g(int i) { return i; }\n")
    assert run("a.c")[1] == run("a.c", "b.c")[1]


@pytest.mark.parametrize("content", [None, "{", "[]", '{"runs": 1}'])
def test_a_baseline_that_cannot_be_used(content: str | None, run: Any) -> None:
    Path("a.c").write_text(text(ON_DEVICE))
    if content is not None:
        Path("old.sarif").write_text(content)
    status, said = run("a.c", "--baseline", "old.sarif")
    assert status == 1 and "[OMPC419]" in said
    assert run("a.c", "--baseline", "a.c", "--sarif", "a.c")[0] == 1 and Path("a.c").read_text() == text(ON_DEVICE)
