"""Arrays of others, by DLPack and by `__cuda_array_interface__`, and the streams in which they are used."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from dlpack_capsules import BFLOAT16, CUDA, INT32, MANAGED, ROCM, Missing, OnDevice, Tensor

from ompc.python.exporters import stream_handle
from ompc.python.library import Library


class OfNumPy:
    """An array of which only DLPack is seen."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> object:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def test_arrays_of_the_host(loops: Library) -> None:
    a = np.arange(12.0).reshape(3, 4)
    loops.scale(3, 4, OfNumPy(a))
    assert a.tolist() == (2 * np.arange(12.0).reshape(3, 4)).tolist()
    loops.scale(2, 4, OfNumPy(a[1:]))
    assert a[0].tolist() == [0, 2, 4, 6] and a[1].tolist() == [16, 20, 24, 28]
    x = np.arange(4.0)
    x.flags.writeable = False
    assert loops.dot(4, OfNumPy(x), x) == 14
    assert loops.dot(3, Tensor(x.ctypes.data, (3,), offset=8), Tensor(x.ctypes.data, (3,), strides=(1,))) == 8
    assert loops.dot(1, Tensor(x.ctypes.data + 8, (1,), strides=(17,)), x[3:]) == 3  # one element's stride says nothing
    assert loops.dot(4, Tensor(x.ctypes.data, (4,), version=None), Tensor(x.ctypes.data, (4,), flags=3)) == 14
    assert loops.dot(0, Tensor(0, (0,)), x) == 0


