"""The ledger of a run as typed data.

    profile = read_ledger(path)
    profile.parts["kernel"]                         seconds of the program's time
    profile.regions[0].arrays[0].to_device.bytes

In: the file that a translated program writes (OMPC_PROFILE), schema 2.   Out: `Profile`, or LedgerError.
Not here: what is shown of it -- table.py, chart.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ompc.base.frozen import dataclass

SCHEMA = 2

PARTS = ("kernel", "h2d", "d2h", "init", "page_lock", "wait", "launch", "host")
"""The kinds of work that a program's time is divided among."""


class LedgerError(Exception):
    """A ledger that is missing, damaged or of another schema."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies in one direction; seconds of the device's time. `again`: bytes that had gone the same way before."""

    count: int
    bytes: int
    seconds: float
    again: int = 0

    @property
    def bandwidth(self) -> float | None:
        """Bytes per second; None where nothing was timed."""
        return self.bytes / self.seconds if self.bytes and self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class Waits:
    """How often, and for how many seconds, the host waited for the device."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """What moved, what did not and why, and what the host waited for; by reason, those that never were left out."""

    to_device: Copies
    to_host: Copies
    avoided: Mapping[str, int]
    waits: Mapping[str, Waits]


@dataclass(frozen=True, slots=True)
class ArrayProfile:
    """An array in one region, by the name that the program gives it."""

    name: str
    traffic: Traffic


@dataclass(frozen=True, slots=True)
class Launches:
    """How often the device did the work, how often it could not, and how often the host kept it since the device would
    have been slower; the host's time for it and the kernels'.
    """

    count: int
    refused: int
    kept: int
    wall_seconds: float
    kernel_seconds: float


@dataclass(frozen=True, slots=True)
class OfSize:
    """The launches with 2 ** `size_class` iterations and more, up to twice as many, and their kernels' seconds."""

    size_class: int
    launches: int
    kernel_seconds: float


@dataclass(frozen=True, slots=True)
class Rates:
    """What the device can do: bytes of its memory, operations; and the seconds that a launch takes at least."""

    memory_bytes_per_second: float
    operations_per_second: float
    launch_seconds: float


