"""The command line: `python -m benchmarks fig16`, and with `memory`, `kernels`, `programs`, `plot`.

Only the standard library is imported here, so that executables built elsewhere can be measured on a machine that has
no compilers and no packages (`--build-only` there, `--reuse` here).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks import fig16, kernels, kernels_report, memory, memory_report, report
from benchmarks.columns import Column, Setup, build, columns
from benchmarks.kernels_suite import KERNELS
from benchmarks.memory_suite import MEMORY
from benchmarks.options import add_measurement, add_stages, positive
from benchmarks.progress import steps
from benchmarks.results import problems
from benchmarks.suite import FIGURE_16, Program, Size, SizesError, with_sizes
from benchmarks.whole import command as whole
from benchmarks.whole import report as whole_report

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True, slots=True)
class Shown:
    """A record as text and as a picture."""

    table: Callable[[dict[str, Any]], str]
    picture: Callable[[], ModuleType]
    """The module that draws it, which needs matplotlib."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What can be measured of the programs that are here: how a round is run, the record of it, how that is shown."""

    programs: tuple[Program, ...]
    rounds: Callable[[Setup, list[Column], Callable[[str], None]], None]
    record: Callable[[Setup, list[Column], str, str], dict[str, Any]]
    shown: Shown


def _picture_of_fig16() -> ModuleType:
    from benchmarks import plot

    return plot


def _picture_of_memory() -> ModuleType:
    from benchmarks import memory_plot

    return memory_plot


def _picture_of_kernels() -> ModuleType:
    from benchmarks import kernels_plot

    return kernels_plot


def _picture_of_programs() -> ModuleType:
    from benchmarks.whole import plot

    return plot


EXPERIMENTS = {
    "fig16": Experiment(FIGURE_16, fig16.rounds, fig16.record, Shown(report.table, _picture_of_fig16)),
    "memory": Experiment(
        tuple(study.program for study in MEMORY),
        memory.rounds,
        memory.record,
        Shown(memory_report.table, _picture_of_memory),
    ),
    "kernels": Experiment(
        tuple(kernel.program for kernel in KERNELS),
        kernels.rounds,
        kernels.record,
        Shown(kernels_report.table, _picture_of_kernels),
    ),
}
PROGRAMS = "programs"
SHOWN = {
    **{name: experiment.shown for name, experiment in EXPERIMENTS.items()},
    PROGRAMS: Shown(whole_report.table, _picture_of_programs),
}


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0; 1 when a program failed or gave a wrong answer; 2 for a wrong command line."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command in EXPERIMENTS:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # what has been measured until then is written
        return _experiment(parser, options, arguments)
    if options.command == PROGRAMS:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        return whole.run(parser, options, arguments, lambda record: _write(record, *_files(record, options)))
    if options.command == "plot":
        return _plot(parser, options)
    parser.print_help()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Benchmarks of ompc.")
    commands = parser.add_subparsers(dest="command", title="commands")
    one = commands.add_parser("fig16", help="where the time goes: the thesis' figure 16, with --opt auto")
    one.add_argument("--sizes", default="thesis", metavar="thesis|large|FILE", help="default: thesis")
    _add_measurement(one, EXPERIMENTS["fig16"].programs, runs=7)
    two = commands.add_parser("memory", help="transfers, tables, launches and time steps, beside CUDA by hand")
    two.add_argument("--quick", dest="sizes", action="store_const", const="quick", default="full", help="tiny sizes")
    _add_measurement(two, EXPERIMENTS["memory"].programs, runs=5)
    three = commands.add_parser("kernels", help="loops, beside CUDA by hand, cuBLAS and other compilers")
    three.add_argument("--quick", dest="sizes", action="store_const", const="quick", default="full", help="tiny sizes")
    _add_measurement(three, EXPERIMENTS["kernels"].programs, runs=3)
    four = commands.add_parser(PROGRAMS, help="whole programs of others, as gcc builds them and as ompc cc does")
    whole.add_arguments(four)
    plot = commands.add_parser("plot", help="table and picture again, from JSON files that measurements wrote")
    plot.add_argument("records", type=Path, nargs="+", metavar="JSON", help="several: of some of the programs each")
    plot.add_argument("--json", type=Path, help="write them as one record here")
    plot.add_argument("--png", type=Path, help="write the picture here")
    return parser


