"""Team numbers: which team, and which of its threads, runs an iteration of a league follows from the directives, too.

    #pragma omp target teams distribute num_teams(8)       each iteration of the kernel
    for (i = 0; i < n; i++) {                              {
        who[i] = omp_get_team_num();                  ->       int team = thread_of_block(i, n, 8);
        of[i] = omp_get_num_teams();                           who[i] = team;
    }                                                          of[i] = 8;
                                                           }

The reference has no device but the host. There a league has as many teams as a `target teams` construct asks for, and
one where it does not ask; the iterations of `distribute` are dealt out among teams as those of `schedule(static)` are
among threads, by `dist_schedule` in chunks. The threads of a team share its block, or each chunk of it, as the loop's
`schedule` says; a team without `parallel` is one thread.

A team's thread, and the teams of the host, run one iteration after the other, so that iterations which know their
numbers may depend on each other: such a loop is launched only where independence is proved (`ParallelLoop.in_order`).

In: the loop of a target or teams construct, as its kernel has it.   Out: the same without such questions; itself where
one stays open (OMPC339).
Not here: leagues with other code beside the loop, whose loops stay on the host (OMPC353) or are those of a team
(thread_numbers.py); questions in called functions, and in loops inside the body that other threads may run.
Source: OpenMP 5.2, 10.2 (teams), 11.6 (distribute); libgomp, GOMP_teams4.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import (
    LENGTH_OF_BLOCK,
    LENGTH_OF_CHUNK,
    PLACE_IN_BLOCK,
    THREAD_IN_TURN,
    THREAD_OF_BLOCK,
)
from ompc.ir.exits import labels_in
from ompc.ir.queries import called, changed_in, nodes, symbols_in
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.omp.asked import TeamSize
from ompc.omp.iteration_numbers import is_plain, iteration_number, iterations
from ompc.omp.loops import alone_in_braces
from ompc.omp.model import CanonicalLoop, ParallelLoop, Succession
from ompc.omp.uses import ALL_QUESTIONS, TEAM
from ompc.transform.kernel_variables import KernelVariables, call
from ompc.transform.updates_in_turn import with_updates

_WORDS = frozenset("target teams distribute parallel for simd".split())
_SAME_THREAD = frozenset({"atomic", "critical"})
"""Constructs of the body that the iteration's own thread runs."""


