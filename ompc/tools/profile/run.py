"""Run a translated program so that it says what its time was spent on.

In: the executable, its arguments, the environment.   Out: `Run`.   Not here: building it -- toolchain/build.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.toolchain.run import run_program
from ompc.tools.profile.ledger import LedgerError, Profile, read_ledger

_SOURCES = {".c", ".h", ".i"}


@dataclass(frozen=True, slots=True)
class Run:
    """`status` is the program's own, `elapsed` in seconds. Without a profile, `diagnostics` say why."""

    status: int
    elapsed: float
    profile: Profile | None
    diagnostics: tuple[Diagnostic, ...]


def is_executable(path: Path) -> bool:
    """A program to run, and no source to translate."""
    return path.suffix not in _SOURCES and path.is_file() and os.access(path, os.X_OK)


def run_profiled(program: Path, arguments: Sequence[str], environ: Mapping[str, str], trace: Path | None = None) -> Run:
    """CompileError OMPC413: the program cannot be started. OMPC415: it wrote no ledger."""
    with temporary_directory("ompc-profile-") as directory:
        ledger = Path(directory) / "ledger.json"
        asked = {"OMPC_PROFILE": str(ledger), **({} if trace is None else {"OMPC_TRACE": str(trace.absolute())})}
        begun = time.monotonic()
        status, killed = run_program(program.absolute(), arguments, {**environ, **asked})
        elapsed = time.monotonic() - begun
        said = () if killed is None else (killed,)
        try:
            return Run(status, elapsed, read_ledger(ledger), said)
        except LedgerError as error:
            return Run(status, elapsed, None, (*said, _without_ledger(program, ledger, error)))


def _without_ledger(program: Path, ledger: Path, error: LedgerError) -> Diagnostic:
    why = str(error) if ledger.exists() else "it has no device code, or did not end by itself"
    help_ = "profile what 'ompc build' or 'ompc cc' has built, with at least one loop on the device"
    return Diagnostic("OMPC415", Kind.WARNING, f"{program.name} wrote no profile: {why}", help=help_)
