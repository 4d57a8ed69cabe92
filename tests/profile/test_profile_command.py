"""`ompc profile` and `build-and-run --profile`, on a program that is built and run, emulated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ompc.cli import main
from ompc.tools.profile.ledger import parse_ledger

PROGRAM = """\
#include <stdio.h>
double a[1000], b[1000];
int main(int argc, char **argv)
{
    double s = 0;
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < 1000; i++) a[i] = b[i] + t;
#pragma omp parallel for reduction(+:s)
        for (int i = 0; i < 1000; i++) s += a[i];
    }
    printf("%g %d\\n", s, argc);
    return argc;
}
"""


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulating_cxx: str) -> list[str]:
    """The file and how it is built."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.c").write_text(PROGRAM)
    return ["sums.c", "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q"]


def test_profile_of_a_source(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The program's own output and status; tables beside it, and the same as JSON, a timeline and bars."""
    words += ["--without", "fusion"]
    assert main(["profile", *words, "--json", "p.json", "--trace", "t.json", "--", "x", "y"]) == 3
    out, err = capfd.readouterr()
    assert out == "3000 3\n"
    assert err.startswith("sums: ") and " on ompc emulator, 6 launches\n" in err
    assert "\nsums.c:7 parallel for " in err and "\n  results of reductions " in err
    record = json.loads((tmp_path / "p.json").read_text())
    profile = parse_ledger(record)
    assert sum(profile.parts.values()) == pytest.approx(profile.wall_seconds)
    first, second = profile.regions
    assert {array.name for array in first.arrays} == {"a", "b"}
    assert second.launches.count == 3 and record["totals"]["h2d_bytes_per_second"] > 0
    kernels = [event for event in json.loads((tmp_path / "t.json").read_text()) if event.get("cat") == "kernel"]
    assert [event["name"] for event in kernels] == ["sums.c:7 parallel for", "sums.c:9 parallel for"] * 3


def test_profile_of_an_executable(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["build", *words]) == 0
    assert main(["profile", "sums", "--json", "-", "--", "x"]) == 2
    out, err = capfd.readouterr()
    assert out.startswith('3000 2\n{\n "schema": 2,') and "sums: " in err
    assert main(["profile", "./sums", "--chart", "chart.txt"]) == 2
    assert "--chart: the file must end in one of .png, .svg, .pdf" in capfd.readouterr().err
    pytest.importorskip("matplotlib")
    assert main(["profile", "./sums", "--chart", "chart.svg"]) == 1
    assert (tmp_path / "chart.svg").exists()
    assert main(["profile", "./sums", "--chart", "nowhere/chart.svg"]) == 1
    assert "cannot write nowhere/chart.svg: No such file or directory [OMPC411]" in capfd.readouterr().err


def test_build_and_run_with_profile(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["build-and-run", *words, "--profile"]) == 1
    out, err = capfd.readouterr()
    assert out == "3000 1\n" and "3 launches\n2 parallel loops: 2 translated, 2 reached, 2 launched" in err


def test_programs_without_a_ledger(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Their status is passed on all the same."""
    script = tmp_path / "plain"
    script.write_text("#!/bin/sh\nexit 5\n")
    script.chmod(0o755)
    assert main(["profile", str(script)]) == 5
    assert "plain wrote no profile: it has no device code, or did not end by itself [OMPC415]" in capfd.readouterr().err
    script.write_text('#!/bin/sh\necho nonsense >"$OMPC_PROFILE"\nkill -TERM $$\n')
    assert main(["profile", str(script)]) == 143
    assert "wrote no profile: no readable ledger" in capfd.readouterr().err
