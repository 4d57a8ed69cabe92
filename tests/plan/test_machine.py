"""The machine model says what the runtime's headers say of the same limits."""

from __future__ import annotations

import re

import pytest

from ompc.base.resources import Runtime, runtime_files
from ompc.plan.machine import DEVICE


@pytest.mark.parametrize(
    ("header", "name", "value"),
    [
        ("ompc_shape.h", "warp_threads", DEVICE.warp),
        ("ompc_shape.h", "block_threads", DEVICE.block_threads),
        ("ompc_sharing.h", "most_sharing_threads", DEVICE.block_threads),
    ],
)
def test_the_runtime_has_the_same_limits(header: str, name: str, value: int) -> None:
    found = re.search(rf"\b{name} = (\d+)\b", runtime_files(Runtime.COMMON)[header].read_text())
    assert found is not None and int(found[1]) == value


def test_a_kernel_for_all_devices_asks_for_no_more_than_each_has() -> None:
    assert DEVICE.shared < DEVICE.shared_asked < DEVICE.shared_most
    assert DEVICE.block_threads % DEVICE.warp == 0
    assert DEVICE.vector % DEVICE.bank == 0
