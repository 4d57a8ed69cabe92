"""Programs whose loops go to either side, as it pays: answers are those of the host whatever is decided."""

from __future__ import annotations

import re
from pathlib import Path

from alternating_programs import alternating_program
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

_ALL = ("copy", "lock_call", "allocate_call", "launch", "launch_and_wait", "context", "guard_fault")


def test_loops_that_change_sides(workshop: Workshop, tmp_path: Path, nightly: bool) -> None:
    """With the built-in costs, with a device that costs nothing, and with one that is no faster for small sizes."""
    (tmp_path / "free").mkdir()
    (tmp_path / "dear").mkdir()
    free = costs(tmp_path / "free", **{f"{name}_nanoseconds": 1 for name in _ALL})
    some = {f"{name}_nanoseconds": 3000 for name in _ALL if name != "context"}
    dear = costs(tmp_path / "dear", **some, context_nanoseconds=1)
    told = {"OMPC_OFFLOAD": "profit", "OMPC_HISTORY": "", "OMPC_CHECK": "coherence", "OMPC_SUMMARY": "1"}
    mixed = 0
    for seed in range(1, 13 if nightly else 3):
        path = tmp_path / f"alternating{seed}.c"
        path.write_text(alternating_program(seed))
        case, program = read_case(path), tmp_path / f"alternating{seed}"
        workshop.program(case, Level.AUTO, Target.EMULATE, program)
        expected = run(workshop.reference(case), []).out
        for machine in ("", free, dear):
            ran = run(program, [], {**told, "OMPC_CALIBRATION": machine})
            assert (ran.status, ran.out) == (0, expected), (seed, machine, ran.err)
            sides = re.search(r"launched (\d+) times; on the host (\d+) times", ran.err)
            assert sides is not None, ran.err
            mixed += int(sides[1]) > 0 and int(sides[2]) > 0
    assert mixed > 0  # else nothing has changed sides
