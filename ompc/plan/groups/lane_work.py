"""Plan: may any lane of a warp execute an iteration of a row's loop, and does that make its reads neighbours?

Any lane may when an iteration does nothing that others see: it writes scalars of the thread alone, and variables of
its own; it calls what has no effects. And when it finds there what the row's lane would find: not arrays of the
thread's own, which are in each lane's local memory, not what pointers to those lead to.

    val[k], nbr[i * most + k], x[col[k]]     neighbouring iterations read neighbouring elements (the first two)
    val[k * n + i]                           neighbouring lanes do already, each in a row of its own: not shared
    w[k], k from 0 in all rows               all lanes read the same element: not shared

    In: Facts, a loop.   Out: NotDivisibleError with the reason; whether accesses are contiguous, rows apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import object_of
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks
from ompc.ir.queries import is_constant_table, unread_in
from ompc.ir.show import c_expr
from ompc.ir.walk import children, walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.groups.lane_terms import NotDivisibleError
from ompc.plan.mapping.strides import is_plain_term, mentions


def is_contiguous(facts: Facts, loop: CanonicalLoop, x: t.Symbol) -> bool:
    """Do neighbouring iterations read neighbouring elements, and neighbouring lanes, each in its own row, none?"""
    counters = _counters(loop)
    starts_apart = any(_differs(facts, value, counters) for value in counters.values())
    found = False
    for base, index in elements(loop.body):
        if not any(mentions(base, k) or mentions(index, k) for k in counters):
            continue
        if is_plain_term(index, x) and not mentions(base, x):
            return False
        next_to_each_other = any(is_plain_term(index, k) and not mentions(base, k) for k in counters)
        apart = starts_apart or _differs(facts, base, counters) or _differs(facts, index, counters)
        found |= next_to_each_other and apart
    return found


def contiguous_bytes(loop: CanonicalLoop) -> int:
    """What an iteration reads of elements that lie beside those of the next one."""
    found = {
        f"{c_expr(base)}[{c_expr(index)}]": ty.size_of(kind.to) or 0
        for base, index in _contiguous(loop)
        if isinstance(kind := ty.decayed(base.type), ty.Pointer)
    }
    return sum(found.values())


def holds_rows(loops: Iterable[CanonicalLoop]) -> tuple[t.Symbol, ...]:
    """The arrays in which the rows that the loops walk stand behind each other."""
    found = [base.symbol for loop in loops for base, _ in _contiguous(loop) if isinstance(base, t.Name)]
    return tuple(dict.fromkeys(found))


def _contiguous(loop: CanonicalLoop) -> Iterator[tuple[t.Expr, t.Expr]]:
    """The elements, as base and index, that lie beside those of the next iteration."""
    counters = _counters(loop)
    for base, index in elements(loop.body):
        if any(is_plain_term(index, k) and not mentions(base, k) for k in counters):
            yield base, index


def reads_in_common(facts: Facts, loop: CanonicalLoop) -> tuple[str, ...]:
    """The elements that an iteration of the loop reads in all rows, as text; nothing where rows differ."""
    counters, found = _counters(loop), list[str]()
    for base, index in elements(loop.body):
        if any(mentions(base, k) or mentions(index, k) for k in counters):
            if _differs(facts, base, counters) or _differs(facts, index, counters):
                return ()
            found.append(f"{c_expr(base)}[{c_expr(index)}]")
    return tuple(dict.fromkeys(found))


def _differs(facts: Facts, node: t.Expr, counters: Collection[t.Symbol]) -> bool:
    """May the expression have another value in each row, beyond what the counters say?"""
    names = (part.symbol for part in walk(node) if isinstance(part, t.Name))
    return any(symbol not in counters and facts.is_thread_private(MemoryObject(symbol)) for symbol in names)


def _counters(loop: CanonicalLoop) -> dict[t.Symbol, t.Expr]:
    """The loop's variable, and variables of an iteration that are it plus something; what they begin with."""
    found = {loop.var: loop.lower}
    for node in walk(loop.body):
        match node:
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                pass
            case t.Assign(op="=", target=t.Name(symbol=symbol), value=value):
                pass
            case _:
                continue
        if ty.is_integer(symbol.type) and symbol not in found and any(is_plain_term(value, k) for k in found):
            found[symbol] = value
    return found


def elements(body: t.Stmt) -> Iterator[tuple[t.Expr, t.Expr]]:
    """(array or pointer, subscript) of every element that `body` names; of rows, that of the last subscript."""
    for node in walk(body):
        match node:
            case t.Index(base=base, index=index) if not isinstance(node.type, ty.Array):
                yield base, index
            case t.Unary(op="*", operand=t.Binary(op="+", left=base, right=index)):
                yield base, index
            case _:
                pass


def may_have_rows_in_common(facts: Facts, loop: CanonicalLoop) -> bool:
    """Is the place of a row found by two reads one after the other, as that of `list[cell[i]]`?

    Neighbouring iterations may then be at the same row, and read the same elements at the same time.
    """
    values: dict[t.Symbol, list[t.Expr]] = {}
    for node in walk(facts.device_code.body):
        match node:
            case t.VarDecl(symbol=symbol, init=t.Expr() as value) | t.Assign(target=t.Name(symbol=symbol), value=value):
                values.setdefault(symbol, []).append(value)
            case _:
                pass
    deep = dict.fromkeys(values, 0)
    while deep != (found := {symbol: max(_reads_deep(v, deep) for v in values[symbol]) for symbol in values}):
        deep = found
    return _reads_deep(loop.lower, deep) > 1


