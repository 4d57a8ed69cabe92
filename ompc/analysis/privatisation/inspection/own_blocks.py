"""Rewrite: an object of each thread becomes one of the block in which it begins anew.

    #pragma omp threadprivate(x)                 for (jj ...) {
    for (jj ...) {                                   double x[N];
        fill(x);  ... = x[i];           ->           fill(x);  ... = x[i];
    }                                            }

So iterations of the loops around that block do not share it.

    In: a loop, the places of the blocks.   Out: the loop.
    Not here: where objects begin anew -- inspectors.py.
    Source: array privatisation (Tu and Padua, "Automatic array privatization", LCPC 1993).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.privatisation.inspection.slices import innermost_block
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir.rewrite import rewritten, with_symbols
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop


def declared_inside(loop: ParallelLoop, blocks: Mapping[t.Symbol, Location]) -> ParallelLoop:
    """`loop` with its objects in the blocks at these places."""
    assert loop.body is not None
    body, sharing = loop.body, dict(loop.sharing)
    for symbol, place in blocks.items():
        block = innermost_block(body, symbol)
        if block is None or block.loc != place:
            continue
        own = replace(symbol, storage=t.Storage.AUTO, threadprivate=False, function=loop.function)
        declaration = t.DeclStmt(block.loc, (t.VarDecl(own, None, symbol.loc),))
        inner = with_symbols(block, {symbol: own})
        body = _with(body, block, replace(inner, items=(declaration, *inner.items)))
        del sharing[symbol]
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return loop if body is loop.body else replace(loop, body=body, loops=loops, sharing=sharing)


def _with(body: t.Stmt, block: t.Block, inner: t.Block) -> t.Stmt:
    def change(node: Node) -> Node | None:
        return inner if node is block else None

    return rewritten(body, change)
