"""Ordered blocks: where iterations are independent, their order is seen in what they print, and only there.

    #pragma omp parallel for ordered                 each iteration of the kernel
    for (i = 0; i < n; i++) {                        {
        y[i] = f(x[i]);                                  y[i] = f(x[i]);
        #pragma omp ordered                   ->         printf("%g\\n", y[i]);
        printf("%g\\n", y[i]);                         }
    }

The blocks of a loop run one after another, in the order of its iterations. So a block may read what those of earlier
iterations have left: for what is in it nobody promises independence, and such a loop is launched only where that is
proved (`ParallelLoop.in_order`). Then the blocks may run at any time, but for what they print; and that the host
prints behind the launch, in the order of the iterations anyway (runtime/launch/ompc_printf_drain.h).

In: a loop as the file has it, and the functions that it calls.   Out: the same with the statements of the ordered
blocks in their places.
Not here: `doacross` and `depend`, by which an iteration waits for others that it names (OMPC313); whether iterations
are independent -- plan/mapping.
Source: OpenMP 5.2, 15.10.2 (the block-associated `ordered` construct).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir.queries import reached
from ompc.ir.rewrite import rewritten, with_bodies
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop, Succession
from ompc.omp.parallel_loop import is_ordered_block


def with_ordered_blocks(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> ParallelLoop:
    """`loop` without its `ordered` directives; itself where it has none, and no function that it calls."""
    if loop.body is None or not loop.loops:
        return loop
    body = rewritten(loop.body, _inside)
    if body is loop.body and not any(map(_has_block, reached(loop.body, functions))):
        return loop
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return replace(loop, body=body, loops=loops, in_order=loop.in_order or Succession("`ordered`"))


def functions_without_ordered(unit: t.Unit) -> t.Unit:
    """`unit` with its functions as they are in kernels."""
    return with_bodies(unit, _is_block, lambda body: rewritten(body, _inside))


def _has_block(code: t.Stmt) -> bool:
    return any(map(_is_block, walk(code)))


def _is_block(node: Node) -> bool:
    return isinstance(node, t.Pragma) and is_ordered_block(node)


def _inside(node: Node) -> Node | None:
    if isinstance(node, t.Pragma) and is_ordered_block(node) and node.body is not None:
        return rewritten(node.body, _inside)
    return None
