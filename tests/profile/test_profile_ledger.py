"""From a ledger to what is shown of it: tables, JSON and bars, on a made-up ledger."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ompc.cli import main
from ompc.tools.profile.chart import NoChartError, bars_of, write_chart
from ompc.tools.profile.ledger import LedgerError, parse_ledger, read_ledger, with_bandwidths
from ompc.tools.profile.table import Loops, duration, format_profile, size

REASONS = (
    "valid on the device",
    "overwritten by the kernel",
    "unchanged since the last launch",
    "not read by the host",
)
WAITS = ("results", "fault", "mapping", "release", "exit", "message")


def traffic(to_device: tuple[int, int, float], to_host: tuple[int, int, float], **other: Any) -> dict[str, Any]:
    """Copies, bytes and seconds each way."""
    made: dict[str, Any] = {}
    for way, (copies, count, seconds) in (("h2d", to_device), ("d2h", to_host)):
        made |= {f"{way}_copies": copies, f"{way}_bytes": count, f"{way}_seconds": seconds}
    avoided, waits = other.get("avoided", {}), other.get("waits", {})
    made["avoided"] = {why: avoided.get(why, 0) for why in REASONS}
    made["waits"] = {why: dict(zip(("count", "seconds"), waits.get(why, (0, 0.0)), strict=True)) for why in WAITS}
    return made


U = traffic((1, 32_000_000, 0.5e-3), (1, 32_000_000, 0.6e-3), avoided={REASONS[0]: 3_200_000_000, REASONS[3]: 640})
ALL = traffic(
    (1, 32_000_000, 0.5e-3),
    (101, 32_001_600, 0.7e-3),
    avoided={REASONS[0]: 3_200_000_000, REASONS[3]: 640},
    waits={"results": (100, 0.02), "fault": (3, 0.001)},
)
LAUNCHES = {"launches": 100, "refused": 0, "wall_seconds": 0.025, "kernel_seconds": 0.0123}
U["waits"]["fault"] = {"count": 3, "seconds": 0.001}
RESULTS = traffic((0, 0, 0.0), (100, 1600, 0.1e-3))
LEDGER: dict[str, Any] = {
    "schema": 2,
    "target": "cuda",
    "device": "a GPU",
    "init_seconds": 0.2,
    "page_lock_seconds": 0.0,
    "wall_seconds": 0.25,
    "parts": {
        "kernel": 0.0123,
        "h2d": 0.0005,
        "d2h": 0.0006,
        "init": 0.2,
        "page_lock": 0.0,
        "wait": 0.001,
        "launch": 0.0056,
        "host": 0.03,
    },
    "totals": {**LAUNCHES, **ALL},
    "regions": [
        {
            "id": "main_41",
            "file": "jacobi.c",
            "line": 41,
            "directive": "parallel for",
            **LAUNCHES,
            **ALL,
            "arrays": [{"name": "u", **U}, {"name": "results of reductions", **RESULTS}],
        }
    ],
}
TABLES = """\
jacobi: 250 ms on a GPU, 100 launches
1 loop reached, 1 launched

Time                                       Seconds      Part
kernels                                    12.3 ms     4.1 %
copies to the device, not under a kernel    500 us     0.2 %
copies to the host, not under a kernel      600 us     0.2 %
starting the device                         200 ms    66.7 %
waiting, with an idle device               1.00 ms     0.3 %
launching: finding blocks, allocating      5.60 ms     1.9 %
the rest: the program's own code           30.0 ms    10.0 %
before main and after the last handler     50.0 ms    16.7 %
all                                         300 ms   100.0 %

Loop, array                Launches   Kernels   To the device                        To the host
jacobi.c:41 parallel for        100   12.3 ms   32.0 MB in 500 us (1 x, 64.0 GB/s)   32.0 MB in 700 us (101 x, 45.7 GB/s)
  u                                             32.0 MB in 500 us (1 x, 64.0 GB/s)   32.0 MB in 600 us (1 x, 53.3 GB/s)
  results of reductions                         -                                    1.60 kB in 100 us (100 x, 16.0 MB/s)

Not copied      To the     Bytes   Because it was
jacobi.c:41 u   device   3.20 GB   valid on the device
jacobi.c:41 u   host       640 B   not read by the host
all             device   3.20 GB   valid on the device
all             host       640 B   not read by the host

