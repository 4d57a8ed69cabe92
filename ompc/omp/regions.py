"""The parallel loops of a unit: a `ParallelLoop` for every construct that shares the iterations of a loop.

    #pragma omp parallel private(t)        one loop, "parallel for", its clauses merged: the region holds nothing else
    {
        #pragma omp for schedule(static)
        for (...) ...
    }

Every worksharing-loop construct is listed, and those that the device does not get say why (`host`):

    OMPC301  inside a parallel region that contains other code     OMPC315  a `loop` that shares nothing
    OMPC302  orphaned: no parallel region around it                OMPC310  where ompc cannot read its function
    OMPC303  inside another parallel construct                     OMPC311  the pragma's text cannot be read
    OMPC304  a clause that is not supported                        OMPC313  a directive in the body ties iterations
    OMPC305  an argument has side effects                          OMPC316  a part of the loop that ompc cannot read
    (OMPC308 and OMPC312: loops.py; OMPC309 and OMPC314: sharing.py; OMPC352 and OMPC353: target.py)

In: the typed tree.   Out: `OmpUnit`.   Not here: what nested pragmas mean for a kernel -- plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ompc.diagnostics import Diagnostic, Kind, Reason
from ompc.omp import target
from ompc.omp.alone import Alone, alone_in
from ompc.omp.clause_text import pragma_as_written
from ompc.omp.declared_reductions import Declarations, declarations_at
from ompc.omp.directives import Parsed, parse_pragma
from ompc.omp.loops import alone_in_braces, canonical_loops
from ompc.omp.model import CanonicalLoop, Clause, Directive, ParallelLoop, Target
from ompc.omp.purity import pure_functions
from ompc.omp.sharing import SharingTable, sharing_of
from ompc.omp.uses import has_side_effects, statements_in, unread_in
from ompc.sema.constants import constant_value
from ompc.sema.tree import Function, Pragma, Stmt, Symbol, Unit
from ompc.source import Location

SUPPORTED = frozenset({"parallel for", "parallel for simd", "parallel loop"})
"""Directives, merged ones included, whose loop may run on the device."""

SUPPORTED_CLAUSES = frozenset(
    {
        "private", "firstprivate", "lastprivate", "shared", "default", "reduction", "schedule", "collapse",
        "num_threads", "if", "proc_bind", "nowait", "order", "safelen", "simdlen", "aligned", "nontemporal",
        "ordered", "allocate", "bind", "linear",
    }
)
"""From `proc_bind` on: hints to the host's threads, memory and vector units, without a meaning on the device.

`ordered` ties the iterations together only where a directive in the body says so; what else `linear` and `bind` may say
is refused by sharing.py and below."""

_WHY_NOT = {
    "copyin": "gives the host's threads values that a later region may read",
}
"""What a clause without support would do."""

_MERGED = frozenset({"for", "for simd", "loop"})
_SHARES_ITERATIONS = frozenset({"for", "loop", "distribute"})
_TIES_ITERATIONS = frozenset({"ordered", "cancel", "cancellation point", "scan"})


@dataclass(frozen=True, slots=True)
class OmpUnit:
    """All parallel loops of a unit in the order of the text, warnings about pragmas that compilers ignore, and notes
    about target regions that have no such loop.
    """

    loops: tuple[ParallelLoop, ...]
    warnings: tuple[Diagnostic, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


def find_parallel_loops(unit: Unit, source_text: str | None = None) -> OmpUnit:
    """`source_text` is the user's main file; without it, clauses are spelt as the preprocessor left them."""
    finder = _Finder(unit, () if source_text is None else source_text.split("\n"))
    for function in unit.functions.values():
        finder.visit_function(function)
    for pragma in unit.pragmas:
        finder.parse(pragma)
    return finder.result()


@dataclass(frozen=True, slots=True)
class _Construct:
    """A worksharing-loop construct: `pragma` begins it (the `parallel` of a merged pair); `body` is its loop.

    `offload` says how a target or teams construct was merged; `alone` what of its body one thread runs alone.
    """

    pragma: Pragma
    parsed: Parsed
    body: Stmt | None
    function: Function
    enclosing: tuple[Directive, ...]
    offload: target.Merged | None = None
    alone: Alone = field(default_factory=Alone)