def _add_measurement(parser: argparse.ArgumentParser, programs: Sequence[Program], runs: int) -> None:
    names = [program.name for program in programs]
    parser.add_argument("--runs", type=positive, default=runs, help="measured runs of each (default: %(default)s)")
    parser.add_argument("--only", action="append", choices=names, help="measure this program (may be repeated)")
    parser.add_argument("--without", action="append", metavar="VARIANT", help="leave out thesis, clang, ... (repeated)")
    add_measurement(parser, "executables")
    add_stages(parser)


def _experiment(parser: argparse.ArgumentParser, options: argparse.Namespace, arguments: Sequence[str]) -> int:
    if (options.build_only or options.reuse) and options.work is None:
        parser.error("--build-only and --reuse need --work")
    try:
        programs = with_sizes(EXPERIMENTS[options.command].programs, options.sizes)
    except SizesError as error:
        parser.error(str(error))
    wanted = {name for p, _ in programs if not options.only or p.name in options.only for name in (p.name, p.beside)}
    chosen = tuple(pair for pair in programs if pair[0].name in wanted)
    with tempfile.TemporaryDirectory(prefix="ompc-benchmarks-") as scratch:
        return _measure(_setup(options, chosen, Path(scratch)), options, arguments)


def _setup(options: argparse.Namespace, programs: tuple[tuple[Program, Size], ...], scratch: Path) -> Setup:
    folder = (options.work or scratch).resolve()
    without = tuple(options.without or ())
    environ, how = dict(os.environ), (options.jobs, options.arch, without, options.fp)
    return Setup(programs, options.target, options.runs, folder, environ, *how)


def _measure(setup: Setup, options: argparse.Namespace, arguments: Sequence[str]) -> int:
    experiment, table = EXPERIMENTS[options.command], columns(setup)
    if not options.reuse:
        with steps("build", len(table)) as progress:
            build(setup, table, progress)
    if not options.build_only:
        with steps("run", len(table) * (setup.runs + 1)) as progress:
            experiment.rounds(setup, table, progress)
    record = experiment.record(setup, table, options.sizes, shlex.join(["python", "-m", "benchmarks", *arguments]))
    if options.build_only:
        print("\n".join(problems(record)) or f"built in {setup.folder}")
    else:
        _write(record, *_files(record, options))
    return 1 if problems(record) else 0


def _plot(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """What was measured in parts as one record; of whole programs that were measured again, the newest."""
    records = [_read(parser, path) for path in options.records]
    first, *others = records
    for other in others:
        if any(other[key] != first[key] for key in ("experiment", "target", "sizes")):
            parser.error("records of different measurements")
    programs = [program for record in records for program in record["programs"]]
    whole = {**first, "programs": programs}
    if first["experiment"] == PROGRAMS:
        records.sort(key=_date)
        newest = {program["name"]: program for record in records for program in record["programs"]}
        days, rounds = {_date(record)[:10]: None for record in records}, min(record["rounds"] for record in records)
        whole |= {"programs": list(newest.values()), "days": list(days), "rounds": rounds}
    _write(whole, options.json, options.png)
    return 0


def _date(record: dict[str, Any]) -> str:
    return str(record["date"])


def _read(parser: argparse.ArgumentParser, path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        parser.error(f"{path}: {error}")
    if not isinstance(record, dict) or record.get("experiment") not in SHOWN:
        parser.error(f"{path}: not a record of {' or '.join(SHOWN)}")
    return record


def _files(record: dict[str, Any], options: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """Where the record and the picture go, if anywhere."""
    if not options.save:
        return options.json, options.png
    words = re.findall(
        r"[a-z0-9]+", (record["environment"]["device"] or record["target"]).lower().removeprefix("nvidia")
    )
    folder = RESULTS / "-".join([record["date"][:10], *words])
    folder.mkdir(parents=True, exist_ok=True)
    name = (
        record["experiment"]
        if record["sizes"] in ("thesis", "full")
        else f"{record['experiment']}_{Path(record['sizes']).stem}"
    )
    return options.json or folder / f"{name}.json", options.png or folder / f"{name}.png"


def _write(record: dict[str, Any], file: Path | None, picture: Path | None) -> None:
    """The record as a table, and to the files that are wanted."""
    shown = SHOWN[record["experiment"]]
    if file is not None:
        file.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(shown.table(record))
    if picture is not None:
        shown.picture().write_picture(record, picture)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
