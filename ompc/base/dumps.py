"""The text form of each stage's product, for `--dump`, tests and people who follow a loop through the compiler.

In: functions that print a product.   Out: texts by stage, made when they are asked for.   Not here: printing: show.py
of each stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ompc.base.deep_stack import with_deep_stack


class Dumps(Mapping[str, str]):
    """The text form of each stage's product, by stage, in the order of the pipeline; made when it is asked for."""

    def __init__(self) -> None:
        self._texts: dict[str, Callable[[], str]] = {}

    def keep(self, stage: str, text: Callable[[], str]) -> None:
        self._texts[stage] = text

    def __getitem__(self, stage: str) -> str:
        return with_deep_stack(self._texts[stage])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)
