"""From a translation to an executable, with a cache that starts no compiler for an unchanged program.

In: a request, its setting (setting.py), a function that translates, and a place for the executable.
Out: `Build`; CompileError OMPC403 (nvcc), OMPC404 (host compiler, linker), OMPC411, and whatever translating raises.
Not here: the command lines (commands.py), the tables of the cache (cache.py).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.base.resources import package_digest
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.plan.model.names import file_names
from ompc.toolchain.cache.cache import Cache, copy_executable, key_of
from ompc.toolchain.cache.manifests import (
    diagnostic_to_json,
    diagnostics_of,
    header_directories,
    read_depfile,
    remember,
)
from ompc.toolchain.commands.commands import (
    Scratch,
    device_command,
    host_command,
    link_command,
    plain_command,
    plain_object_command,
    runtime_command,
    variant_of,
    version_script,
)
from ompc.toolchain.commands.private_symbols import keeps_symbols, private_symbols
from ompc.toolchain.commands.runtime_object import runtime_object
from ompc.toolchain.commands.steps import (
    Step,
    Workplace,
    device_inputs,
    files_to_compile,
    run_cached,
    run_step,
    run_together,
)
from ompc.toolchain.machine.flags import Flags
from ompc.toolchain.machine.setting import Request, Setting, Target
from ompc.toolchain.objects.cc_link import program_text


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build; the executable is at the place that was asked for."""

    diagnostics: tuple[Diagnostic, ...]
    loops: tuple[int, int]
    from_cache: bool


def build_program(
    request: Request,
    setting: Setting,
    translate: Callable[[], Translation | Sequence[Translation]],
    destination: Path,
    cache: Cache,
    watch: Watch | None = None,
) -> Build:
    """Put the executable at `destination`. `translate` is called only if the cache has no unchanged build; it gives a
    translation for each of the request's sources.
    """
    key = _build_key(request, setting)
    cached = _replay(cache, key, destination)
    if cached is not None:
        return cached
    started = time.time_ns()
    with temporary_directory("ompc-") as directory:
        scratch = Scratch(Path(directory), file_names([request.source])[0])
        shown = {str(scratch.host_source): str(request.source)}
        place = Workplace(scratch.directory, setting, shown, watch or Watch())
        if request.exports is not None:
            scratch.version_script.write_text(version_script(request.exports))
        elif keeps_symbols(request.flags.link):
            scratch.version_script.write_text(private_symbols(request.flags.link))
        diagnostics: tuple[Diagnostic, ...] = ()
        read: tuple[Path, ...] = ()
        loops = (0, 0)
        if setting.target is Target.HOST:
            diagnostics = _build_plain(request, scratch, place)
        else:
            translated = translate()
            translations = (translated,) if isinstance(translated, Translation) else tuple(translated)
            read = tuple(path for translation in translations for path in translation.dependencies)
            diagnostics = tuple(diagnostic for translation in translations for diagnostic in translation.diagnostics)
            loops = (sum(t.loops[0] for t in translations), sum(t.loops[1] for t in translations))
            diagnostics += _build_translation(request, place, scratch, translations, cache)
        depfiles = [path for depfile in scratch.directory.rglob("*.d") for path in read_depfile(depfile)]
        read = (*request.sources, *read, *depfiles, *_link_inputs(request.flags))
        _store(cache, key, request, scratch, read, Build(diagnostics, loops, False), started)
        _place(scratch.program, destination)
    return Build(diagnostics, loops, from_cache=False)


def _build_key(request: Request, setting: Setting) -> str:
    return key_of(
        {
            "sources": [str(source.absolute()) for source in request.sources],
            "written": [str(source) for source in request.sources],
            "directory": str(Path.cwd()),
            "options": [request.options.level.value, request.options.fp.value, *request.options.cpp_flags],
            "tuning": repr(request.options.tuning),
            "without": sorted(request.options.without),
            "several_devices": request.options.several_devices,
            "werror": request.options.werror,
            "exports": request.exports,
            "lines": request.options.lines_from,
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
    loops = manifest.payload.get("loops")
    counts = (int(loops[0]), int(loops[1])) if isinstance(loops, list) else (0, 0)
    return Build(diagnostics_of(manifest.payload), counts, from_cache=True)


def _place(program: Path, destination: Path) -> None:
    try:
        copy_executable(program, destination)
    except OSError as error:
        reason = f"cannot write {destination}: {error.strerror}"
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, reason)) from None


def _build_plain(request: Request, scratch: Scratch, place: Workplace) -> tuple[Diagnostic, ...]:
    command = plain_command(request, place.setting, scratch)
    step = Step(command, scratch.program, "OMPC404", "the C compiler could not build the program")
    return _warnings(request, run_step(step, place))


