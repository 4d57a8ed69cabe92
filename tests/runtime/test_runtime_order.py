"""What must wait for what when copies run beside kernels: each wait is there, each is needed, and none is longer.

The emulated device does everything as late as it may, in an order that OMPC_EMULATE_ORDER chooses; a wait is left out
by OMPC_FAULTS (ompc_injection.h).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_costs import cheap_locks
from runtime_builds import Builder, run

ORDERS = range(5)
WAITS_OF_PART = {
    "changed": "kernels in home host",
    "reading": "kernels home host",
    "freed": "kernels in home host",
    "home": "kernels home",
    "constant": "kernels home",
    "mapped": "kernels host",
}


def environment(part: str, order: int, folder: Path, **more: str) -> dict[str, str]:
    guard = "0" if part == "mapped" else "1"  # with guards there is nothing that a mapping would keep
    asked = {"OMPC_EMULATE_ORDER": str(order), "OMPC_CALIBRATION": cheap_locks(folder), "OMPC_GUARD": guard}
    return asked | more


@pytest.mark.parametrize("part", WAITS_OF_PART)
def test_in_any_order(build: Builder, part: str, tmp_path: Path) -> None:
    for order in ORDERS:
        done = run([build.emulated("order"), part], **environment(part, order, tmp_path))
        assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", ""), order


@pytest.mark.parametrize("part", WAITS_OF_PART)
def test_no_wait_is_longer_than_it_must_be(build: Builder, part: str, tmp_path: Path) -> None:
    """A copy home waits for the launch that wrote the data, a change of the host for the copy that reads it."""
    done = run([build.emulated("order"), part, "precise"], **environment(part, 0, tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize(("part", "wait"), [(p, w) for p, waits in WAITS_OF_PART.items() for w in waits.split()])
def test_each_wait_is_needed(build: Builder, part: str, wait: str, tmp_path: Path) -> None:
    """Without it the answer is wrong in some order."""
    without = {"OMPC_FAULTS": f"wait_{wait}:1+"}
    program = build.emulated("order")
    ran = [run([program, part], **environment(part, order, tmp_path, **without)) for order in ORDERS]
    assert any(done.returncode != 0 for done in ran)


@pytest.mark.nvcc
def test_accepted_by_nvcc(build: Builder) -> None:
    build.accepted_by_nvcc("order", "90")


@pytest.mark.gpu
@pytest.mark.parametrize("part", WAITS_OF_PART)
def test_on_gpu(build: Builder, part: str, tmp_path: Path) -> None:
    done = run([build.on_gpu("order"), part], **environment(part, 0, tmp_path))
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
