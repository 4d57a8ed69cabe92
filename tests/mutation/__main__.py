"""`python -m tests.mutation`: does some program go wrong without each legality check? Exit status 1 where none does."""

from __future__ import annotations

import sys
import time

import click
from rich.console import Console
from rich.table import Table

from tests.fuzz.__main__ import kinds_of

from .campaign import Result, Settings, run_campaign
from .checks import Check
from .observing import Program
from .table import CHECKS
from .trying import Manner, read_cases


@click.command()
@click.option("--only", default="", help="The names of checks, or their beginnings, with commas between them.")
@click.option("--part", default="1/1", help="2/4: the second of four parts of the table.")
@click.option("--cases", is_flag=True, help="Try the execution cases instead of random programs.")
@click.option(
    "--case", "chosen", default="", help="With --cases: those whose names begin so, with commas between them."
)
@click.option("--programs", default=500, show_default=True, help="How many random programs.")
@click.option("--seed", default=1, show_default=True, help="Each seed gives other programs.")
@click.option("--first", default=0, show_default=True, help="The number of the first program.")
@click.option("--jobs", default=2, show_default=True, help="How many processes.")
@click.option("--minutes", default=10.0, show_default=True, help="Of a processor for one check; then it has survived.")
@click.option("--per-file", default=10, show_default=True, help="How many random programs are built as one.")
@click.option("--kinds", default="", help="The kinds of segments of random programs, as --only of the fuzzer.")
@click.option("--wide", is_flag=True, help="Run each random program in all orders of blocks and lanes.")
@click.option("--texts", is_flag=True, help="Run nothing: is there a program whose generated text changes?")
@click.option("--list", "lists", is_flag=True, help="Print the table and end.")
def main(
    only: str, part: str, cases: bool, chosen: str, programs: int, seed: int, first: int, jobs: int, minutes: float,
    per_file: int, kinds: str, wide: bool, texts: bool, lists: bool,
) -> None:  # fmt: skip
    """Disable each legality check of the table in turn, and look who notices."""
    checks = _chosen(only, part)
    if lists:
        for check in checks:
            _say(f"{check.name}: {check.place}, {check.disabled.text}. {check.without}")
        return
    if cases:
        begins = tuple(chosen.split(","))
        tried = [program for program in read_cases() if program.case and program.case.stem.startswith(begins)]
    else:
        tried = [Program(seed, number, kinds_of(kinds)) for number in range(first, first + programs)]
    started = time.monotonic()
    results = run_campaign(checks, tried, Settings(jobs, minutes, per_file, Manner(wide, texts)), _say)
    _print_table(results)
    unseen = [result.check.name for result in results if not result.found]
    _say(f"{len(results) - len(unseen)} of {len(results)} noticed, in {time.monotonic() - started:.0f} s")
    _say(f"not noticed: {','.join(unseen)}" if unseen else "all noticed")
    sys.exit(1 if unseen or any(result.is_bug for result in results) else 0)


def _chosen(only: str, part: str) -> list[Check]:
    checks = [check for check in CHECKS if check.name.startswith(tuple(only.split(",")))]
    if not checks:
        raise click.BadParameter(f"no check begins so: {only}", param_hint="--only")
    number, count = map(int, part.split("/"))
    return checks[number - 1 :: count]


def _say(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()


def _print_table(results: list[Result]) -> None:
    table = Table("check", "found by", "changed", "tried", "asked", "seconds", box=None)
    for result in results:
        numbers = (result.changed, result.tried, result.asked, round(result.seconds))
        table.add_row(result.check.name, result.verdict, *map(str, numbers))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
