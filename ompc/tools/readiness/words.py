"""Numbers of the readiness report in words.

size_text(320000)    320 kB
roofline_words(...)  16 operations (double) and 24 to 96 bytes in each iteration: 0.17 to 0.67 operations for each ...

In: facts of the report.   Out: text for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ompc.tools.readiness.model import Loop, Variable
from ompc.tools.readiness.roofline import Roof, Roofline

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


# ------------------------------------------------------------------------ transfers


@dataclass(frozen=True, slots=True)
class TransferSum:
    """How many arrays cross at some occasion, with `bytes` in those of known size; `unknown` of the others."""

    occasion: str
    inward: bool
    arrays: int
    bytes: int
    unknown: int


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
                found.append(TransferSum(occasion, inward, len(arrays), sum(sizes), len(arrays) - len(sizes)))
    return found


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
