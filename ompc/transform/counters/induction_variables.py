"""Variables that move by the same amount in every iteration of a loop are what the loop's counter says.

    for (k = 64 * i, j = 0; j < n[i]; j++, k++)        k = 64 * i;
        a[k] = b[k];                                   for (j = 0; j < n[i]; j++)
                                              ->           a[k + j] = b[k + j];

    k = 0;                                             k = 0;
    for (j = 0; j < m; j++) {                          for (j = 0; j < m; j++) {
        x[k++] = u[j];                                     x[k + j * 2] = u[j];
        x[k++] = v[j];                        ->           x[k + j * 2 + 1] = v[j];
    }                                                  }
    w[i] = k;                                          k += (0 < m ? m : 0) * 2;
                                                       w[i] = k;

No iteration then needs an earlier one for the variable, and threads may share the loop. Inner loops come first: what
one adds at its end moves the variable in the loop around it.

    the variable    is an integer of the kernel's own code, that nothing but its name reaches. Each change of it in the
                    loop is made in every iteration, and adds a number or variables that the loop does not change
    the counter     is that of a loop in canonical form. It begins at no negative number, so that the distance from
                    there fits its type
    the values      are those that the program computes. What is computed on the way fits as well where they move by
                    one; by more, where the variable is wider than the counter, or unsigned, or begins at no negative
                    number and moves upwards
    at the end      the variable gets its value where somebody may want it, and the loop ends by its head alone then

    In: a loop as its kernel has it.   Out: the same loop, or one with other statements.
    Not here: counters of the directive's own loops; `linear` -- ompc/omp/linear.py; what goes through memory, and
    pointers that move; variables that move where a condition holds (prefix sums).
    Source: induction variable substitution: Allen and Kennedy, "Optimizing Compilers for Modern Architectures" (2001),
    5.5.1; Haghighat and Polychronopoulos, "Symbolic analysis for parallelizing compilers" (1996).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks, continues, has_goto, leaves_loop
from ompc.ir.queries import changed_by, changed_in, declared_in, names_in, nodes, symbols_in, type_written_at, unread_in
from ompc.ir.rewrite import rebuilt, rewritten, with_items, with_parts, with_symbols
from ompc.ir.walk import Node, type_expressions, walk
from ompc.omp.iteration_numbers import is_plain
from ompc.omp.linear import always_evaluated
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop, ParallelLoop, Sharing
from ompc.transform.counters.loop_heads import split_head
from ompc.transform.counters.moves import Moves, moves_of
from ompc.transform.counters.moving_values import Numbers, is_fixed
from ompc.transform.hidden_names import has_names_apart


def with_induction_variables(loop: ParallelLoop) -> ParallelLoop:
    """`loop` where variables that move with counters are computed from them; itself where there is none."""
    body = loop.body
    if body is None or not loop.loops or loop.scan is not None or (loop.target is not None and loop.target.alone):
        return loop
    if not any(isinstance(node, t.For) for node in walk(body)):
        return loop
    if unread_in(body) is not None or has_goto(body) or not has_names_apart(loop):
        return loop
    body = _with_heads_apart(body)
    own = {symbol for symbol, how in loop.sharing.items() if how is Sharing.PRIVATE} | declared_in(body)
    made = rewritten(body, _Substitution(loop, body, frozenset(filter(_is_plain_integer, own))).of)
    if made is body:
        return loop
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=made))
    return replace(loop, body=made, loops=loops)


def _with_heads_apart(body: t.Stmt) -> t.Stmt:
    """`body` where what the head of a loop declares, besides its counter, has a name that nothing else has."""
    named = Counter(symbol.name for symbol in symbols_in(body) | declared_in(body))
    renamed: dict[t.Symbol, t.Symbol] = {}
    for node in walk(body):
        if isinstance(node, t.For) and isinstance(node.init, t.DeclStmt) and len(node.init.decls) > 1:
            for symbol in (decl.symbol for decl in node.init.decls):
                if named[symbol.name] > 1:
                    name = next(name for k in count(2) if not named[name := f"{symbol.name}_{k}"])
                    named[name] += 1
                    renamed[symbol] = replace(symbol, name=name)
    return with_symbols(body, renamed) if renamed else body


def _is_plain_integer(symbol: t.Symbol) -> bool:
    kind = ty.unqualified(symbol.type)
    whole = isinstance(kind, ty.Int) and kind != ty.BOOL and 4 <= kind.size <= 8
    return whole and symbol.is_automatic and not symbol.address_taken and not symbol.type.quals & _NOT_PLAIN


_NOT_PLAIN = frozenset({"volatile", "_Atomic", "const"})


@dataclass(frozen=True)
class _Substitution:
    """`own`: the integers of the kernel that may be computed."""

    loop: ParallelLoop
    body: t.Stmt
    own: frozenset[t.Symbol]

    def of(self, node: Node) -> Node | None:
        match node:
            case t.Expr() | t.Switch() | t.Pragma():
                return node
            case t.Block(items=items):
                made: list[t.Stmt] = []
                for item in items:
                    made += self._for(item, made) if isinstance(item, t.For) else (rewritten(item, self.of),)
                return with_items(node, made)
            case t.For():
                alone = self._for(node, ())
                return alone[0] if len(alone) == 1 else t.Block(node.loc, tuple(alone))
            case _:
                return None

    def _for(self, original: t.For, before: Sequence[t.Stmt]) -> Sequence[t.Stmt]:
        """What becomes of a loop behind the statements `before` of its block."""
        node = rebuilt(original, self.of)
        head = split_head(node)
        loop = None if head is None else sequential_loop(head.plain)
        if head is None or not isinstance(loop, CanonicalLoop):
            return (node,)
        before = (*before, *head.first)
        moved = {step: changed_by(step) for step in head.steps}
        inside = [symbol for symbol in names_in(loop.body) if symbol in changed_in(loop.body)]
        after: list[t.Stmt] = []
        for symbol in dict.fromkeys((*moved.values(), *inside)):
            steps = [step for step, target in moved.items() if target is symbol]
            made = None
            if symbol in self.own and symbol is not loop.var and symbol not in declared_in(loop.body):
                made = self._without(symbol, loop, steps, original, before)
            if made is None and steps:
                return (node,)
            if made is not None:
                after += made[1]
                loop = replace(loop, body=made[0])
        if not head.steps and loop.body is node.body:
            return (node,)
        return (*head.first, with_parts(head.plain, body=loop.body), *after)

    def _without(
        self, symbol: t.Symbol, loop: CanonicalLoop, steps: Sequence[t.Expr], original: t.For, before: Sequence[t.Stmt]
    ) -> tuple[t.Stmt, Sequence[t.Stmt]] | None:
        """The loop's body where `symbol` is computed, and what gives it its value behind the loop."""
        heads = (loop.statement.init, loop.statement.condition, loop.statement.step)
        if any(symbol in symbols_in(part) for part in heads if part is not None) or _is_in_types(loop.body, symbol):
            return None
        total = _all_moves(loop.body, symbol, steps)
        if total is None or not all(self._stays(other, loop) for other in total.others):
            return None
        begun, value = _begin(symbol, before)
        numbers = Numbers(symbol, loop, total, self._positive)
        if not numbers.fit(value):
            return None
        wanted = not begun or symbol not in declared_in(self.body) or self._is_wanted(symbol, original)
        if wanted and (leaves_loop(loop.body) or breaks(loop.body) or not self._has_end(loop)):
            return None
        body = _Computed(symbol, numbers).statement(loop.body)
        end = numbers.at_end() if wanted else ()
        return None if end is None else (body, end)

    def _is_wanted(self, symbol: t.Symbol, inside: t.For) -> bool:
        """May code outside of the loop read the variable?"""
        named = len(names_in(self.body).get(symbol, ())) - len(names_in(inside).get(symbol, ()))
        within = set(walk(inside))
        return named != sum(
            isinstance(node, t.ExprStmt) and node not in within and _given(node.expr, symbol) is not None
            for node in walk(self.body)
        )

    def _stays(self, value: t.Expr, loop: CanonicalLoop) -> bool:
        """Is it arithmetic on variables that nothing changes while the loop runs?"""
        changed = changed_in(loop.body) | declared_in(loop.body) | {loop.var}
        return all(
            is_plain(node)
            and not (isinstance(node, t.Name) and (not is_fixed(node.symbol) or node.symbol in changed))
            for node in nodes(value)
        )

    def _has_end(self, loop: CanonicalLoop) -> bool:
        return self._stays(loop.lower, loop) and self._stays(loop.upper, loop)

    @cached_property
    def _positive(self) -> frozenset[t.Symbol]:
        """Counters that are never negative, of the directive's loops and of such that declare them."""
        inner = (sequential_loop(node) for node in walk(self.body) if isinstance(node, t.For))
        known = [each for each in inner if isinstance(each, CanonicalLoop) and each.declared_here]
        return frozenset(loop.var for loop in (*self.loop.loops, *known) if _counts_up_from_zero(loop))


