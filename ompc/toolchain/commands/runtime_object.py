"""The runtime as one object file: what is the same for all programs of a target, compiled once and kept in the cache.

    ompc_malloc.c ── cc ──┐
    ompc_launch.cc ─ c++ ─┼─ ld -r ──> ompc_rt.o      `ompc build`, `ompc cc` and Python's libraries link this,
    ...                   ┘                           `ompc config` puts it into libompc_rt.a

One object rather than an archive of many: functions that stand in front of libc's, and what runs before main, are in a
program whether it names them or not. No kernel is in it, so the architecture is no part of its key.

In: the setting, the variant, the cache.   Out: the object, in a directory of the caller's.
CompileError OMPC404: a compiler rejects the runtime.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ompc
from ompc.base.resources import Runtime, runtime_digest, runtime_units
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.commands.commands import (
    Variant,
    host_runtime_command,
    host_runtime_units,
    runtime_command,
)
from ompc.toolchain.commands.prebuilt_runtime import FOLDER, prebuilt_runtime
from ompc.toolchain.commands.steps import Step, Workplace, run_step, run_together
from ompc.toolchain.machine.setting import Setting, Target

_CROSS = re.compile(r"(\w+(?:-\w+)*-)(?:gcc|cc|clang)\b")
"""The name of a cross compiler: aarch64-linux-gnu-gcc has aarch64-linux-gnu-ld beside it."""

_FAILURE = "the compiler or the linker rejects ompc's runtime"


_MARK = "ompc_mark.c"
"""The file with the name by which objects say what they were compiled with (ompc_loading.h)."""


def object_mark(target: Target) -> str:
    """What -DOMPC_OBJECT is given."""
    return f"{target.value}_{runtime_digest()[:8]}"


def runtime_key(setting: Setting, variant: Variant) -> str:
    """Equal where the objects are."""
    commands = [step.command for step in _steps(setting, variant, Path("@"))]
    return key_of({"runtime": runtime_digest(), "commands": commands, "setting": setting.identity_of_tools()})


def known_runtime(setting: Setting, variant: Variant, cache: Cache) -> Path | None:
    """The object, if it is in the cache, or came with ompc."""
    return cache.find_step(runtime_key(setting, variant)) or prebuilt_runtime(setting, variant)


def runtime_object(place: Workplace, variant: Variant, cache: Cache) -> Path:
    """Put the object into the place's directory."""
    setting = place.setting
    output = place.directory / "ompc_rt.o"
    known = known_runtime(setting, variant, cache)
    if known is not None:
        shutil.copyfile(known, output)
        if known.parent == FOLDER:  # what compilers there are is asked once
            cache.store_step(runtime_key(setting, variant), output)
        return output
    parts = place.directory / "ompc_rt"
    parts.mkdir()
    (parts / _MARK).write_text(f'const char ompc_runtime_{object_mark(setting.target)}[] = "{ompc.__version__}";\n')
    steps = _steps(setting, variant, parts)
    run_together(steps, place, cache)
    joined = combining_step(setting, [step.output for step in steps], output, _FAILURE)
    run_step(replace(joined, tool="runtime"), place)
    shutil.rmtree(parts)
    cache.store_step(runtime_key(setting, variant), output)
    return output


def combining_step(setting: Setting, objects: Sequence[Path], output: Path, failure: str, file: str = "") -> Step:
    """Make one object of several."""
    cross = _CROSS.match(setting.cc.path.name)
    names = (f"{cross[1]}ld", "ld") if cross else ("ld",)
    found = (shutil.which(name, path=setting.environ.get("PATH")) for name in names)
    command = [next(filter(None, found), "ld"), "-r", "-o", str(output), *map(str, objects)]
    return Step(command, output, "OMPC404", failure, tool="link", file=file)


def _steps(setting: Setting, variant: Variant, directory: Path) -> list[Step]:
    in_c = ((unit, runtime_command) for unit in runtime_units(Runtime.COMMON, suffix=".c"))
    in_cxx = ((unit, host_runtime_command) for unit in host_runtime_units(setting))
    steps = []
    for unit, command in (*in_c, *in_cxx, (directory / _MARK, runtime_command)):
        output = directory / f"{unit.stem}.o"
        steps.append(Step(command(setting, variant, unit, output), output, "OMPC404", _FAILURE, tool="runtime"))
    return steps
