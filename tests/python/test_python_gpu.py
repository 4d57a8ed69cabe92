"""Libraries on a GPU: arrays of CuPy are used where they are, in the order of their streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ompc
from ompc.python.failures import OmpcWarning
from ompc.python.library import Library
from ompc.toolchain.machine.nvrtc import find_nvrtc

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def cupy() -> Any:
    return pytest.importorskip("cupy")


@pytest.fixture(scope="module", params=["nvcc", "nvrtc"])
def on_gpu(request: pytest.FixtureRequest) -> Library:
    if request.param == "nvrtc" and isinstance(reason := find_nvrtc(os.environ), str):
        pytest.skip(reason)
    return ompc.load(PROGRAMS / "loops.c", target="cuda", compiler=request.param, quiet=True)


def test_results_are_in_the_arrays(on_gpu: Library) -> None:
    """Reductions, constants, shared lanes and copies in shared memory, by either compiler."""
    a = np.arange(12.0).reshape(3, 4)
    on_gpu.scale(3, 4, a)
    assert a.tolist() == (2 * np.arange(12.0).reshape(3, 4)).tolist()
    assert on_gpu.dot(5, np.arange(5.0), np.arange(6.0)) == 30
    bins = np.zeros(4, np.int32)
    on_gpu.histogram(np.array([0, 1, 1, 3], np.uint8), 4, bins)
    assert bins.tolist() == [1, 2, 0, 1]
    before, x = on_gpu.globals.weights.copy(), np.ones(8)
    assert on_gpu.watched(8, x) == 2 + 3 + 4 and x.tolist() == [4, 0, 10, 13, 4, 7, 10, 13]
    on_gpu.globals.weights[:] = 0
    assert on_gpu.watched(8, x) == 12
    on_gpu.globals.weights = before


def test_arrays_of_cupy(on_gpu: Library, cupy: Any) -> None:
    u, v = np.arange(1000.0) ** 2, np.zeros(1000)
    gu, gv = cupy.asarray(u), cupy.asarray(v)
    on_gpu.steps(1000, u, v, 5)
    on_gpu.steps(1000, gu, gv, 5)
    assert (gu.get() == u).all() and (gv.get() == v).all()
    assert np.isclose(on_gpu.dot(1000, gu, u), u @ u)
    part = cupy.zeros((6, 4)) + 1
    on_gpu.scale(2, 4, part[2:4])
    assert float(part.sum()) == 24 + 8
    with pytest.raises(ValueError, match="with gaps"):
        on_gpu.dot(10, gu[::2], gv)
    with pytest.warns(OmpcWarning, match="touches it at"):
        assert on_gpu.watched(8, cupy.ones(8)) == 9
    same = on_gpu.to_device(np.ones(10))
    assert on_gpu.dot(10, same, cupy.asarray(same)) == 10


def test_streams(on_gpu: Library, cupy: Any) -> None:
    """What stands in the stream before a call is seen by its launches, and they by what comes behind."""
    large = cupy.random.random((2000, 2000))
    stream = cupy.cuda.Stream(non_blocking=True)
    for k in range(5):
        with stream:
            late = (large @ large @ large)[0, 0] * 0 + k
            a = cupy.ones((64, 64)) * late
            on_gpu.scale(64, 64, a)
            total = a.sum()
        stream.synchronize()
        assert float(total) == 2 * k * 64 * 64


def test_a_stream_that_the_caller_names(on_gpu: Library, cupy: Any) -> None:
    """Arrays of which only the caller knows in which stream they are used."""

    class Anonymous:
        """As before version 3 of the interface, and by DLPack."""

        def __init__(self, array: Any) -> None:
            found = array.__cuda_array_interface__
            self.__cuda_array_interface__ = {k: v for k, v in found.items() if k != "stream"} | {"version": 2}

    large = cupy.random.random((2000, 2000))
    stream = cupy.cuda.Stream(non_blocking=True)
    for k in range(5):
        with stream:
            late = (large @ large @ large)[0, 0] * 0 + k
            a = cupy.ones((64, 64)) * late
            on_gpu.scale(64, 64, Anonymous(a), stream=stream)
            total = a.sum()
        stream.synchronize()
        assert float(total) == 2 * k * 64 * 64


def test_tensors_of_pytorch(on_gpu: Library) -> None:
    """Read behind PyTorch's work, in its own streams too; ready when the call returns."""
    torch = pytest.importorskip("torch")
    large = torch.rand((2000, 2000), device="cuda", dtype=torch.float64)
    for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
        for k in range(5):
            with torch.cuda.stream(stream):
                late = (large @ large @ large)[0, 0] * 0 + k
                a = torch.ones((64, 64), device="cuda", dtype=torch.float64) * late
                named = {"stream": stream} if k % 2 else {}
                on_gpu.scale(64, 64, a, **named)
                assert float(a.sum()) == 2 * k * 64 * 64
    with pytest.raises(ValueError, match="got one with gaps"):
        on_gpu.scale(64, 64, a.T)


def test_arrays_of_cupy_are_converted_in_c(on_gpu: Library, cupy: Any) -> None:
    x = cupy.arange(8.0)
    entry = on_gpu.dot._entry
    assert entry is not None and entry.call(8, x, x) == 140


COPIES = """
import cupy, numpy as np, ompc
lib = ompc.load({source!r}, target="cuda", quiet=True)
u, v = cupy.ones(100000), cupy.zeros(100000)
lib.steps(100000, u, v, 6)
"""


def test_nothing_is_copied(cupy: Any, tmp_path: Path) -> None:
    code = COPIES.format(source=str(PROGRAMS / "loops.c"))
    places = os.pathsep.join([str(ROOT), *sys.path])
    environment = {**os.environ, "PYTHONPATH": places, "OMPC_PROFILE": str(tmp_path / "p.json")}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    regions = json.loads((tmp_path / "p.json").read_text())["regions"]
    assert sum(region["launches"] for region in regions) == 6
    assert sum(region["h2d_copies"] + region["d2h_copies"] for region in regions) == 0
