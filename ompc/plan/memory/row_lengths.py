"""Plan: lengths of rows that arrays have in common are one parameter of the kernel.

    void step(int n, int m, double u[n][m + 1], double v[n][m + 1])        u_dim1 for both, not u_dim1 and v_dim1
    double (*p)[m] = a, (*q)[m] = b;                                       likewise, if nothing changes m

Parameters of one function evaluate their lengths when it is called, one behind the other (C11 6.9.1): lengths that are
written alike, from names and operators without effects, are one number. So are those of arrays and pointers that a
block declares, if the function never changes the variables in them, and these have no address taken: each name of it
has one value as long as it lives, which is longer than what is declared by it.

A length that is such a variable is called by its name where the host passes it (plan/arguments.py, plan/plain).

    In: the variables of a kernel, its function.   Out: the same, with names for lengths that some have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import changed_in, declared_in, only_reads
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.plan.model.names import Name
from ompc.plan.model.variable import Role, Variable

_Key = tuple[str, frozenset[t.Symbol]]
_KEEP_VALUES = frozenset({"shared", "firstprivate"})
"""Clauses by which a variable has the value that it had."""


def with_common_lengths(
    variables: Sequence[Variable], function: t.Function | None, in_team: bool
) -> tuple[Variable, ...]:
    """The variables; lengths that two of them have in common have the name that the first has for it. `in_team`: the
    host launches them inside of a parallel region, where `default(none)` may forbid to name more than it does.
    """
    names: dict[_Key, Name] = {}
    found = tuple(_with_names(v, names, function) for v in variables)
    if in_team and function is not None and _forbids_names(function):
        return tuple(replace(v, lengths=()) for v in found)
    return found


def _with_names(v: Variable, names: dict[_Key, Name], function: t.Function | None) -> Variable:
    if v.role is not Role.ARRAY or not v.in_device_memory or not v.dimensions:
        return v
    lengths = _inner_lengths(v.symbol.type)
    if len(lengths) != len(v.dimensions):
        return v
    is_parameter = v.symbol.storage is t.Storage.PARAMETER and isinstance(v.symbol.type, ty.Pointer)
    known = [_key(length, is_parameter, function) for length in lengths]
    pairs = zip(known, v.dimensions, strict=True)
    common = (own if key is None else names.setdefault(key, own) for key, own in pairs)
    variables = tuple(_steady_variable(length, function) for length in lengths)
    return replace(v, dimensions=tuple(common), lengths=variables)


def _steady_variable(length: int | t.Expr | None, function: t.Function | None) -> t.Symbol | None:
    """The variable that is the length, as long as what is declared by it lives."""
    if isinstance(length, t.Cast):
        return _steady_variable(length.operand, function)
    return length.symbol if isinstance(length, t.Name) and _is_steady(length.symbol, function) else None


def _inner_lengths(kind: ty.Type) -> tuple[int | t.Expr | None, ...]:
    """Of the rows that a pointer points to, or that an array has."""
    match kind:
        case ty.Pointer(to=rows) | ty.Array(of=rows):
            return ty.lengths_of(rows)
        case _:
            return ()


def _key(length: int | t.Expr | None, is_parameter: bool, function: t.Function | None) -> _Key | None:
    """How the length is written, with which variables; None: it may be another number each time it is evaluated."""
    if length is None or isinstance(length, int):
        return None if length is None else (str(length), frozenset())
    names = [node for node in walk(length) if isinstance(node, t.Name)]
    steady = all(not node.symbol.type.quals & {"volatile", "_Atomic"} for node in names)
    plain = all(isinstance(node, (t.Name, t.IntConst, t.Binary, t.Cast)) for node in walk(length))
    if not (steady and plain and only_reads(length)):
        return None
    if not is_parameter and not all(_is_steady(node.symbol, function) for node in names):
        return None
    return c_expr(length) or "", frozenset(node.symbol for node in names)


def _is_steady(symbol: t.Symbol, function: t.Function | None) -> bool:
    return function is not None and symbol in _steady_variables(function)


def _forbids_names(function: t.Function) -> bool:
    pragmas = [node for node in walk(function.body) if isinstance(node, t.Pragma)] if function.body else []
    return any(clause.kind == "none" for pragma in pragmas for clause in pragma.directive.all("default"))


@lru_cache(maxsize=64)
def _steady_variables(function: t.Function) -> frozenset[t.Symbol]:
    """Those that have one value from their declarations on."""
    if function.body is None:
        return frozenset()
    changed = set(changed_in(function.body))
    for node in walk(function.body):
        if isinstance(node, (t.OpaqueExpr, t.OpaqueStmt)):
            changed.update(node.names)
        elif isinstance(node, t.Pragma):
            changed.update(item.symbol for clause in node.directive.clauses if clause.name not in _KEEP_VALUES
                           for item in clause.listed)  # fmt: skip
    own = (*function.params, *declared_in(function.body))
    return frozenset(s for s in own if s not in changed and s.is_automatic and not s.address_taken
                     and not s.type.quals & {"volatile", "_Atomic"})  # fmt: skip
