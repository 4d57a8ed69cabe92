"""The pipeline of one file: from its text to the text of a CUDA program. Read it from top to bottom.

Each stage's product is verified before the next stage sees it, and has one text form, kept in `Translation.dumps`.

In: a C file; what the other files of its program mean for it.   Out: `File`, `Analysed`, `Translation`.
Not here: programs of several files, and what is done about files that cannot be read -- driver.py; folders without the
runtime -- plain_pipeline.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path

from ompc.analysis.chains import chains
from ompc.analysis.dependence.race_text import reason_in_order, reason_of, warning_of
from ompc.analysis.dependence.races import Conflicts, find_conflicts
from ompc.analysis.eligibility.called_functions import uncalled_functions
from ompc.analysis.facts import Facts
from ompc.analysis.integers.integer_sets import left_without_answers
from ompc.analysis.locality.intensity import intensity
from ompc.analysis.loops import analyse_loops
from ompc.analysis.privatisation.settled_arguments import SettledArguments
from ompc.analysis.privatisation.shared_scalars import with_private_scalars
from ompc.analysis.privatisation.unchanged_copies import without_unchanged_copies
from ompc.analysis.privatisation.unread_results import without_unread_results
from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.analysis.show import show_facts
from ompc.analysis.verify import verify_facts
from ompc.base.deep_stack import with_deep_stack
from ompc.base.diagnostics import CompileError, Diagnostic, Kind, Reason
from ompc.base.dumps import Dumps
from ompc.base.frozen import dataclass
from ompc.base.options import Options
from ompc.base.source import Location
from ompc.base.translation import Translation
from ompc.base.watch import Stage
from ompc.frontend import Loaded, Unsupported, load
from ompc.frontend.hidden_words import hidden_words
from ompc.frontend.preprocess import Preprocessed
from ompc.ir.queries import nodes
from ompc.ir.show import show
from ompc.ir.tree import For, Unit
from ompc.omp.model import ParallelLoop
from ompc.omp.offload.in_order import with_order
from ompc.omp.regions import OmpUnit, find_parallel_loops
from ompc.omp.resolve import resolved
from ompc.omp.show import show_unit
from ompc.omp.unread_text import has_target_constructs
from ompc.omp.verify import verify_unit as verify_omp
from ompc.omp.wishes.openmpc import with_overrides
from ompc.omp.without_pragma.added_loops import with_added_pragmas
from ompc.omp.without_pragma.divided_loops import with_divided_pragmas
from ompc.plan.decide import Source, make_plan
from ompc.plan.mapping.added import may_be_kernel
from ompc.plan.mapping.divided import kernel_or_why
from ompc.plan.model.plan import Plan
from ompc.plan.program.guarantees import guarantees
from ompc.plan.program.host_reasons import host_reasons
from ompc.plan.program.last_bits import last_bits
from ompc.plan.program.null_pointers import with_null_pointers
from ompc.plan.program.regions_as_written import AS_WRITTEN, with_regions_as_written
from ompc.plan.program.unseen_code import has_unseen_teams, lacking_functions
from ompc.plan.report import Known, Races, report
from ompc.plan.residency.residual_transfers import HostProgram, residual_transfers
from ompc.plan.residency.target_data import TARGET_DATA
from ompc.plan.schedule.show import show_schedules
from ompc.plan.show import show_plan
from ompc.plan.verify import verify_plan
from ompc.render.device import DeviceFile, kernels_text
from ompc.render.excerpts import excerpts
from ompc.render.host.copied_through import copied_through
from ompc.render.host.host import headers, host_text, text_beside_device_code
from ompc.render.host.recheck import compiles, recheck
from ompc.render.local_names import with_names
from ompc.render.macro_clashes import without_clashes
from ompc.render.makefiles.makefile import makefile_text
from ompc.render.provenance import made_from, made_with
from ompc.sema import analyse
from ompc.sema.library import with_library
from ompc.sema.verify import verify as verify_sema
from ompc.transform import for_kernels, transformed
from ompc.transform.calls.questions import asked_elsewhere, asks_by, with_questions
from ompc.transform.show import show_kernels
from ompc.transform.verify import verify_kernels

MAX_RETRIES = 8
"""How often a file is planned at most. Each retry leaves at least one more loop on the host; a file that still fails
then is copied through.
"""


@dataclass(frozen=True, slots=True)
class File:
    """One source file after the stages that look at nothing else."""

    source: Path
    name: str
    texts: Preprocessed
    warnings: tuple[Diagnostic, ...]
    typed: Unit
    unit: Unit
    omp: OmpUnit
    dumps: Dumps
    stage: Stage
    chains: bool = False


@dataclass(frozen=True, slots=True)
class OfProgram:
    """What the other files of the program mean for one.

    `threads`  why none of its loops may run on the device
    `host`     what host code does with arrays
    `unread`   why it may leave no mapped data there
    `whole`    all of the program
    `around`   units that only show what threads do
    """

    threads: Reason | None
    host: HostProgram
    unread: Reason | None = None
    whole: WholeProgram | None = None
    around: tuple[Unit, ...] = ()


def read_file(source: Path, name: str, options: Options, dumps: Dumps, stage: Stage) -> File | Translation:
    """From the text to its loops."""
    # The C compiler is asked first: what it refuses is the user's error, in words that the user knows.
    try:
        loaded = load(source, options, stage)
    except Unsupported as unsupported:
        return copied_through(source, name, options, (unsupported.diagnostic,), dumps)
    texts = loaded.preprocessed
    dumps.keep("preprocess", lambda: texts.text)

    # Types and symbols come before pragmas, since clauses name variables and contain expressions.
    with stage("sema"):
        typed = resolved(_typed(loaded), texts.source)
        verify_sema(typed)
    dumps.keep("sema", lambda: show(typed))

    return _with_loops(File(source, name, texts, loaded.warnings, typed, typed, OmpUnit(()), dumps, stage), options)


def asking_others(file: File, others: Sequence[Unit], options: Options) -> File:
    """The file again, where functions of the program's other files are questions about threads (calls/questions.py)."""
    return _with_loops(file, options, others) if asks_by(file.typed, others) else file


