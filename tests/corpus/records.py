"""What is found out about files and programs: plain records, and their JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class LoopAlone:
    """A long loop that one thread of a kernel runs by itself, and why; `independent`: threads could share it."""

    line: int
    because: str
    independent: bool


@dataclass(frozen=True, slots=True)
class Loop:
    """A worksharing loop; `code` and `reason` say why it is not on the device, `alone` what its threads do."""

    function: str
    line: int
    directive: str
    clauses: tuple[str, ...]
    on_device: bool
    code: str = ""
    reason: str = ""
    alone: tuple[LoopAlone, ...] = ()


class Translated(Enum):
    """What ompc did with a file."""

    YES = "translated"
    REFUSED = "refused"  # by the C compiler: no valid C with these flags
    CRASH = "crash"  # a traceback, an internal error or a signal: a bug of ompc
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class FileResult:
    """`message`: the error or traceback."""

    suite: str
    path: str
    outcome: Translated
    seconds: float
    loops: tuple[Loop, ...] = ()
    message: str = ""


class Verdict(Enum):
    """What became of a program, the worst first."""

    DIFFERENT = "different"
    CRASH = "crash"  # ompc's program, where gcc's ends well
    TIMEOUT = "timeout"  # likewise
    NOT_BUILT = "not built"  # by ompc, where gcc builds it
    VARIES = "differs, as gcc's runs do"  # what both say varies, and they say different things: nobody knows
    SAME = "same output"
    UNSTABLE = "nothing to compare"  # gcc's program prints nothing twice
    GCC_FAILS = "fails with gcc"  # built, but it crashes or never ends
    GCC_REFUSES = "not built by gcc"

    @property
    def is_failure(self) -> bool:
        return self in {Verdict.DIFFERENT, Verdict.CRASH, Verdict.TIMEOUT, Verdict.NOT_BUILT}


BUILT_BY_GCC = frozenset(Verdict) - {Verdict.GCC_REFUSES}
COMPARED = frozenset(Verdict) - {Verdict.GCC_REFUSES, Verdict.GCC_FAILS}


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """`detail`: the first difference or the compiler's words; `ignored`: how many words differ between gcc's own runs;
    `launches`: on the device, None where ompc's program did not say; `loops`: those reached, and those launched at
    least once.
    """

    suite: str
    name: str
    files: tuple[str, ...]
    verdict: Verdict
    detail: str = ""
    ignored: int = 0
    launches: int | None = None
    loops: tuple[int, int] = (0, 0)


def to_json(files: Sequence[FileResult], programs: Sequence[ProgramResult]) -> str:
    """Both lists, for other scripts."""
    plain = {"files": [asdict(item) for item in files], "programs": [asdict(item) for item in programs]}
    return json.dumps(plain, indent=1, default=lambda value: value.value) + "\n"
