"""Thread numbers: which thread runs an iteration follows from the schedule, so that a kernel can tell it, too.

    #pragma omp parallel                              each iteration of the kernel
    {   int me = omp_get_thread_num();                {   int me = thread_in_turn(i, 8, threads);
        #pragma omp for schedule(static, 8)               #pragma omp atomic
        for (i = 0; i < n; i++)                 ->        sum[me] += x[i];
            sum[me] += x[i];                          }
    }

Chunks of `schedule(static, c)` are dealt out in turn; without `c` each thread has one block of iterations, the first
ones one more where they are not equal, as in gcc's and LLVM's libraries. A `dynamic` schedule allows that, too. How
many threads there are the host says at the launch; a region gets as many as it asks for unless threads may be fewer
(dynamic adjustment, a limit, a region around it), which is asked before the launch.

The iterations of one thread run in their order, so that with its number they may depend on each other: a promise of
independence is nowhere, and such a loop is launched only where that is proved (`ParallelLoop.in_order`). What a thread
accumulates in an element of its own becomes an atomic operation: of integers always the same; of floating-point
numbers a sum in another order, as a reduction is one.

In: a loop as its kernel has it.   Out: the same without questions about its threads; itself where one stays open.
Not here: such questions in called functions, and in nested regions (OMPC339); variables made of a thread's number
outside of the loop, in which threads differ (OMPC458); whether iterations are independent -- plan/mapping.
Source: OpenMP 5.2, 11.5.3 (schedules), 10.1.1 (how many threads a region has).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import THREAD_IN_TURN, THREAD_OF_BLOCK
from ompc.ir.exits import labels_in
from ompc.ir.queries import called, changed_by, declared_in, nodes, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.omp.asked import TeamSize
from ompc.omp.constructs import is_made_of, readable
from ompc.omp.iteration_numbers import is_plain, iteration_number, iterations
from ompc.omp.model import ParallelLoop, Sharing, Succession
from ompc.omp.uses import COUNT, NUMBER, QUESTIONS
from ompc.transform.kernel_variables import KernelVariables, call
from ompc.transform.threads.reaching_values import GIVES_VALUES
from ompc.transform.updates_in_turn import with_updates

_AS_OUTSIDE = (None, Sharing.SHARED, Sharing.FIRSTPRIVATE, Sharing.TEAM_PRIVATE)

def is_question(node: object) -> bool:
    """Does it ask which thread runs it, or how many there are?"""
    match node:
        case t.Call(function=t.Name(symbol=symbol), args=()):
            return symbol.name in QUESTIONS
        case _:
            return False


def with_thread_numbers(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with what the schedule says in the place of questions about its threads."""
    body, words = loop.body, set(loop.directive.name.split())
    if body is None or not loop.loops or loop.target is not None or not words <= {"parallel", "for", "simd"}:
        return loop
    if loop.is_divided:
        return loop  # the program says which thread has an iteration, and no schedule
    of_team = given_in_team(loop, NUMBER) & symbols_in(body)
    bounds = (bound for each in loop.loops for bound in (each.lower, each.upper, each.step) if bound is not None)
    if any(not of_team.isdisjoint(symbols_in(bound)) for bound in bounds):
        return loop
    asked = QUESTIONS & set(called(body))
    if not asked and not of_team:
        computed = _divides_by(body, given_in_team(loop, COUNT))
        return replace(loop, in_order=loop.in_order or _asks(COUNT)) if computed else loop
    size = team_size(loop)
    if size is None or labels_in(body):
        return loop
    made = ThreadAnswers(loop, size, of_team)
    about_number = NUMBER in asked or bool(of_team)
    number = made.number() if about_number else None
    if about_number and number is None:
        return loop
    found = made.with_body(body, number)
    assert found.body is not None
    if not of_team.isdisjoint(symbols_in(found.body)) or not asked.isdisjoint(called(found.body)):
        return loop  # in lengths of arrays, which are parts of types
    return replace(found, in_order=loop.in_order or _asks(NUMBER if about_number else COUNT))


THREADS = "the threads of the team"


def _declared_number(body: t.Stmt | None) -> t.Symbol | None:
    """The variable with which the iteration begins, if that is the number of its thread."""
    match body:
        case t.Block(items=(t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=t.Call() as value),)), *_)):
            return symbol if {THREAD_IN_TURN, THREAD_OF_BLOCK} & set(called(value)) else None
        case _:
            return None


def _asks(function: str) -> Succession:
    """Of several threads, each of which adds in its order."""
    return Succession(f"`{function}`", adds_in_order=False)


def _divides_by(body: t.Stmt, counts: Collection[t.Symbol]) -> bool:
    """Does the program compute itself which thread has an iteration: `i / 8 % threads`?"""
    divisions = (node for node in walk(body) if isinstance(node, t.Binary) and node.op in ("/", "%"))
    return any(ty.is_integer(node.type) and not symbols_in(node.right).isdisjoint(counts) for node in divisions)


