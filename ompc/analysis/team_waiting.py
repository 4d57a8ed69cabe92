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

A loop spins when it runs nothing but what looks at a flag: it assigns nothing that its end depends on but what it reads
from there, calls no function whose code is here, and its end depends on a volatile object, or it has a `flush`, an
atomic read, or a builtin that reads an atomic object.

    In: the code of a team, the unit.   Out: the Reason (OMPC364), or None.
    Not here: waiting in iterations -- waiting.py; threads that do not come (OMPC457) -- ompc_team_meeting.h.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ompc.diagnostics import Reason
from ompc.omp.model import ParallelLoop
from ompc.sema import tree as t
from ompc.sema.walk import Node, children, walk

_LOOKS = re.compile(r"omp\s+(flush\b|atomic\b.*\b(read|capture|compare)\b)")
_WORK = re.compile(r"omp\s+(?!flush\b|atomic\b|taskyield\b)")
_SHARES = re.compile(r"omp\s+(parallel\s+)?(for|sections|single|loop|taskloop|task)\b")
_READS_ATOMIC = re.compile(r"__atomic_(load|compare|exchange)|__sync_\w+|__c11_atomic_load|atomic_load")

_Loop = t.While | t.DoWhile | t.For


def threads_wait(loop: ParallelLoop, unit: t.Unit) -> Reason | None:
    """Why the threads of the team of `loop` may not be at it at the same time."""
    at = None if loop.team is None else _first_spin(loop.team.code, unit)
    if at is None:
        return None
    return Reason("OMPC364", "the threads of its team wait for one another beside it, by looking at a flag", at.loc)


@lru_cache(maxsize=64)
def _first_spin(code: t.Stmt, unit: t.Unit) -> _Loop | None:
    """In what each thread runs for itself, functions included."""
    pending: list[t.Stmt] = [code]
    seen: set[str] = set()
    while pending:
        for node in _by_itself(pending.pop()):
            if isinstance(node, (t.While, t.DoWhile, t.For)) and _spins(node, unit):
                return node
            called = unit.functions.get(_name_of_called(node))
            if called is not None and called.body is not None and called.name not in seen:
                seen.add(called.name)
                pending.append(called.body)
    return None


def _by_itself(code: Node) -> Iterator[Node]:
    """The nodes of `code` without the bodies of constructs whose work the team shares."""
    yield code
    for child in children(code):
        if not (isinstance(child, t.Pragma) and _SHARES.match(child.text)):
            yield from _by_itself(child)


def _name_of_called(node: Node) -> str:
    return node.function.symbol.name if isinstance(node, t.Call) and isinstance(node.function, t.Name) else ""


def _spins(loop: _Loop, unit: t.Unit) -> bool:
    inside = list(walk(loop))
    pragmas = [node.text for node in inside if isinstance(node, t.Pragma)]
    called = {_name_of_called(node) for node in inside if isinstance(node, t.Call)}
    if any(map(_WORK.match, pragmas)) or any(name == "" or name in unit.functions for name in called):
        return False
    assigned = {_target(node) for node in inside} - {None}
    ends = [node for condition in _conditions(loop) for node in walk(condition)]
    flags = [node for node in ends if isinstance(node, t.Name)]
    copies = {s for s in assigned if s is not None and _is_copied_only(s, inside)}
    if any(node.symbol in assigned - copies for node in flags):
        return False
    looks = any(map(_LOOKS.match, pragmas)) or any(map(_READS_ATOMIC.match, called))
    return looks or any(isinstance(node, t.Expr) and "volatile" in node.type.quals for node in ends)


def _target(node: Node) -> t.Symbol | None:
    """The variable of which `node` changes the value, or a part."""
    place = node.target if isinstance(node, t.Assign) else node.operand if isinstance(node, t.IncDec) else None
    names = [part for part in walk(place) if isinstance(part, t.Name)] if place is not None else []
    return names[0].symbol if names else None


def _is_copied_only(symbol: t.Symbol, inside: list[Node]) -> bool:
    """Is all that the loop gives the variable a value from elsewhere, and not one made of its last one?"""
    return all(
        isinstance(node, t.Assign)
        and node.op == "="
        and isinstance(node.target, t.Name)
        and not any(isinstance(part, t.Name) and part.symbol is symbol for part in walk(node.value))
        for node in inside
        if _target(node) is symbol
    )


def _conditions(loop: _Loop) -> Iterator[t.Expr]:
    """What ends it: its own condition, and those of what is left by a jump."""
    if loop.condition is not None:
        yield loop.condition
    for node in walk(loop):
        if isinstance(node, t.If) and any(isinstance(part, (t.Break, t.Return, t.Goto)) for part in walk(node)):
            yield node.condition
