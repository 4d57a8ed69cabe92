"""Arrays of others, by the protocols in which they say where their elements are.

    __cuda_array_interface__   versions 2 and 3 (Numba's documentation): CuPy, Numba, PyTorch on the GPU
    __dlpack__                 DLPack 1.0 and before (dlpack.h; Python array API standard): PyTorch, JAX, on CPU and GPU

In: an object, the stream that the caller names.   Out: Exported, for the time of a call.   TypeError, ValueError: it
    cannot be used.   Not here: whether it is what a parameter asks for -- arrays.py.

Streams. Version 3 of the first names the stream in which the array is used. With `__dlpack__` the exporter makes a
stream that we name wait for its work: the caller's, or CUDA's legacy default stream. Of work that the exporter begins
later it knows nothing, so the host waits for the launches unless the caller has named a stream (`waits`).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

LEGACY_STREAM = 1
"""CUDA's legacy default stream, as both protocols number it; 2 is that of the thread, others are handles."""


@dataclass(frozen=True, slots=True)
class Exported:
    """`shape` in elements, `strides` in bytes (None: C-contiguous). `owner` keeps the memory alive. `is_readonly`: why
    it must not be written to, "" if it may be.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: np.dtype[Any]
    is_readonly: str
    is_device: bool
    owner: object
    stream: int | None = None
    waits: bool = False

    @property
    def nbytes(self) -> int:
        return int(math.prod(self.shape) * self.dtype.itemsize)

    @property
    def is_contiguous(self) -> bool:
        """In the order of C. The stride of one element alone, or of none, says nothing."""
        if self.strides is None or self.nbytes == 0:
            return True
        expected = self.dtype.itemsize
        for length, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if length != 1 and stride != expected:
                return False
            expected *= length
        return True

    def on_host(self) -> np.ndarray[Any, Any]:
        """Memory of the host's as an array of NumPy."""
        if self.nbytes == 0:
            return np.empty(self.shape, self.dtype)
        data = (self.address, bool(self.is_readonly))
        found = {"shape": self.shape, "typestr": self.dtype.str, "strides": self.strides, "data": data, "version": 3}
        return np.asarray(_Described(found, self.owner))


@dataclass(frozen=True, slots=True)
class _Described:
    __array_interface__: Mapping[str, Any]
    owner: object


def stream_handle(stream: object) -> int | None:
    """What CUDA has for a stream: 1 for the legacy default stream, 2 for that of the thread, else a handle.

    Takes such numbers, and the streams of CuPy, PyTorch, Numba and of whatever has `__cuda_stream__`. TypeError,
    ValueError.
    """
    if stream is None:
        return None
    if isinstance(stream, int) and not isinstance(stream, bool):
        if stream <= 0:
            legacy = "CUDA's default stream is 1, that of the thread 2"
            raise ValueError(f"stream: expected a stream of CUDA, got {stream}; {legacy}")
        return int(stream)
    found: Any = None
    if hasattr(stream, "__cuda_stream__"):
        found = stream.__cuda_stream__()[1]
    else:
        names = [name for name in ("ptr", "cuda_stream", "handle") if hasattr(stream, name)]
        if not names:
            raise TypeError(f"stream: expected a stream of CUDA, got {stream!r}")
        found = getattr(stream, names[0])
    return int(getattr(found, "value", found) or LEGACY_STREAM)


def exported(value: Any, stream: int | None) -> Exported | None:
    """None: it has neither protocol. `stream`: the caller's, if one is named."""
    if hasattr(value, "__cuda_array_interface__"):
        return from_interface(value, value.__cuda_array_interface__, stream)
    return _from_dlpack(value, stream) if hasattr(value, "__dlpack__") else None


# ---------------------------------------------------------------- __cuda_array_interface__


