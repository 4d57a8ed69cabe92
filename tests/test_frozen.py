"""Data classes of ompc/base/frozen.py: like the standard library's, in runs and in tests."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from ompc.base.source import Location
from ompc.ir import types as ty

ROOT = Path(__file__).parent.parent


def test_tests_refuse_assignments() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ty.INT.size = 2  # type: ignore[misc]


def test_runs_have_equal_instances_with_equal_hashes() -> None:
    """There nothing refuses an assignment; all else is as here."""
    code = """
import dataclasses
from ompc.ir import tree as t, types as ty
from ompc.base.source import Location
a, b = Location("a.c", 3, 1), Location("a.c", 3, 1)
assert a == b and hash(a) == hash(b) and len({a, b}) == 1 and a < Location("a.c", 4, 1)
assert ty.Pointer(ty.INT) == ty.Pointer(ty.INT) and ty.Pointer(ty.INT) != ty.Pointer(ty.LONG)
assert dataclasses.replace(a, line=4).line == 4 and not hasattr(a, "__dict__")
node = t.Break(a)
assert node != t.Break(a) and len({node, t.Break(a)}) == 2
print(repr(a))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr(Location("a.c", 3, 1))
