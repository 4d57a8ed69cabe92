"""Loop unswitching: a branch that only the host can run, under a condition that the loop does not change, is left out.

    for (...) {                                     if (timers) the host runs all of the loop
        if (timers)                          ->     else for (...)
            timer_start(2);                             a[i] = f(i);
        a[i] = f(i);
    }

The launch asks for the condition first; where the branch would be run, the whole loop stays on the host. The condition
is made of variables that the loop only reads, and has a value wherever the pragma stands: it calls nothing and follows
no pointer. What is left has to have facts, or the loop stays as it was. Of a function that the loop calls, where such a
branch depends on variables of file scope, the loop gets a copy without it, and of those that call it.

    In: a loop that cannot be a kernel, the functions of the unit; its facts without some branches.   Out: the facts of
    the loop without as few branches as can be; None: it does not depend on such.
    Not here: conditions on a function's own variables; target regions, whose variables may be newer on the device.
    Source: Allen and Cocke, "A catalogue of optimizing transformations", 1972 (unswitching).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import labels_in
from ompc.ir.queries import called_functions, changed_in, nodes, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.asked import Unswitched
from ompc.omp.model import ParallelLoop, Sharing

MOST_BRANCHES = 8
"""The most branches that are looked at: the loop is analysed once more for each."""

_ONLY_OF_HOST = (t.Call, t.OpaqueExpr, t.OpaqueStmt, t.Pragma)
_OPERANDS = (t.Name, t.IntConst, t.FloatConst, t.Cast, t.Unary, t.Binary, t.Member)
_OPERATORS = frozenset("== != < <= > >= && || & | ^ + -".split())
_UNARY_OPERATORS = frozenset("+ - !".split())

Found = TypeVar("Found")
Code = TypeVar("Code", bound=t.Stmt)


@dataclass(frozen=True, slots=True)
class _Branch:
    """A branch of `choice` that is left out: the one for when its condition `holds`. `function`: whose; None: the
    loop's own.
    """

    choice: t.If
    holds: bool
    function: t.Function | None

    @property
    def rest(self) -> t.Stmt:
        kept = self.choice.other if self.holds else self.choice.then
        return t.Block(self.choice.loc, ()) if kept is None else kept

    @property
    def asked(self) -> Unswitched:
        return asked(self.choice.condition, self.holds)

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        return symbols_in(self.choice.condition)


def asked(condition: t.Expr, holds: bool) -> Unswitched:
    """What the host asks, where a kernel has not the branch for when `condition` holds, or holds not."""
    return Unswitched(c_expr(rewritten(condition, _in_digits)), holds)


Functions = Mapping[str, t.Function]


def unswitched(
    loop: ParallelLoop,
    functions: Functions,
    gather: Callable[[ParallelLoop, Functions], Found | None],
    only_reads: Callable[[Found, t.Symbol], bool],
) -> Found | None:
    """What `gather` finds of the loop without branches, with the `functions` that it then has; `only_reads`: does what
    is left change none of a variable?
    """
    branches = list(_branches(loop, functions))
    if not branches or len(branches) > MOST_BRANCHES:
        return None

    def without(left_out: Sequence[_Branch]) -> Found | None:
        copies = _copies(loop, functions, left_out)
        found = gather(_without(loop, left_out, copies), {**functions, **{f.name: f for f in copies.values()}})
        read = {symbol for branch in left_out for symbol in branch.symbols}
        return found if found is not None and all(only_reads(found, symbol) for symbol in read) else None

    best = without(branches)
    if best is None:
        return None
    for branch in tuple(branches):
        fewer = [other for other in branches if other is not branch]
        if fewer and (found := without(fewer)) is not None:
            branches, best = fewer, found
    return best


def _branches(loop: ParallelLoop, functions: Functions) -> Iterator[_Branch]:
    """The branches that may be left out, outer ones first; of one inside of another nothing is said."""
    if loop.body is None or loop.target is not None:
        return
    yield from _branches_in(loop.body, None, partial(_is_of_loop, loop))
    for function in called_functions(loop.body, {f.symbol: f for f in functions.values()}):
        if function.body is not None and not function.symbol.varies:
            yield from _branches_in(function.body, function, partial(_is_of_file, loop))


def _branches_in(
    body: t.Stmt, function: t.Function | None, has_one_value: Callable[[t.Symbol], bool]
) -> Iterator[_Branch]:
    inside: set[Node] = set()
    for node in nodes(body):
        if not isinstance(node, t.If) or node in inside or not _is_fixed(node.condition, has_one_value):
            continue
        of_host = [part is not None and _is_only_of_host(part) for part in (node.then, node.other)]
        if labels_in(node):  # a way into a branch beside its condition
            continue
        value = constant_value(node.condition)
        if any(of_host) and not all(of_host) and (value is None or bool(value) != of_host[0]):
            yield _Branch(node, of_host[0], function)
            inside |= {*nodes(node)}


def _is_only_of_host(branch: t.Stmt) -> bool:
    return any(isinstance(node, _ONLY_OF_HOST) for node in nodes(branch))


def _is_of_loop(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Does the loop name the variable that the pragma sees, or a copy that each thread begins with?"""
    shared = loop.sharing.get(symbol) in (Sharing.SHARED, Sharing.FIRSTPRIVATE)
    return shared and loop.pragma.scope.get(symbol.name) is symbol and not _is_changed(loop, symbol)


