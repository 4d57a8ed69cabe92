"""C types as ctypes and NumPy have them, and scalars and structs of Python as C's.

    C                      argument                                  result
    int, long, char ...    int that fits, bytes of length one        int
    _Bool                  bool, or an int                           bool
    double, float          float or int                              float
    struct by value        a record of NumPy, ctypes, tuple, dict    a record of NumPy
    pointer                arrays.py                                 Address, an int; None for NULL

In: types of sema.   Out: ctypes types, dtypes, values. TypeError, ValueError, OverflowError without the name of the
    parameter.
Not here: pointers and arrays as arguments -- arrays.py.
"""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any

import numpy as np

from ompc.ir import types as ty
from ompc.ir.show import type_text
from ompc.python.addresses import Address

_INTEGERS: dict[tuple[int, bool], Any] = {
    (1, True): ctypes.c_int8,
    (1, False): ctypes.c_uint8,
    (2, True): ctypes.c_int16,
    (2, False): ctypes.c_uint16,
    (4, True): ctypes.c_int32,
    (4, False): ctypes.c_uint32,
    (8, True): ctypes.c_int64,
    (8, False): ctypes.c_uint64,
}
_FLOATS: dict[str, Any] = {"float": ctypes.c_float, "double": ctypes.c_double, "long double": ctypes.c_longdouble}


class CannotPassError(Exception):
    """A C type of which Python has no values; the text says which and why."""


def integer_of(t: ty.Type) -> ty.Int | None:
    """The integer type that an integer or an enumeration is."""
    if isinstance(t, ty.Enum):
        return t.underlying
    return t if isinstance(t, ty.Int) else None


class CTypes:
    """The ctypes types of one library: one class for each struct."""

    def __init__(self) -> None:
        self._records: dict[ty.Record, Any] = {}

    def of(self, t: ty.Type) -> Any:
        """The ctypes type of a value. CannotPassError: there is none."""
        integer = integer_of(t)
        match t:
            case ty.Void():
                return None
            case ty.Int(name="_Bool"):
                return ctypes.c_bool
            case _ if integer is not None and (integer.size, integer.signed) in _INTEGERS:
                return _INTEGERS[integer.size, integer.signed]
            case ty.Float(name=name):
                return _FLOATS[name]
            case ty.Pointer() | ty.Function():
                return ctypes.c_void_p
            case ty.Array(of=of, length=int(length)):
                return self.of(of) * length
            case ty.Struct(record=record):
                return self._record(record)
            case _:
                raise CannotPassError(f"ompc cannot pass a {type_text(t)} between C and Python")

    def _record(self, record: ty.Record) -> Any:
        if record not in self._records:
            self._records[record] = self._made(record)
        return self._records[record]

    def _made(self, record: ty.Record) -> Any:
        what = type_text(ty.Struct(record))
        if record.fields is None or record.opaque is not None:
            raise CannotPassError(f"the layout of {what} is not known: {record.opaque or 'its members are not seen'}")
        base: Any = ctypes.Union if record.kind == "union" else ctypes.Structure
        fields: list[Any] = []
        for at, field in enumerate(record.fields):
            bits = () if field.bits is None else (field.bits[1],)
            fields.append((field.name or f"_anonymous{at}", self.of(field.type), *bits))
        anonymous = [f"_anonymous{at}" for at, field in enumerate(record.fields) if field.name is None]
        made = type(
            record.tag or record.typedef_name or "record", (base,), {"_anonymous_": anonymous, "_fields_": fields}
        )
        offsets = [getattr(made, name).offset for name, *_ in fields]
        plain = zip(record.fields, offsets, strict=True)
        same = all(field.offset == offset for field, offset in plain if field.bits is None)
        if not same or ctypes.sizeof(made) != record.size:
            raise CannotPassError(f"ctypes lays {what} out in another way than C")
        return made


def dtype_of(t: ty.Type) -> np.dtype[Any] | None:
    """NumPy's type of an element; None: it has none."""
    integer = integer_of(t)
    kind: Any
    match t:
        case ty.Int(name="_Bool"):
            return np.dtype(np.bool_)
        case _ if integer is not None:
            return np.dtype(f"{'i' if integer.signed else 'u'}{integer.size}") if integer.size <= 8 else None
        case ty.Float(name=name):
            return np.dtype({"float": np.float32, "double": np.float64, "long double": np.longdouble}[name])
        case ty.Complex(of=of):
            kind = {"float": np.complex64, "double": np.complex128}.get(of.name, np.clongdouble)
            made: np.dtype[Any] = np.dtype(kind)
            return made
        case ty.Pointer():
            return np.dtype(np.uintp)
        case ty.Array():
            lengths = shape_of(t)
            element = None if lengths is None else dtype_of(ty.element_of(t))
            return None if lengths is None or element is None else np.dtype((element, lengths))
        case ty.Struct(record=record):
            return _record_dtype(record)
        case _:
            return None


def shape_of(t: ty.Type) -> tuple[int, ...] | None:
    """Of an array of any rank; None: a length is not constant."""
    lengths: list[int] = []
    while isinstance(t, ty.Array):
        if not isinstance(t.length, int):
            return None
        lengths.append(t.length)
        t = t.of
    return tuple(lengths)


