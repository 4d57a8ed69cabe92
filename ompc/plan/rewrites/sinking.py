"""Plan: statements between two loops move into the inner one, where that makes both axes of the grid (`auto`).

    for (i = 0; i < n; i++) {                              for (i = 0; i < n; i++)
        int base = i * n;                                      for (j = 0; j < n; j++) {
        double f = r[i];                                           int base = i * n;
        if (!on[i]) continue;                    ->                double f = r[i];
        for (j = 0; j < n; j++)                                    if (!on[i]) continue;
            a[base + j] = f * b[base + j];                         a[base + j] = f * b[base + j];
    }                                                          }

They are then done once for each point instead of once for each row. That is right where they only compute the thread's
own scalars, the same ones each time: from nothing that they, or the inner loop's iterations, change. What they read
of memory no other iteration of the inner loop may write; that is asked when the loop becomes an axis
(dependence.py), and where it does not, all stays as it was. `if (c) for (j ...)` is a guard of this kind too.
A pointer to a row is put in the place of its name, so that `row[j]` is `a[i * n + j]` to all that ask; a number that is
in the inner loop's bounds likewise.

    In: Facts.   Out: the Facts of the same loop, perfectly nested, and what moved; or the same Facts.
    Not here: statements behind the inner loop (last_iteration.py), several inner loops; what costs more to repeat than
    DEVICE.repeated_work.
    Source: code sinking for perfect nests (Wolfe, "High Performance Compilers for Parallel Computing", 9.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import object_of
from ompc.ir.queries import (
    assigned_in,
    changed_in,
    declarations_in,
    declared_in,
    is_constant_table,
    names_in,
    symbols_in,
    targets_written,
)
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import Sharing
from ompc.omp.uses import has_side_effects
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.moved_loops import with_body
from ompc.plan.rewrites.row_pointers import with_pointers, without_values

N = TypeVar("N")


_QUICK = {"abs": 1, "fabs": 1, "fabsf": 1, "fmin": 1, "fminf": 1, "fmax": 1, "fmaxf": 1, "sqrt": 8, "sqrtf": 8}
"""Functions of a few instructions, each with the work that it counts as."""

_OWN = frozenset({Sharing.PRIVATE, Sharing.LOOP, Sharing.SHARED})
"""The data-sharing attributes of variables that statements between loops may assign. A shared one is declared in the
body.
"""


def with_perfect_nest(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with statements inside of the loops that they stood in front of, and a line that says which."""
    moved: list[t.Stmt] = []
    mapping = choose_mapping(facts, joins=True)
    while len(mapping.loops) < DEVICE.axes:
        nest = _nest(facts, mapping.body)
        body = None if nest is None else nest.perfect()
        if nest is None or body is None:
            break
        after = with_body(facts, mapping.body, body)
        deeper = None if isinstance(after, Reason) else choose_mapping(after, joins=True)
        if isinstance(after, Reason) or deeper is None or len(deeper.loops) <= len(mapping.loops):
            break
        facts, mapping = after, deeper
        moved += nest.before
    return facts, _text(moved)


def _text(moved: Iterable[t.Stmt]) -> str | None:
    lines = sorted({statement.loc.line for statement in moved if not isinstance(statement, t.Empty)})
    if not lines:
        return None
    where = ", ".join(map(str, lines))
    return f"what stands between the loops (line{'s' * (len(lines) > 1)} {where}) is done for every point"


def _nest(facts: Facts, body: t.Stmt) -> _Nest | None:
    """The statements in front of the one loop that `body` ends with."""
    items = _working(body)
    if not items:
        return None
    *before, last = items
    while isinstance(last, t.If) and last.other is None:  # a guard around the loop is one in front of it
        before.append(replace(last, condition=_negated(last.condition), then=t.Continue(last.loc)))
        inner = _working(last.then)
        if not inner:
            return None
        before += inner[:-1]
        last = inner[-1]
    if not before or not isinstance(last, t.For) or last not in facts.inner_loops:
        return None
    return _Nest(facts, before, last)


def _working(body: t.Stmt) -> list[t.Stmt]:
    """The statements of a block, or of one that is all there is in it, without those that do nothing."""
    while isinstance(body, t.Block) and len(body.items) == 1 and isinstance(body.items[0], t.Block):
        body = body.items[0]
    items = body.items if isinstance(body, t.Block) else (body,)
    return [item for item in items if not _is_idle(item)]


