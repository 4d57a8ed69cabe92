"""Objects that export memory by DLPack or by `__cuda_array_interface__`, as libraries for GPUs do, made by hand."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from ompc.python.device import DeviceArray
from ompc.python.exporters import _Tensor, _Versioned

FLOAT64, INT32, BFLOAT16 = (2, 64, 1), (0, 32, 1), (4, 16, 1)
CPU, CUDA, ROCM, MANAGED = 1, 2, 10, 13

_new = ctypes.PyDLL(None).PyCapsule_New
_new.argtypes, _new.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object


class Tensor:
    """`strides` in elements. `calls` has what `__dlpack__` was given; `flags`: 1 is read-only, 2 a copy; a `version` of
    None: from before 1.0.
    """

    def __init__(
        self,
        address: int,
        shape: Sequence[int],
        dtype: tuple[int, int, int] = FLOAT64,
        device: int = CPU,
        strides: Sequence[int] | None = None,
        flags: int = 0,
        version: tuple[int, int] | None = (1, 0),
        offset: int = 0,
    ) -> None:
        self.calls: list[dict[str, Any]] = []
        self._device, self._is_versioned = device, version is not None
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        self._strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        self._made: Any = _Versioned() if version else _Tensor()
        tensor = self._made.tensor if version else self._made
        if version:
            self._made.major, self._made.minor = version
            self._made.flags = flags
        tensor.data, tensor.byte_offset, tensor.ndim = address, offset, len(shape)
        tensor.device.type = device
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = dtype
        tensor.shape = ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64))
        if self._strides is not None:
            tensor.strides = ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64))

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, **options: Any) -> object:
        if not self._is_versioned and "max_version" in options:
            raise TypeError("unexpected keyword argument 'max_version'")
        self.calls.append(options)
        name = b"dltensor_versioned" if self._is_versioned else b"dltensor"
        return _new(ctypes.addressof(self._made), name, None)


class OnDevice:
    """An array of `to_device` as another library's; `changed` are keys of its interface, None: not there."""

    def __init__(self, array: DeviceArray, **changed: Any) -> None:
        self._found = {**array.interface, "stream": 1, **changed}

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {key: value for key, value in self._found.items() if value is not Missing}


class Missing:
    """A key that an interface has not."""
