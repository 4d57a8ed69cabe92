"""Loops in parallel regions that the program divides among the threads itself, without a `for` directive.

    #pragma omp parallel                                  one block of iterations for each thread
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int begin = n * me / threads, end = n * (me + 1) / threads;
        for (i = begin; i < end; i++) y[i] += x[i];       the loop of the team: for (i = 0; i < n; i++)
        for (j = me; j < n; j += threads) z[j] = x[j];    or every so many iterations
        for (i = me, sum = 0; i < n; i += threads)        sum = 0; the loop
            sum += x[i];
        #pragma omp simd                                  also under the pragma of a loop, which it says nothing about
        for (i = begin; i < end; i++) ...
    }

The threads come to such a loop as they come to a worksharing loop with `nowait`. Where their parts, which they tell the
runtime, are one range together, one launch does that range (runtime/launch/ompc_team.h); else each thread runs its own
part on the host. Nobody promises that the iterations are independent: that is to be proved for the whole range.

The statement gets a pragma that means nothing to anybody else (Kind.ADDED), so that the loop has a place and a scope.
What its first part does besides stands in front of it then, if that can be done first, and once more: the line of the
launch does it, and so does the loop where that is refused.

    In: a unit.   Out: the unit with such pragmas; the loop over the whole range.
    Not here: whether all threads come to it, and whether it may be a kernel -- plan/mapping/divided.py.
    Source: single program, multiple data (Darema, 2001); OpenMP 5.2, 11.5 (what threads come to).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir.directive import DIVIDED, Clause, Directive, Kind
from ompc.ir.exits import ends_early, is_entered
from ompc.ir.names import Names
from ompc.ir.queries import called, nodes, parts_of_comma, statements_in, symbols_in, unread_in
from ompc.ir.show import c_expr
from ompc.ir.walk import children
from ompc.omp.constructs import is_openmps, is_run_by_all, is_sequential_simd, openmp
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop
from ompc.omp.offload.teams import Enclosing, private_in
from ompc.omp.uses import NUMBER, QUESTIONS, has_side_effects
from ompc.omp.without_pragma.added_loops import is_special
from ompc.omp.without_pragma.places import first_on_their_lines, with_pragmas

_QUIET = frozenset({"simd", "atomic", "critical"})
_FORWARDS = ("<", "<=")
_RELATIONS = (*_FORWARDS, ">", ">=")


def directive_of_divided(loc: Location) -> Directive:
    """What the pragma of a divided loop would say, if it said how the loop is divided."""
    return Directive(Kind.OPENMP, "for", (Clause("nowait"),), loc, text="for nowait")


def questions_in(statement: t.For) -> frozenset[t.Symbol]:
    """OpenMP's functions that tell threads apart, and that the loop names: a thread gets the same answer each time."""
    return frozenset(symbol for symbol in symbols_in(statement) if symbol.name in QUESTIONS)


def takes_turns(loop: CanonicalLoop, own: Collection[t.Symbol]) -> bool:
    """Do the threads have every so many iterations each, from their own first one to an end that they share? `own`:
    the variables of which each thread has its own.
    """
    return not _is_own(loop.upper, own)


BESIDES = "besides"
"""The clause of an added pragma with what the text of its loop does first, which the tree has in front of it."""


@dataclass(frozen=True, slots=True)
class _Divided:
    """A `statement` of a region that is such a `loop`, or has it under a pragma; where the `names` are visible.
    `besides`: what its first part does as well.
    """

    statement: t.For | t.Pragma
    loop: t.For
    names: Names
    besides: tuple[t.Assign, ...] = ()

    def with_pragma(self) -> t.Stmt:
        """What stands in the place of the statement."""
        loc, under = self.statement.loc, self.statement if isinstance(self.statement, t.Pragma) else None
        text = ", ".join(map(c_expr, self.besides))
        clauses = (Clause(BESIDES, text=text, user_text=text),) if self.besides else ()
        directive = Directive(Kind.ADDED, DIVIDED, clauses, loc)
        if under is None:
            pragma = t.Pragma(loc, "", self.loop, self.names, directive=directive)
        else:
            pragma = replace(under, body=self.loop, scope=self.names, directive=directive)
        first = (t.ExprStmt(each.loc, each) for each in self.besides)
        return t.Block(loc, (*first, pragma)) if self.besides else pragma


def with_divided_pragmas(unit: t.Unit) -> t.Unit:
    """`unit` with a pragma in front of each loop of which every thread of a region has bounds of its own."""
    first = first_on_their_lines(f.body for f in unit.functions.values() if f.body is not None)
    functions = dict(unit.functions)
    for name, function in unit.functions.items():
        if function.body is None or unread_in(function.body) is not None:
            continue
        found: dict[t.Stmt, t.Stmt] = {
            each.statement: each.with_pragma()
            for region in _regions(function.body)
            for each in _divided_in(region)
            if each.statement in first and each.statement.loc.file == unit.file
            if not is_entered(each.statement, function.body)
        }
        if found:
            functions[name] = replace(function, body=with_pragmas(function.body, found))
    return replace(unit, functions=functions) if functions != unit.functions else unit


