"""Analysis: threads of a team that wait for one another beside its loops, by looking at a flag again and again.

    #pragma omp parallel
    for (k = 0; k < n; k++) {
        while (ready[me - 1] == 0) {             waits for what another thread does behind the loop
            #pragma omp flush
        }
        #pragma omp for schedule(static) nowait
        for (j = 0; j < m; j++) ...
        ready[me] = 1;
    }

A launch for the whole team needs all of its threads at the loop at once, and here they come one after the other: each
would wait for the next one in vain. So the loops of such a team stay on the host.

So does a loop in a function that such a team comes to, whatever file of the program it is in: all that is called from
the region is one team's code.

A loop spins when it runs nothing but what looks at a flag: it assigns nothing that its end depends on but what it reads
from there, calls no function whose code does more than look, and its end depends on a volatile or atomic object, or it
has a `flush`, an atomic read, or a builtin that reads an atomic object.

    In: the loops, the units of the program.   Out: the Reason (OMPC364), or None.
    Not here: waiting in iterations -- waiting.py; threads that do not come (OMPC457) -- ompc_team.cc.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.access_paths import base_symbols
from ompc.ir.directive import Directive
from ompc.ir.loop_ends import Loop, LoopEnd
from ompc.ir.queries import declared_in, target_of, targets_written
from ompc.ir.walk import Node, children, walk
from ompc.omp.constructs import forks_team, is_divided, openmp
from ompc.omp.model import ParallelLoop

_NO_WORK = frozenset({"flush", "atomic", "taskyield"})
_READS_ATOMIC = re.compile(r"__atomic_(load|compare|exchange)|__sync_\w+|__c11_atomic_load|atomic_load")

_STALE = frozenset(("volatile", "_Atomic"))
"""Qualifiers of objects that other threads may change at any time."""

_Find = Callable[[str], t.Function | None]


class WaitingTeams:
    """The teams of a program: `unit` is the file whose loops are asked for, of which `others` are the other ones."""

    def __init__(self, unit: t.Unit, others: Sequence[t.Unit] = ()) -> None:
        self._unit = unit
        self._functions = {each: each.functions for each in (unit, *others)}
        self._seen: dict[int, _Code] = {}

    def why(self, loop: ParallelLoop) -> Reason | None:
        """Why the threads of the team of `loop` may not be at it at the same time."""
        at = None if loop.team is None else self._spin_in(loop.team.code)
        if at is None and loop.team is not None and loop.team.region is None:
            at = self._around.get(loop.function)
        if at is None:
            return None
        return Reason("OMPC364", "the threads of its team wait for one another beside it, by looking at a flag", at.loc)

    @cached_property
    def _around(self) -> dict[str, Loop]:
        """The functions of the unit that a team comes to which has a loop that spins, with that loop."""
        found: dict[str, Loop] = {}
        for unit, functions in self._functions.items():
            for function in functions.values():
                for region in _regions(function):
                    reached = list(self._reached(region, unit))
                    spin = next((code.spin for code, _ in reached if code.spin is not None), None)
                    names = [called for _, called in reached if called is not None] if spin is not None else []
                    found |= dict.fromkeys(names, spin) if spin is not None else {}
        return found

    def _spin_in(self, code: t.Stmt) -> Loop | None:
        return next((seen.spin for seen, _ in self._reached(code, self._unit) if seen.spin is not None), None)

    def _reached(self, code: t.Stmt, unit: t.Unit) -> Iterator[tuple[_Code, str | None]]:
        """What each thread runs for itself that runs `code`, with the names of functions that `self._unit` has."""
        pending: list[tuple[t.Stmt, t.Unit, str | None]] = [(code, unit, None)]
        entered: set[int] = set()
        while pending:
            body, own, name = pending.pop()
            seen = self._code(body, own)
            yield seen, name
            for callee in seen.called:
                found = self._function(callee, own)
                if found is not None and found[0].body is not None and id(found[0]) not in entered:
                    function, where = found
                    entered.add(id(function))
                    pending.append((found[0].body, where, function.name if where is self._unit else None))

    def _code(self, body: t.Stmt, unit: t.Unit) -> _Code:
        if id(body) not in self._seen:
            self._seen[id(body)] = _Code(body, lambda name: found[0] if (found := self._function(name, unit)) else None)
        return self._seen[id(body)]

    def _function(self, name: str, unit: t.Unit) -> tuple[t.Function, t.Unit] | None:
        """The one that `name` means in `unit`, and where it is."""
        for where in (unit, *self._functions):
            found = self._functions[where].get(name)
            if found is not None and (where is unit or found.symbol.storage is not t.Storage.FILE_STATIC):
                return found, where
        return None


class _Code:
    """What each thread runs for itself of a function or a region. `called` names functions, `spin` is the first loop
    that spins.
    """

    def __init__(self, body: t.Stmt, find: _Find) -> None:
        nodes = list(_by_itself(body))
        self.called = tuple(dict.fromkeys(name for node in nodes if (name := _name_of_called(node))))
        loops = (node for node in nodes if isinstance(node, (t.While, t.DoWhile, t.For)))
        self.spin = next((loop for loop in loops if _spins(loop, find)), None)


def _regions(function: t.Function) -> Iterator[t.Stmt]:
    """The bodies of its parallel regions that have code beside their loops."""
    for node in walk(function.body) if function.body is not None else ():
        if (
            isinstance(node, t.Pragma)
            and node.body is not None
            and forks_team(node.directive)
            and not is_divided(node.directive)
        ):
            yield node.body


def _by_itself(code: Node) -> Iterator[Node]:
    """The nodes of `code`, in the order of the text, without the bodies of constructs whose work the team shares."""
    pending = [code]
    while pending:
        node = pending.pop()
        yield node
        inner = [c for c in children(node) if not (isinstance(c, t.Pragma) and is_divided(c.directive))]
        pending.extend(reversed(inner))


def _name_of_called(node: Node) -> str:
    return node.function.symbol.name if isinstance(node, t.Call) and isinstance(node.function, t.Name) else ""


def _spins(loop: Loop, find: _Find) -> bool:
    called = _lookers(loop, find)
    if called is None:
        return False
    end = LoopEnd(loop, {function.name: function for function in called})
    directives = [found for node in end.inside if isinstance(node, t.Pragma) and (found := openmp(node)) is not None]
    if any(directive.name not in _NO_WORK for directive in directives):
        return False
    targets = (target for node in end.inside if (target := target_of(node)) is not None)
    in_part = (base_symbols(target) for target in targets if not isinstance(target, t.Name))
    if not end.names.isdisjoint(chain.from_iterable(in_part)) or any(map(end.moves_on, end.names)):
        return False
    looks = any(map(_looks, directives)) or any(_READS_ATOMIC.match(_name_of_called(node)) for node in end.inside)
    return looks or any(isinstance(node, t.Expr) and not _STALE.isdisjoint(node.type.quals) for node in end.nodes)


def _looks(directive: Directive) -> bool:
    """May it show what another thread has done?"""
    reads = directive.problem is not None or any(map(directive.first, ("read", "capture", "compare")))
    return directive.name == "flush" or (directive.name == "atomic" and reads)


def _lookers(loop: Loop, find: _Find) -> list[t.Function] | None:
    """The functions that the loop calls and whose code is here; None if one does more than look, or is not known."""
    pending: list[t.Stmt] = [loop]
    found: dict[str, t.Function] = {}
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, t.Call):
                name = _name_of_called(node)
                function = find(name)
                if name == "" or (function is not None and (function.body is None or not _only_looks(function.body))):
                    return None
                if function is not None and function.body is not None and name not in found:
                    found[name] = function
                    pending.append(function.body)
    return list(found.values())


def _only_looks(body: t.Stmt) -> bool:
    """Does the function change nothing but variables of its own?"""
    own = declared_in(body)
    return all(isinstance(place, t.Name) and place.symbol in own for place in targets_written(body))
