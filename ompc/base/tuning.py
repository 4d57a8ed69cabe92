"""Kernels and shapes of launches that were measured (`ompc tune`), or asked for (`#pragma ompc`), as data.

    ShapeChoices(block=(64, 4), rows=8)      block(64, 4) rows(8)      block=64x4,rows=8
    ShapeChoices(inner=0, constant=0)        inner(0) constant(0)      how the kernel is made: chosen when it is planned
    Tuning((Entry(...), ...))           what is known of loops on this machine's devices

Every choice gives the same results but for the grouping of reductions, so that it decides about time alone.

In: nothing.   Out: the data, its two spellings and its JSON (schema 1).
Not here: where the files are -- toolchain/machine/tuning_files.py; the search -- tune/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from ompc.base.diagnostics import Diagnostic
from ompc.base.frozen import dataclass, field

SCHEMA = 1

LEAST_THREADS, MOST_THREADS = 32, 256
"""The fewest and the most threads of a block: a warp, and what can be launched whatever registers a kernel needs."""

ALLOWED: Mapping[str, Sequence[int]] = {
    "schedule": (0, 1, 2),
    "tile": (0, 2, 4, 8),
    "rows": (1, 4, 8),
    "lanes": (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    "fills": range(1, 1025),
    "inner": (0, 1, 2),
    "constant": (0, 1),
    "readonly": (0,),
    "shared": (0,),
}
"""The values that kernels are made for, by knob: the schedule by its number, the points and the rows of a thread, the
lanes of an iteration, and how many times the grid fills the device with resident blocks. Then how kernels are made: how
many inner loops join the grid, and which kinds of memory are used.
"""

MOST_ORDERED = 3
"""The most axes of a grid, each with a loop of its own."""

KNOBS = ("block", "order", *ALLOWED)

EMULATOR = "ompc emulator"
"""The name of the device in what was measured on the emulator."""


class ChoiceError(Exception):
    """A value that no kernel is made for; the message says which are."""


@dataclass(frozen=True, slots=True)
class ShapeChoices:
    """What is chosen of a launch; None: the runtime's choice. How the kernel is made; None: the plan's choice.

    `schedule`  of the launch's kernels: 0: the one for any launch; k: the k-th other one, where it can be launched
    `block`     (width, height) in threads
    `inner`     so many inner loops join the grid at most
    `order`     of the grid's loops as axes, the last one x, each by its number from 1 in the program's order
    `lanes`     0: they share no loops
    `constant`  memory 0: none, 1: also for arrays of which lanes read different elements
    `readonly`  0: not the read-only data path
    `shared`    0: no copies of arrays for each block
    """

    schedule: int | None = None
    tile: int | None = None
    rows: int | None = None
    lanes: int | None = None
    block: tuple[int, int] | None = None
    fills: int | None = None
    inner: int | None = None
    order: tuple[int, ...] | None = None
    constant: int | None = None
    readonly: int | None = None
    shared: int | None = None

    def values(self) -> dict[str, Any]:
        """What is chosen, by knob."""
        found = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def then(self, inner: ShapeChoices) -> ShapeChoices:
        """Both, where `inner` wins."""
        return replace(self, **inner.values())

    @property
    def kernel(self) -> ShapeChoices:
        """How the kernel is made: what needs another build."""
        return ShapeChoices(
            lanes=0 if self.lanes == 0 else None,
            inner=self.inner,
            order=self.order,
            constant=self.constant,
            readonly=self.readonly,
            shared=self.shared,
        )

    @property
    def launch(self) -> ShapeChoices:
        """What is chosen when the program runs."""
        return ShapeChoices(self.schedule, self.tile, self.rows, self.lanes or None, self.block, self.fills)

    @property
    def clauses(self) -> str:
        """As a pragma has them, and as the launcher does: "block(64, 4) rows(8)"."""
        return " ".join(f"{name}({_numbers(name, value, ', ')})" for name, value in self.values().items())

    @property
    def environment(self) -> str:
        """As OMPC_TUNE has them: "block=64x4,rows=8"."""
        return ",".join(f"{name}={_numbers(name, value, 'x')}" for name, value in self.launch.values().items())

    @property
    def record(self) -> dict[str, Any]:
        """As JSON has them."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.values().items()}


NO_CHOICES = ShapeChoices()