def _counts_up_from_zero(loop: CanonicalLoop) -> bool:
    first = constant_value(loop.lower)
    return first is not None and first >= 0 and not loop.down


def _is_in_types(body: t.Stmt, symbol: t.Symbol) -> bool:
    """Does a type that the body spells name it?"""
    lengths = (length for node in nodes(body) for length in type_expressions(type_written_at(node)))
    return any(symbol in symbols_in(length) for length in lengths)


def _begin(symbol: t.Symbol, before: Sequence[t.Stmt]) -> tuple[bool, t.Expr | None]:
    """Has one of these statements given it a value, and which one has it behind them?"""
    value: t.Expr | None = None
    begun = False
    for statement in before:
        match statement:
            case t.DeclStmt(decls=decls):
                found = [decl.init for decl in decls if decl.symbol is symbol and isinstance(decl.init, t.Expr)]
                given = found[0] if found else None
            case t.ExprStmt(expr=expr):
                given = _given(expr, symbol)
            case _:
                given = None
        if given is not None:
            begun, value = True, given
        elif symbol in changed_in(statement):
            value = None
    return begun, value


def _given(expr: t.Expr, symbol: t.Symbol) -> t.Expr | None:
    match expr:
        case t.Assign(op="=", target=t.Name(symbol=target), value=value) if target is symbol:
            return None if symbol in symbols_in(value) else value
        case _:
            return None


