"""Build a program with the host compiler and with ompc, and run the executables.

Everything here raises MeasurementError, with what the failed command printed, and SkippedError where something that is
needed is not there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suite import SOURCES, Program, Size

HOST_FLAGS = ("-O3",)
"""Of the C text, whether gcc compiles the program or ompc: what the host runs is then compared like with like."""
HOST_COMPILER = ("gcc", *HOST_FLAGS, "-fopenmp")
CUDA_COMPILER = ("nvcc", "-O3", "-std=c++17", "-cudart", "static")
PEERS: Mapping[str, tuple[str, ...]] = {
    "clang": ("clang", "-O3", "-fopenmp", "--offload-arch={arch}"),
    "nvc": ("nvc", "-O3", "-mp=gpu", "-gpu=cc{number}"),
}
"""Compilers that take the target pragmas which the programs have with -DOFFLOAD, and how they are called."""
SKIPPED = 77
"""The exit status of a program that cannot run here, such as one that wants cuBLAS."""
BUILD_SECONDS = 600
RUN_SECONDS = 600
_OWN_SECONDS = re.compile(r"^seconds (\S+)$", re.MULTILINE)
_REPETITION = re.compile(r"^repetition (\S+)$", re.MULTILINE)
_KERNELS = re.compile(r"^kernels (\S+)$", re.MULTILINE)
_MOVED = re.compile(r"^moved (\d+) (\d+)$", re.MULTILINE)
_COPIED = re.compile(r"^copied in (\S+) out (\S+)$", re.MULTILINE)


class MeasurementError(Exception):
    """A build or a run that failed; the message is one line and the rest of the output follows it."""


class SkippedError(Exception):
    """What is to be measured is not there: a compiler, a library, an executable that was not built."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what the program printed, and its seconds from start to end.

    Of what it says itself, None if unsaid: the seconds of its computing phase and of its fastest repetition; programs
    written by hand also say how many bytes they copied each way, and the seconds of that and of all kernels.
    """

    stdout: str
    stderr: str
    whole_seconds: float
    own_seconds: float | None
    moved: tuple[int, int] | None = None
    copying_seconds: tuple[float, float] | None = None
    repetition_seconds: float | None = None
    kernel_seconds: float | None = None


def build_host(program: Program, size: Size, executable: Path) -> None:
    """The program as its author would build it: the answer that every translation must give."""
    _command([*HOST_COMPILER, *size.flags, str(program.source), "-o", str(executable), "-lm"], BUILD_SECONDS)


def build_ompc(
    program: Program, size: Size, how: Sequence[str], executable: Path, target: str, arch: str | None
) -> None:
    """The program through `ompc build` with the options `how`, for the target cuda or emulate."""
    of_gpu = ["--arch", arch] if arch is not None and target == "cuda" else []
    options = ["-o", str(executable), *how, "--target", target, *HOST_FLAGS, *of_gpu, *size.flags]
    _command([sys.executable, "-m", "ompc", "build", str(program.source), *options], BUILD_SECONDS)


def build_handwritten(program: Program, version: str, executable: Path, arch: str | None) -> None:
    """A version of the program that is written in CUDA; it takes all sizes as arguments."""
    flags = [f"-arch={arch or 'native'}", f"-I{SOURCES}", *program.handwritten[version]]
    _command([*CUDA_COMPILER, *flags, str(program.cuda_source), "-o", str(executable), "-ldl"], BUILD_SECONDS)


def build_peer(program: Program, size: Size, peer: str, executable: Path, arch: str | None) -> None:
    """The program by another compiler that offloads it. Raises SkippedError where there is none."""
    if shutil.which(PEERS[peer][0]) is None:
        raise SkippedError(f"no {peer} here")
    arch = arch or "native"
    flags = [flag.format(arch=arch, number=arch.removeprefix("sm_")) for flag in PEERS[peer]]
    _command([*flags, "-DOFFLOAD", *size.flags, str(program.source), "-o", str(executable), "-lm"], BUILD_SECONDS)


def run(executable: Path, size: Size, environment: Mapping[str, str]) -> Run:
    """Run an executable with the arguments of `size` in exactly this environment."""
    begin = time.perf_counter()
    done = _command([str(executable), *size.arguments], RUN_SECONDS, environment)
    whole = time.perf_counter() - begin
    moved, copied = _MOVED.search(done.stderr), _COPIED.search(done.stderr)
    return Run(
        done.stdout,
        done.stderr,
        whole,
        _seconds(_OWN_SECONDS, done.stderr),
        (int(moved.group(1)), int(moved.group(2))) if moved else None,
        (float(copied.group(1)), float(copied.group(2))) if copied else None,
        _seconds(_REPETITION, done.stderr),
        _seconds(_KERNELS, done.stderr),
    )


def _seconds(line: re.Pattern[str], text: str) -> float | None:
    found = line.search(text)
    return float(found.group(1)) if found else None


def eager(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a measured run: kernels are loaded with the context, which is not measured, not later."""
    return {**environment, "CUDA_MODULE_LOADING": "EAGER"}


def offloaded(environment: Mapping[str, str]) -> dict[str, str]:
    """The same: offload however small the work is."""
    return {**eager(environment), "OMPC_OFFLOAD": "always"}


def profiled(environment: Mapping[str, str], ledger: Path) -> dict[str, str]:
    """The same with a profile to `ledger`."""
    return {**offloaded(environment), "OMPC_PROFILE": str(ledger)}


def timing_kernels(environment: Mapping[str, str]) -> dict[str, str]:
    """The same for a program written by hand, which times its kernels then."""
    return {**offloaded(environment), "KERNEL_TIMES": "1"}


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
    if done.returncode == SKIPPED:
        raise SkippedError(done.stderr.strip().rpartition("\n")[2].removeprefix("skipped: "))
    if done.returncode != 0:
        raise MeasurementError(f"{name}: exit status {done.returncode}\n{' '.join(command)}\n{done.stderr.strip()}")
    return done
