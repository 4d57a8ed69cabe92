"""Runs of each program, gcc's and ompc's in turns -> the record of a measurement.

    verify    where the entry has it: one run of each, not timed, whose answers are compared instead of all others
    first     one run of each: gcc's answer is the right one, ompc's is what a new user sees, without a history
    rounds    gcc, auto, gcc, auto, ...: these are the runs that count
    launches  one more run of ompc's with a ledger, not timed: how often loops were on the device

ompc's runtime remembers how long runs took (OMPC_HISTORY): each program has a history of its own, which begins empty
and is kept over the runs; the one with the ledger gets a copy of it. What fails ends the runs of that program alone.
Before an answer is called wrong, gcc's program must have given its own one twice.

In: entries that are built.   Out: a record for JSON, without output or text of the programs.
Not here: what it means (results.py).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.columns import Setup, heading
from benchmarks.ledger import Ledger, LedgerError, read_ledger
from benchmarks.suite import HOST
from benchmarks.whole.answers import difference
from benchmarks.whole.building import AUTO, VARIANTS, Copies, built
from benchmarks.whole.listing import STREAMS, Entry
from benchmarks.whole.running import FailedError, Ran, answer_of, run_shell

FIRST = -1
"""The number of the round that comes before those that count."""
UNSTABLE = "unstable"
"""gcc's program says something else than it said before."""
OMPC_VARIABLE = re.compile(r"OMPC_(?!HISTORY|CACHE_DIR|TESTS_)\w+")
"""Variables of the user's that may change what is measured."""
PROFILED_TIME = 2.0
"""How many times as long as others a run with a ledger may take."""


@dataclass(slots=True)
class Column:
    """What was measured of one variant of a program; `failure` is one word, `problem` says all about it."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    build_seconds: float | None = None
    launches: dict[str, Any] | None = None
    problem: str | None = None
    failure: str | None = None

    def fail(self, error: FailedError) -> None:
        """Nothing more is measured."""
        self.problem, self.failure = str(error), error.word


@dataclass(slots=True)
class Subject:
    """One program with its two columns, and what gcc's first run answered."""

    entry: Entry
    columns: dict[str, Column] = field(default_factory=lambda: {variant: Column() for variant in VARIANTS})
    expected: str | None = None

    @property
    def has_failed(self) -> bool:
        """Has anything of it?"""
        return any(column.problem for column in self.columns.values())


def steps_of(runs: int) -> int:
    """How many steps of progress a program has: the first round, those that count, and the one with a ledger."""
    return len(VARIANTS) * (runs + 1) + 1


def measure_all(
    copies: Copies, subjects: Sequence[Subject], runs: int, timeout: float, progress: Callable[[str], None]
) -> None:
    """Measure one program after the other. After an interruption, what was not done says so."""
    try:
        for subject in subjects:
            _measure(copies, subject, runs, timeout, progress)
    except KeyboardInterrupt:
        for subject in subjects:
            if not subject.has_failed and subject.columns[AUTO].launches is None:
                subject.columns[AUTO].fail(FailedError("interrupted", ""))


def read_builds(copies: Copies, subjects: Sequence[Subject]) -> None:
    """Note how the builds went."""
    for subject in subjects:
        for variant, column in subject.columns.items():
            _read_build(copies, subject.entry, variant, column)


def _read_build(copies: Copies, entry: Entry, variant: str, column: Column) -> None:
    try:
        column.build_seconds = built(copies, entry, variant)
    except FailedError as error:
        column.fail(error)


def _measure(copies: Copies, subject: Subject, runs: int, timeout: float, progress: Callable[[str], None]) -> None:
    measuring = _Measuring(copies, subject, subject.entry.timeout or timeout)
    label = subject.entry.label
    steps: list[tuple[str, Callable[[], None]]] = [
        (variant, partial(measuring.turn, variant, turn)) for turn in range(FIRST, runs) for variant in VARIANTS
    ]
    measuring.attempt(HOST, measuring.prepare)
    for variant in VARIANTS if subject.entry.verify else ():
        measuring.attempt(variant, partial(measuring.verify, variant))
    for variant, step in (*steps, (AUTO, measuring.count_launches)):
        measuring.attempt(variant, step)
        progress(f"ran {label}.{variant}")


