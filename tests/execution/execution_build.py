"""Build a case: with gcc -fopenmp, for its reference output, and with ompc."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from execution_case import Case
from prepared_runtime import SANITIZERS, TRAPPING, emulating_compiler

from ompc.base.cache_directory import cache_directory
from ompc.base.diagnostics import CompileError, format_diagnostic
from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.translation import Translation
from ompc.driver import translate
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.flags import split_flags
from ompc.toolchain.machine.setting import Request, Target, choose_setting


@dataclass
class Workshop:
    """Translates and builds cases, with a tag each, so that several can be compiled as one file.

    Both folders are shared by all workers of the session. `messages`: UBSan says what it has found in kernels, and does
    not only end the program.
    """

    directory: Path
    runtime: Path
    messages: bool = True
    _translations: dict[tuple[str, Level], Translation] = field(default_factory=dict)

    def translation(self, case: Case, level: Level) -> Translation:
        """Made by the first worker that needs it."""
        key = (_key(case), level)
        if key not in self._translations:
            self._translations[key] = self._kept_translation(case, level)
        return self._translations[key]

    def _kept_translation(self, case: Case, level: Level) -> Translation:
        kept = self.directory / f"{_key(case)}-{level.value}.translation"
        if kept.exists():
            found = pickle.loads(kept.read_bytes())
            assert isinstance(found, Translation)
            return found
        made = translate(case.source, replace(_options(case, level), tag=case.name))
        report = partial(dict, made.report)
        kept_empty = {"make_excerpts": dict, "make_kernels": str, "make_device_files": dict, "dumps": {}}
        plain = replace(made, make_report=report, **kept_empty)
        self.directory.mkdir(parents=True, exist_ok=True)
        mine = kept.with_name(f"{kept.name}.{os.getpid()}")
        mine.write_bytes(pickle.dumps(plain))
        mine.rename(kept)
        return plain

    def reference(self, case: Case) -> Path:
        """What gcc makes of the case as it is, made by the first worker that needs it."""
        output = self.directory / _key(case)
        if not output.exists():
            self.directory.mkdir(parents=True, exist_ok=True)
            mine = output.with_name(f"{output.name}.{os.getpid()}")
            command = ["gcc", "-O1", "-w", "-fopenmp", *case.flags, str(case.source), "-o", str(mine), "-lm"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            mine.rename(output)
        return output

    def program(
        self,
        case: Case,
        level: Level,
        target: Target,
        to: Path,
        sanitize: bool = False,
        edit: Callable[[str], str] | None = None,
    ) -> Path:
        """What ompc makes of it, or of the device file that `edit` makes of its own.

        A CompileError is reported as ompc would print it.
        """
        checks = ("-g1", *SANITIZERS) if sanitize else ()
        _, flags = split_flags(["-O0", "-w", *case.flags, *checks])
        trapping = TRAPPING if sanitize and not self.messages else ()
        options = (flags.optimisation, *checks, *trapping)
        cxx = emulating_compiler(self.runtime, options) if target is Target.EMULATE else None
        request = Request(case.source, _options(case, level), flags, target, cxx=cxx)
        cache = Cache(cache_directory(os.environ) if edit is None else to.with_suffix(".cache"), 1 << 40)
        try:
            setting = choose_setting(request, os.environ)
            build_program(request, setting, lambda: _edited(self.translation(case, level), edit), to, cache)
        except CompileError as error:
            raise AssertionError("\n".join(format_diagnostic(d) for d in error.diagnostics)) from None
        return to


def _key(case: Case) -> str:
    """A name for what is made of `case`: many tests call their source program.c, and some change its text."""
    made_of = [str(case.source), *case.flags, case.source.read_text()]
    return f"{case.name}-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}"


def _edited(translation: Translation, edit: Callable[[str], str] | None) -> Translation:
    if edit is None:
        return translation
    device = {translation.device_file: edit(translation.files[translation.device_file])}
    return replace(translation, files={**translation.files, **device})


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
        "OMPC_CHECK": "coherence",
        "OMPC_OFFLOAD": "always",
        "OMPC_SLICE": "4096",
        "ASAN_OPTIONS": "detect_leaks=0:handle_sigill=1:exitcode=99:detect_stack_use_after_return=0",
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
    without = case.without if level is Level.AUTO else frozenset()
    several = case.gpus == "several"
    return Options(level, FloatingPoint(case.fp), flags.preprocess, "gcc", without=without, several_devices=several)
