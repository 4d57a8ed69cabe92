"""Plan: what a launch reads from memory and does not change reaches the kernel as a number (`auto`).

    for (i = 0; i < gp[2]; i++)                  OMPC_OFFLOAD(ompc_launch_f(gp[2], gp[1], a))   the host reads it once
        for (j = 0; j < gp[1]; j++)      ->      for (j = 0; j < gp_1; j++)                   in the kernel
            a[i * gp[1] + j] = 0;                    a[i * gp_1 + j] = 0;

From here on it is a variable that the loop only reads, so every analysis knows it for fixed: bounds make axes of the
grid, products with it are rows. Where the original evaluates it only if the loop has an iteration, so does the host
(`0 < n ? g->nx : 0`).

    In: Facts.   Out: the Facts of the same loop with such variables in `ParallelLoop.fixed`; or the same Facts.
    Not here: which reads they are -- locality/invariant_loads.py. Target regions: their data may be newer elsewhere.
    Source: scalar promotion (Carter and others, "Register promotion in C programs", PLDI 1997), for a launch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.equality import same
from ompc.analysis.locality.invariant_loads import InvariantLoad, invariant_loads
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import nodes
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop, FixedRead
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.free_names import FreeNames

_POSITION = -2_000
"""The position of the first new variable. It puts such variables before those of the file, in an order of their own."""


def with_fixed_reads(facts: Facts, strict_aliasing: bool) -> Facts:
    """`facts` with what inner loops' bounds and subscripts read from memory in variables, where nothing changes it."""
    if facts.loop.target is not None:
        return facts
    loads = [load for load in invariant_loads(facts, strict_aliasing) if _may_be_read_by_host(facts, load)]
    if not loads:
        return facts
    loop, free = facts.loop, FreeNames(facts)
    fixed: dict[t.Symbol, FixedRead] = {}
    names: dict[Node, t.Expr] = {}
    known: list[tuple[InvariantLoad, t.Symbol]] = []
    for number, load in enumerate(loads):
        kind, where = ty.unqualified(load.value.type), load.value.loc
        name = free.take(name_of(load.value))
        symbol = t.Symbol(name, kind, t.Storage.AUTO, where, _POSITION + number, loop.function)
        fixed[symbol] = FixedRead(load.value, " && ".join(_have_iterations(load.inside)), load.compared)
        names |= {node: t.Name(kind, node.loc, symbol) for node in load.nodes}
        if not load.inside:
            known.append((load, symbol))
    body = rewritten(facts.device_code.body, names.get)
    loops = [_with_bounds(each, known) for each in loop.loops]
    loops[-1] = replace(loops[-1], body=body)
    after = gather_again(facts, replace(loop, body=body, loops=tuple(loops), fixed={**loop.fixed, **fixed}))
    return facts if isinstance(after, Reason) else after


def _may_be_read_by_host(facts: Facts, load: InvariantLoad) -> bool:
    """Not an element for a statement between launches: it is there so that the host need not wait for elements."""
    return not (facts.loop.is_statement and any(isinstance(node, t.Index) for node in nodes(load.value)))


def _with_bounds(loop: CanonicalLoop, known: Sequence[tuple[InvariantLoad, t.Symbol]]) -> CanonicalLoop:
    """The annotated loop with the variables in its bounds, too."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, (t.Name, t.Index, t.Member, t.Unary)):
            return None
        found = next((symbol for load, symbol in known if same(load.value, node)), None)
        return None if found is None else t.Name(found.type, node.loc, found)

    lower, upper = rewritten(loop.lower, change), rewritten(loop.upper, change)
    step = None if loop.step is None else rewritten(loop.step, change)
    return replace(loop, lower=lower, upper=upper, step=step)


def _have_iterations(loops: Sequence[CanonicalLoop]) -> Iterator[str]:
    """The conditions under which the loops have one; none where that is certain."""
    for loop in loops:
        where, kind = loop.statement.loc, ty.unqualified(loop.type)
        first = loop.lower if loop.lower.type == kind else t.Cast(kind, where, loop.lower)
        condition = t.Binary(ty.INT, where, loop.relation, first, loop.upper)
        if constant_value(condition) != 1:
            yield c_expr(condition)
