"""What a run has spent on each loop, from the ledger that `ompc profile --json` or OMPC_PROFILE writes.

The time of a loop is the device's: its kernels and copies. The host's in a launcher is shown beside it, but does not
count, since a launcher may wait for the kernels of other loops; and what the host did of a loop itself is not measured
(docs/profile.md).

    In: Readiness, a Profile.   Out: Readiness with `measured` loops.   Not here: reading the ledger -- tools/profile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ompc.tools.profile.ledger import Copies, Profile, RegionProfile
from ompc.tools.readiness.model import Loop, Measured, Readiness, Run


def with_profile(found: Readiness, profile: Profile, name: str) -> Readiness:
    """`name` of the ledger's file."""
    places = _Places(profile, found.loops)
    files = tuple(
        replace(file, loops=tuple(replace(loop, measured=places.measured(loop)) for loop in file.loops))
        for file in found.files
    )
    run = Run(name, profile.device, profile.no_device, profile.wall_seconds, profile.parts, places.missing)
    return replace(found, files=files, run=run)


class _Places:
    """Which entry of a ledger is which loop: by file and id, or by the file's name if the run knew another path."""

    def __init__(self, profile: Profile, loops: Iterable[Loop]) -> None:
        self._wall = profile.wall_seconds
        self._lines = {(loop.file, loop.id): loop.first for loop in loops}
        named: dict[tuple[str, str], set[str]] = {}
        for file, identifier in self._lines:
            named.setdefault((Path(file).name, identifier), set()).add(file)
        self._named = {key: next(iter(files)) for key, files in named.items() if len(files) == 1}
        self._entries: dict[tuple[str, str], list[RegionProfile]] = {}
        self.missing = 0
        """Entries that are no loop of these files: they have changed since, or were not named."""
        for region in profile.regions:
            keys = [self._key(region.file, identifier) for identifier in region.loops or (region.id,)]
            self.missing += not any(key in self._lines for key in keys)
            for key in keys:
                self._entries.setdefault(key, []).append(region)

    def _key(self, file: str, identifier: str) -> tuple[str, str]:
        if (file, identifier) in self._lines:
            return file, identifier
        return self._named.get((Path(file).name, identifier), file), identifier

    def measured(self, loop: Loop) -> Measured | None:
        """Of all launches that did the loop, alone or with others. None: the run did not come to it."""
        entries = self._entries.get((loop.file, loop.id))
        if not entries:
            return None
        others = {self._lines.get(self._key(e.file, other)) for e in entries for other in e.loops if other != loop.id}
        seconds = sum(map(_seconds, entries))
        return Measured(
            seconds=seconds,
            share=seconds / self._wall if self._wall > 0 else 0.0,
            kernel_seconds=sum(e.launches.kernel_seconds for e in entries),
            launcher_seconds=sum(e.launches.wall_seconds for e in entries),
            launches=sum(e.launches.count for e in entries),
            on_host=sum(e.launches.refused + e.launches.kept for e in entries),
            copied_in=_copied(e.traffic.to_device for e in entries),
            copied_out=_copied(e.traffic.to_host for e in entries),
            together=tuple(sorted(line for line in others if line is not None)),
        )


def _seconds(region: RegionProfile) -> float:
    return region.launches.kernel_seconds + region.traffic.to_device.seconds + region.traffic.to_host.seconds


def _copied(copies: Iterable[Copies]) -> tuple[int, float]:
    """Bytes, and seconds of the device."""
    found = list(copies)
    return sum(each.bytes for each in found), sum(each.seconds for each in found)


def ranked(found: Readiness) -> list[Loop]:
    """The dearest first, then those that were not measured, in the order of the text."""
    return sorted(found.loops, key=lambda loop: 0.0 if loop.measured is None else -loop.measured.seconds)

