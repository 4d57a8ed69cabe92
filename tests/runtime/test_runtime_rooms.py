"""The runtime's rooms: what may include what."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ompc.base.resources import PACKAGE, Runtime, measuring_directory, runtime_files, runtime_units

ROOMS = Runtime.COMMON.value
FILES = runtime_files(Runtime.COMMON)
INCLUDE = re.compile(r'^ *#include "([^"]+)"', re.MULTILINE)
MOST_FILES = 25
"""In a room: one with more is divided."""


def room_of(path: Path) -> str:
    return path.parent.relative_to(PACKAGE / "runtime").as_posix()


@pytest.mark.parametrize("path", FILES.values(), ids=lambda path: path.name)
def test_a_room_includes_itself_and_those_before_it(path: Path) -> None:
    own = ROOMS.index(room_of(path))
    for name in INCLUDE.findall(path.read_text()):
        if name in FILES:
            room = room_of(FILES[name])
            assert ROOMS.index(room) <= own, f"{room_of(path)}/{path.name} includes {room}/{name}"


def test_each_file_of_the_runtime_lies_in_a_room() -> None:
    """A folder that no part names would be missing in a translated folder."""
    sources = {path for path in (PACKAGE / "runtime").rglob("ompc_*") if not path.is_relative_to(measuring_directory())}
    assert sources <= {path for part in Runtime for path in runtime_files(part).values()}


def test_a_room_has_few_files() -> None:
    files = Counter(map(room_of, FILES.values()))
    assert files.keys() == set(ROOMS)
    assert {room: count for room, count in files.items() if count > MOST_FILES} == {}


def test_each_room_is_described() -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text()
    described = re.findall(r"^\| `ompc/runtime/([\w/]+)` \| \w", page, re.MULTILINE)
    parts = [room for part in Runtime for room in part.value]
    assert sorted(described) == sorted([*parts, "measure"])


@pytest.mark.parametrize("part", [Runtime.CUDA, Runtime.EMULATE], ids=lambda part: part.name.lower())
def test_a_device_includes_no_launch(part: Runtime) -> None:
    """`memory` includes the targets' headers; `ompc_rt.h` is what device files see of all rooms."""
    for name, path in runtime_files(part).items():
        for included in INCLUDE.findall(path.read_text()) if path.suffix == ".h" and name != "ompc_rt.h" else ():
            assert included not in FILES or room_of(FILES[included]) != "launch", f"{name} includes {included}"


def test_what_is_in_no_room_is_of_each_target() -> None:
    """`cuda` and `emulate` have each header that a room includes from them."""
    targets = [set(runtime_files(part)) for part in (Runtime.CUDA, Runtime.EMULATE)]
    named = {name for path in FILES.values() for name in INCLUDE.findall(path.read_text())}
    wanted = named - FILES.keys() - {"ompc_cuda.h"}
    assert not [name for name in sorted(wanted) if any(name not in target for target in targets)]


def test_a_name_stands_for_one_header() -> None:
    """A translated folder has no rooms."""
    for part in (Runtime.CUDA, Runtime.EMULATE):
        assert not FILES.keys() & runtime_files(part).keys()


def test_objects_lie_side_by_side() -> None:
    for part in (Runtime.CUDA, Runtime.EMULATE):
        units = [unit.stem for suffix in (".c", ".cc") for unit in runtime_units(part, Runtime.COMMON, suffix=suffix)]
        assert len(units) == len(set(units))


@pytest.mark.parametrize("path", [p for p in FILES.values() if p.suffix == ".h"], ids=lambda path: path.name)
def test_a_header_is_included_once(path: Path) -> None:
    assert re.search(r"^#ifndef (OMPC_\w+_H)\n#define \1\n", path.read_text(), re.MULTILINE), path.name
