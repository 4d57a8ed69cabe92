"""Programs through the pipeline: one file, several of one program, a library, a file beside others.

In: C files, options.   Out: `Translation` of each; CompileError for the user's errors.
Not here: the stages -- pipeline.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar, overload

from ompc.analysis.privatisation.whole_program import whole_program
from ompc.base.deep_stack import with_deep_stack
from ompc.base.diagnostics import CompileError, Diagnostic, Kind, Reason
from ompc.base.dumps import Dumps
from ompc.base.frozen import dataclass
from ompc.base.options import Options
from ompc.base.resources import HOST_FOLDER, KERNELS_FOLDER, Runtime, runtime_files
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.base.working_directory import working_directory
from ompc.frontend import Loaded, Unsupported, load
from ompc.frontend.preprocess import read_source
from ompc.ir.tree import Unit
from ompc.omp.regions import OmpUnit
from ompc.pipeline import Analysed, File, OfProgram, analysed, asking_others, planned_once, read_file, translated
from ompc.plain_pipeline import translated_plainly
from ompc.plan.model.names import file_names, namespace_of
from ompc.plan.model.plan import Plan
from ompc.plan.program.program_calls import kept_by_calls, kept_by_text
from ompc.plan.residency.residual_transfers import HostProgram
from ompc.render.host.copied_through import copied_through
from ompc.render.host.own_headers import own_headers
from ompc.render.kernel_headers import headers_of_kernels
from ompc.render.makefiles.library import cmake_text, files_of_build, library_makefile_text
from ompc.render.makefiles.makefile import part_of, program_makefile_text


def translate(source: Path, options: Options, watch: Watch | None = None) -> Translation:
    """Translate one C file. Raises CompileError for the user's errors, InternalError for ours."""
    return translate_program((source,), options, watch)[0]


def translate_program(sources: Sequence[Path], options: Options, watch: Watch | None = None) -> tuple[Translation, ...]:
    """Translate all C files of a program, in their order: a loop may call functions of the other files."""
    return _translated(sources, options, watch or Watch())[0]


Translated = tuple[tuple[Translation, ...], HostProgram]


def translate_library(sources: Sequence[Path], options: Options, watch: Watch | None = None) -> Translated:
    """Translate the files of a library, whose callers are not seen; what is known of those that could be analysed."""
    return _translated(sources, replace(options, part=True), watch or Watch())


@overload
def compile_to(stage: Literal["frontend"], source: Path, options: Options = ...) -> Loaded: ...
@overload
def compile_to(stage: Literal["sema", "transform"], source: Path, options: Options = ...) -> Unit: ...
@overload
def compile_to(stage: Literal["omp"], source: Path, options: Options = ...) -> OmpUnit: ...
@overload
def compile_to(stage: Literal["analysis"], source: Path, options: Options = ...) -> Analysed: ...
@overload
def compile_to(stage: Literal["plan"], source: Path, options: Options = ...) -> Plan: ...


def compile_to(stage: str, source: Path, options: Options | None = None) -> object:
    """What `stage` makes of a file that is a program of its own, verified: for tests, and to look at. The plan is the
    first one, before the edited text is checked. Raises CompileError, also where the whole file stays on the host.
    """
    options = options or Options()
    if stage == "frontend":
        try:
            return with_deep_stack(partial(load, source, options))
        except Unsupported as unsupported:
            raise CompileError(unsupported.diagnostic) from unsupported
    name, stage_times = file_names([source])[0], Watch().of(str(source))
    file = with_deep_stack(partial(read_file, source, name, options, Dumps(), stage_times))
    if isinstance(file, Translation):
        raise CompileError(*file.diagnostics)
    products = {"sema": file.typed, "transform": file.unit, "omp": file.omp}
    if stage in products:
        return products[stage]
    program = _program_of([source], [file], options)
    known = with_deep_stack(partial(analysed, file, (), program))
    return known if stage == "analysis" else with_deep_stack(partial(planned_once, known, options, {}))


