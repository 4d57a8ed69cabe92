"""One program -> gcc's executable, and ompc's.

gcc says which of the choices of files is the program: the first that it compiles and links. `ompc build` gets the same.

In: Program, a directory, a target and level.   Out: the executable, or `NotBuilt` with the compiler's words.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target
from tests.prepared_runtime import emulating_compiler

from .running import run_limited
from .suites import Program

OPTIMISE = ("-O1", "-g1", "-w", "-ffp-contract=off")
GCC_SECONDS = 120
OMPC_SECONDS = 400


class NotBuilt(Exception):
    """The compiler's words."""


@dataclass(frozen=True)
class Workshop:
    """Where and how programs are built. `directory` is for the cache; `cxx` the C++ compiler's command;
    `clocks` a library that gives a program other times.
    """

    directory: Path
    target: Target
    level: Level
    cxx: str
    clocks: Path

    def by_gcc(self, program: Program, directory: Path) -> tuple[Path, tuple[Path, ...]]:
        """The executable and its files."""
        built = directory / "gcc.program"
        words = ""
        for files in program.choices:
            command = ["gcc", "-fopenmp", *OPTIMISE, *program.flags, *map(str, files), "-o", str(built), "-lm"]
            ran = run_limited(command, directory, os.environ, GCC_SECONDS)
            if ran.status == 0:
                return built, files
            words = words or _essence(ran.err)
        raise NotBuilt(words)

    def by_ompc(self, program: Program, files: Sequence[Path], directory: Path) -> Path:
        built = directory / "ompc.program"
        settings = ["--target", self.target.value, "--opt", self.level.value]
        flags = [*OPTIMISE, *program.flags, *map(str, files), "-o", str(built)]
        command = ["build", *settings, "--cxx", self.cxx, "-q", *flags]
        environ = {
            **os.environ,
            "OMPC_CACHE_DIR": str(self.directory / "cache"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        ran = run_limited([sys.executable, "-m", "ompc", *command], directory, environ, OMPC_SECONDS)
        if ran.status != 0:
            raise NotBuilt("too slow" if ran.status is None else f"status {ran.status}: {_essence(ran.err)}")
        return built


def open_workshop(directory: Path, target: Target, level: Level) -> Workshop:
    """With the emulating runtime prepared, which is most of a small compile."""
    clocks = directory / "clocks.so"
    source = Path(__file__).with_name("clocks.c")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", str(source), "-o", str(clocks)], check=True)
    if target is not Target.EMULATE:
        return Workshop(directory, target, level, "c++", clocks)
    return Workshop(directory, target, level, emulating_compiler(directory, OPTIMISE), clocks)


def _essence(words: str) -> str:
    """The lines that say what is wrong."""
    lines = [
        line for line in words.splitlines() if any(key in line for key in ("error", "undefined", "OMPC4", "Error"))
    ]
    return "\n".join(lines[:4] or words.splitlines()[-4:])[:1500]
