"""Calls whose arguments C converts: as Python converts them, or not at all; and how long they take."""

from __future__ import annotations

import enum
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import call_times
import numpy as np
import pytest

import ompc
from ompc.python import entries
from ompc.python.library import Function, Library


class Subclass(np.ndarray[Any, Any]):
    pass


class Number(enum.IntEnum):
    TWO = 2


def outcome(call: Callable[[], Any], arrays: Any = ()) -> tuple[object, ...]:
    """The result of a call, its type and what is in the arrays then, or its exception."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call()
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        return type(error), str(error)
    return type(result), repr(result), *(a.tobytes() for a in arrays if isinstance(a, np.ndarray))


def frozen(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    a.flags.writeable = False
    return a


INTEGERS = (
    *(0, 1, -1, 127, 128, 255, 256, -129, 2**15, -(2**31), 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1),
    *(True, 1.0, np.int64(3), np.uint64(2**64 - 1), np.int8(-3), np.bool_(True), np.float64(1), np.array(3)),
    *(Number.TWO, None, "1", b"a", b"ab", 1j),
)
FLOATS = (0.5, 3, True, 1e39, -1e39, 10**400, np.float32(0.1), np.float16(0.1), np.longdouble("1e4000"), float("inf"))
FLOATS += (float("nan"), np.int64(7), np.bool_(True), np.inf, "1", None, 1j, np.array(0.5), np.float64(1e308))


@pytest.mark.parametrize("name", ["bool", "char", "signed_char", "unsigned_char", "short", "unsigned_short", "color"])
def test_small_integers(values: Library, name: str) -> None:
    check_alike(values[f"as_{name}"], INTEGERS)


@pytest.mark.parametrize("name", ["unsigned_int", "long", "unsigned_long", "long_long", "size"])
def test_integers(values: Library, name: str) -> None:
    check_alike(values[f"as_{name}"], INTEGERS)


@pytest.mark.parametrize("name", ["float", "double", "long_double"])
def test_floats(values: Library, name: str) -> None:
    check_alike(values[f"as_{name}"], FLOATS)


def check_alike(function: Function, given: tuple[object, ...]) -> None:
    taken = 0
    for value in given:
        assert outcome(lambda v=value: function(v)) == outcome(lambda v=value: function._checked([v], None)), value
        assert function._entry is not None
        try:
            taken += function._entry.call(value) is not NotImplemented
        except (TypeError, ValueError, OverflowError) as error:  # pragma: no cover
            pytest.fail(f"an entry says something: {error}")
    assert taken >= 4


ARRAYS: dict[str, Callable[[], Any]] = {
    "right": lambda: np.arange(12.0).reshape(3, 4),
    "longer": lambda: np.arange(20.0).reshape(5, 4),
    "shorter": lambda: np.arange(8.0).reshape(2, 4),
    "wider": lambda: np.arange(15.0).reshape(3, 5),
    "flat": lambda: np.arange(12.0),
    "Fortran": lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "part": lambda: np.arange(24.0).reshape(6, 4)[2:5],
    "every other": lambda: np.arange(24.0).reshape(6, 4)[::2],
    "backwards": lambda: np.arange(12.0).reshape(3, 4)[::-1],
    "broadcast": lambda: np.broadcast_to(np.ones(4), (3, 4)),
    "read-only": lambda: frozen(np.ones((3, 4))),
    "float32": lambda: np.ones((3, 4), np.float32),
    "swapped": lambda: np.ones((3, 4), ">f8"),
    "objects": lambda: np.full((3, 4), None),
    "masked": lambda: np.ma.ones((3, 4)),
    "subclass": lambda: np.ones((3, 4)).view(Subclass),
    "crooked": lambda: np.zeros(97, np.uint8)[1:].view("f8").reshape(3, 4),
    "empty": lambda: np.zeros((0, 4)),
    "none": lambda: None,
    "list": lambda: [[1.0] * 4] * 3,
    "memoryview": lambda: memoryview(np.ones((3, 4))),
    "dtype of its own": lambda: np.ones((3, 4), np.dtype("f8").newbyteorder("=")),
}  # fmt: skip


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(loops: Library, name: str) -> None:
    for function, head in [(loops.scale, (3, 4)), (loops.scale, (-1, 4)), (loops.dot, (3,))]:
        made = [(ARRAYS[name](), np.ones((3, 4))) for _ in range(2)]
        if function is loops.scale:
            given: list[Any] = [[*head, pair[0]] for pair in made]
        else:
            given = [[*head, *pair] for pair in made]
        quick = outcome(lambda: function(*given[0]), given[0])  # noqa: B023
        assert quick == outcome(lambda: function._checked(given[1], None), given[1])  # noqa: B023


@pytest.mark.parametrize("target", ["host", "emulate"])
def test_what_entries_take(library_cxx: str, target: str, tmp_path: Path) -> None:
    lib = ompc.compile_string(call_times.PROGRAM, target=target, cxx=library_cxx, quiet=True)
    x, z = np.arange(10.0), np.zeros(10)
    mapped = np.memmap(tmp_path / "m", np.float64, "w+", shape=(10,))
    for arrays in [(x, x, z), (x[:9], x[1:], z), (x, None, z), (frozen(x), x, mapped), (z[:5], z[5:], z)]:
        assert lib.five._entry.call(0, 2.0, *arrays) is None
    assert lib.five._entry.call(9, 2.0, x[:9], x[1:], z) is None and z[8] == 2 * 8 + 9
    for taken in [(np.int32(0), 2, x, x, z), (False, np.float32(2), x, x, z)]:
        assert lib.five._entry.call(*taken) is None
    for left in [(0, 2.0, x, x), (0, 2.0, x, x, z, 1), (0, 2.0, x, x, x), (0, 2.0, x, x, np.zeros(10, "f4"))]:
        assert lib.five._entry.call(*left) is NotImplemented
    with pytest.raises(TypeError, match="takes 5 arguments, 6 were given"):
        lib.five(0, 2.0, x, x, z, 1)


def test_arrays_on_the_device(library_cxx: str) -> None:
    lib = ompc.compile_string(call_times.PROGRAM, target="emulate", cxx=library_cxx, quiet=True)
    other = ompc.compile_string(call_times.PROGRAM, target="emulate", cxx=library_cxx, quiet=True)
    x, z = lib.to_device(np.arange(10.0)), lib.to_device(np.zeros(10))
    assert lib.five._entry.call(10, 2.0, x, x, z) is None
    assert z.get().tolist() == (3 * np.arange(10.0)).tolist()
    for wrong in (other.to_device(np.zeros(10)), lib.to_device(np.zeros(10, np.float32)), lib.to_device(np.zeros(0))):
        assert lib.five._entry.call(10, 2.0, x, x, wrong) is NotImplemented
    with pytest.raises(ValueError, match=r"z has 5 elements of 8 bytes, .* elements 0 to 9; it was left out"):
        lib.five(10, 2.0, x, x, lib.to_device(np.zeros(5)))
    with pytest.raises(ValueError, match=r"five\(\): z has 5 elements of 8 bytes, .* 0 to 9; it was left out"):
        lib.five._entry.call(10, 2.0, x, x, np.zeros(5))
    assert lib.five._entry.call(10, 3.0, x, x, z) is None  # and the next one goes on


def test_elements_that_python_has_accepted_are_taken_then(values: Library, loops: Library) -> None:
    hits, bins, entry = np.ones(3, np.bool_), np.zeros(2, np.int32), loops.histogram._entry
    assert entry is not None and entry.call(hits, 3, bins) is NotImplemented
    loops.histogram(hits, 3, bins)
    assert entry.call(hits, 3, bins) is None and bins.tolist() == [0, 6]
    bodies = np.zeros(3, values.move.parameter_dtype(0))
    move = values.move._entry
    assert move is not None
    values.move(bodies, 1.5)
    assert move.call(bodies, 1.0) is None and bodies["position"][0, 0] == 2.5
    bodies.dtype.names = ("where", "mass", "id")
    assert move.call(bodies, 1.0) is NotImplemented
    with pytest.raises(TypeError, match=r"expected a C-contiguous array of \(position: float64 x 3"):
        values.move(bodies, 1.0)


def test_texts_get_their_zero(values: Library) -> None:
    text, full = np.array(b"abc", "S4"), np.array(b"abcd", "S4")
    for _ in range(2):
        assert values.length(text) == 3 and values.length(full) == 4 and values.length(b"ab") == 2


def test_lengths_are_evaluated(values: Library) -> None:
    t, b, c = np.ones((3, 4), np.float32), np.arange(6, dtype=np.int32), np.ones(1, np.int16)
    entry = values.fixed._entry
    assert entry is not None and entry.call(t, 5, b, c) == 7
    assert entry.call(t, 6, b, c) is NotImplemented and entry.call(t[:2], 5, b, c) is NotImplemented
    for n in (5, 6, -1, 2**31 - 1):
        given = [t, n, b, c]
        assert outcome(lambda: values.fixed(*given)) == outcome(lambda: values.fixed._checked(given, None))  # noqa: B023


def test_without_entries_all_is_the_same(monkeypatch: pytest.MonkeyPatch, load: Any) -> None:
    monkeypatch.setattr(entries, "_has_stable_abi", lambda: False)
    lib = load("loops")
    x = np.arange(5.0)
    assert lib.dot._entry is None and lib.dot(5, x, x) == 30 and lib.dot(5, lib.to_device(x), x) == 30


def test_a_compiler_that_refuses_the_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(entries, "template", lambda name: Refused())
    lib = ompc.compile_string("int twice(int x) { return 2 * x; }", target="host", cache=tmp_path)
    assert lib.twice._entry is None and lib.twice(4) == 8


class Refused:
    def render(self, functions: object) -> str:
        return "#error\n"


def test_threads_wait_for_each_other_by_either_way(loops: Library) -> None:
    """Nothing is lost where calls overlap: some are converted in C, some, by keyword arguments and lists, in Python."""
    bins, data = np.zeros(1, np.int32), np.zeros(3, np.uint8)

    def work(k: int) -> None:
        for _ in range(200):
            if k % 2:
                loops.histogram(data, 3, bins)
            else:
                loops.histogram._checked([data, 3, bins], None)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bins[0] == 4 * 200 * 3 and loops._calls.used == []


@pytest.mark.parametrize("name", ["scalars", "NumPy", "device"])
def test_a_call_takes_three_microseconds_at_most(name: str, library_cxx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the time of an idle machine: a loop of plain counting says how far this one is from that."""
    monkeypatch.setitem(os.environ, "OMPC_OFFLOAD", "never")
    said = []
    for _ in range(5):
        slowness = max(1.0, call_times.counting_seconds() / call_times.COUNTING_SECONDS)
        taken = call_times.measured(library_cxx)[name] / slowness
        if taken < 3.0:
            return
        said.append(f"{taken:.1f} us, in {slowness:.1f} times the time")
    pytest.fail("; ".join(said))
