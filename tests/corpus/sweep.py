"""All files and programs of some suites, several at once.

In: suites, settings.   Out: lists of FileResult and ProgramResult, in the order of the suites whatever ended first.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

from .building import NotBuilt, Workshop, open_workshop
from .checking import Inspector
from .records import FileResult, ProgramResult
from .suites import Program, Source, Suite
from .translating import examine

Result = FileResult | ProgramResult


@dataclass(frozen=True, slots=True)
class Settings:
    """`translate_seconds` and `run_seconds`: limits for one file and for one run of gcc's program."""

    jobs: int = 2
    target: Target = Target.EMULATE
    level: Level = Level.AUTO
    run: bool = False
    translate_seconds: float = 120
    run_seconds: float = 10


def count_steps(suites: Sequence[Suite], settings: Settings) -> int:
    """How often `advance` will be told something."""
    return sum(len(suite.sources) + (len(suite.programs) if settings.run else 0) for suite in suites)


def sweep(
    suites: Sequence[Suite], settings: Settings, directory: Path, advance: Callable[[Result], None] = lambda _: None
) -> tuple[list[FileResult], list[ProgramResult]]:
    """Translate every file and, if `settings.run`, check every program; `directory` is for what is made meanwhile."""
    workshop = open_workshop(directory, settings.target, settings.level)
    inspector = Inspector(workshop, settings.run_seconds)
    with ThreadPoolExecutor(max_workers=settings.jobs) as pool:
        grouped = [(suite.name, group) for suite in suites for group in _groups(suite, workshop, pool)]
        level, seconds = settings.level, settings.translate_seconds
        files = [pool.submit(examine, suite, group, level, seconds) for suite, group in grouped]
        chosen = [(suite.name, program) for suite in suites if settings.run for program in suite.programs]
        programs = [pool.submit(inspector.check, suite, program) for suite, program in chosen]
        for done in as_completed(files):
            for result in _about(suites, done.result()):
                advance(result)
        for checked in as_completed(programs):
            advance(checked.result())
    return _about(suites, [result for future in files for result in future.result()]), [
        future.result() for future in programs
    ]


def _about(suites: Sequence[Suite], results: Sequence[FileResult]) -> list[FileResult]:
    """Those of files with OpenMP; other files are only translated because they belong to a program."""
    wanted = {str(source.path) for suite in suites for source in suite.sources}
    first = {result.path: result for result in reversed(results)}  # a file may be in several programs
    return [result for result in results if result.path in wanted and first[result.path] is result]


def _groups(suite: Suite, workshop: Workshop, pool: Executor) -> list[tuple[Source, ...]]:
    """The files with OpenMP, each once, together with the other files of its program as gcc links it."""
    wanted = {source.path for source in suite.sources}
    several = [program for program in suite.programs if any(len(files) > 1 for files in program.choices)]
    groups: list[tuple[Source, ...]] = []
    for program, files in zip(several, pool.map(partial(_linked, workshop), several), strict=True):
        if len(files) > 1 and wanted.intersection(files):
            groups.append(tuple(Source(path, program.flags) for path in files))
            wanted.difference_update(files)
    return [*groups, *((source,) for source in suite.sources if source.path in wanted)]


def _linked(workshop: Workshop, program: Program) -> tuple[Path, ...]:
    with tempfile.TemporaryDirectory(prefix="ompc-corpus-") as directory:
        try:
            return workshop.by_gcc(program, Path(directory))[1]
        except NotBuilt:
            return ()
