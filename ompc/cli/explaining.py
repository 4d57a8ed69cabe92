"""The command that explains: a translation, as text or as the readiness report, or the codes of messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from ompc.base.diagnostics import TITLES, CompileError, Diagnostic, Kind
from ompc.base.resources import section
from ompc.base.translation import Translation
from ompc.base.visible import for_terminal
from ompc.base.watch import Watch
from ompc.cli.output import say, write_text
from ompc.cli.places import check_inputs, check_outputs
from ompc.cli.watching import watched
from ompc.cli.work import translate_asked
from ompc.command_options import COMPILER_OPTIONS, Asked, CompilerCommand, Reports, reporting, translating


class _ExplainCommand(CompilerCommand):
    """Codes in the place of files are explained from docs/diagnostics.md, as the compilers of other languages do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        codes = [word.upper() for word in args if re.fullmatch(r"(?i)OMPC\d{3}", word)]
        if codes and len(codes) == len(args) and not ctx.resilient_parsing:
            click.echo("\n\n".join(_section(code, ctx) for code in codes))
            ctx.exit()
        return super().parse_args(ctx, args)


def _section(code: str, ctx: click.Context) -> str:
    if code not in TITLES:
        raise click.UsageError(f"There is no code {code}; docs/diagnostics.md has them all.", ctx)
    return f"{code}: {TITLES[code]}\n\n{section(code)}"


@click.command(cls=_ExplainCommand, epilog=COMPILER_OPTIONS)
@translating
@reporting
def explain(asked: Asked, reports: Reports) -> int:
    """Show where each parallel loop runs and where each array lives, and why.

    \b
    ompc explain jacobi.c
    ompc explain jacobi.c --opt thesis | less -S
    ompc explain *.c --html readiness.html    all that and more as a page: sources, kernels, what could be changed
    ompc explain *.c --sarif readiness.sarif --report readiness.json
    ompc explain OMPC322                      what the code of a message means, and what to do about it

    Exit status: 1 where the C compiler refuses a file; what can be said of the others is said all the same.
    """
    outputs = {"--html": reports.html, "--sarif": reports.sarif, "--report": reports.json}
    check_outputs(outputs, asked.request.sources)
    options = replace(asked.request.options, partly=True)
    asked = replace(asked, request=replace(asked.request, options=options))
    with watched(asked) as watch:
        translations = translate_asked(asked, watch=watch)
        refused = [diagnostics for t in translations if (diagnostics := _errors(t))]
        if len(refused) == len(translations):
            raise CompileError(*(diagnostic for diagnostics in refused for diagnostic in diagnostics))
        check_inputs(outputs, (path for translation in translations for path in translation.dependencies))
        with watch.stage("", "report"):
            decisions = [translation.report for translation in translations]
        pages = _pages(translations, asked, reports, watch) if reports.wanted else {}
    for translation in translations:
        say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
    for file, text in pages.items():
        write_text(file, text)
        if file != "-":
            click.echo(for_terminal(f"ompc: wrote {file}"), err=True)
    if not reports.wanted:
        _show(decisions)
    return 1 if refused else 0


def _errors(translation: Translation) -> list[Diagnostic]:
    return [diagnostic for diagnostic in translation.diagnostics if diagnostic.kind is Kind.ERROR]


def _pages(translations: tuple[Translation, ...], asked: Asked, reports: Reports, watch: Watch) -> Mapping[str, str]:
    # Here, since only this needs Pygments.
    from ompc.tools.readiness.command import readiness, texts
    from ompc.tools.readiness.suggestions import Program

    program = Program(asked.request.sources, asked.request.options, translations)
    found = readiness(program, reports.device, reports.seconds, watch)
    with watch.stage("", "report"):
        return dict(texts(found, program, reports.html, reports.sarif, reports.json))


def _show(decisions: Sequence[Mapping[str, object]]) -> None:
    from rich.console import Console  # here, since only this needs it

    from ompc.tools.explain import plain_explanation, print_explanation

    color = click.get_current_context().color
    console = Console(highlight=False, force_terminal=color or None, no_color=True if color is False else None)
    for report in decisions:
        if color or sys.stdout.isatty():
            print_explanation(report, console)
        else:
            click.echo(for_terminal(plain_explanation(report)), nl=False)
