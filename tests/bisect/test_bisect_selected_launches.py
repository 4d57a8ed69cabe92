"""OMPC_REGIONS: whatever is chosen goes to the device, the rest runs on the host, and the answer is the same."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
static double u[9000], v[9000];

static void step(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = u[n - 1 - i] + i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * v[i];
}
static double team(int n)
{
    double s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            v[i] += 1;
#pragma omp for reduction(+:s)
        for (int i = 0; i < n; i++)
            s += v[i];
    }
    return s;
}
static void mapped(double *p, int n)
{
#pragma omp target data map(tofrom : p[:n]) map(to : u)
    for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            p[i] += u[i];
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            p[i] *= 0.5;
    }
}
int main(void)
{
    const int n = 9000;
    double *p = calloc(n, sizeof *p), s = 0;

    for (int t = 0; t < 4; t++)
        step(n);
    s = team(n);
    mapped(p, n);
    for (int i = 0; i < n; i++)
        s += p[i] * (i % 7);
    printf("%.17g %.17g\\n", s, u[17]);
    free(p);
    return 0;
}
"""
REACHED = {"step_v": 4, "step_u": 4, "team_v": 1, "team_s": 1, "mapped_p": 3, "mapped_p_2": 3}
NONE = dict.fromkeys(REACHED, 0)
JOINT = {"team_v_fused": ("team_v", "team_s"), "step_v_chain": ("step_v", "step_u")}
"""What is launched together, at --opt auto, where all of it may be."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory, emulating_cxx: str) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("selected")
    (folder / "loops.c").write_text(PROGRAM)
    words = [str(folder / "loops.c"), "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q"]
    for level in ("auto", "thesis"):
        assert main(["build", *words, "--opt", level, "-o", str(folder / level)]) == 0
    return {level: folder / level for level in ("auto", "thesis")}


def run(program: Path, regions: str, tmp_path: Path, **more: str) -> tuple[str, dict[str, int], str]:
    """The output, the launches of each loop, and what was said."""
    ledger = tmp_path / "ledger.json"
    environ = {**os.environ, "OMPC_REGIONS": regions, "OMPC_PROFILE": str(ledger), "OMP_NUM_THREADS": "3", **more}
    done = subprocess.run([program], env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    launches, kept = dict(NONE), dict(NONE)
    for region in json.loads(ledger.read_text())["regions"]:
        for loop in JOINT.get(region["id"], (region["id"],)):
            launches[loop] += region["launches"]
            kept[loop] += region["kept"]
    assert {loop: launches[loop] + kept[loop] for loop in launches} == REACHED
    return done.stdout, launches, done.stderr


def launches_in(tmp_path: Path) -> dict[str, int]:
    regions = json.loads((tmp_path / "ledger.json").read_text())["regions"]
    return {region["id"]: region["launches"] for region in regions}


def test_loops_are_launched_together_where_all_of_them_may_be(programs: dict[str, Path], tmp_path: Path) -> None:
    for regions, joint in (("", 1), ("*", 1), ("team_v,team_s#1", 1), ("3,4", 1), ("team_v", 0), ("-4", 0)):
        run(programs["auto"], regions, tmp_path)
        assert launches_in(tmp_path)["team_v_fused"] == joint, regions
    run(programs["auto"], "", tmp_path, OMPC_TUNE="*:block=64")
    assert launches_in(tmp_path)["team_v_fused"] == 1
    for each in ({"OMPC_FUSION": "0"}, {"OMPC_TUNE": "*:block=64;step_v@loops.c:block=32"}):
        run(programs["auto"], "", tmp_path, **each)
        found = launches_in(tmp_path)
        assert (found["team_v_fused"], found["team_v"], found["team_s"]) == (0, 1, 1)


@pytest.mark.parametrize("level", ["auto", "thesis"])
@pytest.mark.parametrize(
    ("regions", "launches"),
    [
        ("", REACHED),
        ("none", NONE),
        ("*", REACHED),
        ("step_u", {**NONE, "step_u": 4}),
        ("step_u@loops.c,loops.c:32", {**NONE, "step_u": 4, "mapped_p": 3}),
        ("..2,5..", {**REACHED, "team_v": 0, "team_s": 0}),
        ("step_v#..3,mapped_p_2#2", {**NONE, "step_v": 3, "mapped_p_2": 1}),
        ("-step_v,-mapped_p#2..", {**REACHED, "step_v": 0, "mapped_p": 1}),
        ("*,-3,team_s#2", {**REACHED, "team_v": 0}),
        ("oops.c:32,other_9@loops.c", NONE),
    ],
)
def test_what_is_chosen_is_launched(
    programs: dict[str, Path], level: str, regions: str, launches: dict[str, int], tmp_path: Path
) -> None:
    out, found, said = run(programs[level], regions, tmp_path, OMPC_WAIT="1" if level == "auto" else "")
    unknown = [name for name in regions.split(",") if name.startswith(("oops", "other"))]
    told = [f"ompc: OMPC_REGIONS: '{name}' names none of the 6 loops that were reached" for name in unknown]
    assert (found, said.splitlines()) == (launches, told)
    assert out == run(programs[level], "none", tmp_path)[0]


@pytest.mark.parametrize("regions", ["step_v#", "3..x", "@loops.c", "loops.c:0", "", ".."])
def test_what_is_not_understood_is_told(programs: dict[str, Path], regions: str, tmp_path: Path) -> None:
    """And nothing is chosen."""
    _, found, said = run(programs["auto"], f"step_v,{regions},", tmp_path)
    assert found == REACHED
    assert said == f"ompc: OMPC_REGIONS is not followed: '{regions}' is not understood\n"
