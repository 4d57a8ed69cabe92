"""From a program to what is known of its loops: build it, find out what it must print, search, keep the winners.

    host's own program       built and run twice: the reference (answers/reference.py)
    translated program       built once: the shapes of its launches are chosen when it runs (OMPC_TUNE)
    other kernels            built when those shapes are known (kernels.py, variants.py)
    loops                    those that were launched and took a part of the time that matters, by the size of launches

In: a request, what is wanted, the environment, a function that translates.   Out: `Found`; CompileError OMPC480,
OMPC481 and those of a build.   Not here: the search -- session.py; what is printed -- table.py, cli/.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass, field
from ompc.base.tuning import Entry, ShapeChoices, Tuning
from ompc.base.watch import Watch
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request, Target, choose_setting
from ompc.tools.answers.program import Program
from ompc.tools.answers.reference import Reference, reference_of
from ompc.tools.profile.ledger import Profile
from ompc.tools.tune.kernels import Chosen, KernelSearch, Made
from ompc.tools.tune.measure import NoProgram, ProgramRunner
from ompc.tools.tune.session import Loop, Result, Session
from ompc.tools.tune.space import Space
from ompc.tools.tune.variants import Kernels, Loops, Translate, Tunable, Variant, Variants, tunable_loops

DEFAULT_RUNS = 5
LEAST_SHARE = 0.01
"""The least share of the kernels' time for which a loop is searched; one that takes less is left as it is."""

Wrong = tuple[Loop, ShapeChoices, str]
"""A loop, what was chosen for it when the answer was not the host's, and how the answer differed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the search runs, and how far it goes.

    `arguments`, `input`  of the program
    `limit`               seconds after which nothing new is tried
    `kernels`             also how else they could be made
    `step`                is told each run
    """

    arguments: tuple[str, ...]
    input: bytes | None = None
    repeats: int = 3
    limit: float | None = None
    tolerance: float = 1e-6
    kernels: bool = True
    step: Callable[[str], None] = lambda _: None


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
    ended_at: float | None = None
    """The limit in seconds, where it ended the search."""

    @property
    def weights(self) -> dict[Result, float]:
        """The seconds that each loop's launches take in one run."""
        return {result: result.default_seconds * self.launches[result.loop] for result in self.results}

    def added_to(self, known: Tuning) -> Tuning:
        """What is known from now on; of a loop for which nothing is better than the default, nothing."""
        return known.without(self.unchanged).with_entries(self.entries)


def tune_program(
    request: Request,
    environ: Mapping[str, str],
    wanted: Wanted,
    translate: Translate,
    cache: Cache,
    watch: Watch,
) -> Found:
    """All of it. The program runs some hundred times."""
    untuned = replace(request, options=replace(request.options, tuning=None))
    with temporary_directory("ompc-tune-") as directory:
        wanted.step("building")
        host, variants = _built(untuned, environ, translate, cache, Path(directory), watch)
        loops = {(loop.file, loop.id): loop for loop in tunable_loops(variants.translations)}
        if not loops:
            help_ = "`ompc explain` says where each loop runs, and why"
            raise CompileError(Diagnostic("OMPC480", Kind.ERROR, "no loop of the program is on the device", help=help_))
        wanted.step("running the host's program")
        with watch.stage("", "search"):
            reference = _reference(Program(host, wanted.arguments, environ, wanted.input), wanted)
            run = _Tuning(request.source.name, wanted, loops, reference, variants)
            return run.found(Program(variants.program, wanted.arguments, environ, wanted.input))


def _built(
    request: Request,
    environ: Mapping[str, str],
    translate: Translate,
    cache: Cache,
    directory: Path,
    watch: Watch,
) -> tuple[Path, Variants]:
    """The host's program and the translated one, which are compiled at the same time."""
    plain, untuned = replace(request, target=Target.HOST), {**environ, "OMPC_TUNING": ""}
    translations = translate(Tuning())
    setting, host = choose_setting(request, untuned), choose_setting(plain, untuned)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(build_program, plain, host, lambda: (), directory / "host", cache, watch)
        second = pool.submit(build_program, request, setting, lambda: translations, directory / "program", cache, watch)
        first.result(), second.result()
    program = directory / "program"
    return directory / "host", Variants(request, setting, translate, cache, watch, program, translations)


