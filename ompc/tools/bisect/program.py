"""All of `ompc bisect`: from a program to the loop, the launch and the optimisation with which its result differs.

    1. the host's program, three times: what must come out (judge.py)
    2. the translated program with all loops on the host: which are reached, and how often; with all on the device
    3. bisection over the loops, then over the launches of the first wrong one (search.py, OMPC_REGIONS)
    4. with these launches alone: over the levels, then over what `auto` does (variants.py)

In: a request, what is wanted, a function that translates.   Out: `Found`; CompileError OMPC485 and those of a build.
Not here: what is printed of it -- conclusion.py.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request
from ompc.tools.bisect.judge import Judge, Wanted
from ompc.tools.bisect.logged import LEVEL, launched_in, reached_in
from ompc.tools.bisect.programs import Programs, described
from ompc.tools.bisect.search import NOTHING_LAUNCHED, Culprit, Launched, Reached, find_culprit
from ompc.tools.bisect.variants import Guilt, Variant, find_optimisation
from ompc.tools.profile.ledger import LedgerError, Profile, read_ledger

_NO_LOOPS, _ALL_LOOPS = "none", "*"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found out about a program.

    `reached`   the loops that could be launched
    `problem`   how the result differs with all loops on the device; None: it does not
    `culprit`   None where it differs with all of them on the host, too
    `largest`   how much numbers of right runs differed, relatively
    `vary`      what was not compared
    `launched`  what was launched, where nothing differs
    """

    request: Request
    wanted: Wanted
    reached: tuple[Reached, ...]
    problem: str | None
    culprit: Culprit | None
    guilt: Guilt | None
    largest: float
    vary: tuple[str, ...]
    runs: int
    builds: int
    launched: Launched = NOTHING_LAUNCHED


@dataclass(slots=True)
class _Bisection:
    """One program's. `known`: what was asked before."""

    programs: Programs
    judge: Judge
    wanted: Wanted
    known: dict[tuple[str, str, tuple[tuple[str, str], ...]], bool] = field(default_factory=dict)

    def is_wrong(self, variant: Variant, regions: str) -> bool:
        asked = (self.programs.key(variant), regions, tuple(variant.environ.items()))
        if asked not in self.known:
            path = self.programs.path(variant)
            self.programs.step(f"running {described(variant)}, OMPC_REGIONS={_shortened(regions)}")
            environ = {**variant.environ, "OMPC_REGIONS": regions}
            self.known[asked] = self.judge.problem(path, environ, self.wanted.runs) is not None
        return self.known[asked]

    def found(self, request: Request) -> Found:
        asked = Variant(request.options)
        path = self.programs.path(asked)
        self.judge.learn(self.programs.host(), _threads(self.wanted.environ))
        with _ledger() as ledger:
            self.programs.step("running it with all loops on the host")
            environ = {"OMPC_REGIONS": _NO_LOOPS, "OMPC_PROFILE": str(ledger)}
            on_host = self.judge.problem(path, environ, 1)
            profile = _profile(ledger)
        reached = reached_in(self._log(path, _NO_LOOPS)) if profile is None else _reached(profile)
        if not reached:
            raise _nothing(f"{request.source.name} reaches no loop that is on the device")
        problem, launched = on_host, NOTHING_LAUNCHED
        if problem is None:
            problem, launched = self._on_device(path, request.source.name)
        culprit = guilt = None
        if problem is not None and on_host is None:
            culprit = find_culprit(reached, lambda regions: self.is_wrong(asked, regions))
            regions = culprit.regions
            guilt = find_optimisation(
                request.options, lambda variant: self.is_wrong(variant, regions), self.programs.build
            )
        judge, count = self.judge, self.programs.builds
        return Found(
            *(request, self.wanted, reached, problem, culprit, guilt),
            *(judge.largest, judge.vary, judge.runs, count, launched),
        )

    def _on_device(self, path: Path, name: str) -> tuple[str | None, Launched]:
        """What is wrong with all loops on the device, and what was launched where nothing is."""
        self.programs.step("running it with all loops on the device")
        with _ledger() as ledger:
            problem = self.judge.problem(path, {"OMPC_PROFILE": str(ledger)}, self.wanted.runs)
            if problem is not None:
                return problem, NOTHING_LAUNCHED
            profile = _profile(ledger)
        launched = launched_in(self._log(path, _ALL_LOOPS)) if profile is None else _launched(profile)
        if not launched.count:
            raise _nothing(f"no loop of {name} was launched on the device")
        return None, launched

    def _log(self, path: Path, regions: str) -> str:
        """Of one more run, for a program that ends without a ledger."""
        with temporary_directory("ompc-bisect-") as directory:
            log = Path(directory) / "log"
            environ = {"OMPC_REGIONS": regions, "OMPC_LOG": LEVEL, "OMPC_LOG_FILE": str(log)}
            self.judge.run(path, {"OMPC_OFFLOAD": "always", **environ})
            return log.read_text(errors="replace") if log.exists() else ""


def bisect_program(
    request: Request,
    wanted: Wanted,
    translate: Callable[[Options], Sequence[Translation]],
    cache: Cache,
    watch: Watch,
    step: Callable[[str], None],
) -> Found:
    with temporary_directory("ompc-bisect-") as directory:
        programs = Programs(request, wanted.environ, translate, cache, Path(directory), watch, step)
        return _Bisection(programs, Judge(wanted), wanted).found(request)


@contextmanager
def _ledger() -> Iterator[Path]:
    with temporary_directory("ompc-bisect-") as directory:
        yield Path(directory) / "ledger.json"


def _profile(ledger: Path) -> Profile | None:
    try:
        return read_ledger(ledger)
    except LedgerError:
        return None


def _reached(profile: Profile) -> tuple[Reached, ...]:
    """The loops, in the order in which they are reached."""
    return tuple(
        Reached(region.id, region.file, region.line, region.directive, region.launches.kept)
        for region in profile.regions
        if region.launches.kept > 0
    )


def _launched(profile: Profile) -> Launched:
    times: Counter[tuple[str, int]] = Counter()
    for region in profile.regions:
        times[region.file, region.line] += region.launches.count
    return Launched(profile.device, times)


def _nothing(message: str) -> CompileError:
    help_ = "`ompc explain` says where each loop runs, and why; give arguments with which the program has work for them"
    return CompileError(Diagnostic("OMPC485", Kind.ERROR, message, help=help_))


def _threads(environ: Mapping[str, str]) -> int:
    asked = environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdecimal() and int(asked) else os.cpu_count() or 1


def _shortened(regions: str) -> str:
    return regions if len(regions) < 40 else f"{regions[:18]}...{regions[-18:]}"
