"""Plan: calls that get arrays become statements of the loop, where elements' names decide what is an axis (`auto`).

    for (k ...) for (j ...) {                     `lhs` is the thread's own: by elements that are named here, the loop
        invert(lhs[i][1], rhs[k][j][i]);          over j is proved to keep nothing in it, and the array can be laid out
    }                                             with the threads' elements contiguous (expansion.py)

    for (k ...) for (j ...)                       of all threads: rows of other j are seen to be others by the
        subtract(a[k][j], b[k][j], c[k][j]);      subscripts of a, b and c alone, which the function does not name

    for (k ...) for (j ...)                       by their addresses: that each iteration over j writes `d` and `x`
        g[k][j] = dist(p + k, p + j, d, &x) + x;  before it reads them is seen where they are named

Only in loops that have others inside, be it in such a function. Calls that get rows of what threads have in common, or
small objects of the thread's own, stay calls where the grid gets no axis by it, and threads have no more loops to
share: functions are what the reader knows.

    In: Facts.   Out: the Facts of the same loop with such calls inlined; or the same Facts.
    Not here: the statements -- transform/calls/inlining.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import callee
from ompc.ir.walk import walk
from ompc.plan.groups.group_loops import in_groups_of_threads
from ompc.plan.groups.lane_choices import LaneChoices
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Mapping, choose_mapping, unproved
from ompc.plan.parameters.classification import classify_parameters
from ompc.transform.calls.inlining import Wanted, with_calls_inlined


def with_own_arrays_named(facts: Facts) -> Facts:
    """`facts` without calls that get large arrays of the thread's own, where inner loops may become axes."""

    def wanted(call: t.Call, _: t.Function) -> bool:
        names = (node.symbol for arg in call.args for node in walk(arg) if isinstance(node, t.Name))
        return any(_is_large(symbol.type) and facts.is_thread_private(MemoryObject(symbol)) for symbol in names)

    return _inlined(facts, wanted) if facts.inner_loops else facts


def with_objects_named(
    facts: Facts, choices: LaneChoices, finished: Callable[[Facts], Facts]
) -> tuple[Facts, str | None]:
    """`facts` without calls that get rows of arrays, or addresses of the thread's own variables, where inner loops
    become axes by that, or the loops of groups of threads; and which calls. `finished`: what is done for statements
    that have come from functions.
    """

    def is_object(arg: t.Expr) -> bool:
        return _is_row(arg) or _is_own(facts, arg)

    inner = [node for loop in facts.inner_loops.values() for node in walk(loop.body)]
    inner += [node for node in walk(facts.device_code.body) if isinstance(node, t.Call) and _has_loops(facts, node)]
    calls = [node for node in inner if isinstance(node, t.Call) and any(map(is_object, node.args))]
    if facts.unit.functions.keys().isdisjoint(_names(calls)):
        return facts, None

    def wanted(call: t.Call, _: t.Function) -> bool:
        return any(map(is_object, call.args))

    after = _inlined(facts, wanted, pointers=True)
    after = after if after is facts else finished(after)
    if after is facts or isinstance(unproved(after) or classify_parameters(after), Reason):
        return facts, None
    before, mapping = (choose_mapping(known, joins=True) for known in (facts, after))
    axes = len(mapping.loops) - len(before.loops)
    gained = "more loops axes" if axes > 0 else "threads share more loops"
    if axes < 0 or (axes == 0 and not _shares_more(after, mapping, facts, before, choices)):
        return facts, None
    kept = _names(node for node in walk(after.device_code.body) if isinstance(node, t.Call))
    names = ", ".join(f"'{name}'" for name in _names(calls) if name not in kept)
    return after, f"statements stand for the calls of {names}: what they name makes {gained}"


def _shares_more(after: Facts, now: Mapping, facts: Facts, before: Mapping, choices: LaneChoices) -> bool:
    shared = set(in_groups_of_threads(after, now, choices))
    return bool(shared.difference(in_groups_of_threads(facts, before, choices)))


def _inlined(facts: Facts, wanted: Wanted, *, pointers: bool = False) -> Facts:
    loop = facts.loop
    if loop.target is not None:
        return facts
    inlined = with_calls_inlined(loop, facts.unit.functions, wanted, pointers=pointers)
    if inlined is loop:
        return facts
    after = gather_again(facts, inlined)
    return facts if isinstance(after, Reason) else after


def _names(calls: Iterable[t.Call]) -> tuple[str, ...]:
    """Of the functions, each once."""
    return tuple(dict.fromkeys(call.function.symbol.name for call in calls if isinstance(call.function, t.Name)))


def _has_loops(facts: Facts, call: t.Call) -> bool:
    function = callee(call, facts.unit.functions)
    body = None if function is None else function.body
    return body is not None and any(isinstance(node, t.For) for node in walk(body))


def _is_large(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Array) and (ty.size_of(kind) or 0) >= DEVICE.small_array


def _is_own(facts: Facts, arg: t.Expr) -> bool:
    """Is it the address of a variable, or an array, of which each thread has its own?"""
    match arg:
        case t.Unary(op="&", operand=t.Name(symbol=symbol)):
            return facts.is_thread_private(MemoryObject(symbol))
        case t.Name(symbol=symbol):
            return isinstance(symbol.type, ty.Array) and facts.is_thread_private(MemoryObject(symbol))
        case _:
            return False


def _is_row(arg: t.Expr) -> bool:
    """Is it an element, with others beside it, that is an array, or the address of an element?"""
    if isinstance(arg, t.Unary) and arg.op == "&":
        return isinstance(arg.operand, t.Index)
    return isinstance(arg, t.Index) and isinstance(arg.type, ty.Array)