def _with_loops(file: File, options: Options, others: Sequence[Unit] = ()) -> File:
    """From the typed tree to its loops."""
    texts, typed, dumps, stage = file.texts, file.typed, file.dumps, file.stage

    # The same program without what is only another way to say something. Questions about threads have OpenMP's names
    # before anything is found by them.
    with stage("transform"):
        ignored = [warning.at for warning in file.warnings if warning.at is not None]
        unit = transformed(with_questions(typed, others), ignored)
        unit = replace(unit, hidden=hidden_words(texts.expanded), offloads=has_target_constructs(texts.expanded))
        unit = with_divided_pragmas(unit) if options.does("divided-loops") else unit
        if unit.functions != typed.functions:
            verify_sema(unit)
    dumps.keep("transform", lambda: show(unit))

    # Which loops there are, and what their directives say.
    with stage("omp"):
        omp = with_overrides(find_parallel_loops(unit), unit)
        if options.does("glue"):
            extended = with_added_pragmas(unit, omp.loops)
            omp = omp if extended is unit else with_overrides(find_parallel_loops(extended), extended)
            unit = extended
        verify_omp(omp)
    dumps.keep("omp", lambda: show_unit(omp))
    return replace(file, unit=unit, omp=omp, chains=options.does("chains"))


@dataclass(frozen=True)
class Analysed:
    """What is known of a file before anything is decided.

    `unit`       the file with the functions of the others and of the C library
    `facts`      of each loop, or why it stays on the host
    `conflicts`  loops whose iterations certainly conflict
    `warnings`   about variables that are taken for iterations' own
    """

    file: File
    program: OfProgram
    unit: Unit
    facts: Mapping[ParallelLoop, Facts | Reason]
    conflicts: Conflicts
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def kept(self) -> Mapping[ParallelLoop, Facts | Reason]:
        """The facts but of loops in conflict, which would be more wrong on the device than they are."""
        races = {loop: reason_of(found[0]) for loop, found in self.conflicts.races.items()}
        ordered = {loop: loop.host or reason_in_order(found) for loop, found in self.conflicts.ordered.items()}
        return {**self.facts, **races, **ordered}

    @cached_property
    def told(self) -> Races:
        """What the user is told of conflicts."""
        races = self.conflicts.races.items()
        return {loop.id: tuple(warning_of(race, self.unit) for race in found) for loop, found in races}


