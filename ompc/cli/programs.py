"""Commands that translate: `translate`, `build`, `build-and-run`."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory
from ompc.base.options import Level, plain_options
from ompc.base.visible import for_terminal, printable
from ompc.cli.measuring import Pictures, run_profiled_program
from ompc.cli.output import say, write_text
from ompc.cli.places import check_inputs, check_outputs
from ompc.cli.work import build_asked, environment_of, run_built, translate_to
from ompc.command_options import (
    A_PATH,
    COMPILER_OPTIONS,
    Asked,
    CompilerCommand,
    RunCommand,
    build_path_option,
    building,
    requiring,
    translating,
)
from ompc.toolchain.commands.dependencies import dependency_options, dependency_text
from ompc.toolchain.folder import write_folder
from ompc.toolchain.machine.setting import Target, choose_setting


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@build_path_option
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=A_PATH,
    help="Folder to write.  [default: NAME.ompc in the current directory]",
)
@click.option(
    "--report", metavar="FILE.json", type=A_PATH, help="Also write the decisions as JSON (- for standard output)."
)
@click.option("--dump", metavar="STAGE", help="Print the product of a stage, and write a folder only with -o.")
@click.option("--force", is_flag=True, help="Replace generated files even if they were edited since.")
@click.option("--plain", is_flag=True, help="Write CUDA without ompc's runtime, to go on with by hand (docs/plain.md).")
@click.option("--vendor", is_flag=True, help="Write the whole runtime as well: the folder needs no ompc to be built.")
def translate(
    asked: Asked, output: str | None, report: str | None, dump: str | None, force: bool, plain: bool, vendor: bool
) -> None:
    """Write a folder with the translated program and a Makefile.

    \b
    ompc translate jacobi.c                        writes ./jacobi.ompc/
    ompc translate src/jacobi.c -o gpu -DN=500 -Isrc/include
    ompc translate -p build                        all C files of build/compile_commands.json, each with its own options
    ompc translate jacobi.c --opt thesis --report jacobi.json
    ompc translate jacobi.c --dump plan            print the plan, write nothing
    ompc translate jacobi.c --vendor               with the whole runtime, for machines without ompc
    ompc translate jacobi.c --plain                CUDA without ompc's runtime

    `make` in the folder builds the program, with a runtime that `ompc config` builds once for all programs; with
    --vendor it needs no ompc. The folder appears only when it is complete. An earlier translation is replaced, other
    files in it are kept; any other folder is left alone.
    """
    if plain and vendor:
        raise click.UsageError("--plain goes without the runtime, --vendor with all of it.")
    folder = Path(output or f"{asked.source.stem}.ompc")
    if plain:
        asked = _plain(asked)
    check_outputs({"--report": report}, asked.request.sources)
    translation = translate_to(asked, folder, vendor)
    check_inputs({"--report": report}, translation.dependencies)
    say(translation.diagnostics, asked.quiet)
    if plain and not translation.plain:
        message = "there is no loop that can be on the device without ompc's runtime"
        raise CompileError(Diagnostic("OMPC417", Kind.ERROR, message, help="translate it without --plain"))
    if report is not None:
        write_text(report, json.dumps(translation.report, indent=2) + "\n")
    if dump is not None:
        if dump not in translation.dumps:
            raise click.UsageError(f"There is no stage '{dump}'; there are: {', '.join(translation.dumps)}.")
        show = for_terminal if sys.stdout.isatty() else printable  # a file gets the text as it is
        click.echo(show(translation.dumps[dump].rstrip("\n")))
    if dump is None or output is not None:
        write_folder(translation, folder, force, vendor)
        if not asked.quiet:
            click.echo(for_terminal(f"ompc: wrote {folder}"), err=True)


def _plain(asked: Asked) -> Asked:
    """UsageError: another level is wanted."""
    if asked.request.options.level is not Level.AUTO:
        raise click.UsageError("--plain goes with --opt auto alone.")
    options = plain_options(asked.request.options)
    return replace(asked, request=replace(asked.request, options=options))


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@requiring
@click.option(
    "-o",
    "--output",
    metavar="PROG",
    type=A_PATH,
    help="Executable to write.  [default: NAME in the current directory]",
)
def build(asked: Asked, output: str | None) -> None:
    """Translate, compile and link.

    \b
    ompc build jacobi.c -o jacobi
    ompc build jacobi.c -o jacobi --target cuda --arch sm_90 -O3
    ompc build jacobi.c -o jacobi-plain --target host      as gcc -fopenmp would

    ompc build jacobi.c -o jacobi -MMD -MP                 and jacobi.d, which says to make what it depends on

    An unchanged program is taken from the cache ($OMPC_CACHE_DIR, by default ~/.cache/ompc).
    """
    program = Path(output or asked.source.stem)
    depfile = dependency_options(asked.request.flags.dependencies).path(program)
    outputs = {"-o": str(program), "-MF": None if depfile is None else str(depfile)}
    check_outputs(outputs, asked.request.sources, new=True)
    build_asked(replace(asked, request=replace(asked.request, portable=True)), program)
    if depfile is not None:
        setting = choose_setting(replace(asked.request, target=Target.HOST, require_gpu=False), os.environ)
        write_text(str(depfile), dependency_text(asked.request, setting, program))


@click.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@requiring
@click.option("--profile", "wanted", is_flag=True, help="Say what the time was spent on, as `ompc profile` does.")
def build_and_run(asked: Asked, wanted: bool) -> int:
    """Build the program, then run it with the ARGUMENTS.

    \b
    ompc build-and-run jacobi.c -- 200 200
    ompc build-and-run filter.c --target emulate -DN=16 < input > output

    Standard input, output and error and the exit status are the program's own.
    """
    with temporary_directory("ompc-run-") as directory:
        program = Path(directory) / asked.source.stem
        counts = build_asked(asked, program)
        environ = environment_of(asked)
        return run_profiled_program(program, Pictures(), environ, counts) if wanted else run_built(program, environ)
