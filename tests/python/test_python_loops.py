"""Loops on arrays of NumPy and on arrays of an emulated device: results, what is copied, what is refused."""

from __future__ import annotations

import ctypes
import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ompc
from ompc.python.failures import LoadError, OmpcWarning
from ompc.python.library import Library

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parent.parent.parent


def stepped(u: np.ndarray[Any, Any], v: np.ndarray[Any, Any], times: int) -> None:
    for _ in range(times):
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u


def sparse(rows: int) -> tuple[np.ndarray[Any, Any], ...]:
    start = np.arange(0, 3 * rows + 1, 3, dtype=np.int32)
    column = (np.arange(3 * rows, dtype=np.int32) * 7) % rows
    return start, column.astype(np.int32), np.linspace(0, 1, 3 * rows), np.arange(float(rows))


def crooked() -> np.ndarray[Any, Any]:
    return np.zeros(65, np.uint8)[1:].view("f8").reshape(2, 4)


def test_results_are_in_the_arrays(loops: Library) -> None:
    a = np.arange(12.0).reshape(3, 4)
    loops.scale(3, 4, a)
    assert a.tolist() == (2 * np.arange(12.0).reshape(3, 4)).tolist()
    t = np.ones((3, 4), np.float32)
    loops.flat(t)
    assert t[2].tolist() == [21, 22, 23, 24]
    assert loops.dot(5, np.arange(5.0), np.arange(6.0)) == 30
    u, v = np.arange(30.0) ** 2, np.zeros(30)
    expected, other = u.copy(), v.copy()
    stepped(expected, other, 5)
    loops.steps(30, u, v, 5)
    assert np.allclose(u, expected) and np.allclose(v, other)
    start, column, value, x = sparse(20)
    y = np.zeros(20)
    loops.spmv(20, start, column, value, x, y)
    assert np.allclose(y, (value * x[column]).reshape(20, 3).sum(1))
    bins = np.zeros(4, np.int32)
    loops.histogram(np.array([0, 1, 1, 3], np.uint8), 4, bins)
    assert bins.tolist() == [1, 2, 0, 1]


def test_host_code_sees_what_launches_wrote(loops: Library) -> None:
    before, x = loops.globals.calls, np.ones(8)
    assert loops.watched(8, x) == 2 + 3 + 4 and loops.globals.calls == before + 1
    assert x.tolist() == [4, 0, 10, 13, 4, 7, 10, 13]
    loops.globals.weights[:] = 0
    assert loops.watched(8, x) == 12
    loops.globals.weights = [1, 2, 3, 4]
    n, roots = np.array(3, np.int32), np.array([4.0, 9, 16, 25])
    loops.bounded(n, roots)
    assert roots.tolist() == [2, 3, 4, 25]
    rows, sums = [np.arange(4.0), np.ones(5)], np.zeros(2)
    loops.row_sums(2, 4, rows, sums)
    assert sums.tolist() == [6, 4]


def test_structs_in_arrays(loops: Library) -> None:
    particles = np.zeros(5, loops.push.parameter_dtype(0))
    particles["v"] = np.arange(5)
    loops.push(particles, 5, 0.3)
    assert np.allclose(particles["x"], [0, 0.3, 0.6, 0.9, 0.2]) and particles["hits"].tolist() == [0, 0, 0, 0, 1]


