"""What commands print: messages to standard error, texts to files or standard output."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from pathlib import Path

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind, format_diagnostic
from ompc.base.visible import printable


def write_text(file: str, text: str) -> None:
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(file).write_bytes(text.encode(errors="surrogateescape"))
    except OSError as error:
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {file}: {error.strerror}")) from None


def say(diagnostics: Iterable[Diagnostic], quiet: bool = False) -> None:
    """Print to standard error; `quiet` leaves out why loops stay on the host."""
    for diagnostic in diagnostics:
        if quiet and diagnostic.kind is Kind.HOST:
            continue
        at = diagnostic.at
        line = linecache.getline(at.file, at.line) if at is not None and at.column > 0 else ""
        # Colours go where they are not wanted: click knows.
        click.echo(printable(format_diagnostic(diagnostic, line or None, color=True)), err=True)
