"""Canonical loops (OpenMP 5.2, 4.4.1): from `for` statements to normalised variable, bounds and step.

    for (i = n; 0 < i; i = i - 2)   ->   i from n while i > 0, down by 2

The variable stands on the left of the relation, the step is its positive magnitude with a direction. gcc converts both
bounds to the type of the variable before it counts the iterations (`int i; size_t n; i < n` compares ints, also where C
would compare size_t), so a bound of a type that could change the comparison is wrapped in that cast here; `!=` is `<`
to gcc, or `>` where the loop counts down. A sequential loop compares as C does.

In: the statement under a worksharing-loop directive, and how many loops it associates; or any `for`.
Out: `CanonicalLoop`s, outermost first, or the reason why not (OMPC308 form, OMPC305 side effects in a bound, OMPC312
changed by its own body).
Not here: sharing of the variables -- sharing.py; whether the iterations are independent -- analysis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import promoted_value
from ompc.ir.directive import Directive
from ompc.ir.queries import Place, nodes, place_of, places_read, symbols_in, targets_written
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    Cast,
    DeclStmt,
    Empty,
    Expr,
    ExprStmt,
    For,
    IncDec,
    IntConst,
    Name,
    Pragma,
    Stmt,
    Symbol,
    Unary,
)
from ompc.omp.constructs import is_openmps
from ompc.omp.counter_wrap import compares_numbers, fits, keeps_values, may_come_round
from ompc.omp.model import CanonicalLoop
from ompc.omp.pointer_loops import with_counted_pointers
from ompc.omp.uses import has_side_effects

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


class _NotCanonicalError(Exception):
    """Carries the Reason; never leaves this module."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


def canonical_loops(
    statement: Stmt, count: int, pure: Collection[Symbol] = frozenset()
) -> tuple[CanonicalLoop, ...] | Reason:
    """The `count` perfectly nested canonical loops that begin at `statement`, outermost first.

    Bounds may call the functions in `pure`.
    """
    try:
        loops: list[CanonicalLoop] = []
        for _ in range(count):
            loops.append(_as_gcc_counts(_canonical_loop(_the_loop_in(statement, nested=bool(loops)), pure)))
            statement = loops[-1].body
        loops = _with_dependence(loops)
        _check_unchanged(loops)
    except _NotCanonicalError as error:
        return error.reason
    return with_counted_pointers(loops)


def associated_loops(directive: Directive) -> int:
    """How many nested loops the directive takes: its `collapse`, a positive constant (compilers check that)."""
    collapse = directive.first("collapse")
    count = constant_value(collapse.expr) if collapse is not None and collapse.expr is not None else None
    return 1 if count is None else count


@lru_cache(maxsize=4096)
def sequential_loop(statement: For, pure: Collection[Symbol] = frozenset()) -> CanonicalLoop | Reason:
    """A loop that no directive associates; only one whose comparison, in C's types, is that of the numbers compared.
    `pure`: the functions that its bounds may call.
    """
    try:
        loop = _canonical_loop(statement, pure)
        if isinstance(loop.type, ty.Pointer):
            raise _unsupported(f"the loop variable `{loop.var.name}` is a pointer", statement)
        if not compares_numbers(loop):
            raise _unsupported("its comparison converts a value that may be negative to an unsigned type", statement)
        if may_come_round(loop):
            raise _unsupported(f"`{loop.var.name}` may pass by its bound and by the end of its type", statement)
        _check_unchanged([loop])
    except _NotCanonicalError as error:
        return error.reason
    return loop


def alone_in_braces(statement: Stmt) -> Stmt:
    """The one statement inside any number of braces, empty statements aside; `statement` itself if there are others."""
    while isinstance(statement, Block):
        items = [item for item in statement.items if not _says_nothing(item)]
        if len(items) != 1:
            return statement
        statement = items[0]
    return statement


def _says_nothing(statement: Stmt) -> bool:
    """Is it empty, or a pragma of somebody else's?"""
    foreign = isinstance(statement, Pragma) and statement.body is None and not is_openmps(statement)
    return foreign or isinstance(statement, Empty)


def _the_loop_in(statement: Stmt, nested: bool) -> For:
    inner = alone_in_braces(statement)
    if isinstance(inner, For):
        return inner
    what = "the loops of `collapse` are not perfectly nested" if nested else "no `for` loop follows"
    raise _unsupported(what, statement)


def _unsupported(what: str, at: Stmt | Expr) -> _NotCanonicalError:
    return _NotCanonicalError(Reason("OMPC308", f"the loop's form is not supported: {what}", at.loc))


# ------------------------------------------------------------------ one loop


