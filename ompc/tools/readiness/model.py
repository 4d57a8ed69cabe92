"""The facts of the readiness report, as plain frozen data: what `page.py`, `sarif.py` and `records.py` write.

Readiness
  SourceFile     one of the program's files, or a header of the user's with loops; its text
    Loop         a parallel loop: where it runs, why, its arrays, its kernel, its place under the roofs of a device
      Variable, ResidualTransfer, Why, Suggestion, Measured
  Run            of the program, whose profile was given
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.base.translation import Excerpt
from ompc.frontend.text import Replace
from ompc.tools.readiness.roofline import Roofline


@dataclass(frozen=True, slots=True)
class Why:
    """A reason for staying on the host. `line` of the construct to blame, where that is another one than the loop's."""

    code: str
    message: str
    help: str | None = None
    line: int | None = None
    is_race: bool = False


@dataclass(frozen=True, slots=True)
class ResidualTransfer:
    """When a variable crosses the bus, and because of what."""

    inward: bool
    when: str
    because: str


@dataclass(frozen=True, slots=True)
class Variable:
    """One object of a loop, in the words of the report for machines; None: that does not apply."""

    name: str
    type: str
    bytes: int | None
    access: str
    placement: str
    host_buffer: str | None
    transfer_in: str | None
    transfer_out: str | None
    because: str
    residual_transfers: tuple[ResidualTransfer, ...] = ()

    @property
    def in_memory(self) -> bool:
        """Has it memory on the device, or is it a value of each thread?"""
        return self.placement not in {"parameter", "register"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An edit of the user's `file` after which the loop goes to the device: this was tried.

    `ensure`   what the user must make sure of, since no tool can
    `diff`     its lines, without the header
    `command`  where no text has to change: the command line that does it
    """

    title: str
    ensure: str
    file: str
    edits: tuple[Replace, ...]
    diff: tuple[str, ...]
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run spent on a loop: `seconds` of the device, their `share` of the program's time; see measured.py.

    `launches`, `on_host`      how often the device did it, and how often the launcher left it to the host
    `copied_in`, `copied_out`  bytes, and seconds of the device
    `together`                 the lines of loops that the same launches did: the time is that of all of them
    """

    seconds: float
    share: float
    kernel_seconds: float
    launcher_seconds: float
    launches: int
    on_host: int
    copied_in: tuple[int, float]
    copied_out: tuple[int, float]
    together: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """The run that `profile`, a file, is of: the `device` that it used, or `no_device`, why it had none; the `parts` of
    its time as in docs/profile.md; `missing`: loops in it that the report does not have.
    """

    profile: str
    device: str
    no_device: str
    seconds: float
    parts: Mapping[str, float]
    missing: int


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop as it is shown.

    `first`, `last`  its lines, from the pragma on
    `launch`         a sentence about its kernel
    `record`         the entry in the report for machines
    `state`          "proved", "checked" (proved if what each launch looks at is so), "promised" or "host"
    `provisos`       what must hold, or be so at the launch, that the device does it
    `rests`          sentences about that, if it is on the device
    `codes`          with which it is on the host, or may be at a launch
    `tried`          how many changes were tried; None: nothing was
    """

    id: str
    file: str
    first: int
    last: int
    function: str
    directive: str
    on_device: bool
    why: tuple[Why, ...]
    launch: str
    iterations: str
    variables: tuple[Variable, ...]
    excerpt: Excerpt | None
    roofline: Roofline | None
    record: Mapping[str, object]
    state: str
    provisos: tuple[str, ...]
    rests: tuple[str, ...]
    codes: tuple[str, ...]
    suggestions: tuple[Suggestion, ...] = ()
    tried: int | None = None
    measured: Measured | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`problem`: why nothing in it could be analysed, with how many `pragmas` for threads in it. `number` of the
    translation that it belongs to. `warnings` that are no loop's reason to stay on the host.
    """

    path: str
    text: str
    number: int
    loops: tuple[Loop, ...]
    problem: Why | None = None
    pragmas: int = 0
    warnings: tuple[Why, ...] = ()


@dataclass(frozen=True, slots=True)
class Readiness:
    title: str
    level: str
    version: str
    files: tuple[SourceFile, ...]
    named: tuple[SourceFile, ...] = ()
    """Files without loops that reasons name lines of."""
    run: Run | None = None

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple(loop for file in self.files for loop in file.loops)

    @property
    def unread(self) -> tuple[SourceFile, ...]:
        """Files that would have loops, if they could be read."""
        return tuple(file for file in self.files if file.problem is not None and file.pragmas)

    @property
    def on_device(self) -> int:
        return sum(loop.on_device for loop in self.loops)

    def count(self, state: str) -> int:
        return sum(loop.state == state for loop in self.loops)
