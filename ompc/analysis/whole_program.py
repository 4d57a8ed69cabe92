"""Analysis: what may be said of a whole program, of which ompc has every source.

    a.c   double flux[N];                                    each thread's own (threadprivate), scratch of a loop here
    b.c   extern double flux[N];   ... total += flux[0];     a value that some loop has left is wanted

An object with external linkage is any file's that declares it. What all functions of the program do with it can be
said only if none is missing: every file was read, one of them has `main`, and the command adds no other code to the
link than the system's libraries.

    In: the units, whether there may be other code.   Out: WholeProgram, or None; its questions about objects.
    Not here: objects that one file alone can name -- scratch.py.   Source: C11 6.2.2 (linkage).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ompc.sema import tree as t
from ompc.sema.library import with_library

_OF_THE_SYSTEM = re.compile(r"-l[\w+.-]+|-static|-s|-pthread")
_OF_PROGRAM = (t.Storage.GLOBAL, t.Storage.EXTERN)


class WholeProgram:
    """Every unit of a program, as its file has it."""

    def __init__(self, units: Sequence[t.Unit]) -> None:
        self._units = tuple(units)
        self._answers: dict[tuple[str, str], bool] = {}

    @cached_property
    def _complete(self) -> tuple[t.Unit, ...]:
        """The units, each with what its functions call of the others."""
        units = self._units
        return tuple(with_library(unit, [other for other in units if other is not unit]) for unit in units)

    def everywhere(self, name: str, question: str, ask: Callable[[t.Unit, t.Symbol], bool]) -> bool:
        """Is the answer yes for the object with external linkage `name` in each unit that declares it?

        `question` names it: what was asked once is known.
        """
        if (name, question) not in self._answers:
            self._answers[name, question] = all(ask(unit, symbol) for unit, symbol in self._declaring(name))
        return self._answers[name, question]

    def _declaring(self, name: str) -> Iterator[tuple[t.Unit, t.Symbol]]:
        for unit in self._complete:
            symbol = unit.linked.get(name)
            if symbol is not None and symbol.storage in _OF_PROGRAM:
                yield unit, symbol


def whole_program(units: Sequence[t.Unit], others: bool, link_flags: Sequence[str] = ()) -> WholeProgram | None:
    """The program of `units`; None: it may have other code. `others`: a file of it was not read, or its callers are
    not seen.
    """
    has_main = any((found := unit.functions.get("main")) is not None and found.body is not None for unit in units)
    system = all(_OF_THE_SYSTEM.fullmatch(word) for word in link_flags)
    return WholeProgram(units) if has_main and system and not others else None