@dataclass(frozen=True, slots=True)
class _Step:
    """`amount` is added (or, with `subtracted`, taken away); None is one."""

    amount: Expr | None
    subtracted: bool


def _canonical_loop(loop: For, pure: Collection[Symbol]) -> CanonicalLoop:
    var, lower, declared_here = _initialised(loop)
    _check_variable(var, loop)
    relation, upper = _test(loop, var)
    step = _increment(loop, var)
    for bound in (lower, upper):
        _check_bound(bound, var, pure)
    if step.amount is not None:
        _check_integer(step.amount, pure)
    down, magnitude, constant = _direction(loop, relation, step)
    return CanonicalLoop(loop, var, declared_here, lower, upper, relation, magnitude, constant, down, loop.body)


def _initialised(loop: For) -> tuple[Symbol, Expr, bool]:
    """The variable, its first value, and whether the loop declares it."""
    match loop.init:
        case DeclStmt(decls=(decl,)) if decl.init is not None:
            return decl.symbol, decl.init, True
        case ExprStmt(expr=Assign(op="=", target=Name(symbol=var), value=value)):
            return var, value, False
        case None:
            raise _unsupported("it initialises no loop variable", loop)
        case _:
            raise _unsupported("its first part is no single assignment to a variable", loop)


def _check_variable(var: Symbol, loop: For) -> None:
    match var.type:
        case ty.Pointer(to=to):
            if not ty.size_of(to) or var.type.quals & {"volatile", "_Atomic"}:
                raise _unsupported(f"the pointer `{var.name}` does not step by a known number of bytes", loop)
        case ty.Int(size=size) if size <= 8 and ty.unqualified(var.type) != ty.BOOL:
            if var.type.quals & {"volatile", "_Atomic"}:
                raise _unsupported(f"the loop variable `{var.name}` is volatile or atomic", loop)
        case _:
            raise _unsupported(f"the loop variable `{var.name}` is of no integer type of up to 64 bits", loop)


def _test(loop: For, var: Symbol) -> tuple[str, Expr]:
    """The relation with `var` on its left, and the bound on its right."""
    match loop.condition:
        case Binary(op=op, left=left, right=right) if op in _MIRRORED and _is_variable(left, var):
            return op, right
        case Binary(op=op, left=left, right=right) if op in _MIRRORED and _is_variable(right, var):
            return _MIRRORED[op], left
        case None:
            raise _unsupported("it has no condition", loop)
        case _:
            raise _unsupported(f"its condition does not compare `{var.name}` with a bound", loop)


def _is_variable(e: Expr, var: Symbol) -> bool:
    """`var` itself, or under a cast that keeps each of its values (gcc accepts `(long)i < n`)."""
    match e:
        case Name(symbol=symbol):
            return symbol is var
        case Cast(operand=operand):
            return _is_variable(operand, var) and keeps_values(var.type, e.type)
        case _:
            return False


def _increment(loop: For, var: Symbol) -> _Step:
    match loop.step:
        case IncDec(op=op, operand=Name(symbol=symbol)) if symbol is var:
            return _Step(None, op == "--")
        case Assign(op="+=" | "-=" as op, target=Name(symbol=symbol), value=amount) if symbol is var:
            return _Step(amount, op == "-=")
        case Assign(op="=", target=Name(symbol=symbol), value=Binary(op="+" | "-" as op, left=left, right=right)):
            if symbol is var and _is_variable(left, var):
                return _Step(right, op == "-")
            if symbol is var and op == "+" and _is_variable(right, var):
                return _Step(left, False)
        case _:
            pass
    raise _unsupported(f"its last part does not add to `{var.name}` or subtract from it", loop.step or loop)


def _check_bound(bound: Expr, var: Symbol, pure: Collection[Symbol]) -> None:
    if not isinstance(var.type, ty.Pointer):
        _check_integer(bound, pure)
        return
    kind = ty.decayed(bound.type)
    if not isinstance(kind, ty.Pointer) or ty.unqualified(kind.to) != ty.unqualified(var.type.to):
        raise _unsupported(f"a bound is no pointer of the type of `{var.name}`", bound)
    if var in symbols_in(bound):
        raise _unsupported(f"a bound depends on the loop variable `{var.name}`", bound)
    _check_effects(bound, pure)


def _check_integer(bound: Expr, pure: Collection[Symbol]) -> None:
    if not ty.is_integer(bound.type):
        raise _unsupported("a bound or the step is not of integer type", bound)
    _check_effects(bound, pure)