def _is_idle(item: t.Stmt) -> bool:
    return isinstance(item, t.Empty) or (isinstance(item, t.ExprStmt) and not has_side_effects(item.expr))


def _negated(condition: t.Expr) -> t.Expr:
    if isinstance(condition, t.Unary) and condition.op == "!":
        return condition.operand
    return t.Unary(ty.INT, condition.loc, "!", condition)


@dataclass(slots=True)
class _Nest:
    """`before` the inner loop, which is all that follows."""

    facts: Facts
    before: list[t.Stmt]
    inner: t.For
    declared: frozenset[t.Symbol] = frozenset()

    def perfect(self) -> t.For | None:
        """The inner loop with the statements inside; None: they cannot be repeated."""
        counter = self.facts.inner_loops[self.inner].var
        given = any(_declares(item, counter) for item in self.before)
        self.before = [kept for item in self.before if (kept := _without(item, counter)) is not None]
        block = t.Block(self.inner.loc, tuple(self.before))
        self.declared = declared_in(block)
        if not all(map(self._is_repeatable, self.before)) or _work(block) > DEVICE.repeated_work:
            return None
        assigned = self.declared | changed_in(block)
        changed = changed_in(self.inner)
        used = {symbol for symbol in exposed_reads(block) if self.facts.is_thread_private(MemoryObject(symbol))}
        if assigned & used or counter in assigned or changed & used:
            return None
        if any(symbol.address_taken for symbol in assigned) or assigned & changed & exposed_reads(self.inner.body):
            return None
        if self._hides_names(block, counter):
            return None
        perfect = self._inside(block, changed)
        return perfect if perfect is None or not given else replace(perfect, init=_declaration(perfect.init, counter))

    def _is_repeatable(self, node: t.Stmt) -> bool:
        match node:
            case t.Empty() | t.Continue():
                return True
            case t.ExprStmt(expr=value) if not has_side_effects(value):
                return True
            case t.DeclStmt(decls=decls):
                return all(map(self._is_own_declaration, decls))
            case t.ExprStmt(expr=t.Assign(target=t.Name(symbol=symbol), value=value)):
                return self._is_own(symbol) and not has_side_effects(value)
            case t.ExprStmt(expr=t.IncDec(operand=t.Name(symbol=symbol))):
                return self._is_own(symbol)
            case t.If(condition=condition, then=then, other=other):
                branches = (then, *([] if other is None else [other]))
                return not has_side_effects(condition) and all(map(self._is_repeatable, branches))
            case t.Block(items=items):
                return all(map(self._is_repeatable, items))
            case _:
                return False

    def _is_own_declaration(self, decl: t.VarDecl) -> bool:
        if is_constant_table(decl.symbol):
            return True
        plain = decl.symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER)
        kind = ty.is_scalar(decl.symbol.type) or isinstance(decl.symbol.type, ty.Struct)
        effects = decl.init is not None and (has_side_effects(decl.init) or isinstance(decl.init, t.InitList))
        return plain and kind and not effects

    def _is_own(self, symbol: t.Symbol) -> bool:
        own = self.facts.is_thread_private(MemoryObject(symbol)) and ty.is_scalar(symbol.type)
        return own and self.facts.loop.sharing.get(symbol, Sharing.SHARED) in _OWN

    def _hides_names(self, block: t.Block, counter: t.Symbol) -> bool:
        """Would a variable, declared inside, hide another one of its name?"""
        own = declared_in(self.inner.body)
        named = symbols_in(block) | symbols_in(self.inner)
        others = {symbol.name for symbol in named - own - self.declared} | {counter.name}
        names = [symbol.name for symbol in self.declared]
        return len(set(names)) < len(names) or not others.isdisjoint(names)

    def _inside(self, block: t.Block, changed: frozenset[t.Symbol]) -> t.For | None:
        """The inner loop around everything; it changes some variables."""
        inside = {symbol.name for symbol in declared_in(self.inner.body)}
        known = [(symbol, value) for symbol, value in _values(block) if not symbols_in(value) & changed]
        known = [(symbol, value) for symbol, value in known if inside.isdisjoint(n.name for n in symbols_in(value))]
        values = {symbol: value for symbol, value in known if symbol not in changed}
        pointers = {symbol: value for symbol, value in values.items() if isinstance(symbol.type, ty.Pointer)}
        numbers = {symbol: value for symbol, value in values.items() if ty.is_integer(symbol.type)}
        inner = self.inner
        items = (*block.items, *self._rest())
        body = with_pointers(t.Block(inner.body.loc, items), pointers)
        if body is None:
            return None
        names = names_in(body)  # of a variable that only the head used, what is left is the target of its assignment
        body = without_values(body, [s for s in numbers if len(names.get(s, ())) == (s in assigned_in(body))])
        head = t.For(inner.loc, inner.init, inner.condition, inner.step, t.Empty(inner.loc))
        return replace(_with_numbers(head, numbers), body=body)

    def _rest(self) -> tuple[t.Stmt, ...]:
        """The statements of the inner loop, in braces where they declare names of those in front of it."""
        items = self.inner.body.items if isinstance(self.inner.body, t.Block) else (self.inner.body,)
        own = {decl.symbol.name for item in items if isinstance(item, t.DeclStmt) for decl in item.decls}
        return (self.inner.body,) if own & {symbol.name for symbol in self.declared} else items


