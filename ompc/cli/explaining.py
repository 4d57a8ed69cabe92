"""The command that explains a translation: `explain`, as text or as the readiness report."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import click

from ompc.cli.output import printable, say, write_text
from ompc.cli.watching import watched
from ompc.cli.work import translate_asked
from ompc.command_options import COMPILER_OPTIONS, Asked, CompilerCommand, Reports, reporting, translating
from ompc.diagnostics import Kind
from ompc.translation import Translation
from ompc.watch import Watch


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@reporting
def explain(asked: Asked, reports: Reports) -> None:
    """Show where each parallel loop runs and where each array lives, and why.

    \b
    ompc explain jacobi.c
    ompc explain jacobi.c --opt thesis | less -S
    ompc explain *.c --html readiness.html    all that and more as a page: sources, kernels, what could be changed
    ompc explain *.c --sarif readiness.sarif --report readiness.json
    """
    with watched(asked) as watch:
        translations = translate_asked(asked, watch=watch)
        with watch.stage("", "report"):
            decisions = [translation.report for translation in translations]
        pages = _pages(translations, asked, reports, watch) if reports.wanted else {}
    for translation in translations:
        say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
    for file, text in pages.items():
        write_text(file, text)
        if file != "-":
            click.echo(f"ompc: wrote {file}", err=True)
    if not reports.wanted:
        _show(decisions)


def _pages(translations: tuple[Translation, ...], asked: Asked, reports: Reports, watch: Watch) -> Mapping[str, str]:
    # Here, since only this needs Pygments.
    from ompc.readiness.command import readiness, texts
    from ompc.readiness.suggestions import Program

    program = Program(asked.request.sources, asked.request.options, translations)
    found = readiness(program, reports.device, reports.seconds, watch)
    with watch.stage("", "report"):
        return dict(texts(found, program, reports.html, reports.sarif, reports.json))


def _show(decisions: Sequence[Mapping[str, object]]) -> None:
    from rich.console import Console  # here, since only this needs it

    from ompc.explain import plain_explanation, print_explanation

    color = click.get_current_context().color
    console = Console(highlight=False, force_terminal=color or None, no_color=True if color is False else None)
    for report in decisions:
        if color or sys.stdout.isatty():
            print_explanation(report, console)
        else:
            click.echo(printable(plain_explanation(report)), nl=False)