Waits of the host   For       Times      Time
jacobi.c:41         results     100   20.0 ms
jacobi.c:41 u       fault         3   1.00 ms
all                             103   21.0 ms
"""  # noqa: E501


def test_tables() -> None:
    assert format_profile(parse_ledger(LEDGER), "jacobi", elapsed=0.3) == TABLES


def test_a_program_that_reached_no_loop() -> None:
    nothing = traffic((0, 0, 0.0), (0, 0, 0.0))
    none = {"launches": 0, "refused": 0, "wall_seconds": 0.0, "kernel_seconds": 0.0}
    parts = dict.fromkeys(LEDGER["parts"], 0.0) | {"host": 2.0}
    empty = {**LEDGER, "device": "", "wall_seconds": 2.0, "parts": parts, "totals": {**none, **nothing}, "regions": []}
    assert format_profile(parse_ledger(empty), "idle") == (
        "idle: 2.00 s on no device, 0 launches\n\n"
        "Time                               Seconds      Part\n"
        "the rest: the program's own code    2.00 s   100.0 %\n"
        "all                                 2.00 s   100.0 %\n"
    )


def test_refusals_are_shown() -> None:
    made = copy.deepcopy(LEDGER)
    made["totals"]["refused"] = made["regions"][0]["refused"] = 1
    text = format_profile(parse_ledger(made), "jacobi")
    assert "100 launches, 1 time refused\n" in text and " 100 + 1 refused " in text


def test_loops_that_are_faster_on_the_host_are_shown() -> None:
    made = copy.deepcopy(LEDGER)
    made["totals"]["kept"] = made["regions"][0]["kept"] = 3
    text = format_profile(parse_ledger(made), "jacobi")
    assert "100 launches, 3 times faster on the host\n" in text and " 100 + 3 kept on the host " in text


def test_without_a_gpu_nothing_is_said_to_be_faster() -> None:
    made = copy.deepcopy(LEDGER)
    made["totals"] |= {"launches": 0, "refused": 2, "kept": 1042}
    made["regions"][0] |= {"launches": 0, "refused": 2, "kept": 1042}
    made |= {"device": "", "no_device": "there is no CUDA device"}
    text = format_profile(parse_ledger(made), "jacobi", loops=Loops(3, 2))
    assert text.startswith(
        "jacobi: 250 ms on the host, since there is no CUDA device; "
        "loops that are for the GPU were reached 1,044 times\n"
        "3 parallel loops: 2 translated, 1 reached, 0 launched\n"
    )
    assert "faster" not in text and " 0 + 1,044 on the host " in text


def test_bandwidths_are_added_where_something_was_copied() -> None:
    made = with_bandwidths(LEDGER)
    u, results = made["regions"][0]["arrays"]
    assert u["h2d_bytes_per_second"] == pytest.approx(64e9)
    assert "h2d_bytes_per_second" not in results and "d2h_bytes_per_second" in results
    assert parse_ledger(made).traffic == parse_ledger(LEDGER).traffic


@pytest.mark.parametrize("damage", [{"schema": 1}, {"regions": None}, {"parts": {}}, {"totals": []}, {"regions": [{}]}])
def test_damaged_ledgers_are_errors(damage: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(LedgerError):
        parse_ledger({**LEDGER, **damage})
    with pytest.raises(LedgerError, match="no readable ledger"):
        read_ledger(tmp_path / "none.json")


def test_bars() -> None:
    program, region = bars_of(parse_ledger(LEDGER))
    assert program.seconds == pytest.approx((0.0005, 0.0123, 0.0006, 0.2066))
    assert (region.name, sum(region.seconds)) == ("jacobi.c:41", pytest.approx(0.025))


@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_chart(tmp_path: Path, suffix: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"chart.{suffix}"
    write_chart(parse_ledger(LEDGER), "jacobi", picture)
    assert picture.read_bytes().startswith(begins)
    with pytest.raises(NoChartError, match="No such file"):
        write_chart(parse_ledger(LEDGER), "jacobi", tmp_path / "nowhere" / "chart.png")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "0"), (1.5e-6, "1.50 us"), (9.999e-4, "1.00 ms"), (99.97, "100 s")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (999, "999 B"), (999_900, "1.00 MB"), (6.4e10, "64.0 GB")])
def test_sizes(count: float, text: str) -> None:
    assert size(count) == text


def test_what_runs_have_written_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ompc profile p.0.json p.1.json`: one table for each rank, and what is no ledger is said to be none."""
    ledgers = [tmp_path / f"p.{rank}.json" for rank in (0, 1)]
    for ledger in ledgers:
        ledger.write_text(json.dumps(LEDGER))
    assert main(["profile", *map(str, ledgers)]) == 0
    out, err = capsys.readouterr()
    assert (out.count(" launches"), err) == (2, "")
    assert out.startswith("p.0.json: ") and "\np.1.json: " in out
    ledgers[1].write_text("[]")
    assert main(["profile", str(ledgers[1])]) == 1
    assert "[OMPC415]" in capsys.readouterr().err
    assert main(["profile", str(ledgers[0]), "--trace", "t.json"]) == 2
