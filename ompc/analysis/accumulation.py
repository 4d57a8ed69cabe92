"""Analysis: is a reduction variable only accumulated into, by the operation of its clause?

Then partial results may be formed by any threads in any grouping. A loop that reads the partial value, or that combines
it in another way (`reduction(*:a)` with `a += 2`), has an answer that depends on how many threads there are: it stays
on the host.

    +, -        s += e;  s -= e;  s = s + e;  s = e + s;  s++
    * & | ^     p *= e;  p = p * e;  ...
    && ||       b = b && e;  if (e) b = 0;  b = b || e;  if (e) b = 1;  b |= e  (and &=) with truth values
    min max     if (e < m) m = e;  m = e < m ? e : m;  m = fmin(m, e);  m = least(m, e), a function that
                returns one of them

`e` must not mention the variable. Source: OpenMP 5.2, 5.5.5 (implicitly declared reduction identifiers).

    In: Reach, accesses.   Out: None, or the place of the first other use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.analysis.accesses import Access
from ompc.analysis.reach import Reach
from ompc.sema import tree as t
from ompc.sema.constants import constant_value
from ompc.sema.walk import walk

_COMPOUND = {
    "+": ("+=", "-="),
    "-": ("+=", "-="),
    "*": ("*=",),
    "&": ("&=",),
    "|": ("|=",),
    "^": ("^=",),
    "&&": ("&=", "*="),
    "||": ("|=",),
}
_COMMUTES = frozenset({"+", "*", "&", "|", "^", "&&", "||"})
_LESS, _GREATER = ("<", "<="), (">", ">=")


def other_use(reach: Reach, symbol: t.Symbol, op: str, accesses: Sequence[Access]) -> t.Expr | None:
    """The first access to the reduction variable `symbol` that does not accumulate by `op`."""
    accumulating = {node for body in reach.bodies() for node in _accumulating(body, symbol, op, reach)}
    if symbol.address_taken and any(_takes_address(node, symbol) for node in reach.nodes()):
        return next(access.node for access in accesses)
    return next((access.node for access in accesses if access.node not in accumulating), None)


def _accumulating(body: t.Stmt, symbol: t.Symbol, op: str, reach: Reach) -> Iterator[t.Expr]:
    """The mentions of `symbol` in statements that accumulate into it."""
    for node in walk(body):
        match node:
            case t.Assign(op=assign, target=t.Name(symbol=target), value=value) if target is symbol:
                if assign == "=" and _combines(value, symbol, op, reach):
                    yield from _mentions(node, symbol)
                elif assign in _COMPOUND.get(op, ()) and not _mentions(value, symbol):
                    yield node.target
            case t.IncDec(operand=t.Name(symbol=target)) if target is symbol and op in ("+", "-"):
                yield node.operand
            case t.If(condition=condition, then=then, other=None):
                yield from _guarded(condition, _only_assignment(then), symbol, op)
            case _:
                pass


def _combines(value: t.Expr, symbol: t.Symbol, op: str, reach: Reach) -> bool:
    """Is `symbol = value` an accumulation by `op`?"""
    match value:
        case t.Binary(op="-", left=left, right=right) if op in ("+", "-"):
            return _is(left, symbol) and not _mentions(right, symbol)
        case t.Binary(op=operator, left=left, right=right) if operator == ("+" if op == "-" else op) and op not in (
            "min",
            "max",
        ):
            one_side = (_is_sum_with(left, symbol, operator), _is_sum_with(right, symbol, operator))
            other = right if one_side[0] else left
            return any(one_side) and operator in _COMMUTES and not _mentions(other, symbol)
        case t.Conditional(condition=condition, then=then, other=other):
            return _selects(condition, then, other, symbol, op)
        case t.Call(function=t.Name(symbol=function), args=(first, second)):
            return (
                _picks(function, op, reach)
                and _is(first, symbol) != _is(second, symbol)
                and (len(_mentions(value, symbol)) == 1)
            )
        case t.Cast(operand=operand):
            return _combines(operand, symbol, op, reach)
        case _:
            return False


def _is_sum_with(node: t.Expr, symbol: t.Symbol, op: str) -> bool:
    """Is `node` the variable, or a chain `symbol op e op f` that the parser built to the left?"""
    while isinstance(node, t.Binary) and node.op == op and not _mentions(node.right, symbol):
        node = node.left
    return _is(node, symbol)


def _selects(condition: t.Expr, then: t.Expr, other: t.Expr, symbol: t.Symbol, op: str) -> bool:
    """`e < m ? e : m` and its three mirror images."""
    if _is(then, symbol) == _is(other, symbol) or op not in ("min", "max"):
        return False
    relation = _relation(condition, symbol)
    if relation is None:
        return False
    takes_new = _is(other, symbol)
    wanted = _wanted(op) if takes_new else _wanted("min" if op == "max" else "max")
    return relation in wanted and not _mentions(then if takes_new else other, symbol)


def _guarded(condition: t.Expr, assign: t.Assign | None, symbol: t.Symbol, op: str) -> Iterator[t.Expr]:
    """`if (e < m) m = e;` for min and max, `if (e) b = 1;` for ||, `if (e) b = 0;` for &&."""
    if assign is None or not _is(assign.target, symbol) or assign.op != "=" or _mentions(assign.value, symbol):
        return
    if op in ("min", "max"):
        if _relation(condition, symbol) in _wanted(op):
            yield from (*_mentions(condition, symbol), assign.target)
    elif op in ("&&", "||") and not _mentions(condition, symbol):
        value = constant_value(assign.value)
        if value is not None and bool(value) == (op == "||"):
            yield assign.target


def _relation(condition: t.Expr, symbol: t.Symbol) -> str | None:
    """The relation of the other operand to the variable: `e < m` and `m > e` are both "<"."""
    match condition:
        case t.Binary(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
            if _is(right, symbol) and not _mentions(left, symbol):
                return op
            if _is(left, symbol) and not _mentions(right, symbol):
                return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
            return None
        case _:
            return None


def _wanted(op: str) -> tuple[str, str]:
    """The relations under which a new value replaces the variable."""
    return _LESS if op == "min" else _GREATER


def _picks(function: t.Symbol, op: str, reach: Reach) -> bool:
    """Does the function return the lesser (greater) of its two arguments?"""
    visible = next((f for f in reach.functions if f.symbol is function), None)
    if visible is None:
        return op in ("min", "max") and function.name in (f"f{op}", f"f{op}f")
    match visible.body:
        case t.Block(items=(t.Return(value=t.Conditional(condition=condition, then=then, other=other)),)):
            _, second = visible.params if len(visible.params) == 2 else (None, None)
            return second is not None and _selects(condition, then, other, second, op)
        case t.Block(items=(t.If(condition=c, then=then_, other=None), t.Return(value=t.Name() as last))):
            returned = _only_return(then_)
            return returned is not None and _selects(c, returned, last, last.symbol, op)
        case _:
            return False


def _only_return(body: t.Stmt) -> t.Expr | None:
    while isinstance(body, t.Block) and len(body.items) == 1:
        body = body.items[0]
    return body.value if isinstance(body, t.Return) else None


def _only_assignment(body: t.Stmt) -> t.Assign | None:
    while isinstance(body, t.Block) and len(body.items) == 1:
        body = body.items[0]
    return body.expr if isinstance(body, t.ExprStmt) and isinstance(body.expr, t.Assign) else None


def _is(node: t.Expr, symbol: t.Symbol) -> bool:
    return isinstance(node, t.Name) and node.symbol is symbol


def _mentions(node: t.Expr, symbol: t.Symbol) -> list[t.Expr]:
    return [part for part in walk(node) if isinstance(part, t.Name) and part.symbol is symbol]


def _takes_address(node: object, symbol: t.Symbol) -> bool:
    return isinstance(node, t.Unary) and node.op == "&" and _is(node.operand, symbol)
