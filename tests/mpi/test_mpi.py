"""Programs with MPI: the same answers as without ompc, arrays that stay on the device, and messages that move."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from conftest import CASES, Mpi

pytestmark = pytest.mark.slow
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
        assert totals["h2d_bytes"] <= STEPS * ROW
        assert totals["d2h_bytes"] <= (STEPS + 2) * ROW + 64  # received rows of both arrays come home, the first time
        assert totals["waits"]["message"]["count"] > 0


def test_cases_are_all_run() -> None:
    assert {path.stem for path in CASES.glob("*.c")} == {"messages", "windows", "halo"}