@dataclass(slots=True)
class _Measuring:
    """The runs of one program."""

    copies: Copies
    subject: Subject
    timeout: float

    def attempt(self, variant: str, step: Callable[[], None]) -> None:
        """Do one thing, unless something has failed before; what fails is the variant's."""
        if not self.subject.has_failed:
            try:
                step()
            except FailedError as error:
                whose = HOST if error.word == UNSTABLE else variant
                self.subject.columns[whose].fail(error)
            except OSError as error:
                self.subject.columns[variant].fail(FailedError("not run", str(error)))

    def prepare(self) -> None:
        """Make the input of both variants, and an empty history."""
        entry, copies = self.subject.entry, self.copies
        shutil.rmtree(self._history, ignore_errors=True)
        self._history.mkdir(parents=True)
        for variant in VARIANTS if entry.prepare else ():
            tree, log = copies.tree(entry, variant), copies.place(entry, variant) / "prepare"
            done = run_shell(entry.prepare, tree, copies.variables(entry, variant), self.timeout, log)
            if done.status != 0:
                raise FailedError("not prepared", done.ending)

    def verify(self, variant: str) -> None:
        """One run of what says more than `run` does; it has no history."""
        self._check(variant, self._run(variant, self.subject.entry.verify, {"OMPC_HISTORY": ""}))

    def turn(self, variant: str, turn: int) -> None:
        """One run that is timed."""
        done = self._timed(variant, {"OMPC_HISTORY": str(self._history)})
        own = done.own_seconds(self.subject.entry.time)
        self.subject.columns[variant].runs.append({"round": turn, "seconds": done.seconds, "own_seconds": own})

    def count_launches(self) -> None:
        """One run with a ledger, whose history is forgotten."""
        place = self.copies.place(self.subject.entry, AUTO)
        ledger, history = place / "ledger.json", place / "history_of_ledger"
        ledger.unlink(missing_ok=True)
        shutil.rmtree(history, ignore_errors=True)
        shutil.copytree(self._history, history)
        self._timed(AUTO, {"OMPC_HISTORY": str(history), "OMPC_PROFILE": str(ledger)}, PROFILED_TIME)
        try:
            self.subject.columns[AUTO].launches = _counted(read_ledger(ledger)) if ledger.exists() else _nothing()
        except LedgerError as error:
            raise FailedError("no ledger", str(error)) from error

    @property
    def _history(self) -> Path:
        return self.copies.place(self.subject.entry, AUTO) / "history"

    def _timed(self, variant: str, more: Mapping[str, str], longer: float = 1.0) -> Ran:
        """One run of `run`, whose answer is compared where no other one was. Raises FailedError."""
        done = self._run(variant, self.subject.entry.run, more, longer)
        if not self.subject.entry.verify:
            self._check(variant, done)
        return done

    def _run(self, variant: str, text: str, more: Mapping[str, str], longer: float = 1.0) -> Ran:
        entry, copies = self.subject.entry, self.copies
        tree = copies.tree(entry, variant)
        for name in entry.answer:
            if name not in STREAMS:
                (tree / name).unlink(missing_ok=True)
        environment = {**copies.variables(entry, variant), **more}
        done = run_shell(text, tree, environment, self.timeout * longer, copies.place(entry, variant) / "run")
        if done.status != entry.status:
            raise FailedError("crashed", done.ending)
        return done

    def _check(self, variant: str, done: Ran) -> None:
        """Is this what gcc's program said first? Raises FailedError."""
        entry, copies, subject = self.subject.entry, self.copies, self.subject
        answer = answer_of(entry, done, copies.tree(entry, variant), copies.place(entry, variant))
        is_first = subject.expected is None
        if subject.expected is None:
            subject.expected = answer
        found = difference(entry.check, entry.ignore, subject.expected, answer)
        if found is None:
            return
        if is_first:
            raise FailedError("no answer", found)
        if variant == AUTO:  # is it ompc's fault? gcc's program is asked again
            self._check(HOST, self._run(HOST, entry.verify or entry.run, {}))
        raise FailedError(UNSTABLE if variant == HOST else "wrong answer", found)


def _counted(ledger: Ledger) -> dict[str, Any]:
    """What a ledger says about launches, without names and lines of the program."""
    regions = ledger.record["regions"]
    return {
        "device": ledger.device,
        "launches": ledger.launches,
        "kept": sum(int(region.get("kept", 0)) for region in regions),
        "refused": ledger.refused,
        "loops": len(regions),
        "loops_launched": sum(int(region["launches"]) > 0 for region in regions),
        "wall_seconds": ledger.record.get("wall_seconds"),
        "parts": ledger.record.get("parts"),
    }


def _nothing() -> dict[str, Any]:
    """Of a program that has no loop with a kernel, and so no runtime that would write a ledger."""
    return {"device": "", "launches": 0, "kept": 0, "refused": 0, "loops": 0, "loops_launched": 0}


def record_of(
    setup: Setup, compilers: Mapping[str, str], subjects: Sequence[Subject], timeout: float, command: str
) -> dict[str, Any]:
    """The record: raw numbers of every run, and on what they were measured."""
    said = heading(setup, "programs", "full", command)
    own = {name: text for name, text in sorted(setup.environment.items()) if OMPC_VARIABLE.fullmatch(name)}
    return {
        **said,
        "environment": {**said["environment"], "processors": os.cpu_count(), "ompc": own},
        "host_compiler": compilers[HOST],
        "ompc_options": compilers[AUTO].partition(" -m ompc ")[2],
        "timeout": timeout,
        "programs": [
            {
                "name": subject.entry.label,
                "suite": subject.entry.suite,
                "variants": {variant: _column_record(column) for variant, column in subject.columns.items()},
            }
            for subject in subjects
        ],
    }


def _column_record(column: Column) -> dict[str, Any]:
    return {
        "problem": column.problem,
        "failure": column.failure,
        "build_seconds": column.build_seconds,
        "launches": column.launches,
        "runs": column.runs,
    }