def _all_moves(body: t.Stmt, symbol: t.Symbol, steps: Sequence[t.Expr]) -> Moves | None:
    """What each iteration adds, with what its head adds behind it; None: that is not known, or nothing reads it."""
    total = Moves()
    found = [] if symbol not in changed_in(body) else list(_moves_in(body, symbol))
    if found and continues(body):
        return None
    for moves in (*found, *(moves_of(step, symbol) for step in steps)):
        if moves is None:
            return None
        total += moves
    updates = sum(target is symbol for target in map(changed_by, walk(body)))
    is_read = bool(steps) or len(names_in(body).get(symbol, ())) > updates or not _only_moves(body, symbol)
    return total if is_read and (found or steps) else None


def _only_moves(body: t.Stmt, symbol: t.Symbol) -> bool:
    """Is each change of it a statement, whose value nobody reads?"""
    alone = {node.expr for node in walk(body) if isinstance(node, t.ExprStmt)}
    return all(node in alone for node in walk(body) if isinstance(node, t.Expr) and changed_by(node) is symbol)


def _moves_in(body: t.Stmt, symbol: t.Symbol) -> Iterator[Moves | None]:
    """Of each statement of the body that changes the variable; None for one of which it is not known."""
    items = body.items if isinstance(body, t.Block) else (body,)
    for item in items:
        if symbol not in changed_in(item):
            continue
        if isinstance(item, t.Block):
            yield from _moves_in(item, symbol)
        elif isinstance(item, (t.ExprStmt, t.DeclStmt)):
            yield _move_in(item, symbol)
        else:
            yield None


def _move_in(item: t.ExprStmt | t.DeclStmt, symbol: t.Symbol) -> Moves | None:
    """Of a statement that is always executed, and names the variable where it moves and nowhere else."""
    if isinstance(item, t.ExprStmt) and (moves := moves_of(item.expr, symbol)) is not None:
        return None if any(symbol in symbols_in(other) for other in moves.others) else moves
    if len(names_in(item).get(symbol, ())) != 1:
        return None
    found = [moves for expr in always_evaluated(item) if (moves := moves_of(expr, symbol)) is not None]
    return found[0] if len(found) == 1 else None


@dataclass
class _Computed:
    """A loop's body in which a variable is computed. `moved`: what the iteration has added so far."""

    symbol: t.Symbol
    numbers: Numbers
    moved: Moves = field(default_factory=Moves)

    def statement(self, item: t.Stmt) -> t.Stmt:
        if self.symbol not in changed_in(item):
            return rewritten(item, self._read)
        if isinstance(item, t.Block):
            made = map(self.statement, item.items)
            return replace(item, items=tuple(each for each in made if not isinstance(each, t.Empty)))
        moves = _move_in(item, self.symbol) if isinstance(item, (t.ExprStmt, t.DeclStmt)) else None
        assert moves is not None
        before, self.moved = self.moved, self.moved + moves
        if isinstance(item, t.ExprStmt) and moves_of(item.expr, self.symbol) is not None:
            return t.Empty(item.loc)

        def change(node: Node) -> Node | None:
            if not isinstance(node, (t.IncDec, t.Assign)) or moves_of(node, self.symbol) is None:
                return None
            late = isinstance(node, t.Assign) or node.prefix
            return self.numbers.value(self.moved if late else before, node.loc)

        return rewritten(item, change)

    def _read(self, node: Node) -> Node | None:
        if isinstance(node, t.Name) and node.symbol is self.symbol:
            return self.numbers.value(self.moved, node.loc)
        return None
