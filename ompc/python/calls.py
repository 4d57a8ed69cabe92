"""What a call tells the runtime of the library, and which calls wait for each other.

A launch may copy all of an array back, so what another thread writes into the same array meanwhile would be lost. A
call therefore waits for those of other threads that use memory which it may write to, or write memory that it uses; all
others go on at the same time. The lock of the interpreter is given back while C runs.

    host      the runtime learns where the array is and how large; with `kept` it stays on the device for the call
    device    the runtime makes addresses of the host's that stand for it, which C gets (ompc_library.cc)

In: the memory of a call.   Out: the addresses to pass.   RuntimeError: memory of the device that cannot be used.
    ValueError: a loop would have left it (ompc_bounds_checks.h).
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from ompc.python.arrays import Memory


class _BorrowedBuffer(ctypes.Structure):
    _fields_ = (
        ("host", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("device", ctypes.c_void_p),
        ("kept", ctypes.c_int),
        ("written", ctypes.c_int),
        ("is_block", ctypes.c_int),
        ("is_bounded", ctypes.c_int),
    )


class _LibraryCall(ctypes.Structure):
    """`struct ompc_library_call` of ompc_library.h."""

    _fields_ = (
        ("buffers", ctypes.c_void_p),
        ("count", ctypes.c_size_t),
        ("streams", ctypes.c_void_p),
        ("stream_count", ctypes.c_size_t),
        ("waits", ctypes.c_int),
    )


@dataclass(frozen=True, slots=True)
class _Range:
    """Memory of one or more arguments that overlap."""

    begin: int
    end: int
    written: bool
    kept: bool
    is_device: bool

    def overlaps(self, other: _Range) -> bool:
        same_side = self.is_device == other.is_device
        return same_side and self.begin < other.end and other.begin < self.end

    def excludes(self, other: _Range) -> bool:
        return (self.written or other.written) and self.overlaps(other)


_PACKED = struct.Struct("@QQiiixxxx")
"""`struct ompc_range` of native/ompc_calls.h."""


class _Borrowed:
    """The memory of all calls that are under way, of all libraries.

    `used` has a thread and the ranges of each. Entries (ompc_calls.h) put theirs there, as bytes, if it is empty, and
    no other thread can run between these two: so here a mark lies in it before it is read, and until it is decided.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.used: list[tuple[int, Sequence[_Range] | bytes]] = []

    @contextmanager
    def during(self, ranges: Sequence[_Range]) -> Iterator[None]:
        """A function that is called back by C may call on with the same memory: its own thread waits for nothing."""
        own = (threading.get_ident(), ranges)
        with self._changed:
            mark: tuple[int, Sequence[_Range] | bytes] = (own[0], ())
            self.used.append(mark)
            try:
                self._changed.wait_for(lambda: not self._is_used(ranges, own[0]))
                self.used.append(own)
            finally:
                self._remove(mark)
        try:
            yield
        finally:
            self._remove(own)
            self.left()

    def left(self) -> None:
        """A call has ended."""
        with self._changed:
            self._changed.notify_all()

    def _remove(self, call: object) -> None:
        del self.used[next(at for at, each in enumerate(self.used) if each is call)]

    def _is_used(self, ranges: Sequence[_Range], own: int) -> bool:
        others = [used for thread, used in self.used if thread != own]
        return any(each.excludes(used) for found in others for used in _unpacked(found) for each in ranges)


def _unpacked(ranges: Sequence[_Range] | bytes) -> Iterable[_Range]:
    if not isinstance(ranges, bytes):
        return ranges
    return [_Range(begin, end, *map(bool, flags)) for begin, end, *flags in _PACKED.iter_unpack(ranges)]


_BORROWED = _Borrowed()


def failed(function: str, text: bytes, has_run: bool) -> NoReturn:
    """What the runtime has to say of a call. RuntimeError: memory that it cannot use, before the function has run;
    ValueError: a loop would have left memory, and was left out.
    """
    if has_run:
        raise ValueError(f"{function}(): {text.decode()}; it was left out")
    raise RuntimeError(f"an array on the device cannot be used: {text.decode()}")


