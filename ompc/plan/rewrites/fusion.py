"""Rewrite: loops that follow each other become one loop (loop fusion).

    #pragma omp parallel for                        for (i = 0; i < n; i++) {
    for (i = 0; i < n; i++) x[i] = a * y[i];            x[i] = a * y[i];
    #pragma omp parallel for                 ->         z[i] += x[i];
    for (j = 0; j < n; j++) z[j] += x[j];           }

An iteration of the second loop may then run before iterations of the first one, but not before its own. So the joint
loop is taken for one that promises nothing (`ParallelLoop.in_order`): all its iterations are to be proved independent,
and its launcher compares its arrays as that of any such loop does. What the joint loop cannot tell is asked here:

    same iterations     the same numbers, counted in the same way and type; no bound that the loops change
    no way around       an iteration of the first loop comes to the end of its body
    one meaning         of each name, of each variable in both loops, of all clauses: both loops have the same ones
    what comes late     results of reductions: the second loop neither names them nor may reach them by a pointer

    In: the Facts of two loops, the first of which may be a joint one.   Out: the Facts of the joint loop, or None.
    Not here: which loops follow each other, and whether it pays -- plan/fused_loops.py.
    Source: Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 6.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.interchange.loop_bounds import Likeness, likeness
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.exits import has_goto, leaves
from ompc.ir.queries import changed_in, declared_in, nodes, symbols_in
from ompc.ir.rewrite import with_symbols
from ompc.omp.model import CanonicalLoop, League, Override, ParallelLoop, ReductionItem, Sharing, Succession
from ompc.plan.mapping.kept_bounds import changed_part

FUSED = Succession("a loop made of several")
"""Why the joint loop's iterations are to be proved independent."""

_CLAUSES = frozenset({"private", "firstprivate", "shared", "default", "reduction", "schedule", "collapse", "nowait"})
_LISTS = ("private", "firstprivate", "shared", "reduction")
_SHARINGS = frozenset({Sharing.SHARED, Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.REDUCTION, Sharing.LOOP})


def fused(first: Facts, second: Facts, strict_aliasing: bool) -> Facts | None:
    """The facts of one loop that does what `first` and then `second` do; None: not known, or not so."""
    if not (_may_be_part(first) and _may_be_part(second) and _have_same_construct(first.loop, second.loop)):
        return None
    if not _have_same_iterations(first, second) or not _comes_to_its_end(first.loop):
        return None
    numbers = {b.var: a.var for a, b in zip(first.loop.loops, second.loop.loops, strict=True)}
    if not (_names_agree(first.loop, second.loop, numbers) and _sharings_agree(first.loop, second.loop, numbers)):
        return None
    if _sees_results(first, second):
        return None
    made = gather_again(first, _joint(first.loop, second.loop, numbers))
    if isinstance(made, Reason):
        return None
    loops = (*first.loop.loops, *second.loop.loops)
    return made if all(_has_fixed_bounds(made, loop, strict_aliasing) for loop in loops) else None


def _body(loop: ParallelLoop) -> t.Stmt:
    assert loop.body is not None
    return loop.body


def _may_be_part(facts: Facts) -> bool:
    """Is the loop nothing but iterations over its variables?"""
    loop, code = facts.loop, facts.device_code
    if loop.in_order not in (None, FUSED) and not loop.is_added:
        return False
    if loop.target is not None or loop.scan is not None or loop.condition is not None or loop.asked or loop.agreed:
        return False
    if loop.linear or loop.lastprivates or loop.league is not League.NONE or loop.override != Override():
        return False
    if any(clause.name not in _CLAUSES for clause in loop.directive.clauses):
        return False
    if not _SHARINGS.issuperset(loop.sharing.values()) or any(map(_is_special, _symbols_of(loop))):
        return False
    if any(item.declared or isinstance(item.symbol.type, ty.Array) for item in loop.reductions):
        return False
    if code.prints or code.leaves or facts.atomic_operations.arg_reductions or has_goto(_body(loop)):
        return False
    return not any(each.dependent or each.pointer is not None for each in loop.loops)


def _comes_to_its_end(loop: ParallelLoop) -> bool:
    """Does each iteration, so that what stands behind it is done?"""
    return not leaves(_body(loop))


def _symbols_of(loop: ParallelLoop) -> frozenset[t.Symbol]:
    """All that the loop names, and what its clauses do."""
    bounds = [b for each in loop.loops for b in (each.lower, each.upper, each.step) if b is not None]
    named = symbols_in(_body(loop)).union(*map(symbols_in, bounds))
    return named | loop.sharing.keys() | {each.var for each in loop.loops}


def _is_special(symbol: t.Symbol) -> bool:
    own = symbol.threadprivate or symbol.storage is t.Storage.THREAD
    return own or not symbol.type.quals.isdisjoint({"volatile", "_Atomic"})


def _have_same_construct(first: ParallelLoop, second: ParallelLoop) -> bool:
    """Do the same threads share the iterations of both, as often, at the same place?"""
    if first.function != second.function or first.copied != second.copied:
        return False
    if first.team is None or second.team is None:
        return first.team is second.team
    return first.team.code is second.team.code and first.team.region is second.team.region


