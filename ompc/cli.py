"""The command line. Only this module prints, exits and reads the environment.

Standard output carries what was asked for (a dump, a report, an explanation, the program's own output); everything ompc
has to say goes to standard error. Exit status: 0; 1 after an error that was explained; 2 for a wrong command line; 70
when ompc itself is wrong; 130 when interrupted; `build-and-run` and `profile` pass the program's own status on.
"""

from __future__ import annotations

import gc
import json
import linecache
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

import ompc
from ompc.command_options import COMPILER_OPTIONS, Asked, CompilerCommand, RunCommand, building, translating
from ompc.diagnostics import CompileError, Diagnostic, Kind, format_diagnostic
from ompc.options import Level
from ompc.toolchain.build import build_program
from ompc.toolchain.cache import DEFAULT_LIMIT_BYTES, Cache, cache_directory
from ompc.toolchain.calibrate import calibrate as calibrate_machine
from ompc.toolchain.doctor import examine, format_examination
from ompc.toolchain.folder import origin_of, write_folder
from ompc.toolchain.run import run_program
from ompc.toolchain.setting import Target, choose_setting
from ompc.translation import Translation


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ompc.__version__, prog_name="ompc")
@click.pass_context
def command_line(ctx: click.Context) -> None:
    """Translate C with OpenMP to CUDA C, build it, run it.

    \b
    ompc translate jacobi.c                   write the CUDA program to ./jacobi.ompc/
    ompc build jacobi.c -o jacobi             translate, compile and link
    ompc build-and-run jacobi.c -- 200 200    the same, then run it with these arguments
    ompc explain jacobi.c                     where each loop runs and each array lives, and why
    ompc profile jacobi.c -- 200 200          run it, and show what moved when, and what took how long
    ompc tune jacobi.c -- 200 200             find shapes of launches that are good on this GPU, and keep them
    ompc cc -c jacobi.c                       be a C compiler: make CC="ompc cc"
    ompc doctor                               what is installed, and what is missing

    Loops that cannot run on the GPU stay on the host, exactly as they were, each with its reason. Without a GPU the
    generated kernels run on the CPU.
    """
    ctx.obj = os.environ


@command_line.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@click.option("-o", "--output", metavar="DIR", help="Folder to write.  [default: NAME.ompc in the current directory]")
@click.option("--report", metavar="FILE.json", help="Also write the decisions as JSON (- for standard output).")
@click.option("--dump", metavar="STAGE", help="Print the product of a stage, and write a folder only with -o.")
@click.option("--force", is_flag=True, help="Replace generated files even if they were edited since.")
def translate(asked: Asked, output: str | None, report: str | None, dump: str | None, force: bool) -> None:
    """Write a folder with the translated program and a Makefile.

    \b
    ompc translate jacobi.c                        writes ./jacobi.ompc/
    ompc translate src/jacobi.c -o gpu -DN=500 -Isrc/include
    ompc translate jacobi.c --opt thesis --report jacobi.json
    ompc translate jacobi.c --dump plan            print the plan, write nothing

    The folder needs no ompc: `make` in it builds the program. It appears only when it is complete. An earlier
    translation is replaced, other files in it are kept; any other folder is left alone.
    """
    folder = Path(output or f"{asked.source.stem}.ompc")
    translation = _translate_to(asked, folder)
    _say(translation.diagnostics, asked.quiet)
    if report is not None:
        _write_text(report, json.dumps(translation.report, indent=2) + "\n")
    if dump is not None:
        if dump not in translation.dumps:
            raise click.UsageError(f"There is no stage '{dump}'; there are: {', '.join(translation.dumps)}.")
        click.echo(_printable(translation.dumps[dump].rstrip("\n")))
    if dump is None or output is not None:
        write_folder(translation, folder, force)
        if not asked.quiet:
            click.echo(f"ompc: wrote {folder}", err=True)


@command_line.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("-o", "--output", metavar="PROG", help="Executable to write.  [default: NAME in the current directory]")
def build(asked: Asked, output: str | None) -> None:
    """Translate, compile and link.

    \b
    ompc build jacobi.c -o jacobi
    ompc build jacobi.c -o jacobi --target cuda --arch sm_90 -O3
    ompc build jacobi.c -o jacobi-plain --target host      as gcc -fopenmp would

    An unchanged program is taken from the cache ($OMPC_CACHE_DIR, by default ~/.cache/ompc).
    """
    program = Path(output or asked.source.stem)
    replaced = [source for source in asked.request.sources if source.resolve() == program.resolve()]
    if replaced:
        message = f"the executable would replace the source file {replaced[0]}"
        raise CompileError(Diagnostic("OMPC410", Kind.ERROR, message, help="choose another name with -o"))
    _build(asked, program)