class _Finder:
    """Walks functions in order, collecting constructs and warnings; one instance per unit."""

    def __init__(self, unit: Unit, lines: Sequence[str]) -> None:
        self.unit = unit
        self.lines = lines
        self.constructs: list[_Construct] = []
        self.warnings: list[Diagnostic] = []
        self.notes: list[Diagnostic] = []

    def result(self) -> OmpUnit:
        names, pure = _Names(), pure_functions(self.unit)
        loops = tuple(_parallel_loop(c, names.next(c), self.unit, pure) for c in self.constructs)
        return OmpUnit(loops, tuple(sorted(self.warnings, key=_place)), tuple(sorted(self.notes, key=_place)))

    def visit_function(self, function: Function) -> None:
        """Finds the constructs of one function, in the order of the text."""
        before = len(self.constructs)
        if function.body is not None:
            self.visit(function.body, function, ())
        self.visit_unread(function)
        self.constructs[before:] = sorted(self.constructs[before:], key=lambda c: c.pragma.loc.line)

    def visit_unread(self, function: Function) -> None:
        """Finds the constructs in parts of a function that sema could not read, by the lines of the user's text."""
        if not self.lines or function.symbol.loc.file != self.unit.file:
            return
        if function.body is not None and unread_in(function.body) is None:
            return
        known = {c.pragma.loc for c in self.constructs}
        for line in range(function.symbol.loc.line, self.line_after(function)):
            loc = Location(self.unit.file, line)
            written = pragma_as_written(self.lines, line)
            parsed = None if written is None or loc in known else self.parse(Pragma(loc, written, None, {}))
            if parsed is not None and _shares_iterations(parsed.directive):
                pragma = Pragma(loc, written or "", None, {})
                self.constructs.append(_Construct(pragma, parsed, None, function, ()))

    def line_after(self, function: Function) -> int:
        """The line where the next function of the main file begins."""
        begins = (f.symbol.loc for f in self.unit.functions.values())
        later = [at.line for at in begins if at.file == self.unit.file and at.line > function.symbol.loc.line]
        return min(later, default=len(self.lines) + 1)

    def visit(self, root: Stmt, function: Function, enclosing: tuple[Directive, ...]) -> None:
        """Finds the constructs below `root`, which stands in the constructs `enclosing` (outermost first)."""
        for pragma in _outermost_pragmas(root):
            parsed = self.parse(pragma)
            body = pragma.body
            before = len(self.constructs)
            offload = None if parsed is None else target.merged(parsed, body, self.parse)
            if offload is not None:
                self.take_offload(_Construct(pragma, offload.parsed, offload.body, function, enclosing, offload))
                body = None
            elif parsed is not None and _shares_iterations(parsed.directive):
                self.constructs.append(_Construct(pragma, parsed, body, function, enclosing))
            elif parsed is not None and (inner := self.only_loop_of(parsed.directive, body)) is not None:
                parsed, body = _merged(parsed, inner[0]), inner[1].body
                self.constructs.append(_Construct(pragma, parsed, body, function, enclosing))
            if body is not None:
                self.visit(body, function, enclosing if parsed is None else (*enclosing, parsed.directive))
            if parsed is not None and target.is_region(parsed.directive) and len(self.constructs) == before:
                self.notes.append(Diagnostic("OMPC354", Kind.HOST, target.WITHOUT_LOOP, pragma.loc))

    def take_offload(self, construct: _Construct) -> None:
        """The parallel loops in the body of a `distribute` loop are part of its kernel, not constructs of their own."""
        assert construct.body is not None
        alone = Alone()
        if construct.parsed.directive.name.split()[-1] == "distribute":
            alone = alone_in(construct.body, self.parse)
        self.constructs.append(replace(construct, alone=alone))
        before = len(self.constructs)
        self.visit(construct.body, construct.function, (*construct.enclosing, construct.parsed.directive))
        if construct.offload is not None and construct.offload.has_inner:
            del self.constructs[before:]

    def only_loop_of(self, directive: Directive, body: Stmt | None) -> tuple[Parsed, Pragma] | None:
        """The `for` construct that is all of a `parallel` region's body."""
        if directive.name != "parallel" or body is None:
            return None
        inner = alone_in_braces(body)
        if not isinstance(inner, Pragma):
            return None
        parsed = self.parse(inner)
        return (parsed, inner) if parsed is not None and parsed.directive.name in _MERGED else None

    def parse(self, pragma: Pragma) -> Parsed | None:
        lines = self.lines if pragma.loc.file == self.unit.file and not pragma.in_macro else ()
        parsed = parse_pragma(pragma, lines)
        if isinstance(parsed, Diagnostic):
            if parsed not in self.warnings:
                self.warnings.append(parsed)
            return None
        return parsed


