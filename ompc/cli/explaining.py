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


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@reporting
def explain(asked: Asked, reports: Reports) -> None:
    """Show where each parallel loop runs and where each array lives, and why.

    \b
    ompc explain jacobi.c
    ompc explain jacobi.c --opt thesis | less -S
    ompc explain *.c --html readiness.html    all that and more as a page: sources, kernels, transfers, estimates
    """
    with watched(asked) as watch:
        translations = translate_asked(asked, watch=watch)
        with watch.stage("", "report"):
            pages = _pages(translations, asked, reports) if reports.wanted else {}
            decisions = [] if reports.wanted else [translation.report for translation in translations]
    for translation in translations:
        say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
    for file, text in pages.items():
        write_text(file, text)
        click.echo(f"ompc: wrote {file}", err=True)
    _show(decisions)


def _pages(translations: Sequence[Translation], asked: Asked, reports: Reports) -> Mapping[str, str]:
    from ompc.readiness.command import readiness_texts  # here, since only this needs Pygments

    return readiness_texts(translations, asked.request, reports.html, reports.device)


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