def refused(call: Callable[[], Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert f"expected a C-contiguous array of float64{said}" in str(raised.value)


@pytest.mark.parametrize("on_device", [False, True])
def test_what_cannot_be_passed(loops: Library, on_device: bool) -> None:
    x = np.arange(12.0)
    device, made = (CUDA, loops.to_device(x)) if on_device else (1, None)
    address = x.ctypes.data if made is None else made.interface["data"][0]

    def given(shape: tuple[int, ...], **options: Any) -> Tensor:
        return Tensor(address, shape, **{"device": device, **options})

    gaps, writable = "got one with gaps or another order", " that can be written to, got "
    where = " on the device" if on_device else ""
    refused(lambda: loops.dot(3, given((3,), strides=(2,)), x), ValueError, f", {gaps}")
    refused(lambda: loops.dot(3, given((3, 4), strides=(1, 3)), x), ValueError, f", {gaps}")
    refused(lambda: loops.dot(3, given((3,), dtype=INT32), x), TypeError, f", got an int32 array of shape (3,){where}")
    refused(lambda: loops.dot(3, given((3,), dtype=BFLOAT16), x), TypeError, ", got one of bfloat16")
    refused(lambda: loops.dot(3, given((3,), dtype=(2, 64, 2)), x), TypeError, ", got one of f64 x 2")
    refused(lambda: loops.dot(3, given((3,), dtype=(9, 8, 1)), x), TypeError, ", got one of DLPack's type 9, 8")
    refused(lambda: loops.dot(3, given((3,), device=ROCM), x), TypeError, ", got one on a device of another kind")
    refused(lambda: loops.dot(3, given((3,), version=(2, 0)), x), TypeError, ", got one of DLPack 2.0")
    refused(lambda: loops.steps(3, given((3,), flags=1), x, 1), ValueError, writable + "a read-only one")
    refused(lambda: loops.steps(3, given((3,), flags=2), x, 1), ValueError, writable + "a copy")
    refused(lambda: loops.steps(3, given((3,), version=None), x, 1), ValueError, writable + "one of DLPack before 1.0")
    with pytest.raises(ValueError, match=r"\(n = 4 or more, m = 4\), got a float64 array of shape \(3, 4\)"):
        loops.scale(4, 4, given((3, 4)))
    if not on_device:
        refused(lambda: loops.dot(3, given((3,), offset=1), x), ValueError, ", got one that is not aligned in memory")


def test_the_exporter_is_kept_for_the_call(loops: Library) -> None:
    x, seen = np.ones(3), []

    class Exporter(OfNumPy):
        def __del__(self) -> None:
            seen.append(float(x[0]))

    loops.steps(3, x, Exporter(np.zeros(3)), 1)
    loops.scale(1, 3, Exporter(x.reshape(1, 3)))
    assert seen[-1] == 2  # given back behind the call


class Told:
    """What the runtime is told of calls: their streams, and whether the host waits."""

    def __init__(self, lib: Library, events: list[object]) -> None:
        self._begin, self._end, self.events = lib._calls._begin, lib._calls._end, events

    def _said(self, what: str, call: Any) -> None:
        streams = (ctypes.c_void_p * call.stream_count).from_address(call.streams) if call.stream_count else ()
        self.events.append((what, list(streams), bool(call.waits)))

    def begin(self, call: Any) -> Any:
        self._said("begin", call)
        return self._begin(call)

    def end(self, call: Any) -> Any:
        self._said("end", call)
        return self._end(call)


@pytest.fixture
def told(loops: Library, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    events: list[object] = []
    watcher = Told(loops, events)
    monkeypatch.setattr(loops._calls, "_begin", watcher.begin)
    monkeypatch.setattr(loops._calls, "_end", watcher.end)
    for name in ("dot", "steps"):
        monkeypatch.setattr(loops[name], "_entry", None)
    yield events


def test_streams(loops: Library, told: list[object]) -> None:
    """The call comes behind the streams of its arrays and the caller's, and these behind it."""
    u, v = loops.to_device(np.ones(8)), loops.to_device(np.zeros(8))
    tensor = Tensor(u.interface["data"][0], (8,), device=CUDA)

    def said(*given: Any, **options: Any) -> list[object]:
        told.clear()
        loops.steps(8, *given, 1, **options)
        begin, end = told
        assert begin[1:] == end[1:] and (begin[0], end[0]) == ("begin", "end")  # type: ignore[index]
        return list(begin[1:])  # type: ignore[index]

    assert said(u, v) == [[], False]
    assert said(u, v, stream=77) == [[77], False]
    assert said(OnDevice(u, stream=5), OnDevice(v, stream=5)) == [[5], False]
    assert said(OnDevice(u, stream=5), OnDevice(v, stream=6), stream=2) == [[5, 6, 2], False]
    assert said(OnDevice(u, stream=5), v) == [[5], False]
    # Nothing is known of whoever uses them: the host waits, unless the caller names a stream.
    assert said(OnDevice(u, stream=5), OnDevice(v, stream=None)) == [[5], True]
    assert said(OnDevice(u, stream=Missing), v) == [[1], True]
    assert said(OnDevice(u, stream=Missing), v, stream=9) == [[9], False]
    assert said(tensor, v) == [[1], True] and said(tensor, v, stream=9) == [[9], False]
    assert [call["stream"] for call in tensor.calls] == [1, 9]
    assert said(Tensor(u.interface["data"][0], (8,), device=MANAGED), v) == [[1], True]
    with pytest.raises(TypeError, match="an array on another device was given"):
        loops.dot(8, Tensor(np.ones(8).ctypes.data, (8,), device=CUDA), u)


def test_the_exporter_orders_its_work_before_the_call_begins(loops: Library, told: list[object]) -> None:
    u, v = loops.to_device(np.ones(8)), loops.to_device(np.zeros(8))

    class Both(OnDevice):
        """As PyTorch's tensors: version 2 of one protocol, and the other."""

        def __dlpack__(self, **options: Any) -> object:
            told.append(("exported", options["stream"]))
            return Tensor(0, (0,)).__dlpack__()

    loops.steps(8, Both(u, stream=Missing), v, 1)
    assert [event[0] for event in told] == ["exported", "begin", "end"] and told[0] == ("exported", 1)  # type: ignore[index]
    assert v.get()[1] == 1


def test_the_callers_stream_comes_behind_the_launches(loops: Library) -> None:
    """Nobody waits on the host; the emulator has done all when another stream is to come behind it."""
    u, v = loops.to_device(np.full(64, 3.0)), loops.to_device(np.zeros(64))
    loops.steps(64, u, v, 1, stream=7)
    found = np.frombuffer(ctypes.string_at(v.interface["data"][0], 8 * 64))
    assert found[1:-1].tolist() == [3.0] * 62


def test_entries_take_interfaces_as_python_does(loops: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, where whatever has `__cuda_array_interface__` is on the device."""
    entry, own = loops.dot._entry, loops._entries
    assert entry is not None and own is not None
    monkeypatch.setattr(own._library, "takes_gpu", 1)
    x = loops.to_device(np.arange(8.0))
    right = OnDevice(x)
    assert entry.call(8, right, x) == 140 and entry.call_in_stream(8, right, right, 7) == 140
    assert entry.call(8, OnDevice(x, stream=None), OnDevice(x, data=(x.interface["data"][0], True))) == 140
    behind = OnDevice(x, data=(x.interface["data"][0] + 8, False), shape=(7,))
    assert entry.call(2, OnDevice(x, shape=(2,)), behind) == 2
    differing: list[dict[str, Any]] = [
        *({"stream": Missing}, {"stream": "1"}, {"typestr": "<f4"}, {"typestr": ">f8"}, {"strides": (16,)}),
        *({"shape": (0,)}, {"shape": (-1,)}, {"shape": (2**40, 2**40)}, {"shape": [8]}),
        *({"mask": right}, {"data": (None, False)}, {"data": 1}),
    ]
    for changed in differing:
        assert entry.call(8, OnDevice(x, **changed), x) is NotImplemented, changed
    written = loops.steps._entry
    assert written is not None
    assert written.call(8, OnDevice(x, data=(x.interface["data"][0], True)), x, 1) is NotImplemented


def test_what_is_a_stream(loops: Library) -> None:
    class OfCuda:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, 1234

    assert [stream_handle(each) for each in (None, 1, 2, 1234, OfCuda())] == [None, 1, 2, 1234, 1234]
    for name in ("ptr", "cuda_stream", "handle"):
        assert stream_handle(SimpleNamespace(**{name: 99})) == 99 and stream_handle(SimpleNamespace(**{name: 0})) == 1
    assert stream_handle(SimpleNamespace(handle=ctypes.c_void_p(99))) == 99
    x = np.ones(4)
    with pytest.raises(ValueError, match="expected a stream of CUDA, got 0; CUDA's default stream is 1, that of the"):
        loops.dot(4, x, x, stream=0)
    with pytest.raises(TypeError, match="stream: expected a stream of CUDA, got 'a'"):
        loops.dot(4, x, x, stream="a")
    assert loops.dot(4, x, x, stream=None) == loops.dot(4, x, x, stream=1) == loops.dot(4, x=x, y=x, stream=3) == 4
    with pytest.raises(TypeError, match="has no parameter 'steam'"):
        loops.dot(4, x, x, steam=1)
