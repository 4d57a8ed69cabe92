"""Figure 16 of the thesis, with ompc's own level beside it: where does the time of each program go?

The thesis runs five programs as OpenMPC translates them and as its proposal does, splits each run into copies to the
device, kernels, copies from the device and the rest, and sets OpenMPC's time to 1. Here `--opt baseline` stands for
OpenMPC, `--opt thesis` for the proposal, and `--opt auto` is ompc.

    build     every program with gcc (the right answer) and at every level
    warm up   one run of each, not counted
    rounds    one run of each per round, so that a drift of the machine touches all alike

The product is a record of raw numbers, made for JSON; benchmarks/results.py computes the figure from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.columns import Answers, Column, Setup, heading, profiled_run, programs_record
from benchmarks.columns import rounds as in_turns
from benchmarks.suite import HOST

REFERENCE = Path(__file__).resolve().parent / "openmpc_reference.json"


def rounds(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Run everything once to warm up, then `runs` times in turns, and check every output against the host's."""
    answers = Answers()
    in_turns(setup, table, lambda column, turn: _run_column(setup, column, turn, answers), progress)


def _run_column(setup: Setup, column: Column, turn: int, answers: Answers) -> None:
    if column.variant == HOST:
        done = measure.run(setup.executable(column.program, HOST), column.size, setup.environment)
        answers.give(column, done.stdout)
        record: dict[str, Any] = {"own_seconds": done.own_seconds}
    else:
        done, ledger = profiled_run(setup, column, answers)
        record = {"own_seconds": done.own_seconds, "ledger": ledger.record}
    if turn >= 0:
        column.runs.append({"round": turn, **record})


def record(setup: Setup, table: list[Column], sizes: str, command: str) -> dict[str, Any]:
    """Everything about the measurement, for JSON: raw numbers of every run, and on what they were measured."""
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return {
        **heading(setup, "fig16", sizes, command),
        "openmpc": {"source": reference["source"], "columns": reference["columns"]},
        "programs": programs_record(
            setup,
            table,
            lambda program, _: {"openmpc": reference["programs"].get(program.name, {}).get(sizes)},
        ),
    }
