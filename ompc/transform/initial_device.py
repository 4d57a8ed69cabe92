"""`omp_is_initial_device()` is 1 wherever it is called: the reference has no device but the host.

    #pragma omp target teams distribute parallel for map(from: away)
    for (i = 0; i < n; i++) {
        if (!omp_is_initial_device())                       if (!1)
            away = 1;                               ->          away = 1;
        a[i] = b[i];                                        a[i] = b[i];
    }

A kernel computes what the host would have (docs/openmp.md), whose `target` regions are code like any other, and the
program has the answer of a translation that has no GPU. A function of this name that the file defines, or declares
itself, is the user's own.

In: the file's tree.   Out: the same without such calls.
Not here: questions whose answer is a number of the host's; how many devices there are -- analysis/eligibility.
Source: OpenMP 5.2, 18.7.6; libgomp, omp_is_initial_device.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir.rewrite import rewritten, with_bodies
from ompc.ir.walk import Node

_QUESTION = "omp_is_initial_device"


def with_initial_device(unit: t.Unit) -> t.Unit:
    """`unit` with 1 in the place of the question."""
    if _QUESTION in unit.functions:
        return unit
    return with_bodies(unit, _asks, _answered)


def _asks(node: Node) -> bool:
    match node:
        case t.Call(function=t.Name(symbol=symbol), args=(), loc=loc):
            return symbol.name == _QUESTION and symbol.loc.file != loc.file
        case _:
            return False


def _answered(body: t.Block) -> t.Block:
    def change(node: Node) -> Node | None:
        return t.IntConst(node.type, node.loc, 1, "1") if isinstance(node, t.Call) and _asks(node) else None

    return rewritten(body, change)
