"""One run of a program, whose output and exit status are kept.

    Program(Path("jacobi"), ["200", "200"], environ).run({"OMPC_OFFLOAD": "always"})

In: the executable, its arguments and standard input, the environment.   Out: `Finished`; CompileError OMPC413.
Not here: what the answer should be -- reference.py.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.tools.answers.reference import Finished

_NOT_OURS = frozenset(f"OMPC_{name}" for name in "TILES LANES TUNE TRACE NVTX DISABLE LOG CHECK REGIONS".split())
"""The user's environment variables under which a program would be slower, or would not do what is asked of it here."""

TOOK_TOO_LONG = 124
"""The exit status of a run that was ended because it took too long."""


@dataclass(frozen=True, slots=True)
class Program:
    """An executable and how it is started; `input`: its standard input, None for an empty one; `seconds`: at most;
    `ignores`: variables of the environment that it does not see.
    """

    path: Path
    arguments: Sequence[str]
    environ: Mapping[str, str]
    input: bytes | None = None
    seconds: float | None = None
    ignores: frozenset[str] = _NOT_OURS

    def run(self, more: Mapping[str, str]) -> Finished:
        """Status 124 where it took too long, 128 and more where a signal ended it. CompileError OMPC413."""
        environ = {name: value for name, value in self.environ.items() if name not in self.ignores}
        try:
            done = subprocess.run(
                [str(self.path.absolute()), *self.arguments],
                env={**environ, **more},
                input=self.input or b"",
                capture_output=True,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Finished(TOOK_TOO_LONG, "")
        except OSError as error:
            message = f"cannot start {self.path}: {error.strerror}"
            raise CompileError(Diagnostic("OMPC413", Kind.ERROR, message)) from None
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return Finished(status, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