class Calls:
    """The calls of one library. `handle` is ctypes'."""

    def __init__(self, handle: Any) -> None:
        self._begin = getattr(handle, "ompc_call_begin", None)
        self._end = getattr(handle, "ompc_call_end", None)
        if self._begin is not None and self._end is not None:
            self._begin.argtypes = self._end.argtypes = [ctypes.POINTER(_LibraryCall)]
            self._begin.restype = self._end.restype = ctypes.c_char_p
        self.used, self.left = _BORROWED.used, _BORROWED.left

    @property
    def has_runtime(self) -> bool:
        """Are there loops for the device?"""
        return self._begin is not None and self._end is not None

    @property
    def addresses(self) -> tuple[int | None, int | None]:
        """Of what begins and ends a call."""
        begin, end = (ctypes.cast(each, ctypes.c_void_p).value if each else None for each in (self._begin, self._end))
        return begin, end

    @contextmanager
    def during(
        self,
        function: str,
        memories: Sequence[Memory],
        kept: Collection[int],
        has_null: bool,
        stream: int | None = None,
    ) -> Iterator[Mapping[int, int]]:
        """While C runs: the addresses to pass, by those of the memory. `kept`: parameters that may stay. `has_null`:
        None is among the arguments, an array without elements for all loops. `stream`: the caller's, if it is named.

        ValueError: a loop of the function would have left the memory, and was left out.
        """
        ranges = _merged([_range(part, kept) for memory in memories for part in memory.all_parts()])
        with _BORROWED.during(ranges):
            if self._begin is None or self._end is None:
                yield {}
                return
            null = [_BorrowedBuffer(None, 0, None, 0, 1, 0)] if has_null else []
            borrowed = [*map(_borrowed_buffer, ranges), *null]
            buffers = (_BorrowedBuffer * len(borrowed))(*borrowed)
            wanted = [memory.stream or 1 for memory in memories if memory.is_device and memory.stream is not None]
            wanted += [] if stream is None else [stream]
            streams = (ctypes.c_void_p * len(set(wanted)))(*dict.fromkeys(wanted))
            waits = stream is None and any(memory.waits for memory in memories)
            call = _LibraryCall(ctypes.addressof(buffers), len(buffers), ctypes.addressof(streams), len(streams), waits)
            why = self._begin(call)
            if why is not None:
                failed(function, why, False)
            try:
                yield _moved(memories, ranges, buffers)
            finally:
                overrun = self._end(call)
        if overrun is not None:
            failed(function, overrun, True)


def _range(memory: Memory, kept: Collection[int]) -> _Range:
    end = memory.address + memory.bytes
    return _Range(memory.address, end, memory.written, memory.parameter in kept, memory.is_device)


def _merged(ranges: Sequence[_Range]) -> list[_Range]:
    """Ranges that overlap as one."""
    found: list[_Range] = []
    for each in sorted(ranges, key=lambda one: (one.is_device, one.begin)):
        last = found[-1] if found else None
        if last is None or not last.overlaps(each):
            found.append(each)
            continue
        both = _Range(
            last.begin, max(last.end, each.end), last.written or each.written, last.kept and each.kept, each.is_device
        )
        found[-1] = both
    return found


def _borrowed_buffer(each: _Range) -> _BorrowedBuffer:
    size = each.end - each.begin
    if each.is_device:
        return _BorrowedBuffer(None, size, each.begin, each.kept, each.written, 0)
    return _BorrowedBuffer(each.begin, size, None, each.kept, each.written, 0)


def _moved(
    memories: Sequence[Memory], ranges: Sequence[_Range], buffers: ctypes.Array[_BorrowedBuffer]
) -> Mapping[int, int]:
    """What stands for the addresses of device memory."""
    found: dict[int, int] = {}
    for memory in memories:
        if memory.is_device and memory.bytes:
            at = next(i for i, r in enumerate(ranges) if r.is_device and r.begin <= memory.address < r.end)
            found[memory.address] = buffers[at].host + memory.address - ranges[at].begin
    return found