@dataclass
class ThreadAnswers:
    """What a kernel says of the threads of `loop`. `size`: how many of them share it, as the host says that; `of_team`:
    the team's variables that are the number as well.
    """

    loop: ParallelLoop
    size: t.Expr
    of_team: frozenset[t.Symbol]

    def __post_init__(self) -> None:
        self.variables = KernelVariables(self.loop, self.size.loc, self.of_team)
        known = (symbol for symbol, read in self.loop.fixed.items() if read.meaning == THREADS)
        self.threads = next(known, None) or self.variables.given("threads", self.size, THREADS)

    def thread(self) -> t.Symbol | None:
        """A variable of the iteration with the number of its thread; None as of `number`."""
        known = _declared_number(self.loop.body)
        number = None if known is not None else self.number()
        return known if number is None else self.variables.declared("thread", number)

    # ------------------------------------------------------------------------------- the number

    def number(self) -> t.Expr | None:
        """Which thread runs an iteration; None: the schedule, or the kernel, does not tell."""
        clause = self.loop.directive.first("schedule")
        kind = "static" if clause is None else clause.kind
        passed = iteration_number(self.loop.loops)
        if passed is None or kind not in ("static", "dynamic", "auto"):
            return None
        if clause is not None and (clause.unread or "simd" in (clause.modifier or "")):
            return None  # `simd: static, 5` is rounded up to what vectors have
        chunk = None if clause is None else clause.expr
        if chunk is None and kind != "dynamic":
            count = iterations(self.loop.loops)
            return None if count is None else call(THREAD_OF_BLOCK, passed, count, self.variables.named(self.threads))
        width = self._width(chunk)
        return None if width is None else call(THREAD_IN_TURN, passed, width, self.variables.named(self.threads))

    def _width(self, chunk: t.Expr | None) -> t.Expr | None:
        """The iterations of a chunk, evaluated where the pragma stands; None: they are not known there."""
        constant = 1 if chunk is None else constant_value(chunk)
        if constant is not None:
            return t.IntConst(ty.INT, self.size.loc, constant, str(constant)) if constant > 0 else None
        if chunk is None or not all(map(is_plain, nodes(chunk))):
            return None
        if any(self.loop.sharing.get(symbol) not in _AS_OUTSIDE for symbol in symbols_in(chunk)):
            return None  # in the region, which begins behind the launch, it has another value
        return self.variables.named(self.variables.given("chunk", chunk, "the schedule's chunk"))

    # --------------------------------------------------------------------------------- the body

    def with_body(self, body: t.Stmt, number: t.Expr | None) -> ParallelLoop:
        """The loop with the answers in `body`; without `number` nobody asks for that."""
        loop, of_team = self.loop, self.of_team
        named = next(iter(sorted(of_team, key=lambda symbol: symbol.position)), None)
        name = "thread" if named is None else named.name
        thread = None if number is None else self.variables.declared(name, number)

        def change(node: Node) -> Node | None:
            match node:
                case t.Call(function=t.Name(symbol=asked), loc=loc, type=kind) if is_question(node):
                    of = thread if asked.name == NUMBER else self.threads
                    return None if of is None else t.Name(kind, loc, of)
                case t.Name(symbol=symbol, loc=loc) if symbol in of_team and thread is not None:
                    return t.Cast(ty.unqualified(symbol.type), loc, t.Name(thread.type, loc, thread))
                case _:
                    return None

        inside = rewritten(body, change)
        if thread is not None:
            inside = with_updates(inside, {thread})
        sizes = () if loop.team is not None else (TeamSize(c_expr(self.size)),)
        return replace(self.variables.with_body(inside), sizes=sizes)


# ------------------------------------------------------------------------------------------ the team


def team_size(loop: ParallelLoop) -> t.Expr | None:
    """How many threads share the loop, as the host says in front of it; None: what the region asks for is no number."""
    if loop.team is not None:
        return call("ompc_threads_here")
    clause = loop.directive.first("num_threads")
    if clause is None:
        return call("ompc_threads_of", t.IntConst(ty.INT, loop.loc, 0, "0"))
    if clause.expr is None or not all(map(is_plain, nodes(clause.expr))):
        return None
    return call("ompc_threads_of", clause.expr)


def given_in_team(loop: ParallelLoop, question: str) -> frozenset[t.Symbol]:
    """The variables of the region's threads that are the answer wherever the loop may read them."""
    team = loop.team
    if team is None:
        return frozenset()
    own = {symbol for symbol, how in loop.sharing.items() if how is Sharing.TEAM_PRIVATE}
    begins = team.region.listed("firstprivate", "copyin", "reduction") if team.region is not None else frozenset()
    declared = declared_in(team.code)
    own = {s for s in own if s in declared or (team.region is not None and s not in begins)}
    own = {s for s in own if isinstance(s.type, ty.Int) and s.type.size >= 4 and not s.address_taken}
    own = {s for s in own if not (s.threadprivate or s.storage is t.Storage.THREAD)}
    return frozenset(s for s in own if s.type.quals <= {"const"} and _is_answer(team.code, s, question))


def _is_answer(code: t.Stmt, symbol: t.Symbol, question: str) -> bool:
    """Is the answer all that the variable is ever given, in the region itself?"""
    given = False
    for node in walk(code):
        if isinstance(node, (t.OpaqueStmt, t.OpaqueExpr)) or (isinstance(node, t.Pragma) and _hides(node, symbol)):
            return False
        declares = isinstance(node, t.VarDecl) and node.symbol is symbol and node.init is not None
        if declares or changed_by(node) is symbol:
            if not _gives_answer(node, question):
                return False
            given = True
    return given


def _gives_answer(node: Node, question: str) -> bool:
    match node:
        case t.VarDecl(init=value) | t.Assign(op="=", value=value):
            return value is not None and _is_call_of(question, value)
        case _:
            return False


def _hides(pragma: t.Pragma, symbol: t.Symbol) -> bool:
    """Is it a construct with other threads, or of which it is not known what it does to the variable?"""
    directive = readable(pragma)
    if directive is None:
        return True
    makes_threads = is_made_of(directive, "parallel", "teams", "target", "task", "taskloop")
    return makes_threads or symbol in directive.listed(*GIVES_VALUES)


def _is_call_of(question: str, value: Node) -> bool:
    match value:
        case t.Cast(type=ty.Int(size=size) as kind, operand=operand):
            return size >= 4 and kind != ty.BOOL and _is_call_of(question, operand)
        case t.Call(function=t.Name(symbol=symbol), args=()):
            return symbol.name == question
        case _:
            return False
