"""Plan: an iteration's own small array, of which each element is named by a number, becomes variables (`auto`).

    double a[3] = {0, 0};                          double a_0 = 0, a_1 = 0, a_2 = 0;
    for (j ...) { a[0] += x[j]; a[1] += y[j]; }    for (j ...) { a_0 += x[j]; a_1 += y[j]; }

What a loop adds to such a variable is a sum, of which the lanes that share the loop have parts; an array is none.

    In: a body, the array.   Out: the body with variables; None: something else is done with the array.
    Not here: loops over the elements, which are unrolled before -- short_loops.py.
    Source: scalar replacement of aggregates (Muchnick, "Advanced Compiler Design and Implementation", 12.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declarations_in, names_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, walk
from ompc.plan.rewrites.free_names import FreeNames

MOST_ELEMENTS = 8
_POSITION = -3_000
"""The position of the first new variable: before those of the file, of fixed_reads.py and of scalar_replacement.py."""


def own_arrays(body: t.Stmt) -> list[t.Symbol]:
    """The arrays that the body declares, and of which each mention is an element with a number inside of it."""
    found = [decl for decl in declarations_in(body) if _is_plain(decl)]
    named = names_in(body)
    elements: dict[t.Symbol, list[int | None]] = {}
    for node in walk(body):
        if isinstance(node, t.Index) and isinstance(node.base, t.Name):
            elements.setdefault(node.base.symbol, []).append(constant_value(node.index))
    return [
        decl.symbol
        for decl in found
        if len(elements.get(decl.symbol, ())) == len(named.get(decl.symbol, ()))
        and all(index is not None and 0 <= index < _length(decl.symbol) for index in elements.get(decl.symbol, ()))
    ]


def with_variables(body: t.Stmt, arrays: list[t.Symbol], free: FreeNames, function: str | None) -> t.Stmt:
    """`body` with a variable in the place of each element of these arrays."""
    variables: dict[t.Symbol, tuple[t.Symbol, ...]] = {}
    number = 0
    for array in arrays:
        kind = ty.unqualified(ty.element_of(array.type))
        made: list[t.Symbol] = []
        for index in range(_length(array)):
            name = free.take(f"{array.name}_{index}")
            made.append(t.Symbol(name, kind, t.Storage.AUTO, array.loc, _POSITION + number, function))
            number += 1
        variables[array] = tuple(made)
    return rewritten(body, lambda node: _new(node, variables))


def _new(node: Node, variables: Mapping[t.Symbol, tuple[t.Symbol, ...]]) -> Node | None:
    def new(part: Node) -> Node | None:
        return _new(part, variables)

    match node:
        case t.Index(base=t.Name(symbol=symbol), index=index) if symbol in variables:
            place = constant_value(index)
            assert place is not None
            variable = variables[symbol][place]
            return t.Name(variable.type, node.loc, variable)
        case t.DeclStmt(decls=decls) if any(decl.symbol in variables for decl in decls):
            made: list[t.VarDecl] = []
            for decl in decls:
                own = variables.get(decl.symbol)
                made += [rewritten(decl, new)] if own is None else _declared(decl, own, new)
            return t.DeclStmt(node.loc, tuple(made))
        case _:
            return None


def _declared(decl: t.VarDecl, own: tuple[t.Symbol, ...], new: object) -> list[t.VarDecl]:
    init = decl.init
    if init is None:
        return [t.VarDecl(symbol, None, decl.loc) for symbol in own]
    assert isinstance(init, t.InitList) and callable(new)
    given = {place[0]: rewritten(value, new) for place, (_, value) in zip(init.places, init.items, strict=True)}
    nothing = [t.IntConst(ty.INT, decl.loc, 0, "0") for _ in own]
    return [t.VarDecl(symbol, given.get(k, nothing[k]), decl.loc) for k, symbol in enumerate(own)]


def _is_plain(decl: t.VarDecl) -> bool:
    kind, init = decl.symbol.type, decl.init
    if not isinstance(kind, ty.Array) or not isinstance(kind.length, int) or decl.symbol.address_taken:
        return False
    if decl.symbol.storage is not t.Storage.AUTO or not 0 < kind.length <= MOST_ELEMENTS:
        return False
    if not isinstance(ty.unqualified(kind.of), (ty.Int, ty.Float)) or ty.unqualified(kind.of) != kind.of:
        return False
    if init is None:
        return True
    return isinstance(init, t.InitList) and list(init.places) == [(k,) for k in range(len(init.items))]


def _length(symbol: t.Symbol) -> int:
    assert isinstance(symbol.type, ty.Array) and isinstance(symbol.type.length, int)
    return symbol.type.length
