"""Analysis: stores of one value: whichever iteration comes last, an element has what each of them stores in it.

    teams = omp_get_num_teams();                    one value for all iterations of a launch
    if (me == 0) size = 4 * threads;                nobody else stores another one, and nobody reads `size`
    ids[me] = me;                                   who stores in an element is told by its subscript

What such an object holds behind the loop does not depend on the order of the iterations, so they may run at the same
time as far as it is concerned.

In: facts of a loop.   Out: the objects of which all accesses in it are such stores.
Not here: races on the host, where the same is harmless -- races.py; what only accumulates -- reductions/.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ompc.analysis.memory.accesses import Access, by_object
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in, symbols_in
from ompc.ir.show import c_expr
from ompc.ir.walk import walk

_ARITHMETIC = frozenset("+ - * & | ^ << >> < <= > >= == !=".split())


def objects_with_one_value(
    body: t.Stmt, accesses: Iterable[Access], fixed: Collection[t.Symbol]
) -> frozenset[MemoryObject]:
    """Those of the objects behind `accesses`. `fixed`: variables that keep their values during the launch."""
    stored = {id(node.target): node for node in walk(body) if isinstance(node, t.Assign) and node.op == "="}
    found = set[MemoryObject]()
    for obj, own in by_object(accesses).items():
        plain = all(access.mode.writes and not access.mode.reads and access.function is None for access in own)
        stores = [store for access in own if (store := stored.get(id(access.node))) is not None]
        told = len(stores) == len(own) and all(_is_told(store, body, fixed) for store in stores)
        if plain and told and _are_alike(stores):
            found.add(obj)
    return frozenset(found)


def _is_told(store: t.Assign, body: t.Stmt, fixed: Collection[t.Symbol]) -> bool:
    """Is the value the same for all stores to the same element?"""
    match store.target:
        case t.Name(type=kind):
            return _is_plain(kind) and _is_made_of(store.value, fixed)
        case t.Index(base=t.Name(symbol=array), index=index, type=kind):
            one_array = isinstance(array.type, ty.Array) or not (array.address_taken or array in assigned_in(body))
            place = {index.symbol} if isinstance(index, t.Name) else set()
            return one_array and _is_plain(kind) and _is_made_of(store.value, {*fixed, *place})
        case _:
            return False


def _is_plain(kind: ty.Type) -> bool:
    return ty.is_arithmetic(kind) and not kind.quals & {"volatile", "_Atomic"}


def _is_made_of(value: t.Expr, known: Collection[t.Symbol]) -> bool:
    """Is it arithmetic on numbers and variables that have one value?"""
    match value:
        case t.IntConst() | t.FloatConst():
            return True
        case t.Name(symbol=symbol):
            return ty.is_integer(symbol.type) and symbol in known
        case t.Cast(type=kind, operand=operand):
            return ty.is_arithmetic(kind) and _is_made_of(operand, known)
        case t.Unary(op="+" | "-" | "~" | "!", operand=operand):
            return _is_made_of(operand, known)
        case t.Binary(op=op, left=left, right=right):
            return op in _ARITHMETIC and _is_made_of(left, known) and _is_made_of(right, known)
        case _:
            return False


def _are_alike(stores: Iterable[t.Assign]) -> bool:
    """Do all store the same?"""
    return len({(c_expr(store.value), symbols_in(store.value)) for store in stores}) == 1
