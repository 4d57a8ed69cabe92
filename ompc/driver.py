"""The pipeline: from a C file to the text of a CUDA program. Read it from top to bottom.

Each stage's product is verified before the next stage sees it, and has one text form, kept in `Translation.dumps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ompc import __version__
from ompc.analysis.facts import Facts, analyse_loops
from ompc.analysis.show import show_facts
from ompc.analysis.verify import verify_facts
from ompc.diagnostics import Diagnostic, Kind, Reason
from ompc.frontend import Loaded, Unsupported, load
from ompc.frontend.preprocess import read_source
from ompc.omp.model import ParallelLoop
from ompc.omp.regions import find_parallel_loops
from ompc.omp.show import show_unit
from ompc.omp.verify import verify_unit as verify_omp
from ompc.options import Options
from ompc.plan.decide import Source, make_plan
from ompc.plan.model import Plan
from ompc.plan.report import report
from ompc.plan.show import show_plan
from ompc.plan.verify import verify_plan
from ompc.render.device import device_text
from ompc.render.host import header_name, header_text, host_text
from ompc.render.makefile import makefile_text
from ompc.render.recheck import recheck
from ompc.sema import analyse
from ompc.sema.show import show
from ompc.sema.tree import Unit
from ompc.sema.verify import verify as verify_sema
from ompc.translation import Translation

MAX_RETRIES = 8
"""Each retry leaves at least one more loop on the host; a file that still fails then is copied through."""


@dataclass(slots=True)
class _Dumps:
    """The text form of each stage's product, by stage, in the order of the pipeline."""

    texts: dict[str, str] = field(default_factory=dict)

    def keep(self, stage: str, text: str) -> None:
        self.texts[stage] = text


def translate(source: Path, options: Options) -> Translation:
    """Translate one C file. Raises CompileError for the user's errors, InternalError for ours."""
    dumps = _Dumps()

    # The C compiler is asked first: what it refuses is the user's error, in words that the user knows.
    try:
        loaded = load(source, options)
    except Unsupported as unsupported:
        return _copied_through(source, options, unsupported.diagnostic, dumps)
    dumps.keep("preprocess", loaded.preprocessed.text)

    # Types and symbols come before pragmas, since clauses name variables and contain expressions.
    unit = analyse(
        loaded.ast,
        loaded.preprocessed.file,
        loaded.preprocessed.source,
        char_signed=loaded.preprocessed.char_signed,
    )
    verify_sema(unit)
    dumps.keep("sema", show(unit))

    # Which loops there are, and what their directives say.
    omp = find_parallel_loops(unit, loaded.preprocessed.source)
    verify_omp(omp)
    dumps.keep("omp", show_unit(omp))

    # What each loop's code does, or why it cannot run on a device.
    facts = analyse_loops(unit, omp.loops)
    verify_facts(facts)
    dumps.keep("analysis", show_facts(facts))

    # Every decision, then its text. A loop whose inserted line does not survive the preprocessor is given up, and the
    # plan is made again without it: constant memory and device functions depend on which loops take part.
    given_up: dict[str, Reason] = {}
    for _ in range(MAX_RETRIES):
        plan = _plan(source, loaded, unit, facts, options, given_up)
        host = host_text(plan, loaded.preprocessed)
        lost = recheck(plan, host, loaded.preprocessed, options) if plan.on_device else {}
        if not lost:
            break
        given_up.update(lost)
    else:
        message = "the edited text does not compile; every loop stays on the host"
        return _copied_through(source, options, Diagnostic("OMPC342", Kind.HOST, message), dumps)
    dumps.keep("plan", show_plan(plan))
    dumps.keep("host", host)

    files = {f"{plan.name}.c": host, "Makefile": makefile_text(plan, source, options)}
    if plan.on_device:
        files[header_name(plan)] = header_text(plan)
        files[f"{plan.name}.cu"] = device_text(plan, __version__)
        dumps.keep("device", files[f"{plan.name}.cu"])
    return Translation(
        name=plan.name,
        files=files,
        report=report(plan),
        diagnostics=(*loaded.warnings, *omp.warnings, *_host_reasons(plan)),
        dumps=dumps.texts,
        dependencies=tuple(Path(name) for name in loaded.preprocessed.files),
        has_device_code=bool(plan.on_device),
    )


def _plan(
    source: Path,
    loaded: Loaded,
    unit: Unit,
    facts: Mapping[ParallelLoop, Facts | Reason],
    options: Options,
    given_up: Mapping[str, Reason],
) -> Plan:
    """The plan, verified."""
    texts = Source(source.stem, str(source), loaded.preprocessed.source, loaded.preprocessed.expanded)
    plan = make_plan(texts, unit, facts, options, given_up)
    verify_plan(plan)
    return plan


def _host_reasons(plan: Plan) -> tuple[Diagnostic, ...]:
    """One line for each loop that stays on the host."""
    found = []
    for region in plan.regions:
        if region.reason is not None:
            at = region.reason.at
            where = f" (line {at.line})" if at is not None and at.line != region.loop.line else ""
            message = f"this loop stays on the host: {region.reason.message}{where}"
            found.append(Diagnostic(region.reason.code, Kind.HOST, message, region.loop.loc))
    return tuple(found)


def _copied_through(source: Path, options: Options, why: Diagnostic, dumps: _Dumps) -> Translation:
    """A file that cannot be analysed: its own text, all loops on the host."""
    name, text = source.stem, read_source(source)
    return Translation(
        name=name,
        files={f"{name}.c": text, "Makefile": makefile_text(None, source, options)},
        report={"schema": 1, "source": str(source), "opt": options.level.value, "regions": []},
        diagnostics=(why,),
        dumps=dumps.texts,
        dependencies=(source,),
        has_device_code=False,
    )