def _translated(sources: Sequence[Path], options: Options, watch: Watch) -> Translated:
    names = file_names(sources)
    each = [options.of_file(source) for source in sources]
    read = [_read_deeply(*file, watch) for file in zip(sources, names, each, strict=True)]
    read = _asking_each_other(read, each)
    files = [file for file in read if isinstance(file, File)]
    tags = _tags(files) if len(sources) > 1 else {}
    program = _program_of(sources, read, options)
    if options.plain:
        return _translated_plainly(read, each, program), program.host
    translations: list[Translation] = []
    for file, options_of_file in zip(read, each, strict=True):
        if isinstance(file, Translation):
            translations.append(file)
        else:
            others = [other.unit for other in files if other is not file]
            part = options.part or len(sources) > 1
            own = replace(options_of_file, tag=tags.get(file.name, options.tag), part=part)
            finish = partial(translated, file, others, program, own)
            translations.append(_deeply(finish, file.source, file.name, own, file.dumps))
    return tuple(translations), program.host


def _translated_plainly(
    read: Sequence[File | Translation], options: Sequence[Options], program: OfProgram
) -> tuple[Translation, ...]:
    """All files together: where an array stays on the device is said of the program."""
    files = [(file, own) for file, own in zip(read, options, strict=True) if isinstance(file, File)]
    beside = [(file, [other.unit for other, _ in files if other is not file], own) for file, own in files]
    unread = next((f"{file.name}.c" for file in read if isinstance(file, Translation)), "")
    found = iter(with_deep_stack(partial(translated_plainly, beside, program, unread)) if files else ())
    return tuple(file if isinstance(file, Translation) else next(found) for file in read)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a program, as it is compiled: `source` and the paths in `options` are relative to `directory`."""

    source: Path
    options: Options
    directory: Path


def read_unit(file: SourceFile) -> Unit | None:
    """A file as others see it; None: it cannot be read."""
    with working_directory(file.directory):
        read = _read_deeply(file.source, file_names([file.source])[0], file.options, Watch())
    return read.unit if isinstance(read, File) else None


def translate_beside(
    file: SourceFile, others: Sequence[Unit | None], around: Sequence[Unit | None] = (), complete: bool = False
) -> Translation:
    """Translate one file of a program of `others`. `complete`: there is no other code. Units `around` it only show what
    the threads of its teams do.
    """
    units = [unit for unit in others if unit is not None]
    with working_directory(file.directory):
        own = _read_deeply(file.source, file_names([file.source])[0], file.options, Watch())
        if isinstance(own, Translation):
            return own
        own = asking_others(own, units, file.options)
        known = HostProgram([own.unit, *units])
        whole = whole_program(known.units, not complete or len(units) < len(others))
        outer = tuple(unit for unit in around if unit is not None)
        of_program = OfProgram(kept_by_calls(own.unit), known, whole=whole, around=outer)
        finish = partial(translated, own, units, of_program, file.options)
        return _deeply(finish, file.source, own.name, file.options, own.dumps)


def in_one_folder(translations: Sequence[Translation], sources: Sequence[Path], options: Options) -> Translation:
    """A program of several files as one translation: one folder, one Makefile."""
    has_device_code = any(translation.has_device_code for translation in translations)
    texts = {name: text for translation in translations for name, text in translation.files.items()}
    if has_device_code and not options.plain:
        texts |= {of.host_file: text for of in translations if (text := of.text_beside_device_code) is not None}
    is_plain = any(translation.plain for translation in translations)
    if not is_plain:
        parts = [part_of(*file, options) for file in zip(translations, sources, strict=True)]
        texts["Makefile"] = program_makefile_text(parts, options)
    return Translation(
        name=translations[0].name,
        files=texts,
        make_report=lambda: {"schema": 1, "files": [translation.report for translation in translations]},
        diagnostics=tuple(diagnostic for translation in translations for diagnostic in translation.diagnostics),
        dependencies=tuple(path for translation in translations for path in translation.dependencies),
        has_device_code=has_device_code,
        plain=is_plain,
    )


def with_library(translations: Sequence[Translation], sources: Sequence[Path], options: Options) -> Translation:
    """The program as one translation whose runtime is a library: kernels and launchers are files of their own, and the
    folder has the headers of these kernels, and the user's own.
    """
    whole = translations[0] if len(translations) == 1 else in_one_folder(translations, sources, options)
    parts = [part_of(*file, options) for file in zip(translations, sources, strict=True)]
    files = dict(whole.files)
    for translation in translations:
        files |= translation.make_device_files() if translation.has_device_code else {}
    kernels = [files[of.device_file] for of in translations if of.has_device_code]
    if kernels:
        files |= {f"{KERNELS_FOLDER}/{name}": path.read_text() for name, path in headers_of_kernels(kernels).items()}
        files |= {f"{HOST_FOLDER}/{name}": path.read_text() for name, path in runtime_files(Runtime.HOST).items()}
    taken = {name.split("/")[0] for name in (*files, *files_of_build(parts))}
    own = own_headers(sources, whole.dependencies, options.cpp_flags, taken)
    read = [*(str(path) for path in whole.dependencies), options.origin]
    files["Makefile"] = library_makefile_text(parts, options, own.placed, read)
    cmake = cmake_text(parts, options, own.placed)
    files |= own.texts | ({} if cmake is None else {"CMakeLists.txt": cmake})
    return replace(whole, files=files)


_Result = TypeVar("_Result")


def _deeply(
    stages: Callable[[], _Result], source: Path, name: str, options: Options, dumps: Dumps
) -> _Result | Translation:
    """Run stages on one file; where its code is nested too deeply for them, the file is copied through."""
    try:
        return with_deep_stack(stages)
    except CompileError as error:
        if not options.partly:
            raise
        return copied_through(source, name, options, error.diagnostics, dumps)
    except RecursionError:
        message = "this file cannot be analysed, so every loop stays on the host: its code is nested too deeply"
        return copied_through(source, name, options, (Diagnostic("OMPC105", Kind.HOST, message),), dumps)


def _tags(files: Sequence[File]) -> dict[str, str]:
    """What tells the names of a file from those of the others, by the file's name: nothing, where they differ."""
    tags: dict[str, str] = {}
    taken: set[str] = set()
    for file in files:
        own = {namespace_of(str(file.source)), *(loop.id for loop in file.omp.loops)}
        if own & taken:
            tags[file.name] = re.sub(r"\W", "_", file.name, flags=re.ASCII)
        taken |= own
    return tags


