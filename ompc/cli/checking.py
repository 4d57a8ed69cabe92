"""The command for hooks and reviews: `check`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.translation import Translation
from ompc.base.visible import for_terminal
from ompc.cli.output import say, write_text
from ompc.cli.places import check_inputs, check_outputs
from ompc.cli.watching import watched
from ompc.cli.work import translate_asked
from ompc.command_options import (
    A_PATH,
    COMPILER_OPTIONS,
    Asked,
    CompilerCommand,
    build_path_option,
    translating,
)


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@translating
@build_path_option
@click.option(
    "--baseline",
    metavar="FILE",
    type=A_PATH,
    help="What an older SARIF file has, of this command or of `ompc explain`, is no reason to fail.",
)
@click.option("--sarif", "sarif_file", metavar="FILE", type=A_PATH, help="Write what was found as SARIF 2.1.0.")
def check(asked: Asked, baseline: str | None, sarif_file: str | None) -> int:
    """Fail where a parallel loop stays on the host, a warning is about OpenMP, or a file cannot be read.

    \b
    ompc check src/*.c                                 exit status 1 where there is any of that
    ompc check src/*.c --sarif ompc.sarif              ... and keep what there is
    ompc check src/*.c --baseline ompc.sarif           only what has come since counts
    ompc check -p build --baseline ompc.sarif          all C files of a project, each with its own options

    Each file is looked at by itself, as `ompc cc -c` sees it, so that the answer does not depend on the others. A loop
    that has moved counts as the same; one that was changed, and stays on the host, is new. An error is always new.
    """
    outputs = {"--sarif": sarif_file}
    check_outputs(outputs, [*asked.request.sources, *([] if baseline is None else [Path(baseline)])])
    known = None if baseline is None else _baseline(baseline)
    with watched(asked) as watch:
        translations = [t for source in asked.request.sources for t in translate_asked(_alone(asked, source), watch)]
        check_inputs(outputs, (path for translation in translations for path in translation.dependencies))
        with watch.stage("", "report"):
            return _report(asked, translations, known, sarif_file)


def _alone(asked: Asked, source: Path) -> Asked:
    options = replace(asked.request.options, partly=True, part=True)
    return replace(asked, request=replace(asked.request, source=source, others=(), options=options))


def _report(
    asked: Asked, translations: Sequence[Translation], known: Mapping[tuple[str, str], int] | None, file: str | None
) -> int:
    # Here, as in `explain`, since other commands need none of the report.
    from collections import Counter

    from ompc.tools.readiness.findings import are_new, findings
    from ompc.tools.readiness.gather import gather
    from ompc.tools.readiness.roofline import DEVICES
    from ompc.tools.readiness.sarif import of_findings

    found = gather(translations, asked.request.sources, next(iter(DEVICES.values())))
    told = list(findings(found))
    new = are_new(told, Counter(known or {}))
    say(d for translation in translations for d in translation.diagnostics if d.kind is Kind.ERROR)
    fresh = (each for each, is_new in zip(told, new, strict=True) if is_new and each.level != "error")
    say((each.diagnostic for each in fresh), asked.quiet)
    if file is not None:
        write_text(file, json.dumps(of_findings(found, None if known is None else new), indent=2) + "\n")
    if told:
        old = f", {len(told) - sum(new)} of them known" if known is not None else ""
        click.echo(for_terminal(f"ompc: {len(told)} finding{'s' if len(told) > 1 else ''}{old}"), err=True)
    return 1 if any(new) else 0


def _baseline(file: str) -> Mapping[tuple[str, str], int]:
    from ompc.tools.readiness.findings import baseline_in

    help_ = "`ompc check FILE.c... --sarif FILE` writes one"
    try:
        return baseline_in(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        why = f"{file} cannot be read: {error.strerror}"
    except ValueError as error:
        why = f"{file} is no SARIF file: {error}"
    raise CompileError(Diagnostic("OMPC419", Kind.ERROR, f"the baseline {why}", help=help_))
