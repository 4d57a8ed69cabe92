"""The command line. Only this package prints, exits and reads the environment, and `ompc cc`.

Standard output carries what was asked for (a dump, a report, an explanation, the program's own output); everything ompc
has to say goes to standard error. Exit status: 0; 1 after an error that was explained; 2 for a wrong command line; 70
when ompc itself is wrong; 128 + the number of a signal that ends it; `build-and-run` and `profile` pass the program's
own status on.

    programs.py    translate, build, build-and-run                work.py      what several commands do
    explaining.py  explain                                        output.py    what they print
    measuring.py   profile, tune                                  watching.py  what is seen while they work
    bisecting.py   bisect                                         places.py    where they may write
    machine.py     cc, doctor                                     about.py     completion, --version, --cmake-dir
    configuring.py config                                         editing.py   lsp
    checking.py    check                                          loop_places.py the loop at FILE:LINE
"""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from typing import Any

import click

import ompc
from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import leave
from ompc.base.narrow_help import narrowed
from ompc.cli.about import cmake_option, completion, version_option
from ompc.cli.bisecting import bisect
from ompc.cli.checking import check
from ompc.cli.configuring import config
from ompc.cli.editing import lsp
from ompc.cli.explaining import explain
from ompc.cli.machine import cc, doctor
from ompc.cli.measuring import profile, tune
from ompc.cli.output import say
from ompc.cli.programs import build, build_and_run, translate
from ompc.command_options import color_option


class _Commands(click.Group):
    """Says what was wrong while it is known whether colours are wanted."""

    def get_help(self, ctx: click.Context) -> str:
        return narrowed(super().get_help(ctx), shutil.get_terminal_size().columns)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not args[0].endswith(".c"):
                raise
            said = f"{error.message} To translate, compile and link it: ompc build {args[0]}"
            raise click.UsageError(said, ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        if os.environ.get("NO_COLOR") and ctx.color is None:
            ctx.color = False
        try:
            return super().invoke(ctx)
        except CompileError as error:
            say(error.diagnostics)
            return 1


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@version_option
@cmake_option
@color_option
@click.pass_context
def command_line(ctx: click.Context) -> None:
    """Translate C with OpenMP to CUDA C, build it, run it.

    \b
    ompc translate jacobi.c                   write the CUDA program to ./jacobi.ompc/
    ompc build jacobi.c -o jacobi             translate, compile and link
    ompc build-and-run jacobi.c -- 200 200    the same, then run it with these arguments
    ompc explain jacobi.c                     where each loop runs and each array lives, and why
    ompc check jacobi.c                       fail where a parallel loop stays on the host
    ompc lsp                                  say all that in an editor
    ompc profile jacobi.c -- 200 200          run it, and show what moved when, and what took how long
    ompc tune jacobi.c -- 200 200             find shapes of launches that are good on this GPU, and keep them
    ompc bisect jacobi.c -- 200 200           find the loop whose result differs from the host's
    ompc cc -c jacobi.c                       be a C compiler: make CC="ompc cc"
    ompc config --libs                        the runtime as a library, for a Makefile
    ompc doctor                               what is installed, and what is missing

    Loops that cannot run on the GPU stay on the host, exactly as they were, each with its reason. Without a GPU the
    generated kernels run on the CPU.
    """
    ctx.obj = os.environ


COMMANDS = (translate, build, build_and_run, profile, explain, check, tune, bisect, cc, config, lsp, doctor, completion)
for command in COMMANDS:
    command_line.add_command(command)


def _crash(error: Exception, arguments: Sequence[str]) -> Diagnostic:
    """OMPC901 for the exception being handled; its traceback and whole message go to a file."""
    summary = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    text = f"ompc {ompc.__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    text += f"ompc {' '.join(arguments)}\n\n{traceback.format_exc()}"
    help_ = "please report it with the file that was translated"
    try:
        handle, name = tempfile.mkstemp(prefix="ompc-crash-", suffix=".txt")
        with os.fdopen(handle, "w", errors="surrogateescape") as out:
            out.write(text)
        help_ += f" and {name}"
    except OSError:
        pass
    return Diagnostic("OMPC901", Kind.BUG, f"ompc failed: {summary}", help=help_)


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Error numbers that blame the place that output goes to, and not ompc."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = command_line.main(args=words, prog_name="ompc", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except OSError as error:
        if error.filename is not None or error.errno not in _FULL:
            say([_crash(error, words)])
            return 70
        # What is left in the buffer would be written, and fail, once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        say([Diagnostic("OMPC411", Kind.ERROR, f"cannot write the output: {error.strerror}")])
        return 1
    except Exception as error:  # the last resort: a traceback is never a user's message
        say([_crash(error, words)])
        return 70


def entry() -> None:
    """The `ompc` command."""
    leave(main())
