"""What a program's time is at least, and what most of the rest is because of, on made-up ledgers."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from test_profile_ledger import LEDGER

from ompc.tools.profile.bound import ARITHMETIC, LAUNCHES, MEMORY, bound_of
from ompc.tools.profile.ledger import LedgerError, parse_ledger
from ompc.tools.profile.table import format_profile

RATES = {"memory_bytes_per_second": 4e12, "operations_per_second": 5e13, "launch_seconds": 3e-6}


def ledger(used_bytes: float = 0, operations: float = 0, **again: int) -> dict[str, Any]:
    """The other tests' ledger with the device's rates; `again` of the array u."""
    made = copy.deepcopy(LEDGER)
    made["rates"] = RATES
    (region,) = made["regions"]
    region |= {"used_bytes": used_bytes, "operations": operations}
    for record in (made["totals"], region, region["arrays"][0]):
        record.update(again)
    return made


@pytest.mark.parametrize(
    ("used_bytes", "operations", "least", "limit"),
    [
        (40e9, 0, 0.01, MEMORY),
        (4e9, 3e11, 0.006, ARITHMETIC),
        (0, 0, 0.0003, LAUNCHES),
        (400e9, 0, 0.0123, MEMORY),  # no longer than it took: caches are faster than memory
    ],
)
def test_kernels(used_bytes: float, operations: float, least: float, limit: str) -> None:
    found = bound_of(parse_ledger(ledger(used_bytes, operations)))
    assert found is not None
    assert found.parts[0].what == "kernels" and found.parts[0].least == pytest.approx(least)
    if least < 0.0123 / 2:
        assert found.largest is not None and found.largest.limit == limit


def test_table() -> None:
    made = ledger(40e9, h2d_again_bytes=24_000_000, d2h_again_bytes=0)
    text = format_profile(parse_ledger(made), "jacobi", elapsed=0.3)
    assert (
        "The same                           Seconds   At least\n"
        "kernels                            12.3 ms    10.0 ms\n"
        "copies, not under a kernel         1.10 ms     756 us\n"
        "launching, waiting, page-locking   6.60 ms          0\n"
        "starting the device                 200 ms     200 ms\n"
        "the rest: the program's own code   30.0 ms    30.0 ms\n"
        "all                                 250 ms     241 ms\n"
        "Most to be won: launching with an idle device, mostly at jacobi.c:41: 5.60 ms, at least 0\n"
    ) in text


def test_copies_again() -> None:
    made = ledger(50e9, h2d_again_bytes=32_000_000)
    for of in (made["totals"], made["regions"][0], made["regions"][0]["arrays"][0]):
        of["h2d_seconds"] = 0.02
    found = bound_of(parse_ledger(made))
    assert found is not None and found.largest is not None
    assert found.largest.what == "copies of u to the device at jacobi.c:41"
    assert found.largest.avoidable == pytest.approx(0.02)


def test_nothing_is_known_without_rates_or_launches() -> None:
    assert bound_of(parse_ledger(LEDGER)) is None
    made = ledger()
    made["totals"]["launches"] = made["regions"][0]["launches"] = 0
    assert bound_of(parse_ledger(made)) is None


def test_rates_that_are_none() -> None:
    with pytest.raises(LedgerError):
        parse_ledger({**LEDGER, "rates": {**RATES, "operations_per_second": 0}})