def _have_same_iterations(first: Facts, second: Facts) -> bool:
    if len(first.loop.loops) != len(second.loop.loops):
        return False
    pairs = zip(first.loop.loops, second.loop.loops, strict=True)
    return all(likeness(first, a, b) is Likeness.ALIKE_AS_WRITTEN for a, b in pairs)


def _has_fixed_bounds(made: Facts, loop: CanonicalLoop, strict_aliasing: bool) -> bool:
    """Does the joint loop change nothing that the bounds of one of its loops are made of?"""
    return changed_part(made, (loop.lower, loop.upper, loop.step), strict_aliasing) is None


# ------------------------------------------------------------------------ names and variables

_Numbers = dict[t.Symbol, t.Symbol]
"""The loop variables of the second loop, each with that of the first which stands for it."""


def _names_agree(first: ParallelLoop, second: ParallelLoop, numbers: _Numbers) -> bool:
    """Does each name mean one thing in the joint body?"""
    inside = [declared_in(_body(loop)) for loop in (first, second)]
    counters = {var.name for var in numbers.values()}
    rest = _symbols_of(second) - numbers.keys() - inside[1]
    if not rest.isdisjoint(numbers.values()) or not counters.isdisjoint(_enumerators_in(_body(second))):
        return False
    if any(old.name != new.name and new.name in {s.name for s in inside[1]} for old, new in numbers.items()):
        return False
    known = {symbol.name: symbol for symbol in _symbols_of(first) - inside[0]}
    return all(known.get(symbol.name, symbol) is symbol for symbol in rest)


def _enumerators_in(code: t.Stmt) -> set[str]:
    return {node.text for node in nodes(code) if isinstance(node, t.IntConst) and node.text.isidentifier()}


def _sharings_agree(first: ParallelLoop, second: ParallelLoop, numbers: _Numbers) -> bool:
    """Is a variable of both loops in both what it is in the joint loop? One that the first loop has a copy of, and
    changes, would begin the second one's iterations with another value.
    """
    changed = changed_in(_body(first))
    for symbol, how in second.sharing.items():
        if symbol in numbers:
            continue
        if how is Sharing.FIRSTPRIVATE and (symbol in changed or symbol.address_taken):
            return False
        if first.sharing.get(symbol, how) is not how:
            return False
    reduced = {item.symbol: item.op for item in first.reductions}
    return all(reduced.get(item.symbol, item.op) == item.op for item in second.reductions)


def _sees_results(first: Facts, second: Facts) -> bool:
    """May the second loop read what the first one leaves in a variable of its own or of all iterations?"""
    results = {item.symbol for item in first.loop.reductions}
    results |= {obj.symbol for obj in first.written if _is_scalar_of_all(first, obj)}
    follows = any(obj.pointee for obj in second.shared_objects)
    for symbol in results:
        if MemoryObject(symbol) in second.shared_objects or symbol in second.function_symbols:
            return True
        if follows and (symbol.address_taken or not symbol.is_automatic):
            return True
    return False


def _is_scalar_of_all(facts: Facts, obj: MemoryObject) -> bool:
    return not obj.pointee and ty.is_scalar(obj.symbol.type) and not facts.is_thread_private(obj)


# ------------------------------------------------------------------------------- the joint loop


def _joint(first: ParallelLoop, second: ParallelLoop, numbers: _Numbers) -> ParallelLoop:
    joint = first.in_order == FUSED
    before = _items(first) if joint else (_body(first),)
    body = t.Block(_body(first).loc, (*before, with_symbols(_body(second), numbers)))
    sharing = {s: how for s, how in second.sharing.items() if s not in numbers} | dict(first.sharing)
    return replace(
        first,
        id=first.id if joint else f"{first.id}_fused",
        directive=_directive(first.directive, second.directive),
        loops=(*first.loops[:-1], replace(first.loops[-1], body=body)),
        body=body,
        sharing=sharing,
        reductions=tuple(_reductions(first, second)),
        in_order=FUSED,
    )


def _items(loop: ParallelLoop) -> tuple[t.Stmt, ...]:
    """The bodies of the loops that it is made of."""
    body = _body(loop)
    assert isinstance(body, t.Block)
    return body.items


def _directive(first: Directive, second: Directive) -> Directive:
    """Both in one: no thread comes to what follows before all have been here, unless neither loop makes it wait."""
    waits = first.first("nowait") is None or second.first("nowait") is None
    kept = tuple(clause for clause in first.clauses if clause.name != "nowait" or not waits)
    return replace(first, clauses=kept + tuple(clause for clause in second.clauses if clause.name in _LISTS))


def _reductions(first: ParallelLoop, second: ParallelLoop) -> Iterator[ReductionItem]:
    yield from first.reductions
    known = {item.symbol for item in first.reductions}
    yield from (item for item in second.reductions if item.symbol not in known)
