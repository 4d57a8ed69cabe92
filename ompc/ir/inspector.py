"""Inspectors: code that the host runs to see in which order a program accesses the elements of an object.

    int lk = 1 << (l - 1);                              the slice of the program that finds subscripts
    for (int k = 0; inspected::goes_on() && k < lk; k++) {
        inspected::reads(inspected::element(x, k, 16), 16);         in the place of  ... = x[k];
        inspected::writes(inspected::element(y, 2 * k, 16), 16);                     y[2 * k] = ...;
    }

A place is an integer: 0 outside of the objects, else the number of an object and how many bytes from its beginning.

    In: -   Out: the functions of the runtime that inspectors call; Inspector.
    Not here: how one is made -- analysis/privatisation/inspection; what it finds -- runtime/memory/ompc_inspection.h.
    Source: the inspectors of Saltz, Mirchandaney and Crowley, "Run-time parallelization and scheduling of loops", IEEE
    TC 1991; the test that objects are privatisable of Rauchwerger and Padua, "The LRPD test", PLDI 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ompc.base.frozen import dataclass
from ompc.base.source import NOWHERE
from ompc.ir import tree as t
from ompc.ir import types as ty


def _of_runtime(name: str, returns: ty.Type, *params: ty.Type) -> t.Symbol:
    return t.Symbol(name, ty.Function(returns, params), t.Storage.FUNCTION, NOWHERE, 0)


ELEMENT = _of_runtime("ompc::inspected::element", ty.SIZE_T, ty.SIZE_T, ty.LLONG, ty.SIZE_T)
READS = _of_runtime("ompc::inspected::reads", ty.VOID, ty.SIZE_T, ty.SIZE_T)
WRITES = _of_runtime("ompc::inspected::writes", ty.VOID, ty.SIZE_T, ty.SIZE_T)
BEGINS = _of_runtime("ompc::inspected::begins", ty.VOID, ty.SIZE_T)
GOES_ON = _of_runtime("ompc::inspected::goes_on", ty.INT)
OF_RUNTIME = (ELEMENT, READS, WRITES, BEGINS, GOES_ON)


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """The inspector's variable for what the program has in `symbol`, which is `text` where the pragma stands."""

    own: t.Symbol
    symbol: t.Symbol
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Inspector:
    """`objects` are the program's; `places` are the inspector's variables with their places, `values` those with what
    the program has settled; `calls` are what it does.
    """

    objects: tuple[t.Symbol, ...]
    places: tuple[t.Symbol, ...]
    values: tuple[Given, ...]
    functions: tuple[t.Function, ...]
    calls: tuple[t.ExprStmt, ...]


def call(function: t.Symbol, *args: t.Expr) -> t.Call:
    assert isinstance(function.type, ty.Function)
    return t.Call(function.type.returns, NOWHERE, t.Name(function.type, NOWHERE, function), args)


def number(value: int, kind: ty.Type = ty.SIZE_T) -> t.IntConst:
    return t.IntConst(kind, NOWHERE, value, str(value))


def variable(name: str, kind: ty.Type, position: int = 0) -> t.Symbol:
    return t.Symbol(name, kind, t.Storage.AUTO, NOWHERE, position)


def name_of(symbol: t.Symbol) -> t.Name:
    return t.Name(symbol.type, NOWHERE, symbol)


def statement(e: t.Expr) -> t.ExprStmt:
    return t.ExprStmt(NOWHERE, e)


def block(items: Sequence[t.Stmt]) -> t.Block:
    return t.Block(NOWHERE, tuple(items))


def grain(kind: ty.Type) -> int:
    """A size in bytes such that all scalars of an object begin and end at a multiple of it."""
    match kind:
        case ty.Array(of=of):
            return grain(of)
        case ty.Complex(of=of):
            return of.size
        case ty.Struct(record=record) if record.kind == "struct" and record.size:
            fields = record.fields or ()
            if any(each.bits is not None for each in fields):
                return 1
            return gcd(record.size, *(gcd(each.offset, grain(each.type)) for each in fields))
        case ty.Int() | ty.Float() | ty.Enum():
            return ty.size_of(kind) or 1
        case _:
            return 1
