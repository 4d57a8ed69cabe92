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

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from ompc.base.source import NOWHERE
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import THREAD_IN_TURN, THREAD_OF_BLOCK
from ompc.ir.directive import Directive, Kind
from ompc.ir.exits import labels_in
from ompc.ir.queries import assigned_in, called, changed_by, declared_in, nodes, only_reads, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.omp.constructs import is_made_of, readable
from ompc.omp.iteration_numbers import is_plain, iteration_number, iterations
from ompc.omp.model import FixedRead, ParallelLoop, Sharing, TeamSize
from ompc.omp.uses import COUNT, NUMBER, QUESTIONS

_POSITION = -3_000
"""The position of the first new variable: before those of the file, in an order of their own."""
_UPDATES = frozenset(("+=", "-=", "*=", "&=", "|=", "^="))
_COMMUTATIVE = frozenset("+ * & | ^".split())
_AS_OUTSIDE = (None, Sharing.SHARED, Sharing.FIRSTPRIVATE, Sharing.TEAM_PRIVATE)
GIVES_VALUES = ("firstprivate", "lastprivate", "reduction", "linear", "copyprivate")
"""Clauses that give a variable another value."""


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
    of_team = given_in_team(loop, NUMBER) & symbols_in(body)
    bounds = (bound for each in loop.loops for bound in (each.lower, each.upper, each.step) if bound is not None)
    if any(not of_team.isdisjoint(symbols_in(bound)) for bound in bounds):
        return loop
    asked = QUESTIONS & set(called(body))
    if not asked and not of_team:
        computed = _divides_by(body, given_in_team(loop, COUNT))
        return replace(loop, in_order=loop.in_order or f"`{COUNT}`") if computed else loop
    size = _team_size(loop)
    if size is None or labels_in(body):
        return loop
    made = _Made(loop, size, of_team)
    about_number = NUMBER in asked or bool(of_team)
    number = made.number() if about_number else None
    if about_number and number is None:
        return loop
    found = made.with_body(body, number)
    assert found.body is not None
    if not of_team.isdisjoint(symbols_in(found.body)) or not asked.isdisjoint(called(found.body)):
        return loop  # in lengths of arrays, which are parts of types
    return replace(found, in_order=loop.in_order or f"`{NUMBER if about_number else COUNT}`")


def _divides_by(body: t.Stmt, counts: Collection[t.Symbol]) -> bool:
    """Does the program compute itself which thread has an iteration: `i / 8 % threads`?"""
    divisions = (node for node in walk(body) if isinstance(node, t.Binary) and node.op in ("/", "%"))
    return any(ty.is_integer(node.type) and not symbols_in(node.right).isdisjoint(counts) for node in divisions)


@dataclass
class _Made:
    """What takes the place of `loop`. `size`: how many threads share it, as the host says that; `of_team`: the team's
    variables that are the number as well.
    """

    loop: ParallelLoop
    size: t.Expr
    of_team: frozenset[t.Symbol]

    def __post_init__(self) -> None:
        assert self.loop.body is not None
        parts = [self.loop.body, *(bound for each in self.loop.loops for bound in (each.lower, each.upper))]
        taken = {symbol for part in parts for symbol in symbols_in(part) | declared_in(part)} | self.loop.sharing.keys()
        self.taken = {symbol.name for symbol in taken - self.of_team}
        self.fixed: dict[t.Symbol, FixedRead] = {}
        self.threads = self._fixed("threads", self.size, "the threads of the team")

    def _symbol(self, name: str, position: int) -> t.Symbol:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return t.Symbol(name, ty.INT, t.Storage.AUTO, self.size.loc, position, self.loop.function)

    def _fixed(self, name: str, value: t.Expr, meaning: str) -> t.Symbol:
        """A variable of the kernel with a value that the host says."""
        symbol = self._symbol(name, _POSITION + len(self.fixed))
        self.fixed[symbol] = FixedRead(value, "", (), meaning)
        return symbol

    def _name(self, symbol: t.Symbol) -> t.Expr:
        return t.Name(symbol.type, self.size.loc, symbol)

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
            return None if count is None else _call(THREAD_OF_BLOCK, passed, count, self._name(self.threads))
        width = self._width(chunk)
        return None if width is None else _call(THREAD_IN_TURN, passed, width, self._name(self.threads))

    def _width(self, chunk: t.Expr | None) -> t.Expr | None:
        """The iterations of a chunk, evaluated where the pragma stands; None: they are not known there."""
        constant = 1 if chunk is None else constant_value(chunk)
        if constant is not None:
            return t.IntConst(ty.INT, self.size.loc, constant, str(constant)) if constant > 0 else None
        if chunk is None or not all(map(is_plain, nodes(chunk))):
            return None
        if any(self.loop.sharing.get(symbol) not in _AS_OUTSIDE for symbol in symbols_in(chunk)):
            return None  # in the region, which begins behind the launch, it has another value
        return self._name(self._fixed("chunk", chunk, "the schedule's chunk"))

    # --------------------------------------------------------------------------------- the body

    def with_body(self, body: t.Stmt, number: t.Expr | None) -> ParallelLoop:
        """The loop with the answers in `body`; without `number` nobody asks for that."""
        loop, of_team = self.loop, self.of_team
        named = next(iter(sorted(of_team, key=lambda symbol: symbol.position)), None)
        thread = None if number is None else self._symbol("thread" if named is None else named.name, _POSITION - 1)

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
        if thread is not None and number is not None:
            inside = _with_updates(inside, {thread})
            declared = t.VarDecl(thread, number, number.loc)
            inside = t.Block(body.loc, (t.DeclStmt(body.loc, (declared,)), inside))
        loops = (*loop.loops[:-1], replace(loop.loops[-1], body=inside))
        sharing = {symbol: how for symbol, how in loop.sharing.items() if symbol not in of_team}
        sizes = () if loop.team is not None else (TeamSize(c_expr(self.size)),)
        fixed = {**loop.fixed, **self.fixed}
        return replace(loop, body=inside, loops=loops, sharing=sharing, fixed=fixed, sizes=sizes)


