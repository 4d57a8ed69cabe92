"""Analysis: thread-dependent values: which of the threads' own variables may differ from thread to thread.

The runtime compares the threads' copies at a launch. In a team of one there is nothing to compare, and yet the program
may rely on having the variable for itself, as one thread runs its iterations one after the other:

    double *space = malloc(...);  int me = omp_get_thread_num();        of each thread; so is pool + me * n
    #pragma omp for
    for (...) { for (k...) space[k] = ...;  y[i] = f(space); }          in a kernel all iterations would share it

A value is the same for all when it is built from what the threads share, by statements that all of them execute. That
of a parameter of the function of an orphaned loop is not known.

    In: a loop of a team.   Out: the variables, among those that the team's threads have of their own.
    Not here: whether iterations conflict -- dependence.py.   Source: OpenMP 5.2, 5.1, private variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise

from ompc.analysis.flow.liveness import path_to
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import object_of
from ompc.ir.exits import has_goto, heads_of, paths_out
from ompc.ir.queries import changed_by, declared_in, nodes
from ompc.ir.walk import Node, children
from ompc.omp.constructs import is_run_by_all
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import NUMBER

_SAME_FOR_ALL = frozenset(
    "omp_get_num_threads omp_get_max_threads omp_get_num_procs omp_in_parallel omp_get_level omp_get_active_level"
    " omp_get_team_size omp_get_thread_limit".split()
)

_OF_EACH_THREAD = frozenset(f"{NUMBER} malloc calloc realloc aligned_alloc memalign valloc".split())


@dataclass(frozen=True, slots=True)
class _Change:
    """`symbol` gets a value made of `sources`; `by_some`: not all threads execute it, or one after the other."""

    symbol: t.Symbol
    sources: tuple[t.Expr, ...]
    by_some: bool


def of_one_thread(loop: ParallelLoop) -> frozenset[t.Symbol]:
    """The variables of the team's threads whose value may be another one in each thread."""
    team = loop.team
    assert team is not None
    outlive = {s for s in team.private if s.threadprivate or s.storage is t.Storage.THREAD}
    from_outside = team.private - declared_in(team.code) if team.region is None else frozenset[t.Symbol]()
    return _of_team(team.code, team.private, from_outside | outlive)


def certainly_apart(loop: ParallelLoop) -> frozenset[t.Symbol]:
    """Those that the team's code makes of the number of a thread, or of what it allocates."""
    assert loop.team is not None
    return frozenset(made_of(loop.team.code, _OF_EACH_THREAD)) & loop.team.private


def computed_apart(loop: ParallelLoop) -> frozenset[t.Symbol]:
    """Those of them that come by no other function: `total(me, part)` may be the same for all."""
    assert loop.team is not None
    return frozenset(made_of(loop.team.code, _OF_EACH_THREAD, by_calls=False)) & loop.team.private


def differ(loop: ParallelLoop, values: Collection[t.Expr]) -> bool:
    """May one of the values, made in the team's code, be another one in each thread?"""
    assert loop.team is not None
    return _is_apart(tuple(values), loop.team.private, set(of_one_thread(loop)))


def all_come(loop: ParallelLoop) -> bool:
    """Do all threads of the team come to the loop, equally often, where they do not end or wait elsewhere?

    What decides about that is the same for all: the conditions around it, and those of jumps in the team's code.
    """
    team = loop.team
    if team is None or has_goto(team.code):
        return False
    path = path_to(team.code, loop.pragma)
    if any(isinstance(node, t.Pragma) and not is_run_by_all(node) for node in path[:-1]):
        return False
    heads = [head for node, below in pairwise(path) for head in _deciding(node, below)]
    return not differ(loop, [*heads, *_around_jumps(team.code)])


def _deciding(node: Node, below: Node) -> Iterator[t.Expr]:
    """By what `node` decides whether and how often `below`, which is a part of it, is executed."""
    if isinstance(node, (t.If, t.For, t.While, t.DoWhile, t.Switch)):
        yield from (child for child in children(node) if isinstance(child, t.Expr) and child is not below)
        yield from _around_jumps(node)


@lru_cache(maxsize=64)
def _of_team(code: t.Stmt, private: frozenset[t.Symbol], begin_apart: frozenset[t.Symbol]) -> frozenset[t.Symbol]:
    """For all loops of a team alike. `begin_apart`: what may come from outside with another value for each thread."""
    changes = list(_changes(code, tuple(_around_jumps(code)), False))
    found = {*begin_apart, *(change.symbol for change in changes if change.by_some)}
    found |= {symbol for node in nodes(code) for symbol in _given_away(node) if symbol is not None}
    while True:
        more = {c.symbol for c in changes if c.symbol not in found and _is_apart(c.sources, private, found)}
        if not more:
            return frozenset(found & private)
        found |= more