def test_parts_of_arrays(loops: Library) -> None:
    """A function gets the elements that it is given, and the others of the array are not touched."""
    whole = np.ones((6, 4))
    loops.scale(2, 4, whole[2:4])
    assert whole.sum() == 24 + 8 and whole[2:4].min() == 2
    x = np.arange(10.0)
    loops.steps(6, x[2:8], x[2:8].copy(), 2)
    assert loops.dot(4, x[1:5], x[1:5]) == float(x[1:5] @ x[1:5])
    same = np.arange(6.0)
    assert loops.dot(4, same[:4], same[2:]) == float(same[:4] @ same[2:])
    loops.scale(0, 4, np.zeros((0, 4)))


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda f, a: f.scale(3, 4, a.T), ValueError, "(n = 3 or more, m = 4), got a float64 array of shape (4, 3)"),
        (lambda f, a: f.scale(2, 2, a[:, :2]), ValueError, "got one with gaps or another order of its elements"),
        (lambda f, a: f.scale(4, 4, a), ValueError, "(n = 4 or more, m = 4), got a float64 array of shape (3, 4)"),
        (lambda f, a: f.scale(12, 1, a.ravel()), ValueError, "got a float64 array of shape (12,)"),
        (lambda f, a: f.scale(3, 4, a.astype("f4")), TypeError, "got a float32 array of shape (3, 4)"),
        (lambda f, a: f.scale(3, 4, np.broadcast_to(a, (3, 4))), ValueError, "that can be written to, got a read-only"),
        (lambda f, a: f.scale(2, 4, crooked()), ValueError, "got one that is not aligned in memory"),
        (lambda f, a: f.flat(np.zeros((4, 3), "f4")), ValueError, "(3 or more, 4), got a float32 array of"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit(loops: Library, call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        call(loops, np.zeros((3, 4)))
    assert said in str(raised.value)
    assert "parameter 'double a[n][m]': expected" in str(raised.value) or "float t[3][4]" in str(raised.value)


@pytest.mark.parametrize("on_device", [False, True])
def test_loops_that_would_leave_an_array_are_left_out(loops: Library, on_device: bool) -> None:
    whole, y = np.ones(20), np.ones(20)

    def given(a: np.ndarray[Any, Any]) -> Any:
        return loops.to_device(a) if on_device else a

    def refused(call: Any, said: str) -> None:
        with pytest.raises(ValueError, match=r"^\w+\(\): " + said + "; it was left out$"):
            call()

    said = r"x has 5 elements of 8 bytes, and the loop at loops.c:\d+ touches elements 0 to 9"
    refused(lambda: loops.shift(10, given(whole[:5]), y, 2), said)
    refused(lambda: loops.shift(10, given(np.ones(10)), y[:1], 2), "y has 1 element of 8 bytes, .* elements 0 to 9")
    refused(lambda: loops.shift(1000, given(np.ones(5)), np.ones(1000), 1), "x has 5 elements .* 0 to 999")
    refused(lambda: loops.shift(3, given(np.ones(0)), y, 1), "x has 0 elements of 8 bytes, .* touches elements 0 to 2")
    refused(lambda: loops.dot(5, None, whole[5:15]), "x has 0 elements of 8 bytes, .* touches elements 0 to 4")
    refused(lambda: loops.dot(6, whole[10:15], whole[5:15]), "x has .* of 8 bytes, .* touches elements 5 to 10")
    refused(lambda: loops.mapped(10, whole[:5]), "an array has 40 bytes, and bytes 0 to 79 are mapped")
    refused(lambda: loops.in_target_data(10, np.ones(10), whole[:5]), "an array has 40 bytes, and bytes 0 to 79 are .*")
    assert (whole == 1).all() and (y == 1).all()
    assert loops.shift(10, given(np.ones(10)), y, 1) == 20  # and the next call goes on
    loops.scale(2, 4, np.ones((3, 4))[:2])
    assert loops.dot(4, loops.globals.weights[:4], np.ones(4)) == 10


def test_read_only_arrays_for_const(loops: Library) -> None:
    x = np.arange(4.0)
    x.flags.writeable = False
    assert loops.dot(4, x, x) == 14


def test_mapped_data_comes_home_when_a_call_returns(loops: Library) -> None:
    x = np.zeros(100)
    for k in range(1, 4):
        loops.mapped(100, x)
        assert (x == k).all()
    loops.in_target_data(100, x, np.ones(100))
    assert (x == 8).all()


def test_arrays_on_the_device(loops: Library) -> None:
    u, v = np.arange(50.0), np.zeros(50)
    du, dv = loops.to_device(u), loops.to_device(v)
    loops.steps(50, du, dv, 3)
    stepped(u, v, 3)
    assert np.allclose(du.get(), u) and np.allclose(dv.get(), v)
    assert (
        np.isclose(loops.dot(50, du, u), u @ u) and repr(du) == "<float64 array of shape (50,) on the emulated device>"
    )
    du.set(np.ones(50))
    assert loops.dot(50, du, du) == 50
    loops.in_target_data(50, du, dv)
    assert np.allclose(du.get(), 2 * (1 + v))
    loops.checked(50, du)
    assert np.allclose(du.get(), 2 * (1 + v) + 1)
    a = loops.to_device(np.ones((3, 4)))
    loops.scale(3, 4, a)
    assert a.get().tolist() == [[2] * 4] * 3
    with pytest.raises(ValueError, match="n = 4 or more"):
        loops.scale(4, 4, a)
    with pytest.raises(TypeError, match="array of float32"):
        loops.flat(a)
    particles = np.zeros(5, loops.push.parameter_dtype(0))
    particles["v"] = 2
    on_device = loops.to_device(particles)
    loops.push(on_device, 5, 0.25)
    assert on_device.get()["x"].tolist() == [0.5] * 5


def test_iterations_that_end_a_launch_see_the_arrays(loops: Library, capfd: pytest.CaptureFixture[str]) -> None:
    x = loops.to_device(np.array([1.0, -1, 2]))
    loops.checked(3, x)
    assert x.get().tolist() == [2, 0, 3]


def test_an_array_that_the_host_touches_is_copied(loops: Library) -> None:
    x = loops.to_device(np.ones(8))
    with pytest.warns(
        OmpcWarning,
        match=r"parameter 'double \*x': each call copies the array .*: the host's code touches it at .*loops.c:70",
    ):
        assert loops.watched(8, x) == 9
    assert x.get().tolist() == [4, 0, 10, 13, 4, 7, 10, 13]
    assert loops.watched(8, x) == 5 + 6 + 7  # and said once


def test_an_array_of_another_device(loops: Library, load: Any, values: Library) -> None:
    other = load("loops", flags=["-DFACTOR=3"])
    a = np.ones((3, 4))
    other.scale(3, 4, a)
    loops.scale(3, 4, a)
    assert a.min() == a.max() == 6
    with pytest.raises(TypeError, match="an array on another device was given"):
        other.dot(4, loops.to_device(np.ones(4)), np.ones(4))
    with pytest.raises(RuntimeError, match="has no loops on a device"):
        values.to_device(np.ones(3))
    other.globals.weights[0] = 50
    assert loops.globals.weights[0] == 1


def test_threads(loops: Library) -> None:
    """Calls on different arrays go on at the same time, those on the same one after another."""
    shared, own = np.zeros((4, 64)), [np.ones((4, 64)) for _ in range(4)]
    halves = np.ones((8, 64))

    def work(k: int) -> None:
        for _ in range(5):
            loops.scale(4, 64, own[k])
            loops.scale(2, 64, halves[2 * k : 2 * k + 2])
            loops.histogram(np.zeros(3, np.uint8), 3, bins)

    bins = np.zeros(1, np.int32)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a.min() == a.max() == 32 for a in own) and halves.min() == halves.max() == 32
    assert bins[0] == 4 * 5 * 3 and shared.sum() == 0


def test_a_function_that_is_called_back_calls_on(loops: Library) -> None:
    a, hits = np.ones((2, 2)), []
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)

    def square(x: int) -> int:
        loops.scale(2, 2, a)
        hits.append(threading.get_ident())
        return x * x

    assert loops.squares(4, kind(square)) == 14 and a[0, 0] == 16 and set(hits) == {threading.get_ident()}


