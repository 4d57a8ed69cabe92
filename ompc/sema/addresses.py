"""Which objects have their address taken: `&x`, or an array that decays outside a subscript (`Symbol.address_taken`).

    &x   &s.f   &a[i]   p = a   int *p = a   f(a)   *a   s.rows[i] where rows[i] is itself an array used as a value

In: the lowered tree.   Out: the flag on symbols.
"""

from __future__ import annotations

from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.tree import (
    Comma,
    Conditional,
    DeclStmt,
    Expr,
    Index,
    Member,
    Name,
    Storage,
    Symbol,
    Unary,
)
from ompc.ir.walk import Node, children, type_expressions, walk


def mark_addresses(root: Node) -> None:
    """Set `address_taken` on every object whose address an expression under `root` takes."""
    for node in walk(root):
        if isinstance(node, Unary) and node.op == "&":
            _take(node.operand)
        for child in children(node):
            if isinstance(child, Expr) and isinstance(child.type, ty.Array) and not stays_array(node, child):
                _take(child)
        for symbol in _declared(node):
            for length in type_expressions(symbol.type):
                mark_addresses(length)


def _declared(node: Node) -> tuple[Symbol, ...]:
    return tuple(d.symbol for d in node.decls) if isinstance(node, DeclStmt) else ()


def stays_array(parent: Node, child: Expr) -> bool:
    """Is the array used as an array here: subscripted, or a member's base? A text that initialises one is no object."""
    match parent:
        case Index(base=base):
            return child is base
        case Member():
            return True
        case Unary(op="&"):
            return True  # marked as such already
        case _:
            return False


def _take(expr: Expr) -> None:
    for symbol in roots(expr):
        if symbol.storage is not Storage.FUNCTION:
            symbol.address_taken = True


def roots(expr: Expr) -> tuple[Symbol, ...]:
    """The objects that an lvalue is part of; none when it is reached through a pointer."""
    path = access_path(expr)
    match path.origin:
        case _ if path.follows:
            return ()
        case Name(symbol=symbol):
            return (symbol,)
        case Comma(right=right):
            return roots(right)
        case Conditional(then=then, other=other):
            return roots(then) + roots(other)
        case _:
            return ()
