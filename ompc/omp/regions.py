"""The parallel loops of a unit: a `ParallelLoop` for every construct that shares the iterations of a loop.

    #pragma omp parallel private(t)        one loop, "parallel for", its clauses merged: the region holds nothing else
    {
        #pragma omp for schedule(static)
        for (...) ...
    }

A `for` beside other code of its region, or orphaned, is a loop that a team shares: `ParallelLoop.team` (teams.py).

Every worksharing-loop construct is listed; what the device does not get says why (parallel_loop.py).

In: the typed tree, its directives read (resolve.py).   Out: `OmpUnit`.
Not here: what nested pragmas mean for a kernel -- plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.base import diagnostics
from ompc.base.diagnostics import Diagnostic
from ompc.base.frozen import dataclass
from ompc.ir.directive import DIVIDED, Directive, Kind
from ompc.ir.tree import Function, Pragma, Stmt, Unit
from ompc.ir.walk import children
from ompc.omp.constructs import is_target_region, openmp, shares_iterations
from ompc.omp.loop_names import named
from ompc.omp.loops import alone_in_braces
from ompc.omp.model import ParallelLoop
from ompc.omp.offload import target
from ompc.omp.offload.alone import Alone, alone_in
from ompc.omp.offload.teams import Enclosing
from ompc.omp.parallel_loop import Construct, parallel_loop
from ompc.omp.purity import pure_functions
from ompc.omp.without_pragma.added_loops import directive_of_added
from ompc.omp.without_pragma.divided_loops import directive_of_divided

_MERGED = frozenset({"for", "for simd", "loop"})


@dataclass(frozen=True, slots=True)
class OmpUnit:
    """All parallel loops of a unit in the order of the text, warnings about pragmas that compilers ignore, and notes
    about target regions that have no such loop.
    """

    loops: tuple[ParallelLoop, ...]
    warnings: tuple[Diagnostic, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


def find_parallel_loops(unit: Unit) -> OmpUnit:
    """Those of all functions, in the order of the text."""
    finder = _Finder(unit)
    for function in unit.functions.values():
        finder.visit_function(function)
    for pragma in unit.pragmas:
        finder.directive_of(pragma)
    return finder.result()


class _Finder:
    """Walks functions in order, collecting constructs and warnings; one instance per unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.constructs: list[Construct] = []
        self.warnings: list[Diagnostic] = []
        self.notes: list[Diagnostic] = []

    def result(self) -> OmpUnit:
        pure = pure_functions(self.unit)
        loops = named([parallel_loop(c, self.unit, pure) for c in self.constructs])
        return OmpUnit(loops, tuple(sorted(self.warnings, key=_place)), tuple(sorted(self.notes, key=_place)))

    def visit_function(self, function: Function) -> None:
        """Finds the constructs of one function, in the order of the text."""
        before = len(self.constructs)
        if function.body is not None:
            self.visit(function.body, function, ())
        self.visit_unread(function)
        self.constructs[before:] = sorted(self.constructs[before:], key=lambda c: c.pragma.loc.line)

    def visit_unread(self, function: Function) -> None:
        """Takes the constructs in parts of a function that sema could not read."""
        for pragma in function.pragmas:
            directive = self.directive_of(pragma)
            if directive is not None and shares_iterations(directive):
                self.constructs.append(Construct(pragma, directive, None, function, ()))

    def visit(self, root: Stmt, function: Function, enclosing: tuple[Enclosing, ...]) -> None:
        """Finds the constructs below `root`, which stands in the constructs `enclosing` (outermost first)."""
        for pragma in _outermost_pragmas(root):
            if pragma.directive.kind is Kind.ADDED:
                is_divided = pragma.directive.name == DIVIDED
                added = (directive_of_divided if is_divided else directive_of_added)(pragma.loc)
                self.constructs.append(Construct(pragma, added, pragma.body, function, enclosing))
                continue
            directive = self.directive_of(pragma)
            body = pragma.body
            before = len(self.constructs)
            offload = None if directive is None else target.merged(directive, body)
            if offload is not None:
                self.take_offload(Construct(pragma, offload.directive, offload.body, function, enclosing, offload))
                body = None
            elif directive is not None and shares_iterations(directive):
                self.constructs.append(Construct(pragma, directive, body, function, enclosing))
            elif directive is not None and (inner := self.only_loop_of(directive, body)) is not None:
                directive, body = _merged(directive, inner[0]), inner[1].body
                self.constructs.append(Construct(pragma, directive, body, function, enclosing))
            if body is not None:
                around = enclosing if directive is None else (*enclosing, Enclosing(directive, body))
                self.visit(body, function, around)
            if directive is not None and is_target_region(directive) and len(self.constructs) == before:
                self.notes.append(Diagnostic("OMPC354", diagnostics.Kind.HOST, target.WITHOUT_LOOP, pragma.loc))

    def take_offload(self, construct: Construct) -> None:
        """The parallel loops in the body of a `distribute` loop are part of its kernel, not constructs of their own."""
        assert construct.body is not None
        alone = Alone()
        if construct.directive.name.split()[-1] == "distribute":
            alone = alone_in(construct.body)
        self.constructs.append(replace(construct, alone=alone))
        before = len(self.constructs)
        own = Enclosing(construct.directive, construct.body)
        self.visit(construct.body, construct.function, (*construct.enclosing, own))
        if construct.offload is not None and construct.offload.has_inner:
            del self.constructs[before:]

    def only_loop_of(self, directive: Directive, body: Stmt | None) -> tuple[Directive, Pragma] | None:
        """The `for` construct that is all of a `parallel` region's body."""
        if directive.name != "parallel" or body is None:
            return None
        inner = alone_in_braces(body)
        if not isinstance(inner, Pragma):
            return None
        found = self.directive_of(inner)
        return (found, inner) if found is not None and found.name in _MERGED else None

    def directive_of(self, pragma: Pragma) -> Directive | None:
        """The directive of OpenMP; of what only looks like one, the warning is kept."""
        warning = pragma.directive.warning
        if warning is not None and warning not in self.warnings:
            self.warnings.append(warning)
        return openmp(pragma)


def _outermost_pragmas(root: Stmt) -> Iterator[Pragma]:
    """The pragmas in `root` that stand in no other pragma of `root`; `root` itself counts."""
    stack = [root]
    while stack:
        current = stack.pop()
        if isinstance(current, Pragma):
            yield current
        else:
            stack.extend(child for child in reversed(children(current)) if isinstance(child, Stmt))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    at = diagnostic.at
    return ("", 0, 0) if at is None else (at.file, at.line, at.column)


def _merged(outer: Directive, inner: Directive) -> Directive:
    """`parallel` around nothing but `for` is `parallel for`; the region's own barrier makes `nowait` mean nothing.

    An `if` of the inner directive can only be that of `for simd`, and must not become the region's.
    """
    kept = (c for c in inner.clauses if c.name != "nowait")
    clauses = outer.clauses + tuple(replace(c, modifiers=("simd",)) if c.name == "if" else c for c in kept)
    return outer.joined(inner, f"parallel {inner.name}", clauses)
