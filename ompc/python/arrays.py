"""Arrays of Python as C's pointers: what may be passed, and the memory that it is.

    double a[n][m]        an array of float64 with two dimensions, the second of m, the first of n at least
    const float *x        an array of float32 of any shape, also one that cannot be written to
    struct body *b        a structured array with the members of `struct body`, or ctypes
    const char *name      bytes
    double **rows         a list of arrays
    void *, struct opaque *, int (*f)(int)    also what ctypes has, and addresses
    any                   None for NULL; arrays of others, on the device or not (exporters.py)

All arrays are C-contiguous. An array that a function may write to must be writable. Nothing is converted: that would be
a copy, and what the function writes there would be lost.

In: a parameter, an argument, the integers among the other arguments.   Out: Memory, or an address.
    TypeError, ValueError, without the name of the parameter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.python.addresses import Address
from ompc.python.device import DeviceArray, elements_of
from ompc.python.exporters import Exported, exported, from_interface
from ompc.python.prototypes import Parameter
from ompc.python.values import (
    CannotPassError,
    CTypes,
    described,
    dtype_of,
    dtype_text,
    integer_of,
    same_dtype,
    with_article,
)

Integers = Mapping[t.Symbol, int]
"""The integer arguments of a call, by parameter."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory that is passed for a pointer.

    `owner`      keeps it alive
    `written`    the function may write there
    `parameter`  its position; None: it is reached through pointers in memory
    `is_device`  of a GPU
    `stream`     that in which others use it, if they say so
    `waits`      others use it in a stream of which nothing is known
    `parts`      what pointers in it lead to
    """

    address: int
    bytes: int
    written: bool
    owner: object
    parameter: int | None
    is_device: bool = False
    stream: int | None = None
    waits: bool = False
    parts: tuple[Memory, ...] = ()

    def all_parts(self) -> Iterator[Memory]:
        yield self
        for part in self.parts:
            yield from part.all_parts()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a pointer parameter points to: `lengths` of the dimensions that C states (None: not that one).

    `is_opaque`: only pointers can be passed on, and no arrays of known elements.
    """

    element: ty.Type
    dtype: np.dtype[Any] | None
    lengths: tuple[int | t.Expr | None, ...]
    position: int | None
    is_const: bool
    is_opaque: bool


_FUNCTION: Any = ctypes.CFUNCTYPE(None).__base__


def is_pointer(t: ty.Type) -> bool:
    return isinstance(t, (ty.Pointer, ty.Array))


def wanted_by(parameter: Parameter) -> Wanted:
    """What a pointer parameter asks for."""
    return _wanted(parameter.type, parameter.position)


def _wanted(kind: ty.Type, position: int | None) -> Wanted:
    lengths: tuple[int | t.Expr | None, ...] = ()
    if isinstance(kind, ty.Pointer):
        kind = kind.to
        lengths = (None,) * isinstance(kind, ty.Array)
    lengths, kind = (*lengths, *ty.lengths_of(kind)), ty.element_of(kind)
    incomplete = isinstance(kind, ty.Struct) and kind.record.fields is None
    is_opaque = incomplete or isinstance(kind, (ty.Void, ty.Function, ty.Pointer, ty.Unknown))
    return Wanted(kind, dtype_of(kind), lengths, position, "const" in kind.quals, is_opaque)


def memory_from(
    value: object, wanted: Wanted, integers: Integers, types: CTypes, stream: int | None = None
) -> Memory | int | None:
    """What is passed for a pointer parameter. `stream`: the caller's, if one is named."""
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        return _host_array(value, wanted, integers)
    if isinstance(value, DeviceArray):
        return _exported_array(from_interface(value, value.interface, stream, waits=False), wanted, integers)
    if isinstance(value, bytes):
        return _bytes(value, wanted)
    if isinstance(wanted.element, ty.Pointer) and isinstance(value, (list, tuple)):
        return _rows(value, wanted, integers, types)
    if isinstance(value, (ctypes.Array, ctypes.Structure, ctypes.Union)):
        return _of_ctypes(value, wanted, types)
    if isinstance(value, Address) and value.fits(wanted.element, wanted.is_const):
        return int(value)
    address = _address(value)
    if address is not None:
        return address
    found = _from_others(value, wanted, integers, stream)
    if found is not None:
        return found
    if wanted.is_opaque and isinstance(value, int) and not isinstance(value, (bool, Address)):
        return value
    raise TypeError(f"expected {expected(wanted, integers)}, got {described(value)}{_hint(value, wanted)}")


