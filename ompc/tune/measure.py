"""One run of the translated program with given shapes: its answer is checked, its kernels' times are read.

    OMPC_TUNE=main_41@jacobi.c#24:block=64x4,rows=8 OMPC_PROFILE=... OMPC_OFFLOAD=always ./jacobi 4096

The times are those of the device, as the program's ledger has them (profile/ledger.py), so that neither copies nor the
host's own work disturb them.

In: the program, its arguments and standard input, the environment.   Out: `Ran`, `Finished`; CompileError OMPC413.
Not here: what the answer should be -- reference.py.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ompc.diagnostics import CompileError, Diagnostic, Kind
from ompc.profile.ledger import LedgerError, Profile, read_ledger
from ompc.tune.reference import Finished, Reference
from ompc.tune.session import Loop, Ran
from ompc.tuning import NO_CHOICES, ShapeChoices

_NOT_OURS = frozenset(f"OMPC_{name}" for name in "TILES LANES TUNE TRACE NVTX DISABLE LOG CHECK".split())
"""Variables of the user's under which a program would not do what is asked of it here, or be slower."""


@dataclass(frozen=True, slots=True)
class Program:
    """An executable and how it is started; `input`: its standard input, None for an empty one; `seconds`: at most."""

    path: Path
    arguments: Sequence[str]
    environ: Mapping[str, str]
    input: bytes | None = None
    seconds: float | None = None

    def run(self, more: Mapping[str, str]) -> Finished:
        """Status 124 where it took too long, 128 and more where a signal ended it. CompileError OMPC413."""
        environ = {name: value for name, value in self.environ.items() if name not in _NOT_OURS}
        try:
            done = subprocess.run(
                [str(self.path.absolute()), *self.arguments],
                env={**environ, **more},
                input=self.input or b"",
                capture_output=True,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Finished(124, "")
        except OSError as error:
            message = f"cannot start {self.path}: {error.strerror}"
            raise CompileError(Diagnostic("OMPC413", Kind.ERROR, message)) from None
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return Finished(status, done.stdout.decode(errors="replace"))


@dataclass(slots=True)
class ProgramRunner:
    """`profile` is that of the last run, `runs` how many there were."""

    program: Program
    reference: Reference
    profile: Profile | None = None
    runs: int = 0

    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        self.runs += 1
        with tempfile.TemporaryDirectory(prefix="ompc-tune-") as directory:
            ledger = Path(directory) / "ledger.json"
            wishes = (f"{loop.key}:{c.environment}" for loop, c in sorted(chosen.items()) if c != NO_CHOICES)
            asked = {"OMPC_TUNE": ";".join(wishes), "OMPC_PROFILE": str(ledger), "OMPC_OFFLOAD": "always"}
            problem = self.reference.problem(self.program.run(asked))
            if problem is not None:
                return Ran({}, problem)
            try:
                self.profile = read_ledger(ledger)
            except LedgerError as error:
                return Ran({}, str(error))
        return Ran({loop: seconds for loop, (seconds, _) in times_of(self.profile).items()})


def times_of(profile: Profile) -> dict[Loop, tuple[float, int]]:
    """The seconds of a launch and the number of launches of each loop, by size."""
    return {
        Loop(region.file, region.line, region.id, size.size_class): (size.kernel_seconds / size.launches, size.launches)
        for region in profile.regions
        for size in region.sizes
        if size.launches > 0
    }
