"""Arrays on a library's device: `lib.to_device(array)`.

    u = lib.to_device(numpy.zeros((1000, 1000)))      copied once
    lib.step(1000, u)                                 as with CuPy's arrays, nothing is copied
    u.get()                                           a copy on the host

For programs without CuPy, and for emulated libraries, whose device CuPy cannot know.

In: arrays of NumPy.   Out: DeviceArray. MemoryError.   Not here: passing it to a function -- arrays.py.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from typing import Any, NoReturn

import numpy as np

from ompc.python.values import described


def elements_of(value: object) -> np.ndarray[Any, Any]:
    """`value`, if it is an array of NumPy whose elements are all there, and plain data. TypeError, ValueError."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"expected an array of NumPy, got {described(value)}; np.array(..., dtype) makes one")
    if value.dtype.hasobject:
        raise TypeError(f"expected an array of numbers or structs, got {described(value)}, of objects of Python")
    if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"expected an array without a mask, got {described(value)} with one; filled() has none")
    return value


class DeviceMemory:
    """What the runtime of a library has for arrays on its device."""

    def __init__(self, handle: Any) -> None:
        self.home = handle
        self._allocate, self._release, self._copy = (
            getattr(handle, f"ompc_device_{name}") for name in ("allocate", "release", "copy")
        )
        self._allocate.argtypes, self._allocate.restype = [ctypes.c_size_t], ctypes.c_void_p
        self._release.argtypes, self._release.restype = [ctypes.c_void_p], None
        copied = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self._copy.argtypes, self._copy.restype = copied, None

    def allocate(self, size: int) -> int:
        """MemoryError: there is none."""
        found: int | None = self._allocate(size)
        if found is None:
            raise MemoryError(f"there are no {size} bytes on the device")
        return found

    def release(self, address: int) -> None:
        self._release(address)

    def copy(self, host: np.ndarray[Any, Any], address: int, to_device: bool) -> None:
        self._copy(host.ctypes.data, address, host.nbytes, to_device)


class DeviceArray:
    """An array in memory of a library's device, C-contiguous. `shape` and `dtype` are as NumPy has them."""

    def __init__(self, memory: DeviceMemory, array: np.ndarray[Any, Any], is_gpu: bool) -> None:
        self.shape, self.dtype = array.shape, array.dtype
        self._memory = memory
        self.is_gpu = is_gpu
        self._address = memory.allocate(max(array.nbytes, 1))
        self._home = memory.home
        found = {"shape": self.shape, "typestr": self.dtype.str, "descr": self.dtype.descr}
        self._interface = {**found, "data": (self._address, False), "strides": None, "stream": None, "version": 3}
        weakref.finalize(self, memory.release, self._address).atexit = False
        self.set(array)

    @property
    def nbytes(self) -> int:
        return int(math.prod(self.shape) * self.dtype.itemsize)

    def holds(self, address: int, size: int) -> bool:
        """Is this memory, of `size` bytes, a part of the array's?"""
        return self._address <= address and address + size <= self._address + self.nbytes

    def get(self) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        found = np.empty(self.shape, self.dtype)
        if self.nbytes:
            self._memory.copy(found, self._address, to_device=False)
        return found

    def set(self, array: np.ndarray[Any, Any]) -> None:
        """Copies from the host. ValueError: another shape or type, a mask."""
        given = np.ascontiguousarray(elements_of(array))
        if array.shape != self.shape or given.dtype != self.dtype:
            raise ValueError(f"expected a {self.dtype} array of shape {self.shape}")
        if self.nbytes:
            self._memory.copy(given, self._address, to_device=True)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self.is_gpu:
            raise AttributeError("this array is on an emulated device, which is no memory of CUDA's")
        return self.interface

    @property
    def interface(self) -> dict[str, Any]:
        """As `__cuda_array_interface__`, also where the device is emulated. Functions wait for what they launch."""
        return dict(self._interface)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} cannot be copied or pickled; get() copies it to the host")

    def __repr__(self) -> str:
        return f"<{self.dtype} array of shape {self.shape} on the {'GPU' if self.is_gpu else 'emulated device'}>"
