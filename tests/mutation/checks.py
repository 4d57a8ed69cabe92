"""What a legality check is for mutation testing: a function of ompc, and what it answers when it is disabled.

A check is disabled by an answer that lets its rewrite happen: `None` of one that says why not, `True` of one that asks
"may it?", `()` of one that lists obstacles. Checks that are conditions inside of a larger function are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What a disabled check gives. `text` for people; `give` makes it of the call's arguments, by their names."""

    text: str
    give: Callable[[Mapping[str, object]], object]


def always(value: object) -> Answer:
    return Answer(f"always {value!r}", lambda _: value)


def argument(name: str) -> Answer:
    """The argument itself, of a function that removes or marks some of it."""
    return Answer(f"always `{name}`", lambda arguments: arguments[name])


NONE, TRUE, FALSE = always(None), always(True), always(False)
NOTHING, EMPTY_SET = always(()), always(frozenset())


@dataclass(frozen=True, slots=True)
class Check:
    """`rewrite`: what it guards; `place`: `module:function` or `module:Class.method`, below `ompc`; `without`: what
    goes wrong when it answers `disabled` all the time; `acts`: it answers nothing, and notes something.
    """

    name: str
    rewrite: str
    place: str
    disabled: Answer
    without: str
    acts: bool = False

    @property
    def module(self) -> str:
        return f"ompc.{self.place.partition(':')[0]}"

    @property
    def function(self) -> str:
        return self.place.partition(":")[2]
