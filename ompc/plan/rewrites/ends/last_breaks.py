"""Rewrite: a `break` in what is the last iteration anyway becomes a branch (`auto`).

    for (l = 1; l <= m; l += 2) {               for (l = 1; l <= m; l += 2) {
        A;                                          A;
        if (l == m) {                               if (l == m) {
            B;                           ->             B;
            break;                                  } else {
        }                                               C;
        C;                                          }
    }                                           }

So the loop is one that ends where its head says, which threads of a group can repeat together.

    last            where the condition holds, the loop's variable is a number from which the next step leads past its
                    bound. That is no step past the end of the variable's type: the number is a constant, or the
                    variable of the program that the host asks for its value
    the variable    is not wanted behind the loop, where it would be one step further
    no other jump   of the loop stands in it

    In: Facts.   Out: the Facts of the same loop with such branches; or the same Facts.
    Not here: `return` in a loop, which inlining makes a `break` -- transform/calls/returns.py; target regions.
    Source: if-conversion of jumps forward, as in Allen, Kennedy, Porterfield, Warren, "Conversion of control
    dependence to data dependence" (POPL 1983).
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.ranges import range_of_type
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks, continues, leaves, leaves_loop
from ompc.ir.rewrite import rewritten, with_parts
from ompc.ir.walk import Node
from ompc.omp.asked import Within
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_work import leaves_its_variable


def with_last_breaks(facts: Facts) -> Facts:
    """`facts` where loops inside end by their heads alone, as far as that can be."""
    loop = facts.loop
    if loop.target is not None:
        return facts
    bodies: dict[t.For, t.Stmt] = {}
    within: dict[t.Symbol, Within] = {each.symbol: each for each in loop.within}
    for node, inner in facts.inner_loops.items():
        made = _without_break(facts, inner) if breaks(node.body) else None
        if made is None:
            continue
        body, asked = made
        if asked is not None and within.setdefault(asked.symbol, asked) != asked:
            continue
        bodies[node] = body
    if not bodies:
        return facts

    def change(node: Node) -> Node | None:
        if isinstance(node, t.For) and node in bodies:
            return with_parts(node, body=rewritten(bodies[node], change))
        return None

    body = rewritten(facts.device_code.body, change)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    after = gather_again(facts, replace(loop, body=body, loops=loops, within=tuple(within.values())))
    return facts if isinstance(after, Reason) else after


def _without_break(facts: Facts, loop: CanonicalLoop) -> tuple[t.Stmt, Within | None] | None:
    """The loop's body with a branch in the place of its one `break`, and what the host asks for that."""
    items = loop.body.items if isinstance(loop.body, t.Block) else (loop.body,)
    at = next((k for k, item in enumerate(items) if leaves(item)), None)
    if at is None or any(map(leaves, items[at + 1 :])) or leaves_its_variable(facts, loop):
        return None
    choice, rest = items[at], items[at + 1 :]
    if not isinstance(choice, t.If) or choice.other is not None or leaves_loop(choice) or continues(choice):
        return None
    then = _without_last_break(choice.then)
    if then is None or any(map(leaves, then)):
        return None
    last = _last_of(loop, choice.condition)
    asked = None if last is None else _is_last(facts, loop, last)
    if asked is None:
        return None
    other = t.Block(choice.loc, tuple(rest)) if rest else None
    branch = replace(choice, then=t.Block(choice.loc, then), other=other)
    return t.Block(loop.body.loc, (*items[:at], branch)), asked[0]


def _without_last_break(then: t.Stmt) -> tuple[t.Stmt, ...] | None:
    """The statements in front of the `break` with which a branch ends; None: it ends with something else."""
    match then:
        case t.Break():
            return ()
        case t.Block(items=(*first, last)):
            inner = _without_last_break(last)
            return None if inner is None else (*first, *inner)
        case _:
            return None


def _last_of(loop: CanonicalLoop, condition: t.Expr) -> t.Expr | None:
    """The number that the loop's variable is where the condition holds."""
    match condition:
        case t.Binary(op="&&", left=left, right=right):
            return _last_of(loop, left) or _last_of(loop, right)
        case t.Binary(op="==", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, t.Name) and one.symbol is loop.var:
                    return other
        case _:
            pass
    return None


def _is_last(facts: Facts, loop: CanonicalLoop, last: t.Expr) -> tuple[Within | None] | None:
    """What the host asks so that a step from `last` leads past the loop's bound, where it ends; None: it may not."""
    kind, step = ty.unqualified(loop.var.type), 1 if loop.step is None else loop.constant_step
    if not isinstance(kind, ty.Int) or ty.unqualified(last.type) != kind or step is None or loop.relation == "!=":
        return None
    upper, number = facts.forms.of(loop.upper), facts.forms.of(last)
    beyond = None if upper is None or number is None else (number + -upper).constant
    if beyond is None:
        return None
    if not facts.invariance.holds(last):
        return None
    past = step - beyond if loop.down else step + beyond
    if past < 1 - (loop.relation in ("<", ">")):
        return None
    least, greatest = range_of_type(kind)
    least, greatest = (least + step, greatest) if loop.down else (least, greatest - step)
    value = constant_value(last)
    if value is not None:
        return (None,) if least <= value <= greatest else None
    first = constant_value(loop.lower)
    match last:
        case t.Name(symbol=symbol) if symbol in facts.invariant and facts.can_be_asked(symbol) and first is not None:
            return (Within(symbol, least, first) if loop.down else Within(symbol, first, greatest),)
        case _:
            return None
