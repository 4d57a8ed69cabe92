"""What the server asks of a worker, and what it is told: plain data, without the stages that make it."""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.diagnostics import Diagnostic
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.frontend.text import Replace


@dataclass(frozen=True, slots=True)
class OtherFile:
    """Another file of the program, with the options of its own and those of all."""

    path: str
    directory: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """A file to look at. `texts`: those that the editor has not saved, by absolute paths; `directory`: where its
    compiler runs; `at`: the file and line of a loop to try changes for; `beside`: what may be linked with it.
    """

    path: str
    directory: str
    options: Options
    texts: Mapping[str, str] = field(default_factory=dict)
    at: tuple[str, int] | None = None
    beside: tuple[OtherFile, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopAnswer:
    """A loop: its lines, what `ompc explain FILE:LINE` says of it, and whether it stays on the host."""

    file: str
    first: int
    last: int
    text: str
    on_host: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """`reads`: every file that was read, so that a change of one asks anew."""

    diagnostics: tuple[Diagnostic, ...]
    loops: tuple[LoopAnswer, ...] = ()
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that was tried, and what the user must `ensure`."""

    title: str
    ensure: str
    file: str
    edits: tuple[Replace, ...]


@dataclass(frozen=True, slots=True)
class Fixes:
    """The best first."""

    made: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """ompc could not say anything; `why` in a line, and `details` for a report."""

    why: str
    details: str = ""


Result = Answer | Fixes | Failure
