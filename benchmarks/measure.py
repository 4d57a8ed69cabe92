"""Build a program with the host compiler and with ompc, and run the executables.

Everything here raises MeasurementError, with what the failed command printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suite import Program, Size

HOST_COMPILER = ("gcc", "-O2", "-fopenmp")
BUILD_SECONDS = 600
RUN_SECONDS = 600
_OWN_SECONDS = re.compile(r"^seconds (\S+)$", re.MULTILINE)


class MeasurementError(Exception):
    """A build or a run that failed; the message is one line and the rest of the output follows it."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what the program printed, and the seconds of its computing phase by its own clock (None if unsaid)."""

    stdout: str
    stderr: str
    own_seconds: float | None


def build_host(program: Program, size: Size, executable: Path) -> None:
    """The program as its author would build it: the answer that every translation must give."""
    _command([*HOST_COMPILER, *size.flags, str(program.source), "-o", str(executable), "-lm"], BUILD_SECONDS)


def build_ompc(program: Program, size: Size, level: str, target: str, executable: Path) -> None:
    """The program through `ompc build` at an optimisation level, for the target cuda or emulate."""
    options = ["-o", str(executable), "--opt", level, "--target", target, *size.flags]
    _command([sys.executable, "-m", "ompc", "build", str(program.source), *options], BUILD_SECONDS)


def run(executable: Path, size: Size, environment: Mapping[str, str]) -> Run:
    """Run an executable with the arguments of `size` in exactly this environment."""
    done = _command([str(executable), *size.arguments], RUN_SECONDS, environment)
    own = _OWN_SECONDS.search(done.stderr)
    return Run(done.stdout, done.stderr, float(own.group(1)) if own else None)


def profiled(environment: Mapping[str, str], ledger: Path) -> dict[str, str]:
    """The environment of a measured run: profile to `ledger`, offload however small the work is.

    Kernels are loaded with the context, not at their first launch, since creating the context is not measured.
    """
    return {
        **environment,
        "OMPC_PROFILE": str(ledger),
        "OMPC_OFFLOAD": "always",
        "CUDA_MODULE_LOADING": "EAGER",
    }


def _command(
    command: Sequence[str], seconds: int, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    name = " ".join(Path(word).name for word in command[:1])
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"{name}: not done after {seconds} s") from error
    except OSError as error:
        raise MeasurementError(f"{name}: {error.strerror}") from error
    if done.returncode != 0:
        raise MeasurementError(f"{name}: exit status {done.returncode}\n{' '.join(command)}\n{done.stderr.strip()}")
    return done
