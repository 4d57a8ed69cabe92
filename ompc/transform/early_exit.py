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

Calls that print become notes for the host (device_prints.py). Those of one iteration stay together, so a `critical`
section that does nothing else needs no lock (transform/critical_elision.py).

In: the typed tree.   Out: the same with `Leave` and `Print` in such places.
Not here: how a kernel leaves -- runtime/kernel/printing/ompc_device_printf.h.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from ompc.base.frozen import dataclass, field
from ompc.base.source import NOWHERE, Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import LEAVE
from ompc.ir.exits import goes_elsewhere, jumps_in, labels_in
from ompc.ir.queries import only_reads
from ompc.ir.rewrite import rebuilt, rewritten, with_items, with_parts
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop
from ompc.transform.critical_elision import LockedWrites
from ompc.transform.device_prints import FUNCTIONS, as_print

LIBRARY = frozenset(
    "abort exit _exit _Exit quick_exit __assert_fail __assert_perror_fail __assert err errx verr verrx MPI_Abort"
    " __builtin_abort __builtin_exit __builtin_trap".split()
)
"""Functions of libraries that do not return, and end the program."""

S = TypeVar("S", bound=t.Stmt)

_LEAVE = t.Symbol(LEAVE, ty.Function(ty.VOID, ()), t.Storage.FUNCTION, NOWHERE, 0)
_DROPPED = (t.ExprStmt, t.DeclStmt, t.Empty, t.If, t.While, t.DoWhile, t.For, t.Switch, t.Block)

@dataclass(frozen=True)
class EarlyExits:
    """`names` are those of the functions that end the program, `prints` those of the library's that print.

    `pragmas`: those that have become others, with these.
    """

    unit: t.Unit
    names: Collection[str]
    prints: Collection[str]
    pragmas: dict[t.Pragma, t.Pragma] = field(default_factory=dict)

    @cached_property
    def locked(self) -> LockedWrites:
        """What the file's sections write."""
        return LockedWrites.of(self.unit, {*self.names, *self.prints})

    def replaced(self, node: S) -> S:
        """`node` with `Leave` in it; itself where nothing changes."""
        return rewritten(node, self._of)

    def _of(self, node: Node) -> Node | None:
        if self._is_call(node):
            return _leave(node.loc)
        made = rebuilt(node, self._of)
        match made:
            case t.ExprStmt(expr=expr):
                return with_parts(made, expr=self._unused(expr))
            case t.For(step=t.Expr() as step):
                return with_parts(made, step=self._unused(step))
            case t.Comma(left=left):
                return with_parts(made, left=self._unused(left))
            case t.Binary(op="&&", right=t.StringConst(loc=loc)):
                return replace(made, right=_true(loc))
            case t.Unary(op="!", operand=t.StringConst(loc=loc)):
                return replace(made, operand=_true(loc))
            case t.Block(items=items):
                return with_items(made, self._shortened(items))
            case t.Pragma(body=t.Stmt() as body) if made is not node and made.directive.name == "critical":
                if self._needs_no_lock(body):
                    return body
            case _:
                pass
        if isinstance(node, t.Pragma) and isinstance(made, t.Pragma) and made is not node:
            self.pragmas[node] = made
        return made

    def _needs_no_lock(self, section: t.Stmt) -> bool:
        return _only_tells(section) and (only_leaves(section) or self.locked.spares(section))

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
                made = with_parts(expr, left=self._unused(left), right=self._unused(right))
                return with_parts(made, type=made.right.type) if made is not expr else expr
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
        return ends and not jumps_in(body) and not labels_in(body)

    @staticmethod
    def _shortened(items: tuple[t.Stmt, ...]) -> tuple[t.Stmt, ...]:
        """A block's items without those right before a `Leave`, and those behind it that nothing jumps to."""
        if not any(map(only_leaves, items)):
            return items
        kept: list[t.Stmt] = []
        labels = any(map(labels_in, items))
        for item in items:
            behind = bool(kept) and only_leaves(kept[-1])
            if behind and not labels:
                break
            if only_leaves(item):
                while kept and isinstance(kept[-1], _DROPPED) and not _is_left_or_entered(kept[-1]):
                    if labels and isinstance(kept[-1], t.DeclStmt):
                        break  # code that is jumped to may use the variable
                    kept.pop()
            kept.append(item)
        return items if len(kept) == len(items) else tuple(kept)


def _only_tells(body: t.Stmt) -> bool:
    """Does it do nothing but print and leave?"""
    match body:
        case t.Block(items=items):
            return all(map(_only_tells, items))
        case t.If(condition=condition, then=then, other=other):
            return only_reads(condition) and _only_tells(then) and (other is None or _only_tells(other))
        case t.ExprStmt():
            value = _value(body)
            return isinstance(value, (t.Leave, t.Print)) and all(map(only_reads, value.args))
        case _:
            return isinstance(body, t.Empty)


def _true(loc: Location) -> t.IntConst:
    """`assert(x && "why")`, `assert(!"reached")`: a text is a true value."""
    return t.IntConst(ty.INT, loc, 1, "1")


def _leave(loc: Location) -> t.Leave:
    return t.Leave(ty.VOID, loc, t.Name(_LEAVE.type, loc, _LEAVE), ())


def _value(statement: t.ExprStmt) -> t.Expr:
    """The expression, without casts to void."""
    expr = statement.expr
    while isinstance(expr, t.Cast) and isinstance(expr.type, ty.Void):
        expr = expr.operand
    return expr


def only_leaves(item: t.Stmt) -> bool:
    """Does the statement do nothing but leave?"""
    only = _only(item)
    return isinstance(only, t.ExprStmt) and isinstance(_value(only), t.Leave)


@lru_cache(maxsize=1024)
def _only(item: t.Stmt) -> t.Stmt:
    """The statement that is all there is in blocks; of those inside of others, the answer of the inner one is kept."""
    return _only(item.items[0]) if isinstance(item, t.Block) and len(item.items) == 1 else item


def _is_left_or_entered(item: t.Stmt) -> bool:
    return goes_elsewhere(item) or any(isinstance(node, t.Pragma) for node in walk(item))


def as_kernels_see(unit: t.Unit) -> tuple[t.Unit, EarlyExits]:
    """`unit` as its kernels see it, and what is replaced there; the user's functions hide the library's."""
    own = {name for name, function in unit.functions.items() if function.body is not None}
    exits = EarlyExits(unit, LIBRARY - own, FUNCTIONS.keys() - own)
    while True:
        more = {name for name in own if name not in exits.names and exits.ends_in_one(_body(unit, name))}
        if not more:
            break
        exits = replace(exits, names={*exits.names, *more})
    functions = dict(unit.functions)
    for name in own - set(exits.names):
        if exits.has_something_in(_body(unit, name)):
            functions[name] = replace(unit.functions[name], body=exits.replaced(_body(unit, name)))
    return replace(unit, functions=functions), exits


def _body(unit: t.Unit, name: str) -> t.Block:
    body = unit.functions[name].body
    assert body is not None
    return body


def as_kernel_sees(loop: ParallelLoop, exits: EarlyExits) -> ParallelLoop:
    """`loop` as its kernel sees it; itself where nothing ends the program or prints."""
    if loop.body is None or not exits.has_something_in(loop.body):
        return loop
    body = exits.replaced(loop.body)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body)) if loop.loops else ()
    target = loop.target
    if target is not None:
        target = replace(target, alone=frozenset(exits.pragmas.get(pragma, pragma) for pragma in target.alone))
    return replace(loop, body=body, loops=loops, target=target)
