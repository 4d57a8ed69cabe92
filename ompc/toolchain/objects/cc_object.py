"""One object file with host and device code, as a build system expects it: one .o for each source.

    a.c ── cc -E ──> is there an OpenMP pragma?  no: nothing to do here, the host compiler takes the file as it is
     │
     └─ translate ─> a.c with launcher calls ── cc ────────┐
                     a.cu ── nvcc or c++ ──────────────────┴─ ld -r ──> a.o

CUDA's whole-program mode suits that: each device object registers its own code in a constructor and refers to no other.
All names in the object that the linker or C++ could confuse with another file's contain a *tag*, the hash of the
preprocessed text: two files may have one name, or one file be compiled twice with other -D options.

In: a job, the setting, the pipeline, the cache.   Out: `Made`; None: the host compiler alone makes the object.
CompileError: the user's error, or a tool's failure; the caller then lets the host compiler have its say.
Not here: linking -- toolchain/objects/cc_link.py; making an object again there -- toolchain/objects/cc_again.py.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.optimisations import names_in
from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.resources import Runtime, include_words, package_digest
from ompc.base.source import file_named
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.render.makefiles.nvcc_options import debugs
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.cache.manifests import diagnostic_to_json, diagnostics_of, header_directories, remember
from ompc.toolchain.commands.commands import Scratch, device_command, library_words
from ompc.toolchain.commands.dependencies import dependency_options
from ompc.toolchain.commands.runtime_object import combining_step, object_mark
from ompc.toolchain.commands.steps import (
    Step,
    Workplace,
    device_inputs,
    files_to_compile,
    run_step,
    run_together,
)
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.machine.flags import Flags, split_flags
from ompc.toolchain.machine.setting import Request, Setting, Target
from ompc.toolchain.objects.cc_units import Unit, attach, unit_from_text

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(omp|cuda)\b", re.MULTILINE)
_ASKS = re.compile(r"\bomp_get_(thread_num|num_threads)\s*\(\s*\)")
"""Matches a question about threads, but not its declaration in omp.h."""
_LOOKS = re.compile(
    r"\b(volatile|__volatile(__)?|_Atomic|__c11_atomic_\w+|__(atomic|sync)_\w+)\b"
    r"|^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+(flush\b|atomic\b.*\b(read|capture|compare)\b)",
    re.MULTILINE,
)
"""Matches what stands in a loop that ends when another thread has changed something
(analysis/eligibility/team_waiting.py).
"""
_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"', re.MULTILINE)

_FOR_THE_LINKER = re.compile(r"-[lL].*|-Wl,.*|-Xlinker|-static.*|-shared|-rdynamic|-pie|-no-pie|-s")
_FOR_ALL_BUT_PREPROCESSOR = re.compile(r"-W(?!p,).*|-g.*|-pedantic-errors|-pipe|-v|-flto.*|-pg")
_HOST_ONLY = re.compile(
    r"-m(16|32|x32)|-?-coverage|-ftest-coverage|-fprofile-.*|-save-temps.*|--save-temps.*|-gsplit-dwarf|-fplugin.*"
    r"|-fdump-.*|-fstack-usage|-fcallgraph-info.*|-ffreestanding|-nostdlib|-fopt-info.*|-P|-C|-CC|-d[A-Z]|-traditional.*"
)
"""Matches options under which the host's half would write files of its own beside the object, or has types that are not
the device's.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One C source. `flags`, `dependencies`: the command line's; `target`: what the dependency file says is made."""

    source: Path
    language: str | None
    flags: tuple[str, ...]
    dependencies: tuple[str, ...]
    target: str
    depfile: Path | None

    @property
    def preprocess(self) -> tuple[str, ...]:
        """The flags that can change what the preprocessor makes of the source."""
        return _without(_FOR_ALL_BUT_PREPROCESSOR, self.compile)

    @property
    def compile(self) -> tuple[str, ...]:
        """The flags without the linker's."""
        return compile_flags(self.flags)


@dataclass(frozen=True, slots=True)
class Made:
    """An object with device code; `said`: the host compiler's warnings."""

    object: Path
    diagnostics: tuple[Diagnostic, ...]
    said: str
    depfile_text: str | None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """The host compiler makes the object from the source as it is; why is in the diagnostics, if there is a reason."""

    diagnostics: tuple[Diagnostic, ...] = ()
    unit: Unit | None = None


def _without(pattern: re.Pattern[str], flags: Sequence[str]) -> tuple[str, ...]:
    kept: list[str] = []
    drop_next = False
    for flag in flags:
        matches = pattern.fullmatch(flag) is not None
        if not drop_next and not matches:
            kept.append(flag)
        drop_next = not drop_next and flag in {"-l", "-L", "-Xlinker"} and matches
    return tuple(kept)


def compile_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags without the linker's."""
    return _without(_FOR_THE_LINKER, flags)


def host_only_flag(flags: Sequence[str]) -> str | None:
    """The first option under which a file is compiled for the host alone."""
    return next((flag for flag in flags if _HOST_ONLY.fullmatch(flag)), None)