def _program_of(sources: Sequence[Path], read: Sequence[File | Translation], options: Options) -> OfProgram:
    """What a program's files, of which some may not have been understood, mean for each other."""
    files = [file for file in read if isinstance(file, File)]
    host = HostProgram([file.unit for file in files])
    whole = whole_program(host.units, options.part or len(files) < len(read), options.link_flags)
    return OfProgram(_kept_whole(sources, files), host, _unread_constructs(read, sources), whole)


def _asking_each_other(read: Sequence[File | Translation], options: Sequence[Options]) -> list[File | Translation]:
    """The files of a program, of which some ask about threads by functions of others."""
    units = [file.unit if isinstance(file, File) else None for file in read]
    found: list[File | Translation] = []
    for at, (file, of_file) in enumerate(zip(read, options, strict=True)):
        others = [unit for place, unit in enumerate(units) if unit is not None and place != at]
        found.append(asking_others(file, others, of_file) if others and isinstance(file, File) else file)
    return found


def _unread_constructs(read: Sequence[File | Translation], sources: Sequence[Path]) -> Reason | None:
    """A file that no stage has understood has target constructs."""
    for file, source in zip(read, sources, strict=True):
        if isinstance(file, Translation) and file.offloads:
            return Reason("OMPC105", f"{source} has target constructs, and cannot be analysed")
    return None


def _kept_whole(sources: Sequence[Path], files: Sequence[File]) -> Reason | None:
    """Why all loops of the program stay on the host; of a file that no stage has understood, its text is read."""
    for file in files:
        reason = kept_by_calls(file.unit)
        if reason is not None:
            return reason
    for source in {*sources} - {file.source for file in files}:
        reason = kept_by_text(str(source), read_source(source))
        if reason is not None:
            return reason
    return None


def _read_deeply(source: Path, name: str, options: Options, watch: Watch) -> File | Translation:
    dumps = Dumps()
    stages = partial(read_file, source, name, options, dumps, watch.of(str(source)))
    return _deeply(stages, source, name, options, dumps)
