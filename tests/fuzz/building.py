"""A file of cases -> gcc's program, and ompc's programs at each level.

gcc's program is built twice: as it is, for what it prints, and with AddressSanitizer and UBSan, whose findings are
mistakes of the generator. What that one prints means nothing: gcc's atomic updates are not atomic under UBSan.

In: C text.   Out: executables, or `Failed` with the stage and a text that is the same for the same fault.
"""

from __future__ import annotations

import os
import re
import subprocess
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, InternalError, format_diagnostic
from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.translation import Translation
from ompc.driver import translate
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.flags import split_flags
from ompc.toolchain.machine.setting import Request, Target, choose_setting
from tests.prepared_runtime import SANITIZERS, TRAPPING, emulating_compiler

from .one_form import with_one_form

REFERENCE = ["gcc", "-O0", "-w", "-fopenmp"]
SEQUENTIAL = ["-fno-openmp"]
"""The directives mean nothing: gcc 12 loses iterations of collapsed loops with `char` counters."""
SANITIZED = ["-g1", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
COMPILE_SECONDS = 120
CACHE_BYTES = 1 << 29
UNOPTIMISED = "-O0"
NOT_WANTED = tuple(
    f"-fno-{name}"
    for name in """rerun-cse-after-loop dse move-loop-invariants if-conversion if-conversion2 shrink-wrap tree-ch ivopts
    cprop-registers compare-elim reorder-blocks combine-stack-adjustments split-wide-types forward-propagate tree-pta
    tree-dominator-opts tree-dse tree-sink tree-slsr tree-loop-im ssa-phiopt guess-branch-probability""".split()
)
"""A third of what -O1 costs, and nothing that brings products and sums together."""


@dataclass(frozen=True, slots=True)
class Failed(Exception):
    """`kind`: generator, traceback, internal, compile, ...; `key` is equal for equal faults."""

    kind: str
    key: str
    detail: str


@dataclass
class Workshop:
    """Where programs are built, and where the prepared runtime is kept; one for each process."""

    directory: Path
    target: Target = Target.EMULATE
    runtime: Path | None = None
    fp: FloatingPoint = FloatingPoint.DEFAULT
    optimise: str = "-O0"
    """With -O1, kernels are contracted as on a GPU."""
    messages: bool = True
    """UBSan says what it has found in kernels, and does not only end the program."""
    devices: int = 1
    """How many there are, emulated; each does a part of the launches where it may."""
    sanitize: bool = True
    """Kernels of the level `auto`, and gcc's programs before they are run. Most of the time goes there."""

    def reference(self, source: Path, more: Sequence[str] = ()) -> Path:
        program = source.with_suffix(f".{'-'.join(more)[:20].replace('=', '')}.reference")
        try:
            done = subprocess.run(
                [*REFERENCE, *more, str(source), "-o", str(program), "-lm", "-lgomp"],
                capture_output=True,
                text=True,
                timeout=COMPILE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise Failed("generator", "gcc needs too long", "") from None
        if done.returncode:
            raise Failed("generator", _first_error(done.stderr), done.stderr[:2000])
        return program

    def accepted(self, source: Path) -> bool:
        """Whether gcc takes the file: quicker than building it."""
        command = ["gcc", "-w", "-fopenmp", "-fsyntax-only", str(source)]
        return subprocess.run(command, capture_output=True, timeout=COMPILE_SECONDS).returncode == 0

    def translation(self, source: Path, level: Level) -> Translation:
        try:
            found = translate(source, self._options(level))
            assert found.report  # made when it is asked for
            return found
        except CompileError as error:
            text = "\n".join(format_diagnostic(d) for d in error.diagnostics)
            raise Failed("refused", error.diagnostics[0].code, text) from None
        except InternalError as error:
            raise Failed("internal", _without_numbers(str(error).splitlines()[0]), str(error)[:3000]) from None
        except Exception as error:  # whatever it is, it is a bug that must be reported
            frame = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.name}"
            raise Failed("traceback", key, traceback.format_exc()[-3000:]) from None

    def _options(self, level: Level) -> Options:
        return Options(level, self.fp, cc="gcc", several_devices=self.devices > 1)

    def program(self, source: Path, level: Level, translation: Translation, points: int | None = None) -> Path:
        """`points`: the value of OMPC_TILES of all runs; None: any."""
        checks = ("-g1", *SANITIZERS) if self.sanitize and level is Level.AUTO and self.target is Target.EMULATE else ()
        _, flags = split_flags([UNOPTIMISED if self.target is Target.EMULATE else self.optimise, "-w", *checks])
        cxx = None
        if self.target is Target.EMULATE:
            trapping = TRAPPING if checks and not self.messages else ()
            options = (*self._of_kernels(), *checks, *trapping)
            cxx = emulating_compiler(self.runtime or self.directory, options)
            translation = translation if points is None else _with_one_form(translation, points)
        request = Request(source, self._options(level), flags, self.target, cxx=cxx)
        program = source.with_suffix(f".{level.value}")
        try:
            setting = choose_setting(request, os.environ)
            cache = Cache((self.runtime or self.directory) / "cache", CACHE_BYTES)
            build_program(request, setting, lambda: translation, program, cache)
        except CompileError as error:
            text = "\n".join(format_diagnostic(d) for d in error.diagnostics)
            raise Failed("compile", _first_error(text), text[:3000]) from None
        return program

    def _of_kernels(self) -> tuple[str, ...]:
        """Optimising matters where something may be contracted."""
        if self.fp is FloatingPoint.STRICT or self.optimise == UNOPTIMISED:
            return (UNOPTIMISED,)
        return (self.optimise, *NOT_WANTED)


def _with_one_form(translation: Translation, points: int) -> Translation:
    files = {k: with_one_form(text, points) if k.endswith(".cu") else text for k, text in translation.files.items()}
    return replace(translation, files=files)


def _first_error(text: str) -> str:
    """The first error message without what names this program alone."""
    found = re.search(r"error: (.*)", text)
    if found is None:
        found = re.search(r"(undefined reference.*|.*)", text)
    return _without_numbers(found[1] if found else text)[:120]


def _without_numbers(text: str) -> str:
    text = re.sub(r"[‘'`][^’']*[’']", "...", text)
    return re.sub(r"\d+", "0", text)
