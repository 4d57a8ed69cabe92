"""What is seen of long work: a line on a terminal and nothing in a pipe, times where they are asked for, colours."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from in_process import Cli

from ompc.base.resources import PACKAGE
from ompc.base.times import STAGES, format_times
from ompc.base.watch import Taken, Watch

PROGRAM = """\
double x[100];
int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        x[i] = i;
    return x[7] != 7;
}
"""
AT_ONCE = """\
import sys
from ompc.base import progress
progress.DELAY_SECONDS = progress.REFRESH_SECONDS = 0
from ompc.cli import main
sys.exit(main())
"""


def on_terminal(words: list[str], directory: Path, environ: Mapping[str, str] | None = None) -> str:
    """What a command shows where standard error is a terminal, lines shown from the beginning on."""
    master, slave = pty.openpty()
    seen: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # when the other side is closed
            while True:
                seen.append(os.read(master, 4096))

    reader = threading.Thread(target=read)
    reader.start()
    added = {"PYTHONPATH": str(PACKAGE.parent), "TERM": "xterm", **(environ or {})}
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    command = [sys.executable, "-c", AT_ONCE, *words]
    subprocess.run(command, cwd=directory, env=kept | added, stdout=subprocess.DEVNULL, stderr=slave, check=False)
    os.close(slave)
    reader.join()
    os.close(master)
    return b"".join(seen).decode()


def in_pipe(words: list[str], directory: Path, environ: Mapping[str, str] | None = None) -> str:
    added = {"PYTHONPATH": str(PACKAGE.parent), "TERM": "xterm", **(environ or {})}
    command = [sys.executable, "-c", AT_ONCE, *words]
    done = subprocess.run(command, cwd=directory, env=os.environ | added, capture_output=True, text=True, check=True)
    return done.stderr


@pytest.fixture
def two_files(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text(PROGRAM)
    (tmp_path / "b.c").write_text(PROGRAM.replace("int main", "__attribute__((used)) int other").replace("x", "y"))
    return tmp_path


def test_a_terminal_shows_what_is_being_done(two_files: Path) -> None:
    shown = on_terminal(["translate", "a.c", "b.c", "-o", "out"], two_files)
    assert re.search(r"[ab]\.c \([12] of 2\): (parse|sema|omp|analysis|plan|render|recheck|preprocess)", shown)
    assert shown.rstrip().endswith("ompc: wrote out")
    last = shown.rpartition("ompc: wrote")[0]
    assert last.endswith("\x1b[2K"), "the line is gone when all is done"


def test_a_pipe_and_a_dumb_terminal_show_messages_only(two_files: Path) -> None:
    words = ["translate", "a.c", "b.c", "-o", "out"]
    assert in_pipe(words, two_files) == "ompc: wrote out\n"
    assert in_pipe(words, two_files, {"FORCE_COLOR": "1", "CI": "1"}) == "ompc: wrote out\n"
    assert on_terminal(words, two_files, {"TERM": "dumb"}) == "ompc: wrote out\r\n"


@pytest.mark.slow
def test_tune_shows_what_it_tries_on_a_terminal(two_files: Path, emulating_cxx: str) -> None:
    words = ["tune", "a.c", "--target", "emulate", "--cxx", emulating_cxx, "-O0", "--repeats", "1", "--limit", "1"]
    environ = {"OMPC_TUNING": str(two_files / "tuning")}
    assert re.search(r"a\.c: 1  building", on_terminal(words, two_files, environ))
    said = in_pipe([*words, "--time"], two_files, environ)
    assert "building" not in said and re.search(r"^milliseconds .*  plan .*  search", said, re.MULTILINE)


def test_colours_are_for_terminals_that_want_them(tmp_path: Path) -> None:
    words = ["translate", "nothing.c"]
    message = "ompc: error: nothing.c: no such file [OMPC102]\r\n"
    assert "\x1b[1;31merror:" in on_terminal(words, tmp_path)
    assert on_terminal(words, tmp_path, {"NO_COLOR": "1"}) == message
    assert on_terminal([*words, "--color=never"], tmp_path) == message
    assert on_terminal(["--color=never", *words], tmp_path) == message
    assert "\x1b[1;31merror:" in on_terminal([*words, "--color=always"], tmp_path, {"NO_COLOR": "1"})


def test_colours_in_a_pipe_are_asked_for(cli: Cli) -> None:
    assert "\x1b" not in cli.run("translate", "twice.c")[2]
    err = cli.run("translate", "twice.c", "--color", "always")[2]
    assert "\x1b[1;35mwarning:\x1b[0m looks like OpenMP" in err and "\x1b[1;35m^\x1b[0m" in err
    assert "\x1b" in cli.run("explain", "twice.c", "--color", "always")[1]


def test_time_has_a_column_for_each_stage_and_a_row_for_each_file(two_files: Path) -> None:
    table, _, end = in_pipe(["translate", "a.c", "b.c", "-q", "-o", "out", "--time"], two_files).partition("elapsed: ")
    head, *rows = [re.split(r"  +", line) for line in table.splitlines()]
    stages = "preprocess parse sema transform omp analysis plan render recheck".split()
    assert head == ["milliseconds", "loading", *stages]
    assert [row[0] for row in rows] == ["a.c", "b.c", "in all"]
    assert float(end.removesuffix(" s\n")) * 1000 >= sum(map(int, rows[2][1:])) * 0.9


def test_time_of_a_build_has_its_compilers_and_of_a_cached_one_nothing(cli: Cli, keeping_cxx: str) -> None:
    words = ("build", "twice.c", "-q", "--target", "emulate", "--cxx", keeping_cxx, "--time", "-DONCE=1", "-o", "p")
    err = cli.run(*words)[2]
    for tool in ("host compiler", "C++ compiler", "link"):
        assert tool in err
    assert "all came from the cache" in cli.run(*words)[2]


def test_time_of_an_object(two_files: Path, hasty_cxx: str) -> None:
    words = ["cc", "--target", "emulate", "--time", "-fopenmp", "-c", "a.c"]
    head = in_pipe(words, two_files, {"OMPC_CXX": hasty_cxx}).splitlines()[0].split("  ")
    assert {"preprocess", "recheck", "host compiler", "C++ compiler"} <= set(head)


def test_stages_at_the_same_time_are_all_noted() -> None:
    seen: list[list[tuple[str, str]]] = []
    watch = Watch(lambda running: seen.append(list(running)))
    with watch.stage("a.c", "nvcc"):
        with watch.stage("b.c", "nvcc"):
            pass
        with pytest.raises(ValueError), watch.stage("a.c", "plan"):
            raise ValueError
    assert max(seen, key=len) == [("a.c", "nvcc"), ("b.c", "nvcc")] and seen[-1] == []
    assert sorted((each.file, each.stage) for each in watch.taken) == [
        ("a.c", "nvcc"),
        ("a.c", "plan"),
        ("b.c", "nvcc"),
    ]


def test_every_stage_has_a_column() -> None:
    """A name that the table does not know would be an error of ours in front of the user."""
    text = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    named = set(re.findall(r'\bstage\((?:[^"\n]*, |"", )?"([^"]+)"\)', text))
    tools = set(re.findall(r'\btool(?:: str)? ?= ?"([^"]+)"', text))
    assert {"parse", "loading", "report", "suggestions"} <= named and {"nvcc", "link", "runtime"} <= tools
    assert named | tools <= set(STAGES)


def test_the_table_of_times() -> None:
    taken = [Taken("long_name.c", "parse", 0.0104), Taken("", "link", 2.0), Taken("b.c", "parse", 1.0)]
    assert format_times(taken, 3.5) == (
        "milliseconds  parse  link\n"
        "long_name.c      10\n"
        "b.c            1000\n"
        "in all         1010  2000\n"
        "elapsed: 3.50 s\n"
    )
