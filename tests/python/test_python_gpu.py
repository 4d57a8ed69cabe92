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

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def cupy() -> Any:
    return pytest.importorskip("cupy")


@pytest.fixture(scope="module")
def on_gpu() -> Library:
    return ompc.load(PROGRAMS / "loops.c", target="cuda", quiet=True)


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
