"""What is copied back when a program ends: all that somebody could look at, and nothing else."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import read_case

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

FAULTS = Path(__file__).parent / "faults"
CASE = read_case(FAULTS / "last_looks.c")
ALL_BYTES = 40000 * 8


def check_looks(program: Path, workshop: Workshop, folder: Path) -> None:
    came_home = {}
    for who in ("nobody", "first", "last"):
        ledger = folder / f"{who}.json"
        ran = run(program, [who], {"OMPC_PROFILE": str(ledger)})
        expected = run(workshop.reference(CASE), [who])
        assert (ran.status, ran.out) == (0, expected.out), ran.err
        came_home[who] = json.loads(ledger.read_text())["totals"]["d2h_bytes"]
    assert came_home["nobody"] == 0 and came_home["first"] == ALL_BYTES
    assert 0 < came_home["last"] <= ALL_BYTES


def test_last_looks(workshop: Workshop, tmp_path: Path) -> None:
    program = workshop.program(CASE, Level.AUTO, Target.EMULATE, tmp_path / "program")
    check_looks(program, workshop, tmp_path)


def test_a_library_that_looks_too_late_is_told(workshop: Workshop, tmp_path: Path) -> None:
    """It reads nothing wrong: the program ends with a message and a status."""
    program = workshop.program(CASE, Level.AUTO, Target.EMULATE, tmp_path / "program")
    library = tmp_path / "looking.so"
    subprocess.run(["gcc", "-shared", "-fPIC", FAULTS / "looking_library.c", "-o", library], check=True)
    ran = run(program, ["nobody"], {"LD_PRELOAD": str(library)})
    assert ran.status == 70 and "'array' is used when the device has gone [OMPC471]" in ran.err
    assert "library" not in ran.out
    seen = run(program, ["nobody"], {"LD_PRELOAD": str(library), "OMPC_GUARD": "0"})
    assert (seen.status, seen.out) == (0, "nobody\nlibrary 14\n")


@pytest.mark.gpu
def test_last_looks_on_gpu(workshop: Workshop, tmp_path: Path) -> None:
    program = workshop.program(CASE, Level.AUTO, Target.CUDA, tmp_path / "program")
    check_looks(program, workshop, tmp_path)


def test_libraries_that_see_no_guards(workshop: Workshop, tmp_path: Path) -> None:
    """Beside an MPI library each launch copies, and says so; unless the user knows better."""
    program = workshop.program(CASE, Level.AUTO, Target.EMULATE, tmp_path / "program")
    library = tmp_path / "libmpi.so.40"
    subprocess.run(["gcc", "-shared", "-fPIC", FAULTS / "looking_library.c", "-o", library], check=True)
    ledger = tmp_path / "ledger.json"
    ran = run(program, ["nobody"], {"LD_PRELOAD": str(library), "OMPC_PROFILE": str(ledger)})
    assert (ran.status, ran.out) == (0, "nobody\nlibrary 14\n")
    assert ran.err.count("libmpi.so.40 is loaded, which may not see page guards [OMPC472]") == 1
    assert json.loads(ledger.read_text())["totals"]["d2h_bytes"] == ALL_BYTES
    told = run(program, ["nobody"], {"LD_PRELOAD": str(library), "OMPC_GUARD": "1"})
    assert told.status == 70 and "[OMPC471]" in told.err


def test_a_deeply_bound_library_frees_with_libc(workshop: Workshop, tmp_path: Path) -> None:
    """All blocks that the program gets from then on are libc's."""
    case = read_case(FAULTS / "deeply_bound.c")
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    library = tmp_path / "deeply_bound.so"
    subprocess.run(["gcc", "-shared", "-fPIC", FAULTS / "deeply_bound_library.c", "-o", library], check=True)
    for elements in ("500", "20000", "300000"):
        ran = run(program, [str(library), elements])
        expected = run(workshop.reference(case), [str(library), elements])
        assert (ran.status, ran.out) == (0, expected.out) and ran.out.endswith("end\n"), ran.err