def from_interface(value: Any, found: Mapping[str, Any], stream: int | None, waits: bool = True) -> Exported:
    """`waits`: nobody but the interface says in which stream others use it."""
    own = getattr(value, "dtype", None)
    dtype = own if isinstance(own, np.dtype) else np.dtype(found["typestr"])
    if found.get("mask") is not None:
        raise ValueError("got one with a mask")
    address, is_readonly = found["data"]
    strides = found.get("strides")
    used, owner = found.get("stream"), value
    if "stream" not in found:
        # Before version 3. The exporter's work comes first if it has the other protocol, or is in the default stream.
        used = LEGACY_STREAM if stream is None else stream
        owner = (value, _capsule(value, used)) if hasattr(value, "__dlpack__") else value
        used_later = True
    else:
        used_later = used is None
    return Exported(
        address,
        tuple(found["shape"]),
        None if strides is None else tuple(strides),
        dtype,
        "a read-only one" if is_readonly else "",
        True,
        owner,
        None if used is None else used or LEGACY_STREAM,
        waits and used_later,
    )


# ---------------------------------------------------------------- DLPack


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_READ_ONLY, _IS_COPIED = 1, 2
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c"}
_OTHER_KINDS = {3: "opaque", 4: "bfloat"}
_VERSION = (1, 0)

_python = ctypes.PyDLL(None)  # ctypes.pythonapi has its functions' types in common with other packages
_is_valid = _python.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int
_pointer_of = _python.PyCapsule_GetPointer
_pointer_of.argtypes, _pointer_of.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p


def _from_dlpack(value: Any, stream: int | None) -> Exported:
    device, _ = value.__dlpack_device__()
    is_device = int(device) in (_CUDA, _CUDA_MANAGED)
    if not is_device and int(device) not in (_CPU, _CUDA_HOST):
        raise TypeError(f"got one on a device of another kind (DLPack's {int(device)})")
    used = (LEGACY_STREAM if stream is None else stream) if is_device else None
    capsule = _capsule(value, used)
    tensor, is_readonly = _contents(capsule)
    dtype = _dtype(tensor.dtype)
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(n * dtype.itemsize for n in tensor.strides[: tensor.ndim]) if tensor.strides else None
    address = (tensor.data or 0) + tensor.byte_offset
    return Exported(address, shape, strides, dtype, is_readonly, is_device, (value, capsule), used, is_device)


def _capsule(value: Any, stream: int | None) -> object:
    """It is not consumed: its own destructor gives the memory back, when the call is over."""
    try:
        return value.__dlpack__(stream=stream, max_version=_VERSION, copy=False)
    except TypeError:  # an exporter from before version 1.0
        return value.__dlpack__() if stream is None else value.__dlpack__(stream=stream)


def _contents(capsule: object) -> tuple[_Tensor, str]:
    """The tensor, and why it must not be written to."""
    if _is_valid(capsule, b"dltensor_versioned"):
        found = _Versioned.from_address(_pointer_of(capsule, b"dltensor_versioned"))
        if found.major > _VERSION[0]:
            raise TypeError(f"got one of DLPack {found.major}.{found.minor}, which is not known")
        why = "a read-only one" if found.flags & _READ_ONLY else "a copy" if found.flags & _IS_COPIED else ""
        return found.tensor, why
    if _is_valid(capsule, b"dltensor"):
        why = "one of DLPack before 1.0, which does not say whether it can be"
        return _Tensor.from_address(_pointer_of(capsule, b"dltensor")), why
    raise TypeError("got one whose __dlpack__ gives no tensor")


def _dtype(given: _DataType) -> np.dtype[Any]:
    """TypeError: NumPy has no such elements."""
    bits, lanes = given.bits, given.lanes
    if given.code == 6 and (bits, lanes) == (8, 1):
        return np.dtype(np.bool_)
    if given.code in _KINDS and bits % 8 == 0 and lanes == 1:
        try:
            return np.dtype(f"{_KINDS[given.code]}{bits // 8}")
        except TypeError:
            pass
    name = _OTHER_KINDS.get(given.code, _KINDS.get(given.code, f"DLPack's type {given.code}, "))
    raise TypeError(f"got one of {name}{bits}{f' x {lanes}' if lanes != 1 else ''}")
