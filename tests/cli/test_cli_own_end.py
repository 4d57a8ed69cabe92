"""A command that comes to its own end leaves its memory to the system, and nothing else."""

from __future__ import annotations

import pstats
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """\
import sys, threading, time
from ompc.base.ending import leave

def work():
    time.sleep({seconds})
    print("worked")

print("begun")
threading.Thread(target=work, daemon={daemon}).start()
leave(3)
"""


@pytest.mark.parametrize(("daemon", "seconds", "said"), [(False, 0.2, "begun\nworked\n"), (True, 60, "begun\n")])
def test_threads_that_python_waits_for_are_waited_for(daemon: bool, seconds: float, said: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(daemon=daemon, seconds=seconds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (3, said, "")


def test_a_profiler_writes_what_it_has_seen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cProfile", "-o", str(tmp_path / "profile"), "-m", "ompc", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("Usage:")
    assert pstats.Stats(str(tmp_path / "profile")).total_tt > 0  # type: ignore[attr-defined]


def test_output_that_cannot_be_written_is_told_of() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", "from ompc.base.ending import leave; print(1); leave(0)"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode != 0 and "No space left on device" in done.stderr
