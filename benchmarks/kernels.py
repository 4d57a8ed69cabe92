"""Kernels: what ompc makes of a loop, beside CUDA by hand, cuBLAS, other compilers' offloading and `gcc -fopenmp`.

    odd rounds    (from -1, which warms up too) with a ledger: the seconds of the kernels
    even rounds   without one: the computing phase by the program's own clock, with transfers, allocation, page-locking

Programs written by hand time their kernels by the device's events in odd rounds. The host, and what has taken
COLUMN_SECONDS, leaves the rounds once it has run twice. The product is a record for JSON; benchmarks/kernels_results.py
makes ratios of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from benchmarks import measure
from benchmarks.columns import Answers, Column, Setup, heading, profiled_run, programs_record
from benchmarks.columns import rounds as in_turns
from benchmarks.kernels_suite import kernel_of
from benchmarks.ledger import Ledger
from benchmarks.suite import CHOOSING, HOST

COLUMN_SECONDS = 6.0
STARTS_THE_DEVICE = "start_device"
"""The function whose loop is no part of a program's work."""


def rounds(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Run everything `runs` + 1 times in turns, and check every output against the host's."""
    answers = Answers()
    in_turns(setup, table, lambda column, turn: _run_column(setup, column, turn, answers), progress)


def _run_column(setup: Setup, column: Column, turn: int, answers: Answers) -> None:
    if not _has_had_its_time(column):
        column.runs.append({"round": turn, **_run(setup, column, turn % 2 != 0, answers)})


def _has_had_its_time(column: Column) -> bool:
    seconds = sum(run["whole_seconds"] for run in column.runs)
    return len(column.runs) >= 2 and (column.variant == HOST or seconds >= COLUMN_SECONDS)


def _run(setup: Setup, column: Column, with_kernels: bool, answers: Answers) -> dict[str, Any]:
    if with_kernels and column.variant in column.program.levels:
        done, ledger = profiled_run(setup, column, answers)
        return {"whole_seconds": done.whole_seconds, **_from_ledger(ledger)}
    done = _plain_run(setup, column, with_kernels, answers)
    if done.own_seconds is None:
        raise measure.MeasurementError("the program did not say how long it took")
    record = {"whole_seconds": done.whole_seconds, "repetition_seconds": done.repetition_seconds}
    if done.kernel_seconds is not None:
        return {**record, "kernel_seconds": done.kernel_seconds}
    return {**record, "own_seconds": done.own_seconds}


def _from_ledger(ledger: Ledger) -> dict[str, Any]:
    """The kernels of the program's own loops, by loop."""
    regions = [r for r in ledger.record["regions"] if not r["id"].startswith(STARTS_THE_DEVICE)]
    loops = {region["id"]: [region["launches"], region["kernel_seconds"]] for region in regions}
    return {"kernel_seconds": sum(seconds for _, seconds in loops.values()), "loops": loops}


def _plain_run(setup: Setup, column: Column, with_kernels: bool, answers: Answers) -> measure.Run:
    executable = setup.executable(column.program, column.variant)
    if column.variant in column.program.peers and not executable.exists():
        raise measure.SkippedError("not built")
    done = measure.run(executable, column.size, _environment(setup, column.variant, with_kernels))
    if column.variant == HOST:
        answers.give(column, done.stdout)
        return done
    answers.check(column, done.stdout)
    if column.variant == CHOOSING:
        return done
    refusal = next((line for line in done.stderr.splitlines() if ": runs on the host: " in line), None)
    if refusal is not None:
        raise measure.MeasurementError(refusal)
    return done


def _environment(setup: Setup, variant: str, with_kernels: bool) -> dict[str, str]:
    if variant == CHOOSING:
        return measure.eager(setup.environment)
    return measure.timing_kernels(setup.environment) if with_kernels else measure.offloaded(setup.environment)


def record(setup: Setup, table: list[Column], sizes: str, command: str) -> dict[str, Any]:
    """Everything about the measurement, for JSON: raw numbers of every run, and on what they were measured."""
    return {
        **heading(setup, "kernels", sizes, command),
        "column_seconds": COLUMN_SECONDS,
        "programs": programs_record(
            setup,
            table,
            lambda program, size: {
                "repetitions": kernel_of(program.name).repetitions_of(size),
                "work": asdict(kernel_of(program.name).work_of(size)),
            },
        ),
    }
