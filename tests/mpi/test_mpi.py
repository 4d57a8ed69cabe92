"""Programs with MPI: the same answers as without ompc, arrays that stay on the device, and messages that move."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from conftest import CASES, Mpi

pytestmark = pytest.mark.slow
_MPICH = pytest.param("mpich", marks=pytest.mark.nightly)
one_by_day = pytest.mark.parametrize("mpi", ["openmpi", _MPICH], indirect=True)
"""For programs that differ in sizes from others that both MPIs run."""
ROW = 1024 * 8
STEPS = 20


@cache
def built(mpi: Mpi, case: str) -> tuple[Path, Path]:
    return mpi.build(case, with_ompc=False), mpi.build(case, with_ompc=True)


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_messages(mpi: Mpi, ranks: int, nightly: bool) -> None:
    """By day each number of processes in one way."""
    plain, translated = built(mpi, "messages")
    expected = mpi.run(plain, ranks).stdout
    assert expected.count("\n") > 30
    ways = ({"OMPC_EMULATE_ORDER": "3"}, {"OMPC_GUARD": "0"}, {"OMPC_CHECK": "coherence"})
    for more in ways if nightly else ways[ranks - 1 : ranks]:
        assert mpi.run(translated, ranks, environ=more).stdout == expected, more


@pytest.mark.parametrize("ranks", [2, 3])
def test_what_others_use_at_any_time(mpi: Mpi, ranks: int, tmp_path: Path) -> None:
    plain, translated = built(mpi, "windows")
    expected = mpi.run(plain, ranks, str(tmp_path / "file")).stdout
    ran = mpi.run(translated, ranks, str(tmp_path / "file"))
    assert ran.stdout == expected
    told = "ompc: what MPI_Win_create is given is copied by each launch from now on: others may use it at any time"
    assert ran.stderr.count(f"{told} [OMPC476]") == 1


@pytest.mark.parametrize("beside", ["0", "1"], ids=["behind the messages", "beside them"])
def test_bytes_that_move_are_those_of_messages(mpi: Mpi, beside: str, tmp_path: Path) -> None:
    plain, translated = built(mpi, "halo")
    expected = mpi.run(plain, 2, beside).stdout
    assert mpi.run(translated, 2, beside, environ={"OMPC_PROFILE": str(tmp_path / "%r.json")}).stdout == expected
    for rank in (0, 1):
        totals = json.loads((tmp_path / f"{rank}.json").read_text())["totals"]
        assert totals["launches"] == (2 + STEPS if beside == "0" else 2 + 3 * STEPS)
        assert totals["h2d_bytes"] <= STEPS * ROW + 64  # received rows, and a number
        assert totals["d2h_bytes"] <= STEPS * ROW + 64
        assert totals["waits"]["message"]["count"] > 0


FAULTS = tuple({"OMPC_FAULTS": fault} for fault in ("import:1+", "export:1+", "lock:1+"))
ORDERS = ({"OMPC_EMULATE_ORDER": "0"}, {"OMPC_EMULATE_ORDER": "2"}, {"OMPC_CHECK": "coherence"}, {"OMPC_GUARD": "0"})
BY_DAY = {2: ({}, FAULTS[0]), 3: (FAULTS[2], ORDERS[2])}
BETWEEN_DEVICES = re.compile(r"from device to device: sent (\d+) messages of \d+ bytes, received (\d+) of")


def lines(ran: subprocess.CompletedProcess[str]) -> list[str]:
    """What processes print, which comes in any order."""
    return sorted(ran.stdout.splitlines())


@pytest.mark.parametrize("ranks", [2, 3])
def test_messages_go_from_device_to_device(mpi: Mpi, ranks: int, nightly: bool) -> None:
    """By day in some of the ways: one goes without, since another process's memory cannot be opened."""
    plain, translated = built(mpi, "peers")
    expected = lines(mpi.run(plain, ranks))
    for more in ({}, *FAULTS, *ORDERS, {"OMPC_PEERS": "0"}) if nightly else BY_DAY[ranks]:
        ran = mpi.run(translated, ranks, environ={"OMPC_SUMMARY": "1", **more})
        assert lines(ran) == expected, more
        sent = [int(number) for number, _ in BETWEEN_DEVICES.findall(ran.stderr)]
        goes = more not in FAULTS[:2] and not {"OMPC_PEERS", "OMPC_GUARD"} & more.keys()
        assert len(sent) == (ranks if goes else 0) and all(number > 20 for number in sent), (more, ran.stderr)


@one_by_day
def test_a_program_that_asks_for_sizes_is_sent_no_descriptors(mpi: Mpi) -> None:
    """No others either, as all have the same calls."""
    plain, translated = (mpi.build("peers", with_ompc=own, options=("-DPROBES",)) for own in (False, True))
    ran = mpi.run(translated, 2, environ={"OMPC_SUMMARY": "1"})
    assert lines(ran) == lines(mpi.run(plain, 2))
    assert "on the device" in ran.stderr and "from device to device" not in ran.stderr


@one_by_day
def test_only_first_messages_go_over_the_bus(mpi: Mpi, tmp_path: Path) -> None:
    plain, translated = (mpi.build("halo", with_ompc=own, options=("-DN=4096",)) for own in (False, True))
    expected = mpi.run(plain, 2, "0").stdout
    assert mpi.run(translated, 2, "0", environ={"OMPC_PROFILE": str(tmp_path / "%r.json")}).stdout == expected
    for rank in (0, 1):
        totals = json.loads((tmp_path / f"{rank}.json").read_text())["totals"]
        row = 4 * ROW
        assert totals["peer_sent_bytes"] == totals["peer_sent_messages"] * row
        assert totals["peer_sent_messages"] >= STEPS - 3 and totals["peer_received_messages"] >= STEPS - 3
        assert totals["h2d_bytes"] + totals["peer_received_bytes"] <= STEPS * row + 64
        assert totals["d2h_bytes"] + totals["peer_sent_bytes"] <= STEPS * row + 64


def test_cases_are_all_run() -> None:
    assert {path.stem for path in CASES.glob("*.c")} == {"messages", "windows", "halo", "peers"}