def _changes(node: Node, heads: tuple[t.Expr, ...], by_some: bool) -> Iterator[_Change]:
    """All assignments, with the conditions around them."""
    match node:
        case t.VarDecl(symbol=symbol, init=init) if init is not None:
            yield _Change(symbol, (init, *heads), by_some)
        case t.Assign() | t.IncDec() if (changed := changed_by(node)) is not None:
            yield _Change(changed, (*heads_of(node), *heads), by_some)
        case t.Pragma():
            by_some = by_some or not is_run_by_all(node)
        case t.If() | t.For() | t.While() | t.DoWhile() | t.Switch() | t.Conditional() | t.Binary(op="&&" | "||"):
            around = () if isinstance(node, t.If | t.Expr) else _around_jumps(node)
            heads = (*heads, *(child for child in children(node) if isinstance(child, t.Expr)), *around)
        case _:
            pass
    for child in children(node):
        yield from _changes(child, heads, by_some)


def _around_jumps(code: t.Stmt) -> Iterator[t.Expr]:
    """The conditions on which control leaves `code`, or an iteration of it, early: `if (k != me) continue;`.

    Not inside of constructs that the threads share out: their jumps stay there.
    """
    for path in paths_out(code, lambda part: not isinstance(part, t.Pragma) or is_run_by_all(part)):
        yield from (head for node in path[1:] for head in heads_of(node))


def _given_away(node: Node) -> Iterator[t.Symbol | None]:
    """What other code may change through an address that is taken here."""
    match node:
        case t.Unary(op="&", operand=operand):
            yield object_of(operand)
        case t.Call(args=args):
            yield from (object_of(arg) for arg in args if isinstance(arg.type, ty.Array))
        case _:
            return


def _is_apart(sources: tuple[t.Expr, ...], private: frozenset[t.Symbol], known: set[t.Symbol]) -> bool:
    return any(_differs(node, private, known) for source in sources for node in nodes(source)) or any(
        _is_address(source, private) for source in sources
    )


def _differs(node: Node, private: frozenset[t.Symbol], known: set[t.Symbol]) -> bool:
    match node:
        case t.Name(symbol=symbol):
            return symbol in known
        case t.Call(function=t.Name(symbol=function)):
            return not device_library.is_device_function(function.name) and function.name not in _SAME_FOR_ALL
        case t.Call() | t.OpaqueExpr():
            return True
        case t.Unary(op="&", operand=operand):
            return object_of(operand) in private
        case t.IncDec() | t.Assign():
            return changed_by(node) not in private
        case _:
            return False


def _is_address(source: t.Expr, private: frozenset[t.Symbol]) -> bool:
    """Does the value lead into an array of the thread's own?"""
    subscripted = {node.base for node in nodes(source) if isinstance(node, t.Index)}
    arrays = (node for node in nodes(source) if isinstance(node, t.Expr) and isinstance(node.type, ty.Array))
    return any(object_of(array) in private for array in arrays if array not in subscripted)


def made_of(code: t.Stmt, functions: Collection[str], by_calls: bool = True) -> dict[t.Symbol, t.Expr]:
    """The variables whose value is made of what one of the functions gives, each with that value; `by_calls`: also of
    what other functions make of it.
    """
    given: list[tuple[t.Symbol, t.Expr]] = []
    for node in nodes(code):
        match node:
            case t.VarDecl(symbol=symbol, init=init) if init is not None:
                given.append((symbol, init))
            case t.Assign(target=t.Name(symbol=symbol), value=value):
                given.append((symbol, value))
            case _:
                pass
    found: dict[t.Symbol, t.Expr] = {}
    while more := {s: value for s, value in given if s not in found and _mentions(value, found, functions, by_calls)}:
        found |= more
    return found


def _mentions(value: Node, found: Collection[t.Symbol], functions: Collection[str], by_calls: bool) -> bool:
    if isinstance(value, t.Name):
        return value.symbol in found or value.symbol.name in functions
    parts = (value.function,) if isinstance(value, t.Call) and not by_calls else children(value)
    return any(_mentions(part, found, functions, by_calls) for part in parts)
