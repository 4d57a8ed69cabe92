"""Analysis: the code of a kernel, where an iteration may end the program or print.

    if (x[i] < 0) {                          if (x[i] < 0) {
        fprintf(stderr, "%s\\n", text(i));        leave;
        exit(1);                             }
    }

A launch changes nothing on the host before it is over. So an iteration that comes to `exit`, `abort` or a failed
`assert` gives the launch up: whatever the device has done is forgotten, and the host runs the loop from its start,
prints what the program prints and ends it as the program does. Leaving early is right anywhere; what stands in a block
right before the stop, most often the message, is therefore left out. So are calls of functions that always end the
program.

Calls that print become notes for the host (prints.py). Those of one iteration stay together, so a `critical`
section that does nothing else needs no lock (transform/critical_elision.py).

In: the typed tree.   Out: the same with `Leave` and `Print` in such places.
Not here: how a kernel leaves -- runtime/kernel/ompc_messages.h.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from ompc.base.source import NOWHERE, Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import LEAVE
from ompc.ir.rewrite import parts_of
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop
from ompc.transform.critical_elision import Guarded
from ompc.transform.device_prints import FUNCTIONS, as_print

LIBRARY = frozenset(
    "abort exit _exit _Exit quick_exit __assert_fail __assert_perror_fail __assert err errx verr verrx MPI_Abort"
    " __builtin_abort __builtin_exit __builtin_trap".split()
)
"""Functions of libraries that do not return, and end the program."""

_LEAVE = t.Symbol(LEAVE, ty.Function(ty.VOID, ()), t.Storage.FUNCTION, NOWHERE, 0)
_DROPPED = (t.ExprStmt, t.DeclStmt, t.Empty, t.If, t.While, t.DoWhile, t.For, t.Switch, t.Block)
_JUMPS = (t.Label, t.Case, t.Goto, t.Break, t.Continue, t.Return)

_UNUSED: dict[type, tuple[str, ...]] = {t.ExprStmt: ("expr",), t.For: ("step",), t.Comma: ("left",)}
"""Expressions whose value nobody uses."""

N = TypeVar("N")


@dataclass(frozen=True)
class Stops:
    """`names` are those of the functions that end the program, `prints` those of the library's that print.

    `pragmas`: those that have become others, with these.
    """

    unit: t.Unit
    names: Collection[str]
    prints: Collection[str]
    pragmas: dict[t.Pragma, t.Pragma] = field(default_factory=dict)

    @cached_property
    def guarded(self) -> Guarded:
        """What the file's sections write."""
        return Guarded.of(self.unit, {*self.names, *self.prints})

    def replaced(self, node: N) -> N:
        """`node` with `Leave` in it; itself where nothing changes."""
        if isinstance(node, tuple):
            items = tuple(map(self.replaced, node))
            return cast(N, items) if any(a is not b for a, b in zip(items, node, strict=True)) else node
        if not isinstance(node, (t.Expr, t.Stmt, t.VarDecl)):
            return node
        if self._is_call(node):
            return cast(N, _leave(node.loc))
        changed = {name: self.replaced(getattr(node, name)) for name in parts_of(node)}
        changed |= _without_text(node)
        for name in _UNUSED.get(type(node), ()):
            if changed[name] is not None:
                changed[name] = self._unused(changed[name])
        if isinstance(node, t.Block):
            changed["items"] = self._shortened(changed["items"])
        if all(value is getattr(node, name) for name, value in changed.items()):
            return node
        made = replace(node, **changed)
        if isinstance(node, t.Pragma) and isinstance(made, t.Pragma):
            if made.body is not None and made.directive.name == "critical" and self._needs_no_lock(made.body):
                return cast(N, made.body)
            self.pragmas[node] = made
        return cast(N, made)

    def _needs_no_lock(self, section: t.Stmt) -> bool:
        return _only_tells(section) and (_leaves(section) or self.guarded.spares(section))

    def _unused(self, expr: t.Expr) -> t.Expr:
        """An expression whose value nobody uses, with its prints replaced."""
        match expr:
            case t.Call(function=t.Name(symbol=t.Symbol(type=ty.Function()) as symbol)) if symbol.name in self.prints:
                printed = as_print(expr, symbol.name)
                return expr if isinstance(printed, str) else printed
            case t.Cast(type=ty.Void(), operand=operand):
                inner = self._unused(operand)
                return inner if isinstance(inner, t.Print) else expr
            case t.Comma(left=left, right=right):
                return _rebuilt(expr, left=self._unused(left), right=self._unused(right))
            case _:
                return expr

    def _is_call(self, node: object) -> bool:
        named = isinstance(node, t.Call) and isinstance(node.function, t.Name)
        return named and cast(t.Name, cast(t.Call, node).function).symbol.name in self.names

    def has_something_in(self, body: t.Stmt) -> bool:
        """Is there anything to replace? The tree of most code is not gone through twice."""
        calls = (node.function for node in walk(body) if isinstance(node, t.Call))
        names = {function.symbol.name for function in calls if isinstance(function, t.Name)}
        return not names.isdisjoint(self.names) or not names.isdisjoint(self.prints)

    def ends_in_one(self, body: t.Stmt) -> bool:
        """Is the last thing that `body` does the end of the program, and no way around it?"""
        last: t.Stmt | None = body
        while isinstance(last, t.Block):
            last = next((item for item in reversed(last.items) if not isinstance(item, t.Empty)), None)
        ends = isinstance(last, t.ExprStmt) and self._is_call(_value(last))
        return ends and not any(isinstance(node, _JUMPS) for node in walk(body))

    @staticmethod
    def _shortened(items: tuple[t.Stmt, ...]) -> tuple[t.Stmt, ...]:
        """A block's items without those right before a `Leave`, and those behind it that nothing jumps to."""
        if not any(map(_leaves, items)):
            return items
        kept: list[t.Stmt] = []
        labels = any(isinstance(node, (t.Label, t.Case)) for item in items for node in walk(item))
        for item in items:
            behind = bool(kept) and _leaves(kept[-1])
            if behind and not labels:
                break
            if _leaves(item):
                while kept and isinstance(kept[-1], _DROPPED) and not _has_jumps(kept[-1]):
                    if labels and isinstance(kept[-1], t.DeclStmt):
                        break  # code that is jumped to may use the variable
                    kept.pop()
            kept.append(item)
        return items if len(kept) == len(items) else tuple(kept)


