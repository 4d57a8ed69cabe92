"""Plan: lengths of rows that arrays have in common are one parameter of the kernel.

    void step(int n, int m, double u[n][m + 1], double v[n][m + 1])        u_dim1 for both, not u_dim1 and v_dim1

Parameters of one function evaluate their lengths when it is called, one behind the other (C11 6.9.1): lengths that are
written alike, from names and operators without effects, are one number.

    In: the variables of a kernel.   Out: the same, with names for lengths that some have in common.
    Not here: lengths of arrays that a block declares, before which their variables may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import only_reads
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.plan.model.names import Name
from ompc.plan.model.variable import Role, Variable


def with_common_lengths(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    """The variables; lengths that two of them have in common have the name that the first has for it."""
    names: dict[tuple[str | None, str], Name] = {}
    return tuple(_with_names(v, names) for v in variables)


def _with_names(v: Variable, names: dict[tuple[str | None, str], Name]) -> Variable:
    symbol = v.symbol
    if v.role is not Role.ARRAY or not v.in_device_memory or symbol.storage is not t.Storage.PARAMETER:
        return v
    if not v.dimensions or not isinstance(symbol.type, ty.Pointer):
        return v
    lengths = ty.lengths_of(symbol.type.to)
    if len(lengths) != len(v.dimensions):
        return v
    known = [_text(length) for length in lengths]
    pairs = zip(known, v.dimensions, strict=True)
    common = (own if text is None else names.setdefault((symbol.function, text), own) for text, own in pairs)
    return replace(v, dimensions=tuple(common))


def _text(length: int | t.Expr | None) -> str | None:
    """How the length is written; None: it may be another number each time that it is evaluated."""
    if length is None or isinstance(length, int):
        return None if length is None else str(length)
    names = [node for node in walk(length) if isinstance(node, t.Name)]
    steady = all(not node.symbol.type.quals & {"volatile", "_Atomic"} for node in names)
    plain = all(isinstance(node, (t.Name, t.IntConst, t.Binary, t.Cast)) for node in walk(length))
    return c_expr(length) if steady and plain and only_reads(length) else None
