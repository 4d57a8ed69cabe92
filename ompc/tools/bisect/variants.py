"""The programs between the one that optimises nothing and the one that is asked for, and where they begin to be wrong.

    --opt baseline, --opt thesis            as a whole
    --opt auto without anything that has a name; with the first of optimisations.py; with the first two; ...; with all

Two neighbours of the last row differ by one optimisation, so that a bisection finds one with which the result is wrong
and without which it is right. Most rows have the same text, and are built once.

In: options, a question.   Out: `Guilt`.   Not here: building and running -- judge.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.base.optimisations import OPTIMISATIONS, Optimisation
from ompc.base.options import FloatingPoint, Level, Options
from ompc.tools.bisect.search import first_wrong


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to build the program and to run it: `left_out` of what the options would have."""

    options: Options
    left_out: tuple[Optimisation, ...] = ()

    @property
    def translated_by(self) -> Options:
        names = {one.name for one in self.left_out if not one.is_of_run and not one.strict}
        strict = any(one.strict for one in self.left_out)
        fp = FloatingPoint.STRICT if strict else self.options.fp
        return replace(self.options, fp=fp, without=self.options.without | names)

    @property
    def environ(self) -> dict[str, str]:
        return {name: value for one in self.left_out for name, value in one.environ.items()}


@dataclass(frozen=True, slots=True)
class Guilt:
    """Which levels give the host's result, and what spoils it: an optimisation, or where that is None, all that the
    first wrong level does without one. `cured`: with all others it is right.
    """

    levels: dict[Level, bool]
    optimisation: Optimisation | None
    cured: bool = False


def find_optimisation(
    options: Options, is_wrong: Callable[[Variant], bool], prepare: Callable[[list[Variant]], None]
) -> Guilt:
    """`options` are those with which it is wrong. `prepare` is told what will be asked about first."""
    levels = {level: Variant(replace(options, level=level)) for level in _levels_below(options.level)}
    nothing = Variant(options, OPTIMISATIONS)
    prepare([*levels.values(), nothing])
    right = {level: not is_wrong(variant) for level, variant in levels.items()} | {options.level: False}
    if not right[Level.BASELINE] and options.level is not Level.BASELINE:
        strict = Variant(levels[Level.BASELINE].options, _strict())
        contracted = not is_wrong(strict)
        return Guilt(right, _strict()[0] if contracted else None)
    if is_wrong(nothing):
        return Guilt(right, None)
    count = first_wrong(len(OPTIMISATIONS), lambda count: is_wrong(Variant(options, OPTIMISATIONS[count:])))
    found = OPTIMISATIONS[count - 1]
    return Guilt(right, found, cured=not is_wrong(Variant(options, (found,))))


def _levels_below(level: Level) -> tuple[Level, ...]:
    order = (Level.BASELINE, Level.THESIS, Level.AUTO)
    return order[: order.index(level)]


def _strict() -> tuple[Optimisation, ...]:
    return tuple(one for one in OPTIMISATIONS if one.strict)
