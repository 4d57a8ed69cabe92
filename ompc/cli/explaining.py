"""The command that explains a translation: `explain`, as text or as the readiness report."""

from __future__ import annotations

import sys

import click

from ompc.cli.output import printable, say, write_text
from ompc.cli.work import translate_asked
from ompc.command_options import COMPILER_OPTIONS, Asked, CompilerCommand, Reports, reporting, translating
from ompc.diagnostics import Kind


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
    translations = translate_asked(asked)
    for translation in translations:
        say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
    if reports.wanted:
        from ompc.readiness.command import readiness_texts  # here, since only this needs Pygments

        for file, text in readiness_texts(translations, asked.request, reports.html, reports.device).items():
            write_text(file, text)
            click.echo(f"ompc: wrote {file}", err=True)
        return
    from ompc.explain import plain_explanation, print_explanation  # here, since only this needs rich

    for translation in translations:
        if sys.stdout.isatty():
            print_explanation(translation.report)
        else:
            click.echo(printable(plain_explanation(translation.report)), nl=False)