def test_several_files(library_cxx: str, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(
        "double twice(double x);\nextern int calls;\nvoid both(int n, double *x) {\n    calls++;\n"
        "#pragma omp parallel for\n    for (int i = 0; i < n; i++) x[i] = twice(x[i]);\n}\n"
    )
    (tmp_path / "two.c").write_text("int calls;\ndouble twice(double x) { return 2 * x; }\n")
    sources = [tmp_path / "one.c", tmp_path / "two.c"]
    library = ompc.load(sources, target="emulate", cxx=library_cxx, quiet=True)
    x = np.arange(5.0)
    library.both(5, x)
    assert x.tolist() == [0, 2, 4, 6, 8] and library.twice(4) == 8 and library.globals.calls == 1
    assert library.both.__doc__.endswith("line 5: parallel for: on the device")
    report: Any = library.report
    assert len(report["files"]) == 2 and "2 files: 1 parallel loop, 1 on the GPU" in library.explain()
    words = " ".join(library.explain(everything=True).split())  # the folder's name may be longer than a line
    assert f"{tmp_path}/one.c:5 both parallel for: on the GPU" in words


def test_a_file_that_was_edited(load: Any, tmp_path: Path) -> None:
    source = tmp_path / "edited.c"
    source.write_text("int answer(void) { return 41; }\n")
    first = ompc.load(source, target="host")
    source.write_text("int answer(void) { return 42; }\n")
    second = ompc.load(source, target="host")
    assert (first.answer(), second.answer()) == (41, 42)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    @contextmanager
    def shown(title: str, on_terminal: bool, delay: float) -> Iterator[Callable[[str], None]]:
        seen.append((on_terminal, delay))
        yield seen.append

    monkeypatch.setattr("ompc.python.load.shown", shown)
    monkeypatch.setenv("TERM", "xterm")
    text = "int square(int x) { return x * x; }\n"
    ompc.compile_string(text, target="host")
    monkeypatch.setattr("sys.stderr", Terminal())
    ompc.compile_string(text, target="host", quiet=True)
    assert [each for each in seen if isinstance(each, tuple)] == [(False, 2.0), (False, 2.0)]
    ompc.compile_string(text, target="host")
    begun = seen.index((True, 2.0))
    assert any(re.search(r"string\.c: (parse|analysis)$", str(each)) for each in seen[begun:])


def test_text(library_cxx: str) -> None:
    text = "int cube(int x) { return x * x * x; }\n"
    assert ompc.compile_string(text, target="host").cube(3) == 27
    assert ompc.compile_string(text, target="emulate", cxx=library_cxx, flags=["-O1"]).cube(2) == 8


@pytest.mark.parametrize("opt", ["baseline", "thesis"])
def test_levels(load: Any, opt: str) -> None:
    library = load("loops", opt=opt)
    u, v = np.arange(30.0) ** 2, np.zeros(30)
    expected, other = u.copy(), v.copy()
    stepped(expected, other, 3)
    library.steps(30, u, v, 3)
    assert np.allclose(u, expected)
    on_device = library.to_device(v)
    with pytest.warns(OmpcWarning, match="no loop on the device uses it|each call copies"):
        assert np.isclose(library.dot(30, on_device, on_device), v @ v)


@pytest.mark.parametrize("target", ["emulate", "host"])
def test_what_cannot_be_loaded(tmp_path: Path, target: str) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int f(void) { return missing; }\n")
    with pytest.raises(LoadError, match=r"OMPC101(.|\n)*missing.* undeclared"):
        ompc.load(source, target=target)
    source.write_text("int g(void);\nint f(void) { return g(); }\n")
    with pytest.raises(LoadError, match=r"OMPC404(.|\n)*undefined reference to"):
        ompc.load(source, target=target)
    with pytest.raises(FileNotFoundError, match="no such file"):
        ompc.load(tmp_path / "absent.c")
    for options, said in [
        ({"target": "gpu"}, "target is one of auto, cuda, emulate, host, not 'gpu'"),
        ({"opt": "fast"}, "opt is one of"),
        ({"flags": ["-D"]}, "option '-D' requires a value"),
        ({"flags": ["x.c"]}, "'x.c' is no compiler option"),
    ]:
        with pytest.raises(ValueError, match=said):
            ompc.load(source, **options)  # type: ignore[arg-type]


def test_loops_on_the_host_are_said(tmp_path: Path, library_cxx: str) -> None:
    source = tmp_path / "host.c"
    source.write_text(
        "#include <stdlib.h>\nvoid noise(int n, int *x)\n{\n#pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++)\n        x[i] = rand();\n}\n"
    )
    with pytest.warns(OmpcWarning, match=r"host.c:4: note: this loop stays on the host: .*rand"):
        library = ompc.load(source, target="emulate", cxx=library_cxx)
    assert "line 4: parallel for: on the host, calls 'rand', a library" in library.noise.__doc__
    library.noise(3, np.zeros(3, np.int32))
    assert [diagnostic.code for diagnostic in library.diagnostics] == ["OMPC320"]


def run_python(code: str, cxx: str, **environment: str) -> str:
    head = (
        "import json, os, sys, numpy as np, ompc\n"
        f"lib = ompc.load({str(PROGRAMS / 'loops.c')!r}, target='emulate', cxx={cxx!r}, quiet=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", head + code],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


STEPS = """
u, v = np.arange(100.0) ** 2, np.zeros(100)
a, b = lib.to_device(np.arange(100.0) ** 2), lib.to_device(np.zeros(100))
lib.steps(100, u, v, 7)
lib.steps(100, a, b, 7)
assert (a.get() == u).all() and (b.get() == v).all()
e, f = np.arange(100.0) ** 2, np.zeros(100)
for _ in range(7):
    f[1:-1] = (e[:-2] + e[1:-1] + e[2:]) / 3
    e, f = f, e
assert np.allclose(v, e) and np.allclose(u, f), (v, e)
"""


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OMPC_DISABLE": "1"},
        {"OMPC_FAULTS": "start:3"},
        {"OMPC_FAULTS": "alloc:4+"},
        {"OMPC_SEED": "7", "OMPC_CHECK": "memory,coherence"},
        {"OMPC_EMULATE_ORDER": "3"},
    ],
    ids=str,
)
def test_loops_that_must_run_on_the_host_find_their_data(library_cxx: str, environment: dict[str, str]) -> None:
    run_python(STEPS, library_cxx, **environment)


