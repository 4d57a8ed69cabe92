"""A command that is told to end leaves nothing behind and says nothing, whenever that comes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = """\
#include <stdio.h>
double a[100];
int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = i;
    printf("%g\\n", a[7]);
    return 0;
}
"""
SLOW = """\
#!/bin/sh
case "$*" in *--version*|*-dM*|*-E*|*-fsyntax-only*) exec {0} "$@";; esac
: > "$TMPDIR/its-own"
sleep 600 & wait
"""
pytestmark = pytest.mark.slow
ENDS = (signal.SIGHUP, signal.SIGINT)
PATIENCE = 300
"""Seconds until something hangs; less than the slow compilers take."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("work", "scratch", "cache"):
        (tmp_path / name).mkdir()
    (tmp_path / "work" / "a.c").write_text(PROGRAM)
    for name, compiler in (("slow-cc", "cc"), ("slow-c++", "c++")):
        (tmp_path / name).write_text(SLOW.format(compiler))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setenv("OMPC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "work")
    yield tmp_path


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ompc", *words]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=notice_endings,  # noqa: PLW1509
    )


def notice_endings() -> None:
    """Under `nohup`, or behind `&` in a script, the tests' own process ignores some, and so would its children."""
    for number in (*ENDS, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def check_nothing_is_left(place: Path, process: subprocess.Popen[str], number: int) -> None:
    said, complained = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said, complained) == (128 + number, "", "")
    assert not [*(place / "scratch").iterdir()]
    assert not [*(place / "cache").rglob(".new-*")]
    assert [path.name for path in (place / "work").iterdir()] == ["a.c"]
    deadline = time.monotonic() + PATIENCE  # what was killed may take a moment to be gone
    while left := running_in_session(process.pid):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def running_in_session(session: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[3]) == session and words[0] != "Z":
            found.append(stat.parent.name)
    return found


COMMANDS = [
    ["build", "a.c", "--target", "emulate", "--cxx", "{0}/slow-c++"],
    ["build", "a.c", "--target", "host", "--cc", "{0}/slow-cc"],
    ["build-and-run", "a.c", "--target", "emulate", "--cxx", "{0}/slow-c++"],
    ["profile", "a.c", "--target", "emulate", "--cxx", "{0}/slow-c++"],
    ["bisect", "a.c", "--target", "emulate", "--cxx", "{0}/slow-c++"],
    ["cc", "-fopenmp", "-c", "a.c", "--target=emulate", "--cxx={0}/slow-c++"],
]
CASES = [(words, signal.SIGTERM) for words in COMMANDS] + [(COMMANDS[0], number) for number in ENDS]


@pytest.mark.parametrize(("words", "number"), CASES)
def test_while_compilers_run(place: Path, words: list[str], number: int) -> None:
    process = start(*(word.format(place) for word in words))
    deadline = time.monotonic() + PATIENCE
    while not any("sleep" in comm(pid) for pid in running_in_session(process.pid)):
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.02)
    os.kill(process.pid, number)
    check_nothing_is_left(place, process, number)


def comm(process: str) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text()
    except OSError:
        return ""


@pytest.mark.parametrize("milliseconds", [0, 30, 100, 300, 800])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_at_any_time(place: Path, milliseconds: int, number: int) -> None:
    """Python itself takes some of it to start, and has words of its own for an interrupt then.

    While it ends, all is done, and signals have their default actions again.
    """
    process = start("explain", "a.c", "--html", str(place / "scratch" / "page.html"))
    status = Path(f"/proc/{process.pid}/status")  # there until `process` is waited for
    while not _has_ended(status) and not _catches(status, signal.SIGTERM):
        time.sleep(0.001)
    time.sleep(milliseconds / 1000)
    process.send_signal(number)
    said, complained = process.communicate(timeout=PATIENCE)
    assert process.returncode in {0, -number, 128 + number}
    assert "Traceback" not in complained + said and (process.returncode in {0, -number} or not complained)
    assert process.returncode in {0, -number} or not [*(place / "scratch").iterdir()]


def _has_ended(status: Path) -> bool:
    """A busy machine may not have looked before."""
    return bool(re.search(r"^State:\s+Z", status.read_text(), re.MULTILINE))


def _catches(status: Path, number: int) -> bool:
    return bool(int(status.read_text().partition("SigCgt:")[2].split()[0], 16) >> (number - 1) & 1)


def ignore_hangups() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_what_the_process_ignored_from_its_start_stays_ignored(place: Path) -> None:
    command = [sys.executable, "-m", "ompc", "translate", "a.c", "-q"]
    process = subprocess.Popen(command, preexec_fn=ignore_hangups)  # noqa: PLW1509
    for _ in range(20):
        if process.poll() is None:
            process.send_signal(signal.SIGHUP)
        time.sleep(0.02)
    assert process.wait(timeout=PATIENCE) == 0
    assert (place / "work" / "a.ompc" / "Makefile").is_file()
