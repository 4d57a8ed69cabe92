"""`linear` variables that are not the loop's own (OpenMP 5.2, 5.4.6): a copy of each iteration begins where it should.

    #pragma omp parallel for linear(j: 2)           j shared, only read;  j_own lastprivate, its value is j's at the end
    for (i = 4; i < n; i++) {                       for (i = 4; i < n; i++) {
        b[j] = a[i];                         ->         j_own = (int)(j + (i - 4) * 2);
        j += 2;                                         b[j_own] = a[i];
    }                                                   j_own += 2;
                                                    }

The directive only promises that the body adds the step: gcc's threads begin where their first iteration should, and add
nothing themselves. So the body must add exactly the step, once in every iteration; otherwise the answer depends on the
number of threads. The arithmetic is modulo 2^64, of which each integer type keeps what gcc computes in it.

In: a directive and its canonical loops.   Out: `Linears`, or the reason why not (OMPC304).
Not here: `linear` for a loop's own variable, which ends as if it were lastprivate -- sharing.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.directive import Clause, Directive
from ompc.ir.exits import leaves
from ompc.ir.queries import Place, declared_in, nodes, place_of, symbols_in, targets_written
from ompc.ir.rewrite import with_symbols
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    Cast,
    Conditional,
    DeclStmt,
    Expr,
    ExprStmt,
    For,
    IncDec,
    Name,
    Pragma,
    Sizeof,
    Stmt,
    Storage,
    Symbol,
)
from ompc.ir.walk import children
from ompc.omp.constructs import readable
from ompc.omp.iteration_numbers import is_plain, iteration_number
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.omp.sharing import SharingTable

_UNNUMBERED = "depends on the number of the iteration, for which the bounds are too complicated"


@dataclass(frozen=True, slots=True)
class Linears:
    """`copies`: each iteration's own variable and the one whose value it begins with; `steps` are read by them."""

    loops: tuple[CanonicalLoop, ...]
    copies: Mapping[Symbol, Symbol] = field(default_factory=dict)
    steps: frozenset[Symbol] = frozenset()
    problem: Reason | None = None

    def added_to(self, table: SharingTable) -> SharingTable:
        """The attributes of the loop with its copies."""
        own = dict.fromkeys(self.copies, Sharing.LASTPRIVATE)
        shared = dict.fromkeys((*self.steps, *self.copies.values()), Sharing.SHARED)
        sharing = {**shared, **table.sharing, **own}
        other = next((s for s in self.copies.values() if sharing[s] is not Sharing.SHARED), None)
        problem = None if other is None else _unsupported(other, f"is {sharing[other].value} too", other.loc)
        return replace(
            table,
            sharing={s: sharing[s] for s in sorted(sharing, key=lambda s: (s.position, s in self.copies))},
            lastprivates=(*table.lastprivates, *self.copies),
            problem=table.problem or problem,
        )


def _unsupported(symbol: Symbol, which: str, at: Location) -> Reason:
    return Reason("OMPC304", f"the clause `linear` for `{symbol.name}`, which {which}, is not supported", at)


def with_linear_copies(directive: Directive, loops: tuple[CanonicalLoop, ...], may_copy: bool) -> Linears:
    """`loops` with a copy of each linear variable that the body advances; as they are where there is none."""
    counters = {v for loop in loops for v in (loop.var, loop.pointer)}
    listed = [
        (clause, symbol) for clause in directive.all("linear") for symbol in clause.symbols if symbol not in counters
    ]
    if not listed or not loops:
        return Linears(loops)
    body = loops[-1].body
    number = iteration_number(loops)
    for clause, symbol in listed:
        why = None if may_copy else "is no variable of the loop"
        why = why or _why_not(clause, symbol, body) or (_UNNUMBERED if number is None else None)
        if why is not None:
            return Linears(loops, problem=_unsupported(symbol, why, directive.loc))
    assert number is not None
    copies = {symbol: _copy(symbol, loops[0]) for _, symbol in listed}
    first = [_begun(copies[symbol], symbol, number, clause.expr) for clause, symbol in listed]
    innermost = replace(loops[-1], body=Block(body.loc, (*first, with_symbols(body, copies))))
    steps = frozenset(s for clause, _ in listed if clause.expr is not None for s in symbols_in(clause.expr))
    return Linears((*loops[:-1], innermost), {copy: symbol for symbol, copy in copies.items()}, steps)


def _copy(symbol: Symbol, loop: CanonicalLoop) -> Symbol:
    """A variable whose name nothing in the loop has."""
    taken = {s.name for s in symbols_in(loop.statement) | declared_in(loop.statement)}
    name = f"{symbol.name}_own"
    while name in taken:
        name += "_"
    return Symbol(name, ty.unqualified(symbol.type), Storage.AUTO, symbol.loc, symbol.position, symbol.function)


