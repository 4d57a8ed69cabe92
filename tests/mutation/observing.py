"""What is tried with a check disabled, random programs and execution cases; what becomes of one without that.

Of each program it is noted which checks answer something else than they would if they were disabled: only with these
can its translation be another one. The text of a translation is compared without comments, which say why something is
not done.

In: programs, checks.   Out: `Observation`.
"""

from __future__ import annotations

import gc
import hashlib
import re
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.translation import Translation
from ompc.driver import translate
from tests.fuzz.cases import Case, make_case, print_file

from .disabling import observed
from .table import BY_NAME

SECONDS = 120
"""How long one translation may take before it counts as one that does not end."""
_FOLDER = "ompc-mutation-"
_IGNORED = re.compile(rf"/\*.*?\*/|//[^\n]*|[^\s\"]*{_FOLDER}\w+", re.DOTALL)
"""Comments, and the names of folders."""


@dataclass(frozen=True, slots=True)
class Program:
    """`number`: of a random program of the `seed`, of which segments are `kinds`; or `case`: the file of an execution
    case, with what its header asks for.
    """

    seed: int = 0
    number: int = -1
    kinds: tuple[str, ...] = ()
    case: Path | None = None
    flags: tuple[str, ...] = ()
    fp: FloatingPoint = FloatingPoint.DEFAULT

    def __str__(self) -> str:
        return f"program {self.number}" if self.case is None else f"case {self.case.stem}"

    def made(self) -> Case:
        return make_case(self.seed, self.number, self.kinds)

    def translation(self) -> Translation:
        """Raises what the translation raises."""
        options = Options(Level.AUTO, self.fp, self.flags, "gcc")
        if self.case is not None:
            return translate(self.case, replace(options, tag=self.case.stem))
        with tempfile.TemporaryDirectory(prefix=_FOLDER) as folder:
            source = Path(folder) / f"c{self.number}.c"
            source.write_text(print_file([self.made()]))
            return translate(source, options)


@dataclass(frozen=True, slots=True)
class Observation:
    """`text`: a hash of what is generated; `bitten`: the names of the checks that matter, perhaps."""

    text: str
    bitten: frozenset[str]


def observe(program: Program, names: Sequence[str]) -> Observation:
    """For the checks with these names."""
    with in_time(), observed([BY_NAME[name] for name in names]) as bitten:
        text = text_of(program.translation())
    return Observation(text, frozenset(bitten))


def text_of(translation: Translation) -> str:
    """Equal for translations that differ in their comments, and in where the program lies, alone."""
    texts = sorted(translation.files.items())
    plain = [(name, " ".join(_IGNORED.sub(" ", text).split())) for name, text in texts]
    return hashlib.sha256(repr(plain).encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def in_time(seconds: int = SECONDS) -> Iterator[None]:
    """TimeoutError where what is done takes longer; without collecting garbage, which would take a tenth."""

    def too_long(*_: Any) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    gc.disable()
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
        gc.collect()
