"""Analysis: is a reduction variable only accumulated into, by the operation of its clause?

Then partial results may be formed by any threads in any grouping. A loop that reads the partial value, or that combines
it in another way (`reduction(*:a)` with `a += 2`), has an answer that depends on how many threads there are: it stays
on the host.

    +, -        s += e;  s -= e;  s = s + e;  s = e + s;  s++
    * & | ^     p *= e;  p = p * e;  ...
    && ||       b = b && e;  if (e) b = 0;  b = b || e;  if (e) b = 1;  b |= e  (and &=) with truth values
    min max     if (e < m) m = e;  m = e < m ? e : m;  m = fmin(m, e);  m = least(m, e), a function that
                returns one of them

The same for an element of an array, `h[k] += e`, and through pointers to the variable: `add(&s, e)` accumulates when
all that `add` does with its first parameter is `*p += e`. The result of an accumulation must not be used. That `e` has
nothing of the variable in it follows from every access being looked at: one in `e` accumulates nothing.

Source: OpenMP 5.2, 5.5.5 (implicitly declared reduction identifiers).

    In: DeviceCode, accesses.   Out: the accumulations; None, or the place of the first other use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject, element_type
from ompc.analysis.memory.points_to import PointsTo
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigns_only, called_functions, nodes, variables_of
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.omp.uses import has_side_effects

COMPOUND = {
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
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LESS, _GREATER = ("<", "<="), (">", ">=")

IsVariable = Callable[[t.Expr], bool]
"""Does an lvalue designate the variable, or an element of it?"""


@dataclass(frozen=True, slots=True, eq=False)
class Accumulation:
    """An expression or `if` that accumulates into `target`; `mentions` are all its accesses to it, `target` first."""

    node: t.Expr | t.If
    target: t.Expr
    mentions: tuple[t.Expr, ...]


def other_use(
    device_code: DeviceCode, points_to: PointsTo, obj: MemoryObject, op: str, accesses: Sequence[Access]
) -> t.Expr | None:
    """The first access to the reduction variable `obj` that does not accumulate by `op`."""
    found = accumulations_into(device_code, points_to, obj, op)
    accumulating = {mention for accumulation in found for mention in accumulation.mentions}
    return next((access.node for access in accesses if access.node not in accumulating), None)


def accumulations_into(
    device_code: DeviceCode, points_to: PointsTo, obj: MemoryObject, op: str
) -> tuple[Accumulation, ...]:
    """What accumulates into `obj` by `op`, in the loop's body and the functions that it calls."""
    element = ty.unqualified(element_type(obj))

    def is_variable(node: t.Expr) -> bool:
        if not isinstance(node, (t.Name, t.Index, t.Unary)) or ty.unqualified(node.type) != element:
            return False
        return (not isinstance(node, t.Unary) or node.op == "*") and points_to.object_of(node) == {obj}

    return tuple(a for body in device_code.bodies() for a in accumulating(body, is_variable, op, device_code))


def accumulations(body: t.Stmt, symbol: t.Symbol, op: str, device_code: DeviceCode) -> Iterator[t.Expr]:
    """The mentions of `symbol`, by its name, in what accumulates into it, or into an element of it."""
    element = ty.unqualified(element_type(MemoryObject(symbol)))

    def is_variable(node: t.Expr) -> bool:
        if not isinstance(node, t.Name | t.Index) or ty.unqualified(node.type) != element:
            return False
        return access_path(node).variable is symbol

    for found in accumulating(body, is_variable, op, device_code):
        inside = {node for node in walk(found.node) if isinstance(node, t.Name) and node.symbol is symbol}
        if inside == {access_path(mention).origin for mention in found.mentions}:
            yield from inside


# ---------------------------------------------------------- where a value is not used


def accumulating(body: t.Stmt, is_variable: IsVariable, op: str, device_code: DeviceCode) -> Iterator[Accumulation]:
    """The accumulations by `op` in `body` into what `is_variable` recognises."""
    for node in walk(body):
        match node:
            case t.ExprStmt(expr=expr) | t.For(step=t.Expr() as expr):
                for part in _discarded(expr):
                    yield from _accumulation(part, is_variable, op, device_code)
            case t.If(condition=condition, then=then, other=None):
                yield from _guarded(node, condition, only_assignment(then), is_variable, op, device_code)
            case _:
                pass


