"""Diagnostics are values: a code, a place, a message, notes and help.

Three kinds (`Kind`): the user's error, "not supported, so on the host", and our own bug. Every code is declared in the
table below with its title, has a section in docs/diagnostics.md and a test case.

    OMPC1xx  the input cannot be compiled: files, C, options        (user's error)
    OMPC2xx  OpenMP directives and clauses                          (user's error or warning)
    OMPC3xx  a loop stays on the host, and why                      (unsupported)
    OMPC4xx  tools and machines: compilers, nvcc, GPU, running      (user's error or warning)
    OMPC9xx  ompc itself is wrong                                   (bug)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ompc.source import Location


class Kind(Enum):
    ERROR = "error"
    WARNING = "warning"
    HOST = "host"
    BUG = "internal error"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a loop stays on the host: an OMPC3xx code and one sentence; `at` is the construct that is to blame."""

    code: str
    message: str
    at: Location | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message. `notes` follow it, each on its own line; `help` says what the user can do."""

    code: str
    kind: Kind
    message: str
    at: Location | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None


class CompileError(Exception):
    """Stops the pipeline: the diagnostics are the user's whole message. Only the CLI catches it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics

TITLES: dict[str, str] = {
    "OMPC101": "the C compiler rejects the file",
    "OMPC102": "no such file",
    "OMPC103": "the file cannot be read as C text",
    "OMPC104": "no C compiler",
    "OMPC105": "the file cannot be analysed, so that all of it stays on the host",
    "OMPC201": "a pragma that is nearly an OpenMP directive",
    "OMPC401": "no nvcc",
    "OMPC402": "no GPU",
    "OMPC403": "nvcc failed",
    "OMPC404": "the host compiler or the linker failed",
    "OMPC405": "the output folder is not ompc's to replace",
    "OMPC406": "the program was killed by a signal",
    "OMPC407": "no C++ compiler",
    "OMPC408": "an architecture that nvcc does not know, or `native` without a GPU",
    "OMPC409": "the kernels run on the CPU, since `--target auto` found no nvcc or no GPU",
    "OMPC410": "the output would replace the source",
    "OMPC411": "a file cannot be written",
    "OMPC412": "the C compiler's warnings about the host file",
    "OMPC413": "a program cannot be started",
    "OMPC901": "internal error",
}
"""Every code that ompc can print, with its title in docs/diagnostics.md."""


def format_diagnostic(diagnostic: Diagnostic, source_line: str | None = None) -> str:
    """The message as gcc prints one, without a final newline.

    `source_line` is the text of the line at `diagnostic.at`; it is shown where the column is known, with a caret below.
    Without a place the message starts with `ompc:`. HOST messages are one line.
    """
    kind = "note" if diagnostic.kind is Kind.HOST else diagnostic.kind.value
    lines = [f"{diagnostic.at or 'ompc'}: {kind}: {diagnostic.message} [{diagnostic.code}]"]
    if diagnostic.kind is Kind.HOST:
        return lines[0]
    if source_line is not None and diagnostic.at is not None and diagnostic.at.column > 0:
        lines += _excerpt(source_line, diagnostic.at)
    lines += (f"  note: {note}" if "\n" not in note else note.rstrip("\n") for note in diagnostic.notes)
    if diagnostic.help is not None:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


def _excerpt(source_line: str, at: Location) -> list[str]:
    text = source_line.rstrip("\n")
    # Tabs are kept in front of the caret, so that it stands below its column whatever the terminal's tab width is.
    indent = "".join("\t" if c == "\t" else " " for c in text[: at.column - 1])
    return [f"{at.line:5} | {text}", f"      | {indent}^"]