def _outermost_pragmas(root: Stmt) -> Iterator[Pragma]:
    """The pragmas in `root` that stand in no other pragma of `root`; `root` itself counts."""
    inside: set[Stmt] = set()
    for statement in statements_in(root):
        if isinstance(statement, Pragma) and statement not in inside:
            if statement.body is not None:
                inside.update(statements_in(statement.body))
            yield statement


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    at = diagnostic.at
    return ("", 0, 0) if at is None else (at.file, at.line, at.column)


class _Names:
    """Hands out the ids of loops: function_line, unique in the unit."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def next(self, construct: _Construct) -> str:
        stem = f"{construct.function.name}_{construct.pragma.loc.line}"
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name


def _shares_iterations(directive: Directive) -> bool:
    """Are the iterations of its loop spread over threads? With `loop bind(thread)` each thread has them all."""
    bind = directive.first("bind")
    if directive.name == "loop" and bind is not None and bind.items == ("thread",):
        return False
    words = directive.name.split()
    return "taskloop" not in words and not _SHARES_ITERATIONS.isdisjoint(words)


def _merged(outer: Parsed, inner: Parsed) -> Parsed:
    """`parallel` around nothing but `for` is `parallel for`; the region's own barrier makes `nowait` mean nothing.

    An `if` of the inner directive can only be that of `for simd`, and must not become the region's.
    """
    kept = (c for c in inner.directive.clauses if c.name != "nowait")
    clauses = outer.directive.clauses + tuple(replace(c, modifier="simd") if c.name == "if" else c for c in kept)
    directive = Directive(f"parallel {inner.directive.name}", clauses, outer.directive.loc)
    return Parsed(directive, outer.problem or inner.problem)


# ---------------------------------------------------------------- one construct


def _parallel_loop(construct: _Construct, name: str, unit: Unit, pure: Collection[Symbol]) -> ParallelLoop:
    directive = construct.parsed.directive
    loops = _loops(construct, pure)
    form = loops if isinstance(loops, Reason) else None
    nest = () if isinstance(loops, Reason) else loops
    table = SharingTable({})
    if construct.body is not None:
        declared = _declarations(construct, unit)
        table = sharing_of(directive, construct.body, nest, construct.pragma.scope, declared)
    table = target.with_own(table, construct.alone)
    offload = _offload(construct, table, unit)
    reasons = (
        _context(construct), construct.parsed.problem, _clauses(directive, pure), form, table.problem,
        offload if isinstance(offload, Reason) else None,
    )  # fmt: skip
    host = next((r for r in reasons if r is not None), None)
    return ParallelLoop(
        id=name,
        function=construct.function.name,
        directive=directive,
        pragma=construct.pragma,
        loc=construct.pragma.loc,
        loops=nest,
        body=nest[-1].body if nest else construct.body,
        sharing=table.sharing,
        reductions=table.reductions,
        lastprivates=table.lastprivates,
        condition=condition_of(directive),
        host=host or _ties(construct) or _unread(construct),
        target=None if isinstance(offload, Reason) else offload,
    )


def _loops(construct: _Construct, pure: Collection[Symbol]) -> tuple[CanonicalLoop, ...] | Reason:
    if construct.offload is not None and construct.offload.loops is not None:
        return construct.offload.loops
    if construct.body is None:
        return ()
    return canonical_loops(construct.body, associated_loops(construct.parsed.directive), pure)


def _offload(construct: _Construct, table: SharingTable, unit: Unit) -> Target | Reason | None:
    merged = construct.offload
    if merged is None:
        return None
    parts = target.Parts(merged.levels, merged.body, table, construct.alone, construct.pragma)
    return target.target_of(parts, unit)


def _declarations(construct: _Construct, unit: Unit) -> Declarations:
    """The user's own reductions that the construct can name."""
    if construct.parsed.directive.first("reduction") is None:
        return Declarations()
    return declarations_at(construct.pragma, construct.function, unit)