def _reads_deep(node: t.Expr, deep: Mapping[t.Symbol, int]) -> int:
    """The reads, one for the place of the next, that a value comes from, 2 at most; `deep`: of variables."""
    below = max((_reads_deep(part, deep) for part in children(node) if isinstance(part, t.Expr)), default=0)
    match node:
        case t.Name(symbol=symbol):
            return deep.get(symbol, 0)
        case t.Index() | t.Unary(op="*") | t.Member(arrow=True) if not isinstance(node.type, ty.Array):
            return min(2, 1 + below)
        case _:
            return below


def check_computes(
    facts: Facts,
    loop: CanonicalLoop,
    declared: Collection[t.Symbol],
    may_store: bool = False,
    reached: Collection[t.Symbol] = (),
) -> None:
    """Raise NotDivisibleError unless any lane may execute an iteration; `declared` are the iteration's variables.
    `may_store`: just one of them does, so that it may also store where the others of the loop do not look. `reached`:
    arrays of the thread's own that all of them reach, or that an iteration needs for itself.
    """
    inside = set(walk(loop.body))
    if breaks(loop.body):
        raise NotDivisibleError("it can be left early")
    known = {*declared, *reached}
    for node in walk(loop.body):  # in the order of the text, which decides what is said
        _check_node(facts, node, known)
    if unread_in(loop.body) is not None:
        raise NotDivisibleError("part of it could not be read")
    for access in facts.accesses:
        stores = may_store and access.mode.writes and not facts.is_thread_private(access.obj)
        if access.node in inside and not stores:
            _check_access(facts, access, known)
    _check_functions(facts, inside)


def _check_node(facts: Facts, node: t.Expr | t.Stmt | t.VarDecl, declared: Collection[t.Symbol]) -> None:
    forms = facts.atomic_operations.forms
    arg_reductions = {arg_reduction.statement for arg_reduction in facts.atomic_operations.arg_reductions}
    if node in forms.statements or node in forms.expressions or node in arg_reductions or isinstance(node, t.Pragma):
        raise NotDivisibleError("it has atomic operations or other constructs")
    match node:
        case t.VarDecl(symbol=symbol) if ty.is_variably_modified(symbol.type):
            raise NotDivisibleError("it declares an array of variable length")
        case t.Name(symbol=symbol) if symbol not in declared and not isinstance(symbol.type, ty.Function):
            if facts.is_thread_private(MemoryObject(symbol)) and not is_constant_table(symbol):
                _check_own(symbol)
        case _:
            pass


def _check_own(symbol: t.Symbol) -> None:
    if not ty.is_scalar(symbol.type):
        raise NotDivisibleError(f"it uses '{symbol.name}', of which each iteration has its own, and which is no number")
    if symbol.address_taken:
        raise NotDivisibleError(f"it uses '{symbol.name}', to which there may be pointers")


def _check_access(facts: Facts, access: Access, declared: Collection[t.Symbol]) -> None:
    obj = access.obj
    if not facts.is_thread_private(obj):
        if access.mode.writes:
            raise NotDivisibleError(f"it writes '{obj}'")
        return
    if object_of(access.node) is not obj.symbol:
        raise NotDivisibleError(f"it uses '{obj}', of which each iteration has its own, through a pointer")
    if access.mode.writes and obj.symbol not in declared and not isinstance(access.node, t.Name):
        raise NotDivisibleError(f"it writes part of '{obj}'")


def _check_functions(facts: Facts, inside: Collection[t.Expr | t.Stmt | t.VarDecl]) -> None:
    """What the loop calls, directly or not, may only read."""
    functions = {function.symbol: function for function in facts.device_code.functions}
    called: set[t.Function] = set()
    pending = [node for node in inside if isinstance(node, t.Call)]
    while pending:
        callee = pending.pop().function
        if not isinstance(callee, t.Name):
            raise NotDivisibleError("it calls through a pointer")
        function = functions.get(callee.symbol)
        if function is not None and function not in called:
            called.add(function)
            body = function.body
            assert body is not None
            pending += [node for node in walk(body) if isinstance(node, t.Call)]
            if any(isinstance(node, t.Pragma) for node in walk(body)):
                raise NotDivisibleError(f"{function.name} has directives")
    for access in facts.accesses:
        if access.function in called and access.mode.writes and not facts.is_thread_private(access.obj):
            raise NotDivisibleError(f"it writes '{access.obj}'")


def carried_by(facts: Facts, loop: CanonicalLoop, written: Iterable[t.Symbol]) -> frozenset[t.Symbol]:
    """Those of `written` that go from one iteration to the next, or are wanted behind the loop."""
    exposed = exposed_reads(loop.body)
    return frozenset(
        symbol
        for symbol in written
        if symbol in exposed
        or facts.loop.sharing.get(symbol) is Sharing.REDUCTION
        or _is_wanted_behind(facts, loop, symbol)
    )


def leaves_its_variable(facts: Facts, loop: CanonicalLoop) -> bool:
    """Is the loop's variable used behind it?"""
    return not loop.declared_here and _is_wanted_behind(facts, loop, loop.var)


def _is_wanted_behind(facts: Facts, loop: CanonicalLoop, symbol: t.Symbol) -> bool:
    return symbol in facts.loop.lastprivates or read_after(facts.device_code.body, loop.statement, symbol)


def may_trap(expr: t.Expr | None) -> bool:
    """Has it a quotient or remainder by what is no constant, or reads it what a pointer leads to?"""
    for part in () if expr is None else walk(expr):
        match part:
            case t.Binary(op="/" | "%", right=right) if constant_value(right) is None:
                return True
            case t.Index() | t.Unary(op="*") | t.Member(arrow=True):
                return True
            case _:
                pass
    return False
