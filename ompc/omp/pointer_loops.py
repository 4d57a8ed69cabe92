"""Loops over pointers (OpenMP 5.2, 4.4.1 allows them) as loops over the number of elements passed.

    for (p = a; p < a + n; p += 2)          for (p_at = 0; p_at < (a + n) - a; p_at += 2) {
        *p = 0;                        ->       p = a + p_at;
                                                *p = 0;
                                            }

The host evaluates the difference; the kernel makes the pointer from its own `a`, so that everything later sees only an
integer loop whose body begins with an assignment.

In: canonical loops, outermost first.   Out: the same with integer variables, the innermost body extended.
Not here: sequential loops over pointers, which stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.ir import types as ty
from ompc.ir.queries import nodes
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    DeclStmt,
    Expr,
    ExprStmt,
    IntConst,
    Name,
    Stmt,
    Storage,
    Symbol,
    VarDecl,
)
from ompc.omp.model import CanonicalLoop

_MIRRORED = {">": "<", ">=": "<=", "!=": "<"}


def with_counted_pointers(loops: Sequence[CanonicalLoop]) -> tuple[CanonicalLoop, ...]:
    """`loops` with each pointer loop counted by an integer; as they are where there is none."""
    counted: list[CanonicalLoop] = []
    pointers: list[Stmt] = []
    for loop in loops:
        if not isinstance(loop.type, ty.Pointer):
            counted.append(loop)
            continue
        counter = _counter(loop)
        pointers.append(_pointer(loop, counter))
        counted.append(_counted(loop, counter))
    if pointers:
        body = counted[-1].body
        counted[-1] = replace(counted[-1], body=Block(body.loc, (*pointers, body)))
    return tuple(counted)


def _counter(loop: CanonicalLoop) -> Symbol:
    """A variable of its own, whose name nothing in the loop has."""
    taken = {node.symbol.name for node in nodes(loop.statement) if isinstance(node, (Name, VarDecl))}
    name = f"{loop.var.name}_at"
    while name in taken:
        name += "_"
    return Symbol(name, ty.LONG, Storage.AUTO, loop.var.loc, loop.var.position, loop.var.function)


def _counted(loop: CanonicalLoop, counter: Symbol) -> CanonicalLoop:
    first, last = (loop.upper, loop.lower) if loop.down else (loop.lower, loop.upper)
    return replace(
        loop,
        var=counter,
        declared_here=True,
        lower=IntConst(ty.LONG, loop.lower.loc, 0, "0"),
        upper=Binary(ty.LONG, loop.upper.loc, "-", last, first),
        relation=_MIRRORED.get(loop.relation, loop.relation),
        down=False,
        pointer=loop.var,
    )


def _pointer(loop: CanonicalLoop, counter: Symbol) -> Stmt:
    """The statement that gives the user's variable its value in one iteration."""
    loc, var = loop.statement.loc, loop.var
    value: Expr = Binary(
        ty.unqualified(var.type), loc, "-" if loop.down else "+", loop.lower, Name(counter.type, loc, counter)
    )
    if loop.declared_here:
        return DeclStmt(loc, (VarDecl(var, value, loc),))
    return ExprStmt(loc, Assign(var.type, loc, "=", Name(var.type, loc, var), value))