def _numbers(name: str, value: int | tuple[int, ...], separator: str) -> str:
    if isinstance(value, int):
        return str(value)
    shown = value[:1] if name == "block" and value[1] == 1 else value
    return separator.join(map(str, shown))


def choices_of(record: Mapping[str, Any]) -> ShapeChoices:
    """From `ShapeChoices.record`. Raises ChoiceError."""
    choices = NO_CHOICES
    for name, value in record.items():
        numbers = tuple(value) if isinstance(value, list) else (value,)
        choices = choices.then(checked(str(name), tuple(int(number) for number in numbers)))
    return choices


def checked(name: str, numbers: tuple[int, ...]) -> ShapeChoices:
    """One choice with the numbers that somebody has written. Raises ChoiceError."""
    if name == "block":
        width, height = (*numbers, 1)[:2] if numbers else (0, 0)
        threads = width * height
        if len(numbers) > 2 or threads % LEAST_THREADS or not LEAST_THREADS <= threads <= MOST_THREADS:
            message = f"`block` takes a width and perhaps a height, {LEAST_THREADS} to {MOST_THREADS} threads"
            raise ChoiceError(f"{message} in whole warps")
        return ShapeChoices(block=(width, height))
    if name == "order":
        if not 2 <= len(numbers) <= MOST_ORDERED or sorted(numbers) != list(range(1, len(numbers) + 1)):
            raise ChoiceError(f"`order` takes the numbers of 2 to {MOST_ORDERED} loops, each once")
        return ShapeChoices(order=numbers)
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
    return f"one of {', '.join(map(str, allowed))}" if len(allowed) > 1 else str(allowed[0])


@dataclass(frozen=True, slots=True)
class Entry:
    """What was found good for a loop on a device: `content` is the loop's (tuned.py), `size_class` the whole part
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
    """All that is known; `problems` are files that could not be used. `emulated`: the kernels run on the emulator,
    whose times decide how no other device's kernels are made.
    """

    entries: tuple[Entry, ...] = ()
    problems: tuple[Diagnostic, ...] = field(default=(), compare=False)
    emulated: bool = False

    def of(self, content: str) -> tuple[Entry, ...]:
        """What is known of a loop, by device and size."""
        found = [entry for entry in self.entries if entry.content == content]
        return tuple(sorted(found, key=lambda entry: (entry.device, entry.size_class)))

    @property
    def has_kernels(self) -> bool:
        """Is anything known of how kernels should be made?"""
        return any(entry.choices.kernel.values() for entry in self.entries)

    def kernel_of(self, content: str) -> Entry | None:
        """What was measured about how the loop's kernel should be made: there is one for all devices and sizes, so that
        of the launch counts that takes longest. None: nothing.
        """
        found = [e for e in self.of(content) if self.emulated or e.device != EMULATOR]
        decisive = max(found, key=lambda entry: entry.default_seconds, default=None)
        return decisive if decisive is not None and decisive.choices.kernel.values() else None

    def with_entries(self, fresh: Iterable[Entry]) -> Tuning:
        """These instead of older ones of the same loop, device and size."""
        found = {(entry.device, entry.content, entry.size_class): entry for entry in (*self.entries, *fresh)}
        return replace(self, entries=tuple(found[key] for key in sorted(found)))

    def without(self, places: Iterable[tuple[str, str, int]]) -> Tuning:
        """Without the entries of these devices, contents and size classes."""
        gone = set(places)
        kept = (entry for entry in self.entries if (entry.device, entry.content, entry.size_class) not in gone)
        return replace(self, entries=tuple(kept))


# ------------------------------------------------------------------------------ JSON


def to_json(device: str, entries: Iterable[Entry]) -> dict[str, object]:
    """One device's file."""
    return {"schema": SCHEMA, "device": device, "loops": [_record(entry) for entry in entries]}


def _record(entry: Entry) -> dict[str, object]:
    return {
        "loop": entry.loop,
        "content": entry.content,
        "iterations_log2": entry.size_class,
        "choices": entry.choices.record,
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
    return Entry(
        device=device,
        content=str(item["content"]),
        size_class=int(item["iterations_log2"]),
        choices=choices_of(item["choices"]),
        seconds=float(item["seconds"]),
        default_seconds=float(item["default_seconds"]),
        loop=str(item.get("loop", "")),
    )
