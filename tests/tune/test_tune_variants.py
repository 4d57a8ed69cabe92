"""The program with its kernels made in other ways: which are built; and `ompc tune` on one, with an invented timer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.tuning import EMULATOR, ShapeChoices, Tuning
from ompc.base.watch import Watch
from ompc.cli import main
from ompc.driver import translate
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request, Target, choose_setting
from ompc.tools.tune.measure import ProgramRunner
from ompc.tools.tune.session import Loop, Ran
from ompc.tools.tune.variants import Variants

NESTS = """\
static double u[60][70], v[70][60], a[8][60][70], w[9];
void f(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = v[j][i] + w[3];
#pragma omp parallel for
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[k][i][j] = k;
}
"""

TABLE = """\
#include <stdio.h>
static double u[4000], w[9] = {1, 2, 3, 4, 5};
int main(void)
{
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < 4000; i++)
        u[i] = w[3] * i;
    for (int i = 0; i < 4000; i++)
        s += u[i];
    printf("%g\\n", s);
    return 0;
}
"""


def variants_of(text: str, directory: Path) -> Variants:
    source = directory / "t.c"
    source.write_text(text)
    request = Request(source, Options(), target=Target.EMULATE)
    setting = choose_setting(request, {"PATH": "/usr/bin:/bin", "OMPC_TUNING": ""})
    made = (translate(source, request.options),)

    def again(tuning: Tuning) -> tuple[Translation, ...]:
        return (translate(source, replace(request.options, tuning=tuning)),)

    return Variants(request, setting, again, Cache(directory / "cache"), Watch(), directory / "program", made)


def test_the_nth_way_of_every_loop_but_for_what_makes_the_same_text(tmp_path: Path) -> None:
    rounds = variants_of(NESTS, tmp_path).rounds()
    ways: dict[str, list[str]] = {}
    for kernels in rounds:
        for content, way in kernels.items():
            ways.setdefault(content, []).append(way.clauses)
    first, second = ways.values()
    # Without axes of the inner loops groups of threads share them: lanes(0) inner(0) makes another text than inner(0).
    assert first == ["inner(0)", "lanes(0) inner(0)", "order(2, 1)", "constant(0)", "readonly(0)"]
    assert second == ["inner(0)", "lanes(0) inner(0)", "inner(1)", "order(2, 1, 3)"]
    assert [len(kernels) for kernels in rounds] == [2, 2, 2, 2, 1]


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulating_cxx: str) -> list[str]:
    """The file and how it is built; the timer finds kernels without constant memory twice as fast."""
    run = ProgramRunner.run

    def timed(self: ProgramRunner, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        ran = run(self, chosen)
        usual = 1.0 if self.program.path.name == "program" else 0.5
        return replace(
            ran, seconds={loop: 3.0 if loop in chosen and chosen[loop].values() else usual for loop in ran.seconds}
        )

    monkeypatch.setattr(ProgramRunner, "run", timed)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPC_TUNING", str(tmp_path / "known"))
    (tmp_path / "t.c").write_text(TABLE)
    return ["t.c", "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q"]


def test_a_kernel_is_found_kept_and_made(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", *words, "--emit-clauses", "t.patch"]) == 0
    out = capfd.readouterr().out
    assert out.splitlines()[-1].split() == ["t.c:6", "2^11", "1", "1.00", "s", "500", "ms", "2.00", "x", "constant(0)"]
    assert "+#pragma ompc constant(0)\n" in (tmp_path / "t.patch").read_text()
    path = tmp_path / "known" / "ompc-emulator.json"
    record = json.loads(path.read_text())
    assert [loop["choices"] for loop in record["loops"]] == [{"constant": 0}]

    assert main(["translate", "t.c", "-q", "--dump", "device"]) == 0
    assert "__constant__" in capfd.readouterr().out  # the emulator's times say nothing about a GPU
    assert main(["build", *words, "-o", "t"]) == 0
    assert subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True).stdout == "3.1992e+07\n"
    path.write_text(path.read_text().replace(EMULATOR, "Some GPU"))
    assert main(["translate", "t.c", "-q", "--dump", "device"]) == 0
    text = " ".join(capfd.readouterr().out.replace("\n//", "").split())  # comments are wrapped
    assert "__constant__" not in text and "no constant memory, 2.00 times as fast on Some GPU, measured" in text

    assert main(["tune", *words, "--shapes-only"]) == 0
    assert capfd.readouterr().out.endswith("the runtime's own\n")
