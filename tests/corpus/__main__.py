"""`python -m tests.corpus`: programs of others, translated, built, compared; exit status 1 where one fails."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

from .records import FileResult, ProgramResult, Translated, to_json
from .suites import Suite, read_suite
from .sweep import Result, Settings, count_steps, sweep
from .tables import markdown

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER)
@click.option("--run", is_flag=True, help="Also build and run the programs, and compare with gcc's.")
@click.option("--jobs", default=2, show_default=True, help="How many files or programs at once.")
@click.option("--target", type=click.Choice(["emulate", "cuda"]), default="emulate", show_default=True)
@click.option("--opt", type=click.Choice([level.value for level in Level]), default="auto", show_default=True)
@click.option("--sample", default=1_000_000, help="At most so many files of each folder, chosen at random.")
@click.option("--programs", "most", default=1_000_000, help="At most so many programs of each folder are built.")
@click.option("--seed", default=1, help="Each seed gives another sample.")
@click.option("--seconds", default=10.0, show_default=True, help="How long gcc's program may run.")
@click.option("--json", "json_file", type=FILE, help="Write all that was found out.")
@click.option("--markdown", "markdown_file", type=FILE, help="Write the tables there instead of printing them.")
def main(
    folders: Sequence[Path], run: bool, jobs: int, target: str, opt: str, sample: int, most: int, seed: int,
    seconds: float, json_file: Path | None, markdown_file: Path | None,
) -> None:  # fmt: skip
    """Try ompc on the C programs of the FOLDERs; NAME.toml beside a folder says what cannot be guessed (suites.py)."""
    suites = [read_suite(folder).sample(sample, seed).sample_programs(most, seed) for folder in folders]
    settings = Settings(jobs, Target(target), Level(opt), run, run_seconds=seconds)
    with tempfile.TemporaryDirectory(prefix="ompc-corpus-") as directory:
        files, programs = _with_progress(suites, settings, Path(directory))
    if json_file is not None:
        json_file.write_text(to_json(files, programs))
    if markdown_file is not None:
        markdown_file.write_text(markdown(files, programs))
    else:
        click.echo(markdown(files, programs), nl=False)
    failed = any(_is_failure(item) for item in (*files, *programs))
    sys.exit(1 if failed else 0)


def _with_progress(
    suites: Sequence[Suite], settings: Settings, directory: Path
) -> tuple[list[FileResult], list[ProgramResult]]:
    columns = (
        TextColumn("files and programs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[found]}"),
    )  # fmt: skip
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=count_steps(suites, settings), found="")
        failed = 0

        def advance(result: Result) -> None:
            nonlocal failed
            if _is_failure(result):
                failed += 1
                progress.console.print(_failure_line(result), markup=False, highlight=False)
            progress.update(task, advance=1, found=f"{failed} failed" if failed else "")

        return sweep(suites, settings, directory, advance)


def _failure_line(result: Result) -> str:
    if isinstance(result, FileResult):
        return f"{result.path}: {result.outcome.value}: {(result.message.splitlines() or [''])[-1]}"
    return f"{result.suite}: {result.name}: {result.verdict.value}: {result.detail[:300]}"


def _is_failure(result: Result) -> bool:
    if isinstance(result, FileResult):
        return result.outcome in {Translated.CRASH, Translated.TIMEOUT}
    return result.verdict.is_failure


if __name__ == "__main__":
    main()
