"""What a measurement consists of: one column for every executable, built side by side and run in turns.

    host           gcc -fopenmp: its answer is the right one
    baseline, ...  ompc at that level
    choosing       auto, which may leave small work on the host
    handwritten    CUDA, where the program has been written by hand too and the target is a GPU
    clang, ...     another compiler's offloading, where the program has the pragmas and the target is a GPU

Whoever measures says what one run is (benchmarks/fig16.py, benchmarks/memory.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.environment import describe
from benchmarks.ledger import Ledger, LedgerError, read_ledger
from benchmarks.suite import CHOOSING, HOST, Program, Size
from ompc.tools.answers.compare import first_difference


@dataclass(frozen=True, slots=True)
class Setup:
    """What to measure, where executables are kept, and the environment that programs get.

    `arch`: the GPU to compile for; None is that of this machine. `without`: variants that are left out. `fp`: how
    ompc's variants round.
    """

    programs: tuple[tuple[Program, Size], ...]
    target: str
    runs: int
    folder: Path
    environment: Mapping[str, str]
    jobs: int = 1
    arch: str | None = None
    without: tuple[str, ...] = ()
    fp: str = "default"

    def executable(self, program: Program, variant: str) -> Path:
        """Where the executable of a variant is."""
        return self.folder / f"{program.name}.{variant}"


ENOUGH_RUNS = 2
"""With the kernels' times, and without."""


@dataclass(slots=True)
class Column:
    """The measurements of one executable. After the first problem, or where it cannot be had here, it is left alone."""

    program: Program
    size: Size
    variant: str
    runs: list[dict[str, Any]] = field(default_factory=list)
    expected: str | None = None
    problem: str | None = None
    skipped: str | None = None

    @property
    def recipe(self) -> tuple[object, ...]:
        """What is the same here and in another column makes the same executable."""
        program = self.program
        flags = program.handwritten.get(self.variant, self.size.defines)
        return _built_as(self.variant), program.source, flags


def _built_as(variant: str) -> str:
    return "auto" if variant == CHOOSING else variant


class Answers:
    """What the host's program printed last, by program: what every other variant must print too."""

    def __init__(self) -> None:
        self._printed: dict[str, str] = {}

    def give(self, column: Column, printed: str) -> None:
        """`column` is of the host."""
        self._printed[column.program.name] = column.expected = printed

    def check(self, column: Column, printed: str) -> None:
        """Raises MeasurementError where a variant prints something else, or the host's program has failed."""
        whose = column.program.beside or column.program.name
        if whose not in self._printed:
            raise measure.MeasurementError("not compared: the host's program failed")
        difference = first_difference(self._printed[whose], printed, rtol=column.program.rtol)
        if difference is not None:
            raise measure.MeasurementError(f"wrong answer: {difference}")


def columns(setup: Setup) -> list[Column]:
    """Every variant of every program; the host first, since it gives the right answer."""
    return [
        Column(program, size, variant)
        for program, size in setup.programs
        for variant in _variants(program, setup.target)
        if variant not in setup.without
    ]


def _variants(program: Program, target: str) -> tuple[str, ...]:
    of_gpu = (*program.handwritten, *program.peers) if target == "cuda" else ()
    choosing = (CHOOSING,) if program.choosing else ()
    return (*(() if program.beside else (HOST,)), *program.levels, *choosing, *of_gpu)


def build(setup: Setup, table: list[Column], progress: Callable[[str], None]) -> None:
    """Build every executable, `jobs` at a time; a failure is the column's problem."""
    setup.folder.mkdir(parents=True, exist_ok=True)
    alike: dict[tuple[object, ...], list[Column]] = {}
    for column in table:
        alike.setdefault(column.recipe, []).append(column)
    with ThreadPoolExecutor(max_workers=setup.jobs) as pool:
        list(pool.map(lambda columns: _build_alike(setup, columns, progress), alike.values()))


def _build_alike(setup: Setup, columns: list[Column], progress: Callable[[str], None]) -> None:
    """One executable under several names."""
    first, *others = columns
    _build_column(setup, first, progress)
    for column in others:
        column.problem, column.skipped = first.problem, first.skipped
        executable = setup.executable(column.program, column.variant)
        executable.unlink(missing_ok=True)
        if column.problem is None and column.skipped is None:
            executable.hardlink_to(setup.executable(first.program, first.variant))
        progress(f"built {executable.name}")


