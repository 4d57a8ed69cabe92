"""How long a program would have taken at least, as it is divided between host and device; what most of the rest was.

    kernels     the longest of three: what they read and write of their arrays at the rate of the device's memory, their
                operations at the rate of its arithmetic units, and as many launches as there were
    copies      every byte once each way; what has gone the same way before could perhaps have stayed
    the rest    the program's own code, and the start of the device; what else the host does for launches is not needed

No program has to reach that: data may be larger than caches, and values may have to be looked at on the host. It says
where to look first. Nothing is known where the device's rates are not (an emulator has none).

    In: Profile.   Out: Bound or None.   Not here: its table -- table.py.
    Source: the roofline model (Williams, Waterman, Patterson, CACM 2009).
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass
from ompc.tools.profile.ledger import ArrayProfile, Copies, Profile, Rates, RegionProfile

MEMORY, ARITHMETIC, LAUNCHES = "the device's memory", "the device's arithmetic", "launches that follow each other"


@dataclass(frozen=True, slots=True)
class Part:
    """Seconds of a kind of work: `took`, and at `least`. `limit`: what a kernel would wait for then."""

    what: str
    took: float
    least: float
    limit: str = ""

    @property
    def avoidable(self) -> float:
        return self.took - self.least


@dataclass(frozen=True, slots=True)
class Bound:
    """`parts` of the program's time, which add up to it; `largest`: most of what could be avoided, if any."""

    parts: tuple[Part, ...]
    largest: Part | None

    @property
    def whole(self) -> Part:
        return Part("all", sum(part.took for part in self.parts), sum(part.least for part in self.parts))


def bound_of(profile: Profile) -> Bound | None:
    rates, parts = profile.rates, profile.parts
    if rates is None or not profile.launches.count:
        return None
    kernels = [_kernels(region, rates) for region in profile.regions if region.launches.count]
    copies = parts["h2d"] + parts["d2h"]
    of_host = ("wait", "launch", "page_lock")
    found = (
        _share("kernels", parts["kernel"], kernels),
        Part("copies, not under a kernel", copies, copies * _once(profile)),
        Part("launching, waiting, page-locking", sum(parts[part] for part in of_host), 0.0),
        Part("starting the device", parts["init"], parts["init"]),
        Part("the rest: the program's own code", parts["host"], parts["host"]),
    )
    candidates = [*kernels, *_copied_again(profile), *_of_host(profile)]
    largest = max(candidates, key=lambda part: part.avoidable, default=None)
    return Bound(found, largest if largest is not None and largest.avoidable > 0 else None)


def _kernels(region: RegionProfile, rates: Rates) -> Part:
    limits = {
        MEMORY: region.used_bytes / rates.memory_bytes_per_second,
        ARITHMETIC: region.operations / rates.operations_per_second,
        LAUNCHES: region.launches.count * rates.launch_seconds,
    }
    limit = max(limits, key=lambda name: limits[name])
    took = region.launches.kernel_seconds
    return Part(f"the kernels of {region.place}", took, min(took, limits[limit]), limit)


def _share(what: str, took: float, parts: list[Part]) -> Part:
    """Of a time in which all these parts were done, some of them perhaps at once."""
    whole, least = sum(part.took for part in parts), sum(part.least for part in parts)
    return Part(what, took, min(took, took * least / whole) if whole > 0 else 0.0)


def _once(profile: Profile) -> float:
    """The part of the copies' time that was for bytes which had not been copied the same way before."""
    both = (profile.traffic.to_device, profile.traffic.to_host)
    seconds = sum(copies.seconds for copies in both)
    return 1.0 if seconds <= 0 else 1 - sum(map(_again, both)) / seconds


def _again(copies: Copies) -> float:
    return copies.seconds * copies.again / copies.bytes if copies.bytes else 0.0


def _copied_again(profile: Profile) -> Iterator[Part]:
    for region in profile.regions:
        for array in region.arrays:
            yield from _again_of(region, array)


def _again_of(region: RegionProfile, array: ArrayProfile) -> Iterator[Part]:
    for copies, way in ((array.traffic.to_device, "to the device"), (array.traffic.to_host, "to the host")):
        what = f"copies of {array.name} {way} at {region.place}"
        yield Part(what, copies.seconds, copies.seconds - _again(copies), "each byte once")


def _of_host(profile: Profile) -> Iterator[Part]:
    """What the host did for launches while the device did nothing, with the loop that had most of it."""
    waits = {region.place: sum(w.seconds for w in region.traffic.waits.values()) for region in profile.regions}
    walls = {region.place: region.launches.wall_seconds for region in profile.regions}
    for part, what, places in (("wait", "waiting", waits), ("launch", "launching", walls)):
        most = max(places, key=lambda place: places[place])
        yield Part(f"{what} with an idle device, mostly at {most}", profile.parts[part], 0.0)
    yield Part("page-locking memory", profile.parts["page_lock"], 0.0)
