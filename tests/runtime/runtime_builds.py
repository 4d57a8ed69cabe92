"""Builds the programs of tests/runtime/programs for a target, once for all workers of a test session."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from prepared_runtime import (
    SANITIZERS,
    TRAPPING,
    emulating_compiler,
    join,
    keeping_c_compiler,
    keeping_nvcc,
    runtime_object,
)

from ompc.base.resources import Runtime, include_words, runtime_files, runtime_units
from ompc.toolchain.commands.fused import contraction_words
from ompc.toolchain.machine.nvcc import Nvcc, find_nvcc

PROGRAMS = Path(__file__).parent / "programs"
COMMON = include_words(Runtime.COMMON)
C_UNITS = runtime_units(Runtime.COMMON, suffix=".c")
LOG = runtime_files(Runtime.COMMON)["ompc_log.cc"]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZE = ["-g1", *SANITIZERS, "-DFEW_TYPES"]
NVCC_FLAGS = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra", "-Werror", "all-warnings"]


def run(command: list[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs without the runtime's variables of this session, but for those given."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OMPC_")}
    checked = {"UBSAN_OPTIONS": "halt_on_error=1:exitcode=98", "ASAN_OPTIONS": "handle_sigill=1"}
    return subprocess.run(command, env=inherited | checked | environment, capture_output=True, text=True, check=False)


def compile_or_fail(command: list[str | Path]) -> None:
    done = run(command)
    assert done.returncode == 0 and done.stderr == "", f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"


def nvcc() -> Nvcc:
    found = find_nvcc(os.environ)
    assert found is not None, "the test needs a marker, nvcc or gpu"
    return found


@dataclass(frozen=True)
class Builder:
    """Keeps executables in `folder`; a lock per executable lets one worker build what the others wait for.

    The part of the runtime that is the same for all is prepared in `runtime`. `messages`, at night: UBSan says what it
    has found, and does not only end the program.
    """

    folder: Path
    runtime: Path
    messages: bool = True

    def emulated(self, name: str, sanitize: bool = False) -> Path:
        target = self.folder / f"{name}-{'sanitized' if sanitize else 'emulated'}"
        flags: list[str | Path] = [*WARNINGS, *(SANITIZE if sanitize else ["-O1"]), *COMMON]
        trapping = () if self.messages else TRAPPING
        options = ("-O0", "-g1", *SANITIZERS, *trapping) if sanitize else ("-O1",)
        cxx = emulating_compiler(self.runtime, options)
        kernels = [cxx, "-std=c++17", "-fopenmp", *contraction_words(contracts=False), "-fno-strict-aliasing", *flags]
        kernels += [*include_words(Runtime.EMULATE), "-x", "c++"]
        with self._locked(target):
            if not target.exists():
                self._host_objects(name, target, flags)
                compile_or_fail([*kernels, "-c", PROGRAMS / f"{name}.cu", "-o", f"{target}.cu.o"])
                link = [cxx, "-fopenmp", *(SANITIZE if sanitize else [])]
                runtime = runtime_object(self.runtime, options)
                compile_or_fail([*link, *self._objects(target), runtime, "-o", target])
        return target

    def on_gpu(self, name: str, architecture: str = "native") -> Path:
        target = self.folder / f"{name}-{architecture}"
        with self._locked(target):
            if not target.exists():
                self._host_objects(name, target, [*WARNINGS, "-O1", *COMMON])
                self._with_nvcc([f"-arch={architecture}", "-c", PROGRAMS / f"{name}.cu", "-o", f"{target}.cu.o"])
                link: list[str | Path] = [f"-arch={architecture}", *nvcc().link_flags(), "-Xcompiler", "-fopenmp"]
                compile_or_fail([nvcc().path, *link, *self._objects(target), self.runtime_of_cuda(), "-o", target])
        return target

    def runtime_of_cuda(self) -> Path:
        """What is the same for every program."""
        target = self.folder / "ompc_rt-cuda.o"
        with self._locked(target):
            if not target.exists():
                units = runtime_units(Runtime.CUDA, Runtime.COMMON, suffix=".cc")
                objects = [self.folder / f"{unit.stem}-cuda.o" for unit in units]
                for unit, output in zip(units, objects, strict=True):
                    self._with_nvcc(["-O1", "-c", unit, "-o", output], keeping_nvcc(self.runtime))
                join(objects, target)
        return target

    def accepted_by_nvcc(self, names: str, architecture: str) -> None:
        """All as one file: most of what one costs is the runtime's header. By day without machine code."""
        source = self.folder / f"{names.replace(' ', '-')}-{architecture}.cu"
        source.write_text("".join(f'#include "{PROGRAMS}/{name}.cu"\n' for name in names.split()))
        until = [f"-arch=sm_{architecture}"] if self.messages else [f"-arch=compute_{architecture}", "-Xcicc", "-O0"]
        self._with_nvcc([*until, "-Xcompiler", "-fsyntax-only", "-c", source, "-o", "/dev/null"])

    def runtime_accepted(self, emulated: bool) -> None:
        """What is the same for every program: by nvcc's host compiler and by a C++ compiler for the emulator."""
        if not emulated:
            self.runtime_of_cuda()  # with the same warnings
            return
        for unit in runtime_units(Runtime.EMULATE, Runtime.COMMON, suffix=".cc"):
            source: list[str | Path] = ["-fsyntax-only", "-c", unit, "-o", "/dev/null"]
            includes = include_words(Runtime.EMULATE, Runtime.COMMON)
            compile_or_fail(["g++", "-std=c++17", *WARNINGS, *includes, *source])

    def plain(self, name: str, source: Path, flags: list[str | Path], compiler: str) -> Path:
        """A program without kernels."""
        target = self.folder / name
        with self._locked(target):
            if not target.exists():
                compile_or_fail([compiler, *WARNINGS, *flags, *COMMON, source, "-o", target])
        return target

    def c_runtime(self, name: str, *flags: str | Path, compiler: str = "gcc") -> Path:
        """What of the runtime is C, as one object file called `name`."""
        target = self.folder / name
        with self._locked(target):
            if not target.exists():
                words: list[str | Path] = [compiler, *WARNINGS, "-std=gnu11", *flags, *COMMON, "-c"]
                objects = [self.folder / f"{name}-{unit.stem}.o" for unit in C_UNITS]
                commands = [[*words, unit, "-o", output] for unit, output in zip(C_UNITS, objects, strict=True)]
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    list(pool.map(compile_or_fail, commands))
                join(objects, target)
        return target

    def _host_objects(self, name: str, target: Path, flags: list[str | Path]) -> None:
        compile_or_fail(["gcc", "-std=gnu11", "-fopenmp", *flags, "-c", PROGRAMS / f"{name}.c", "-o", f"{target}.o"])
        name = f"heap-{sha256(repr(flags).encode()).hexdigest()[:8]}.o"  # the same for all programs
        shutil.copyfile(self.c_runtime(name, *flags, compiler=keeping_c_compiler(self.runtime)), f"{target}.heap.o")

    def _with_nvcc(self, arguments: list[str | Path], command: str | None = None) -> None:
        includes = include_words(Runtime.CUDA, Runtime.COMMON)
        compile_or_fail([command or nvcc().path, *NVCC_FLAGS, *includes, *arguments])

    @staticmethod
    def _objects(target: Path) -> list[str | Path]:
        return [f"{target}.o", f"{target}.cu.o", f"{target}.heap.o"]

    @staticmethod
    def _locked(target: Path) -> _Lock:
        return _Lock(target.with_name(target.name + ".lock"))


class _Lock:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        self._file = self._path.open("w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *error: object) -> None:
        self._file.close()