def _hint(value: object, wanted: Wanted) -> str:
    if isinstance(value, str):
        return "; encode it to bytes"
    if isinstance(value, (list, tuple)):
        has_name = wanted.dtype is not None and wanted.dtype.names is None
        dtype = f'"{dtype_text(wanted.dtype)}"' if has_name and wanted.dtype is not None else "parameter_dtype(...)"
        return f"; np.array(..., {dtype}) makes an array of it"
    return ""


def _address(value: object) -> int | None:
    """Of what is a pointer in ctypes."""
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0
    if isinstance(value, (ctypes._Pointer, _FUNCTION)):
        return ctypes.cast(value, ctypes.c_void_p).value or 0
    return None


# ---------------------------------------------------------------- arrays


def _host_array(
    value: np.ndarray[Any, Any], wanted: Wanted, integers: Integers, readonly: str = "a read-only one"
) -> Memory:
    """`readonly`: what an array is that cannot be written to."""
    elements_of(value)
    _check_elements(value.dtype, value.shape, wanted, integers, lambda: described(value))
    if not value.flags.c_contiguous:
        raise ValueError(f"expected {expected(wanted, integers)}, got one with gaps or another order of its elements")
    if not value.flags.aligned:
        raise ValueError(f"expected {expected(wanted, integers)}, got one that is not aligned in memory")
    if not wanted.is_const and not value.flags.writeable:
        raise ValueError(f"expected {expected(wanted, integers)} that can be written to, got {readonly}")
    if value.dtype.kind == "S" and not isinstance(wanted.element, (ty.Void, ty.Unknown)):
        value = _with_end(value, wanted)
    return Memory(value.ctypes.data, value.nbytes, not wanted.is_const, value, wanted.position)


def _with_end(value: np.ndarray[Any, Any], wanted: Wanted) -> np.ndarray[Any, Any]:
    """A text that ends with a zero, as C expects: a copy, if it has none and is only read."""
    content = value.reshape(-1).view(np.uint8)
    if content.size and content[-1] == 0:
        return value
    if not wanted.is_const:
        view = "a view as np.uint8 needs none"
        raise ValueError(f"expected a text with a zero at the end, got {described(value)} without; {view}")
    return np.append(content, np.uint8(0))


def _from_others(value: object, wanted: Wanted, integers: Integers, stream: int | None) -> Memory | None:
    """Of an array that one of the protocols describes; None: it has none of them."""
    try:
        found = exported(value, stream)
    except BufferError as error:
        raise TypeError(f"expected {expected(wanted, integers)}, got one that cannot be passed on: {error}") from None
    except (TypeError, ValueError) as error:
        raise type(error)(f"expected {expected(wanted, integers)}, {error}") from None
    return None if found is None else _exported_array(found, wanted, integers)


def _exported_array(found: Exported, wanted: Wanted, integers: Integers) -> Memory:
    if not found.is_device:
        made = _host_array(found.on_host(), wanted, integers, found.is_readonly)
        return replace(made, owner=(made.owner, found.owner))

    def given() -> str:
        return f"{with_article(dtype_text(found.dtype))} array of shape {found.shape} on the device"

    _check_elements(found.dtype, found.shape, wanted, integers, given)
    if not found.is_contiguous:
        raise ValueError(f"expected {expected(wanted, integers)}, got one with gaps or another order of its elements")
    if not wanted.is_const and found.is_readonly:
        raise ValueError(f"expected {expected(wanted, integers)} that can be written to, got {found.is_readonly}")
    where = found.stream, found.waits
    return Memory(found.address, found.nbytes, not wanted.is_const, found.owner, wanted.position, True, *where)


def _check_elements(
    dtype: np.dtype[Any], shape: Sequence[int], wanted: Wanted, integers: Integers, given: Callable[[], str]
) -> None:
    element = wanted.dtype
    if isinstance(wanted.element, (ty.Void, ty.Unknown)) or (wanted.is_opaque and element is None):
        return
    integer = integer_of(wanted.element)
    is_text = integer is not None and integer.size == 1 and dtype.kind == "S"
    if element is None or not (is_text or same_dtype(dtype, element)):
        raise TypeError(f"expected {expected(wanted, integers)}, got {given()}")
    lengths = [_length(length, integers) for length in wanted.lengths]
    if not lengths:
        return
    fits = len(shape) == len(lengths) and all(
        n is None or (has >= n if at == 0 else has == n) for at, (n, has) in enumerate(zip(lengths, shape, strict=True))
    )
    if not fits:
        raise ValueError(f"expected {expected(wanted, integers)}, got {given()}")


