"""Shapes of launches that were measured (`ompc tune`), or that the source asks for (`#pragma ompc`), as data.

    ShapeChoices(block=(64, 4), rows=8)      block(64, 4) rows(8)      block=64x4,rows=8
    Tuning((Entry(...), ...))           what is known of loops on this machine's devices

Every shape gives the same results but for the grouping of reductions, so that a choice decides about time alone.

In: nothing.   Out: the data, its two spellings and its JSON (schema 1).
Not here: where the files are -- toolchain/tuning_files.py; the search -- tune/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ompc.diagnostics import Diagnostic

SCHEMA = 1

LEAST_THREADS, MOST_THREADS = 32, 256
"""Of a block: a warp; what can be launched whatever registers a kernel needs."""

ALLOWED: Mapping[str, Sequence[int]] = {
    "tile": (0, 2, 4, 8),
    "rows": (1, 4, 8),
    "lanes": (1, 2, 4, 8, 16, 32),
    "fills": range(1, 1025),
}
"""What kernels are made for: points and rows of a thread, lanes of an iteration; times the blocks that are resident."""

KNOBS = ("block", *ALLOWED)


class ChoiceError(Exception):
    """A value that no kernel is made for; the message says which are."""


@dataclass(frozen=True, slots=True)
class ShapeChoices:
    """What is chosen of a launch; None: the runtime's choice. `block` is (width, height) in threads."""

    tile: int | None = None
    rows: int | None = None
    lanes: int | None = None
    block: tuple[int, int] | None = None
    fills: int | None = None

    def values(self) -> dict[str, Any]:
        """What is chosen, by knob."""
        found = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def then(self, inner: ShapeChoices) -> ShapeChoices:
        """Both, where `inner` wins."""
        return replace(self, **inner.values())

    @property
    def clauses(self) -> str:
        """As a pragma has them, and as the launcher does: "block(64, 4) rows(8)"."""
        return " ".join(f"{name}({_numbers(value, ', ')})" for name, value in self.values().items())

    @property
    def environment(self) -> str:
        """As OMPC_TUNE has them: "block=64x4,rows=8"."""
        return ",".join(f"{name}={_numbers(value, 'x')}" for name, value in self.values().items())


NO_CHOICES = ShapeChoices()


def _numbers(value: int | tuple[int, int], separator: str) -> str:
    if isinstance(value, int):
        return str(value)
    width, height = value
    return f"{width}{separator}{height}" if height != 1 else str(width)


def checked(name: str, numbers: tuple[int, ...]) -> ShapeChoices:
    """One choice with the numbers that somebody has written. Raises ChoiceError."""
    if name == "block":
        width, height = (*numbers, 1)[:2] if numbers else (0, 0)
        threads = width * height
        if len(numbers) > 2 or threads % LEAST_THREADS or not LEAST_THREADS <= threads <= MOST_THREADS:
            message = f"`block` takes a width and perhaps a height, {LEAST_THREADS} to {MOST_THREADS} threads"
            raise ChoiceError(f"{message} in whole warps")
        return ShapeChoices(block=(width, height))
    allowed = ALLOWED.get(name)
    if allowed is None:
        raise ChoiceError(f"`{name}` is no clause of it")
    if len(numbers) != 1 or numbers[0] not in allowed:
        raise ChoiceError(f"`{name}` takes {_listed(allowed)}")
    values: dict[str, Any] = {name: numbers[0]}
    return replace(NO_CHOICES, **values)


def _listed(allowed: Sequence[int]) -> str:
    if isinstance(allowed, range):
        return f"a number from {allowed[0]} to {allowed[-1]}"
    return f"one of {', '.join(map(str, allowed))}"


@dataclass(frozen=True, slots=True)
class Entry:
    """What was found good for a loop on a device: `content` is the loop's (plan/tuned.py), `size_class` the whole part
    of the binary logarithm of its iterations; seconds are those of a launch; `loop` says to people which it was.
    """

    device: str
    content: str
    size_class: int
    choices: ShapeChoices
    seconds: float
    default_seconds: float
    loop: str = ""

    @property
    def gain(self) -> float:
        """How many times as fast as the runtime's own choice."""
        return self.default_seconds / self.seconds if self.seconds > 0 else 1.0


@dataclass(frozen=True, slots=True)
class Tuning:
    """All that is known; `problems` are files that could not be used."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Diagnostic, ...] = field(default=(), compare=False)

    def of(self, content: str) -> tuple[Entry, ...]:
        """What is known of a loop, by device and size."""
        found = [entry for entry in self.entries if entry.content == content]
        return tuple(sorted(found, key=lambda entry: (entry.device, entry.size_class)))

    def with_entries(self, fresh: Iterable[Entry]) -> Tuning:
        """These instead of older ones of the same loop, device and size."""
        found = {(entry.device, entry.content, entry.size_class): entry for entry in (*self.entries, *fresh)}
        return Tuning(tuple(found[key] for key in sorted(found)), self.problems)

    def without(self, places: Iterable[tuple[str, str, int]]) -> Tuning:
        """Without the entries of these devices, contents and size classes."""
        gone = set(places)
        kept = (entry for entry in self.entries if (entry.device, entry.content, entry.size_class) not in gone)
        return Tuning(tuple(kept), self.problems)


# ------------------------------------------------------------------------------ JSON


def to_json(device: str, entries: Iterable[Entry]) -> dict[str, object]:
    """One device's file."""
    return {"schema": SCHEMA, "device": device, "loops": [_record(entry) for entry in entries]}


def _record(entry: Entry) -> dict[str, object]:
    return {
        "loop": entry.loop,
        "content": entry.content,
        "iterations_log2": entry.size_class,
        "choices": {k: list(v) if isinstance(v, tuple) else v for k, v in entry.choices.values().items()},
        "seconds": entry.seconds,
        "default_seconds": entry.default_seconds,
    }


def from_json(record: Any) -> tuple[Entry, ...]:
    """Raises ChoiceError for what is no such file."""
    try:
        if record["schema"] != SCHEMA:
            raise ChoiceError(f"it has schema {record['schema']}, not {SCHEMA}")
        return tuple(_entry(str(record["device"]), item) for item in record["loops"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ChoiceError(f"it is damaged: {type(error).__name__}: {error}") from error


def _entry(device: str, item: Mapping[str, Any]) -> Entry:
    choices = ShapeChoices()
    for name, value in item["choices"].items():
        numbers = tuple(value) if isinstance(value, list) else (value,)
        choices = choices.then(checked(str(name), tuple(int(number) for number in numbers)))
    return Entry(
        device=device,
        content=str(item["content"]),
        size_class=int(item["iterations_log2"]),
        choices=choices,
        seconds=float(item["seconds"]),
        default_seconds=float(item["default_seconds"]),
        loop=str(item.get("loop", "")),
    )
