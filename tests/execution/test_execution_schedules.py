"""Each kernel among which a launcher chooses is launched wherever it can be, and gives the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import ALL_CASES, Case
from test_execution import check_same, regions_of

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

UNASKED = {"split_sums": "0", "group_loops": "0", "tiles": "9", "transposed": "9"}
"""Cases, with the first argument of their runs that ask for no size of tiles or groups."""
CASES = [case for case in ALL_CASES if case.name in UNASKED]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_schedule_gives_the_same_answer(case: Case, workshop: Workshop, nightly: bool, tmp_path: Path) -> None:
    """By day without sanitizers, of which these programs are full: the emulator guards the device's memory."""
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program", sanitize=nightly)
    tunings = [region["tuning"] for region in regions_of(workshop.translation(case, Level.AUTO)) if region["tuning"]]
    most = max(len(tuning["schedules"]) for tuning in tunings)
    assert most >= 2
    for arguments in (arguments for arguments in case.runs if arguments[0] == UNASKED[case.name]):
        expected = run(workshop.reference(case), arguments)
        for number in range(most):
            check_same(case, expected, run(program, arguments, {"OMPC_TUNE": f"*:schedule={number}"}))