def with_team_numbers(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with what its directives say in the place of questions about teams and their threads."""
    body, words = loop.body, set(loop.directive.name.split())
    if body is None or not loop.loops or loop.target is None or not words <= _WORDS:
        return loop
    asked = ALL_QUESTIONS & set(called(body))
    if not asked or labels_in(body) or _asks_in_other_threads(body):
        return loop
    answers = _Answers(loop, words)
    found = {name: answer for name in sorted(asked) if (answer := answers.to(name)) is not None}
    if found.keys() != asked:
        return loop
    asks = Succession(f"`{min(asked)}`", adds_in_order=False)
    return replace(answers.with_body(body, found), in_order=loop.in_order or asks)


def _is_question(node: object) -> bool:
    match node:
        case t.Call(function=t.Name(symbol=symbol), args=()):
            return symbol.name in ALL_QUESTIONS
        case _:
            return False


def _asks_in_other_threads(body: t.Stmt) -> bool:
    """Does a construct of the body ask, whose threads or tasks may be others?"""
    pragmas = (node for node in walk(body) if isinstance(node, t.Pragma) and node.directive.name not in _SAME_THREAD)
    return any(_is_question(node) for pragma in pragmas for node in nodes(pragma) if isinstance(node, t.Expr))


@dataclass(frozen=True)
class _Shared:
    """A part of the iterations: the `place` of one in it, and its `length`."""

    place: t.Expr
    length: t.Expr


class _Answers:
    """What iterations of `loop`, with the directive's `words`, answer; None: nobody knows."""

    def __init__(self, loop: ParallelLoop, words: set[str]) -> None:
        self.loop, self.words = loop, words
        self.variables = KernelVariables(loop, loop.loc)
        self.sizes: list[TeamSize] = []
        self.outer, self.inner = _levels(loop)
        self.teams: t.Expr | None = None
        self.threads: t.Expr | None = None

    def to(self, question: str) -> t.Expr | None:
        match question:
            case "omp_get_num_teams":
                return self._teams()
            case "omp_get_team_num":
                return self._team()
            case "omp_get_num_threads":
                return self._threads()
            case _:
                return self._thread()

    # --------------------------------------------------------------------------------- teams

    def _teams(self) -> t.Expr | None:
        """The size of the league."""
        self.teams = self.teams or self._size_of_league()
        return self.teams and copied(self.teams)

    def _size_of_league(self) -> t.Expr | None:
        if "teams" not in self.words:
            return self._number(1)
        clause = self.loop.directive.first("num_teams")
        if clause is None:
            return self._number(1) if "target" in self.words else None
        if clause.expr is None or clause.lower is not None or clause.unread:
            return None
        return self._given("teams", clause.expr, "the number of teams")

    def _team(self) -> t.Expr | None:
        teams, chunk = self._teams(), self._chunk_of_league()
        if teams is None or constant_value(teams) == 1:
            return teams and self._number(0)
        passed, count = iteration_number(self.outer), iterations(self.outer)
        if "distribute" not in self.words or passed is None or count is None:
            return None
        if self._has_blocks():
            return call(THREAD_OF_BLOCK, passed, count, teams)
        return None if chunk is None else call(THREAD_IN_TURN, passed, chunk, teams)

    def _has_blocks(self) -> bool:
        """Has each team one block of iterations?"""
        clause = self.loop.directive.first("dist_schedule")
        return clause is None or (clause.kind == "static" and clause.expr is None and not clause.unread)

    def _chunk_of_league(self) -> t.Expr | None:
        clause = self.loop.directive.first("dist_schedule")
        if clause is None or clause.unread or clause.kind != "static" or clause.expr is None:
            return None
        return self._given("league_chunk", clause.expr, "the chunk of `dist_schedule`")

    def _of_team(self) -> _Shared | None:
        """The iterations that the threads of a team share at a time."""
        passed, count = iteration_number(self.inner), iterations(self.inner)
        if passed is None or count is None:
            return None
        teams = self._teams()
        if self.inner != self.outer or "distribute" not in self.words or teams is None:
            return None if teams is None else _Shared(passed, count)
        if self._has_blocks():
            if constant_value(teams) == 1:
                return _Shared(passed, count)
            place = call(PLACE_IN_BLOCK, passed, count, teams)
            return _Shared(place, call(LENGTH_OF_BLOCK, copied(passed), copied(count), copied(teams)))
        chunk = self._chunk_of_league()
        if chunk is None:
            return None
        in_chunk = t.Binary(ty.ULONG, self.loop.loc, "%", passed, t.Cast(ty.ULONG, self.loop.loc, chunk))
        return _Shared(in_chunk, call(LENGTH_OF_CHUNK, copied(passed), count, copied(chunk)))

    # -------------------------------------------------------------------------------- threads

    def _threads(self) -> t.Expr | None:
        """How many threads each team has."""
        self.threads = self.threads or self._size_of_team()
        return self.threads and copied(self.threads)

    def _size_of_team(self) -> t.Expr | None:
        if "parallel" not in self.words:
            return self._number(1)
        asked, limit = (self._clause(name) for name in ("num_threads", "thread_limit"))
        if asked is None or limit is None or (constant_value(limit) != 0 and "teams" not in self.words):
            return None
        size = call("ompc_threads_of_teams", asked, limit)
        self.sizes.append(TeamSize(c_expr(size)))
        return self.variables.named(self.variables.given("threads", size, "the threads of a team"))

    def _clause(self, name: str) -> t.Expr | None:
        """The number in the clause, 0 without one; None: it is not known in front of the construct."""
        found = self.loop.directive.all(name)
        if not found:
            return self._number(0)
        expr = found[0].expr
        return expr if len(found) == 1 and expr is not None and self._is_known_outside(expr) else None

    def _thread(self) -> t.Expr | None:
        threads = self._threads()
        if "parallel" not in self.words or threads is None:
            return threads and self._number(0)
        shared, clause = self._of_team(), self.loop.directive.first("schedule")
        kind = "static" if clause is None else clause.kind
        if shared is None or kind != "static" or (clause is not None and (clause.unread or clause.modifier)):
            return None
        if clause is None or clause.expr is None:
            return call(THREAD_OF_BLOCK, shared.place, shared.length, threads)
        chunk = self._given("chunk", clause.expr, "the schedule's chunk")
        return None if chunk is None else call(THREAD_IN_TURN, shared.place, chunk, threads)

    # ----------------------------------------------------------------------------- expressions

    def _given(self, name: str, value: t.Expr, meaning: str) -> t.Expr | None:
        """A number above 0 that a clause says, evaluated where the pragma stands."""
        constant = constant_value(value)
        if constant is not None:
            return self._number(constant) if 0 < constant <= _MOST else None
        if not self._is_known_outside(value):
            return None
        known = next((s for s, read in self.variables.fixed.items() if read.value is value), None)
        return self.variables.named(known or self.variables.given(name, value, meaning))

    def _is_known_outside(self, value: t.Expr) -> bool:
        """Has it the same value in front of the construct as inside?"""
        loop, named = self.loop, symbols_in(value)
        copies = loop.directive.listed("private", "firstprivate", "lastprivate", "reduction", "linear")
        changed = {*copies, *changed_in(loop.loops[0].statement), *(each.var for each in loop.loops)}
        tables = {id(node.base) for node in nodes(value) if isinstance(node, t.Index) and _is_table(node)}
        parts = (node for node in nodes(value) if not isinstance(node, t.Index) and id(node) not in tables)
        plain = isinstance(value.type, ty.Int) and value.type.size <= 4 and all(map(is_plain, parts))
        return plain and named.isdisjoint(changed) and all(loop.pragma.scope.get(s.name) is s for s in named)

    def _number(self, value: int) -> t.Expr:
        return t.IntConst(ty.INT, self.loop.loc, value, str(value))

    def with_body(self, body: t.Stmt, answers: dict[str, t.Expr]) -> ParallelLoop:
        """The loop with variables for `answers` that are more than a number, in the place of the questions."""
        made = {name: self._variable(name, answer) for name, answer in answers.items()}

        def change(node: Node) -> Node | None:
            match node:
                case t.Call(function=t.Name(symbol=asked), loc=loc, type=kind) if _is_question(node):
                    return replace(copied(made[asked.name]), loc=loc, type=kind)
                case _:
                    return None

        inside = with_updates(rewritten(body, change), self.variables.made)
        return replace(self.variables.with_body(inside), sizes=tuple(self.sizes))

    def _variable(self, question: str, answer: t.Expr) -> t.Expr:
        if not isinstance(answer, t.Call):
            return answer
        return self.variables.named(self.variables.declared("team" if question == TEAM else "thread", answer))


_MOST = (1 << 31) - 1


def _is_table(element: t.Index) -> bool:
    """Is it an integer of an array that nobody else has: of a function, to which no pointer leads?"""
    match element:
        case t.Index(type=ty.Int() as kind, base=t.Name(symbol=symbol)):
            own = symbol.storage is t.Storage.AUTO and not symbol.address_taken
            return own and isinstance(symbol.type, ty.Array) and kind.quals <= {"const"}
        case _:
            return False


def _levels(loop: ParallelLoop) -> tuple[tuple[CanonicalLoop, ...], tuple[CanonicalLoop, ...]]:
    """The loops that teams share, and those that the threads of each do: all, unless a construct stands between."""
    for at, each in enumerate(loop.loops[:-1], 1):
        if isinstance(alone_in_braces(each.body), t.Pragma):
            return loop.loops[:at], loop.loops[at:]
    return loop.loops, loop.loops
