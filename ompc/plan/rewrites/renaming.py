"""Plan: a variable that several loops use, each for values of its own, becomes a variable of each loop (`auto`).

    for (j...) {                                          for (j...) {
        at = 2 * j - d;  x[at] = r[at + 1];                   int at = 2 * j - d;  x[at] = r[at + 1];
    }                                               ->    }
    for (j...) {                                          for (j...) {
        at = 2 * j - d;  s[j] = x[at] + x[at + 2];            int at_2 = 2 * j - d;  s[j] = x[at_2] + x[at_2 + 2];
    }                                                     }

Then `at` is one expression wherever it is read, which places and sections are made of, and no iteration of a loop waits
for another one because of it. An iteration of the loop assigns the variable before it reads it, and nothing behind the
loop reads what is left there. Variables of one loop alone stay where they are: nothing would be known that is not.

    In: Facts.   Out: the Facts of the same loop with more variables; or the same Facts.
    Not here: arrays; counters, of which each loop has its own already for all analyses.
    Source: Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, 5.4: scalar renaming.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto
from ompc.ir.queries import assigned_in, changed_in, names_in, nodes, symbols_in, unread_in
from ompc.ir.rewrite import rewritten, with_symbols
from ompc.ir.walk import Node
from ompc.omp.model import Sharing
from ompc.plan.rewrites.free_names import FreeNames

Webs = Mapping[t.For, Mapping[t.Symbol, t.Symbol]]
"""For each loop the variables that it has values of its own in, and what they become there."""


def with_variables_of_loops(facts: Facts) -> Facts:
    """`facts` with a variable for each loop where one stood for several."""
    loop, body = facts.loop, facts.device_code.body
    if not facts.inner_loops or has_goto(body) or unread_in(body) is not None:
        return facts
    webs = _webs(facts, body)
    if not webs:
        return facts
    body = _renamed(body, webs)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    after = gather_again(facts, replace(loop, body=body, loops=loops))
    return facts if isinstance(after, Reason) else after


def _webs(facts: Facts, body: t.Stmt) -> Webs:
    loops = [node for node in nodes(body) if isinstance(node, t.For)]
    counters = {symbol for loop in loops for part in (loop.init, loop.step) if part for symbol in changed_in(part)}
    free = FreeNames(facts)
    found: dict[t.For, dict[t.Symbol, t.Symbol]] = {}
    for symbol in sorted(assigned_in(body) - counters, key=lambda symbol: symbol.position):
        if not _is_plain(facts, symbol):
            continue
        for loop in _loops_with_values(body, loops, symbol):
            kind, name = ty.unqualified(symbol.type), free.take(symbol.name)
            own = replace(symbol, name=name, type=kind, storage=t.Storage.AUTO, function=facts.loop.function)
            found.setdefault(loop, {})[symbol] = own
    return found


def _is_plain(facts: Facts, symbol: t.Symbol) -> bool:
    """Is it a scalar of the iteration's own that nothing but its name leads to?"""
    private = facts.loop.sharing.get(symbol, Sharing.PRIVATE) is Sharing.PRIVATE and symbol.is_automatic
    plain = ty.is_scalar(symbol.type) and not symbol.type.quals & {"volatile", "_Atomic"} and not symbol.address_taken
    return private and plain and facts.is_thread_private(MemoryObject(symbol))


def _loops_with_values(body: t.Stmt, loops: Sequence[t.For], symbol: t.Symbol) -> list[t.For]:
    """The loops that get a variable of their own for `symbol`: all but one of those that use what stands in them alone,
    if nothing else does.
    """
    found: list[t.For] = []
    known: set[Node] = set()
    for loop in reversed([loop for loop in loops if _has_values(body, loop, symbol)]):  # inner ones first
        names = _mentions(loop.body, symbol)
        if not names <= known:  # what stands in an inner one of these loops is that loop's
            found.insert(0, loop)
        known |= names
    return found if _mentions(body, symbol) - known else found[1:]


def _has_values(body: t.Stmt, loop: t.For, symbol: t.Symbol) -> bool:
    """Does each iteration of `loop` assign the variable before it reads it, and is it not read behind the loop?"""
    heads = [part for part in (loop.init, loop.condition, loop.step) if part is not None]
    if symbol not in assigned_in(loop.body) or any(symbol in names_in(part) for part in heads):
        return False
    return symbol not in exposed_reads(loop.body) and not read_after(body, loop, symbol)


def _mentions(code: t.Stmt, symbol: t.Symbol) -> frozenset[Node]:
    return frozenset(names_in(code).get(symbol, ()))


# ---------------------------------------------------------------------- renaming


def _renamed(node: t.Stmt, webs: Webs) -> t.Stmt:
    """`node` with the variables of its loops."""

    def change(part: Node) -> Node | None:
        if not isinstance(part, t.For) or part not in webs:
            return None
        body = with_symbols(_renamed(part.body, webs), webs[part])
        return replace(part, body=_with_declarations(body, webs[part].values()))

    return rewritten(node, change)


def _with_declarations(body: t.Stmt, symbols: Iterable[t.Symbol]) -> t.Block:
    """A loop's body that declares `symbols`: where they are set first, if that is one of its own statements."""
    items = list(body.items) if isinstance(body, t.Block) else [body]
    ahead: list[t.Stmt] = []
    for symbol in symbols:
        position = next(k for k, item in enumerate(items) if symbol in names_in(item))
        declared = _as_declaration(items[position], symbol)
        if declared is not None:
            items[position] = declared
        else:
            ahead.append(t.DeclStmt(body.loc, (t.VarDecl(symbol, None, body.loc),)))
    return t.Block(body.loc, (*ahead, *items))


def _as_declaration(statement: t.Stmt | t.VarDecl, symbol: t.Symbol) -> t.DeclStmt | None:
    match statement:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=target), value=value)) if target is symbol:
            if symbol not in symbols_in(value):
                return t.DeclStmt(statement.loc, (t.VarDecl(symbol, value, statement.loc),))
    return None