def test_what_is_copied(library_cxx: str, tmp_path: Path) -> None:
    """NumPy's arrays once each way for a call, arrays on the device not at all."""
    code = "u, v = np.ones(100), np.zeros(100)\nu, v = {}\nlib.steps(100, u, v, 6)\n"
    copied = {}
    for name, given in [("host", "u, v"), ("device", "lib.to_device(u), lib.to_device(v)")]:
        ledger = tmp_path / f"{name}.json"
        run_python(code.format(given), library_cxx, OMPC_PROFILE=str(ledger))
        regions = json.loads(ledger.read_text())["regions"]
        region = next(r for r in regions if r["id"].startswith("steps"))
        assert region["launches"] == 6
        copied[name] = {a["name"]: (a.get("h2d_copies", 0), a.get("d2h_copies", 0)) for a in region["arrays"]}
    assert sum(n for pair in copied["device"].values() for n in pair) == 0
    assert sum(n for n, _ in copied["host"].values()) == 2 and sum(n for _, n in copied["host"].values()) == 2


def test_a_child_of_fork(library_cxx: str) -> None:
    """Processes made by fork use libraries that their parent has loaded, before and after its first call."""
    run_python(
        "import multiprocessing\n"
        "def work(k):\n    x = np.full((2, 2), float(k)); lib.scale(2, 2, x); return x[0, 0]\n"
        "context = multiprocessing.get_context('fork')\n"
        "for _ in range(2):\n"
        "    with context.Pool(2) as pool:\n        assert pool.map(work, range(4)) == [0, 2, 4, 6]\n"
        "    work(1)\n",
        library_cxx,
    )


