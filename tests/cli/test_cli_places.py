"""No output replaces a file that is read, a source, or another output; all are tried before any work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from in_process import Cli

SOURCE = "int main(void) { return 0; }\n"


@pytest.fixture
def sources(cli: Cli) -> Cli:
    for name in ("a.c", "b.c", "other.h"):
        Path(name).write_text(SOURCE)
    os.link("a.c", "hard")
    Path("soft").symlink_to("a.c")
    Path("input").write_text(SOURCE)
    return cli


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "--html", "a.c", "b.c"),
        ("explain", "a.c", "b.c", "--html", "./b.c"),
        ("explain", "a.c", "--html", "a.c"),
        ("explain", "a.c", "--sarif", "soft"),
        ("explain", "a.c", "--report", "hard"),
        ("explain", "a.c", "--report", "other.h"),
        ("explain", "a.c", "--html", "same", "--sarif", "./same"),
        ("explain", "a.c", "--html", "-", "--sarif", "-"),
        ("translate", "a.c", "--report", "b.c"),
        ("build", "a.c", "-o", "hard"),
        ("build", "a.c", "-o", "b.c"),
        ("profile", "a.c", "--json", "a.c"),
        ("profile", "a.c", "--trace", "b.c"),
        ("profile", "a.c", "--trace", "t", "--json", "t"),
        ("tune", "a.c", "--limit", "8", "--emit-clauses", "a.c"),
        ("tune", "a.c", "--input", "input", "--emit-clauses", "input"),
    ],
)
def test_what_is_the_users_is_kept(words: tuple[str, ...], sources: Cli) -> None:
    status, out, err = sources.run(*words)
    assert (status, out) == (1, "") and "[OMPC410]" in err and "would " in err, err
    assert all(path.read_text() == SOURCE for path in map(Path, ("a.c", "b.c", "other.h", "hard", "input")))
    assert not sources.options and not Path("same").exists() and not Path("t").exists()


def test_a_program_is_not_replaced_by_its_profile(sources: Cli) -> None:
    program = Path("program")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    status, _, err = sources.run("profile", "./program", "--json", "program")
    assert status == 1 and "--json would replace program, which is read [OMPC410]" in err


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "a.c", "--html", "no/x.html"),
        ("explain", "a.c", "--sarif", "folder"),
        ("translate", "a.c", "--report", "a.c/x"),
        ("build", "a.c", "-o", "no/a"),
        ("profile", "a.c", "--json", "no/x"),
        ("profile", "a.c", "--trace", "no/x"),
        ("tune", "a.c", "--emit-clauses", "no/x"),
    ],
)
def test_what_cannot_be_written_is_tried_first(words: tuple[str, ...], sources: Cli) -> None:
    Path("folder").mkdir()
    status, out, err = sources.run(*words)
    assert (status, out) == (1, "") and "[OMPC411]" in err
    assert not sources.options


def test_a_chart_needs_matplotlib_before_the_work(sources: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ompc.tools.profile.chart.find_spec", lambda _: None)
    status, _, err = sources.run("profile", "a.c", "--chart", "a.png")
    assert status == 1 and "matplotlib is not installed" in err and not sources.options


def test_earlier_outputs_and_devices_are_written(sources: Cli) -> None:
    Path("a.json").write_text("what was written before")
    assert sources.run("translate", "a.c", "-o", "new", "--report", "a.json")[0] == 0
    assert Path("a.json").read_text().startswith("{")
    assert sources.run("translate", "a.c", "-o", "new", "--report", "/dev/null")[0] == 0
    left = {path.name for path in sources.directory.iterdir()}
    assert left == {"a.c", "a.json", "amount.h", "b.c", "hard", "input", "new", "other.h", "soft", "twice.c"}
