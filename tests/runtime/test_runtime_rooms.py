"""The runtime's rooms: what may include what."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.resources import Runtime, runtime_files, runtime_units

ROOMS = Runtime.COMMON.value
FILES = runtime_files(Runtime.COMMON)
INCLUDE = re.compile(r'^ *#include "([^"]+)"', re.MULTILINE)


@pytest.mark.parametrize("path", FILES.values(), ids=lambda path: path.name)
def test_a_room_includes_itself_and_those_before_it(path: Path) -> None:
    own = ROOMS.index(path.parent.name)
    for name in INCLUDE.findall(path.read_text()):
        if name in FILES:
            room = FILES[name].parent.name
            assert ROOMS.index(room) <= own, f"{path.parent.name}/{path.name} includes {room}/{name}"


@pytest.mark.parametrize("part", [Runtime.CUDA, Runtime.EMULATE], ids=lambda part: part.name.lower())
def test_a_device_includes_no_launch(part: Runtime) -> None:
    """`memory` includes the targets' headers; `ompc_rt.h` is what device files see of all rooms."""
    for name, path in runtime_files(part).items():
        for included in INCLUDE.findall(path.read_text()) if path.suffix == ".h" and name != "ompc_rt.h" else ():
            assert included not in FILES or FILES[included].parent.name != "launch", f"{name} includes {included}"


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
