"""What a measurement is meant to reach: a bar, and the verdict about what was found.

Bar("auto / hand-written", ratio("auto", "handwritten"), limit=1.10)     1.04: met
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Measured = TypeVar("Measured")


@dataclass(frozen=True)
class Bar(Generic[Measured]):
    """`value` of what was measured is to be at most the limit, or at least; None where it was not measured."""

    text: str
    value: Callable[[Measured], float | None]
    limit: float
    unit: str = ""
    at_least: bool = False
    of_time: bool = True

    def is_met(self, value: float) -> bool:
        """Does this value reach the limit?"""
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Verdict(Generic[Measured]):
    """A bar and its value, None where it was not measured. `judged`: can this target say anything about it?"""

    bar: Bar[Measured]
    value: float | None
    judged: bool

    @property
    def word(self) -> str:
        """met, missed, or why there is no judgement."""
        if self.value is None:
            return "not measured"
        if not self.judged:
            return "not judged"
        return "met" if self.bar.is_met(self.value) else "MISSED"

    def cells(self, subject: str) -> tuple[str, ...]:
        """A line of a table: what it is about, the bar, what was measured, what is wanted, the word."""
        bar = self.bar
        measured = "" if self.value is None else f"{_number(self.value)}{bar.unit}"
        wanted = f"{'at least' if bar.at_least else 'at most'} {_number(bar.limit)}{bar.unit}"
        return subject, bar.text, measured, wanted, self.word


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