def _discarded(expr: t.Expr) -> Iterator[t.Expr]:
    """The parts of an expression statement whose values nothing uses."""
    match expr:
        case t.Comma(left=left, right=right):
            yield from _discarded(left)
            yield from _discarded(right)
        case t.Conditional(then=then, other=other):
            yield from _discarded(then)
            yield from _discarded(other)
        case t.Cast(type=ty.Void(), operand=operand) | t.Binary(op="&&" | "||", right=operand):
            yield from _discarded(operand)
        case _:
            yield expr


def _accumulation(node: t.Expr, is_variable: IsVariable, op: str, device_code: DeviceCode) -> Iterator[Accumulation]:
    match node:
        case t.Assign(op="=", target=target, value=value) if is_variable(target) and not has_side_effects(target):
            mentions = _combined(value, target, op, device_code)
            if mentions and (op in ("min", "max") or not _truncates(target.type, value.type)):
                yield Accumulation(node, target, (target, *mentions))
        case t.Assign(op=assign, target=target, value=value) if is_variable(target) and assign in COMPOUND.get(op, ()):
            if not _truncates(target.type, value.type):
                yield Accumulation(node, target, (target,))
        case t.IncDec(operand=target) if is_variable(target) and op in ("+", "-"):
            yield Accumulation(node, target, (target,))
        case _:
            pass


# ------------------------------------------------------------------------ the forms


def _combined(value: t.Expr, target: t.Expr, op: str, device_code: DeviceCode) -> list[t.Expr]:
    """The mentions of the variable in `value` by which `target = value` accumulates; none when it does not."""
    match value:
        case t.Binary(op="-", left=left) if op in ("+", "-"):
            return _head_of_chain(left, target, ("+", "-"))
        case t.Binary(op=operator, left=left, right=right) if operator == ("+" if op == "-" else op):
            operators = ("+", "-") if operator == "+" else (operator,)
            found = _head_of_chain(left, target, operators) or _head_of_chain(right, target, operators)
            return found if operator in _COMMUTES else []
        case t.Conditional(condition=condition, then=then, other=other):
            return _selected(condition, then, other, _same_as(target), op, device_code)
        case t.Call(function=t.Name(symbol=function), args=(first, second)) if picks(function, op, device_code):
            return [argument for argument in (first, second) if _same(argument, target)]
        case t.Cast(operand=operand, type=kind):
            exact = op in ("min", "max") or not _truncates(kind, operand.type)
            return _combined(operand, target, op, device_code) if exact else []
        case _:
            return []


def _truncates(to: ty.Type, source: ty.Type) -> bool:
    """Does each step of `int s; s += 0.5` cut off a fraction? Then the sum depends on how it is grouped."""
    return ty.is_integer(to) and isinstance(source, (ty.Float, ty.Complex))


def _head_of_chain(node: t.Expr, target: t.Expr, operators: Sequence[str]) -> list[t.Expr]:
    """The variable as `node` itself, or as the head of a chain `s op e op f` that the parser built to the left."""
    while isinstance(node, t.Binary) and node.op in operators:
        node = node.left
    return [node] if _same(node, target) else []


def _selected(
    condition: t.Expr, then: t.Expr, other: t.Expr, is_it: IsVariable, op: str, device_code: DeviceCode
) -> list[t.Expr]:
    """`e < m ? e : m` and its three mirror images: the mentions of `m`."""
    if is_it(then) == is_it(other) or op not in ("min", "max"):
        return []
    takes_new = is_it(other)
    wanted = relation_wanted(op) if takes_new else relation_wanted("min" if op == "max" else "max")
    compared = _compared(condition, is_it, then if takes_new else other, wanted, device_code)
    return [] if compared is None else [compared, other if takes_new else then]


def _guarded(
    node: t.If, condition: t.Expr, assign: t.Assign | None, is_variable: IsVariable, op: str, device_code: DeviceCode
) -> Iterator[Accumulation]:
    """`if (e < m) m = e;` for min and max, `if (e) b = 1;` for ||, `if (e) b = 0;` for &&."""
    if assign is None or assign.op != "=" or not is_variable(assign.target) or has_side_effects(assign.target):
        return
    if op in ("min", "max"):
        compared = _compared(condition, _same_as(assign.target), assign.value, relation_wanted(op), device_code)
        if compared is not None:
            yield Accumulation(node, assign.target, (assign.target, compared))
    elif op in ("&&", "||"):
        value = constant_value(assign.value)
        if value is not None and bool(value) == (op == "||"):
            yield Accumulation(node, assign.target, (assign.target,))


