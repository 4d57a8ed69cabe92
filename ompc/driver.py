"""The pipeline: from a C file to the text of a CUDA program. Read it from top to bottom.

Each stage's product is verified before the next stage sees it, and has one text form, kept in `Translation.dumps`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from ompc.analysis.dependence.race_text import reason_in_order, reason_of, warning_of
from ompc.analysis.dependence.races import find_conflicts
from ompc.analysis.facts import Facts, analyse_loops
from ompc.analysis.locality.intensity import intensity
from ompc.analysis.privatisation.whole_program import WholeProgram, whole_program
from ompc.analysis.show import show_facts
from ompc.analysis.verify import verify_facts
from ompc.base.deep_stack import with_deep_stack
from ompc.base.diagnostics import CompileError, Diagnostic, Kind, Reason
from ompc.base.dumps import Dumps
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Stage, Watch
from ompc.base.working_directory import working_directory
from ompc.frontend import Loaded, Unsupported, load
from ompc.frontend.hidden_words import hidden_words
from ompc.frontend.preprocess import read_source
from ompc.ir.show import show
from ompc.ir.tree import Unit
from ompc.omp.ignored import without_ignored
from ompc.omp.in_order import with_order
from ompc.omp.league_size import with_league_sizes
from ompc.omp.model import ParallelLoop
from ompc.omp.nested_regions import with_sequential_regions
from ompc.omp.openmpc import with_overrides
from ompc.omp.regions import OmpUnit, find_parallel_loops
from ompc.omp.resolve import resolved
from ompc.omp.show import show_unit
from ompc.omp.simd_copies import with_simd_copies
from ompc.omp.unread_text import has_target_constructs
from ompc.omp.verify import verify_unit as verify_omp
from ompc.plan.decide import Source, make_plan
from ompc.plan.model.names import file_names, namespace_of
from ompc.plan.model.plan import Plan
from ompc.plan.program.guarantees import guarantees
from ompc.plan.program.host_reasons import host_reasons
from ompc.plan.program.last_bits import last_bits
from ompc.plan.program.program_calls import kept_by_calls, kept_by_text
from ompc.plan.program.unseen_code import has_unseen_teams, lacking_functions
from ompc.plan.report import Known, Races, report
from ompc.plan.residency.crossings import HostProgram, crossings
from ompc.plan.residency.target_data import TARGET_DATA
from ompc.plan.show import show_plan
from ompc.plan.verify import verify_plan
from ompc.render.copied_through import copied_through
from ompc.render.device import device_text, kernels_text
from ompc.render.excerpts import excerpts
from ompc.render.host import headers, host_text
from ompc.render.makefile import makefile_text, part_of, program_makefile_text
from ompc.render.provenance import made_from, made_with
from ompc.render.recheck import recheck
from ompc.sema import analyse
from ompc.sema.library import with_library
from ompc.sema.verify import verify as verify_sema

MAX_RETRIES = 8
"""Each retry leaves at least one more loop on the host; a file that still fails then is copied through."""


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


def _translated(sources: Sequence[Path], options: Options, watch: Watch) -> Translated:
    names = file_names(sources)
    read = [_read_deeply(source, name, options, watch) for source, name in zip(sources, names, strict=True)]
    files = [file for file in read if isinstance(file, _File)]
    tags = _tags(files) if len(sources) > 1 else {}
    host = HostProgram([file.unit for file in files])
    whole = whole_program(host.units, options.part or len(files) < len(read), options.link_flags)
    program = _OfProgram(_kept_whole(sources, files), host, _unread_constructs(read, sources), whole)
    translations: list[Translation] = []
    for file in read:
        if isinstance(file, Translation):
            translations.append(file)
        else:
            others = [other.unit for other in files if other is not file]
            part = options.part or len(sources) > 1
            own = replace(options, tag=tags.get(file.name, options.tag), part=part)
            finish = partial(_finish, file, others, program, own)
            translations.append(_deeply(finish, file.source, file.name, own, file.dumps))
    return tuple(translations), host


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
    return read.unit if isinstance(read, _File) else None


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
        known = HostProgram([own.unit, *units])
        whole = whole_program(known.units, not complete or len(units) < len(others))
        outer = tuple(unit for unit in around if unit is not None)
        of_program = _OfProgram(kept_by_calls(own.unit), known, whole=whole, around=outer)
        finish = partial(_finish, own, units, of_program, file.options)
        return _deeply(finish, file.source, own.name, file.options, own.dumps)


def in_one_folder(translations: Sequence[Translation], sources: Sequence[Path], options: Options) -> Translation:
    """A program of several files as one translation: one folder, one Makefile."""
    texts = {name: text for translation in translations for name, text in translation.files.items()}
    parts = list(map(part_of, translations, sources))
    return Translation(
        name=translations[0].name,
        files={**texts, "Makefile": program_makefile_text(parts, options)},
        make_report=lambda: {"schema": 1, "files": [translation.report for translation in translations]},
        diagnostics=tuple(diagnostic for translation in translations for diagnostic in translation.diagnostics),
        dependencies=tuple(path for translation in translations for path in translation.dependencies),
        has_device_code=any(translation.has_device_code for translation in translations),
    )


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


@dataclass(frozen=True, slots=True)
class _File:
    """One source file after the stages that look at nothing else."""

    source: Path
    name: str
    loaded: Loaded
    unit: Unit
    omp: OmpUnit
    dumps: Dumps
    stage: Stage


def _tags(files: Sequence[_File]) -> dict[str, str]:
    """What tells the names of a file from those of the others, by the file's name: nothing, where they differ."""
    tags: dict[str, str] = {}
    taken: set[str] = set()
    for file in files:
        own = {namespace_of(str(file.source)), *(loop.id for loop in file.omp.loops)}
        if own & taken:
            tags[file.name] = re.sub(r"\W", "_", file.name, flags=re.ASCII)
        taken |= own
    return tags


