"""Plan: `parallel` regions that the host runs by itself, where launches stand for all worksharing loops in them.

    #pragma omp parallel private(k)             {
    {                                               int k;
        for (k = 0; k < steps; k++) {               for (k = 0; k < steps; k++) {
            #pragma omp for                             launch_main_u(n, u, v);
            for (...) u[i] = ...
            #pragma omp single
            count++;                                    count++;
        }                                           }
    }                                           }

A team may have one thread (OpenMP 5.2, 10.1), so this is one of the executions that the program allows. That it is the
one that users mean, whatever the number of threads, takes more: what stands outside of the loops, of `single` and of
`master`, changes nothing but variables of each thread's own, and calls nothing; nobody asks for numbers of threads.

    In: a file's launches whose loops a team shares, the program's units.   Out: TeamRegion, or why not.
    Not here: the text -- render/plain/host.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import goes_elsewhere, has_goto
from ompc.ir.queries import changed_in, declared_in, nodes, target_of
from ompc.ir.walk import Node, children
from ompc.omp.model import ParallelLoop
from ompc.plan.model.plan import KernelPlan
from ompc.plan.plain.model import TeamRegion

_ASKS = frozenset(
    "omp_get_thread_num omp_get_num_threads omp_in_parallel omp_get_level omp_get_active_level omp_get_team_size "
    "omp_get_ancestor_thread_num".split()
)
"""Functions that could tell one thread from several."""

_CLAUSES = frozenset({"private", "firstprivate", "shared", "default", "proc_bind", "num_threads"})
_ONE_THREAD = {"single": frozenset({"nowait"}), "master": frozenset[str](), "masked": frozenset[str]()}
"""Constructs of which one thread runs the body, and their clauses that say nothing else."""


def why_its_own(loop: ParallelLoop, kernel: KernelPlan) -> str | None:
    """Why iterations of a team's loop may differ by the thread that runs them; None: they do not."""
    team = kernel.team
    by_number = team is not None and (team.apart is not None or team.parts is not None)
    if by_number or loop.thread_copies or loop.scratch or loop.phases is not None or loop.kept:
        return "its threads are told apart by their numbers"
    return None


def asks_for_threads(units: Sequence[t.Unit]) -> bool:
    """Does the program ask for numbers of threads anywhere?"""
    bodies = (f.body for unit in units for f in unit.functions.values() if f.body is not None)
    named = (node.symbol.name for body in bodies for node in nodes(body) if isinstance(node, t.Name))
    return not _ASKS.isdisjoint(named)


def region_of(loop: ParallelLoop, unit: t.Unit) -> t.Pragma | None:
    """The `parallel` directive of the loop's team, if it stands in the loop's function, in no other construct."""
    function = unit.functions.get(loop.function)
    if loop.team is None or loop.team.region is None or function is None or function.body is None:
        return None
    outermost = (node for node in _of_no_construct(function.body) if isinstance(node, t.Pragma))
    return next((pragma for pragma in outermost if pragma.directive is loop.team.region), None)


def team_region(region: t.Pragma, file: str, launched: Collection[t.Pragma]) -> TeamRegion | str:
    """`launched`: the pragmas of loops that have kernels. In words: why it stays as it is."""
    body, directive = region.body, region.directive
    asked = [node for clause in directive.clauses if clause.expr is not None for node in nodes(clause.expr)]
    known = {clause.name for clause in directive.clauses} <= _CLAUSES and not any(map(_has_effect, asked))
    if directive.name != "parallel" or not known:
        return "the parallel region around it has clauses that need a team"
    jumps = body is None or goes_elsewhere(body) or has_goto(body)
    if not isinstance(body, t.Block) or jumps or region.in_macro or region.loc.file != file:
        return "the parallel region around it is no block that one thread could run"
    alone, dropped = [], []
    for pragma in _inner(body, launched):
        if pragma.in_macro or pragma.loc.file != file or not _is_for_one(pragma):
            return f"the parallel region around it has another construct, in line {pragma.loc.line}"
        dropped.append(pragma)
        alone += [] if pragma.body is None else [pragma.body]
    named = frozenset(node.symbol for node in _left(body, launched) if isinstance(node, t.Name))
    own = declared_in(body) | {symbol for c in directive.all("private") for symbol in c.symbols}
    outside = list(_left(body, {*launched, *dropped}))
    if any(symbol.threadprivate or "volatile" in symbol.type.quals for symbol in named):
        return "the parallel region around it names objects that each thread has, or that change by themselves"
    copied = {symbol for c in directive.all("firstprivate") for symbol in c.symbols}
    differing = (s for code in alone for s in _touched_in(code) if s in own | copied and s not in declared_in(code))
    if any(differing) or not all(_is_alike(node, own) for node in outside):
        return "the parallel region around it has statements that each thread runs, and that are not the same for all"
    declared = [s for c in directive.all("private") for s in c.symbols if s in named]
    if not all(isinstance(ty.unqualified(symbol.type), (ty.Int, ty.Float)) for symbol in declared):
        return "the parallel region around it has private variables that are no numbers"
    return TeamRegion(region, tuple(dropped), tuple(declared))


def _of_no_construct(root: Node) -> Iterator[Node]:
    """All of it, but for what is in a pragma."""
    yield root
    if not isinstance(root, t.Pragma):
        for child in children(root):
            yield from _of_no_construct(child)


def _left(root: Node, without: Collection[t.Stmt]) -> Iterator[Node]:
    """All of it, but for the statements `without`."""
    if root not in without:
        yield root
        for child in children(root):
            yield from _left(child, without)


def _inner(body: t.Block, launched: Collection[t.Pragma]) -> Iterator[t.Pragma]:
    yield from (node for node in _left(body, launched) if isinstance(node, t.Pragma))


def _is_for_one(pragma: t.Pragma) -> bool:
    """A barrier, or a construct of which one thread runs the body, which has no other construct."""
    directive = pragma.directive
    if directive.name == "barrier":
        return pragma.body is None
    known = _ONE_THREAD.get(directive.name)
    has_body = pragma.body is not None and not any(isinstance(node, t.Pragma) for node in nodes(pragma.body))
    return known is not None and has_body and {clause.name for clause in directive.clauses} <= known


def _has_effect(node: Node) -> bool:
    return target_of(node) is not None or isinstance(node, (t.Call, t.OpaqueExpr))


def _touched_in(code: t.Stmt) -> Iterator[t.Symbol]:
    """The variables that it changes, or could change by their addresses."""
    yield from changed_in(code)
    yield from (node.symbol for node in nodes(code) if isinstance(node, t.Name) and node.symbol.address_taken)


def _is_alike(node: Node, own: Collection[t.Symbol]) -> bool:
    """Does it do the same in each thread, and nothing that would show how many there are?"""
    target = target_of(node)
    if target is not None:
        return isinstance(target, t.Name) and target.symbol in own and target.symbol.is_automatic
    match node:
        case t.Call() | t.OpaqueExpr() | t.OpaqueStmt():
            return False
        case t.VarDecl(symbol=symbol):
            return symbol.is_automatic
        case _:
            return True