def _record_dtype(record: ty.Record) -> np.dtype[Any] | None:
    fields = record.fields
    if fields is None or record.opaque is not None or any(f.bits is not None or f.name is None for f in fields):
        return None
    formats = [dtype_of(field.type) for field in fields]
    if not fields or any(found is None for found in formats):
        return None
    layout: Any = {
        "names": [field.name for field in fields],
        "formats": formats,
        "offsets": [field.offset for field in fields],
        "itemsize": record.size,
    }
    made: np.dtype[Any] = np.dtype(layout)
    return made


def scalar_from(value: object, t: ty.Type, types: CTypes) -> Any:
    """The C value of an argument."""
    integer = integer_of(t)
    if integer is not None:
        return types.of(t)(_integer(value, integer))
    if isinstance(t, ty.Float):
        number = _float(value)
        made = types.of(t)(number)
        if math.isinf(made.value) and not math.isinf(number):
            raise OverflowError(f"expected a number that fits, got {value}, which is too large")
        return made
    assert isinstance(t, ty.Struct)
    return _struct(value, t, types)


def _integer(value: object, t: ty.Int) -> int:
    if isinstance(value, (bytes, bytearray)) and t.size == 1 and len(value) == 1:
        value = value[0] if not t.signed or value[0] < 128 else value[0] - 256
    if isinstance(value, np.ndarray):
        raise TypeError("expected an integer, got an array")
    try:
        number = int(value) if isinstance(value, (bool, np.bool_)) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"expected an integer, got {described(value)}") from None
    if t.name == "_Bool":
        return int(number != 0)
    bits = 8 * t.size
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if t.signed else (0, (1 << bits) - 1)
    if not least <= number <= most:
        raise ValueError(f"expected an integer from {least} to {most}, got {number}")
    return number


def _float(value: object) -> float:
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isinf(number) and value not in (math.inf, -math.inf):
            raise OverflowError(f"expected a number that fits, got {value}, which is too large")
        return number
    raise TypeError(f"expected a number, got {described(value)}")


def _struct(value: object, t: ty.Struct, types: CTypes) -> Any:
    made = types.of(t)
    if isinstance(value, made):
        return value
    dtype = dtype_of(t)
    if dtype is None:
        raise TypeError(f"expected a {made.__name__} of ctypes, got {described(value)}")
    if isinstance(value, (np.void, np.ndarray)):
        if not same_dtype(value.dtype, dtype) or value.shape != ():
            raise TypeError(f"expected one record of {dtype_text(dtype)}, got {described(value)}")
        return made.from_buffer_copy(value.tobytes())
    if isinstance(value, dict):
        assert dtype.names is not None
        if set(value) != set(dtype.names):
            raise TypeError(f"expected a dict of {', '.join(dtype.names)}, got {described(value)}")
        value = tuple(value[name] for name in dtype.names)
    if not isinstance(value, tuple):
        raise TypeError(f"expected a record of {dtype_text(dtype)}, a tuple or a dict, got {described(value)}")
    try:
        return made.from_buffer_copy(np.array(value, dtype).tobytes())
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"expected a record of {dtype_text(dtype)}: {error}") from None


def result_from(value: Any, t: ty.Type) -> Any:
    """What a function's result is in Python, or a variable that is a number or a pointer."""
    if isinstance(t, ty.Pointer) and value is not None:
        return Address(value, t.to)
    if not isinstance(t, ty.Struct):
        return value
    dtype = dtype_of(t)
    return value if dtype is None else np.frombuffer(bytes(value), dtype)[0]


def same_dtype(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Do elements look alike in memory? `long` and `long long` do, and so do `bool` and `unsigned char`."""
    if given == wanted:
        return True
    if not given.isnative:
        return False
    if wanted.subdtype is not None or given.subdtype is not None:
        one, other = given.subdtype, wanted.subdtype
        return one is not None and other is not None and one[1] == other[1] and same_dtype(one[0], other[0])
    if wanted.names is not None or given.names is not None:
        return _same_fields(given, wanted)
    kinds = {given.kind, wanted.kind}
    return given.itemsize == wanted.itemsize and (len(kinds) == 1 or (kinds <= {"b", "u", "i"} and given.itemsize == 1))


def _same_fields(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    if (
        given.names != wanted.names
        or given.itemsize != wanted.itemsize
        or given.fields is None
        or wanted.fields is None
    ):
        return False
    pairs = [(given.fields[name], wanted.fields[name]) for name in given.names or ()]
    return all(one[1] == other[1] and same_dtype(one[0], other[0]) for one, other in pairs)


def dtype_text(dtype: np.dtype[Any]) -> str:
    """`float64`, `(x: float64, id: int32 x 3)`."""
    if dtype.subdtype is not None:
        return f"{dtype_text(dtype.subdtype[0])} x {' x '.join(map(str, dtype.subdtype[1]))}"
    if dtype.fields is not None and dtype.names is not None:
        members = ", ".join(f"{name}: {dtype_text(dtype.fields[name][0])}" for name in dtype.names)
        return f"({members}) of {dtype.itemsize} bytes"
    return dtype.name if dtype.isnative else f"{dtype.name} of the other byte order"


def described(value: object) -> str:
    """What was given, in a few words."""
    if isinstance(value, Address):
        return repr(value)
    if isinstance(value, np.ndarray):
        return f"{with_article(dtype_text(value.dtype))} array of shape {value.shape}"
    if isinstance(value, (np.generic, bool, int, float, complex, str, bytes)):
        text = repr(value)
        return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
    return "None" if value is None else with_article(type(value).__name__)


def with_article(text: str) -> str:
    """`a float64`, `an int64`, `a uint8`."""
    return f"{'an' if text[:1] in 'aeioAEIO' else 'a'} {text}"