@dataclass(frozen=True, slots=True)
class RegionProfile:
    """A loop that was reached; or several that one kernel does: `loops` are their ids.

    `used_bytes`   what its kernels read and write of arrays, each element once a launch, as far as that is known
    `operations`   of its kernels, about
    """

    id: str
    file: str
    line: int
    directive: str
    launches: Launches
    traffic: Traffic
    arrays: tuple[ArrayProfile, ...]
    sizes: tuple[OfSize, ...] = ()
    loops: tuple[str, ...] = ()
    used_bytes: float = 0.0
    operations: float = 0.0

    @property
    def place(self) -> str:
        """As compilers name it."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Profile:
    """One run.

    `parts`      add up to `wall_seconds`
    `record`     the ledger as it was read
    `no_device`  why the program could use none; "": it could, or never asked
    `rates`      the device's; None: not known
    """

    target: str
    device: str
    wall_seconds: float
    parts: Mapping[str, float]
    init_seconds: float
    page_lock_seconds: float
    launches: Launches
    traffic: Traffic
    regions: tuple[RegionProfile, ...]
    record: Mapping[str, Any]
    no_device: str = ""
    rates: Rates | None = None

    @property
    def reached(self) -> int:
        """How many loops the program came to."""
        return len(self._loops(lambda _: True))

    @property
    def launched(self) -> int:
        """How many loops were launched at least once, alone or together with others."""
        return len(self._loops(_is_launched))

    def _loops(self, counts: Callable[[RegionProfile], bool]) -> frozenset[tuple[str, str]]:
        """The files and ids of loops; of joint launches those that were made."""
        found = [region for region in self.regions if counts(region) and (_is_launched(region) or not region.loops)]
        return frozenset((region.file, loop) for region in found for loop in region.loops or (region.id,))


def _is_launched(region: RegionProfile) -> bool:
    return region.launches.count > 0


def read_ledger(path: Path) -> Profile:
    """The ledger in the file at `path`. Raises LedgerError."""
    try:
        record = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError) as error:
        raise LedgerError(f"no readable ledger: {error}") from error
    return parse_ledger(record)


def parse_ledger(record: Any) -> Profile:
    """The ledger in a decoded JSON record. Raises LedgerError."""
    try:
        if record["schema"] != SCHEMA:
            raise LedgerError(f"ledger of schema {record['schema']}, not {SCHEMA}")
        return Profile(
            target=str(record["target"]),
            device=str(record["device"]),
            wall_seconds=float(record["wall_seconds"]),
            parts={part: float(record["parts"][part]) for part in PARTS},
            init_seconds=float(record["init_seconds"]),
            page_lock_seconds=float(record["page_lock_seconds"]),
            launches=_launches(record["totals"]),
            traffic=_traffic(record["totals"]),
            regions=tuple(map(_region, record["regions"])),
            record=record,
            no_device=str(record.get("no_device", "")),
            rates=_rates(record["rates"]) if "rates" in record else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LedgerError(f"damaged ledger: {type(error).__name__}: {error}") from error


def with_bandwidths(record: Any) -> Any:
    """The record with `h2d_bytes_per_second` and `d2h_bytes_per_second` wherever there were such copies."""
    if isinstance(record, list):
        return [with_bandwidths(item) for item in record]
    if not isinstance(record, Mapping):
        return record
    made = {key: with_bandwidths(value) for key, value in record.items()}
    for way in ("h2d", "d2h"):
        if made.get(f"{way}_seconds", 0) > 0 and made.get(f"{way}_bytes", 0) > 0:
            made[f"{way}_bytes_per_second"] = made[f"{way}_bytes"] / made[f"{way}_seconds"]
    return made


def _region(record: Mapping[str, Any]) -> RegionProfile:
    return RegionProfile(
        id=str(record["id"]),
        file=str(record["file"]),
        line=int(record["line"]),
        directive=str(record["directive"]),
        launches=_launches(record),
        traffic=_traffic(record),
        arrays=tuple(ArrayProfile(str(array["name"]), _traffic(array)) for array in record["arrays"]),
        sizes=tuple(
            OfSize(int(size["iterations_log2"]), int(size["launches"]), float(size["kernel_seconds"]))
            for size in record.get("sizes", ())
        ),
        loops=tuple(map(str, record.get("loops", ()))),
        used_bytes=float(record.get("used_bytes", 0)),
        operations=float(record.get("operations", 0)),
    )


def _rates(record: Mapping[str, Any]) -> Rates:
    names = ("memory_bytes_per_second", "operations_per_second", "launch_seconds")
    found = Rates(*(float(record[name]) for name in names))
    if min(found.memory_bytes_per_second, found.operations_per_second) <= 0:
        raise ValueError("a rate of the device is not positive")
    return found


def _launches(record: Mapping[str, Any]) -> Launches:
    return Launches(
        count=int(record["launches"]),
        refused=int(record["refused"]),
        kept=int(record.get("kept", 0)),
        wall_seconds=float(record["wall_seconds"]),
        kernel_seconds=float(record["kernel_seconds"]),
    )


def _traffic(record: Mapping[str, Any]) -> Traffic:
    return Traffic(
        to_device=_copies(record, "h2d"),
        to_host=_copies(record, "d2h"),
        avoided={why: int(count) for why, count in record["avoided"].items() if count},
        waits={
            why: Waits(int(wait["count"]), float(wait["seconds"]))
            for why, wait in record["waits"].items()
            if wait["count"]
        },
    )


def _copies(record: Mapping[str, Any], way: str) -> Copies:
    again = int(record.get(f"{way}_again_bytes", 0))
    return Copies(int(record[f"{way}_copies"]), int(record[f"{way}_bytes"]), float(record[f"{way}_seconds"]), again)