def _build_translation(
    request: Request, place: Workplace, scratch: Scratch, translations: Sequence[Translation], cache: Cache
) -> tuple[Diagnostic, ...]:
    if not any(translation.has_device_code for translation in translations):
        return _build_plain(request, scratch, place)
    setting = place.setting
    steps: list[Step] = []
    for number, (source, translation) in enumerate(zip(request.sources, translations, strict=True)):
        folder = scratch.directory / str(number)
        own = Scratch(folder, translation.name, number)
        steps += _file_steps(replace(request, source=source), setting, own, translation)
        place.shown[str(folder / translation.host_file)] = str(source)
        place.shown[f"{folder}/"] = ""
    variant = variant_of(request.flags.sanitizers, request.flags.link, request.is_library)
    with ThreadPoolExecutor(max_workers=1) as beside:
        runtime = beside.submit(runtime_object, place, variant, cache)
        texts = run_together(steps, place, cache)
        objects = [*(step.output for step in steps), runtime.result()]
    plain = [scratch.directory / str(n) / "host.o" for n, part in enumerate(translations) if not part.has_device_code]
    if plain:  # arrays of theirs may be used in kernels of the others
        objects.append(_objects_step(request, plain, place, scratch, cache))
    command = link_command(request, setting, scratch, objects)
    run_step(Step(command, scratch.program, "OMPC404", "linking failed", tool="link"), place)
    said = [text for step, text in zip(steps, texts, strict=True) if step.inputs is None]
    return _warnings(request, "".join(said))


def _file_steps(request: Request, setting: Setting, scratch: Scratch, translation: Translation) -> list[Step]:
    """Compile one file: the translated host and device files, or the user's own, where no loop is on the device."""
    scratch.directory.mkdir()
    if not translation.has_device_code:
        command = plain_object_command(request, setting, scratch)
        if translation.text_beside_device_code is not None:
            scratch.host_source.write_bytes(translation.text_beside_device_code.encode(errors="surrogateescape"))
            command = host_command(request, setting, scratch)
        failure = f"the C compiler could not compile {request.source}"
        return [Step(command, scratch.object("host"), "OMPC404", failure, file=str(request.source))]
    for name, text in files_to_compile(translation, request.source).items():
        (scratch.directory / name).write_bytes(text.encode(errors="surrogateescape"))
    command = host_command(request, setting, scratch)
    failure = "the C compiler rejects the translated host file"
    return [
        Step(command, scratch.object("host"), "OMPC404", failure, file=str(request.source)),
        _device_step(request, setting, scratch, translation),
    ]


def _objects_step(request: Request, plain: list[Path], place: Workplace, scratch: Scratch, cache: Cache) -> Path:
    """Compile what makes the objects of files without device code known to the runtime."""
    text = program_text(plain, creates_threads=False)
    source, output = scratch.directory / "ompc_program.c", scratch.object("ompc_program")
    source.write_text(text)
    variant = variant_of(request.flags.sanitizers, request.flags.link, request.is_library)
    command = runtime_command(place.setting, variant, source, output)
    run_cached(Step(command, output, "OMPC404", "the C compiler rejects ompc's runtime", (text,)), place, cache)
    return output


def _device_step(request: Request, setting: Setting, scratch: Scratch, translation: Translation) -> Step:
    by_nvcc = setting.nvcc is not None
    compiler = "nvcc" if by_nvcc else "the C++ compiler"
    return Step(
        device_command(request, setting, scratch, translation.contracts),
        scratch.object("device"),
        "OMPC403" if by_nvcc else "OMPC404",
        f"{compiler} could not compile the device file",
        inputs=device_inputs(translation),
        tool="nvcc" if by_nvcc else "C++ compiler",
        file=str(request.source),
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
    made: Build,
    started: int,
) -> None:
    """Remember the build."""
    own = (path for path in read if scratch.directory not in path.absolute().parents)
    program = cache.store_object(scratch.program)
    if program is not None:
        said = [diagnostic_to_json(d) for d in made.diagnostics]
        payload = {"program": program, "diagnostics": said, "loops": made.loops}
        folders = [header_directories(source, request.flags.preprocess) for source in request.sources]
        directories = list(dict.fromkeys(directory for found in folders for directory in found))
        remember(cache, key, own, directories, payload, started)


def _link_inputs(flags: Flags) -> list[Path]:
    """The libraries that lie in the user's -L directories; the system's own are taken as fixed."""
    joined = re.findall(r"(-[lL])\0?([^\0]+)", "\0".join(flags.link))
    directories = [Path(value) for option, value in joined if option == "-L"]
    names = [value for option, value in joined if option == "-l"]
    candidates = [d / f"lib{name}.{suffix}" for d in directories for name in names for suffix in ("so", "a")]
    return [path for path in candidates if path.is_file()]
