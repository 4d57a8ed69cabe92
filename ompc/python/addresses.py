"""Pointers that C returns: numbers that know what they point to, so that only parameters of that type take them.

    field = lib.field_new(100)        <Field * 0x55d0c8a0>, an int
    lib.field_step(field)             Field *: passed on; double *: TypeError

In: an address and its C type, a parameter's type.   Out: Address.   Not here: NULL, which is None.
"""

from __future__ import annotations

from typing import Any

from ompc.ir import types as ty
from ompc.ir.show import type_text


class Address(int):
    """An address of C's memory; `to` is the type of what is there. It is right as long as C says so."""

    to: ty.Type

    def __new__(cls, value: int, to: ty.Type) -> Address:
        made = super().__new__(cls, value)
        made.to = to
        return made

    def __repr__(self) -> str:
        return f"<{type_text(ty.Pointer(self.to))} {int(self):#x}>"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return int, (int(self),)

    def fits(self, element: ty.Type, is_const: bool) -> bool:
        """May it be passed for a pointer to, or an array of, such elements? To and from `void *` it may, as in C."""
        if "const" in ty.element_of(self.to).quals and not is_const:
            return False
        own = _plain(self.to)
        return isinstance(own, ty.Void) or isinstance(element, (ty.Void, ty.Unknown)) or own == _plain(element)


def _plain(t: ty.Type) -> ty.Type:
    """Without qualifiers, and of arrays the elements."""
    element = ty.unqualified(ty.element_of(t))
    return ty.Pointer(_plain(element.to)) if isinstance(element, ty.Pointer) else element
