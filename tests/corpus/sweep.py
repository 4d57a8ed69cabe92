"""All files and programs of some suites, several at once.

In: suites, settings.   Out: lists of FileResult and ProgramResult, in the order of the suites whatever ended first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from ompc.options import Level
from ompc.toolchain.setting import Target

from .building import open_workshop
from .checking import Inspector
from .records import FileResult, ProgramResult
from .suites import Suite
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
        level, seconds = settings.level, settings.translate_seconds
        files = [
            pool.submit(examine, suite.name, source, level, seconds) for suite in suites for source in suite.sources
        ]
        chosen = [(suite.name, program) for suite in suites if settings.run for program in suite.programs]
        programs = [pool.submit(inspector.check, suite, program) for suite, program in chosen]
        begun: list[Future[FileResult] | Future[ProgramResult]] = [*files, *programs]
        for future in as_completed(begun):
            advance(future.result())
    return [future.result() for future in files], [future.result() for future in programs]