def _rebuilt(comma: t.Comma, left: t.Expr, right: t.Expr) -> t.Comma:
    same = left is comma.left and right is comma.right
    return comma if same else replace(comma, type=right.type, left=left, right=right)


def _only_tells(body: t.Stmt) -> bool:
    """Does it do nothing but print and leave?"""
    match body:
        case t.Block(items=items):
            return all(map(_only_tells, items))
        case t.If(condition=condition, then=then, other=other):
            return _is_plain(condition) and _only_tells(then) and (other is None or _only_tells(other))
        case t.ExprStmt():
            value = _value(body)
            return isinstance(value, (t.Leave, t.Print)) and all(map(_is_plain, value.args))
        case _:
            return isinstance(body, t.Empty)


def _is_plain(expr: t.Expr) -> bool:
    """Does it change nothing?"""
    return not any(isinstance(node, (t.Assign, t.IncDec, t.Call)) for node in walk(expr))


def _without_text(node: object) -> dict[str, t.Expr]:
    """`assert(x && "why")`, `assert(!"reached")`: a text is a true value."""
    match node:
        case t.Binary(op="&&", right=t.StringConst(loc=loc)):
            return {"right": t.IntConst(ty.INT, loc, 1, "1")}
        case t.Unary(op="!", operand=t.StringConst(loc=loc)):
            return {"operand": t.IntConst(ty.INT, loc, 1, "1")}
        case _:
            return {}


def _leave(loc: Location) -> t.Leave:
    return t.Leave(ty.VOID, loc, t.Name(_LEAVE.type, loc, _LEAVE), ())


def _value(statement: t.ExprStmt) -> t.Expr:
    """The expression, without casts to void."""
    expr = statement.expr
    while isinstance(expr, t.Cast) and isinstance(expr.type, ty.Void):
        expr = expr.operand
    return expr


def _leaves(item: t.Stmt) -> bool:
    """Does the statement do nothing but leave?"""
    only = _only(item)
    return isinstance(only, t.ExprStmt) and isinstance(_value(only), t.Leave)


@lru_cache(maxsize=1024)
def _only(item: t.Stmt) -> t.Stmt:
    """The statement that is all there is in blocks; of those inside of others, the answer of the inner one is kept."""
    return _only(item.items[0]) if isinstance(item, t.Block) and len(item.items) == 1 else item


def _has_jumps(item: Node) -> bool:
    return any(isinstance(node, (*_JUMPS, t.Pragma)) for node in walk(item))


def as_kernels_see(unit: t.Unit) -> tuple[t.Unit, Stops]:
    """`unit` as its kernels see it, and what is replaced there; the user's functions hide the library's."""
    own = {name for name, function in unit.functions.items() if function.body is not None}
    stops = Stops(unit, LIBRARY - own, FUNCTIONS.keys() - own)
    while True:
        more = {name for name in own if name not in stops.names and stops.ends_in_one(_body(unit, name))}
        if not more:
            break
        stops = replace(stops, names={*stops.names, *more})
    functions = dict(unit.functions)
    for name in own - set(stops.names):
        if stops.has_something_in(_body(unit, name)):
            functions[name] = replace(unit.functions[name], body=stops.replaced(_body(unit, name)))
    return replace(unit, functions=functions), stops


def _body(unit: t.Unit, name: str) -> t.Block:
    body = unit.functions[name].body
    assert body is not None
    return body


def as_kernel_sees(loop: ParallelLoop, stops: Stops) -> ParallelLoop:
    """`loop` as its kernel sees it; itself where nothing ends the program or prints."""
    if loop.body is None or not stops.has_something_in(loop.body):
        return loop
    body = stops.replaced(loop.body)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body)) if loop.loops else ()
    target = loop.target
    if target is not None:
        target = replace(target, alone=frozenset(stops.pragmas.get(pragma, pragma) for pragma in target.alone))
    return replace(loop, body=body, loops=loops, target=target)