def expected(wanted: Wanted, integers: Integers) -> str:
    """What is passed for a parameter, in words; `integers`: as far as they are known."""
    element = wanted.dtype
    if isinstance(wanted.element, ty.Pointer):
        return "a list of arrays, or pointers"
    if wanted.is_opaque or element is None:
        return "a pointer of ctypes, an address or an array"
    text = f"a C-contiguous array of {dtype_text(element)}"
    if not wanted.lengths:
        return text
    named = [_length_text(length, integers) for length in wanted.lengths]
    named[0] += "" if wanted.lengths[0] is None else " or more"
    return f"{text} of shape ({', '.join(named)}{',' * (len(named) == 1)})"


def _length_text(length: int | t.Expr | None, integers: Integers) -> str:
    number = _length(length, integers)
    if length is None:
        return "any"
    if isinstance(length, int) or number is None:
        return str(length) if isinstance(length, int) else c_expr(length)
    return f"{c_expr(length)} = {number}"


def _length(length: int | t.Expr | None, integers: Integers) -> int | None:
    return length if length is None or isinstance(length, int) else _value(length, integers)


def _value(e: t.Expr, integers: Integers) -> int | None:
    """The value of a length that the arguments determine; None: they do not."""
    match e:
        case t.IntConst(value=value):
            return value
        case t.Name(symbol=symbol):
            return integers.get(symbol)
        case t.Cast(type=ty.Int(), operand=operand):
            return _value(operand, integers)
        case t.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = _value(left, integers), _value(right, integers)
            if a is None or b is None:
                return None
            return a + b if op == "+" else a - b if op == "-" else a * b
        case _:
            return None


# ---------------------------------------------------------------- other memory


def _bytes(value: bytes, wanted: Wanted) -> Memory:
    integer = integer_of(wanted.element)
    is_text = isinstance(wanted.element, ty.Void) or (integer is not None and integer.size == 1)
    if not is_text or len(wanted.lengths) > 1:
        raise TypeError(f"expected {expected(wanted, {})}, got {described(value)}")
    if not wanted.is_const:
        raise TypeError("expected memory that can be written to, got bytes; np.zeros(n, np.int8) makes some")
    length = _length(wanted.lengths[0], {}) if wanted.lengths else None
    if length is not None and len(value) + 1 < length:
        raise ValueError(f"expected {length} bytes or more, got {len(value) + 1} with the zero at the end")
    address = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value or 0
    return Memory(address, len(value) + 1, False, value, wanted.position)


def _rows(value: Sequence[object], wanted: Wanted, integers: Integers, types: CTypes) -> Memory:
    rows: list[Memory] = []
    table = np.zeros(len(value), np.uintp)
    for at, row in enumerate(value):
        try:
            found = memory_from(row, _wanted(wanted.element, None), integers, types)
        except (TypeError, ValueError) as error:
            raise type(error)(f"element {at}: {error}") from None
        if isinstance(found, Memory):
            if found.is_device:
                raise TypeError(f"element {at}: arrays on the device cannot be reached through pointers")
            rows.append(found)
        table[at] = found.address if isinstance(found, Memory) else found or 0
    return Memory(table.ctypes.data, table.nbytes, not wanted.is_const, table, wanted.position, parts=tuple(rows))


def _of_ctypes(value: Any, wanted: Wanted, types: CTypes) -> Memory:
    if not wanted.is_opaque:
        try:
            element = types.of(wanted.element)
        except CannotPassError as error:
            raise TypeError(str(error)) from None
        kind: Any = type(value)
        while kind is not element and issubclass(kind, ctypes.Array):
            kind = kind._type_
        if kind is not element:
            raise TypeError(f"expected {element.__name__} of ctypes, or an array of them, got {described(value)}")
    return Memory(ctypes.addressof(value), ctypes.sizeof(value), not wanted.is_const, value, wanted.position)
