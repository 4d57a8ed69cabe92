"""Many checks at once, in processes of their own: each on program after program, until somebody notices.

In: checks, Settings.   Out: `Result`, told as soon as there is one.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from .checks import Check
from .observing import Observation, Program, observe
from .trying import Manner, Tried, try_programs


@dataclass(frozen=True, slots=True)
class Settings:
    """`minutes`: of one check, after which nothing is begun for it; `per_file`: programs that are built as one."""

    jobs: int = 2
    minutes: float = 10.0
    per_file: int = 10
    manner: Manner = field(default_factory=Manner)


@dataclass(slots=True)
class Result:
    """`asked`: programs in which the check's answer matters, perhaps; `changed`: those tried that have another text."""

    check: Check
    asked: int
    found: str = ""
    detail: str = ""
    tried: int = 0
    changed: int = 0
    seconds: float = 0.0
    is_bug: bool = False
    _left: deque[Sequence[tuple[Program, Observation]]] = field(default_factory=deque)
    _running: int = 0

    @property
    def verdict(self) -> str:
        if self.found:
            return self.found
        if not self.asked:
            return "never asked"
        return "survived" if self.changed else "nothing changed"

    def add(self, tried: Tried) -> None:
        self.seconds += tried.seconds
        self.changed += tried.changed
        if tried.found and not self.found:
            self.found, self.detail, self.is_bug = tried.found, tried.detail, tried.is_bug


def run_campaign(
    checks: Sequence[Check], programs: Sequence[Program], settings: Settings, tell: Callable[[str], None]
) -> list[Result]:
    """Try all checks; `tell` gets a line for each that is finished, and says how it goes."""
    context = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory(prefix="ompc-mutation-") as made,
        ProcessPoolExecutor(settings.jobs, context) as pool,
    ):
        seen = _observe_all(pool, checks, programs, tell)
        return _Trial(pool, Path(made), settings, tell).run(checks, seen)


def _observe_all(
    pool: ProcessPoolExecutor, checks: Sequence[Check], programs: Sequence[Program], tell: Callable[[str], None]
) -> list[tuple[Program, Observation]]:
    tell(f"translating {len(programs)} programs with all checks in their places")
    names = [check.name for check in checks]
    futures = [(program, pool.submit(_observed, program, names)) for program in programs]
    seen: list[tuple[Program, Observation]] = []
    for program, future in futures:
        found = future.result()
        if isinstance(found, Observation):
            seen.append((program, found))
        else:  # of ompc's, and of no check's
            tell(f"BUG without any mutation: {program}: {found}")
    return seen


def _observed(program: Program, names: Sequence[str]) -> Observation | str:
    """Or what is the matter: not every exception comes through to another process."""
    try:
        return observe(program, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@dataclass(slots=True)
class _Trial:
    pool: ProcessPoolExecutor
    folder: Path
    settings: Settings
    tell: Callable[[str], None]
    _done: int = 0

    def run(self, checks: Sequence[Check], seen: Sequence[tuple[Program, Observation]]) -> list[Result]:
        results = [self._begun(check, seen) for check in checks]
        waiting: dict[Future[Tried], Result] = {}
        for result in results:
            self._finish(result, len(results))
        while True:
            while len(waiting) < self.settings.jobs + 1 and (result := self._next(results)) is not None:
                part = result._left.popleft()
                result._running += 1
                result.tried += len(part)
                future = self.pool.submit(try_programs, result.check.name, part, self.folder, self.settings.manner)
                waiting[future] = result
            if not waiting:
                return results
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                result = waiting.pop(future)
                result._running -= 1
                result.add(future.result())
                if result.found or result.seconds > 60 * self.settings.minutes:
                    result._left.clear()
                self._finish(result, len(results))

    def _begun(self, check: Check, seen: Sequence[tuple[Program, Observation]]) -> Result:
        own = [(program, observation) for program, observation in seen if check.name in observation.bitten]
        cases = any(program.case is not None for program, _ in own)
        size = 1 if cases else self.settings.per_file
        parts = [own[start : start + size] for start in range(0, len(own), size)]
        return Result(check, len(own), _left=deque(parts))

    def _next(self, results: Sequence[Result]) -> Result | None:
        """The check of which least is running, the first of those."""
        left = [result for result in results if result._left]
        return min(left, key=lambda result: result._running, default=None)

    def _finish(self, result: Result, count: int) -> None:
        if not result._left and not result._running:
            self._done += 1
            self.tell(f"[{self._done}/{count}] {line_of(result)}")


def line_of(result: Result) -> str:
    much = f"{result.changed} changed of {result.tried} tried of {result.asked} asked"
    line = f"{result.check.name}: {result.verdict} ({much}, {result.seconds:.0f} s)"
    if result.is_bug:
        line = f"BUG without the mutation, too: {line}"
    return f"{line}: {' '.join(result.detail.split())}" if result.detail else line