def analysed(file: File, others: Sequence[Unit], program: OfProgram) -> Analysed:
    """What each loop's code does, or why it cannot run on a device."""
    # The program's other files come in now, and the C library with them: their functions are called by this file's
    # loops, their loops are not here.
    unit = with_library(file.unit, others)
    with file.stage("analysis"):
        # Where one thread comes to a loop, as the program says, its iterations may depend on each other.
        called = without_uncalled(file.omp.loops, file.unit, program.whole)
        loops, warnings = with_private_scalars(with_order(called, file.unit, others), file.unit)
        loops = without_unchanged_copies(without_unread_results(loops, file.unit), file.unit)
        loops = tuple(sorted(loops, key=lambda loop: loop.is_added))  # what the others leave of isl's time is theirs
        loops += chains(file.unit, loops) if file.chains else ()
        kernels = for_kernels(unit, loops, SettledArguments(unit, program.whole).numbers)
        verify_kernels(kernels)
        file.dumps.keep("kernels", lambda: show_kernels(kernels))
        facts = analyse_loops(unit, kernels, (*others, *program.around), program.whole)
        facts = {loop: of_loop for loop, known in facts.items() if (of_loop := _seen(loop, known, unit)) is not None}
        verify_facts(facts)
        known = Analysed(file, program, unit, facts, find_conflicts(unit, facts), warnings)
    file.dumps.keep("analysis", lambda: show_facts(known.kept))
    return known


def without_uncalled(
    loops: Sequence[ParallelLoop], unit: Unit, whole: WholeProgram | None
) -> tuple[ParallelLoop, ...]:
    """`loops`, where those that nothing calls stay on the host."""
    uncalled = uncalled_functions(unit, () if whole is None else whole.units)
    why = {name: Reason("OMPC368", f"nothing calls the function `{name}`") for name in uncalled}
    return tuple(replace(loop, host=loop.host or why.get(loop.function)) for loop in loops)


def _seen(loop: ParallelLoop, known: Facts | Reason, unit: Unit) -> Facts | Reason | None:
    """What is `known` of the loop; None: nothing is said of it, as it has no pragma and is no kernel."""
    if loop.is_divided:
        return kernel_or_why(loop, known, unit.functions)
    is_kernel = isinstance(known, Facts) and (loop.has_pragma or may_be_kernel(known, unit.functions))
    return known if is_kernel or loop.has_pragma else None


def translated(file: File, others: Sequence[Unit], program: OfProgram, options: Options) -> Translation:
    """From the loops to the translated texts."""
    known = analysed(file, others, program)
    warnings = warnings_of(known, options)

    # Every decision, then its text. A loop whose inserted line does not survive the preprocessor is given up, and the
    # plan is made again without it: constant memory and device functions depend on which loops take part.
    planned = _planned(known, options)
    if planned is None:
        message = "the edited text does not compile; every loop stays on the host"
        return copied_through(file.source, file.name, options, (Diagnostic("OMPC342", Kind.HOST, message),), file.dumps)
    return finished(known, *planned, warnings, options)


def finished(
    known: Analysed, plan: Plan, host: str, warnings: Sequence[Diagnostic], options: Options,
    plain: Mapping[str, str] | None = None,
) -> Translation:  # fmt: skip
    """The texts that follow from the plan, and all that is said. `plain`: all files, if they are plain ones."""
    file, program = known.file, known.program
    source, texts, dumps = file.source, file.texts, file.dumps
    program.host.plans.append(plan)
    dumps.keep("plan", lambda: show_plan(plan))
    dumps.keep("schedule", lambda: show_schedules(plan))
    dumps.keep("host", lambda: host)

    with file.stage("render"):
        files = {f"{plan.name}.c": host, "Makefile": makefile_text(plan, source, options, plan.name)}
        made = (made_with(options), made_from(source, texts.source))
        device_files: Callable[[], Mapping[str, str]] = dict
        if plain:
            files = dict(plain)
            dumps.keep("device", lambda: files.get(f"{plan.name}.cu", ""))
        elif plan.is_edited:
            files.update(headers(plan, texts, _keeps_lines(options)))
            plan = without_clashes(plan, lambda bare: DeviceFile(bare, *made).text())
            device = DeviceFile(plan, *made, options.lines_from)
            files[f"{plan.name}.cu"] = device.text()
            device_files = partial(with_deep_stack, device.files)
            dumps.keep("device", lambda: files[f"{plan.name}.cu"])
    reasons = host_reasons(plan, frozenset(known.told))
    added = {place for loop in file.omp.loops if not loop.has_pragma for place in (loop.loc, *_places_of_loops(loop))}
    unanswered = (said for said in left_without_answers() if said.at not in added)
    return Translation(
        name=plan.name,
        files=files,
        make_report=cache(partial(with_deep_stack, partial(_report, plan, known.told, program.host, known.facts))),
        make_excerpts=cache(partial(with_deep_stack, partial(excerpts, plan))),
        make_device_files=device_files,
        make_kernels=partial(with_deep_stack, partial(kernels_text, plan, *made)),
        diagnostics=(*warnings, *plan.warnings, *file.omp.notes, *reasons, *unanswered),
        dumps=dumps,
        dependencies=tuple(Path(name) for name in texts.files),
        has_device_code=plan.is_edited,
        text_beside_device_code=_beside_device_code(plan, texts, options),
        contracts=plan.contraction.contracts,
        plain=bool(plain),
        offloads=has_target_constructs(host),
        loops=(len(plan.regions), len(list(plan.on_device))),
        missing=lacking_functions(known.unit, plan),
        asks=asked_elsewhere(file.unit),
        has_unseen_teams=has_unseen_teams(known.unit, plan),
    )