def _reference(host: Program, wanted: Wanted) -> Reference:
    one, two = host.run({}), host.run({})
    if one.status != two.status:
        message = f"the host's program ended with status {one.status}, and then with {two.status}"
        raise CompileError(Diagnostic("OMPC480", Kind.ERROR, message))
    return reference_of(one, two, wanted.tolerance)


@dataclass(slots=True)
class _Tuning:
    """The runs of one program. `loops` by file and id; `runners` of all its variants."""

    name: str
    wanted: Wanted
    loops: Loops
    reference: Reference
    variants: Variants
    runners: list[ProgramRunner] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)
    ended: bool = False

    def found(self, program: Program) -> Found:
        runner = self._runner(program)
        seconds, launches, profile = self._default(runner)
        timed = replace(program, seconds=10 * profile.wall_seconds + 10)
        runner.program = timed
        spaces = self._spaces(seconds, launches)
        session = Session(runner, spaces, self.wanted.repeats, self.wanted.step, self._is_half_over)
        chosen, wrong = Chosen(session.results(seconds), launches), session.wrong
        if self.wanted.kernels and not self._is_over():
            chosen, more = self._with_kernels(chosen, timed)
            wrong = [*wrong, *more]
        winners = [result for result in chosen.results if result.choices.values()]
        others = [result.loop for result in chosen.results if not result.choices.values()]
        return Found(
            target=profile.target,
            device=profile.device,
            results=chosen.results,
            launches=chosen.launches,
            runs=sum(runner.runs for runner in self.runners),
            entries=tuple(self._entry(result, profile.device) for result in winners),
            unchanged=tuple(
                (profile.device, self._of(loop).content, loop.size_class) for loop in (*others, *chosen.replaced)
            ),
            diagnostics=(*self._left_out(), *map(_wrong, wrong)),
            ended_at=self.wanted.limit if self.ended else None,
        )

    def _with_kernels(self, plain: Chosen, program: Program) -> tuple[Chosen, list[Wrong]]:
        """The same with the best kernels, and what gave wrong answers."""

        def make(programs: Sequence[Kernels]) -> list[Made]:
            return [self._made(variant, program) for variant in self.variants.built(programs)]

        def content(loop: Loop) -> str:
            known = self.loops.get((loop.file, loop.id))
            return "" if known is None else known.content

        self.wanted.step("what else there is")
        self.variants.is_over = self._is_over
        rounds = self.variants.rounds()
        search = KernelSearch(make, content, rounds, self.wanted.repeats, self.wanted.step, self._is_over)
        self.variants.is_over = lambda: self._is_over() and not search.is_confirming
        return search.chosen(plain.results, plain.launches), search.wrong

    def _made(self, variant: Variant, program: Program) -> Made:
        def space(loop: Loop) -> Space:
            return variant.loops[loop.file, loop.id].space(loop.size_class)

        if variant.problem is not None:
            return Made(NoProgram(variant.problem), space)
        return Made(self._runner(replace(program, path=variant.path)), space)

    def _runner(self, program: Program) -> ProgramRunner:
        self.runners.append(ProgramRunner(program, self.reference))
        return self.runners[-1]

    def _is_over(self, of: float = 1.0) -> bool:
        over = self.wanted.limit is not None and time.monotonic() - self.begun > self.wanted.limit * of
        self.ended |= over
        return over

    def _is_half_over(self) -> bool:
        """The other half is for kernels, where they are wanted."""
        return self._is_over(0.5 if self.wanted.kernels else 1.0)

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
            for loop, count in ran.launches.items():
                if (loop.file, loop.id) in self.loops:
                    times.setdefault(loop, []).append(ran.seconds[loop])
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


def _wrong(wrong: Wrong) -> Diagnostic:
    loop, choices, problem = wrong
    return Diagnostic("OMPC483", Kind.WARNING, f"{loop} with {choices.clauses} gives another answer: {problem}")
