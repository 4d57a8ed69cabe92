"""OMPC_VERIFY=1: loops run on both sides, and what differs is reported; the program goes on with the host's results.

The faults are planted in the device file before it is compiled.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution_build import Ran, Workshop, run
from execution_case import block_of_page, read_case

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

CASE = Path(__file__).parent / "cases" / "verified.c"
VERIFY = {"OMPC_VERIFY": "1"}

FAULTS = {
    "p[i].in.f = sqrtf((float)i);": "p[i].in.f = sqrtf((float)i) + (i == 9 ? 0.5f : 0);",
    "p[i].in.k[1] = i + 3;": "p[i].in.k[1] = i + 3 + (i % 100 == 42);",
    "row[i][j] = i + 0.125 * j;": "row[i][j] = i + 0.125 * (j + (i == 5 && j == 6));",
    "sum += p[i].x;": "sum += p[i].x + (i == 7);",
    "final = i * 2;": "final = i * 2 + 1;",
    "p[i].id = i % 77;": "p[i].id = i % 76;",
    "v[i] = ompc::mul(2.0f, v[i]) + 1;": "v[i] = 2 * v[i] + (i == 299 ? -1 : 1);",
    "grid[i][j] += i * 30 + j;": "grid[i][j] += i * 30 + j + (i == 3 && j == 4);",
}
REPORTS = """\
16: launch 1: p[9] (byte 32 of it): the device has 3.5, the host 3; 4 of 2100 differ; relatively by 0.14
26: launch 1: row[5][6]: the device has 5.875, the host 5.75; 1 of 50 differ; relatively by 0.021
65: launch 1: p[76] (byte 16 of it): the device has 0, the host 76; 224 of 2100 differ
36: launch 1: final: the device has 599, the host 598
36: launch 1: sum: the device has 22426, the host 22425; relatively by 4.5e-05
77: launch 1: v[299]: the device has -1, the host 1; 1 of 300 differ; relatively by 2
90: launch 1: grid[3][4]: the device has 95, the host 94; 1 of 1200 differ; relatively by 0.011
"""
SUMMARY = "ompc: OMPC_VERIFY: 13 launches of 11 loops were compared, 3 were not; 8 launches of 6 loops differ [OMPC465]"


def plant(device: str) -> str:
    for right, wrong in FAULTS.items():
        assert device.count(right) >= 1, right
        device = device.replace(right, wrong)
    return device


def reports(ran: Ran) -> list[str]:
    """Of what differs."""
    found = re.findall(r"^ompc: \S*verified\.c:(\d+): OMPC_VERIFY: (launch .*) \[OMPC465\]$", ran.err, re.MULTILINE)
    return [f"{line}: {text}" for line, text in found]


@pytest.mark.parametrize("level", list(Level), ids=lambda level: level.value)
def test_nothing_differs_where_nothing_is_wrong(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    case = read_case(CASE)
    program = workshop.program(case, level, Target.EMULATE, tmp_path / "program", sanitize=level is Level.AUTO)
    ran = run(program, case.runs[0], VERIFY)
    assert (ran.status, ran.out) == (0, run(workshop.reference(case), case.runs[0]).out)
    assert ran.err.endswith("ompc: OMPC_VERIFY: 13 launches of 11 loops were compared, 3 were not; none differs\n"), (
        ran.err
    )
    assert ran.err.count("are not compared: ") == 3 and "OMPC4" not in ran.err


def test_what_differs_is_said_and_the_host_is_right(workshop: Workshop, tmp_path: Path) -> None:
    case = read_case(CASE)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program", edit=plant)
    expected = run(workshop.reference(case), case.runs[0]).out
    assert run(program, case.runs[0]).out != expected
    ran = run(program, case.runs[0], VERIFY)
    assert (ran.status, ran.out) == (71, expected)
    assert reports(ran) == REPORTS.splitlines()
    assert ran.err.splitlines()[-1] == SUMMARY
    log = run(program, case.runs[0], {**VERIFY, "OMPC_LOG": "3"})
    assert (
        sum(":90: OMPC_VERIFY: launch " in line for line in log.err.splitlines()) == 3
    )  # each one, not the first alone
    lenient = run(program, case.runs[0], {**VERIFY, "OMPC_VERIFY_TOLERANCE": "0.5"})
    assert [line.partition(":")[0] for line in reports(lenient)] == ["16", "65", "36", "77"]
    unclear = run(program, case.runs[0], {**VERIFY, "OMPC_VERIFY_TOLERANCE": "much"})
    assert unclear.err.startswith("ompc: OMPC_VERIFY_TOLERANCE=much is not understood: ")


def test_the_race_that_the_page_shows(workshop: Workshop, tmp_path: Path) -> None:
    source = tmp_path / "race.c"
    source.write_text(block_of_page("debugging.md", "#include <stdio.h>\n#define N 1000\n") + "/* expect-gpu: 1 */\n")
    program = workshop.program(read_case(source), Level.AUTO, Target.EMULATE, tmp_path / "program")
    ran = run(program, [], {**VERIFY, "OMPC_CHECK": "", "OMPC_SEED": "1"})
    shown = block_of_page("debugging.md", "ompc: race.c:8: ")
    assert (ran.status, ran.out, ran.err.replace(f"{tmp_path}/", "")) == (71, "499500\n", shown)