def _is_of_file(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Is it a variable of file scope that the pragma sees, and of which neither threads nor constructs have copies?"""
    of_file = symbol.storage in (t.Storage.GLOBAL, t.Storage.FILE_STATIC, t.Storage.EXTERN) and not symbol.threadprivate
    if not of_file or loop.pragma.scope.get(symbol.name) is not symbol or _is_changed(loop, symbol):
        return False
    team = loop.team
    if symbol in loop.copied or (team is not None and symbol in team.private):
        return False
    default = team.region.first("default") if team is not None and team.region is not None else None
    may_be_named = default is None or default.kind == "shared"
    return loop.sharing.get(symbol, Sharing.SHARED if may_be_named else None) is Sharing.SHARED


def _is_changed(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    return loop.body is not None and symbol in changed_in(loop.body)


def _is_fixed(condition: t.Expr, has_one_value: Callable[[t.Symbol], bool]) -> bool:
    """Has the condition one value where the pragma stands and in all iterations?"""
    for node in nodes(condition):
        match node:
            case t.Name(symbol=symbol):
                if not has_one_value(symbol):
                    return False
            case t.Binary(op=op) if op not in _OPERATORS:
                return False
            case t.Unary(op=op) if op not in _UNARY_OPERATORS:
                return False  # the address of a copy is another one than where the pragma stands
            case t.Member(arrow=True):
                return False
            case t.Cast(type=kind) if not isinstance(kind, ty.Int | ty.Float):
                return False  # its type may have another name where the pragma stands, or none
            case t.Expr() if not isinstance(node, _OPERANDS):
                return False
            case _:
                pass
        if isinstance(node, t.Expr) and not _is_plain(node.type):
            return False
    return True


def _in_digits(node: Node) -> Node | None:
    """An enumerator's name may mean something else where the pragma stands."""
    if isinstance(node, t.IntConst) and node.text.isidentifier():
        return replace(node, text=str(node.value) if node.value >= 0 else f"({node.value})")
    return None


def _is_plain(kind: ty.Type) -> bool:
    """One that is read as often as one likes, and compared with 0."""
    is_value = isinstance(kind, ty.Pointer | ty.Struct) or ty.is_arithmetic(kind)
    return is_value and not kind.quals & {"volatile", "_Atomic"}


def _is_empty(statement: t.Stmt) -> bool:
    return isinstance(statement, t.Block) and not statement.items


def _without(
    loop: ParallelLoop, branches: Sequence[_Branch], copies: Mapping[t.Symbol, t.Function]
) -> ParallelLoop:
    assert loop.body is not None
    body = _with_copies(_rest(loop.body, branches, None), copies)
    inner = replace(loop.loops[-1], body=body)
    asked = tuple(dict.fromkeys(branch.asked for branch in branches if branch.symbols))
    return replace(loop, body=body, loops=(*loop.loops[:-1], inner), unswitched=asked)


def _rest(body: Code, branches: Sequence[_Branch], function: t.Function | None) -> Code:
    """What is left of the code of the loop, or of one of its functions."""
    rest: dict[Node, t.Stmt] = {branch.choice: branch.rest for branch in branches if branch.function is function}

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Block) or rest.keys().isdisjoint(node.items):
            return rest.get(node)
        kept = [item for item in node.items if item not in rest or not _is_empty(rest[item])]
        return replace(node, items=tuple(rewritten(item, change) for item in kept))

    return rewritten(body, change) if rest else body


def _copies(loop: ParallelLoop, functions: Functions, branches: Sequence[_Branch]) -> dict[t.Symbol, t.Function]:
    """The loop's own copies of functions that have such a branch, and of those that call one, by what they replace."""
    assert loop.body is not None
    by_symbol = {function.symbol: function for function in functions.values()}
    reached = called_functions(loop.body, by_symbol)
    changed = {branch.function for branch in branches if branch.function is not None}
    affected = [f for f in reached if f in changed or not changed.isdisjoint(called_functions(_code(f), by_symbol))]
    renamed = {f.symbol: replace(f.symbol, name=_free_name(f"{f.name}_in_{loop.id}", functions)) for f in affected}
    copies = {f.symbol: replace(f, symbol=renamed[f.symbol], body=_rest(_code(f), branches, f)) for f in affected}
    return {symbol: replace(f, body=_with_copies(_code(f), copies)) for symbol, f in copies.items()}


def _code(function: t.Function) -> t.Block:
    assert function.body is not None
    return function.body


def _free_name(wanted: str, functions: Functions) -> str:
    while wanted in functions:
        wanted += "_"
    return wanted


def _with_copies(body: Code, copies: Mapping[t.Symbol, t.Function]) -> Code:
    """`body` that calls the copies."""

    def change(node: Node) -> Node | None:
        match node:
            case t.Call(function=t.Name(symbol=symbol) as name) if symbol in copies:
                called = replace(name, symbol=copies[symbol].symbol)
                return replace(node, function=called, args=rewritten(node.args, change))
            case _:
                return None

    return rewritten(body, change) if copies else body
