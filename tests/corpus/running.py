"""Run a command with limits on its time and its output.

In: command, environment, seconds.   Out: `Ran`. A command that runs too long is killed with all it started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_FILE = 64 << 10
"""Of any file that the command writes, its output among them, in KiB."""
MEMORY = 24 << 20
"""Address space, in KiB; a GPU's driver reserves much more, so only without one."""


@dataclass(frozen=True, slots=True)
class Ran:
    """`status` is None where the time was up; negative for a signal. `files`: what the command left in its directory
    and did not find there, by name.
    """

    status: int | None
    out: str
    err: str
    files: Mapping[str, bytes] = field(default_factory=dict)


def run_limited(
    command: Sequence[str], directory: Path, environ: Mapping[str, str], seconds: float, limit_memory: bool = False
) -> Ran:
    """Run it in `directory`, with nothing on standard input."""
    limits = f"ulimit -c 0; ulimit -f {LARGEST_FILE * 2};" + (f" ulimit -v {MEMORY};" if limit_memory else "")
    found = set(directory.rglob("*"))
    texts = [directory / "stdout", directory / "stderr"]
    with texts[0].open("wb") as out, texts[1].open("wb") as err:
        process = subprocess.Popen(
            ["sh", "-c", f'{limits} exec "$@"', "sh", *command],
            cwd=directory, env=dict(environ), stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
        )  # fmt: skip
        try:
            status: int | None = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end_group(process)
    said, complaints = (path.read_text(errors="replace") for path in texts)
    return Ran(status, said, complaints, _written(directory, found | set(texts)))


def _written(directory: Path, known: set[Path]) -> Mapping[str, bytes]:
    fresh = sorted(path for path in directory.rglob("*") if path not in known and not path.is_symlink())
    return {str(path.relative_to(directory)): path.read_bytes() for path in fresh if path.is_file()}


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Also what the command left running."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
