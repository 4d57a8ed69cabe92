"""Plan: a parameter that all calls give one small number is that number in the kernel, and the host asks (`auto`).

    void forces(int n, int dims, double *f)                  launched where dims == 3
    {   #pragma omp parallel for
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)                          for (j ...) {
                for (d = 0; d < dims; d++)            ->         f[3 * i] += ...; f[3 * i + 1] += ...;
                    f[dims * i + d] += ...;                      f[3 * i + 2] += ...; }
    }
    int main(void) { int dims = 3; ... forces(n, dims, f);

So a loop over the dimensions of space is as short as one that says 3 (short_loops.py). Where the number is another one
after all, the host runs the loop.

    which number    calls that are seen, of which each gives the same: a constant, or a variable that is given nothing
                    but that constant
    which loops     that end at such a parameter, and are unrolled then

    In: Facts.   Out: the Facts of the same loop with the number, of which that is asked; or the same Facts.
    Not here: numbers of other loops: a kernel for any size is as good, and one that can be kept.
    Source: interprocedural constants (Callahan, Cooper, Kennedy, Torczon, CC 1986), here as a guess that is checked, as
    in procedure cloning (Cooper, Hall, Kennedy, 1993).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import callee, nodes, values_given
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.asked import Within
from ompc.plan.rewrites.elements.short_loops import MOST_ITERATIONS, number, with_short_loops_unrolled


def with_usual_numbers(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with such numbers, where loops are unrolled by that."""
    numbers = dict(_usual_numbers(facts)) if facts.loop.scan is None else {}
    if not numbers:
        return facts, None
    loop = facts.loop
    body = rewritten(facts.device_code.body, lambda node: _number(node, numbers))
    within = (*loop.within, *(Within(symbol, value, value) for symbol, value in numbers.items()))
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    found = gather_again(facts, replace(loop, body=body, loops=loops, within=within))
    if isinstance(found, Reason):
        return facts, None
    after, line = with_short_loops_unrolled(found)
    return (facts, None) if line is None else (after, line)


def _number(node: Node, numbers: Mapping[t.Symbol, int]) -> Node | None:
    return number(numbers[node.symbol], node) if isinstance(node, t.Name) and node.symbol in numbers else None


def _usual_numbers(facts: Facts) -> Iterator[tuple[t.Symbol, int]]:
    """The parameters at which loops end, with what calls give for them."""
    function = facts.unit.functions.get(facts.loop.function)
    if function is None:
        return
    ends = {loop.upper.symbol for loop in facts.inner_loops.values() if isinstance(loop.upper, t.Name)}
    for position, parameter in enumerate(function.params):
        asked = parameter in ends and parameter in facts.invariant and facts.can_be_asked(parameter)
        if asked and isinstance(ty.unqualified(parameter.type), ty.Int):
            values = set(_values(facts.unit, function, position))
            value = values.pop() if len(values) == 1 else None
            if value is not None and 1 < value <= MOST_ITERATIONS:
                yield parameter, value


def _values(unit: t.Unit, function: t.Function, position: int) -> Iterator[int | None]:
    """What the calls of the function give at this position; None: some number."""
    for caller in unit.functions.values():
        if caller.body is None:
            continue
        for node in nodes(caller.body):
            if isinstance(node, t.Call) and callee(node, unit.functions) is function:
                yield _value(node.args[position], caller) if position < len(node.args) else None


def _value(arg: t.Expr, caller: t.Function) -> int | None:
    while isinstance(arg, t.Cast) and ty.is_integer(arg.type) and ty.is_integer(arg.operand.type):
        arg = arg.operand
    if not isinstance(arg, t.Name) or constant_value(arg) is not None:
        return constant_value(arg)
    assert caller.body is not None
    own = arg.symbol.storage is t.Storage.AUTO and not arg.symbol.address_taken
    given = values_given(caller.body, arg.symbol) if own else ()
    return constant_value(given[0]) if len(given) == 1 and given[0] is not None else None
