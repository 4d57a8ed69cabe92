"""`python -m tests.fuzz`: random programs, checked; exit status 1 where one fails."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ompc.base.options import FloatingPoint, Level
from ompc.toolchain.machine.setting import Target

from .campaign import Settings, run_campaign
from .cases import MAKERS, make_case, print_file
from .checking import Failure, Outcome
from .keeping import distinct, reduced, write_failure

LEVELS = ",".join(level.value for level in (Level.AUTO, Level.THESIS, Level.BASELINE))


@click.command()
@click.option("--programs", default=100, help="How many programs.")
@click.option("--seed", default=0, help="Each seed gives other programs.")
@click.option("--first", default=0, help="The number of the first program.")
@click.option("--jobs", default=2, help="How many files are checked at once.")
@click.option("--target", type=click.Choice(["emulate", "cuda"]), default="emulate", show_default=True)
@click.option(
    "--fp",
    type=click.Choice([mode.value for mode in (FloatingPoint.DEFAULT, FloatingPoint.STRICT)]),
    default="default",
    help="strict: emulated programs have the host's bits in all but the order of reductions.",
)
@click.option("--optimise", default="-O1", show_default=True, help="Of kernels; -O0: nothing is contracted.")
@click.option("--levels", default=LEVELS, show_default=True, help="The values of --opt to compare.")
@click.option("--orders", default="1,7", show_default=True, help="The values of OMPC_SEED, for the emulator.")
@click.option("--in-turn", is_flag=True, help="A file is run with one of the orders, the next one with another.")
@click.option("--sanitize/--no-sanitize", default=True, help="Without, four times as many programs in the same time.")
@click.option("--per-file", default=20, help="How many programs share a file.")
@click.option("--minutes", default=math.inf, help="After so many, what has begun is finished and summed up.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for reduced programs that fail.")
@click.option("--reduce", "questions", default=200, help="How often a smaller program is tried, for each failure.")
@click.option("--only", default="", help="The kinds of segments (MAKERS in cases.py), with commas between them.")
@click.option("--devices", default=1, help="So many emulated devices, each of which does a part of the launches.")
@click.option("--show", type=int, help="Print the program of this number and end.")
def main(
    programs: int, seed: int, first: int, jobs: int, target: str, fp: str, optimise: str, levels: str, orders: str,
    in_turn: bool, sanitize: bool, per_file: int, minutes: float, keep: Path | None, questions: int, only: str,
    devices: int, show: int | None,
) -> None:  # fmt: skip
    """Compare random OpenMP programs, as gcc runs them and as ompc translates them."""
    kinds = kinds_of(only)
    if show is not None:
        click.echo(print_file([make_case(seed, show, kinds)]), nl=False)
        return
    chosen = tuple(Level(name) for name in levels.split(","))
    settings = Settings(
        seed, programs, first, jobs, Target(target), chosen, tuple(orders.split(",")), per_file,
        fp=FloatingPoint(fp), optimise=optimise, sanitize=sanitize, in_turn=in_turn, minutes=minutes,
        only=kinds, devices=devices,
    )  # fmt: skip
    started = time.monotonic()
    total = _with_progress(settings)
    _print_summary(total, time.monotonic() - started)
    if keep is not None:
        for failure in distinct(total.failures):
            click.echo(f"{write_failure(reduced(failure, settings, questions), settings, keep)}")
    sys.exit(1 if total.failures else 0)


def kinds_of(text: str) -> tuple[str, ...]:
    """Names of MAKERS. Raises click.BadParameter where one is none."""
    names = tuple(filter(None, text.split(",")))
    for name in names:
        if name not in MAKERS:
            raise click.BadParameter(f"there is no kind '{name}': {', '.join(MAKERS)}", param_hint="--only")
    return names


def _with_progress(settings: Settings) -> Outcome:
    columns = (
        TextColumn("programs"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[found]}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=settings.programs, found="")
        failures = 0

        def advance(outcome: Outcome) -> None:
            nonlocal failures
            failures += len(outcome.failures)
            for failure in outcome.failures:
                console.print(_line(failure), markup=False)
            progress.update(task, advance=outcome.cases, found=f"{failures} failed" if failures else "")

        return run_campaign(settings, advance)


def _print_summary(total: Outcome, seconds: float) -> None:
    on_host = sum(total.codes.values())
    loops = total.on_device + on_host
    table = Table("programs", "seconds", "loops", "on device", "failed", box=None)
    share = f"{total.on_device} ({100 * total.on_device // max(loops, 1)} %)"
    table.add_row(str(total.cases), f"{seconds:.0f}", str(loops), share, str(len(total.failures)))
    console = Console()
    console.print(table)
    console.print("on the host: " + ", ".join(f"{code} {count}" for code, count in total.codes.most_common()))
    for failure in total.failures:
        console.print(_line(failure), markup=False)


def _line(failure: Failure) -> str:
    level = failure.level.value if failure.level else "gcc"
    return f"c{failure.case.number} {level}: {failure.kind}: {failure.key}"


if __name__ == "__main__":
    main()
