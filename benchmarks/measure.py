"""Build a program with the host compiler and with ompc, and run the executables.

Everything here raises MeasurementError, with what the failed command printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suite import Program, Size

HOST_COMPILER = ("gcc", "-O2", "-fopenmp")
CUDA_COMPILER = ("nvcc", "-O3", "-std=c++17", "-cudart", "static")
BUILD_SECONDS = 600
RUN_SECONDS = 600
_OWN_SECONDS = re.compile(r"^seconds (\S+)$", re.MULTILINE)
_MOVED = re.compile(r"^moved (\d+) (\d+)$", re.MULTILINE)
_COPIED = re.compile(r"^copied in (\S+) out (\S+)$", re.MULTILINE)


class MeasurementError(Exception):
    """A build or a run that failed; the message is one line and the rest of the output follows it."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what the program printed, and its seconds from start to end.

    Of what it says itself, None if unsaid: the seconds of its computing phase; bytes copied to the device and home, and
    the seconds which that took (programs written by hand).
    """

    stdout: str
    stderr: str
    whole_seconds: float
    own_seconds: float | None
    moved: tuple[int, int] | None = None
    copying_seconds: tuple[float, float] | None = None


def build_host(program: Program, size: Size, executable: Path) -> None:
    """The program as its author would build it: the answer that every translation must give."""
    _command([*HOST_COMPILER, *size.flags, str(program.source), "-o", str(executable), "-lm"], BUILD_SECONDS)


def build_ompc(program: Program, size: Size, level: str, executable: Path, target: str, arch: str | None) -> None:
    """The program through `ompc build` at an optimisation level, for the target cuda or emulate."""
    of_gpu = ["--arch", arch] if arch is not None and target == "cuda" else []
    options = ["-o", str(executable), "--opt", level, "--target", target, *of_gpu, *size.flags]
    _command([sys.executable, "-m", "ompc", "build", str(program.source), *options], BUILD_SECONDS)


def build_handwritten(program: Program, version: str, executable: Path, arch: str | None) -> None:
    """A version of the program that is written in CUDA; it takes all sizes as arguments."""
    flags = [f"-arch={arch or 'native'}", *program.handwritten[version]]
    _command([*CUDA_COMPILER, *flags, str(program.cuda_source), "-o", str(executable)], BUILD_SECONDS)


def run(executable: Path, size: Size, environment: Mapping[str, str]) -> Run:
    """Run an executable with the arguments of `size` in exactly this environment."""
    begin = time.perf_counter()
    done = _command([str(executable), *size.arguments], RUN_SECONDS, environment)
    whole = time.perf_counter() - begin
    own = _OWN_SECONDS.search(done.stderr)
    moved, copied = _MOVED.search(done.stderr), _COPIED.search(done.stderr)
    return Run(
        done.stdout,
        done.stderr,
        whole,
        float(own.group(1)) if own else None,
        (int(moved.group(1)), int(moved.group(2))) if moved else None,
        (float(copied.group(1)), float(copied.group(2))) if copied else None,
    )


def offloaded(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a measured run: offload however small the work is.

    Kernels are loaded with the context, not at their first launch, since creating the context is not measured.
    """
    return {**environment, "OMPC_OFFLOAD": "always", "CUDA_MODULE_LOADING": "EAGER"}


def profiled(environment: Mapping[str, str], ledger: Path) -> dict[str, str]:
    """The same with a profile to `ledger`."""
    return {**offloaded(environment), "OMPC_PROFILE": str(ledger)}


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
