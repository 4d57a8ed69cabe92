"""Build a case: with gcc -fopenmp, for its reference output, and with ompc."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from execution_case import Case

from ompc.diagnostics import CompileError, format_diagnostic
from ompc.driver import translate
from ompc.options import FloatingPoint, Level, Options
from ompc.resources import Runtime, package_digest, runtime_directory
from ompc.toolchain.build import build_program
from ompc.toolchain.cache import Cache, cache_directory
from ompc.toolchain.flags import split_flags
from ompc.toolchain.setting import Request, Target, choose_setting
from ompc.translation import Translation

SANITIZE = "-fsanitize=address,undefined"


@dataclass
class Workshop:
    """Translates and builds cases. `directory` is shared by all workers of the session."""

    directory: Path
    _translations: dict[tuple[Path, Level], Translation] = field(default_factory=dict)

    def translation(self, case: Case, level: Level) -> Translation:
        key = (case.source, level)
        if key not in self._translations:
            self._translations[key] = translate(case.source, _options(case, level))
        return self._translations[key]

    def reference(self, case: Case) -> Path:
        """What gcc makes of the case as it is."""
        return self._once(
            ["gcc", "-O1", "-w", "-fopenmp", *case.flags, str(case.source)], case.source.read_bytes(), after=["-lm"]
        )

    def program(self, case: Case, level: Level, target: Target, to: Path, sanitize: bool = False) -> Path:
        """What ompc makes of it. A CompileError is reported as ompc would print it."""
        _, flags = split_flags(["-O0", "-g1", "-w", *case.flags, *([SANITIZE] if sanitize else [])])
        cxx = f"c++ -I{self._precompiled(sanitize)}" if target is Target.EMULATE else None
        request = Request(case.source, _options(case, level), flags, target, cxx=cxx)
        cache = Cache(cache_directory(os.environ), 1 << 40)
        try:
            setting = choose_setting(request, os.environ)
            build_program(request, setting, lambda: self.translation(case, level), to, cache)
        except CompileError as error:
            raise AssertionError("\n".join(format_diagnostic(d) for d in error.diagnostics)) from None
        return to

    def _precompiled(self, sanitize: bool) -> Path:
        """A directory with the emulating runtime's header, precompiled with the options of these builds.

        Parsing it is half of a small kernel's compile time. g++ ignores it where the options differ.
        """
        sanitizers = [SANITIZE] if sanitize else []
        header = runtime_directory(Runtime.EMULATE) / "ompc_rt.h"
        command = ["c++", *("-std=c++17", "-O0", "-fopenmp", "-ffp-contract=off", "-g1"), *sanitizers]
        command += [
            *(f"-I{runtime_directory(kind)}" for kind in (Runtime.EMULATE, Runtime.COMMON)),
            "-x",
            "c++-header",
            str(header),
        ]
        made = self._once(command, package_digest().encode(), name="ompc_rt.h.gch")
        return made.parent

    def _once(self, command: Sequence[str], content: bytes, after: Sequence[str] = (), name: str = "program") -> Path:
        """The output of a compiler, made by the first worker that needs it."""
        key = sha256(repr((command, content)).encode()).hexdigest()[:24]
        output = self.directory / key / name
        if not output.exists():
            output.parent.mkdir(parents=True, exist_ok=True)
            mine = output.with_name(f"{name}.{os.getpid()}")
            done = subprocess.run([*command, "-o", str(mine), *after], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            mine.rename(output)
        return output


@dataclass(frozen=True)
class Ran:
    """How one run of a program ended."""

    status: int
    out: str
    err: str


def run(program: Path, arguments: Sequence[str], environ: Mapping[str, str] | None = None) -> Ran:
    """Run to the end, with four OpenMP threads that do not spin."""
    settings = {
        "OMP_NUM_THREADS": "4",
        "OMP_WAIT_POLICY": "passive",
        "ASAN_OPTIONS": "detect_leaks=0:exitcode=99:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS": "halt_on_error=1:exitcode=98:print_stacktrace=1",
    }
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "OMPC_"))}
    done = subprocess.run(
        [str(program), *arguments],
        env={**env, **settings, **(environ or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def _options(case: Case, level: Level) -> Options:
    _, flags = split_flags(case.flags)
    return Options(level, FloatingPoint(case.fp), flags.preprocess, "gcc")