def _call(name: str, *args: t.Expr) -> t.Call:
    """Of a function of ompc's, with numbers that are not negative."""
    kind = ty.Function(ty.INT, tuple(argument.type for argument in args))
    symbol = t.Symbol(name, kind, t.Storage.FUNCTION, NOWHERE, 0)
    loc = args[0].loc if args else NOWHERE
    return t.Call(ty.INT, loc, t.Name(kind, loc, symbol), args)


# ------------------------------------------------------------------------------------------ the team


def _team_size(loop: ParallelLoop) -> t.Expr | None:
    """How many threads share the loop, as the host says in front of it; None: what the region asks for is no number."""
    if loop.team is not None:
        return _call("ompc_threads_here")
    clause = loop.directive.first("num_threads")
    if clause is None:
        return _call("ompc_threads_of", t.IntConst(ty.INT, loop.loc, 0, "0"))
    if clause.expr is None or not all(map(is_plain, nodes(clause.expr))):
        return None
    return _call("ompc_threads_of", clause.expr)


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


# --------------------------------------------------------------------------------------- accumulation


def _with_updates(body: t.Stmt, numbers: Collection[t.Symbol]) -> t.Stmt:
    """`body` where what is accumulated in elements that a thread's number leads to is done by atomic operations."""
    led = _made_of(body, numbers)

    def change(node: Node) -> Node | None:
        match node:
            case t.Pragma(directive=Directive(name="atomic" | "critical")) | t.Expr():
                return node
            case t.ExprStmt(expr=expr) if _is_update(expr, led):
                return _exclusive("atomic", node)
            case t.If() | t.ExprStmt() if _is_selection(node, led):
                return _exclusive("critical", node)
            case _:
                return None

    return rewritten(body, change)


def _made_of(body: t.Stmt, numbers: Iterable[t.Symbol]) -> frozenset[t.Symbol]:
    """The variables that are made of the thread's number: `row = me * n`, `p = &sum[me]`."""
    found = set(numbers)
    while True:
        more = {s for node in walk(body) for s, value in _given(node) if s not in found and symbols_in(value) & found}
        if not more:
            return frozenset(found)
        found |= more


def _given(node: Node) -> Iterable[tuple[t.Symbol, t.Expr]]:
    match node:
        case t.VarDecl(symbol=symbol, init=t.Expr() as init):
            return ((symbol, init),)
        case t.Assign(target=t.Name(symbol=symbol), value=value):
            return ((symbol, value),)
        case _:
            return ()


def _is_element(lvalue: t.Expr, led: Collection[t.Symbol]) -> bool:
    return not isinstance(lvalue, t.Name) and ty.is_arithmetic(lvalue.type) and not symbols_in(lvalue).isdisjoint(led)


def _is_update(expr: t.Expr, led: Collection[t.Symbol]) -> bool:
    match expr:
        case t.IncDec(operand=lvalue):
            return _is_element(lvalue, led)
        case t.Assign(op=op, target=lvalue, value=value) if op in _UPDATES:
            return _is_element(lvalue, led) and not assigned_in(value) and not _mentions(value, lvalue)
        case t.Assign(op="=", target=lvalue, value=t.Binary(op=op, left=left, right=right)) if op in _COMMUTATIVE:
            of_itself = _is_same(left, lvalue) != _is_same(right, lvalue)
            rest = right if _is_same(left, lvalue) else left
            return _is_element(lvalue, led) and of_itself and not assigned_in(rest) and not _mentions(rest, lvalue)
        case _:
            return False


def _is_selection(statement: t.Stmt, led: Collection[t.Symbol]) -> bool:
    """`if (x > most[me]) most[me] = x;`, or with `?:`. Of integers: which of two zeros was first can be seen."""
    choice = statement
    while isinstance(choice, t.Block) and len(choice.items) == 1:
        choice = choice.items[0]
    match choice:
        case t.If(condition=condition, then=then, other=None):
            return _is_choice(condition, then, led)
        case t.ExprStmt(expr=t.Assign(op="=", value=t.Conditional(condition=condition))):
            return _is_choice(condition, choice, led)
        case _:
            return False


def _is_choice(condition: t.Expr, then: t.Stmt, led: Collection[t.Symbol]) -> bool:
    while isinstance(then, t.Block) and len(then.items) == 1:
        then = then.items[0]
    match then:
        case t.ExprStmt(expr=t.Assign(op="=", target=lvalue)):
            whole = _is_element(lvalue, led) and ty.is_integer(lvalue.type)
            return whole and _mentions(condition, lvalue) and only_reads(condition)
        case _:
            return False


def _mentions(code: t.Expr, lvalue: t.Expr) -> bool:
    return any(_is_same(node, lvalue) for node in walk(code) if isinstance(node, t.Expr))


def _is_same(node: t.Expr, lvalue: t.Expr) -> bool:
    return type(node) is type(lvalue) and symbols_in(node) == symbols_in(lvalue) and c_expr(node) == c_expr(lvalue)


def _exclusive(name: str, statement: t.Stmt) -> t.Pragma:
    directive = Directive(Kind.OPENMP, name, (), statement.loc, text=name)
    return t.Pragma(statement.loc, f"omp {name}", statement, {}, in_macro=True, directive=directive)
