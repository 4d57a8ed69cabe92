"""The ids of loops, by which kernels, logs, profiles and settings call them: from the function, without line numbers.

    void solve() {                                  the only loop of `sweep` is called sweep
        #pragma omp parallel for                    of several loops, each is called after
        for (i...) old[i] = u[i];      solve_old      the array that it writes first,
        #pragma omp parallel for reduction(+:e)
        for (i...) e += u[i] - old[i]; solve_e        else what it reduces to, or another variable,
        #pragma omp parallel for
        for (i...) relax(i);           solve_relax    else the function that it calls
        #pragma omp parallel for
        for (i...) old[i] = 0;         solve_old_2    with a number where another loop has the name
    }

So lines may come and go without changing a name. Loops without a pragma get theirs last, and never the function's own,
so that the others are called the same with and without them. The ids of what is made of a loop (`_fused`, `_equal`)
are taken with its own.

    In: the loops of a unit.   Out: the same loops with ids, unique in the unit.
    Not here: how kernels are spelled where something else in the file has the name -- render/local_names.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from ompc.base.visible import in_ascii
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Selection, access_path
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigned_in, called, declared_in, targets_written
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop, Sharing

DERIVED = ("_fused", "_equal", "_chain", "_around")
"""What stands behind the id of a loop in those of loops that are made of it."""

_OF_ALL = (Sharing.SHARED, Sharing.SHARED_REDUCTION, Sharing.REDUCTION)


def named(loops: Sequence[ParallelLoop]) -> tuple[ParallelLoop, ...]:
    """`loops`, in the order of the text, with their ids."""
    counts = Counter(loop.function for loop in loops if not loop.is_added)
    taken: set[str] = set()
    names: dict[ParallelLoop, str] = {}
    for loop in sorted(loops, key=lambda loop: loop.is_added):
        is_only = not loop.is_added and counts[loop.function] == 1 and loop.function != "main"
        wanted = in_ascii(loop.function if is_only else _in_words(loop))
        names[loop] = next(name for name in _numbered(wanted) if taken.isdisjoint(_with_derived(name)))
        taken.update(_with_derived(names[loop]))
    return tuple(replace(loop, id=names[loop]) for loop in loops)


def _in_words(loop: ParallelLoop) -> str:
    """The function, and what the loop is about; the latter is not said twice."""
    stem = loop.function.rstrip("_") or loop.function
    word = next(_subjects(loop), "loop").strip("_")
    return stem if stem.endswith(f"_{word}") else f"{stem}_{word}"


def _subjects(loop: ParallelLoop) -> Iterator[str]:
    """What may name the loop, best first."""
    if loop.body is None:
        return
    own = declared_in(loop.body) | {nested.var for nested in loop.loops}
    for array in map(_array_of, targets_written(loop.body)):
        if isinstance(array, t.Symbol) and (array in own or loop.sharing.get(array, Sharing.SHARED) not in _OF_ALL):
            continue
        if array is not None and array.name:
            yield array.name
    yield from (item.symbol.name for item in loop.reductions)
    own = own.union(*(assigned_in(part) for part in _counting(loop.body)))
    for variable in targets_written(loop.body):  # such as what a thread of a region accumulates for itself
        if isinstance(variable, t.Name) and variable.symbol not in own:
            yield variable.symbol.name
    yield from called(loop.body)


def _counting(body: t.Stmt) -> Iterator[Node]:
    """What the inner loops do with their counters."""
    for loop in walk(body):
        if isinstance(loop, t.For):
            yield from (part for part in (loop.init, loop.step) if part is not None)


def _array_of(lvalue: t.Expr) -> t.Symbol | ty.Field | None:
    """The variable or member that is subscripted first, or that points: `rhs` of `grid->rhs[k].x`. None: a variable."""
    path = access_path(lvalue)
    if not path.subscripts:
        return None
    is_of_one = path.follows and len(path.subscripts) > 1 and constant_value(path.subscripts[0]) == 0  # p->x[i]
    before = list(takewhile(lambda step: isinstance(step, Selection), path.steps[is_of_one:]))
    match before, path.origin:
        case [*_, Selection(member=member)], _:
            return member
        case [], t.Name(symbol=symbol):
            return symbol
        case [], t.Member(member=member):
            return member
        case [], origin if access_path(origin).steps:
            return _array_of(origin)
        case _:
            return None


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        number += 1
        yield f"{name}_{number}"


def _with_derived(name: str) -> set[str]:
    return {name, *(f"{name}{suffix}" for suffix in DERIVED)}