@dataclass(frozen=True, slots=True)
class _OfProgram:
    """What the other files of the program mean for one. `threads`: why none of its loops may run on the device;
    `unread`: why it may leave no mapped data there; `host`: what host code does with arrays; `whole`: all of it;
    `around`: units that only show what threads do.
    """

    threads: Reason | None
    host: HostProgram
    unread: Reason | None = None
    whole: WholeProgram | None = None
    around: tuple[Unit, ...] = ()


def _unread_constructs(read: Sequence[_File | Translation], sources: Sequence[Path]) -> Reason | None:
    """A file that no stage has understood has target constructs."""
    for file, source in zip(read, sources, strict=True):
        if isinstance(file, Translation) and has_target_constructs(read_source(source)):
            return Reason("OMPC105", f"{source} has target constructs, and cannot be analysed")
    return None


def _kept_whole(sources: Sequence[Path], files: Sequence[_File]) -> Reason | None:
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


def _read_deeply(source: Path, name: str, options: Options, watch: Watch) -> _File | Translation:
    dumps = Dumps()
    return _deeply(partial(_read, source, name, options, dumps, watch.of(str(source))), source, name, options, dumps)


def _read(source: Path, name: str, options: Options, dumps: Dumps, stage: Stage) -> _File | Translation:
    """From the text to its loops."""
    # The C compiler is asked first: what it refuses is the user's error, in words that the user knows.
    try:
        loaded = load(source, options, stage)
    except Unsupported as unsupported:
        return copied_through(source, name, options, (unsupported.diagnostic,), dumps)
    dumps.keep("preprocess", lambda: loaded.preprocessed.text)

    # Types and symbols come before pragmas, since clauses name variables and contain expressions.
    # Variables that `simd` loops have of their own become variables before anything asks what a loop shares.
    # What the compiler ignores is gone before anything is read into it.
    with stage("sema"):
        known = resolved(_typed(loaded), loaded.preprocessed.source)
        known = without_ignored(known, [warning.at for warning in loaded.warnings if warning.at is not None])
        unit = with_league_sizes(with_simd_copies(with_sequential_regions(known)))
        unit = replace(unit, hidden=hidden_words(loaded.preprocessed.expanded))
        verify_sema(unit)
    dumps.keep("sema", lambda: show(unit))

    # Which loops there are, and what their directives say.
    with stage("omp"):
        omp = with_overrides(find_parallel_loops(unit, loaded.preprocessed.source), unit)
        verify_omp(omp)
    dumps.keep("omp", lambda: show_unit(omp))
    return _File(source, name, loaded, unit, omp, dumps, stage)