@command_line.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("--profile", "wanted", is_flag=True, help="Say what the time was spent on, as `ompc profile` does.")
def build_and_run(asked: Asked, wanted: bool) -> int:
    """Build the program, then run it with the ARGUMENTS.

    \b
    ompc build-and-run jacobi.c -- 200 200
    ompc build-and-run filter.c --target emulate -DN=16 < input > output

    Standard input, output and error and the exit status are the program's own.
    """
    with tempfile.TemporaryDirectory(prefix="ompc-run-") as directory:
        program = Path(directory) / asked.source.stem
        _build(asked, program)
        return _profile(program, _Pictures()) if wanted else _run(program)


@command_line.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("--json", metavar="FILE.json", help="Also write it as JSON (- for standard output).")
@click.option("--trace", metavar="FILE.json", help="Also write what happened when, for ui.perfetto.dev.")
@click.option("--chart", metavar="FILE.png|svg", help="Also draw the thesis' stacked bars; needs matplotlib.")
def profile(asked: Asked, **pictures: str | None) -> int:
    """Run a program and show what its time was spent on, what was copied, and what was not and why.

    \b
    ompc profile jacobi.c -- 200 200                  build it first
    ompc profile ./jacobi -- 200 200                  an executable that ompc has built
    ompc profile jacobi.c --trace jacobi.json --chart jacobi.png -- 200 200

    Standard input and output and the exit status are the program's own; the tables go to standard error.
    """
    from ompc.profile.run import is_executable

    if is_executable(asked.source) and not asked.request.others:
        return _profile(asked.source, _Pictures(**pictures))
    with tempfile.TemporaryDirectory(prefix="ompc-run-") as directory:
        program = Path(directory) / asked.source.stem
        _build(asked, program)
        return _profile(program, _Pictures(**pictures))


@command_line.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
def explain(asked: Asked) -> None:
    """Show where each parallel loop runs and where each array lives, and why.

    \b
    ompc explain jacobi.c
    ompc explain jacobi.c --opt thesis | less -S
    """
    from ompc.explain import plain_explanation, print_explanation  # here, since only this command needs rich

    for translation in _translate(asked):
        _say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
        if sys.stdout.isatty():
            print_explanation(translation.report)
        else:
            click.echo(_printable(plain_explanation(translation.report)), nl=False)


@command_line.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("--dry-run", is_flag=True, help="Show what would be tried, and run nothing.")
@click.option("--emit-clauses", metavar="FILE.patch", help="Also write a patch that puts the winners into the sources.")
@click.option("--input", "stdin", type=click.File("rb"), help="The program's standard input.  [default: empty]")
@click.option("--repeats", type=click.IntRange(1, 1000), default=3, show_default=True, help="Runs of a candidate.")
@click.option("--limit", metavar="SECONDS", type=float, help="Search no longer than that.")
@click.option("--tolerance", type=float, default=1e-6, show_default=True, help="Of floating-point output.")
def tune(asked: Asked, dry_run: bool, emit_clauses: str | None, **own: Any) -> int:
    """Search for each loop's best block size, rows, tiles and lanes, and keep the winners for later builds.

    \b
    ompc tune jacobi.c -- 4096 4096
    ompc tune jacobi.c --dry-run
    ompc tune jacobi.c --emit-clauses tuned.patch -- 4096 4096; patch -p0 < tuned.patch

    The program runs some hundred times with these ARGUMENTS, and must print what the host's own program prints. Shapes
    are kept for this kind of GPU and for loops of about this size ($OMPC_TUNING, by default ~/.config/ompc/tuning).
    """
    from ompc.tune.command import run_tune, show_space, wanted_of  # here, since only this needs rich

    if asked.request.options.level is not Level.AUTO or asked.request.target is Target.HOST:
        raise click.UsageError("there is something to choose for --opt auto, and for kernels, only.")
    untuned = replace(asked, request=replace(asked.request, options=replace(asked.request.options, tuning=None)))
    if dry_run:
        click.echo(show_space(_translate(untuned)), nl=False)
        return 0
    wanted = wanted_of(click.get_current_context().meta["arguments"], **own)
    told = run_tune(asked.request, os.environ, wanted, lambda: _translate(untuned), _cache())
    _say(told.diagnostics, asked.quiet)
    click.echo(_printable(told.table), nl=False, err=emit_clauses == "-")
    if emit_clauses is not None:
        _write_text(emit_clauses, told.patch)
    if told.kept is not None:
        click.echo(f"ompc: wrote {told.kept}", err=True)
    return 0


@command_line.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def cc(words: tuple[str, ...]) -> int:
    """Be a C compiler for build systems: make CC="ompc cc"."""
    from ompc.cc import main as compile_or_link

    return compile_or_link(words)


@command_line.command()
@click.option("--calibrate", is_flag=True, help="Measure what copies and launches cost here; programs read it then.")
@click.option("--target", type=click.Choice(["cuda", "emulate"]), default="cuda", help="What to measure.")
def doctor(calibrate: bool, target: str) -> int:
    """Show which compilers, CUDA, GPU and Python packages were found, and what to install.

    Each compiler is tried on a small program. Exit status 0: translated programs can be built and run here, at least
    on the CPU.
    """
    if calibrate:
        calibrate_machine(os.environ, Target(target), lambda line: click.echo(f"ompc: {line}", err=True))
        return 0
    examination = examine(os.environ)
    click.echo(format_examination(examination))
    return 0 if examination.healthy else 1