def _beside_device_code(plan: Plan, original: Preprocessed, options: Options) -> str | None:
    text = text_beside_device_code(plan, original)
    return text if text is not None and compiles(text, plan, original, options) else None


def _places_of_loops(loop: ParallelLoop) -> Iterator[Location]:
    return (node.loc for node in nodes(loop.pragma) if isinstance(node, For))


def _report(
    plan: Plan, races: Races, program: HostProgram, facts: Mapping[ParallelLoop, Facts | Reason]
) -> Mapping[str, object]:
    """What only people ask is found out for them: what the host's code does between the launches, and estimates."""

    def make() -> Mapping[str, object]:
        work = {loop.id: intensity(known) for loop, known in facts.items() if isinstance(known, Facts)}
        rests, numbers = guarantees(plan, facts, program), last_bits(plan, facts)
        return report(plan, Known(races, residual_transfers(plan, program), work, rests, numbers))

    try:
        return with_deep_stack(make)
    except RecursionError:
        return with_deep_stack(partial(report, plan, Known(races)))


def _typed(loaded: Loaded) -> Unit:
    texts = loaded.preprocessed
    abi = {"char_signed": texts.char_signed, "wide_enums": texts.wide_enums}
    return analyse(loaded.ast, texts.file, texts.source, macros=loaded.macros, **abi)


def _planned(known: Analysed, options: Options) -> tuple[Plan, str] | None:
    """The verified plan, and the host text that survives the preprocessor; None: none did in MAX_RETRIES tries."""
    file, original = known.file, known.file.texts
    given_up = {} if known.program.unread is None else {TARGET_DATA: known.program.unread}
    for _ in range(MAX_RETRIES):
        plan = planned_once(known, options, given_up)
        with file.stage("render"):
            plan = with_names(plan)  # all that is to be named is known, and header and device file call it alike
            host = host_text(plan, original, _keeps_lines(options))
        with file.stage("recheck"):
            lost = recheck(plan, host, original, options) if plan.is_edited else {}
        if not lost:
            return plan, host
        given_up.update(lost)
    return None


def _keeps_lines(options: Options) -> bool:
    return options.keep_lines or options.lines_from is not None


def planned_once(known: Analysed, options: Options, given_up: Mapping[str, Reason]) -> Plan:
    """All decisions, for the loops that are not given up."""
    file, original = known.file, known.file.texts
    texts = Source(file.name, str(file.source), original.source, original.expanded, known.program.threads)
    with file.stage("plan"):
        plan = make_plan(texts, file.unit, known.kept, options, given_up)
        plan = with_null_pointers(plan, file.unit, original.source, original.expanded)
        if AS_WRITTEN not in given_up and options.does("two-forms"):
            plan = with_regions_as_written(plan, file.unit, original.source, original.expanded)
        verify_plan(plan)
    return plan


def warnings_of(analysis: Analysed, options: Options) -> tuple[Diagnostic, ...]:
    """Each pragma that is ignored is named once: by the OpenMP stage, or where it looks for none, by the C compiler.

    Raises CompileError for those about OpenMP, if the user asked for that.
    """
    compiler, omp = analysis.file.warnings, analysis.file.omp
    known = {warning.at for warning in omp.warnings}
    others = (warning for warning in compiler if warning.at not in known)
    races = (warning for found in analysis.told.values() for warning in found)
    warnings = (*omp.warnings, *others, *analysis.warnings, *races)
    refused = [warning for warning in warnings if options.werror and warning.code.startswith("OMPC2")]
    if refused:
        raise CompileError(*(replace(warning, kind=Kind.ERROR) for warning in refused))
    return warnings
