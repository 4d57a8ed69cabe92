"""What a braced initialiser makes of each part of its object (C11 6.7.9), as a tree of parts.

    struct { int a; struct { int x, y; } p[2]; } s = {.p[1].y = 1, .p[0] = {2}};      {1: {1: {1: 1}, 0: {0: 2}}}

Keys are positions among a record's `fields`, or indices. A later value for a part replaces an earlier one; of a union
only the member initialised last is left. Parts that are not named are zero.

In: InitList, with its places.   Out: nested mappings with expressions as leaves.
Not here: which place a value has -- initialisers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ompc.ir import types as ty
from ompc.ir.tree import Expr, InitList, StringConst

Part: TypeAlias = Expr | Mapping[int, "Part"]
_Tree = dict[int, Part]


def initial_parts(init: InitList) -> Mapping[int, Part]:
    """The parts of an object of type `init.type` that have a value. Excess values have no part."""
    root: _Tree = {}
    for place, (_, value) in zip(init.places, init.items, strict=True):
        if place:
            level, kind = _level(root, init.type, place[:-1])
            _keep_one(level, kind, place[-1])
            level[place[-1]] = initial_parts(value) if isinstance(value, InitList) else value
    return root


def _level(root: _Tree, kind: ty.Type, place: tuple[int, ...]) -> tuple[_Tree, ty.Type]:
    """The mapping and the type of what `place` leads to; made where there is none."""
    level = root
    for index in place:
        _keep_one(level, kind, index)
        inner = level.get(index)
        made = dict(inner) if isinstance(inner, Mapping) else {}
        level[index] = made
        level, kind = made, part_type(kind, index)
    return level, kind


def _keep_one(level: _Tree, kind: ty.Type, index: int) -> None:
    if is_union(kind):
        for other in [key for key in level if key != index]:
            del level[other]


def is_union(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Struct) and kind.record.kind == "union"


def part_type(kind: ty.Type, index: int) -> ty.Type:
    """The type of an element or member; of a scalar in braces its own."""
    match kind:
        case ty.Array(of=of):
            return of
        case ty.Struct(record=record):
            return (record.fields or ())[index].type
        case _:
            return kind


def initial_texts(init: InitList) -> Iterator[StringConst]:
    """The string constants in `init` that give an array its elements."""
    for place, (_, value) in zip(init.places, init.items, strict=True):
        outer = kind = init.type
        for index in place:
            outer, kind = kind, part_type(kind, index)
        in_braces = isinstance(outer, ty.Array) and ty.is_integer(kind)  # char s[] = {"abc"};
        if isinstance(value, StringConst) and (in_braces or isinstance(kind, ty.Array)):
            yield value


def overrides_inside(init: InitList) -> bool:
    """Does an item replace a part of what an earlier one gave as a whole value? (`.p = q, .p.x = 1`)"""
    wholes: set[tuple[int, ...]] = set()
    for place, (_, value) in zip(init.places, init.items, strict=True):
        if any(place[:depth] in wholes for depth in range(1, len(place))):
            return True
        if not isinstance(value, InitList) and isinstance(value.type, ty.Struct):
            wholes.add(place)
    return False


def has_later_union_member(part: Part, kind: ty.Type) -> bool:
    """Is a member of a union initialised that is not its first? C++17 has no initialiser for that."""
    if isinstance(part, Expr):
        return False
    if is_union(kind) and any(index > 0 for index in part):
        return True
    return any(has_later_union_member(inner, part_type(kind, index)) for index, inner in part.items())
