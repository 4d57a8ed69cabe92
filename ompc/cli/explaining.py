"""The command that explains: a translation, as text or as the readiness report, or the codes of messages."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

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
from ompc.command_options import (
    COMPILER_OPTIONS,
    Asked,
    CompilerCommand,
    Reports,
    build_path_option,
    reporting,
    translating,
)
from ompc.tools.explain import Record, Standing
from ompc.tools.explanation import explanation
from ompc.tools.overview import in_full, loops_of, overview
from ompc.tools.profile.ledger import LedgerError, Profile, read_ledger
from ompc.tools.wrapping import EMPTY, WIDTH, Line, Style

_CODE = re.compile(r"(?:OMPC)?(\d{3})", re.IGNORECASE)
_PLACE = re.compile(r"(.+?):(\d+)(?::\d+)?:?")
"""A line of a file as compilers name it; the column is left out."""


class _ExplainCommand(CompilerCommand):
    """Codes in the place of files are explained from docs/diagnostics.md, as the compilers of other languages do. A
    file followed by a line stands for the loop there: `ctx.meta["places"]`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        codes = [f"OMPC{found[1]}" for word in args if (found := _CODE.fullmatch(word)) and not Path(word).exists()]
        if codes and len(codes) == len(args) and not ctx.resilient_parsing:
            click.echo("\n\n".join(_section(code, ctx) for code in codes))
            ctx.exit()
        places: list[tuple[str, int]] = []
        words: list[str] = []
        for word in args:
            found = _PLACE.fullmatch(word)
            if found is None or word.startswith("-") or Path(word).exists():
                words.append(word)
                continue
            places.append((found[1], int(found[2])))
            if Path(found[1]).suffix not in _HEADERS and found[1] not in (*args, *words):
                words.append(found[1])
        ctx.meta["places"] = tuple(places)
        return super().parse_args(ctx, words)


_HEADERS = {".h", ".hh", ".hpp", ".inc", ".def"}
"""Files that are no program's own: the C file that includes one has to be named as well."""


def _section(code: str, ctx: click.Context) -> str:
    if code not in TITLES:
        raise click.UsageError(f"There is no code {code}; docs/diagnostics.md has them all.", ctx)
    return f"{code}: {TITLES[code]}\n\n{section(code)}"


@click.command(cls=_ExplainCommand, epilog=COMPILER_OPTIONS)
@translating
@build_path_option
@reporting
@click.option("--all", "everything", is_flag=True, help="Every loop in full, with its arrays and what is copied.")
def explain(asked: Asked, reports: Reports, everything: bool) -> int:
    """Show where each parallel loop runs, and what to do about those that stay on the host.

    \b
    ompc explain jacobi.c                     the summary: how many loops run where, and the host's with their reasons
    ompc explain jacobi.c:99                  the loop at that line in full: launch, arrays, copies, and why
    ompc explain *.c --all                    every loop in full
    ompc explain *.c --html readiness.html    all that and more as a page: sources, kernels, what you could change
    ompc explain *.c --html FILE.html --profile run.json       and what `ompc profile --json run.json` measured
    ompc explain *.c --fix cures.patch        changes, each tried, that bring loops to the GPU: patch -p0 < cures.patch
    ompc explain -p build                     all C files of build/compile_commands.json, each with its own options
    ompc explain *.c --sarif readiness.sarif --report readiness.json
    ompc explain OMPC322                      what the code of a message means, and what to do about it; also: 322

    Exit status: 1 where the C compiler refuses a file; what can be said of the others is said all the same.
    """
    outputs = {"--html": reports.html, "--sarif": reports.sarif, "--report": reports.json, "--fix": reports.fix}
    check_outputs(outputs, asked.request.sources)
    if reports.profile is not None and reports.html is None:
        raise click.UsageError("--profile ranks the loops of a page: name one by --html.")
    profile = None
    if reports.profile is not None:
        check_inputs(outputs, (Path(reports.profile),))
        profile = reports.profile, _profile_in(reports.profile)
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
        pages = _pages(translations, asked, reports, watch, profile) if reports.wanted else {}
    for translation in translations:
        say([d for d in translation.diagnostics if d.kind is not Kind.HOST])
    for file, text in pages.items():
        write_text(file, text)
        if file != "-":
            nothing = ", which is empty: no change was found that brings a loop to the GPU" if not text else ""
            click.echo(for_terminal(f"ompc: wrote {file}{nothing}"), err=True)
    if not reports.wanted:
        _show(_lines(decisions, everything))
    return 1 if refused else 0


def _errors(translation: Translation) -> list[Diagnostic]:
    return [diagnostic for diagnostic in translation.diagnostics if diagnostic.kind is Kind.ERROR]


def _profile_in(ledger: str) -> Profile:
    """CompileError OMPC415: there is none."""
    try:
        return read_ledger(Path(ledger))
    except LedgerError as error:
        raise CompileError(Diagnostic("OMPC415", Kind.ERROR, f"{ledger} has no profile: {error}")) from None


def _pages(
    translations: tuple[Translation, ...],
    asked: Asked,
    reports: Reports,
    watch: Watch,
    profile: tuple[str, Profile] | None,
) -> Mapping[str, str]:
    # Here, since only this needs Pygments.
    from ompc.tools.readiness.command import readiness, texts
    from ompc.tools.readiness.patches import patch
    from ompc.tools.readiness.suggestions import Program

    program = Program(asked.request.sources, asked.request.options, translations)
    found = readiness(program, reports.device, reports.seconds, watch, profile)
    with watch.stage("", "report"):
        written = dict(texts(found, program, reports.html, reports.sarif, reports.json))
        if reports.fix is not None:
            written[reports.fix] = patch(found)
        return written


def _lines(reports: Sequence[Record], everything: bool) -> list[Line]:
    """What is printed: the summary, every loop, or the loops at the places that were named."""
    ctx, width = click.get_current_context(), _width()
    places: tuple[tuple[str, int], ...] = ctx.meta["places"]
    if places:
        from ompc.cli.loop_places import loops_at  # here, since only this needs the frontend

        found = loops_at(places, reports, ctx)
        parts = ([EMPTY, *explanation({"source": loop.file}, [loop.region], width)] for loop in found)
        return [line for part in parts for line in part][1:]
    return in_full(reports, width) if everything else [*overview(reports, width), *_more(reports)]


def _width() -> int:
    """Of the terminal; elsewhere what COLUMNS says, or 80."""
    return shutil.get_terminal_size((WIDTH, 0)).columns


def _more(reports: Sequence[Record]) -> list[Line]:
    """What may be asked for next."""
    loops = loops_of(reports)
    if not loops:
        return []
    first = min(loops, key=lambda loop: list(Standing).index(loop.standing))
    asked = (
        (f"ompc explain {first.place}", "that loop in full"),
        ("ompc explain ... --all", "every loop in full"),
        ("ompc explain ... --html FILE.html", "all of it as a page"),
        ("ompc explain ... --fix FILE.patch", "edits that move host loops to the GPU"),
    )[: 3 + (first.standing is Standing.HOST)]
    room = max(len(command) for command, _ in asked)
    return [EMPTY, Line("More:"), *(Line(f"  {command.ljust(room)}  {what}") for command, what in asked)]


_COLOURS = {Style.HOST: "yellow", Style.PROMISED: "cyan", Style.PROVED: "green"}


def _show(lines: Sequence[Line]) -> None:
    for line in lines:
        text = for_terminal(line.text)
        if line.style is not Style.PLAIN:
            text = click.style(text, fg=_COLOURS.get(line.style), bold=line.style is Style.TITLE or None)
        click.echo(text)
