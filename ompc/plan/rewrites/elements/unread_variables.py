"""Rewrite: what a thread's own variables get, and nothing reads any more, is not computed (dead code elimination).

    int n = 2 * N;  double t = a[i];  c[i] = 1;        ->        c[i] = 1;

    In: code, the variables that rewrites have left without readers.   Out: the code without them.
    Not here: values that are read later than they are replaced -- analysis/flow/liveness.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from ompc.analysis.facts import Facts
from ompc.analysis.locality.kept_rows import is_pure
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir.queries import declared_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import Sharing


def without_unread(body: t.Stmt, symbols: Collection[t.Symbol], facts: Facts) -> t.Stmt:
    """`body` without assignments to variables of the thread that nothing reads any more."""
    own = {symbol for symbol in symbols if _is_own(symbol, body, facts)}
    while True:
        unread = own - {node.symbol for node in _names_read(body, facts)} - _set_beside(body)
        undeclared = unread - _named_beside(body, unread)
        sets = partial(_sets, symbols=unread, undeclared=undeclared)
        after = rewritten(body, lambda node, sets=sets: _without_stores(node, sets))  # type: ignore[misc]
        if after is body:
            return body
        body = after


def _set_beside(body: t.Stmt) -> set[t.Symbol]:
    """What assignments set that are there for something else, too."""
    statements = {node.expr for node in walk(body) if isinstance(node, t.ExprStmt)}
    found = set[t.Symbol]()
    for node in walk(body):
        match node:
            case t.Assign(target=t.Name(symbol=symbol), value=value) if node not in statements or not is_pure(value):
                found.add(symbol)
            case _:
                pass
    return found


def _named_beside(body: t.Stmt, symbols: Collection[t.Symbol]) -> set[t.Symbol]:
    """What is named elsewhere than in what goes, and must go on being declared: the counters of other loops, too."""
    blocks = (node for node in walk(body) if isinstance(node, t.Block))
    going = {item for block in blocks for item in block.items if _sets(item, symbols, symbols)}
    targets = {item.expr.target for item in going if isinstance(item, t.ExprStmt) and isinstance(item.expr, t.Assign)}
    return {node.symbol for node in walk(body) if isinstance(node, t.Name) and node not in targets}


def _without_stores(node: Node, sets: Callable[[t.Stmt], bool]) -> Node | None:
    if not isinstance(node, t.Block) or not any(map(sets, node.items)):
        return None
    kept = (item for item in node.items if not sets(item))
    return t.Block(node.loc, tuple(rewritten(item, lambda part: _without_stores(part, sets)) for item in kept))


def _sets(item: t.Stmt, symbols: Collection[t.Symbol], undeclared: Collection[t.Symbol]) -> bool:
    match item:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
            return symbol in symbols and is_pure(value)
        case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=init),)):
            return symbol in undeclared and (init is None or is_pure(init))
        case _:
            return False


def _names_read(body: t.Stmt, facts: Facts) -> Iterator[t.Name]:
    """But for those that are only set, and the counter of a loop in that loop, which sets it first."""
    apart: set[Node] = set()
    for node in walk(body):
        if isinstance(node, t.Assign) and node.op == "=":
            apart.add(node.target)
        elif isinstance(node, t.For) and (loop := facts.inner_loops.get(node)) is not None:
            apart |= {part for part in walk(node) if isinstance(part, t.Name) and part.symbol is loop.var}
    yield from (node for node in walk(body) if isinstance(node, t.Name) and node not in apart)


def _is_own(symbol: t.Symbol, body: t.Stmt, facts: Facts) -> bool:
    how = facts.loop.sharing.get(symbol)
    own = how is Sharing.PRIVATE or (how is None and symbol in declared_in(body))
    return own and not symbol.address_taken and facts.is_thread_private(MemoryObject(symbol))
