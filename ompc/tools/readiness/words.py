"""Numbers of the readiness report in words.

size_text(320000)    320 kB
extent_words(v)      elements 0 .. n - 1 of double
run_words(...)       300 ms on NVIDIA H200 (run.json)
roofline_words(...)  16 operations (double) and 24 to 96 bytes in each iteration: 0.17 to 0.67 operations for each ...

In: facts of the report.   Out: text for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ompc.base.frozen import dataclass
from ompc.tools.profile.table import PART_WORDS, duration
from ompc.tools.readiness.model import Loop, Run, Variable
from ompc.tools.readiness.roofline import Roof, Roofline

MEANINGS = {
    "proved": "on the device; no two iterations touch the same element",
    "checked": "on the device if what each launch checks holds, such as that arrays do not overlap; else on the host",
    "promised": "on the device because its pragma promises that iterations are independent; nothing proves it",
    "host": "on the host, as gcc -fopenmp runs it",
}
"""The states of loops."""
_UNITS = ("", "k", "M", "G", "T", "P")


def scaled(value: float, unit: str) -> str:
    """Three digits and a prefix: 4.8 TB/s."""
    power = 0
    while abs(value) >= 999.5 and power + 1 < len(_UNITS):
        value, power = value / 1000, power + 1
    return f"{_digits(value)} {_UNITS[power]}{unit}".rstrip()


def _digits(value: float) -> str:
    if value >= 99.5 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.2g}" if value < 10 else f"{value:.1f}".removesuffix(".0")


def size_text(count: int | None) -> str:
    """Bytes, as many as are known."""
    return "–" if count is None else scaled(count, "B")


def extent_words(v: Variable) -> str:
    """Its size, or else what the text says of it: which elements the loop has, or that it is a block of the heap."""
    if v.bytes is not None:
        return size_text(v.bytes)
    extent = v.transfer_in or v.transfer_out or _WHOLE_BLOCK
    extent = re.sub("^whole object$", "the whole object", extent).replace(_WHOLE_BLOCK, "the whole block that holds it")
    pointee = v.type[:-1].strip() if v.type.endswith("*") else ""
    of = f" of {pointee.removeprefix('const ')}" if pointee and extent.startswith("elements ") else ""
    return f"{extent}{of}"


_WHOLE_BLOCK = "the block that holds it"


# ------------------------------------------------------------------------ transfers


@dataclass(frozen=True, slots=True)
class TransferSum:
    """How many arrays cross at some occasion: `bytes` in the `sized` ones; of the `others`, what is known."""

    occasion: str
    inward: bool
    arrays: int
    sized: int
    bytes: int
    others: tuple[tuple[str, str], ...]


_ONCE, _TOUCHED, _EACH = "once for the program", "when host code touches them", "at every launch"


def transfer_sums(loops: Iterable[Loop]) -> list[TransferSum]:
    """What crosses in both directions, by occasion. An array that stays on the device counts once for all loops."""
    transfer: dict[tuple[str, bool], dict[object, Variable]] = {}
    for loop in loops:
        for v in loop.variables:
            for each in v.residual_transfers:
                occasion = _occasion(each.when)
                if occasion is not None:
                    key = (v.name, v.type, loop if occasion == _EACH else loop.file)
                    transfer.setdefault((occasion, each.inward), {})[key] = v
    found = []
    for occasion in (_ONCE, _TOUCHED, _EACH):
        for inward in (True, False):
            arrays = list(transfer.get((occasion, inward), {}).values())
            sizes = [v.bytes for v in arrays if v.bytes is not None]
            if arrays:
                others = tuple(_by_extent(v for v in arrays if v.bytes is None))
                found.append(TransferSum(occasion, inward, len(arrays), len(sizes), sum(sizes), others))
    return found


def _by_extent(variables: Iterable[Variable]) -> Iterator[tuple[str, str]]:
    """Names, and what is known of the size of all of them."""
    by_extent: dict[str, dict[str, None]] = {}
    for v in variables:
        by_extent.setdefault(extent_words(v), {})[v.name] = None
    for extent, names in by_extent.items():
        yield ", ".join(names), extent


def _occasion(when: str) -> str | None:
    if when == "never":
        return None
    if when.endswith("every launch"):
        return _EACH
    return _ONCE if when.startswith(("before the", "at most")) else _TOUCHED


# ------------------------------------------------------------------------ roofline


def roofline_words(found: Roofline) -> list[str]:
    """Sentences about a loop's place under the roofs."""
    return [*_counts(found), _limit(found), *_doubts(found)]


def _counts(found: Roofline) -> Iterator[str]:
    counts = ((found.double, "double"), (found.single, "single"))
    operations = " and ".join(f"{scaled(count, '')} of {name} precision" for count, name in counts if count)
    done = f"Operations in each iteration: {operations}" if operations else "No floating-point operations"
    yield f"{done}; {_range(found.once, found.every, 'B')} of arrays."


def _limit(found: Roofline) -> str:
    name, memory = found.device.name, scaled(found.device.memory, "B/s")
    if found.roof is Roof.REGISTERS:
        return f"No arrays: arithmetic limits it, on {name} to {scaled(found.peak, 'FLOP/s')}."
    if found.roof is Roof.NO_OPERATIONS or found.least is None or found.most is None:
        return f"The memory limits it, on {name} to {memory}."
    low, high = found.attainable(found.least), found.attainable(found.most)
    ridge = f"the ridge of {name} is at {_digits(found.ridge)}"
    where = {
        Roof.MEMORY: f"the memory limits it whatever the caches do, to {_range(low, high, 'FLOP/s')}",
        Roof.ARITHMETIC: f"arithmetic limits it, to {scaled(found.peak, 'FLOP/s')}",
    }.get(found.roof, f"reuse in caches decides, between {scaled(low, 'FLOP/s')} and {scaled(high, 'FLOP/s')}")
    return f"{_range(found.least, found.most)} operations for each byte; {ridge}: {where}."


def _doubts(found: Roofline) -> Iterator[str]:
    if found.assumed:
        names = ", ".join(map(str, found.assumed))
        value = float(str(next(iter(found.assumed.values()))))
        yield f"Assumed, since the program's text does not say: {names} {value:,.0f}, or as many as the arrays hold."
    if found.unknown:
        yield f"Not known: {'; '.join(found.unknown)}."


def _range(low: float, high: float, unit: str = "") -> str:
    one, other = scaled(low, unit), scaled(high, unit)
    return one if one == other else f"{one} to {other}"


# ------------------------------------------------------------------------ a run


def run_words(run: Run) -> str:
    """How long it took, and where."""
    because = f", since {run.no_device}" if run.no_device else ""
    where = f"on {run.device}" if run.device else f"on the host{because}"
    loops = "1 loop" if run.missing == 1 else f"{run.missing} loops"
    missing = f"; {loops} of it not in these files as they are now" if run.missing else ""
    return f"{duration(run.seconds)} {where} ({run.profile}{missing})"


def parts_of(run: Run) -> list[tuple[str, float]]:
    """What its time was spent on, in seconds; what would be shown as 0.0 % is left out."""
    found = [(words, run.parts.get(part, 0.0)) for part, words in PART_WORDS.items()]
    return [(words, seconds) for words, seconds in found if seconds >= _LEAST_SHARE * run.seconds > 0]


_LEAST_SHARE = 0.0005


def share_text(share: float) -> str:
    return f"{100 * share:.1f} %"