def test_libraries_need_no_new_openmp(library_cxx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch brings an older OpenMP library, and what the process has is what others get; gcc's own calls for `teams`
    need a new one.
    """
    read, cdll = [], ctypes.CDLL

    def watched(path: str, mode: int) -> Any:
        read.append(Path(path).read_bytes())
        return cdll(path, mode=mode)

    monkeypatch.setattr(ctypes, "CDLL", watched)
    text = "void f(int n, double *x)\n{\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) x[i] = i;\n}\n"
    ompc.compile_string(text, target="emulate", cxx=library_cxx)
    assert b"libgomp.so.1" in read[0] and b"OMP_4.0" in read[0] and b"OMP_5" not in read[0]


def test_names_of_ompc() -> None:
    assert (ompc.LoadError, ompc.OmpcWarning, ompc.Library) == (LoadError, OmpcWarning, Library)
    assert issubclass(ompc.Function, object) and issubclass(ompc.DeviceArray, object)
    assert [name for name in dir(ompc) if not name.startswith("_")] == list(ompc.__all__)
    with pytest.raises(AttributeError, match="module 'ompc' has no attribute 'lod'"):
        ompc.lod  # noqa: B018


def test_importing_ompc_is_quick() -> None:
    code = (
        "import sys, ompc; print(len([m for m in sys.modules if m.startswith(('ompc.', 'numpy', 'click', 'islpy'))]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
