"""Rewrite: what the program has set to a number for good is that number in the kernel (`auto`).

    int block;                                       for (jj = 0; jj <= n - 32; jj += 32)
    int main(void) { block = 32;  ... f(n); }            for (j = 0; j < 32; j++)
                                                             a[j + jj] = 0;
    for (jj = 0; jj <= n - block; jj += block)
        for (j = 0; j < block; j++)                  the iterations over jj are independent: an axis of the grid
            a[j + jj] = 0;

Products of two variables are no affine subscripts; with a number in one's place they often are. Where that makes no
more axes, the variable stays: a kernel for any value is as good, and one that can be kept.

    In: Facts.   Out: the Facts of the same loop with such numbers; None: there are none.
    Not here: which variables they are -- analysis/privatisation/settled.py; whether it makes more axes -- order.py.
    Source: interprocedural constant propagation (Callahan, Cooper, Kennedy, Torczon, CC 1986).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.rewrites.elements.short_loops import number


def with_settled_numbers(facts: Facts) -> Facts | None:
    """`facts` with the numbers that its inner loops' heads name."""
    loop = facts.loop
    heads = [e for each in facts.inner_loops.values() for e in (each.lower, each.upper, each.step) if e is not None]
    named = frozenset(symbol for head in heads for symbol in symbols_in(head))
    numbers = {symbol: value for symbol, value in _numbers(facts).items() if symbol in named}
    if not numbers or loop.target is not None:
        return None
    body = rewritten(facts.device_code.body, lambda node: _number(node, numbers))
    loops = [_with_bounds(each, numbers) for each in loop.loops]
    loops[-1] = replace(loops[-1], body=body)
    sharing = {symbol: how for symbol, how in loop.sharing.items() if symbol not in numbers}
    after = gather_again(facts, replace(loop, body=body, loops=tuple(loops), sharing=sharing))
    return None if isinstance(after, Reason) else after


def _numbers(facts: Facts) -> dict[t.Symbol, int]:
    """The variables that are a number whenever the loop's function runs, and of which the loop has no copies."""
    shared = (Sharing.SHARED, None)
    return {s: value for s, value in facts.settled.numbers.items() if facts.loop.sharing.get(s) in shared}


def _number(node: Node, numbers: Mapping[t.Symbol, int]) -> Node | None:
    return number(numbers[node.symbol], node) if isinstance(node, t.Name) and node.symbol in numbers else None


def _with_bounds(loop: CanonicalLoop, numbers: Mapping[t.Symbol, int]) -> CanonicalLoop:
    def change(node: Node) -> Node | None:
        return _number(node, numbers)

    step = None if loop.step is None else rewritten(loop.step, change)
    return replace(loop, lower=rewritten(loop.lower, change), upper=rewritten(loop.upper, change), step=step)