def associated_loops(directive: Directive) -> int:
    """How many nested loops the directive takes: its `collapse`, a positive constant (compilers check that)."""
    collapse = directive.first("collapse")
    count = constant_value(collapse.expr) if collapse is not None and collapse.expr is not None else None
    return 1 if count is None else count


def condition_of(directive: Directive) -> Clause | None:
    """The `if` clause that decides whether the region is parallel; `if(simd: ...)` does not. Several are one."""
    found = [c for c in directive.all("if") if c.modifier != "simd"]
    if len(found) < 2:
        return found[0] if found else None
    return replace(found[0], user_text=" && ".join(f"({c.user_text})" for c in found))


def _context(construct: _Construct) -> Reason | None:
    """What the construct is, and where it stands."""
    directive, pragma = construct.parsed.directive, construct.pragma
    around = {word for d in target.outside(construct.enclosing) for word in d.name.split()}
    if construct.body is None:
        return Reason("OMPC310", "the loop is in a part of its function that ompc cannot read", pragma.loc)
    if (misplaced := target.misplaced(directive, construct.enclosing, pragma.loc)) is not None:
        return misplaced
    if "parallel" in directive.name.split() and "parallel" in around:
        return Reason("OMPC303", "the loop is inside another parallel construct", pragma.loc)
    unbound = construct.offload is None and (directive.name not in SUPPORTED or _binds_elsewhere(directive))
    if "loop" in directive.name.split() and unbound:
        return Reason("OMPC315", f"the construct `{directive.name}` is not supported", pragma.loc)
    if directive.name not in SUPPORTED and construct.offload is None:
        return _not_parallel(construct)
    return None


def _binds_elsewhere(directive: Directive) -> bool:
    """Is it a `loop` whose iterations another team than that of its `parallel` shares, or each thread has?"""
    bind = directive.first("bind")
    return bind is not None and bind.items != ("parallel",)


def _not_parallel(construct: _Construct) -> Reason:
    """A worksharing loop that needs the threads of a region around it."""
    name, loc = construct.parsed.directive.name, construct.pragma.loc
    regions = sum("parallel" in d.name.split() for d in target.outside(construct.enclosing))
    if regions == 0:
        return Reason("OMPC302", f"`{name}` is orphaned: its parallel region is not in this function", loc)
    if regions > 1:
        return Reason("OMPC303", "the loop is inside another parallel construct", loc)
    return Reason("OMPC301", f"`{name}` is in a parallel region that contains other code", loc)


def _clauses(directive: Directive, pure: Collection[Symbol]) -> Reason | None:
    supported = SUPPORTED_CLAUSES | (target.CLAUSES if target.is_offload(directive) else frozenset())
    for clause in directive.clauses:
        if clause.name not in supported:
            why = _WHY_NOT.get(clause.name, "is not supported")
            return Reason("OMPC304", f"the clause `{clause.name}` {why}", directive.loc)
        if clause.name == "lastprivate" and clause.modifier is not None:
            message = f"the clause `lastprivate({clause.modifier}: ...)` is not supported"
            return Reason("OMPC304", message, directive.loc)
        if clause.expr is not None and has_side_effects(clause.expr, pure):
            message = f"the argument of `{clause.name}` has a side effect, or calls a function"
            return Reason("OMPC305", message, directive.loc)
    return None


def _ties(construct: _Construct) -> Reason | None:
    """A directive in the body by which iterations wait for one another or stop the loop."""
    for pragma in _pragmas_below(construct.body):
        parsed = parse_pragma(pragma)
        if isinstance(parsed, Parsed) and parsed.directive.name in _TIES_ITERATIONS:
            message = f"`{parsed.directive.name}` in its body ties the iterations together"
            return Reason("OMPC313", message, pragma.loc)
    return None


def _unread(construct: _Construct) -> Reason | None:
    """A piece of the loop that sema could not read: it may use any variable, in any way."""
    unread = None if construct.body is None else unread_in(construct.body)
    if unread is None:
        return None
    return Reason("OMPC316", f"ompc cannot read a part of the loop: {unread.why}", unread.loc)


def _pragmas_below(body: Stmt | None) -> Iterable[Pragma]:
    return (s for s in statements_in(body) if isinstance(s, Pragma)) if body is not None else ()
