"""From a translation to an executable, with a cache that starts no compiler for an unchanged program.

In: a request, its setting (setting.py), a function that translates, and a place for the executable.
Out: `Build`; CompileError OMPC403 (nvcc), OMPC404 (host compiler, linker), OMPC411, and whatever translating raises.
Not here: the command lines (commands.py), the tables of the cache (cache.py).
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ompc.diagnostics import CompileError, Diagnostic, Kind
from ompc.resources import Runtime, package_digest, runtime_files
from ompc.source import Location
from ompc.toolchain.cache import Cache, Manifest, absent_candidates, copy_executable, hash_file, key_of
from ompc.toolchain.cc import run_tool
from ompc.toolchain.commands import (
    Scratch,
    device_command,
    host_command,
    link_command,
    plain_command,
    runtime_command,
)
from ompc.toolchain.flags import Flags
from ompc.toolchain.setting import Request, Setting, Target
from ompc.translation import Translation


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build; the executable is at the place that was asked for."""

    diagnostics: tuple[Diagnostic, ...]
    from_cache: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """One compiler run. `inputs`: what the object depends on besides the command; None: not known, so not cached."""

    command: list[str]
    output: Path
    code: str
    failure: str
    inputs: tuple[str, ...] | None = None


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
        read = (request.source, *read, *_read_depfile(scratch), *_link_inputs(request.flags))
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
    diagnostics = manifest.payload["diagnostics"]
    assert isinstance(diagnostics, list)
    _place(program, destination)
    return Build(tuple(_diagnostic_from_json(entry) for entry in diagnostics), from_cache=True)


def _place(program: Path, destination: Path) -> None:
    try:
        copy_executable(program, destination)
    except OSError as error:
        reason = f"cannot write {destination}: {error.strerror}"
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, reason)) from None


def _build_plain(request: Request, setting: Setting, scratch: Scratch) -> tuple[Diagnostic, ...]:
    command = plain_command(request, setting, scratch)
    step = _Step(command, scratch.program, "OMPC404", "the C compiler could not build the program")
    return _warnings(request, _run(step, request, setting, scratch))


def _build_translation(
    request: Request, setting: Setting, scratch: Scratch, translation: Translation, cache: Cache
) -> tuple[Diagnostic, ...]:
    if not translation.has_device_code:
        return _build_plain(request, setting, scratch)
    scratch = Scratch(scratch.directory, translation.name)
    for name, text in translation.files.items():
        (scratch.directory / name).write_bytes(text.encode(errors="surrogateescape"))
    steps = [
        _Step(
            host_command(request, setting, scratch),
            scratch.object("host"),
            "OMPC404",
            "the C compiler rejects the translated host file",
        ),
        *_runtime_steps(request, setting, scratch),
        _device_step(request, setting, scratch, translation),
    ]
    with ThreadPoolExecutor(max_workers=len(steps)) as pool:
        texts = list(pool.map(lambda step: _run_cached(step, request, setting, scratch, cache), steps))
    command = link_command(request, setting, scratch, [step.output for step in steps])
    _run(_Step(command, scratch.program, "OMPC404", "linking failed"), request, setting, scratch)
    return _warnings(request, texts[0])


def _runtime_steps(request: Request, setting: Setting, scratch: Scratch) -> list[_Step]:
    return [
        _Step(
            runtime_command(request, setting, source, scratch.object(source.stem)),
            scratch.object(source.stem),
            "OMPC404",
            "the C compiler rejects ompc's runtime",
            inputs=(package_digest(),),
        )
        for name, source in runtime_files(Runtime.COMMON).items()
        if name.endswith(".c")
    ]


def _device_step(request: Request, setting: Setting, scratch: Scratch, translation: Translation) -> _Step:
    compiler = "nvcc" if setting.target is Target.CUDA else "the C++ compiler"
    # The device file includes nothing of the user's: all it can see are the generated files and the runtime.
    seen = [text for name, text in sorted(translation.files.items()) if name not in {translation.host_file, "Makefile"}]
    return _Step(
        device_command(request, setting, scratch),
        scratch.object("device"),
        "OMPC403" if setting.target is Target.CUDA else "OMPC404",
        f"{compiler} could not compile the device file",
        inputs=(package_digest(), *seen),
    )