def _finish(file: _File, others: Sequence[Unit], program: _OfProgram, options: Options) -> Translation:
    """From the loops to the translated texts."""
    source, loaded, omp, dumps = file.source, file.loaded, file.omp, file.dumps

    # The program's other files come in now, and the C library with them: their functions are called by this file's
    # loops, their loops are not here.
    unit = with_library(file.unit, others)

    # What each loop's code does, or why it cannot run on a device.
    with file.stage("analysis"):
        # Where one thread comes to a loop, as the program says, its iterations may depend on each other.
        loops = with_order(omp.loops, file.unit, others)
        facts = analyse_loops(unit, loops, (*others, *program.around), program.whole)
        verify_facts(facts)
        # A loop whose iterations certainly conflict would be more wrong on the device than it is: the user is told.
        conflicts = find_conflicts(unit, loops)
        races = conflicts.races
    kept = facts | {loop: reason_of(found[0]) for loop, found in races.items()}
    kept |= {loop: loop.host or reason_in_order(found) for loop, found in conflicts.ordered.items()}
    told = {loop: tuple(warning_of(race, unit) for race in found) for loop, found in races.items()}
    warnings = _warnings(loaded, omp, told, options)
    dumps.keep("analysis", lambda: show_facts(kept))

    # Every decision, then its text. A loop whose inserted line does not survive the preprocessor is given up, and the
    # plan is made again without it: constant memory and device functions depend on which loops take part.
    planned = _planned(_Analysed(file, kept, program), options)
    if planned is None:
        message = "the edited text does not compile; every loop stays on the host"
        return copied_through(source, file.name, options, (Diagnostic("OMPC342", Kind.HOST, message),), dumps)
    plan, host = planned
    program.host.plans.append(plan)
    dumps.keep("plan", lambda: show_plan(plan))
    dumps.keep("host", lambda: host)

    with file.stage("render"):
        files = {f"{plan.name}.c": host, "Makefile": makefile_text(plan, source, options, plan.name)}
        made = (made_with(options), made_from(source, loaded.preprocessed.source))
        if plan.is_edited:
            files.update(headers(plan, loaded.preprocessed))
            files[f"{plan.name}.cu"] = device_text(plan, *made, options.lines_from)
            dumps.keep("device", lambda: files[f"{plan.name}.cu"])
    return Translation(
        name=plan.name,
        files=files,
        make_report=cache(partial(_report, plan, told, program.host, facts)),
        make_excerpts=cache(partial(excerpts, plan)),
        make_kernels=partial(kernels_text, plan, *made),
        diagnostics=(*warnings, *plan.warnings, *omp.notes, *host_reasons(plan, frozenset(told))),
        dumps=dumps,
        dependencies=tuple(Path(name) for name in loaded.preprocessed.files),
        has_device_code=plan.is_edited,
        contracts=plan.contraction.contracts,
        loops=(len(plan.regions), len(list(plan.on_device))),
        missing=lacking_functions(unit, plan),
        has_unseen_teams=has_unseen_teams(unit, plan),
    )


def _report(
    plan: Plan, races: Races, program: HostProgram, facts: Mapping[ParallelLoop, Facts | Reason]
) -> Mapping[str, object]:
    """What only people ask is found out for them: what the host's code does between the launches, and estimates."""

    def make() -> Mapping[str, object]:
        work = {loop: intensity(known) for loop, known in facts.items() if isinstance(known, Facts)}
        rests, numbers = guarantees(plan, facts, program), last_bits(plan, facts)
        return report(plan, Known(races, crossings(plan, program), work, rests, numbers))

    try:
        return with_deep_stack(make)
    except RecursionError:
        return with_deep_stack(partial(report, plan, Known(races)))


def _typed(loaded: Loaded) -> Unit:
    texts = loaded.preprocessed
    return analyse(loaded.ast, texts.file, texts.source, char_signed=texts.char_signed)


@dataclass(frozen=True, slots=True)
class _Analysed:
    """What is known of the file before anything is decided."""

    file: _File
    facts: Mapping[ParallelLoop, Facts | Reason]
    program: _OfProgram


def _planned(known: _Analysed, options: Options) -> tuple[Plan, str] | None:
    """The verified plan and the host text that survives the preprocessor; None: none was found in MAX_RETRIES tries."""
    file, original = known.file, known.file.loaded.preprocessed
    texts = Source(file.name, str(file.source), original.source, original.expanded, known.program.threads)
    given_up = {} if known.program.unread is None else {TARGET_DATA: known.program.unread}
    for _ in range(MAX_RETRIES):
        with file.stage("plan"):
            plan = make_plan(texts, file.unit, known.facts, options, given_up)
            verify_plan(plan)
        with file.stage("render"):
            host = host_text(plan, original, options.keep_lines or options.lines_from is not None)
        with file.stage("recheck"):
            lost = recheck(plan, host, original, options) if plan.is_edited else {}
        if not lost:
            return plan, host
        given_up.update(lost)
    return None


def _warnings(loaded: Loaded, omp: OmpUnit, races: Races, options: Options) -> tuple[Diagnostic, ...]:
    """Each pragma that is ignored is named once: by the OpenMP stage, or where it looks for none, by the C compiler.

    Raises CompileError for those about OpenMP, if the user asked for that.
    """
    known = {warning.at for warning in omp.warnings}
    of_compiler = (warning for warning in loaded.warnings if warning.at not in known)
    warnings = (*omp.warnings, *of_compiler, *(warning for found in races.values() for warning in found))
    refused = [warning for warning in warnings if options.werror and warning.code.startswith("OMPC2")]
    if refused:
        raise CompileError(*(replace(warning, kind=Kind.ERROR) for warning in refused))
    return warnings
