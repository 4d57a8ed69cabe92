"""`ompc doctor --calibrate`: measure once what copies, page-locking and launches cost on this machine.

    ~/.config/ompc/calibration/NVIDIA-H200.txt        # 2026-11-21, node7 ...
                                                      format = 1
                                                      device = NVIDIA H200
                                                      lock_call_nanoseconds = 51234

A small program (runtime/measure) is built with the target's compiler and run; what it prints is the file, which
translated programs read when they start on a device of that name (runtime/device/ompc_calibration.h has the format).

In: the environment, the target, a function that is told each line of progress.   Out: the file that was written;
CompileError OMPC401, OMPC403, OMPC404, OMPC407, OMPC411, OMPC414.
Not here: what the numbers decide -- runtime/cost/ompc_costs.h.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import ompc
from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.base.resources import Runtime, include_words, measuring_directory
from ompc.toolchain.machine.cc import find_cxx_compiler, run_tool
from ompc.toolchain.machine.gpu import find_gpu
from ompc.toolchain.machine.nvcc import architecture_flag, require_nvcc
from ompc.toolchain.machine.setting import Target
from ompc.toolchain.machine.user_settings import file_stem, settings_directory

LARGEST_BUFFER = {Target.CUDA: 256 << 20, Target.EMULATE: 16 << 20}
"""The largest buffer that is copied, in bytes: copies of that size run at the full speed of the bus."""

_NUMBER = re.compile(r"(\w+) = ([1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Calibration:
    """A file of measurements: the words about where they come from, and the numbers."""

    path: Path
    words: Mapping[str, str]
    numbers: Mapping[str, int]

    @property
    def is_usable(self) -> bool:
        """As far as can be said without the runtime, which checks every line."""
        return self.words.get("format") == "1" and len(self.numbers) > 1

    def summary(self) -> str:
        """The numbers that decide most, in one line."""

        def rate(key: str) -> str:
            return f"{self.numbers.get(key, 0) / 1e9:.1f}"

        pageable = f"{rate('pageable_in_bytes_per_second')} and {rate('pageable_out_bytes_per_second')}"
        locked = f"{rate('locked_in_bytes_per_second')} and {rate('locked_out_bytes_per_second')}"
        lock = self.numbers.get("lock_nanoseconds_per_gigabyte", 0) / 1e6
        return f"copies in and out {pageable} GB/s, page-locked {locked} GB/s, page-locking {lock:.3g} ms/GB"


def calibration_directory(environ: Mapping[str, str]) -> Path | None:
    """Where the files of all devices are; None: there is no place for the user's settings."""
    directory = settings_directory(environ)
    return None if directory is None else directory / "calibration"


def calibration_file(environ: Mapping[str, str], device: str) -> Path:
    """Where a program on this device looks. CompileError OMPC411: nowhere."""
    if environ.get("OMPC_CALIBRATION"):
        return Path(environ["OMPC_CALIBRATION"])
    directory = calibration_directory(environ)
    if directory is None:
        message = "there is no place for the measurements: neither XDG_CONFIG_HOME nor HOME is set"
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, message, help="name a file in OMPC_CALIBRATION"))
    return directory / f"{file_stem(device)}.txt"


def read_calibration(path: Path) -> Calibration | None:
    """None: it cannot be read."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return None
    return _parsed(path, text)


def stored_calibrations(environ: Mapping[str, str]) -> tuple[Calibration, ...]:
    """Those that programs would find, in the order of their names."""
    if environ.get("OMPC_CALIBRATION"):
        paths = [Path(environ["OMPC_CALIBRATION"])]
    else:
        directory = calibration_directory(environ)
        paths = sorted(directory.glob("*.txt")) if directory is not None and "OMPC_CALIBRATION" not in environ else []
    found = (read_calibration(path) or Calibration(path, {}, {}) for path in paths)
    return tuple(found)


def calibrate(environ: Mapping[str, str], target: Target, say: Callable[[str], None]) -> Calibration:
    """Measure and store; takes some seconds, half of them for the compiler."""
    if target is Target.CUDA:
        machine = find_gpu(environ)
        if not machine.gpus:
            reason = machine.problem or "no GPU was found"
            help_ = "translated programs use built-in numbers until then; run it where they will run"
            raise CompileError(Diagnostic("OMPC414", Kind.ERROR, f"nothing can be measured: {reason}", help=help_))
    with temporary_directory("ompc-calibrate-") as directory:
        program = Path(directory) / "measure"
        say("compiling the measuring program")
        _compile(environ, target, program)
        lines = _measure(program, environ, target, say)
    header = f"# measured by ompc {ompc.__version__}; ompc doctor --calibrate measures anew"
    about = [f"host = {platform.node()}", f"date = {datetime.date.today().isoformat()}"]
    text = "\n".join([header, "format = 1", *about, *lines]) + "\n"
    device = _parsed(Path(), text).words.get("device", "")
    path = calibration_file(environ, device)
    _write(path, text)
    say(f"wrote {path}")
    return _parsed(path, text)


def _compile(environ: Mapping[str, str], target: Target, program: Path) -> None:
    """CompileError OMPC401, OMPC407: no compiler; OMPC403, OMPC404: it fails."""
    source, cxx = measuring_directory() / "measure.cu", find_cxx_compiler(environ)
    own = [*include_words(Runtime.COMMON), f"-I{measuring_directory() / target.value}"]
    if target is Target.CUDA:
        nvcc = require_nvcc(environ)
        compiler = [str(nvcc.path), "-ccbin", str(cxx.path), architecture_flag("native", find_gpu(environ).capability)]
        command = [*compiler, "--cudart", "static", *nvcc.link_flags(), *own, str(source)]
    else:
        command = [*cxx.command, *own, "-x", "c++", str(source)]
    outcome = run_tool([*command, "-std=c++17", "-O2", "-o", str(program)], environ)
    if not outcome.ok:
        code = "OMPC403" if target is Target.CUDA else "OMPC404"
        message = "the compiler could not build the measuring program"
        raise CompileError(Diagnostic(code, Kind.ERROR, message, notes=(outcome.text.rstrip(),)))


def _measure(program: Path, environ: Mapping[str, str], target: Target, say: Callable[[str], None]) -> list[str]:
    """The program's lines, each comment of which is progress. CompileError OMPC414."""
    lines: list[str] = []
    words = [str(program), str(LARGEST_BUFFER[target])]
    try:
        with subprocess.Popen(
            words,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as child:
            for line in child.stdout or ():
                lines.append(line.rstrip("\n"))
                if line.startswith("# "):
                    say(line[2:].rstrip("\n"))
    except OSError as error:
        raise CompileError(Diagnostic("OMPC413", Kind.ERROR, f"cannot start {program}: {error.strerror}")) from None
    if child.returncode != 0:
        reason = lines[-1] if lines else f"the measuring program ended with status {child.returncode}"
        raise CompileError(Diagnostic("OMPC414", Kind.ERROR, f"nothing can be measured: {reason}"))
    return lines


def _parsed(path: Path, text: str) -> Calibration:
    words: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for line in text.splitlines():
        key, equals, value = line.partition(" = ")
        number = _NUMBER.fullmatch(line)
        if number is not None and key != "format":
            numbers[key] = int(number[2])
        elif equals and not line.startswith("#"):
            words[key] = value
    return Calibration(path, words, numbers)


def _write(path: Path, text: str) -> None:
    """In one step, so that a program that starts meanwhile reads the old file or the new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".new-{os.getpid()}")
        fresh.write_text(text)
        fresh.replace(path)
    except OSError as error:
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {path}: {error.strerror}")) from None
