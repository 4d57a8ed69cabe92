"""Data lock coarsening: what an iteration does between taking and giving back a lock becomes a `critical` section.

    omp_set_lock(&lock);                        #pragma omp critical
    s += t;                                     s += t;
    omp_unset_lock(&lock);

    omp_set_lock(&locks[k % 64]);               #pragma omp critical
    count[k] += 1;                              count[k] += 1;
    omp_unset_lock(&locks[k % 64]);

A section excludes all others, which may happen with locks as well: each order of whole sections is one that the locks
allow. So nothing is lost where the sections turn out to be atomic operations, and what is none stays on the host, with
its locks. The lock has to be the same in all iterations, or one that the elements which the section writes choose: by
a number made of their subscripts, or as a member of the same struct. Else the program means something that is not
seen here, as where it changes one element under the lock of another.

In: the body of a loop, of a function that it calls.   Out: the same with sections in the place of pairs of calls.
Not here: `omp_test_lock`, pairs that jumps or other locks come between (`why_no_section`: OMPC349); which sections are
operations -- analysis/reductions/criticals.py.
Source: data lock coarsening, one lock for several objects (Diniz and Rinard, "Lock coarsening: eliminating lock
overhead in automatically parallelized object-based programs", 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import object_of
from ompc.ir.device_library import is_device_function
from ompc.ir.directive import Directive, Kind
from ompc.ir.exits import goes_elsewhere
from ompc.ir.queries import (
    assigned_in,
    called,
    declared_in,
    only_reads,
    symbols_in,
    targets_written,
    unread_in,
)
from ompc.ir.rewrite import rebuilt, rewritten, with_items
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, children, walk
from ompc.omp.model import ParallelLoop, Sharing

TAKING = {"omp_set_lock": "omp_unset_lock", "omp_set_nest_lock": "omp_unset_nest_lock"}
"""The functions that take a lock, with those that give it back."""

LOCKS = frozenset(
    f"omp_{verb}{nest}_lock" for verb in ("init", "destroy", "set", "unset", "test") for nest in ("", "_nest")
)
"""The functions of locks; all but those that begin and end sections keep a loop on the host."""

_SEVERAL = "with a lock that is neither the same in all iterations nor follows from the elements that they change"
_STATIC = (t.Storage.GLOBAL, t.Storage.FILE_STATIC, t.Storage.EXTERN, t.Storage.LOCAL_STATIC)

S = TypeVar("S", bound=t.Stmt)

Question = Callable[[t.Symbol], bool]


@dataclass(frozen=True)
class LockSections:
    """`is_fixed`: is the variable the same object, of the same value, in all iterations? `is_own`: each one's own?

    `pragmas`: those that have become others, with these.
    """

    is_fixed: Question
    is_own: Question
    pragmas: dict[t.Pragma, t.Pragma] = field(default_factory=dict)

    def replaced(self, body: S) -> S:
        """`body` with its sections; itself where there is none."""
        return rewritten(body, self._of)

    def _of(self, node: Node) -> Node | None:
        if isinstance(node, t.Expr):
            return node
        made = rebuilt(node, self._of)
        if isinstance(made, t.Block):
            return with_items(made, list(self._items(made.items)))
        if isinstance(node, t.Pragma) and isinstance(made, t.Pragma) and made is not node:
            self.pragmas[node] = made
        return made

    def _items(self, items: Sequence[t.Stmt]) -> Iterator[t.Stmt]:
        position = 0
        while position < len(items):
            end = _end(items, position)
            if end is None:
                yield items[position]
                position += 1
                continue
            section = t.Block(items[position].loc, tuple(items[position + 1 : end]))
            whole = _why_not(items, position, end) is None and self._excludes(items[position], section)
            yield from (_critical(section),) if whole else items[position : end + 1]
            position = end + 1

    def _excludes(self, taking: t.Stmt, section: t.Block) -> bool:
        """Do the sections of two iterations that write the same take the same lock?"""
        lock = _lock(taking)
        if self._is_made_of(lock, ()):
            return True
        if not all(map(is_device_function, called(section))):
            return False
        targets = [target for target in targets_written(section) if not self._writes_own(target)]
        return all(self._is_made_of(lock, self._chosen_by(target)) for target in targets)

    def _writes_own(self, target: t.Expr) -> bool:
        symbol = object_of(target)
        return symbol is not None and self.is_own(symbol)

    def _is_made_of(self, node: Node, parts: Sequence[t.Expr]) -> bool:
        """Is its value made of `parts`, and of what is fixed?"""
        if isinstance(node, t.Expr) and any(_is_same(node, part) for part in parts):
            return True
        if isinstance(node, t.Name):
            return self.is_fixed(node.symbol)
        return all(self._is_made_of(child, parts) for child in children(node))

    def _chosen_by(self, target: t.Expr) -> list[t.Expr]:
        """What is the same where two iterations write one object as `target`: subscripts, structs it is a part of."""
        found: list[t.Expr] = []
        while True:
            match target:
                case t.Index(base=base, index=index):
                    if isinstance(base.type, ty.Array) or self._is_made_of(base, ()):
                        found.append(index)
                    target = base
                case t.Member(base=base) | t.Unary(op="*", operand=base):
                    found.append(base)
                    target = base
                case _:
                    return found


def _end(items: Sequence[t.Stmt], position: int) -> int | None:
    """Where the lock is given back that the statement at `position` takes; None: it takes none, or it is not there."""
    name = TAKING.get(_called_by(items[position]) or "")
    behind = range(position + 1, len(items))
    found = (at for at in behind if name is not None and _called_by(items[at]) == name)
    return next((at for at in found if _is_same(_lock(items[at]), _lock(items[position]))), None)


def _why_not(items: Sequence[t.Stmt], position: int, end: int) -> str | None:
    """Why what stands between cannot be a section."""
    inside = items[position + 1 : end]
    if any(map(goes_elsewhere, inside)):
        return "for a section that control may leave or enter by a jump"
    other = next((name for item in inside for name in called(item) if name in LOCKS), None)
    if other is not None:
        return f"for a section that calls '{other}'"
    declared = {symbol for item in inside if isinstance(item, t.DeclStmt) for symbol in declared_in(item)}
    used = next((symbol for item in items[end + 1 :] for symbol in symbols_in(item) if symbol in declared), None)
    return None if used is None else f"for a section that declares '{used.name}', which is used behind it"


def _is_same(a: t.Expr, b: t.Expr) -> bool:
    """Are they one expression, of the same variables, which only reads?"""
    known = only_reads(a) and unread_in(a) is None
    return known and symbols_in(a) == symbols_in(b) and c_expr(a) == c_expr(b)


def _called_by(item: t.Stmt) -> str | None:
    """The function with one argument that is all that the statement calls."""
    match item:
        case t.ExprStmt(expr=t.Call(function=t.Name(symbol=symbol), args=(_,))):
            return symbol.name
        case _:
            return None


def _lock(item: t.Stmt) -> t.Expr:
    assert isinstance(item, t.ExprStmt) and isinstance(item.expr, t.Call)
    return item.expr.args[0]


def _critical(section: t.Block) -> t.Pragma:
    directive = Directive(Kind.OPENMP, "critical", (), section.loc, text="critical")
    return t.Pragma(section.loc, "omp critical", section, {}, in_macro=True, directive=directive)


def why_no_section(body: t.Stmt | t.Expr, call: t.Call) -> str:
    """Why what begins with `call`, somewhere in `body`, has not become a section."""
    blocks = (node.items for node in walk(body) if isinstance(node, t.Block))
    begins = ((items, at) for items in blocks for at, item in enumerate(items) if _is_call(item, call))
    for items, at in begins:
        end = _end(items, at)
        if end is None:
            return "without giving back the same lock behind it in its block"
        return _why_not(items, at, end) or _SEVERAL
    return "inside of another statement"


def _is_call(item: t.Stmt, call: t.Call) -> bool:
    return isinstance(item, t.ExprStmt) and item.expr is call


def has_locks(body: t.Stmt) -> bool:
    """Is there anything to replace?"""
    return not TAKING.keys().isdisjoint(called(body))


# ------------------------------------------------------------------------------------------ loops and functions


def with_sections(unit: t.Unit) -> t.Unit:
    """`unit` with the sections of its functions, as loops call them."""
    if not LOCKS.isdisjoint(unit.functions):
        return unit  # it has locks of its own
    found = {name: _of_function(f) for name, f in unit.functions.items() if f.body is not None and has_locks(f.body)}
    return replace(unit, functions={**unit.functions, **found}) if found else unit


def _of_function(function: t.Function) -> t.Function:
    assert function.body is not None
    own = {symbol for symbol in declared_in(function.body) if symbol.storage not in _STATIC} | {*function.params}
    return replace(function, body=LockSections(_is_static, own.__contains__).replaced(function.body))


def _is_static(symbol: t.Symbol) -> bool:
    return symbol.storage in _STATIC and not symbol.threadprivate


def with_sections_of_loop(loop: ParallelLoop, unit: t.Unit) -> ParallelLoop:
    """`loop` of `unit` with the sections of its own body."""
    if loop.body is None or not loop.loops or not has_locks(loop.body) or not LOCKS.isdisjoint(unit.functions):
        return loop
    changing = assigned_in(loop.body) | declared_in(loop.body) | {nest.var for nest in loop.loops}

    def is_fixed(symbol: t.Symbol) -> bool:
        sharing = loop.sharing.get(symbol, Sharing.SHARED)
        copied = sharing is Sharing.FIRSTPRIVATE and ty.is_scalar(symbol.type)
        of_thread = symbol.threadprivate or symbol.storage is t.Storage.THREAD
        return not of_thread and symbol not in changing and (sharing is Sharing.SHARED or copied)

    own = declared_in(loop.body) | {symbol for symbol, sharing in loop.sharing.items() if not sharing.one_for_all}
    sections = LockSections(is_fixed, own.__contains__)
    body = sections.replaced(loop.body)
    target = loop.target
    if target is not None:
        target = replace(target, alone=frozenset(sections.pragmas.get(pragma, pragma) for pragma in target.alone))
    return replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)), target=target)
