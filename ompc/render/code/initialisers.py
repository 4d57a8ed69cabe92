"""Braced initialisers as C++17 has them: in the order of the members, every value of its member's type.

C++ refuses to narrow, designates no members and initialises no union by a later member. So

    struct { int a; union { int i; float f; }; } x = {.f = y, .a = 1.5};

is printed as `x = {(int)1.5, {}};` and, after it, `x.f = (float)y;`.

In: InitList, and how a single value is printed.   Out: text.   Not here: which part a value is for -- sema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ompc.ir import types as ty
from ompc.ir.constants import string_codes, wrapped
from ompc.ir.tree import CompoundLiteral, Expr, InitList, Member, StringConst
from ompc.omp.uses import has_side_effects
from ompc.plan.model.names import spelled
from ompc.sema.initial_parts import Part, has_later_union_member, initial_parts, is_union, part_type

Value = Callable[[Expr, ty.Type], str]


def braced(init: InitList, kind: ty.Type, value: Value) -> str:
    """The text of `init` for an object of type `kind`, without the later members of unions: see `assignments`."""
    return _text(initial_parts(init), kind, value)


def _text(part: Part, kind: ty.Type, value: Value) -> str:
    if isinstance(part, Expr):
        return value(part, kind)
    first = part.get(0)
    if isinstance(kind, ty.Array) and ty.is_integer(kind.of) and isinstance(first, StringConst):
        return value(first, kind)  # char s[] = {"abc"};
    if is_union(kind) and any(index > 0 for index in part):
        return "{}"
    last = max(part, default=-1)
    texts = (_text(part[k], part_type(kind, k), value) if k in part else "{}" for k in range(last + 1))
    return "{" + ", ".join(texts) + "}"


def value_of_member(node: Member) -> Expr | None:
    """What the member of a struct that is made there is set to, if nothing else comes of making it:
    `b` of `(struct pair){a, b}.second`.
    """
    base = node.base
    if node.arrow or not isinstance(base, CompoundLiteral) or not isinstance(base.type, ty.Struct):
        return None
    fields = base.type.record.fields or ()
    part, place = initial_parts(base.init), next((k for k, each in enumerate(fields) if each is node.member), None)
    if place is None or isinstance(part, Expr) or is_union(base.type) or has_side_effects(base.init):
        return None
    value = part.get(place)
    same = isinstance(value, Expr) and ty.unqualified(value.type) == ty.unqualified(node.type)
    return value if same and isinstance(value, Expr) else None


def string_initialiser(text: StringConst, kind: ty.Type) -> str:
    """C++ has no string without its terminator (`char s[3] = "abc"`), and other types for wide ones."""
    length = kind.length if isinstance(kind, ty.Array) and isinstance(kind.length, int) else 0
    fits = length >= len(string_codes(text.text)) and text.text.startswith('"')
    return text.text if fits else characters(text, kind)


def characters(text: StringConst, kind: ty.Type) -> str:
    """The elements of an array that is initialised with `text`, in braces."""
    length = kind.length if isinstance(kind, ty.Array) and isinstance(kind.length, int) else 0
    element = ty.element_of(kind)
    codes = (wrapped(code, element) for code in string_codes(text.text)[:length])
    return "{" + ", ".join(map(str, codes)) + "}"


def assignments(init: InitList, kind: ty.Type, name: str, value: Value) -> list[str]:
    """What must follow the declaration of `name`: the members of unions that `braced` leaves out."""
    return list(_assignments(initial_parts(init), kind, name, value))


def _assignments(part: Part, kind: ty.Type, place: str, value: Value) -> Iterator[str]:
    if isinstance(part, Expr) or not has_later_union_member(part, kind):
        return
    for index, inner in part.items():
        inner_kind, inner_place = part_type(kind, index), _place(place, kind, index)
        if is_union(kind) and index > 0:
            yield from _stores(inner, inner_kind, inner_place, value)
        else:
            yield from _assignments(inner, inner_kind, inner_place, value)


def _stores(part: Part, kind: ty.Type, place: str, value: Value) -> Iterator[str]:
    """Give all of `place` its value."""
    if isinstance(kind, ty.Array) and isinstance(part, Mapping) and isinstance(kind.length, int):
        for index in range(kind.length):
            yield from _stores(part.get(index, {}), kind.of, f"{place}[{index}]", value)
        return
    yield f"{place} = {_text(part, kind, value)};"
    yield from _assignments(part, kind, place, value)


def _place(place: str, kind: ty.Type, index: int) -> str:
    match kind:
        case ty.Struct(record=record):
            name = (record.fields or ())[index].name
            return place if name is None else f"{place}.{spelled(name)}"
        case _:
            return f"{place}[{index}]"
