"""What iterations accumulate in elements that a thread's number leads to: the threads of a kernel take turns there.

    int me = omp_get_thread_num();                    #pragma omp atomic
    sum[me] += x[i];                          ->      sum[me] += x[i];
    if (x[i] > most[me]) most[me] = x[i];             #pragma omp critical
                                                      if (x[i] > most[me]) most[me] = x[i];

On the host one thread after the other comes to such an element: those iterations that it runs. In a kernel they run at
the same time.

In: code, the variables that hold the numbers.   Out: the code with `atomic` and `critical` around such statements.
Not here: what the numbers are -- thread_numbers.py, team_numbers.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive, Kind
from ompc.ir.queries import assigned_in, only_reads, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk

_UPDATES = frozenset(("+=", "-=", "*=", "&=", "|=", "^="))
_COMMUTATIVE = frozenset("+ * & | ^".split())


def with_updates(body: t.Stmt, numbers: Collection[t.Symbol]) -> t.Stmt:
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
