"""Commands that run a program and measure it: `profile` and `tune`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.base.options import Level
from ompc.base.translation import Translation
from ompc.base.tuning import Tuning
from ompc.base.visible import for_terminal
from ompc.base.watch import Watch
from ompc.cli.output import say, write_text
from ompc.cli.places import check_inputs, check_outputs
from ompc.cli.watching import progress, say_times
from ompc.cli.work import build_asked, environment_of, open_cache, translate_asked
from ompc.command_options import A_PATH, COMPILER_OPTIONS, Asked, RunCommand, building, requiring, translating
from ompc.toolchain.machine.setting import Target


@click.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@requiring
@click.option("--json", metavar="FILE.json", type=A_PATH, help="Also write it as JSON (- for standard output).")
@click.option("--trace", metavar="FILE.json", type=A_PATH, help="Also write what happened when, for ui.perfetto.dev.")
@click.option(
    "--chart", metavar="FILE.png|svg", type=A_PATH, help="Also draw the thesis' stacked bars; needs matplotlib."
)
def profile(asked: Asked, **files: str | None) -> int:
    """Run a program and show what its time was spent on, what was copied, and what was not and why.

    \b
    ompc profile jacobi.c -- 200 200                  build it first
    ompc profile ./jacobi -- 200 200                  an executable that ompc has built
    ompc profile jacobi.c --trace jacobi.json --chart jacobi.png -- 200 200
    ompc profile p.0.json p.1.json                    what OMPC_PROFILE=p.%r.json has written, by ranks

    Standard input and output and the exit status are the program's own; the tables go to standard error.
    """
    from ompc.tools.profile.run import is_executable

    pictures = Pictures(**files)
    pictures.check(asked.request.sources)
    if all(source.suffix == ".json" for source in asked.request.sources):
        return show_ledgers(asked.request.sources, pictures)
    if is_executable(asked.source) and not asked.request.others:
        return run_profiled_program(asked.source, pictures, environment_of(asked))
    with temporary_directory("ompc-run-") as directory:
        program = Path(directory) / asked.source.stem
        counts = build_asked(asked, program)
        return run_profiled_program(program, pictures, environment_of(asked), counts)


@click.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("--dry-run", is_flag=True, help="Show what would be tried, and run nothing.")
@click.option(
    "--emit-clauses",
    metavar="FILE.patch",
    type=A_PATH,
    help="Also write a patch that puts the winners into the sources.",
)
@click.option("--input", "stdin", type=click.File("rb"), help="The program's standard input.  [default: empty]")
@click.option("--shapes-only", is_flag=True, help="Of launches: kernels are made as they are, and not built again.")
@click.option("--repeats", type=click.IntRange(1, 1000), default=3, show_default=True, help="Runs of a candidate.")
@click.option("--limit", metavar="SECONDS", type=float, help="Try nothing new after that; what was found is confirmed.")
@click.option("--tolerance", type=float, default=1e-6, show_default=True, help="Of floating-point output.")
def tune(asked: Asked, dry_run: bool, emit_clauses: str | None, **own: Any) -> int:
    """Search for each loop's best kernel, block size, rows, tiles and lanes, and keep the winners for later builds.

    \b
    ompc tune jacobi.c -- 4096 4096
    ompc tune jacobi.c --dry-run
    ompc tune jacobi.c --emit-clauses tuned.patch -- 4096 4096; patch -p0 < tuned.patch

    The program runs some hundred times with these ARGUMENTS, and must print what the host's own program prints. Shapes
    are kept for this kind of GPU and for loops of about this size ($OMPC_TUNING, by default ~/.config/ompc/tuning).
    """
    from ompc.tools.tune.command import run_tune, show_space, wanted_of  # here, since only this needs rich

    if asked.request.options.level is not Level.AUTO or asked.request.target is Target.HOST:
        raise click.UsageError("there is something to choose for --opt auto, and for kernels, only.")

    stdin = own["stdin"]
    output = {"--emit-clauses": emit_clauses}
    check_outputs(output, [*asked.request.sources, *([] if stdin is None else [Path(stdin.name)])])

    def knowing(tuning: Tuning) -> Asked:
        return replace(asked, request=replace(asked.request, options=replace(asked.request.options, tuning=tuning)))

    if dry_run:
        click.echo(show_space(translate_asked(knowing(Tuning()))), nl=False)
        return 0
    wanted = wanted_of(click.get_current_context().meta["arguments"], **own)
    started, watch = time.perf_counter(), Watch()  # which says nothing: the search has a line of its own

    def translate(tuning: Tuning) -> tuple[Translation, ...]:
        translations = translate_asked(knowing(tuning), watch=watch)
        check_inputs(output, (path for translation in translations for path in translation.dependencies))
        return translations

    told = run_tune(asked.request, os.environ, wanted, translate, open_cache(), progress, watch)
    say_times(asked, watch, started)
    say(told.diagnostics, asked.quiet)
    click.echo(for_terminal(told.table), nl=False, err=emit_clauses == "-")
    if emit_clauses is not None:
        write_text(emit_clauses, told.patch)
    if told.kept is not None:
        click.echo(for_terminal(f"ompc: wrote {told.kept}"), err=True)
    say(told.unkept)
    return 1 if told.unkept else 0


@dataclass(frozen=True, slots=True)
class Pictures:
    """Files to write a profile to, beside the tables."""

    json: str | None = None
    trace: str | None = None
    chart: str | None = None

    def check(self, inputs: Sequence[Path]) -> None:
        """Before any work. UsageError; CompileError OMPC410, OMPC411."""
        from ompc.tools.profile.chart import SUFFIXES, NoChartError, require_matplotlib

        if self.chart is not None and Path(self.chart).suffix not in SUFFIXES:
            raise click.UsageError(f"--chart: the file must end in one of {', '.join(SUFFIXES)}.")
        check_outputs({"--json": self.json, "--trace": self.trace, "--chart": self.chart}, inputs)
        try:
            if self.chart is not None:
                require_matplotlib()
        except NoChartError as error:
            raise self.no_chart(error) from None

    def no_chart(self, error: Exception) -> CompileError:
        return CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {self.chart}: {error}"))


def show_ledgers(ledgers: Sequence[Path], pictures: Pictures) -> int:
    """What runs have written, on standard output. UsageError: a file is wanted that is made while a program runs."""
    from ompc.tools.profile.ledger import LedgerError, read_ledger
    from ompc.tools.profile.table import format_profile

    if pictures != Pictures():
        raise click.UsageError("--json, --trace and --chart are written when a program runs.")
    for ledger in ledgers:
        try:
            profile = read_ledger(ledger)
        except LedgerError as error:
            raise CompileError(Diagnostic("OMPC415", Kind.ERROR, f"{ledger} has no profile: {error}")) from None
        click.echo(for_terminal(format_profile(profile, ledger.name)), nl=ledger is not ledgers[-1])
    return 0


def run_profiled_program(
    program: Path, pictures: Pictures, environ: Mapping[str, str], counts: tuple[int, int] | None = None
) -> int:
    """`counts`: of its parallel loops, and of those that are for the device, where its sources are known."""
    # Here, since only this needs rich.
    from ompc.tools.profile.chart import NoChartError, write_chart
    from ompc.tools.profile.ledger import with_bandwidths
    from ompc.tools.profile.run import run_profiled
    from ompc.tools.profile.table import Loops, format_profile

    sys.stdout.flush()
    trace = None if pictures.trace is None else Path(pictures.trace)
    run = run_profiled(program, click.get_current_context().meta["arguments"], environ, trace)
    say(run.diagnostics)
    if run.profile is None:
        return run.status
    loops = None if counts is None else Loops(*counts)
    click.echo(for_terminal(format_profile(run.profile, program.name, run.elapsed, loops)), err=True, nl=False)
    if pictures.json is not None:
        write_text(pictures.json, json.dumps(with_bandwidths(run.profile.record), indent=1) + "\n")
    if pictures.chart is not None:
        try:
            write_chart(run.profile, program.name, Path(pictures.chart))
        except NoChartError as error:
            raise pictures.no_chart(error) from None
    return run.status
