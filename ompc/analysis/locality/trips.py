"""Analysis: how often the kernel reads an array, as an estimate for ranking.

A sequential loop with constant bounds counts its trips; one whose bounds are not known counts `UNKNOWN_TRIPS`; a
branch counts half. Estimates rank candidates (reads per byte, the thesis' section 6); no decision about correctness
reads them.
"""

from __future__ import annotations

from ompc.analysis.memory.accesses import Access
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.omp.model import CanonicalLoop

UNKNOWN_TRIPS = 1000
"""Assumed trip count of a loop whose bounds are known only at run time: loops over data are long. Chosen; no
measurement is on record."""


def reads_per_launch(access: Access, loops: tuple[CanonicalLoop, ...]) -> int:
    """Estimated number of times that one launch evaluates `access`."""
    count = 1.0
    for loop in loops:
        count *= _between(constant_value(loop.lower), constant_value(loop.upper), loop.constant_step or 1)
    for node in access.context:
        count *= _times(node)
    return max(1, int(count))


def constant_trips(loop: CanonicalLoop) -> int | None:
    """How often the loop turns, where its bounds are numbers."""
    first, last = constant_value(loop.lower), constant_value(loop.upper)
    if first is None or last is None or not loop.constant_step:
        return None
    between = (first - last if loop.down else last - first) + (loop.relation in ("<=", ">="))
    return max(0, -(-between // loop.constant_step))


def _times(node: t.Stmt | t.Expr) -> float:
    match node:
        case t.For():
            return sequential_trips(node)
        case t.While() | t.DoWhile():
            return UNKNOWN_TRIPS
        case _:
            return 0.5


def sequential_trips(loop: t.For) -> int:
    """Trip count of `for (k = constant; k < constant; k++)`, else UNKNOWN_TRIPS."""
    lower = _initial_value(loop.init)
    match loop.condition:
        case t.Binary(op="<" | ">" | "!=", right=bound):
            return _between(lower, constant_value(bound))
        case t.Binary(op="<=" | ">=", right=bound):
            return _between(lower, constant_value(bound)) + 1
        case _:
            return UNKNOWN_TRIPS


def _initial_value(init: t.Stmt | None) -> int | None:
    match init:
        case t.ExprStmt(expr=t.Assign(op="=", value=value)):
            return constant_value(value)
        case t.DeclStmt(decls=(t.VarDecl(init=t.Expr() as value),)):
            return constant_value(value)
        case _:
            return None


def _between(lower: int | None, upper: int | None, step: int = 1) -> int:
    if lower is None or upper is None:
        return UNKNOWN_TRIPS
    return max(1, abs(upper - lower) // step)
