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