def _begun(copy: Symbol, symbol: Symbol, number: Expr, step: Expr | None) -> Stmt:
    """copy = (its type)((unsigned long)symbol + number * (unsigned long)step)."""
    loc = number.loc
    moved = number if step is None else Binary(ty.ULONG, loc, "*", number, Cast(ty.ULONG, loc, step))
    start = Cast(ty.ULONG, loc, Name(symbol.type, loc, symbol))
    value = Cast(copy.type, loc, Binary(ty.ULONG, loc, "+", start, moved))
    return ExprStmt(loc, Assign(copy.type, loc, "=", Name(copy.type, loc, copy), value))


# -------------------------------------------------------------- does the body add it


def _why_not(clause: Clause, symbol: Symbol, body: Stmt) -> str | None:
    """Why it is not known that each iteration begins and ends as the clause says."""
    kind = ty.unqualified(symbol.type)
    if not isinstance(kind, ty.Int) or kind == ty.BOOL or kind.size > 8 or symbol.type.quals & {"volatile", "_Atomic"}:
        return "is no integer variable"
    if clause.unread:
        return "has a step that ompc cannot read"
    if clause.expr is not None and not all(map(is_plain, nodes(clause.expr))):
        return "has a step that the loop would have to compute"
    if symbol.function is None or symbol.address_taken:
        return "other code may change"
    return None if adds_step(body, symbol, clause.expr) else "the body does not move by its step in every iteration"


def moves_its_linear(pragma: Pragma) -> bool:
    """Is a `linear` clause of a loop that one thread runs only about what its body does anyway?"""
    directive = readable(pragma)
    if directive is None or not isinstance(pragma.body, For):
        return False
    step, body = pragma.body.step, pragma.body.body
    stepped = () if step is None else [place_of(target) for target in targets_written(step)]
    return directive.first("collapse") is None and all(
        Place(symbol) in stepped or (not clause.unread and adds_step(body, symbol, clause.expr))
        for clause in directive.all("linear")
        for symbol in clause.symbols
    )


def adds_step(body: Stmt, symbol: Symbol, step: Expr | None) -> bool:
    """Does `body` change `symbol` once, on every path, by adding `step` (None: one)?"""
    targets = [target for target in targets_written(body) if (place := place_of(target)) and place.symbol is symbol]
    if len(targets) != 1 or leaves(body):
        return False
    if any(isinstance(node, Pragma) and symbol in node.directive.named for node in nodes(body)):
        return False
    changed = {place.symbol for target in targets_written(body) if (place := place_of(target))}
    if step is not None and changed & symbols_in(step):
        return False
    return any(_is_update(e, symbol, step) for e in always_evaluated(body))


def always_evaluated(code: Stmt | Expr) -> Iterator[Expr]:
    """The expressions that each execution of `code` evaluates, exactly once."""
    match code:
        case Block(items=items):
            for item in items:
                yield from always_evaluated(item)
        case DeclStmt(decls=decls):
            for decl in decls:
                if decl.init is not None:
                    yield from always_evaluated(decl.init)
        case ExprStmt(expr=expr):
            yield from always_evaluated(expr)
        case Binary(op="&&" | "||", left=left):
            yield from always_evaluated(left)
        case Conditional(condition=condition):
            yield from always_evaluated(condition)
        case Sizeof():
            return
        case Expr():
            yield code
            for child in children(code):
                if isinstance(child, Expr):
                    yield from always_evaluated(child)
        case _:
            return


def _is_update(e: Expr, symbol: Symbol, step: Expr | None) -> bool:
    match e:
        case IncDec(op=op, operand=Name(symbol=named)):
            return named is symbol and _same(step, None, op == "--")
        case Assign(op="+=" | "-=" as op, target=Name(symbol=named), value=amount):
            return named is symbol and _same(step, amount, op == "-=")
        case Assign(op="=", target=Name(symbol=named), value=Binary(op="+" | "-" as op, left=left, right=right)):
            added = right if _is_name(left, symbol) else left if op == "+" and _is_name(right, symbol) else None
            return named is symbol and added is not None and _same(step, added, op == "-")
        case _:
            return False


def _is_name(e: Expr, symbol: Symbol) -> bool:
    return isinstance(e, Name) and e.symbol is symbol


def _same(step: Expr | None, amount: Expr | None, subtracted: bool) -> bool:
    """Is `amount`, or its negative, the step? None is one."""
    asked, added = _value(step), _value(amount)
    if asked is not None and added is not None:
        return asked == (-added if subtracted else added)
    match step, amount:
        case Name(symbol=left), Name(symbol=right):
            return left is right and not subtracted
        case _:
            return False


def _value(e: Expr | None) -> int | None:
    return 1 if e is None else constant_value(e)
