"""`ompc tune` on the emulator: a real program, searched, kept, and built with what was found."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main

PROGRAM = """\
#include <stdio.h>
#include <time.h>
static double u[60][70], v[60][70];
int main(int argc, char **argv)
{
    double s = 0;
    for (int t = 0; t < 2; t++) {
#pragma omp parallel for
        for (int i = 1; i < 59; i++)
            for (int j = 1; j < 69; j++)
                v[i][j] = u[i - 1][j] + u[i + 1][j] + argc;
#pragma omp parallel for reduction(+:s)
        for (int i = 0; i < 60; i++)
            s += v[i][3];
    }
    printf("%g\\n%ld\\n", s, (long)clock());
    return argc - 1;
}
"""


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulating_cxx: str) -> list[str]:
    """The file and how it is built."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPC_TUNING", str(tmp_path / "known"))
    (tmp_path / "grid.c").write_text(PROGRAM)
    return ["grid.c", "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q"]


def launches(program: Path, **environment: str) -> list[str]:
    """The shapes of its launches."""
    done = subprocess.run([program], env={**os.environ, "OMPC_LOG": "3", **environment}, capture_output=True, text=True)
    return [line.split(": ", 3)[3] for line in done.stderr.splitlines() if ": grid " in line]


def test_search_and_use(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is found is up to the emulator's times; that it is kept and used is not."""
    assert (
        main(
            ["tune", *words, "--repeats", "1", "--limit", "2", "--shapes-only", "--emit-clauses", "p.patch", "--", "x"]
        )
        == 0
    )
    out, err = capfd.readouterr()
    assert out.startswith("grid on the emulator, whose times say nothing about a GPU: ")
    assert "limit of" not in out or "The search ended at its limit of 2 seconds, before all was tried.\n\n" in out
    assert "\ngrid.c:8          2^11          2   " in out
    assert "two runs of the host differ in 1 lines of the output, which are not compared [OMPC482]" in err
    assert f"ompc: wrote {tmp_path}/known/ompc-emulator.json\n" in err
    record = json.loads((tmp_path / "known" / "ompc-emulator.json").read_text())
    assert (record["schema"], record["device"]) == (1, "ompc emulator")
    assert ("#pragma ompc" in (tmp_path / "p.patch").read_text()) == bool(record["loops"])

    report = tmp_path / "report.json"
    assert main(["translate", "grid.c", "-q", "--report", str(report)]) == 0
    regions = json.loads(report.read_text())["regions"]
    assert [region["tuning"]["knobs"] for region in regions] == [["rows", "block", "fills"], ["block", "fills"]]
    content = regions[0]["tuning"]["content"]
    record["loops"] = [
        {"content": content, "iterations_log2": size, "choices": choices, "seconds": 1, "default_seconds": 2}
        for size, choices in ((20, {"rows": 8}), (12, {"rows": 4, "block": [16, 2]}), (9, {"rows": 8}))
    ]
    (tmp_path / "known" / "ompc-emulator.json").write_text(json.dumps(record))
    assert main(["build", *words, "-o", "grid"]) == 0
    assert launches(tmp_path / "grid")[0] == "grid 5x8x1, block 16x2x1"
    again = launches(tmp_path / "grid", OMPC_TUNE="main_v@grid.c#11:block=64x2,rows=1;main_v@grid.c:rows=8;*:block=32")
    assert again[:2] == ["grid 2x29x1, block 64x2x1", "grid 2x1x1, block 32x1x1"]
    assert main(["translate", "grid.c", "-q", "--dump", "device"]) == 0
    entry = 'ompc::on("ompc emulator", 12).rows(4).block(16, 2), // 2.00 times as fast, measured'
    assert entry in capfd.readouterr().out


def test_what_would_be_tried(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", *words, "--dry-run"]) == 0
    out = capfd.readouterr().out
    assert out.splitlines()[1].split() == ["grid.c:8", "parallel", "for", "rows", "8", "4", "1"]


def test_wrong_use(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", *words, "--opt", "thesis"]) == 2
    (tmp_path / "grid.c").write_text("int main(void) { return 0; }\n")
    assert main(["tune", *words]) == 1
    assert "no loop of the program is on the device [OMPC480]" in capfd.readouterr().err
    (tmp_path / "grid.c").write_text(PROGRAM.replace("t < 2", "t < argc - 1"))
    assert main(["tune", *words]) == 1
    assert "no loop of grid.c was launched on the device [OMPC480]" in capfd.readouterr().err


def test_another_answer_than_the_host(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A program that asks where it runs."""
    text = PROGRAM.replace("#include <time.h>", "#include <stdlib.h>")
    text = text.replace("(long)clock()", '(long)(getenv("OMPC_PROFILE") == 0)')
    (tmp_path / "grid.c").write_text(text)
    assert main(["tune", *words]) == 1
    said = capfd.readouterr().err
    assert "grid.c does not give the host's answer on the device: line 2 of the output, token 1: " in said
    assert "expected 1, got 0 [OMPC481]" in said


def test_a_shape_that_gives_another_answer(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A program that changes with what is asked of one loop."""
    text = PROGRAM.replace("#include <time.h>", "#include <stdlib.h>\n#include <string.h>").replace(
        "(long)clock()", '(long)(getenv("OMPC_TUNE") != 0 && strstr(getenv("OMPC_TUNE"), "rows=8") != 0)'
    )
    (tmp_path / "grid.c").write_text(text)
    assert main(["tune", *words, "--repeats", "1", "--limit", "1", "--shapes-only"]) == 0
    said = capfd.readouterr().err
    assert "[OMPC483]" in said and "grid.c:9 with rows(8) gives another answer: line 2 of the output, " in said
    assert "rows(8)" not in (tmp_path / "known" / "ompc-emulator.json").read_text()


def test_what_cannot_be_kept_is_told(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OMPC_TUNING", "/proc/nope")
    assert main(["tune", *words, "--repeats", "1", "--limit", "0.001", "--shapes-only", "--emit-clauses", "p"]) == 1
    out, err = capfd.readouterr()
    assert "\ngrid.c:8 " in out and Path("p").exists()
    assert "\nThe search ended at its limit of 0.001 seconds, before all was tried.\n" in out
    assert "cannot write /proc/nope/ompc-emulator.json: No such file or directory [OMPC411]" in err
