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


def test_runs_make_instances_as_the_standard_library_does() -> None:
    """Defaults, those made anew, fields that are named only, fields that are none of `__init__`, classes of classes."""
    code = """
import dataclasses
from ompc.base.frozen import dataclass, field

@dataclass(frozen=True, slots=True)
class First:
    a: int
    b: list = field(default_factory=list)
    c: int = 3
    d: int = field(init=False, default=4)
    e: dict = field(init=False, default_factory=dict)
    f: int = field(init=False)
    def __post_init__(self):
        object.__setattr__(self, "f", self.a + self.c)

@dataclass(frozen=True, slots=True, kw_only=True)
class Second(First):
    g: str = "g"
    h: str

for _ in range(2):
    first, second = First(1), Second(1, [2], h="h")
    assert first.b == [] and first.b is not First(1).b and first.e is not First(1).e
    print(first, second, First(c=5, a=1), dataclasses.replace(second, c=1, h="i"))
assert First.__match_args__ == ("a", "b", "c")
for wrong in (lambda: First(), lambda: First(1, d=2), lambda: Second(1, [], 3, "g", "h"), lambda: First(1, a=2)):
    try:
        wrong()
        raise SystemExit("taken")
    except TypeError as error:
        print(error)
"""

    def said(start: str) -> str:
        command = [sys.executable, "-c", start + code]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert said("") == said("from ompc.base import frozen; frozen.ENFORCED = True\n") != ""


@pytest.mark.parametrize("first", [False, True])
def test_what_one_process_pickles_another_one_reads(first: bool) -> None:
    """Whether or not assignments are refused in either: language servers send options to their workers."""
    enforced = "from ompc.base import frozen; frozen.ENFORCED = {}; import pickle, sys; "
    write = "from ompc.base.options import Options; sys.stdout.buffer.write(pickle.dumps(Options(cc='it')))"
    read = "print(pickle.load(sys.stdin.buffer).cc)"
    written, command = b"", [sys.executable, "-c"]
    for code, refuses in ((write, first), (read, not first)):
        given = [*command, enforced.format(refuses) + code]
        written = subprocess.run(given, cwd=ROOT, input=written, stdout=subprocess.PIPE, check=True).stdout
    assert written == b"it\n"
