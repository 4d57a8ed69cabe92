"""One program through everything: built by gcc, run; built by ompc, run; compared.

gcc's program runs three times with the same number of threads. Where ompc's program then says something else, gcc's
runs again with other numbers of threads and with clocks that leap: what varies with those is not ompc's to keep. A
program that says something else each time, with either compiler, has no output to compare.

In: Program.   Out: ProgramResult.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ompc.toolchain.setting import Target

from .building import NotBuilt, Workshop
from .comparing import Comparison, compare
from .records import ProgramResult, Verdict
from .running import Ran, run_limited
from .suites import Program

THREADS = 4
OTHER_THREADS = (1, 2, 3, 8, 4, 4)
SLOWER = 10
"""How much longer than gcc's an emulated program may take, besides the limit itself."""


@dataclass(frozen=True)
class Inspector:
    """`seconds`: how long gcc's program may run."""

    workshop: Workshop
    seconds: float

    def check(self, suite: str, program: Program) -> ProgramResult:
        """Never raises for what the program or its compilers do."""
        directory = Path(tempfile.mkdtemp(prefix="ompc-corpus-"))
        try:
            files, verdict = self._verdict(program, directory)
            names = tuple(str(path) for path in files)
            return ProgramResult(
                suite, program.name, names, verdict.verdict, verdict.detail, verdict.ignored, verdict.launches
            )
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _verdict(self, program: Program, directory: Path) -> tuple[Sequence[Path], _Found]:
        try:
            plain, files = self.workshop.by_gcc(program, directory)
        except NotBuilt as error:
            return program.choices[0], _Found(Verdict.GCC_REFUSES, str(error))
        runs: list[Ran] = []
        for _ in range(3):
            runs.append(self._run(plain, program, directory, THREADS, self.seconds))
            if runs[-1].status is None or runs[-1].status < 0:
                return files, _Found(Verdict.GCC_FAILS, f"status {runs[-1].status}")
        try:
            own = self.workshop.by_ompc(program, files, directory)
        except NotBuilt as error:
            return files, _Found(Verdict.NOT_BUILT, str(error))
        ran = self._run(own, program, directory, THREADS, self.seconds * SLOWER)
        found = judge(runs, ran)
        if found.verdict is not Verdict.SAME:
            more = [self._run(plain, program, directory, number, self.seconds) for number in OTHER_THREADS]
            more += [self._run(plain, program, directory, THREADS, self.seconds, other_times=True) for _ in range(2)]
            runs += _usable(more)
            found = judge(runs, ran)
        if found.verdict is Verdict.DIFFERENT and ran.status == runs[0].status and _vary(runs):
            own_runs = (self._run(own, program, directory, number, self.seconds * SLOWER) for number in OTHER_THREADS)
            if _vary([ran, *_usable(own_runs)]):
                found = replace(found, verdict=Verdict.UNSTABLE)
        return files, _Found(found.verdict, found.detail, found.ignored, launches_in(directory / "profile.json"))

    def _run(
        self,
        executable: Path,
        program: Program,
        directory: Path,
        threads: int,
        seconds: float,
        other_times: bool = False,
    ) -> Ran:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "OMPC_"))}
        settings = {
            "OMP_NUM_THREADS": str(threads),
            "OMP_WAIT_POLICY": "passive",
            "OMPC_OFFLOAD": "always",
            "OMPC_PROFILE": str(directory / "profile.json"),
            **({"LD_PRELOAD": str(self.workshop.clocks)} if other_times else {}),
        }
        place = directory / "run"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        shutil.copy(executable, place / "program")  # one name for both, since programs print theirs
        for data in program.data:
            shutil.copy(data, place)
        emulated = self.workshop.target is Target.EMULATE
        return run_limited(["./program", *program.arguments], place, {**kept, **settings}, seconds, emulated)


@dataclass(frozen=True, slots=True)
class _Found:
    verdict: Verdict
    detail: str = ""
    ignored: int = 0
    launches: int | None = None


def _usable(runs: Iterable[Ran]) -> list[Ran]:
    return [ran for ran in runs if ran.status is not None and ran.status >= 0]


def _vary(runs: Sequence[Ran]) -> bool:
    """Does the program say something else each time, but for numbers with a point, which may be times?"""
    return len({re.sub(r"\d+\.\d+(e[-+]\d+)?", "", ran.out) for ran in runs}) > 1


def judge(references: Sequence[Ran], ran: Ran) -> _Found:
    """What ompc's run is worth beside gcc's runs."""
    statuses = {reference.status for reference in references}
    if ran.status is None:
        return _Found(Verdict.TIMEOUT, "it does not end")
    if ran.status not in statuses and (ran.status < 0 or len(statuses) == 1):
        kind = Verdict.CRASH if ran.status < 0 or ran.status > 128 else Verdict.DIFFERENT
        return _Found(kind, f"status {ran.status}, not {references[0].status}: {ran.err.strip()[-300:]}")
    out = compare([reference.out for reference in references], ran.out)
    if out.difference:
        return _Found(Verdict.DIFFERENT, out.difference, out.ignored)
    return _Found(Verdict.SAME if _says_something(out) else Verdict.UNSTABLE, "", out.ignored)


def _says_something(out: Comparison) -> bool:
    return out.compared > 0 or out.ignored == 0


def launches_in(profile: Path) -> int | None:
    """How many kernels ompc's program launched."""
    try:
        regions = json.loads(profile.read_text())["regions"]
    except (OSError, ValueError, KeyError):
        return None
    return sum(region["launches"] for region in regions)
