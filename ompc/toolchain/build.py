"""From a translation to an executable, with a cache that starts no compiler for an unchanged program.

In: a request, its setting (setting.py), a function that translates, and a place for the executable.
Out: `Build`; CompileError OMPC403 (nvcc), OMPC404 (host compiler, linker), OMPC411, and whatever translating raises.
Not here: the command lines (commands.py), the tables of the cache (cache.py).
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ompc.diagnostics import CompileError, Diagnostic, Kind
from ompc.resources import Runtime, package_digest, runtime_files
from ompc.toolchain.cache import Cache, copy_executable, key_of
from ompc.toolchain.commands import (
    Scratch,
    device_command,
    host_command,
    link_command,
    plain_command,
    runtime_command,
)
from ompc.toolchain.flags import Flags
from ompc.toolchain.manifests import diagnostic_to_json, diagnostics_of, header_directories, read_depfile, remember
from ompc.toolchain.setting import Request, Setting, Target
from ompc.toolchain.steps import Step, Workplace, run_cached, run_step
from ompc.translation import Translation


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build; the executable is at the place that was asked for."""

    diagnostics: tuple[Diagnostic, ...]
    from_cache: bool


def build_program(
    request: Request, setting: Setting, translate: Callable[[], Translation], destination: Path, cache: Cache
) -> Build:
    """Put the executable at `destination`. `translate` is called only if the cache has no unchanged build."""
    key = _build_key(request, setting)
    cached = _replay(cache, key, destination)
    if cached is not None:
        return cached
    started = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="ompc-") as directory:
        scratch = Scratch(Path(directory), request.source.stem)
        diagnostics: tuple[Diagnostic, ...] = ()
        read: tuple[Path, ...] = ()
        if setting.target is Target.HOST:
            diagnostics = _build_plain(request, setting, scratch)
        else:
            translation = translate()
            read = translation.dependencies
            diagnostics = translation.diagnostics + _build_translation(request, setting, scratch, translation, cache)
        read = (request.source, *read, *read_depfile(scratch.depfile), *_link_inputs(request.flags))
        _store(cache, key, request, scratch, read, diagnostics, started)
        _place(scratch.program, destination)
    return Build(diagnostics, from_cache=False)


def _build_key(request: Request, setting: Setting) -> str:
    return key_of(
        {
            "source": str(request.source.absolute()),
            "written": str(request.source),
            "directory": str(Path.cwd()),
            "options": [request.options.level.value, request.options.fp.value, *request.options.cpp_flags],
            "werror": request.options.werror,
            "flags": [request.flags.preprocess, request.flags.compile, request.flags.link],
            "setting": setting.identity(),
            "ompc": package_digest(),
        }
    )


def _replay(cache: Cache, key: str, destination: Path) -> Build | None:
    manifest = cache.find_build(key)
    program = cache.find_object(str(manifest.payload["program"])) if manifest else None
    if manifest is None or program is None:
        return None
    _place(program, destination)
    return Build(diagnostics_of(manifest.payload), from_cache=True)


def _place(program: Path, destination: Path) -> None:
    try:
        copy_executable(program, destination)
    except OSError as error:
        reason = f"cannot write {destination}: {error.strerror}"
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, reason)) from None


def _build_plain(request: Request, setting: Setting, scratch: Scratch) -> tuple[Diagnostic, ...]:
    command = plain_command(request, setting, scratch)
    step = Step(command, scratch.program, "OMPC404", "the C compiler could not build the program")
    return _warnings(request, run_step(step, _workplace(request, setting, scratch)))


def _build_translation(
    request: Request, setting: Setting, scratch: Scratch, translation: Translation, cache: Cache
) -> tuple[Diagnostic, ...]:
    if not translation.has_device_code:
        return _build_plain(request, setting, scratch)
    scratch = Scratch(scratch.directory, translation.name)
    for name, text in translation.files.items():
        (scratch.directory / name).write_bytes(text.encode(errors="surrogateescape"))
    place = _workplace(request, setting, scratch)
    steps = [
        Step(
            host_command(request, setting, scratch),
            scratch.object("host"),
            "OMPC404",
            "the C compiler rejects the translated host file",
        ),
        *_runtime_steps(request, setting, scratch),
        _device_step(request, setting, scratch, translation),
    ]
    with ThreadPoolExecutor(max_workers=len(steps)) as pool:
        texts = list(pool.map(lambda step: run_cached(step, place, cache), steps))
    command = link_command(request, setting, scratch, [step.output for step in steps])
    run_step(Step(command, scratch.program, "OMPC404", "linking failed"), place)
    return _warnings(request, texts[0])


def _workplace(request: Request, setting: Setting, scratch: Scratch) -> Workplace:
    return Workplace(scratch.directory, setting, {str(scratch.host_source): str(request.source)})


def _runtime_steps(request: Request, setting: Setting, scratch: Scratch) -> list[Step]:
    return [
        Step(
            runtime_command(request, setting, source, scratch.object(source.stem)),
            scratch.object(source.stem),
            "OMPC404",
            "the C compiler rejects ompc's runtime",
            inputs=(package_digest(),),
        )
        for name, source in runtime_files(Runtime.COMMON).items()
        if name.endswith(".c")
    ]


def _device_step(request: Request, setting: Setting, scratch: Scratch, translation: Translation) -> Step:
    compiler = "nvcc" if setting.target is Target.CUDA else "the C++ compiler"
    # The device file includes nothing of the user's: all it can see are the generated files and the runtime.
    seen = [text for name, text in sorted(translation.files.items()) if name not in {translation.host_file, "Makefile"}]
    return Step(
        device_command(request, setting, scratch),
        scratch.object("device"),
        "OMPC403" if setting.target is Target.CUDA else "OMPC404",
        f"{compiler} could not compile the device file",
        inputs=(package_digest(), *seen),
    )


def _warnings(request: Request, text: str) -> tuple[Diagnostic, ...]:
    """The host compiler's warnings, for a user who asked for warnings."""
    if not request.flags.wants_warnings or not text.strip():
        return ()
    return (Diagnostic("OMPC412", Kind.WARNING, "the C compiler warns", notes=(text.rstrip(),)),)


def _store(
    cache: Cache,
    key: str,
    request: Request,
    scratch: Scratch,
    read: Iterable[Path],
    diagnostics: tuple[Diagnostic, ...],
    started: int,
) -> None:
    """Remember the build."""
    own = (path for path in read if scratch.directory not in path.absolute().parents)
    program = cache.store_object(scratch.program)
    if program is not None:
        payload = {"program": program, "diagnostics": [diagnostic_to_json(d) for d in diagnostics]}
        remember(cache, key, own, header_directories(request.source, request.flags.preprocess), payload, started)


def _link_inputs(flags: Flags) -> list[Path]:
    """The libraries that lie in the user's -L directories; the system's own are taken as fixed."""
    joined = re.findall(r"(-[lL])\0?([^\0]+)", "\0".join(flags.link))
    directories = [Path(value) for option, value in joined if option == "-L"]
    names = [value for option, value in joined if option == "-l"]
    candidates = [d / f"lib{name}.{suffix}" for d in directories for name in names for suffix in ("so", "a")]
    return [path for path in candidates if path.is_file()]
