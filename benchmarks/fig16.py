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

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.compare import first_difference
from benchmarks.environment import describe
from benchmarks.ledger import LedgerError, read_ledger
from benchmarks.suite import Program, Size

LEVELS = ("baseline", "thesis", "auto")
HOST = "host"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Setup:
    """What to measure, where executables are kept, and the environment that programs get."""

    programs: tuple[tuple[Program, Size], ...]
    target: str
    runs: int
    folder: Path
    environment: Mapping[str, str]
    jobs: int = 1

    def executable(self, program: Program, variant: str) -> Path:
        """Where the executable of a level, or of the host, is."""
        return self.folder / f"{program.name}.{variant}"


@dataclass(slots=True)
class Column:
    """The measurements of one executable. After the first problem it is left alone."""

    program: Program
    size: Size
    variant: str
    runs: list[dict[str, Any]] = field(default_factory=list)
    expected: str | None = None
    problem: str | None = None


def columns(setup: Setup) -> list[Column]:
    """One column for every program on the host and at every level; the host first, since it gives the right answer."""
    return [Column(program, size, variant) for program, size in setup.programs for variant in (HOST, *LEVELS)]


def build(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Build every executable, `jobs` at a time; a failure is the column's problem."""
    setup.folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=setup.jobs) as pool:
        list(pool.map(lambda column: _build_column(setup, column, progress), table))


def _build_column(setup: Setup, column: Column, progress: Callable[[str], None]) -> None:
    executable = setup.executable(column.program, column.variant)
    try:
        if column.variant == HOST:
            measure.build_host(column.program, column.size, executable)
        else:
            measure.build_ompc(column.program, column.size, column.variant, setup.target, executable)
    except measure.MeasurementError as error:
        column.problem = str(error)
    progress(f"built {executable.name}")


def rounds(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Run everything once to warm up, then `runs` times in turns, and check every output against the host's."""
    for turn in range(-1, setup.runs):
        answers: dict[str, str] = {}
        for column in table:
            if column.problem is None:
                _run_column(setup, column, turn, answers)
            progress(f"ran {column.program.name}.{column.variant}")


def _run_column(setup: Setup, column: Column, turn: int, answers: dict[str, str]) -> None:
    name = column.program.name
    try:
        if column.variant == HOST:
            done = measure.run(setup.executable(column.program, HOST), column.size, setup.environment)
            answers[name] = done.stdout
            column.expected = done.stdout
            record: dict[str, Any] = {"own_seconds": done.own_seconds}
        else:
            record = _offloaded_run(setup, column, answers)
    except (measure.MeasurementError, LedgerError) as error:
        column.problem = str(error)
        return
    if turn >= 0:
        column.runs.append({"round": turn, **record})


def _offloaded_run(setup: Setup, column: Column, answers: Mapping[str, str]) -> dict[str, Any]:
    executable = setup.executable(column.program, column.variant)
    path = executable.with_suffix(executable.suffix + ".ledger.json")
    path.unlink(missing_ok=True)
    done = measure.run(executable, column.size, measure.profiled(setup.environment, path))
    if column.program.name not in answers:
        raise measure.MeasurementError("not compared: the host's program failed")
    difference = first_difference(answers[column.program.name], done.stdout, rtol=column.program.rtol)
    if difference is not None:
        raise measure.MeasurementError(f"wrong answer: {difference}")
    ledger = read_ledger(path)
    if ledger.launches == 0 or ledger.refused > 0:
        why = next((line for line in done.stderr.splitlines() if line.startswith("ompc:")), "no reason was printed")
        raise measure.MeasurementError(f"{ledger.refused} of its loops' runs were on the host: {why}")
    for region in ledger.record["regions"]:
        region["file"] = Path(region["file"]).name  # results are kept; where the sources lay says nothing
    return {"own_seconds": done.own_seconds, "ledger": ledger.record}


def record(setup: Setup, table: list[Column], reference: Mapping[str, Any], sizes: str, command: str) -> dict[str, Any]:
    """Everything about the measurement, for JSON: raw numbers of every run, and on what they were measured."""
    return {
        "schema": SCHEMA,
        "experiment": "fig16",
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": command,
        "target": setup.target,
        "sizes": sizes,
        "rounds": setup.runs,
        "environment": {**describe(), "OMP_NUM_THREADS": setup.environment.get("OMP_NUM_THREADS")},
        "host_compiler": " ".join(measure.HOST_COMPILER),
        "openmpc": {"source": reference["source"], "columns": reference["columns"]},
        "programs": [
            {
                "name": program.name,
                "title": program.title,
                "rtol": program.rtol,
                "size": asdict(size),
                "openmpc": reference["programs"].get(program.name, {}).get(sizes),
                "variants": {c.variant: _column_record(c) for c in table if c.program is program},
            }
            for program, size in setup.programs
        ],
    }


def _column_record(column: Column) -> dict[str, Any]:
    answer = {"stdout": column.expected} if column.variant == HOST else {}
    return {"problem": column.problem, **answer, "runs": column.runs}
