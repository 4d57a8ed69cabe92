"""The command line: `python -m benchmarks fig16`, `python -m benchmarks plot`.

Only the standard library is imported here, so that executables built elsewhere can be measured on a machine that has
no compilers and no packages (`--build-only` there, `--reuse` here).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import fig16
from benchmarks.progress import steps
from benchmarks.report import table
from benchmarks.results import problems
from benchmarks.suite import FIGURE_16, SizesError, with_sizes

REFERENCE = Path(__file__).resolve().parent / "openmpc_reference.json"


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0; 1 when a program failed or gave a wrong answer; 2 for a wrong command line."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "fig16":
        return _fig16(parser, options, arguments)
    if options.command == "plot":
        return _plot(parser, options)
    parser.print_help()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Benchmarks of ompc.")
    commands = parser.add_subparsers(dest="command", title="commands")
    _add_fig16(commands.add_parser("fig16", help="where the time goes: the thesis' figure 16, with --opt auto"))
    plot = commands.add_parser("plot", help="table and picture again, from a JSON file that fig16 wrote")
    plot.add_argument("json", type=Path)
    plot.add_argument("--png", type=Path, help="write the picture here")
    return parser


def _add_fig16(parser: argparse.ArgumentParser) -> None:
    names = [program.name for program in FIGURE_16]
    parser.add_argument("--runs", type=_positive, default=7, help="measured runs of each executable (default: 7)")
    parser.add_argument("--target", choices=("cuda", "emulate"), default="cuda")
    parser.add_argument("--sizes", default="thesis", metavar="thesis|large|FILE", help="default: thesis")
    parser.add_argument("--only", action="append", choices=names, help="measure this program (may be repeated)")
    parser.add_argument("--json", type=Path, help="write every run's raw numbers here")
    parser.add_argument("--png", type=Path, help="write the picture here (needs matplotlib)")
    parser.add_argument("--work", type=Path, help="keep executables in this folder")
    parser.add_argument("--jobs", type=_positive, default=min(8, os.cpu_count() or 1), help="builds at a time")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--build-only", action="store_true", help="build into --work and stop")
    when.add_argument("--reuse", action="store_true", help="measure the executables that are in --work")


def _fig16(parser: argparse.ArgumentParser, options: argparse.Namespace, arguments: Sequence[str]) -> int:
    if (options.build_only or options.reuse) and options.work is None:
        parser.error("--build-only and --reuse need --work")
    try:
        programs = with_sizes(FIGURE_16, options.sizes)
    except SizesError as error:
        parser.error(str(error))
    chosen = tuple(pair for pair in programs if not options.only or pair[0].name in options.only)
    command = shlex.join(["python", "-m", "benchmarks", *arguments])
    with tempfile.TemporaryDirectory(prefix="ompc-benchmarks-") as scratch:
        folder = (options.work or Path(scratch)).resolve()
        setup = fig16.Setup(chosen, options.target, options.runs, folder, dict(os.environ), options.jobs)
        return _measure(setup, options, command)


def _measure(setup: fig16.Setup, options: argparse.Namespace, command: str) -> int:
    columns = fig16.columns(setup)
    if not options.reuse:
        with steps("build", len(columns)) as progress:
            fig16.build(setup, columns, progress)
    if not options.build_only:
        with steps("run", len(columns) * (setup.runs + 1)) as progress:
            fig16.rounds(setup, columns, progress)
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    record = fig16.record(setup, columns, reference, options.sizes, command)
    if options.build_only:
        print("\n".join(problems(record)) or f"built in {setup.folder}")
    else:
        _write(record, options.json)
        _show(record, options.png)
    return 1 if problems(record) else 0


def _plot(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    try:
        record = json.loads(options.json.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        parser.error(f"{options.json}: {error}")
    if not isinstance(record, dict) or record.get("experiment") != "fig16":
        parser.error(f"{options.json}: not a record of fig16")
    _show(record, options.png)
    return 0


def _write(record: dict[str, Any], path: Path | None) -> None:
    if path is not None:
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _show(record: dict[str, Any], picture: Path | None) -> None:
    print(table(record))
    if picture is not None:
        from benchmarks.plot import write_picture

        write_picture(record, picture)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1 is wanted")
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
