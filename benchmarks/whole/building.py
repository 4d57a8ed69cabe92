"""Each program in copies of its folder: one is built by gcc, one by `ompc cc`.

    WORK/NAS_CG/host/tree/npb/CG     the copy, in which `build`, `prepare` and `run` are run
    WORK/NAS_CG/host/program         $OUT
    WORK/NAS_CG/host/build.json      how that went, for --reuse; build.stdout and build.stderr have the words
    WORK/NAS_CG/auto/...             the same by ompc

What compilers have made in the user's folder (objects, libraries, executables) is not copied: make would take it for
up to date, and both would be measured with it.

In: entries.   Out: executables.   Not here: runs (measuring.py).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suite import HOST
from benchmarks.whole.listing import Entry
from benchmarks.whole.running import FailedError, end_all, run_shell

AUTO = "auto"
VARIANTS = (HOST, AUTO)
GCC = "gcc"
BUILD_SECONDS = 1800.0
ROOT = Path(__file__).resolve().parents[2]
MADE_BY_COMPILERS = (b"\x7fELF", b"!<arch>\n", b"!<thin>\n")
VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})


@dataclass(frozen=True, slots=True)
class Copies:
    """Where copies of the programs of `folder` are, and with what they are built and run."""

    folder: Path
    work: Path
    environment: Mapping[str, str]
    compilers: Mapping[str, str]

    def place(self, entry: Entry, variant: str) -> Path:
        """All that one variant of a program has."""
        return self.work / entry.place / variant

    def tree(self, entry: Entry, variant: str) -> Path:
        """Its copy of the program's folder."""
        return self.place(entry, variant) / "tree" / entry.folder

    def variables(self, entry: Entry, variant: str) -> dict[str, str]:
        """The environment of `build`, `prepare` and `run`."""
        own = {"CC": self.compilers[variant], "OUT": str(self.place(entry, variant) / "program")}
        return {**self.environment, **entry.environment, **own, "NAME": entry.name, "FOLDER": str(self.folder)}


def compilers(target: str, arch: str | None, fp: str) -> dict[str, str]:
    """What $CC is for each variant."""
    of_gpu = f" --arch {arch}" if arch is not None and target == "cuda" else ""
    ompc = f"{sys.executable} -m ompc cc --cc {GCC} --opt auto --fp {fp} --target {target}{of_gpu}"
    return {HOST: GCC, AUTO: ompc}


def build_all(copies: Copies, entries: Sequence[Entry], jobs: int, progress: Callable[[str], None]) -> None:
    """Build every variant of every program, `jobs` at a time; how it went is in their build.json."""
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        wanted = [pool.submit(_build, copies, entry, variant) for entry in entries for variant in VARIANTS]
        for job in wanted:
            progress(f"built {job.result()}")
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        end_all()
        raise


def _build(copies: Copies, entry: Entry, variant: str) -> str:
    place = copies.place(entry, variant)
    report: dict[str, str | float | None] = {"problem": None, "seconds": 0.0}
    try:
        if place.exists():
            shutil.rmtree(place)
        place.mkdir(parents=True)
        _copy(copies.folder, (entry.folder, *entry.also), place / "tree")
        report["seconds"] = _run_build(copies, entry, variant)
    except (OSError, shutil.Error, RecursionError) as error:
        report["problem"] = f"the folder could not be copied: {str(error)[:200]}"
    except FailedError as error:
        report["problem"] = error.details
    if place.is_dir():
        (place / "build.json").write_text(json.dumps(report), encoding="utf-8")
    return f"{entry.label}.{variant}"


def _run_build(copies: Copies, entry: Entry, variant: str) -> float:
    path = os.pathsep.join(filter(None, [str(ROOT), copies.environment.get("PYTHONPATH")]))
    environment = {**copies.variables(entry, variant), "PYTHONPATH": path}
    place = copies.place(entry, variant)
    done = run_shell(entry.build, copies.tree(entry, variant), environment, BUILD_SECONDS, place / "build")
    if done.status != 0:
        raise FailedError("not built", f"exit status {done.status}: {_first_error(done.stderr)}")
    return done.seconds


def _first_error(text: str) -> str:
    """The line by which a compiler or linker says what is wrong; else the last one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = (line for line in lines if "error" in line or "undefined reference" in line)
    return next(told, lines[-1] if lines else "it said nothing")[:160]


def _copy(folder: Path, names: Iterable[str], to: Path) -> None:
    for name in names:
        source, copy = folder / name, to / name
        if source.is_dir():
            shutil.copytree(source, copy, ignore=_left_out, ignore_dangling_symlinks=True, dirs_exist_ok=True)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)


def _left_out(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in VERSION_CONTROL or _is_made(Path(folder) / name)}


def _is_made(path: Path) -> bool:
    """By a compiler or a linker? What is no plain file cannot be copied, but for folders."""
    if path.is_dir():
        return False
    if not path.is_file():
        return True
    with path.open("rb") as file:
        return file.read(8).startswith(MADE_BY_COMPILERS)


def built(copies: Copies, entry: Entry, variant: str) -> float:
    """The seconds that a build took. Raises FailedError where there is none."""
    try:
        report = json.loads((copies.place(entry, variant) / "build.json").read_text(encoding="utf-8"))
        problem, seconds = report["problem"], float(report["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FailedError("not built", "there is nothing of it in --work") from error
    if problem is not None:
        raise FailedError("not built", problem)
    return seconds