def _compared(
    condition: t.Expr, is_it: IsVariable, new: t.Expr, wanted: Sequence[str], device_code: DeviceCode
) -> t.Expr | None:
    """The mention of the variable in a comparison by which `new` replaces it: `new < m` and `m > new` are both "<".

    What is compared must be what replaces: `if (x > m) m = 2 * x` is no maximum.
    """
    match condition:
        case t.Binary(op=op, left=left, right=right) if op in _MIRRORED:
            if is_it(left):
                left, op, right = right, _MIRRORED[op], left
            own = ty.unqualified(right.type)
            is_new = c_expr(_uncast(left, own)) == c_expr(_uncast(new, own)) and _is_repeatable(left, device_code)
            return right if is_it(right) and is_new and op in wanted else None
        case _:
            return None


def _uncast(node: t.Expr, own: ty.Type) -> t.Expr:
    """`node` without conversions to floating types, which keep the order, and to the variable's own, which C does."""
    while isinstance(node, t.Cast) and (isinstance(node.type, ty.Float) or node.type == own):
        node = node.operand
    return node


def _is_repeatable(node: t.Expr, device_code: DeviceCode) -> bool:
    """Does evaluating it twice give the same value twice? A function may change its own variables."""
    functions = called_functions(node, {function.symbol: function for function in device_code.functions})
    codes: list[Node] = [node, *(f.body for f in functions if f.body is not None)]
    prints = any(isinstance(part, t.Print) for code in codes for part in nodes(code))
    own = all(f.body is not None and assigns_only(f.body, variables_of(f)) for f in functions)
    return assigns_only(node, ()) and own and not prints


def relation_wanted(op: str) -> tuple[str, str]:
    """The relations under which a new value replaces the variable."""
    return _LESS if op == "min" else _GREATER


def picks(function: t.Symbol, op: str, device_code: DeviceCode) -> bool:
    """Does the function return the lesser (greater) of its two arguments?"""
    visible = next((f for f in device_code.functions if f.symbol is function), None)
    if visible is None:
        return op in ("min", "max") and function.name in (f"f{op}", f"f{op}f")
    choice = None if visible.body is None else _choice(visible.body)
    if choice is None or len(visible.params) != 2:
        return False
    condition, then, other = choice
    named = {node.symbol for node in (then, other) if isinstance(node, t.Name)}
    is_second = _named(visible.params[1])
    return named == set(visible.params) and _selected(condition, then, other, is_second, op, device_code) != []


def _choice(body: t.Stmt) -> tuple[t.Expr, t.Expr, t.Expr] | None:
    """(c, a, b) of `return c ? a : b;`, `if (c) return a; return b;` and `if (c) return a; else return b;`."""
    match body:
        case t.Block(items=(t.Return(value=t.Conditional(condition=condition, then=then, other=other)),)):
            return condition, then, other
        case t.Block(items=(t.If(condition=condition, then=first, other=None), t.Return() as second)):
            pass
        case t.Block(items=(t.If(condition=condition, then=first, other=t.Stmt() as second),)):
            pass
        case _:
            return None
    values = _only_return(first), _only_return(second)
    return None if values[0] is None or values[1] is None else (condition, values[0], values[1])


def _only_return(body: t.Stmt) -> t.Expr | None:
    while isinstance(body, t.Block) and len(body.items) == 1:
        body = body.items[0]
    return body.value if isinstance(body, t.Return) else None


def only_assignment(body: t.Stmt) -> t.Assign | None:
    while isinstance(body, t.Block) and len(body.items) == 1:
        body = body.items[0]
    return body.expr if isinstance(body, t.ExprStmt) and isinstance(body.expr, t.Assign) else None


def _named(symbol: t.Symbol | None) -> IsVariable:
    return lambda node: isinstance(node, t.Name) and node.symbol is symbol


def _same_as(target: t.Expr) -> IsVariable:
    return lambda node: _same(node, target)


def _same(node: t.Expr, target: t.Expr) -> bool:
    """Are both spelt alike? In one statement, and without side effects, that is one object."""
    return type(node) is type(target) and c_expr(node) == c_expr(target)
