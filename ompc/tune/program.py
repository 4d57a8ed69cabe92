"""From a program to what is known of its loops: build it, find out what it must print, search, keep the winners.

    host's own program       built and run twice: the reference (answers/reference.py)
    translated program       built once: the shapes of its launches are chosen when it runs (OMPC_TUNE)
    loops                    those that were launched and took a part of the time that matters, by the size of launches

In: a request, what is wanted, the environment, a function that translates.   Out: `Found`; CompileError OMPC480,
OMPC481 and those of a build.   Not here: the search -- session.py; what is printed -- table.py, cli/.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from ompc.answers.program import Program
from ompc.answers.reference import Reference, reference_of
from ompc.diagnostics import CompileError, Diagnostic, Kind
from ompc.profile.ledger import Profile
from ompc.toolchain.build import build_program
from ompc.toolchain.cache import Cache
from ompc.toolchain.setting import Request, Target, choose_setting
from ompc.translation import Translation
from ompc.tune.measure import ProgramRunner, times_of
from ompc.tune.session import Loop, Result, Session
from ompc.tune.space import Space
from ompc.tuning import Entry, Tuning
from ompc.watch import Watch

DEFAULT_RUNS = 5
LEAST_SHARE = 0.01
"""Of the kernels' time: a loop that takes less is left as it is."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """`arguments` and `input` of the program; `limit`: seconds after which the search ends; `step` is told each run."""

    arguments: tuple[str, ...]
    input: bytes | None = None
    repeats: int = 3
    limit: float | None = None
    tolerance: float = 1e-6
    step: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Tunable:
    """A loop on the device: how it is known, and what can be chosen."""

    file: str
    id: str
    place: str
    content: str
    knobs: tuple[str, ...]
    tiles: tuple[int, ...]
    dimensions: int

    def space(self, size_class: int) -> Space:
        return Space(self.knobs, self.dimensions, size_class, self.tiles)


