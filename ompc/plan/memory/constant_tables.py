"""Plan: tables whose elements are in the program's text are constants of the device file, too (`auto`).

    static const double w[9] = {4. / 9, 1. / 9, ...};     ->     __constant__ const double w[9] = {4. / 9, 1. / 9, ...};

The compiler then knows the elements at subscripts that it knows: of loops that it unrolls nothing of the table is left.
In a lattice Boltzmann kernel (D2Q9, sm_90) that is 58 registers instead of 93, and no array in local memory. Nothing is
copied before a launch.

Of arrays of numbers that nothing can change: `const` ones, and those of one file, or function, which it never assigns
and whose address it never takes. The assertions about macros hold for what the initialisers were made from
(plan/program/macros.py).

    In: the unit.   Out: the initialisers, by their symbols.
    Not here: which arrays are in constant memory -- constant.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import changed_in, declarations_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, walk
from ompc.sema.initial_parts import initial_parts

_OF_ONE_FILE = frozenset({t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC})


def constant_tables(unit: t.Unit, wanted: Collection[t.Symbol]) -> Mapping[t.Symbol, t.InitList]:
    """The initialisers of those of the `wanted` arrays that never change."""
    found = ((decl.symbol, decl.init) for decl in _declarations(unit) if decl.symbol in wanted)
    tables = {symbol: init for symbol, init in found if isinstance(init, t.InitList) and _is_known(symbol, init)}
    changeable = {symbol for symbol in tables if "const" not in ty.element_of(symbol.type).quals}
    bodies = [function.body for function in unit.functions.values() if function.body is not None]
    changed = frozenset().union(*map(changed_in, bodies if changeable else ()))
    return {symbol: _in_numbers(init) for symbol, init in tables.items() if symbol not in changeable & changed}


def _declarations(unit: t.Unit) -> Iterator[t.VarDecl]:
    yield from unit.variables
    for function in unit.functions.values():
        if function.body is not None:
            yield from declarations_in(function.body)


def _is_known(symbol: t.Symbol, init: t.InitList) -> bool:
    element = ty.element_of(symbol.type)
    number = isinstance(element, ty.Int) or (isinstance(element, ty.Float) and element.size <= 8)
    plain = number and not element.quals & {"volatile", "_Atomic"} and not symbol.threadprivate
    stays = symbol.storage in _OF_ONE_FILE or (symbol.storage is t.Storage.GLOBAL and "const" in element.quals)
    keeps = "const" in element.quals or not symbol.address_taken
    if not (plain and stays and keeps and isinstance(symbol.type, ty.Array) and ty.size_of(symbol.type)):
        return False
    return bool(initial_parts(init)) and all(map(_is_number, walk(init)))


def _is_number(node: Node) -> bool:
    match node:
        case t.FloatConst(text=text):
            return not text.lower().endswith(("l", "f128", "f16", "i", "j"))
        case t.IntConst() | t.InitList():
            return True
        case t.Unary(op="+" | "-" | "~") | t.Binary() | t.Cast():
            return isinstance(node.type, (ty.Int, ty.Float)) and (ty.size_of(node.type) or 16) <= 8
        case _:
            return False


def _in_numbers(init: t.InitList) -> t.InitList:
    """Without the names of enumeration constants, which the device file may not have."""

    def change(node: Node) -> Node | None:
        value = constant_value(node) if isinstance(node, t.Expr) and ty.is_integer(node.type) else None
        return None if value is None or not isinstance(node, t.Expr) else _number(node, value)

    return rewritten(init, change)


def _number(node: t.Expr, value: int) -> t.Expr:
    return t.IntConst(node.type, node.loc, value, str(value))
