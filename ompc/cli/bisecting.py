"""The command `bisect`."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.visible import for_terminal
from ompc.base.watch import Watch
from ompc.cli.output import say
from ompc.cli.watching import progress, say_times
from ompc.cli.work import open_cache, translate_asked
from ompc.command_options import A_PATH, COMPILER_OPTIONS, Asked, RunCommand, building, translating
from ompc.toolchain.machine.setting import Target

if TYPE_CHECKING:
    from ompc.base.options import Options
    from ompc.base.translation import Translation
    from ompc.tools.bisect.program import Found


@click.command(cls=RunCommand, epilog=COMPILER_OPTIONS)
@translating
@building
@click.option("--input", "stdin", type=click.File("rb"), help="The program's standard input.  [default: empty]")
@click.option("--output", "outputs", metavar="FILE", type=A_PATH, multiple=True, help="A file that it writes.")
@click.option("--tolerance", type=float, default=1e-6, show_default=True, help="Of floating-point numbers.")
@click.option("--runs", type=click.IntRange(1, 1000), default=3, show_default=True, help="Of what seems to be right.")
@click.option("--limit", metavar="SECONDS", type=float, default=600, show_default=True, help="Of one run.")
def bisect(asked: Asked, **own: Any) -> int:
    """Find the loop, and the optimisation, by which a program's result differs from the host's.

    \b
    ompc bisect jacobi.c -- 200 200
    ompc bisect jacobi.c --output field.txt --tolerance 1e-9 -- 200 200

    What the program must print, write to these files and return is what `gcc -fopenmp` makes of it. It runs some
    dozens of times: with some loops on the device, then with some launches of the wrong one, then without some
    optimisations. Exit status: 0 where nothing differs, else 1.
    """
    from ompc.tools.bisect.conclusion import format_conclusion  # here, since only this needs it

    if asked.request.target is Target.HOST:
        raise click.UsageError("there is something to compare for kernels only.")
    started, watch = time.perf_counter(), Watch()  # which says nothing: the search has a line of its own
    found = _found(asked, watch, **own)
    say_times(asked, watch, started)
    if found.vary:
        message = f"the host's own runs differ, and that is not compared: {'; '.join(found.vary)}"
        say([Diagnostic("OMPC482", Kind.WARNING, message)])
    click.echo(for_terminal(format_conclusion(found)), nl=False)
    return 0 if found.problem is None else 1


def _found(asked: Asked, watch: Watch, **own: Any) -> Found:
    from ompc.tools.bisect.judge import Wanted
    from ompc.tools.bisect.program import bisect_program

    stdin, outputs = own.pop("stdin"), tuple(map(Path, own.pop("outputs")))
    arguments = click.get_current_context().meta["arguments"]
    wanted = Wanted(arguments, os.environ, None if stdin is None else stdin.read(), outputs, **own)

    def translate(options: Options) -> tuple[Translation, ...]:
        return translate_asked(replace(asked, request=replace(asked.request, options=options)), watch)

    name = asked.source.name
    with progress(name) as say_now:
        return bisect_program(
            asked.request, wanted, translate, open_cache(), watch, lambda what: say_now(f"{name}: {what}")
        )
