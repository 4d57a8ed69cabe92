"""Analysis: what may be said of a whole program, of which ompc has every source.

    a.c   double flux[N];                                    each thread's own (threadprivate), privatised in a loop
    here
    b.c   extern double flux[N];   ... total += flux[0];     a value that some loop has left is wanted

An object with external linkage is any file's that declares it. What all functions of the program do with it can be
said only if none is missing: every file was read, one of them has `main`, and the command adds no other code to the
link than the system's libraries.

    In: the units, whether there may be other code.   Out: WholeProgram, or None; its questions about objects.
    Not here: objects that one file alone can name -- array_privatisation.py.   Source: C11 6.2.2 (linkage).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from ompc.analysis.privatisation.settled import AtLeast, Settled, SettledNumbers
from ompc.ir import tree as t
from ompc.sema.library import with_library

_OF_THE_SYSTEM = re.compile(r"-l[\w+.-]+|-static|-s|-pthread")
_OF_PROGRAM = (t.Storage.GLOBAL, t.Storage.EXTERN)


Least = frozenset[AtLeast]
"""Least values of what the program has settled."""

Ask = Callable[["WholeProgram", t.Unit, Mapping[str, t.Function], t.Symbol], Least | None]
"""About a unit with what its functions call of others, the functions that are its own, and an object."""


class WholeProgram:
    """Every unit of a program, as its file has it."""

    def __init__(self, units: Sequence[t.Unit]) -> None:
        self.units = tuple(units)
        self._answers: dict[tuple[str, str], Least | None] = {}

    @cached_property
    def _complete(self) -> tuple[t.Unit, ...]:
        """The units, each with what its functions call of the others."""
        units = self.units
        return tuple(with_library(unit, [other for other in units if other is not unit]) for unit in units)

    @cached_property
    def _settled(self) -> SettledNumbers:
        return SettledNumbers(self.units)

    def settled(self, unit: t.Unit, function: t.Symbol) -> Settled:
        """The integers that the program only reads from before `function` runs, in the symbols of `unit`."""
        return self._settled.within(unit, function)

    def everywhere(self, name: str, question: str, ask: Ask) -> Least | None:
        """On which least values it depends that the answer is yes for the object with external linkage `name` in each
        unit that declares it; None: the answer is no.

        `question` names it: what was asked once is known.
        """
        if (name, question) not in self._answers:
            answers = list(self._each(name, ask))
            known = [answer for answer in answers if answer is not None]
            self._answers[name, question] = frozenset[AtLeast]().union(*known) if known == answers else None
        return self._answers[name, question]

    def _each(self, name: str, ask: Ask) -> Iterator[Least | None]:
        for unit, complete in zip(self.units, self._complete, strict=True):
            symbol = complete.linked.get(name)
            if symbol is not None and symbol.storage in _OF_PROGRAM:
                answer = ask(self, complete, unit.functions, symbol)
                yield answer
                if answer is None:
                    return


def whole_program(units: Sequence[t.Unit], others: bool, link_flags: Sequence[str] = ()) -> WholeProgram | None:
    """The program of `units`; None: it may have other code. `others`: a file of it was not read, or its callers are
    not seen.
    """
    has_main = any((found := unit.functions.get("main")) is not None and found.body is not None for unit in units)
    system = all(_OF_THE_SYSTEM.fullmatch(word) for word in link_flags)
    return WholeProgram(units) if has_main and system and not others else None
