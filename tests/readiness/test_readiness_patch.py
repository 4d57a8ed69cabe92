"""`ompc explain --fix`: the changes that were tried, as a patch that `patch` applies and that does what it says."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from readiness_program import PROGRAM, readiness

from ompc.cli import main
from ompc.frontend.text import Replace
from ompc.tools.readiness.model import Readiness, Suggestion
from ompc.tools.readiness.patches import patch


def report(directory: Path, name: str) -> dict[str, str]:
    """Where each loop runs."""
    assert main(["translate", name, "--report", str(directory / "a.json"), "-o", f"{directory}/out", "-q"]) == 0
    regions = json.loads((directory / "a.json").read_text())["regions"]
    return {region["id"].rpartition("_")[2]: region["target"] for region in regions}


@pytest.mark.skipif(shutil.which("patch") is None, reason="no patch")
def test_a_patched_program_has_its_loops_on_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(PROGRAM)
    before = report(tmp_path, "a.c")
    assert main(["explain", "a.c", "--fix", "cures.patch"]) == 0
    assert "ompc: wrote cures.patch" in capsys.readouterr().err
    text = Path("cures.patch").read_text()
    assert "a.c:16: add reduction(+:sum)\n  Make sure: " in text and Path("a.c").read_text() == PROGRAM
    subprocess.run(["patch", "-p0", "-s", "-i", "cures.patch"], check=True)
    after = report(tmp_path, "a.c")
    assert list(before.values()).count("host") == 3 and list(after.values()).count("host") == 1
    assert main(["explain", "a.c", "--fix", "-"]) == 0
    assert capsys.readouterr().out == "", "rand: nothing in its text is to be changed"


def with_edits(found: Readiness, *edits: tuple[Replace, ...]) -> Readiness:
    """Each loop of the host with one suggestion."""
    (file,), left = found.files, iter(edits)
    loops = (
        loop
        if loop.on_device
        else replace(loop, suggestions=(Suggestion("a change", "nothing", file.path, next(left), ()),))
        for loop in file.loops
    )
    return replace(found, files=(replace(file, loops=tuple(loops)),))


def test_of_changes_that_meet_the_first_is_taken(tmp_path: Path) -> None:
    found = readiness(tmp_path)
    first, other = Replace(5, 1, "int seen", "int found"), Replace(5, 5, "seen[N]", "left[N]")
    text = patch(with_edits(found, (first,), (other,), (first,)))
    assert text.count("a change") == 2 and "+int found[N];" in text and "left" not in text


def test_a_last_line_without_an_end_stays_one(tmp_path: Path) -> None:
    found = readiness(tmp_path, **{"t.c": PROGRAM.rstrip("\n")})
    number = len(PROGRAM.splitlines())
    edit = (Replace(number, 1, "}", "};"),)
    text = patch(with_edits(found, edit, edit, edit))
    assert text.endswith("-}\n\\ No newline at end of file\n+};\n\\ No newline at end of file\n")
