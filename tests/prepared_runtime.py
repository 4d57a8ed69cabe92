"""A compiler that has read the emulating runtime's header already, for all device files of a test session.

    <folder>/runtime-.../c++  ompc_rt.h.gch

g++ does not take a precompiled header where the options differ from those that it was made with, and reads the header
itself: so the command has those options last. What of the runtime is the same for every program is compiled once for
the session (kept_runtime.py).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path

from ompc.base.resources import PACKAGE, Runtime, include_words, runtime_files, runtime_units
from ompc.toolchain.commands.fused import contraction_words
from ompc.toolchain.commands.runtime_object import object_mark
from ompc.toolchain.machine.nvcc import require_nvcc
from ompc.toolchain.machine.setting import Target

SANITIZERS = ("-fsanitize=address,undefined", "-fno-omit-frame-pointer")
TRAPPING = ("-fsanitize-undefined-trap-on-error", "--param=asan-instrumentation-with-call-threshold=0", "-lubsan")
"""The same checks in a third less of a compiler's time: UBSan's end the program by a signal instead of a sentence, and
AddressSanitizer, asked to (handle_sigill=1), says in which line. The library is for parts of the program that have
messages, the host's."""
_INCLUDES = include_words(Runtime.EMULATE, Runtime.COMMON)
_KEEPER = Path(__file__).with_name("kept_runtime.py")
_COMPILER, _C_COMPILER = (shutil.which(name) or name for name in ("c++", "cc"))
"""Their places: a test may put something else that is called so on the PATH, and ask it for what it is asked for."""
_SCRIPT = f"""\
#!/bin/sh
case "$*" in *runtime/*ompc_*.cc*)
    exec {sys.executable} -S -E {_KEEPER} "${{0%/*}}/../kept" {_COMPILER} "$@" OPTIONS ;;
esac
exec {_COMPILER} -I"${{0%/*}}" "$@" OPTIONS LINKER
"""
_LINKER = "-fuse-ld=gold" if shutil.which("ld.gold") else ""
"""Programs are linked by the quicker of binutils' linkers, where it is there: hundreds of times, in a third of the
time. Libraries, and what `ompc cc` links, are linked as users link them.
"""
_KEEPING_SCRIPT = f"""\
#!/bin/sh
case "$*" in *runtime/*ompc_*SUFFIX*) exec {sys.executable} -S -E {_KEEPER} "${{0%/*}}/kept" COMPILER "$@" ;; esac
exec COMPILER "$@"
"""
_COMMAND = (_COMPILER, "-std=c++17", "-fopenmp", *contraction_words(contracts=True), "-fno-strict-aliasing")


def emulating_compiler(folder: Path, options: Sequence[str]) -> str:
    """The command of a C++ compiler for kernels that are compiled with `options`; it must link the program too.

    Whoever comes while another process prepares it waits.
    """
    key = sha256(repr((_runtime_digest(), *options)).encode()).hexdigest()[:24]
    made = folder / f"runtime-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            mine = folder / f"runtime-{key}.new"
            shutil.rmtree(mine, ignore_errors=True)
            mine.mkdir()
            _prepare(mine, options)
            mine.rename(made)
    return str(made / "c++")


@cache
def _runtime_digest() -> str:
    """Of the runtime's text, which is all that is compiled here."""
    root = PACKAGE / "runtime"
    parts = ((path.relative_to(root).as_posix(), path.read_bytes()) for path in sorted(root.rglob("ompc_*.*")))
    return sha256(repr(tuple(parts)).encode()).hexdigest()


def compile_apart(folder: Path, apart: bool) -> None:
    """Each file of the runtime that is C++ by itself, or all but one as one."""
    mark = folder / "kept" / "apart"
    if apart:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    else:
        mark.unlink(missing_ok=True)


def keeping_c_compiler(folder: Path) -> str:
    """The command of a C compiler that compiles what of the runtime is C once for the session."""
    return _keeping(folder / "cc", _C_COMPILER, ".c")


def keeping_cxx_compiler(folder: Path) -> str:
    """One of a C++ compiler that compiles kernels as it is told, and the runtime's files once for the session."""
    return _keeping(folder / "c++", _COMPILER, ".cc")


def keeping_nvcc(folder: Path) -> str:
    """The command of nvcc, with the runtime's files for the host compiled once for the session."""
    return _keeping(folder / "nvcc", str(require_nvcc(os.environ).path), ".cc")


def _keeping(command: Path, compiler: str, suffix: str) -> str:
    if not command.exists():
        command.parent.mkdir(parents=True, exist_ok=True)
        mine = command.with_name(f"{command.name}.{os.getpid()}")
        mine.write_text(_KEEPING_SCRIPT.replace("COMPILER", compiler).replace("SUFFIX", suffix))
        mine.chmod(0o755)
        mine.rename(command)
    return str(command)


def hasty_compiler(folder: Path) -> str:
    """One for objects of `ompc cc` to which it does not matter how kernels are compiled: without optimising."""
    mark = f"-DOMPC_OBJECT={object_mark(Target.EMULATE)}"
    return emulating_compiler(folder, ("-O0", "-fPIC", "-g0", mark))


def runtime_object(folder: Path, options: Sequence[str]) -> Path:
    """The part of the runtime that is the same for every program, for those that `ompc build` does not link."""
    compiler = Path(emulating_compiler(folder, options))
    made = compiler.with_name("ompc_rt.o")
    if not made.exists():
        mine = made.with_name(f"ompc_rt.o.{os.getpid()}")
        # As `ompc build` has them.
        words = ("-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-gnu-unique", *_INCLUDES)
        units = runtime_units(Runtime.EMULATE, Runtime.COMMON, suffix=".cc")
        objects = [mine.with_name(f"{unit.stem}.o.{os.getpid()}") for unit in units]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda unit, output: _compile(compiler, *words, "-c", unit, "-o", output), units, objects))
        join(objects, mine)
        mine.rename(made)
    return made


def join(objects: Sequence[Path], made: Path) -> None:
    """One object file of several."""
    _compile("ld", "-r", *objects, "-o", made)
    for each in objects:
        each.unlink()


def _prepare(made: Path, options: Sequence[str]) -> None:
    header = runtime_files(Runtime.EMULATE)["ompc_rt.h"]
    reading = (option for option in options if not option.startswith("-l"))  # gcc would link a header
    _compile(*_COMMAND, *reading, *_INCLUDES, "-x", "c++-header", header, "-o", made / "ompc_rt.h.gch")
    command = made / "c++"
    linker = "" if "-fPIC" in options else _LINKER
    command.write_text(_SCRIPT.replace("OPTIONS", " ".join(options)).replace("LINKER", linker))
    command.chmod(0o755)


def _compile(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