def _translate(asked: Asked, origin: str = "..") -> tuple[Translation, ...]:
    # Here, since a build from the cache and `doctor` need none of the stages, whose import takes longer than they do.
    from ompc import driver

    _say(() if asked.request.options.tuning is None else asked.request.options.tuning.problems)
    return driver.translate_program(asked.request.sources, replace(asked.request.options, origin=origin))


def _translate_to(asked: Asked, folder: Path) -> Translation:
    translations = _translate(asked, origin_of(folder))
    if len(translations) == 1:
        return translations[0]
    from ompc import driver

    options = replace(asked.request.options, origin=origin_of(folder))
    return driver.in_one_folder(translations, asked.request.sources, options)


def _build(asked: Asked, program: Path) -> None:
    setting = choose_setting(asked.request, os.environ)
    _say(setting.notes)
    built = build_program(asked.request, setting, lambda: _translate(asked), program, _cache())
    _say(built.diagnostics, asked.quiet)


def _cache() -> Cache:
    limit = os.environ.get("OMPC_CACHE_LIMIT", "")
    return Cache(cache_directory(os.environ), int(limit) << 20 if limit.isdecimal() else DEFAULT_LIMIT_BYTES)


def _run(program: Path) -> int:
    sys.stdout.flush()
    status, killed = run_program(program, click.get_current_context().meta["arguments"], os.environ)
    _say([killed] if killed else [])
    return status


@dataclass(frozen=True, slots=True)
class _Pictures:
    """Files to write a profile to, beside the tables."""

    json: str | None = None
    trace: str | None = None
    chart: str | None = None


def _profile(program: Path, pictures: _Pictures) -> int:
    # Here, since only this needs rich.
    from ompc.profile.chart import SUFFIXES, NoChartError, write_chart
    from ompc.profile.ledger import with_bandwidths
    from ompc.profile.run import run_profiled
    from ompc.profile.table import format_profile

    if pictures.chart is not None and Path(pictures.chart).suffix not in SUFFIXES:
        raise click.UsageError(f"--chart: the file must end in one of {', '.join(SUFFIXES)}.")
    sys.stdout.flush()
    trace = None if pictures.trace is None else Path(pictures.trace)
    run = run_profiled(program, click.get_current_context().meta["arguments"], os.environ, trace)
    _say(run.diagnostics)
    if run.profile is None:
        return run.status
    click.echo(_printable(format_profile(run.profile, program.name, run.elapsed)), err=True, nl=False)
    if pictures.json is not None:
        _write_text(pictures.json, json.dumps(with_bandwidths(run.profile.record), indent=1) + "\n")
    if pictures.chart is not None:
        try:
            write_chart(run.profile, program.name, Path(pictures.chart))
        except NoChartError as error:
            raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {pictures.chart}: {error}")) from None
    return run.status


def _write_text(file: str, text: str) -> None:
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(file).write_bytes(text.encode(errors="surrogateescape"))
    except OSError as error:
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {file}: {error.strerror}")) from None


def _say(diagnostics: Iterable[Diagnostic], quiet: bool = False) -> None:
    """Print to standard error; `quiet` leaves out why loops stay on the host."""
    for diagnostic in diagnostics:
        if quiet and diagnostic.kind is Kind.HOST:
            continue
        at = diagnostic.at
        line = linecache.getline(at.file, at.line) if at is not None and at.column > 0 else ""
        click.echo(_printable(format_diagnostic(diagnostic, line or None)), err=True)


def _printable(text: str) -> str:
    """Bytes that are no UTF-8 in the user's files and their names are shown as such, and stop no message."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _crash(error: Exception, arguments: Sequence[str]) -> Diagnostic:
    """OMPC901 for the exception being handled; its traceback and whole message go to a file."""
    summary = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    text = f"ompc {ompc.__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    text += f"ompc {' '.join(arguments)}\n\n{traceback.format_exc()}"
    help_ = "please report it with the file that was translated"
    try:
        handle, name = tempfile.mkstemp(prefix="ompc-crash-", suffix=".txt")
        with os.fdopen(handle, "w") as out:
            out.write(text)
        help_ += f" and {name}"
    except OSError:
        pass
    return Diagnostic("OMPC901", Kind.BUG, f"ompc failed: {summary}", help=help_)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = command_line.main(args=words, prog_name="ompc", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except CompileError as error:
        _say(error.diagnostics)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:  # the last resort: a traceback is never a user's message
        _say([_crash(error, words)])
        return 70


def entry() -> None:
    """The `ompc` command."""
    gc.disable()  # a run is short and its trees live to its end: searching them for garbage costs a tenth of the time
    sys.exit(main())