@dataclass(frozen=True, slots=True)
class Found:
    """`launches` and `runs` are numbers: of a loop in one run, of the program in all."""

    target: str
    device: str
    results: tuple[Result, ...]
    launches: Mapping[Loop, int]
    runs: int
    entries: tuple[Entry, ...]
    unchanged: tuple[tuple[str, str, int], ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def weights(self) -> dict[Result, float]:
        """The seconds that each loop's launches take in one run."""
        return {result: result.default_seconds * self.launches[result.loop] for result in self.results}

    def added_to(self, known: Tuning) -> Tuning:
        """What is known from now on; of a loop for which nothing is better than the default, nothing."""
        return known.without(self.unchanged).with_entries(self.entries)


def tunable_loops(translations: Iterable[Translation]) -> tuple[Tunable, ...]:
    """All loops on the device with something to choose."""
    reports: list[Mapping[str, Any]] = [translation.report for translation in translations]
    return tuple(
        Tunable(
            file=region["tuning"]["file"],
            id=region["id"],
            place=f"{region['tuning']['file']}:{region['line']} {region['directive']}",
            content=region["tuning"]["content"],
            knobs=tuple(region["tuning"]["knobs"]),
            tiles=tuple(region["tuning"]["tiles"]),
            dimensions=region["launch"]["dimensions"],
        )
        for report in reports
        for region in report["regions"]
        if region.get("tuning") and region["tuning"]["knobs"]
    )


def tune_program(
    request: Request,
    environ: Mapping[str, str],
    wanted: Wanted,
    translate: Callable[[], Sequence[Translation]],
    cache: Cache,
    watch: Watch,
) -> Found:
    """All of it. The program runs some hundred times."""
    untuned = replace(request, options=replace(request.options, tuning=None))
    with tempfile.TemporaryDirectory(prefix="ompc-tune-") as directory:
        wanted.step("building")
        host, program, translations = _built(untuned, environ, translate, cache, Path(directory), watch)
        loops = {(loop.file, loop.id): loop for loop in tunable_loops(translations)}
        if not loops:
            help_ = "`ompc explain` says where each loop runs, and why"
            raise CompileError(Diagnostic("OMPC480", Kind.ERROR, "no loop of the program is on the device", help=help_))
        wanted.step("running the host's program")
        with watch.stage("", "search"):
            reference = _reference(Program(host, wanted.arguments, environ, wanted.input), wanted)
            run = _Tuning(request.source.name, wanted, loops, reference)
            return run.found(Program(program, wanted.arguments, environ, wanted.input))


def _built(
    request: Request,
    environ: Mapping[str, str],
    translate: Callable[[], Sequence[Translation]],
    cache: Cache,
    directory: Path,
    watch: Watch,
) -> tuple[Path, Path, Sequence[Translation]]:
    """The host's program and the translated one, which are compiled at the same time."""
    plain, untuned = replace(request, target=Target.HOST), {**environ, "OMPC_TUNING": ""}
    translations = translate()
    setting, host = choose_setting(request, untuned), choose_setting(plain, untuned)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(build_program, plain, host, lambda: (), directory / "host", cache, watch)
        second = pool.submit(build_program, request, setting, lambda: translations, directory / "program", cache, watch)
        first.result(), second.result()
    return directory / "host", directory / "program", translations


def _reference(host: Program, wanted: Wanted) -> Reference:
    one, two = host.run({}), host.run({})
    if one.status != two.status:
        message = f"the host's program ended with status {one.status}, and then with {two.status}"
        raise CompileError(Diagnostic("OMPC480", Kind.ERROR, message))
    return reference_of(one, two, wanted.tolerance)


@dataclass(slots=True)
class _Tuning:
    """The runs of one program. `loops` by file and id."""

    name: str
    wanted: Wanted
    loops: Mapping[tuple[str, str], Tunable]
    reference: Reference
    begun: float = field(default_factory=time.monotonic)

    def found(self, program: Program) -> Found:
        runner = ProgramRunner(program, self.reference)
        seconds, launches, profile = self._default(runner)
        longest = 10 * profile.wall_seconds + 10
        runner.program = replace(program, seconds=longest)
        session = Session(runner, self._spaces(seconds, launches), self.wanted.repeats, self.wanted.step, self._is_over)
        results = session.results(seconds)
        winners = [result for result in results if result.choices.values()]
        others = [result for result in results if not result.choices.values()]
        return Found(
            target=profile.target,
            device=profile.device,
            results=results,
            launches=launches,
            runs=runner.runs,
            entries=tuple(self._entry(result, profile.device) for result in winners),
            unchanged=tuple((profile.device, self._of(r.loop).content, r.loop.size_class) for r in others),
            diagnostics=(*self._left_out(), *_wrong(session)),
        )

    def _is_over(self) -> bool:
        return self.wanted.limit is not None and time.monotonic() - self.begun > self.wanted.limit

    def _of(self, loop: Loop) -> Tunable:
        return self.loops[loop.file, loop.id]

    def _default(self, runner: ProgramRunner) -> tuple[dict[Loop, float], dict[Loop, int], Profile]:
        """The seconds of a launch with the runtime's own choices, and how many launches a run has."""
        times: dict[Loop, list[float]] = {}
        launches: dict[Loop, int] = {}
        for _ in range(DEFAULT_RUNS):
            self.wanted.step("the runtime's own choices")
            ran = runner.run({})
            if ran.problem is not None or runner.profile is None:
                raise CompileError(_differs(self.name, ran.problem))
            for loop, (seconds, count) in times_of(runner.profile).items():
                if (loop.file, loop.id) in self.loops:
                    times.setdefault(loop, []).append(seconds)
                    launches[loop] = count
        assert runner.profile is not None
        if not times:
            help_ = "give arguments with which it has work for its parallel loops"
            message = f"no loop of {self.name} was launched on the device"
            raise CompileError(Diagnostic("OMPC480", Kind.ERROR, message, help=help_))
        return {loop: median(seconds) for loop, seconds in times.items()}, launches, runner.profile

    def _spaces(self, seconds: Mapping[Loop, float], launches: Mapping[Loop, int]) -> dict[Loop, Space]:
        whole = sum(seconds[loop] * launches[loop] for loop in seconds)
        return {
            loop: self._of(loop).space(loop.size_class)
            for loop in sorted(seconds)
            if seconds[loop] * launches[loop] >= LEAST_SHARE * whole
        }

    def _entry(self, result: Result, device: str) -> Entry:
        loop, known = result.loop, self._of(result.loop)
        times = (result.seconds, result.default_seconds)
        return Entry(device, known.content, loop.size_class, result.choices, *times, known.place)

    def _left_out(self) -> list[Diagnostic]:
        count = self.reference.left_out
        if count == 0:
            return []
        what = "no line" if count is None else f"{count} lines"
        message = f"two runs of the host print different things: {what} of the output are compared"
        if count is not None:
            message = f"two runs of the host differ in {what} of the output, which are not compared"
        return [Diagnostic("OMPC482", Kind.WARNING, message)]


def _differs(name: str, problem: str | None) -> Diagnostic:
    message = f"{name} does not give the host's answer on the device: {problem}"
    help_ = "where sums of floating-point numbers differ in their last digits, allow more with --tolerance"
    return Diagnostic("OMPC481", Kind.ERROR, message, help=help_)


def _wrong(session: Session) -> list[Diagnostic]:
    return [
        Diagnostic("OMPC483", Kind.WARNING, f"{loop} with {choices.clauses} gives another answer: {problem}")
        for loop, choices, problem in session.wrong
    ]
