"""One run of the translated program with given shapes: its answer is checked, its kernels' times are read.

    OMPC_TUNE=main_u@jacobi.c#24:block=64x4,rows=8 OMPC_PROFILE=... OMPC_OFFLOAD=always ./jacobi 4096

The times are those of the device, as the program's ledger has them (profile/ledger.py), so that neither copies nor the
host's own work disturb them.

In: the program, its arguments and standard input, the environment.   Out: `Ran`; CompileError OMPC413.
Not here: what the answer should be -- answers/reference.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.answers.program import TOOK_TOO_LONG, Program
from ompc.tools.answers.reference import Reference
from ompc.tools.profile.ledger import LedgerError, Profile, read_ledger
from ompc.tools.tune.session import Loop, Ran


@dataclass(slots=True)
class ProgramRunner:
    """`profile` is that of the last run, `runs` how many there were."""

    program: Program
    reference: Reference
    profile: Profile | None = None
    runs: int = 0

    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        self.runs += 1
        with temporary_directory("ompc-tune-") as directory:
            ledger = Path(directory) / "ledger.json"
            wishes = (f"{loop.key}:{c.environment}" for loop, c in sorted(chosen.items()) if c != NO_CHOICES)
            asked = {"OMPC_TUNE": ";".join(wishes), "OMPC_PROFILE": str(ledger), "OMPC_OFFLOAD": "always"}
            finished = self.program.run(asked)
            problem = self.reference.problem(finished)
            if problem is not None:
                return Ran({}, problem, is_late=finished.status == TOOK_TOO_LONG)
            try:
                self.profile = read_ledger(ledger)
            except LedgerError as error:
                return Ran({}, str(error))
        times = times_of(self.profile)
        return Ran({loop: s for loop, (s, _) in times.items()}, None, {loop: n for loop, (_, n) in times.items()})


@dataclass(frozen=True, slots=True)
class NoProgram:
    """The runner of what could not be built."""

    problem: str

    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        return Ran({}, self.problem)


def times_of(profile: Profile) -> dict[Loop, tuple[float, int]]:
    """The seconds of a launch and the number of launches of each loop, by size."""
    return {
        Loop(region.file, region.line, region.id, size.size_class): (size.kernel_seconds / size.launches, size.launches)
        for region in profile.regions
        for size in region.sizes
        if size.launches > 0
    }