def _check_effects(bound: Expr, pure: Collection[Symbol]) -> None:
    if has_side_effects(bound, pure, of_bound=True):
        message = "a bound or the step has a side effect, or calls a function"
        raise _NotCanonicalError(Reason("OMPC305", message, bound.loc))


def _direction(loop: For, relation: str, step: _Step) -> tuple[bool, Expr | None, int | None]:
    """(down, magnitude, its constant value): by the relation; by the step's sign for `!=`."""
    amount = 1 if step.amount is None else constant_value(step.amount)
    change = None if amount is None else -amount if step.subtracted else amount
    down = change == -1 if relation == "!=" else relation in (">", ">=")
    if relation == "!=" and change not in (1, -1):
        raise _unsupported("with `!=` the step must be the constant 1 or -1", loop)
    if change is not None and change * (-1 if down else 1) <= 0:
        raise _unsupported("it steps away from its bound, or not at all", loop)
    magnitude = step.amount if step.amount is None or step.subtracted == down else _negated(step.amount)
    return down, magnitude, None if change is None else abs(change)


def _negated(e: Expr) -> Expr:
    """-e: `i += s` that counts down adds a negative `s`."""
    return Unary(promoted_value(e), e.loc, "-", e)


# ------------------------------------------------------------------- conversions


def _as_gcc_counts(loop: CanonicalLoop) -> CanonicalLoop:
    if isinstance(loop.type, ty.Pointer):
        return loop
    lower, upper = (_as_variable(bound, loop.var) for bound in (loop.lower, loop.upper))
    relation = loop.relation if loop.relation != "!=" else ">" if loop.down else "<"
    return replace(loop, lower=lower, upper=upper, relation=relation)


def _as_variable(bound: Expr, var: Symbol) -> Expr:
    """`bound` as gcc counts with it: converted to the variable's type, which is written only where it can matter."""
    value = constant_value(bound)
    if keeps_values(bound.type, var.type) or (value is not None and fits(value, var.type)):
        return bound
    return Cast(ty.unqualified(var.type), bound.loc, bound)


# -------------------------------------------------------------------- the nest


def _with_dependence(loops: list[CanonicalLoop]) -> list[CanonicalLoop]:
    """`loops` with those marked whose bounds depend on outer variables; compilers allow `outer * a1 + a0` only."""
    outer: set[Symbol] = set()
    found: list[CanonicalLoop] = []
    for loop in loops:
        if loop.var in outer:
            raise _unsupported(f"two loops of the nest count with `{loop.var.name}`", loop.statement)
        outer.add(loop.var)
        named = [bound for bound in _bounds(loop) if outer & symbols_in(bound)]
        for bound in named:
            _check_dependent(loop, bound, outer - {loop.var})
        found.append(replace(loop, dependent=bool(named)))
    return found


def _check_dependent(loop: CanonicalLoop, bound: Expr, outer: set[Symbol]) -> None:
    """The kernel evaluates such a bound itself: it must be arithmetic on plain variables."""
    if bound is loop.step or not isinstance(loop.type, ty.Int):
        raise _unsupported("a step, or a pointer's bound, depends on a loop variable", loop.statement)
    for node in nodes(bound):
        match node:
            case IntConst() | Binary() | Unary(op="+" | "-" | "~") | Cast(type=ty.Int()):
                pass
            case Name(symbol=symbol) if isinstance(symbol.type, (ty.Int, ty.Enum)) and symbol is not loop.var:
                pass
            case _:
                names = ", ".join(f"`{s.name}`" for s in sorted(outer & symbols_in(bound), key=lambda s: s.position))
                raise _unsupported(f"a bound combines {names} with more than plain variables", bound)


def _check_unchanged(loops: list[CanonicalLoop]) -> None:
    """Each variable, bound and step must keep its value throughout the body; else the program is non-conforming."""
    fixed = {Place(loop.var) for loop in loops}
    fixed |= {place for loop in loops for bound in _bounds(loop) for place in places_read(bound)}
    for place, target in _places_written(loops[-1].body):
        if any(place.overlaps(other) for other in fixed):
            message = f"the loop's body changes `{place}`, which the loop's own control uses"
            raise _NotCanonicalError(Reason("OMPC312", message, target.loc))


@lru_cache(maxsize=1024)
def _places_written(body: Stmt) -> tuple[tuple[Place, Expr], ...]:
    """The variables and members that an assignment in `body` names, and where."""
    found = ((place_of(target), target) for target in targets_written(body))
    return tuple((place, target) for place, target in found if place is not None)


def _bounds(loop: CanonicalLoop) -> Iterator[Expr]:
    yield from (e for e in (loop.lower, loop.upper, loop.step) if e is not None)
