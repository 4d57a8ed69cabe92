"""Memory: what data costs that goes to the device and home, beside CUDA by hand, `gcc -fopenmp` and the older levels.

    warm up   one run of each, with a ledger: the bytes moved each way, beside the minimum counted by hand
    rounds    one run of each per round, without a ledger, since timing every copy costs time

A run's time is that of the computing phase by the program's own clock, with all transfers, allocation and page-locking
of the device's side and without the creation of the context: a small loop before the clock starts the device. What has
taken COLUMN_SECONDS leaves the rounds once it has run twice. The product is a record for JSON;
benchmarks/memory_results.py compares it with the bars of benchmarks/memory_suite.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from benchmarks import measure
from benchmarks.columns import Answers, Column, Setup, heading, profiled_run, programs_record
from benchmarks.columns import rounds as in_turns
from benchmarks.memory_suite import study_of
from benchmarks.suite import HOST

COLUMN_SECONDS = 10.0


def rounds(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Run everything once for its traffic, then `runs` times in turns, and check every output against the host's."""
    answers = Answers()
    in_turns(setup, table, lambda column, turn: _run_column(setup, column, turn, answers), progress)


def _run_column(setup: Setup, column: Column, turn: int, answers: Answers) -> None:
    if turn < 0:
        column.runs.append({"round": turn, **_traffic_run(setup, column, answers)})
    elif study_of(column.program.name).timed and not _has_had_its_time(column):
        column.runs.append({"round": turn, **_timed_run(setup, column, answers)})


def _has_had_its_time(column: Column) -> bool:
    timed = [run["whole_seconds"] for run in column.runs if run["round"] >= 0]
    return len(timed) >= 2 and sum(timed) >= COLUMN_SECONDS


def _traffic_run(setup: Setup, column: Column, answers: Answers) -> dict[str, Any]:
    if column.variant in column.program.levels:
        return {"ledger": profiled_run(setup, column, answers)[1].record}
    done = _plain_run(setup, column, answers)
    return {"moved": done.moved, "copying_seconds": done.copying_seconds} if done.moved else {}


def _timed_run(setup: Setup, column: Column, answers: Answers) -> dict[str, Any]:
    done = _plain_run(setup, column, answers)
    if done.own_seconds is None:
        raise measure.MeasurementError("the program did not say how long it took")
    return {"own_seconds": done.own_seconds, "whole_seconds": done.whole_seconds}


def _plain_run(setup: Setup, column: Column, answers: Answers) -> measure.Run:
    executable = setup.executable(column.program, column.variant)
    done = measure.run(executable, column.size, measure.offloaded(setup.environment))
    if column.variant == HOST:
        answers.give(column, done.stdout)
        return done
    answers.check(column, done.stdout)
    refusal = next((line for line in done.stderr.splitlines() if ": runs on the host: " in line), None)
    if refusal is not None:
        raise measure.MeasurementError(refusal)
    return done


def record(setup: Setup, table: list[Column], sizes: str, command: str) -> dict[str, Any]:
    """Everything about the measurement, for JSON: raw numbers of every run, and on what they were measured."""
    return {
        **heading(setup, "memory", sizes, command),
        "column_seconds": COLUMN_SECONDS,
        "programs": programs_record(
            setup,
            table,
            lambda program, size: {
                "minimum": asdict(study_of(program.name).minimum_of(size)),
                "because": study_of(program.name).because,
            },
        ),
    }