def _build_column(setup: Setup, column: Column, progress: Callable[[str], None]) -> None:
    program, variant = column.program, column.variant
    executable = setup.executable(program, variant)
    try:
        if variant == HOST:
            measure.build_host(program, column.size, executable)
        elif variant in program.handwritten:
            measure.build_handwritten(program, variant, executable, setup.arch)
        elif variant in program.peers:
            measure.build_peer(program, column.size, variant, executable, setup.arch)
        else:
            options = ("--opt", _built_as(variant), "--fp", setup.fp)
            measure.build_ompc(program, column.size, options, executable, setup.target, setup.arch)
    except measure.SkippedError as error:
        column.skipped = str(error)
    except measure.MeasurementError as error:
        column.problem = str(error)
    progress(f"built {executable.name}")


def rounds(
    setup: Setup, table: list[Column], run: Callable[[Column, int], None], progress: Callable[[str], None]
) -> None:
    """Call run(column, turn) for every column that has no problem, in turns: -1 to warm up, then 0 to runs - 1.

    What `run` raises about a measurement becomes the column's problem. After an interruption there is what has been
    measured until then.
    """
    try:
        for turn in range(-1, setup.runs):
            for column in table:
                _run_once(column, turn, run)
                progress(f"ran {column.program.name}.{column.variant}")
    except KeyboardInterrupt:
        for column in table:
            if len(column.runs) < ENOUGH_RUNS and column.skipped is None:
                column.problem = column.problem or "interrupted"


def _run_once(column: Column, turn: int, run: Callable[[Column, int], None]) -> None:
    if column.problem is None and column.skipped is None:
        try:
            run(column, turn)
        except measure.SkippedError as error:
            column.skipped = str(error)
        except (measure.MeasurementError, LedgerError) as error:
            column.problem = str(error)


def profiled_run(setup: Setup, column: Column, answers: Answers) -> tuple[measure.Run, Ledger]:
    """One run of an offloaded program with its ledger. Raises where a loop ran on the host or the answer is wrong."""
    executable = setup.executable(column.program, column.variant)
    path = executable.with_suffix(executable.suffix + ".ledger.json")
    path.unlink(missing_ok=True)
    done = measure.run(executable, column.size, measure.profiled(setup.environment, path))
    answers.check(column, done.stdout)
    ledger = read_ledger(path)
    if ledger.launches == 0 or ledger.refused > 0:
        why = next((line for line in done.stderr.splitlines() if line.startswith("ompc:")), "no reason was printed")
        raise measure.MeasurementError(f"{ledger.refused} of its loops' runs were on the host: {why}")
    for region in ledger.record["regions"]:
        region["file"] = Path(region["file"]).name  # results are kept; where the sources lay says nothing
    return done, ledger


def heading(setup: Setup, experiment: str, sizes: str, command: str) -> dict[str, Any]:
    """What every record of a measurement begins with: when, how and on what."""
    return {
        "schema": 1,
        "experiment": experiment,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": command,
        "target": setup.target,
        "sizes": sizes,
        "rounds": setup.runs,
        "environment": {**describe(), "OMP_NUM_THREADS": setup.environment.get("OMP_NUM_THREADS")},
        "host_compiler": " ".join(measure.HOST_COMPILER),
    }


def programs_record(
    setup: Setup, table: list[Column], more: Callable[[Program, Size], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Every program with its size and the runs of its variants; `more(program, size)` is added to each."""
    return [
        {
            "name": program.name,
            "title": program.title,
            "rtol": program.rtol,
            "size": asdict(size),
            **more(program, size),
            "variants": {c.variant: _column_record(c) for c in table if c.program is program},
        }
        for program, size in setup.programs
    ]


def _column_record(column: Column) -> dict[str, Any]:
    answer = {"stdout": column.expected} if column.variant == HOST else {}
    skipped = {"skipped": column.skipped} if column.skipped else {}
    return {"problem": column.problem, **skipped, **answer, "runs": column.runs}
