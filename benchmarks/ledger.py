"""From the runtime's ledger (OMPC_PROFILE) to the four parts of a run that the thesis' figure 16 shows.

A ledger divides the program's time among kinds of work, so that copies which a kernel hides are not counted twice:

    whole  = the program's time without its own code and without creating the CUDA context
    other  = in launchers, waiting and page-locking while the device did nothing

Records of older measurements have ledgers of schema 1, whose copies and kernels followed each other:

    whole  = sum of the regions' wall seconds + seconds spent allocating page-locked host arrays
    other  = whole - host to device - kernel - device to host
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median_low
from typing import Any

PARTS = ("host_to_device", "kernel", "device_to_host", "other")
SCHEMAS = (1, 2)


class LedgerError(Exception):
    """A ledger that is missing, damaged or of another schema."""


@dataclass(frozen=True, slots=True)
class Split:
    """The seconds of one run, in the four parts of figure 16."""

    host_to_device: float
    kernel: float
    device_to_host: float
    other: float

    @property
    def whole(self) -> float:
        """Seconds of the run without the creation of the context: the sum of the parts."""
        return self.host_to_device + self.kernel + self.device_to_host + self.other

    def parts(self) -> tuple[float, ...]:
        """The seconds in the order of PARTS."""
        return tuple(getattr(self, part) for part in PARTS)

    def over(self, seconds: float) -> Split:
        """The parts as fractions of `seconds`, which must be positive."""
        return Split(*(part / seconds for part in self.parts()))


@dataclass(frozen=True, slots=True)
class Flow:
    """Bytes copied one way, and the seconds that the copies took (0: not measured)."""

    bytes: int
    seconds: float = 0.0

    @property
    def gigabytes_per_second(self) -> float | None:
        """None where nothing was copied or nothing measured."""
        return self.bytes / self.seconds / 1e9 if self.bytes and self.seconds else None


@dataclass(frozen=True, slots=True)
class Ledger:
    """What one run wrote: its parts, what was copied each way, launches, refusals, and the record itself."""

    split: Split
    to_device: Flow
    to_host: Flow
    launches: int
    refused: int
    device: str
    record: Mapping[str, Any]


def read_ledger(path: Path) -> Ledger:
    """The ledger in the file at `path`. Raises LedgerError."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LedgerError(f"no readable ledger: {error}") from error
    return parse_ledger(record)


def parse_ledger(record: Any) -> Ledger:
    """The ledger in a decoded JSON record. Raises LedgerError."""
    try:
        if record["schema"] not in SCHEMAS:
            raise LedgerError(f"ledger of schema {record['schema']}, not {SCHEMAS[-1]}")
        regions = record["regions"]
        return Ledger(
            split=_split(record["parts"]) if record["schema"] == 2 else _split_of_sums(record),
            to_device=_flow(regions, "h2d"),
            to_host=_flow(regions, "d2h"),
            launches=sum(int(region["launches"]) for region in regions),
            refused=sum(int(region["refused"]) for region in regions),
            device=str(record["device"]),
            record=record,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LedgerError(f"damaged ledger: {type(error).__name__}: {error}") from error


def _split(parts: Mapping[str, Any]) -> Split:
    other = sum(float(parts[work]) for work in ("launch", "wait", "page_lock"))
    return Split(float(parts["h2d"]), float(parts["kernel"]), float(parts["d2h"]), other)


def _split_of_sums(record: Mapping[str, Any]) -> Split:
    """Of a ledger of schema 1."""

    def total(key: str) -> float:
        return sum(float(region[key]) for region in record["regions"])

    to_device, kernel, to_host = total("h2d_seconds"), total("kernel_seconds"), total("d2h_seconds")
    wall = total("wall_seconds") + float(record["host_alloc_seconds"])
    return Split(to_device, kernel, to_host, max(0.0, wall - to_device - kernel - to_host))


def _flow(regions: Sequence[Mapping[str, Any]], way: str) -> Flow:
    return Flow(
        sum(int(region[f"{way}_bytes"]) for region in regions),
        sum(float(region[f"{way}_seconds"]) for region in regions),
    )


def median_run(splits: Sequence[Split]) -> Split:
    """The run with the median whole (the faster of the two middle ones): one real run, so its parts add up to it."""
    middle = median_low(split.whole for split in splits)
    return next(split for split in splits if split.whole == middle)
