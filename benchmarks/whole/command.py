"""The command `python -m benchmarks programs FOLDER`: its options, and what is done in which order."""

from __future__ import annotations

import argparse
import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.columns import Setup
from benchmarks.options import add_measurement, add_stages, positive
from benchmarks.progress import steps
from benchmarks.results import problems
from benchmarks.whole.building import VARIANTS, Copies, build_all, compilers
from benchmarks.whole.finding import first_list
from benchmarks.whole.listing import LIST, Entry, ListError, read_list
from benchmarks.whole.measuring import Subject, measure_all, read_builds, record_of, steps_of

SECONDS = 300.0
"""How long a run may take, if the user does not say."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the programs are")
    parser.add_argument("--list", type=Path, help=f"the list of programs (default: {LIST} in FOLDER)")
    parser.add_argument("--runs", type=positive, default=3, help="of each, behind the first (default: %(default)s)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this program or suite (may be repeated)")
    parser.add_argument("--threads", type=positive, help="OMP_NUM_THREADS (default: as it is)")
    parser.add_argument("--timeout", type=_seconds, default=SECONDS, help="seconds of a run (default: %(default)g)")
    add_measurement(parser, "copies and executables")
    stages = add_stages(parser)
    stages.add_argument("--find", action="store_true", help="write a first list of what is in FOLDER, and stop")


def run(
    parser: argparse.ArgumentParser,
    options: argparse.Namespace,
    arguments: Sequence[str],
    write: Callable[[dict[str, Any]], None],
) -> int:
    """Do what the options say; a record goes to `write`. Exit status: 1 where a program failed."""
    folder = options.folder.resolve()
    if not folder.is_dir():
        parser.error(f"{options.folder}: no such folder")
    path = options.list or folder / LIST
    if options.find:
        return _find(parser, folder, path)
    if (options.build_only or options.reuse) and options.work is None:
        parser.error("--build-only and --reuse need --work")
    entries = _chosen(parser, options, path, folder)
    with tempfile.TemporaryDirectory(prefix="ompc-benchmarks-") as scratch:
        work = (options.work or Path(scratch)).resolve()
        copied = {(folder / name).resolve() for entry in entries for name in (entry.folder, *entry.also)}
        if copied & {work, *work.parents}:
            parser.error("--work lies in a folder that is copied to it")
        copies = Copies(folder, work, _environment(options), _compilers(options))
        return _measure(options, arguments, entries, copies, write)


def _find(parser: argparse.ArgumentParser, folder: Path, path: Path) -> int:
    text, count = first_list(folder)
    if not count:
        print(f"{folder}: no C program with OpenMP")
        return 1
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        parser.error(f"{path} is there already; --list names another file")
    except OSError as error:
        parser.error(f"{path}: {error.strerror}")
    print(f"{count} programs in {path}: all of it is a guess, look through it")
    return 0


def _chosen(
    parser: argparse.ArgumentParser, options: argparse.Namespace, path: Path, folder: Path
) -> tuple[Entry, ...]:
    try:
        entries = read_list(path, folder)
    except ListError as error:
        parser.error(str(error))
    for name in options.only or ():
        if not any(entry.is_called(name) for entry in entries):
            parser.error(f"--only: no program or suite {name!r} in {path}")
    wanted = options.only or [entry.label for entry in entries]
    return tuple(entry for entry in entries if any(entry.is_called(name) for name in wanted))


def _environment(options: argparse.Namespace) -> dict[str, str]:
    threads = {"OMP_NUM_THREADS": str(options.threads)} if options.threads else {}
    return {**os.environ, **threads}


def _compilers(options: argparse.Namespace) -> dict[str, str]:
    return compilers(options.target, options.arch, options.fp)


def _measure(
    options: argparse.Namespace,
    arguments: Sequence[str],
    entries: Sequence[Entry],
    copies: Copies,
    write: Callable[[dict[str, Any]], None],
) -> int:
    load = os.getloadavg()[0]  # before it is ours
    if not options.reuse:
        with steps("build", len(entries) * len(VARIANTS)) as progress:
            build_all(copies, entries, options.jobs, progress)
    subjects = [Subject(entry) for entry in entries]
    read_builds(copies, subjects)
    if not options.build_only:
        with steps("run", len(entries) * steps_of(options.runs)) as progress:
            measure_all(copies, subjects, options.runs, options.timeout, progress)
    command = shlex.join(["python", "-m", "benchmarks", *arguments])
    setup = Setup((), options.target, options.runs, copies.work, copies.environment, options.jobs, options.arch)
    record = record_of(setup, copies.compilers, subjects, options.timeout, command)
    record["environment"]["load"] = load
    if options.build_only:
        print("\n".join(problems(record)) or f"built in {copies.work}")
    else:
        write(record)
    return 1 if problems(record) else 0


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("more than 0 seconds are wanted")
    return value
