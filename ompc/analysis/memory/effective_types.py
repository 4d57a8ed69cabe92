"""Analysis: can a write through one lvalue change what another one reads, by C's rules about types?

An object is accessed through lvalues of its own type, of the one with the other sign, or of characters (C11 6.5, 7).
So a store to a double changes no int, wherever pointers lead:

    for (j = 0; j < g->nx; j++) a[i * n + j] = 0;       `double *a` never points to the int `g->nx`

Members of a union share their memory, whatever their types. `-fno-strict-aliasing` takes the rule away: then this
module is not asked.

    In: two lvalues.   Out: bool.   Not here: which objects pointers lead to -- points_to.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path


def may_be_same(a: t.Expr, b: t.Expr) -> bool:
    """Can the two lvalues designate memory that overlaps, as far as their types say?"""
    if _in_union(a) or _in_union(b):
        return True
    return any(_alike(x, y) for x in _scalars(a.type) for y in _scalars(b.type))


def _in_union(lvalue: t.Expr) -> bool:
    """Is a member of a union what is accessed, or what it is a part of?"""
    selections = access_path(lvalue).selections
    found = (s for s in selections if not isinstance(s.whole, ty.Complex))
    return any(s.record is None or s.record.kind == "union" for s in found)  # an unknown type may be one


def _scalars(kind: ty.Type) -> Iterator[ty.Type]:
    """The scalars that an object of the type consists of; a union, and what is not known, counts as characters."""
    match kind:
        case ty.Array(of=of):
            yield from _scalars(of)
        case ty.Struct(record=record) if record.kind == "struct" and record.fields is not None:
            for member in record.fields:
                yield from _scalars(member.type)
        case ty.Enum(underlying=underlying):
            yield underlying
        case ty.Int() | ty.Float() | ty.Pointer():
            yield kind
        case ty.Complex(of=of):
            yield of
        case _:
            yield ty.CHAR


def _alike(a: ty.Type, b: ty.Type) -> bool:
    match a, b:
        case (ty.Int(size=1), _) | (_, ty.Int(size=1)):
            return True
        case ty.Int(size=x), ty.Int(size=y):
            return x == y
        case ty.Float(size=x), ty.Float(size=y):
            return x == y
        case ty.Pointer(), ty.Pointer():
            return True
        case _:
            return False
