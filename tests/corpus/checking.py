"""One program through everything: built by gcc, run; built by ompc, run; compared.

gcc's program runs three times with the same number of threads. Where ompc's program then says something else, gcc's
runs again with other numbers of threads and with clocks that leap: what varies with those is not ompc's to keep. A
program that says something else each time, with either compiler, and other things than gcc's, is one of which nobody
knows: it neither differs nor agrees. Compared are the exit status, standard output and error, and the files written.

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

from ompc.toolchain.machine.setting import Target

from .building import NotBuilt, Workshop
from .comparing import compare
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
                suite,
                program.name,
                names,
                verdict.verdict,
                verdict.detail,
                verdict.ignored,
                verdict.launches,
                verdict.loops,
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
                found = replace(found, verdict=Verdict.VARIES)
        launches, loops = launches_in(directory / "profile.json")
        return files, replace(found, launches=launches, loops=loops)

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
    loops: tuple[int, int] = (0, 0)


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
    compared = [("", compare([reference.out for reference in references], ran.out))]
    compared.append(("stderr: ", compare([reference.err for reference in references], without_own_lines(ran.err))))
    names = {name for each in (*references, ran) for name in each.files}
    for name in sorted(names):
        texts = [each.files.get(name, MISSING).decode("latin-1") for each in (*references, ran)]
        compared.append((f"file {name}: ", compare(texts[:-1], texts[-1])))
    ignored = sum(each.ignored for _, each in compared)
    for what, each in compared:
        if each.difference:
            return _Found(Verdict.DIFFERENT, what + each.difference, ignored)
    says = any(each.compared > 0 for _, each in compared) or ignored == 0
    return _Found(Verdict.SAME if says else Verdict.UNSTABLE, "", ignored)


MISSING = b"(no such file)\n"
"""Of a file that only some runs have written."""


def without_own_lines(text: str) -> str:
    """Without what ompc's runtime says of its launches: all that a program of gcc's cannot say."""
    return "".join(line for line in text.splitlines(keepends=True) if not _OWN_LINE.match(line))


_OWN_LINE = re.compile(r"ompc: .*(\[OMPC\d{3}\]|\bOMPC_\w+\b)")


def launches_in(profile: Path) -> tuple[int | None, tuple[int, int]]:
    """How many kernels ompc's program launched; how many loops it reached, and launched at least once."""
    try:
        regions = json.loads(profile.read_text())["regions"]
    except (OSError, ValueError, KeyError):
        return None, (0, 0)
    launched = [region["launches"] for region in regions]
    return sum(launched), (len(launched), sum(count > 0 for count in launched))