def _run_cached(step: _Step, request: Request, setting: Setting, scratch: Scratch, cache: Cache) -> str:
    """Run the step unless its object is known; what the compiler said (nothing, from the cache)."""
    if step.inputs is None:
        return _run(step, request, setting, scratch)
    # The scratch directory has a new name in each build and is no part of the result.
    words = [word.replace(str(scratch.directory), "@") for word in step.command]
    key = key_of({"command": words, "inputs": step.inputs, "setting": setting.identity()})
    known = cache.find_step(key)
    if known is not None:
        step.output.write_bytes(known.read_bytes())
        return ""
    text = _run(step, request, setting, scratch)
    cache.store_step(key, step.output)
    return text


def _run(step: _Step, request: Request, setting: Setting, scratch: Scratch) -> str:
    outcome = run_tool(step.command, setting.environ)
    text = outcome.text.replace(str(scratch.host_source), str(request.source)).replace(f"{scratch.directory}/", "")
    if outcome.ok:
        return text
    translated = setting.target is not Target.HOST
    raise CompileError(
        Diagnostic(
            step.code,
            Kind.ERROR,
            step.failure,
            notes=(text.strip() or f"it ended with status {outcome.status} and said nothing",),
            help="--target host builds the program without ompc, to compare" if translated else None,
        )
    )


def _warnings(request: Request, text: str) -> tuple[Diagnostic, ...]:
    """The host compiler's warnings, for a user who asked for warnings."""
    if not request.flags.wants_warnings or not text.strip():
        return ()
    return (Diagnostic("OMPC412", Kind.WARNING, "the C compiler warns", notes=(text.rstrip(),)),)


_TIME_MACRO = re.compile(rb"\b__(DATE|TIME|TIMESTAMP)__\b")


def _store(
    cache: Cache,
    key: str,
    request: Request,
    scratch: Scratch,
    read: Iterable[Path],
    diagnostics: tuple[Diagnostic, ...],
    started: int,
) -> None:
    """Remember the build, unless what was read may differ from what is there now or depends on the time of day."""
    files: dict[str, str] = {}
    for path in sorted({path.absolute() for path in read if scratch.directory not in path.absolute().parents}):
        content = hash_file(path)
        if content is None or path.stat().st_mtime_ns > started or _TIME_MACRO.search(path.read_bytes()):
            return
        files[str(path)] = content
    program = cache.store_object(scratch.program)
    if program is None:
        return
    payload = {"program": program, "diagnostics": [_diagnostic_to_json(d) for d in diagnostics]}
    absent = absent_candidates(map(Path, files), include_directories(request))
    cache.store_build(key, Manifest(files, absent, payload))


def include_directories(request: Request) -> list[Path]:
    """Where the user's own headers are looked up, the source's directory first."""
    words = "\0".join(request.flags.preprocess)
    named = re.findall(r"(?:^|\0)-(?:I|iquote|isystem|idirafter)\0?([^\0]+)", words)
    return [request.source.parent.absolute(), *(Path(directory).absolute() for directory in named)]


def _link_inputs(flags: Flags) -> list[Path]:
    """The libraries that lie in the user's -L directories; the system's own are taken as fixed."""
    joined = re.findall(r"(-[lL])\0?([^\0]+)", "\0".join(flags.link))
    directories = [Path(value) for option, value in joined if option == "-L"]
    names = [value for option, value in joined if option == "-l"]
    candidates = [d / f"lib{name}.{suffix}" for d in directories for name in names for suffix in ("so", "a")]
    return [path for path in candidates if path.is_file()]


def _read_depfile(scratch: Scratch) -> list[Path]:
    """The prerequisites in make's syntax, as gcc and clang write it with -MD."""
    if not scratch.depfile.exists():
        return []
    _, _, prerequisites = scratch.depfile.read_text().replace("\\\n", " ").partition(": ")
    words: Sequence[str] = re.findall(r"(?:\\.|\$\$|\S)+", prerequisites)
    return [Path(re.sub(r"\\(.)", r"\1", word).replace("$$", "$")) for word in words]


def _diagnostic_to_json(d: Diagnostic) -> dict[str, object]:
    at = None if d.at is None else [d.at.file, d.at.line, d.at.column]
    return {
        "code": d.code, "kind": d.kind.name, "message": d.message, "at": at, "notes": list(d.notes), "help": d.help
    }  # fmt: skip


def _diagnostic_from_json(entry: dict[str, object]) -> Diagnostic:
    at = entry["at"]
    notes = entry["notes"]
    assert isinstance(notes, list) and (at is None or isinstance(at, list))
    return Diagnostic(
        code=str(entry["code"]),
        kind=Kind[str(entry["kind"])],
        message=str(entry["message"]),
        at=None if at is None else Location(*at),
        notes=tuple(map(str, notes)),
        help=None if entry["help"] is None else str(entry["help"]),
    )