def request_of(job: Job, setting_words: Mapping[str, str], command: Sequence[str]) -> Request:
    """What is asked of the pipeline and of the device compiler. `command`: the host compiler's words."""
    _, flags = split_flags(list(job.compile))
    options = Options(
        level=Level(setting_words.get("opt", Level.AUTO.value)),
        fp=FloatingPoint(setting_words.get("fp", FloatingPoint.DEFAULT.value)),
        several_devices=setting_words.get("gpus") == "several",
        without=names_in(setting_words.get("without", "")),
        cpp_flags=job.preprocess,
        cc=command[0],
        cc_arguments=tuple(command[1:]),
        part=True,
        keep_lines=True,
        lines_from="." if debugs(flags.compile) else None,
    )
    return Request(
        job.source,
        options,
        Flags(flags.preprocess, flags.compile, ()),
        Target(setting_words.get("target", Target.AUTO.value)),
        setting_words.get("arch"),
        None,
        setting_words.get("cxx"),
        portable=True,
    )


def make_object(
    job: Job,
    request: Request,
    setting: Setting,
    translate: Callable[[Options], Translation],
    cache: Cache,
    directory: Path,
    watch: Watch | None = None,
) -> Made | Left:
    """The object of `job` in the scratch directory, or the reason why the host compiler is to make it."""
    key = _key(job, request, setting)
    known = _replay(cache, key, directory)
    if known is not None:
        return known
    started = time.time_ns()
    watch = watch or Watch()
    with watch.stage(str(job.source), "preprocess"):
        expanded, depfile_text = preprocessed(job, setting, directory)
    unit = _unit(job, request, setting, expanded)
    unit = replace(unit, looks=_LOOKS.search(expanded) is not None, answers=_ASKS.search(expanded) is not None)
    made: Made | Left = Left(unit=unit)
    read = [job.source, *_files_in(expanded)]
    if _PRAGMA.search(expanded):
        translation = translate(tagged(request, unit))
        unit = replace(
            unit, missing=translation.missing, asks=translation.asks, teams=translation.has_unseen_teams
        )
        read += translation.dependencies
        if translation.has_device_code:
            made = compiled(job, request, setting, translation, cache, directory, watch)
            attach(unit, made.object, directory)
            made = replace(made, depfile_text=depfile_text, unit=unit)
        elif translation.text_beside_device_code is not None and not _optimises_at_link_time(job):
            made = _beside_device_code(job, setting, translation, translation.text_beside_device_code, directory)
            attach(unit, made.object, directory)
            made = replace(made, depfile_text=depfile_text, unit=unit)
        else:
            made = Left(translation.diagnostics, unit)
    _remember(cache, key, job, made, read, started)
    return made


def _unit(job: Job, request: Request, setting: Setting, expanded: str) -> Unit:
    level, fp = request.options.level.value, request.options.fp.value
    without = ",".join(sorted(request.options.without)) or None
    gpus = "several" if request.options.several_devices else None
    named = {"gpus": gpus, "arch": request.arch, "cxx": request.cxx, "without": without}
    own = {"target": setting.target.value, "opt": level, "fp": fp, **{k: v for k, v in named.items() if v is not None}}
    return Unit(str(Path.cwd()), str(job.source), job.language, job.flags, own, digest_of(job, expanded))


def digest_of(job: Job, expanded: str) -> str:
    return hashlib.sha256(f"{job.source.name}\0{expanded}".encode(errors="surrogateescape")).hexdigest()


def tagged(request: Request, unit: Unit) -> Options:
    return replace(request.options, tag=unit.digest[:8])


def _key(job: Job, request: Request, setting: Setting) -> str:
    return key_of(
        {
            "command": "cc",
            "source": str(job.source.absolute()),
            "written": str(job.source),
            "directory": str(Path.cwd()),
            "options": [request.options.level.value, request.options.fp.value, *sorted(request.options.without)],
            "several_devices": request.options.several_devices,
            "flags": [job.language, job.flags, job.dependencies, job.target],
            "setting": setting.identity(),
            "ompc": package_digest(),
        }
    )


def _replay(cache: Cache, key: str, directory: Path) -> Made | Left | None:
    manifest = cache.find_build(key)
    if manifest is None:
        return None
    payload = manifest.payload
    diagnostics = diagnostics_of(payload)
    unit = unit_from_text(str(payload["unit"]))
    if payload["object"] is None:
        return Left(diagnostics, unit)
    known = cache.find_object(str(payload["object"]))
    if known is None:
        return None
    target = shutil.copyfile(known, directory / "combined.o")
    depfile = payload["depfile"]
    return Made(target, diagnostics, str(payload["said"]), None if depfile is None else str(depfile), unit)


def _remember(cache: Cache, key: str, job: Job, made: Made | Left, read: Sequence[Path], started: int) -> None:
    assert made.unit is not None
    payload: dict[str, object] = {"object": None, "unit": made.unit.text()}
    payload["diagnostics"] = [diagnostic_to_json(d) for d in made.diagnostics]
    if isinstance(made, Made):
        content = cache.store_object(made.object)
        if content is None:
            return
        payload |= {"object": content, "said": made.said, "depfile": made.depfile_text}
    remember(cache, key, read, header_directories(job.source, job.flags), payload, started)


