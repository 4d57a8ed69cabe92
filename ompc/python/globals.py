"""The variables of a library, as attributes: `lib.globals.count`, `lib.globals.table[2]`.

Numbers are read and written as Python's; arrays and structs are arrays of NumPy that look at C's own memory. Pointers
are addresses, and cannot be set: nothing would keep alive what C finds there.

In: variables with external linkage, the loaded shared object.   Out: Globals.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ompc.ir import types as ty
from ompc.python.prototypes import Variable
from ompc.python.values import CannotPassError, CTypes, dtype_of, result_from, scalar_from, shape_of


class Globals:
    """Attributes are the variables' names."""

    def __init__(self, variables: Sequence[Variable], handle: Any, types: CTypes) -> None:
        own = {"_variables": {v.name: v for v in variables}, "_handle": handle, "_types": types}
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        variable, place = self._place(name)
        kind = variable.type
        if isinstance(kind, (ty.Array, ty.Struct)):
            return self._view(variable, place)
        return result_from(place.value, kind)

    def __setattr__(self, name: str, value: object) -> None:
        variable, place = self._place(name)
        kind = variable.type
        if "const" in ty.element_of(kind).quals:
            raise AttributeError(f"'{variable.text}' is constant")
        if isinstance(kind, ty.Pointer):
            raise AttributeError(f"'{variable.text}' is a pointer, which only C can set")
        if isinstance(kind, ty.Array):
            self._view(variable, place)[...] = value
            return
        try:
            made = scalar_from(value, kind, self._types)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"'{variable.text}': {error}") from None
        ctypes.memmove(ctypes.addressof(place), ctypes.addressof(made), ctypes.sizeof(made))

    def __dir__(self) -> Iterable[str]:
        return sorted(self._variables)

    def __repr__(self) -> str:
        return f"<globals: {'; '.join(v.text for v in self._variables.values())}>"

    def _place(self, name: str) -> tuple[Variable, Any]:
        variables = self.__dict__.get("_variables", {})
        if name not in variables:
            raise AttributeError(f"the library has no variable {name} with external linkage")
        variable: Variable = variables[name]
        try:
            return variable, self._types.of(variable.type).in_dll(self._handle, name)
        except CannotPassError as error:
            raise AttributeError(f"'{variable.text}': {error}") from None

    def _view(self, variable: Variable, place: Any) -> np.ndarray[Any, Any]:
        dtype, shape = dtype_of(ty.element_of(variable.type)), shape_of(variable.type)
        if dtype is None or shape is None:
            raise AttributeError(f"'{variable.text}' has no type in NumPy")
        found = np.frombuffer(place, dtype).reshape(shape)
        if "const" in ty.element_of(variable.type).quals:
            found.flags.writeable = False
        return found
