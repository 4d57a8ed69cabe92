"""Analysis: the team that shares the iterations of a loop, and the variables that its threads certainly share.

A race can only be proved where nothing is guessed: every directive around the loop is read to its end, exactly one of
them makes the team, and no clause of any of them gives a thread a copy of its own.

    int t;                                   t: shared, an object outside the region
    #pragma omp parallel private(s)          s: not shared
    {
        int own;                             own: not shared, declared in the region
        #pragma omp for schedule(static, 4)  chunk 4: iterations of one chunk run in one thread
        for (i = 0; i < n; i++) ...

In: a ParallelLoop, its function.   Out: `Team`, or None: not every execution has several threads, or it is not known.
Not here: what the iterations do -- must_execute.py.   Source: OpenMP 5.2, 5.1 (data-sharing), 11.5 (worksharing loops).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.directive import Clause, Directive
from ompc.ir.queries import declared_in
from ompc.ir.walk import children
from ompc.omp.constructs import is_made_of, openmp
from ompc.omp.model import ParallelLoop, Sharing

_NO_COPY = frozenset({"shared", "map", "aligned", "nontemporal", "depend", "affinity", "copyin"})
"""Clauses with a list that make no copies of the variables in it."""

_STATIC = frozenset(
    {t.Storage.GLOBAL, t.Storage.FILE_STATIC, t.Storage.EXTERN, t.Storage.LOCAL_STATIC, t.Storage.THREAD}
)


@dataclass(frozen=True, slots=True)
class Team:
    """The threads that share the iterations of a loop.

    `region`         the construct that makes the team
    `inside`         variables that are declared in it
    `copied`         variables of which threads may have their own
    `only`           the variables that its `default` clause leaves shared; None: all
    `conditions`     must hold for the team to have several threads (`if` clauses)
    `chunk`          the least number of iterations that one thread certainly takes together
    `dealt_in_turn`  the threads take chunks of just so many iterations in turn (`schedule(static, c)`)
    `keeps_order`    its schedule says that one thread takes certain iterations, in their order
    `concurrent`     if this is false, it is not known which iterations one thread takes
    """

    region: t.Pragma
    inside: frozenset[t.Symbol]
    copied: frozenset[t.Symbol]
    only: frozenset[t.Symbol] | None
    conditions: tuple[t.Expr, ...]
    chunk: int = 1
    dealt_in_turn: bool = False
    keeps_order: bool = False
    concurrent: bool = True

    def shares(self, symbol: t.Symbol) -> bool:
        """Do all threads certainly name the same object by `symbol`?"""
        if symbol.threadprivate or symbol.storage is t.Storage.THREAD or symbol in self.copied:
            return False
        if symbol.storage is t.Storage.LOCAL_STATIC:
            return True
        if self.only is not None and symbol not in self.only:
            return False
        return symbol not in self.inside


def pragmas_around(function: t.Function) -> Mapping[t.Stmt, tuple[t.Pragma, ...]]:
    """For each `for` statement of the function the pragmas that it stands in, outermost first."""
    found: dict[t.Stmt, tuple[t.Pragma, ...]] = {}
    stack: list[tuple[t.Stmt, tuple[t.Pragma, ...]]] = [] if function.body is None else [(function.body, ())]
    while stack:
        node, around = stack.pop()
        if isinstance(node, t.For):
            found[node] = around
        inside = (*around, node) if isinstance(node, t.Pragma) else around
        stack.extend((child, inside) for child in children(node) if isinstance(child, t.Stmt))
    return found


def team_of(loop: ParallelLoop, around: Sequence[t.Pragma]) -> Team | None:
    """The team of `loop`, whose outermost statement stands in the pragmas `around`."""
    directives = [(pragma, directive) for pragma in around if (directive := openmp(pragma)) is not None]
    if any(directive.problem is not None for _, directive in directives):
        return None
    makers = [(pragma, d) for pragma, d in directives if is_made_of(d, "parallel", "teams")]
    if len(makers) != 1:
        return None
    region, maker = makers[0]
    every = [d for _, d in directives]
    if any(clause.expr is not None for d in every for clause in d.all("ordered")):
        return None  # the variables of all loops that it counts are private
    conditions = _conditions(every)
    schedule = _schedule(loop, every)
    if conditions is None or any(_one_thread(d) for d in every):
        return None
    chunk, in_turn = schedule or (1, False)
    assert region.body is not None
    private = {symbol for symbol, sharing in loop.sharing.items() if sharing is not Sharing.SHARED}
    return Team(
        region=region,
        inside=frozenset(s for s in declared_in(region.body) if s.storage not in _STATIC),
        copied=frozenset(private).union(*(_copied(d) for d in every)),
        only=_only(maker),
        conditions=conditions,
        chunk=chunk,
        dealt_in_turn=in_turn,
        keeps_order=schedule is None or chunk > 1 or in_turn,
        concurrent=schedule is not None,
    )


def _copied(directive: Directive) -> Iterator[t.Symbol]:
    return (s for clause in directive.clauses if clause.name not in _NO_COPY for s in clause.symbols)


def _only(maker: Directive) -> frozenset[t.Symbol] | None:
    """The variables that `default(private)` and its like leave shared; None: all."""
    default = maker.first("default")
    if default is None or default.kind in ("shared", "none"):
        return None
    return frozenset(symbol for clause in maker.all("shared") for symbol in clause.symbols)


def _one_thread(directive: Directive) -> bool:
    """Does a clause ask for one thread, or one team? Then nothing runs at the same time."""
    if any(clause.kind == "thread" for clause in directive.all("bind")):
        return True
    return any(
        clause.expr is not None and constant_value(clause.expr) in (0, 1)
        for clause in (*directive.all("num_threads"), *directive.all("thread_limit"))
    ) or any(
        clause.lower is None and clause.expr is not None and constant_value(clause.expr) == 1
        for clause in directive.all("num_teams")
    )


def _conditions(directives: Sequence[Directive]) -> tuple[t.Expr, ...] | None:
    """The conditions of all `if` clauses; None: one is never true."""
    found = []
    for clause in (clause for directive in directives for clause in directive.all("if")):
        if clause.modifier in ("simd", "target", "task"):
            continue
        if clause.expr is None or constant_value(clause.expr) == 0:
            return None
        if constant_value(clause.expr) is None:
            found.append(clause.expr)
    return tuple(found)


def _schedule(loop: ParallelLoop, directives: Sequence[Directive]) -> tuple[int, bool] | None:
    """The chunk and whether chunks are dealt out in turn; None: which iterations share a thread is not known."""
    clauses = [c for d in directives for name in ("schedule", "dist_schedule") for c in d.all(name)]
    if len(clauses) > 1:
        return None
    if not clauses:
        return 1, False
    return _chunk(clauses[0], len(loop.loops))


def _chunk(clause: Clause, loops: int) -> tuple[int, bool] | None:
    if clause.expr is None:
        return 1, False
    chunk = constant_value(clause.expr)
    if chunk is None or chunk < 1 or loops != 1:
        return None
    return chunk, clause.kind == "static"