def preprocessed(job: Job, setting: Setting, directory: Path) -> tuple[str, str | None]:
    """The preprocessed text, and the dependency file where one is wanted. CompileError OMPC101."""
    depfile = directory / "user.d"
    command = [*setting.cc.command, *job.preprocess, *_dependency_options(job, depfile)]
    command += ["-E", "-x", job.language or "c", _argument(job.source), "-o", str(directory / "expanded.i")]
    outcome = run_tool(command, setting.environ)
    if not outcome.ok:
        message = f"the C compiler does not accept {job.source}"
        raise CompileError(Diagnostic("OMPC101", Kind.ERROR, message, notes=(outcome.text,)))
    text = (directory / "expanded.i").read_bytes().decode(errors="surrogateescape")
    return text, depfile.read_text(errors="surrogateescape") if job.depfile is not None else None


def _dependency_options(job: Job, depfile: Path) -> list[str]:
    """The user's, with a file in the scratch directory and the target named that the compiler would take."""
    if job.depfile is None:
        return []
    found = dependency_options(job.dependencies)
    return [*found.kinds, *found.more, *(found.targets or ("-MQ", job.target)), "-MF", str(depfile)]


def _files_in(expanded: str) -> list[Path]:
    names = dict.fromkeys(_MARKER.findall(expanded))
    return [Path(file_named(name)) for name in names if not name.startswith("<")]


def _argument(source: Path) -> str:
    return f"./{source}" if str(source).startswith("-") else str(source)


def compiled(
    job: Job,
    request: Request,
    setting: Setting,
    translation: Translation,
    cache: Cache,
    directory: Path,
    watch: Watch | None = None,
) -> Made:
    scratch = Scratch(directory, translation.name)
    for name, text in files_to_compile(translation, job.source).items():
        (directory / name).write_bytes(text.encode(errors="surrogateescape"))
    shown, file = {str(scratch.host_source): str(request.source)}, str(request.source)
    place = Workplace(directory, setting, shown, watch or Watch())
    steps = [
        Step(
            _host_command(job, setting, scratch), scratch.object("host"), "OMPC404", "the C compiler failed", file=file
        ),
        Step(
            _device_command(request, setting, scratch, translation.contracts),
            scratch.object("device"),
            "OMPC403" if setting.target is Target.CUDA else "OMPC404",
            "the device file could not be compiled",
            inputs=device_inputs(translation),
            tool="nvcc" if setting.target is Target.CUDA else "C++ compiler",
            file=file,
        ),
    ]
    texts = run_together(steps, place, cache)
    combined = scratch.object("combined")
    failure = "host and device object could not be combined"
    run_step(combining_step(setting, [step.output for step in steps], combined, failure, file), place)
    return Made(combined, translation.diagnostics, texts[0], None)


def _optimises_at_link_time(job: Job) -> bool:
    return any(flag.startswith("-flto") for flag in job.compile)


def _beside_device_code(job: Job, setting: Setting, translation: Translation, text: str, directory: Path) -> Made:
    """The object of a file without device code, whose arrays kernels of other files may use."""
    scratch = Scratch(directory, translation.name)
    scratch.host_source.write_bytes(text.encode(errors="surrogateescape"))
    name, output = str(job.source), scratch.object("host")
    step = Step(_host_command(job, setting, scratch), output, "OMPC404", "the C compiler failed", file=name)
    said = run_step(step, Workplace(directory, setting, {str(scratch.host_source): name}))
    return Made(output, translation.diagnostics, said, None)


def plain_object(job: Job, setting: Setting, directory: Path) -> Made:
    """The object that the host compiler makes of the source as it is."""
    output = directory / "plain.o"
    words = [*job.compile, "-x", job.language or "c", "-c", _argument(job.source), "-o", str(output)]
    outcome = run_tool([*setting.cc.command, *words], setting.environ)
    if not outcome.ok:
        notes = (outcome.text,)
        raise CompileError(Diagnostic("OMPC101", Kind.ERROR, "the C compiler does not accept the file", notes=notes))
    return Made(output, (), "", None)


def _host_command(job: Job, setting: Setting, scratch: Scratch) -> list[str]:
    """Compile the translated host file as the user's own would be. Of -flto nothing is left: `ld -r` cannot combine
    code that is not generated yet."""
    parent = str(job.source.parent)
    return [
        *setting.cc.command,
        *("-iquote", parent),
        *(flag for flag in job.compile if not flag.startswith("-flto")),
        *include_words(Runtime.COMMON),
        f"-ffile-prefix-map={scratch.host_source}={job.source}",
        *("-x", job.language or "c", "-c", str(scratch.host_source), "-o", str(scratch.object("host"))),
    ]


def _device_command(request: Request, setting: Setting, scratch: Scratch, contracts: bool) -> list[str]:
    """Position-independent, since nobody knows yet whether the object goes into a shared library."""
    shared = library_words(setting)
    return [
        *device_command(request, setting, scratch, contracts),
        *shared,
        f"-DOMPC_OBJECT={object_mark(setting.target)}",
    ]
