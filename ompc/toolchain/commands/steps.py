"""One run of a compiler, and the cache of object files that saves it.

In: a step, the setting, the scratch directory.   Out: what the compiler said.   CompileError with the step's own code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.resources import package_digest
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.render.line_marks import in_string
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.commands.offload_sections import drop_offload_sections
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.machine.setting import Setting, Target

_FIRST_LINES = re.compile(r'\A\ufeff?#include "[^"\r\n]*"\r?\n#line 1(?=\r?\n)')


HOST_COMPILER = "host compiler"


@dataclass(frozen=True, slots=True)
class Step:
    """One compiler run. `inputs`: what the object depends on besides the command; None: not known, so not cached.

    `tool` runs, and it does so for `file`, as the user wrote it; no file: for all of the program.
    """

    command: list[str]
    output: Path
    code: str
    failure: str
    inputs: tuple[str, ...] | None = None
    tool: str = HOST_COMPILER
    file: str = ""


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where steps run: the scratch directory, and how paths in it are shown to the user, by the path."""

    directory: Path
    setting: Setting
    shown: dict[str, str]
    watch: Watch = field(default_factory=Watch)


def device_inputs(translation: Translation) -> tuple[str, ...]:
    """What the object of the device file depends on. The file includes nothing of the user's: all it can see are the
    generated files and the runtime. Its first comments name the hash of a source that has more than kernels.
    """
    seen = [text for name, text in sorted(translation.files.items()) if name not in {translation.host_file, "Makefile"}]
    return (package_digest(), *(re.sub(r"\A(//.*\n)+", "", text) for text in seen))


def files_to_compile(translation: Translation, source: Path) -> Mapping[str, str]:
    """The generated files; a host file that keeps the user's lines has the user's name for them: a compiler that shows
    a line, or a debugger, reads it there, and not in the scratch directory."""
    name = in_string(str(source))
    host = _FIRST_LINES.sub(lambda found: f'{found[0]} "{name}"', translation.files[translation.host_file])
    return {**translation.files, translation.host_file: host}


def run_cached(step: Step, place: Workplace, cache: Cache) -> str:
    """Run the step unless its object is known; what the compiler said (nothing, from the cache)."""
    if step.inputs is None:
        return run_step(step, place)
    # The scratch directory has a new name in each build and is no part of the result.
    words = [word.replace(str(place.directory), "@") for word in step.command]
    key = key_of({"command": words, "inputs": step.inputs, "setting": place.setting.identity()})
    known = cache.find_step(key)
    if known is not None:
        step.output.write_bytes(known.read_bytes())
        return ""
    text = run_step(step, place)
    cache.store_step(key, step.output)
    return text


def run_together(steps: Iterable[Step], place: Workplace, cache: Cache) -> list[str]:
    """Run steps of which none needs another, at the same time; what the compilers said."""
    with ThreadPoolExecutor(max_workers=max(4, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda step: run_cached(step, place, cache), steps))


def run_step(step: Step, place: Workplace) -> str:
    """What the compiler said; CompileError when it fails."""
    with place.watch.stage(step.file, step.tool):
        outcome = run_tool(step.command, place.setting.environ)
    text = outcome.text
    for path, name in place.shown.items():
        text = text.replace(path, name)
    text = text.replace(f"{place.directory}/", "")
    if outcome.ok:
        if step.tool == HOST_COMPILER:
            drop_offload_sections(step.output)
        return text
    translated = place.setting.target is not Target.HOST
    raise CompileError(
        Diagnostic(
            step.code,
            Kind.ERROR,
            step.failure,
            notes=(text.strip() or f"it ended with status {outcome.status} and said nothing",),
            help="--target host builds the program without ompc, to compare" if translated else None,
        )
    )