def _declares(item: t.Stmt, symbol: t.Symbol) -> bool:
    return isinstance(item, t.DeclStmt) and any(decl.symbol is symbol for decl in item.decls)


def _declaration(init: t.Stmt | None, counter: t.Symbol) -> t.Stmt | None:
    """The head of a loop whose counter is declared in front of it, with the declaration."""
    match init:
        case t.ExprStmt(expr=t.Assign(value=value), loc=loc):
            return t.DeclStmt(loc, (t.VarDecl(counter, value, loc),))
        case _:
            return init


def _without(item: t.Stmt, counter: t.Symbol) -> t.Stmt | None:
    """A statement without the declaration of the inner loop's counter, which that loop gives its values."""
    if not isinstance(item, t.DeclStmt):
        return item
    decls = tuple(decl for decl in item.decls if decl.symbol is not counter or has_effects(decl.init))
    if not decls:
        return None
    return item if len(decls) == len(item.decls) else replace(item, decls=decls)


def has_effects(init: t.Expr | None) -> bool:
    return init is not None and has_side_effects(init)


def _values(block: t.Block) -> Iterator[tuple[t.Symbol, t.Expr]]:
    """The variables that are given a value at one place, which nothing passes by."""
    times = [*map(object_of, targets_written(block)), *(d.symbol for d in declarations_in(block) if d.init is not None)]
    for item in block.items:
        match item:
            case t.DeclStmt(decls=decls):
                yield from ((d.symbol, d.init) for d in decls if d.init is not None and times.count(d.symbol) == 1)
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                if times.count(symbol) == 1:
                    yield symbol, value
            case _:
                pass


def _with_numbers(node: N, numbers: Mapping[t.Symbol, t.Expr]) -> N:
    """A part of a loop's head with the values of variables in their place, and those of the variables in them."""

    def change(part: Node) -> Node | None:
        if not isinstance(part, t.Name) or part.symbol not in numbers:
            return None
        value = rewritten(copied(numbers[part.symbol]), change)
        kind = ty.unqualified(part.symbol.type)
        return value if ty.unqualified(value.type) == kind else t.Cast(kind, part.loc, value)

    return rewritten(node, change)


def _work(block: t.Block) -> int:
    """Operations, reads of memory and calls, roughly, as points repeat them."""
    total = 0
    for node in walk(block):
        match node:
            case t.Call(function=t.Name(symbol=symbol)) if symbol.name in _QUICK:
                total += _QUICK[symbol.name]
            case t.Call():
                return DEVICE.repeated_work + 1
            case t.Binary(op="/" | "%"):
                total += 8
            case t.Binary() | t.Index() | t.Member(arrow=True) | t.Unary(op="*") | t.Cast(type=ty.Float()):
                total += 1
            case t.For() | t.While() | t.DoWhile():
                return DEVICE.repeated_work + 1
            case _:
                pass
    return total