def _regions(body: t.Stmt) -> Iterator[t.Pragma]:
    """The parallel regions that are made of other code than one loop."""
    for node in nodes(body):
        if isinstance(node, t.Pragma) and node.body is not None:
            directive = openmp(node)
            if directive is not None and directive.name == "parallel" and directive.problem is None:
                yield node


def _divided_in(region: t.Pragma) -> Iterator[_Divided]:
    """The loops of the region that its threads divide, outermost first."""
    directive = openmp(region)
    if directive is None or region.body is None or not isinstance(region.scope, Names):
        return
    own = private_in(Enclosing(directive, region.body))
    pending: list[tuple[t.Stmt, Names, t.Stmt | None]] = [(region.body, region.scope, None)]
    while pending:
        statement, names, previous = pending.pop()
        found = next((each for each in _as_loops(statement, names, own) if _is_divided(each, own)), None)
        if found is not None:
            if not (isinstance(previous, t.Pragma) and previous.body is None and not is_openmps(previous)):
                yield found
        elif not isinstance(statement, t.Pragma) or (is_run_by_all(statement) and statement.directive.name != "simd"):
            pending += _below(statement, names)


def _as_loops(statement: t.Stmt, names: Names, own: Collection[t.Symbol]) -> Iterator[_Divided]:
    """The statement as a loop, in each way in which its first part may be taken."""
    match statement:
        case t.For(init=t.ExprStmt(expr=t.Comma() as comma) as init):
            parts = tuple(parts_of_comma(comma))
            if assignments := _in_any_order(parts, own):
                for part in assignments:
                    loop = replace(statement, init=replace(init, expr=part))
                    yield _Divided(statement, loop, names, tuple(each for each in assignments if each is not part))
        case t.For():
            yield _Divided(statement, statement, names)
        case t.Pragma(body=t.For() as loop) if is_sequential_simd(statement):
            yield _Divided(statement, loop, names)
        case _:
            return


def _in_any_order(parts: Sequence[t.Expr], own: Collection[t.Symbol]) -> tuple[t.Assign, ...]:
    """`parts`, if they are assignments to the threads' own variables that can be done in any order, and twice."""
    given = tuple(part for part in parts if isinstance(part, t.Assign) and part.op == "=")
    targets = {part.target.symbol for part in given if isinstance(part.target, t.Name)}
    if len(given) < len(parts) or len(targets) < len(parts) or not targets <= set(own):
        return ()
    return given if all(_may_be_first(part.value, targets) for part in given) and all(map(_is_plain, targets)) else ()


def _may_be_first(value: t.Expr, targets: Collection[t.Symbol]) -> bool:
    """Is the value the same, and nothing else done, whatever `targets` are given before?"""
    read = symbols_in(value)
    asked = frozenset(symbol for symbol in read if symbol.name in QUESTIONS)
    return read.isdisjoint(targets) and not has_side_effects(value, asked)


def _is_plain(symbol: t.Symbol) -> bool:
    return symbol.is_automatic and not symbol.address_taken and not symbol.type.quals & {"volatile", "_Atomic"}


def _below(around: t.Stmt, names: Names) -> Iterator[tuple[t.Stmt, Names, t.Stmt | None]]:
    """The statements that `around` is made of, with the names visible at each, and the one in front of it."""
    declared: dict[str, t.Symbol] = {}
    previous: t.Stmt | None = None
    for child in children(around):
        if isinstance(child, t.Stmt):
            yield child, Names(names.outermost, (*names.scopes, dict(declared))), previous
            previous = child
            if isinstance(child, t.DeclStmt):
                declared |= {decl.symbol.name: decl.symbol for decl in child.decls}


def _is_divided(found: _Divided, own: frozenset[t.Symbol]) -> bool:
    """Does each thread have its own part, by variables that it has its own of, of nothing but iterations?"""
    statement = found.loop
    questions = questions_in(statement)
    if any(found.names.get(symbol.name) is not symbol for symbol in questions):
        return False  # the launch asks them by their names
    loop = sequential_loop(statement, questions)
    if isinstance(loop, Reason) or loop.relation not in _RELATIONS or ends_early(statement.body):
        return False
    if any(isinstance(inner, t.Pragma) and not is_quiet(inner) for inner in statements_in(statement.body)):
        return False
    if any(map(is_special, symbols_in(statement))):
        return False
    if takes_turns(loop, own):
        return _is_own(loop.lower, own) and loop.relation in _FORWARDS and loop.constant_step != 1
    return _is_own(loop.lower, own) and loop.constant_step is not None


def is_quiet(pragma: t.Pragma) -> bool:
    """Is it about iterations that other threads may have in any order, or about nothing?"""
    return not is_openmps(pragma) or pragma.directive.name in _QUIET


def _is_own(bound: t.Expr, own: Collection[t.Symbol]) -> bool:
    return not symbols_in(bound).isdisjoint(own) or NUMBER in called(bound)
