"""Tasks of an iteration are done where they stand, by the thread that comes to them (OpenMP 5.2, 12.5).

    #pragma omp parallel for                             each iteration of the kernel
    for (i = 0; i < n; i++) {                            {
        double t = x[i];                                     double t = x[i];
        #pragma omp task                                     {
        { t *= 2; y[i] = t; }                 ->                 double t_ = t;
        #pragma omp taskwait                                     t_ *= 2; y[i] = t_;
        z[i] = t;                                            }
    }                                                        z[i] = t;
                                                         }

A task may be done at once: when a thread does it, is up to the library, and none may wait for another one but by
`taskwait`, `taskgroup` and `depend`, of which each waits for tasks of its own thread that were made before. What a
variable of the iteration's, or of the thread's, is in a task is a copy with the value that it has there
(`firstprivate`), unless the task says `shared`; what the loop shares, the task does as well.

`depend` puts tasks of one thread in order, also those of several iterations: then iterations may depend on each other,
and the loop is launched only where it is proved that they do not (`ParallelLoop.in_order`). Where it names nothing but
variables of the iteration's own, no other iteration has them.

In: a loop as its kernel has it.   Out: the same with the tasks' statements in their places; a task that is not
understood stays, and with it the loop on the host (OMPC330).
Not here: tasks in called functions; `taskloop`; `detach`, which waits for somebody else; parts of a `task_reduction`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Clause, Directive
from ompc.ir.queries import changed_in, declared_in, symbols_in
from ompc.ir.rewrite import rewritten, with_symbols
from ompc.ir.walk import Node
from ompc.omp.constructs import readable
from ompc.omp.model import ParallelLoop, Sharing, Succession
from ompc.omp.uses import has_side_effects
from ompc.transform.privatise_simd import copy_of

_HINTS = "affinity allocate if final mergeable priority untied".split()
_CLAUSES = frozenset([*_HINTS, *"default depend firstprivate in_reduction private shared".split()])
_WAITS = frozenset({"taskwait", "taskyield"})
_OWN = (t.Storage.AUTO, t.Storage.REGISTER)


def with_tasks_at_once(loop: ParallelLoop) -> ParallelLoop:
    """`loop` without the tasks that are done where they stand; itself where it has none."""
    if loop.body is None or not loop.loops:
        return loop
    tasks = _Tasks(loop)
    body = rewritten(loop.body, tasks.in_place)
    if body is loop.body or not tasks.understood:
        return loop
    in_order = loop.in_order or (Succession("`depend`") if tasks.in_turn else None)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return replace(loop, body=body, loops=loops, in_order=in_order)


@dataclass
class _Tasks:
    """`understood`: all tasks so far are; `in_turn`: the order of iterations may count."""

    loop: ParallelLoop
    understood: bool = True
    in_turn: bool = False

    def __post_init__(self) -> None:
        assert self.loop.body is not None
        self.own = declared_in(self.loop.body)

    def in_place(self, node: Node) -> Node | None:
        """What takes the place of a task, or of what waits for some."""
        if not isinstance(node, t.Pragma):
            return node if isinstance(node, t.Expr) else None
        directive = readable(node)
        match directive:
            case Directive(name="task") if node.body is not None:
                return self._task(node, node.body, directive)
            case Directive(name=name) if name in _WAITS:
                return t.Empty(node.loc)
            case Directive(name="taskgroup", clauses=()) if node.body is not None:
                return rewritten(node.body, self.in_place)
            case _:
                return None

    def _task(self, pragma: t.Pragma, body: t.Stmt, directive: Directive) -> t.Stmt | None:
        copies = self._copies(pragma, body, directive)
        if copies is None:
            self.understood = False
            return None
        self.in_turn |= not all(map(self._is_of_iteration, directive.all("depend")))
        self.own |= {*copies.values()}
        private = directive.listed("private")
        begins = {old: None if old in private else t.Name(old.type, pragma.loc, old) for old in copies}
        declared = tuple(t.VarDecl(new, begins[old], pragma.loc) for old, new in copies.items())
        inside = rewritten(with_symbols(body, copies), self.in_place)
        return t.Block(pragma.loc, (t.DeclStmt(pragma.loc, declared), inside) if declared else (inside,))

    def _is_of_iteration(self, depend: Clause) -> bool:
        """Does it name variables of the iteration's own, and nothing else?"""
        items = depend.listed
        return bool(items) and all(item.whole and item.symbol in self.own for item in items)

    def _copies(self, pragma: t.Pragma, body: t.Stmt, directive: Directive) -> Mapping[t.Symbol, t.Symbol] | None:
        """The task's own variables, by those that they are copies of; None: the task is not understood."""
        if not all(map(_is_harmless, directive.clauses)):
            return None
        if any(self.loop.sharing.get(s) is not Sharing.REDUCTION for s in directive.listed("in_reduction")):
            return None
        explicit, changed = directive.listed("private", "firstprivate"), changed_in(body)
        others = symbols_in(body) - declared_in(body) - directive.listed("shared", "in_reduction")
        copied = [s for s in others if s in explicit or (self._is_private(s, directive) and _may_differ(s, changed))]
        in_region = self.loop.target is None or self.own.issuperset(copied)
        if not in_region or not all(map(_has_copies, copied)):
            return None
        return {s: copy_of(s, pragma) for s in sorted(copied, key=lambda s: s.position)}

    def _is_private(self, symbol: t.Symbol, directive: Directive) -> bool:
        """Is a variable that no clause names a copy in the task, since not all threads share it?"""
        default = directive.first("default")
        if (default is not None and default.kind == "shared") or _is_of_thread(symbol):
            return False
        if symbol in self.own:
            return symbol.storage in _OWN
        return self.loop.sharing.get(symbol, Sharing.SHARED) is not Sharing.SHARED


def _may_differ(symbol: t.Symbol, changed: Collection[t.Symbol]) -> bool:
    """May the copy and the variable have different values while the task is done?"""
    return symbol in changed or symbol.address_taken


def _is_harmless(clause: Clause) -> bool:
    """Is it a clause that says nothing else than is done here, and whose expressions may be left out?"""
    if clause.name not in _CLAUSES or clause.unread:
        return False
    if clause.name == "default" and clause.kind not in ("none", "shared"):
        return False
    return not any(map(has_side_effects, _expressions(clause)))


def _expressions(clause: Clause) -> Iterator[t.Expr]:
    if clause.expr is not None:
        yield clause.expr
    for item in clause.listed:
        parts = [part for brackets in item.brackets for part in (brackets.lower, brackets.length)]
        section = item.section
        parts += [] if section is None else [section.base, section.first, section.count]
        yield from (part.expr for part in parts if part is not None and part.expr is not None)


def _has_copies(symbol: t.Symbol) -> bool:
    """Can it be declared, with another one's value?"""
    kind = symbol.type
    return not isinstance(kind, ty.Array) and not ty.is_variably_modified(kind) and not _is_of_thread(symbol)


def _is_of_thread(symbol: t.Symbol) -> bool:
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD
