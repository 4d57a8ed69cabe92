"""What a program remembers of its earlier runs: is it faster if the device is started early (OMPC_HISTORY)?"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs
from test_execution_cost_model import HEAVY, PROGRAM, SMALL, cheap_device

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

EARLY = "the device is started at once, as earlier runs suggest"
LATE = "the device is started when a loop asks for it, as earlier runs suggest"
HOST = "all loops stay on the host, as earlier runs suggest"
WAYS = (EARLY, LATE, HOST)
STARTED = "the device is ompc emulator"
SECOND, HOUR = 1_000_000, 3_600_000_000  # microseconds


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    return built(tmp_path_factory.mktemp("history"), workshop, PROGRAM)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"OMPC_CALIBRATION": cheap_device(tmp_path)}


def built(folder: Path, workshop: Workshop, text: str) -> Path:
    source, program = folder / "history.c", folder / "program"
    source.write_text(text)
    workshop.program(read_case(source), Level.AUTO, Target.EMULATE, program)
    return program


def said(program: Path, arguments: list[str], history: Path | str, environ: Mapping[str, str]) -> str:
    """What a run says of its device."""
    log = program.with_name("log")
    log.unlink(missing_ok=True)
    asked = {"OMPC_OFFLOAD": "profit", "OMPC_HISTORY": str(history), "OMPC_LOG": "2", "OMPC_LOG_FILE": str(log)}
    assert run(program, arguments, {**asked, **environ}).status == 0
    return log.read_text()


class Runs(NamedTuple):
    """What is known of a program with the same arguments; microseconds, 0 where it is not known."""

    early: int = 0
    late: int = 0
    host: int = 0
    loops: int = 0
    largest: int = 0
    gain: int = 0
    measured: int = 0


def known(history: Path) -> list[Runs]:
    """Of each program and arguments, the newest last."""
    (file,) = history.iterdir()
    runs = [line.split() for line in file.read_text().splitlines()[1:]]
    return [Runs(*map(int, numbers)) for first, *numbers in runs if first != "loop"]


class Loop(NamedTuple):
    """Femtoseconds of an operation on the host, how many there were, thousandths of the estimated kernel, nanoseconds
    of a launch."""

    host: int
    operations: int
    factor: int
    launch: int


def known_loops(history: Path) -> dict[str, Loop]:
    """By the loop's key."""
    (file,) = history.iterdir()
    lines = [line.split() for line in file.read_text().splitlines()]
    return {key: Loop(*map(int, numbers)) for first, key, *numbers in lines if first == "loop"}


def remember(history: Path, *numbers: int) -> None:
    (file,) = history.iterdir()
    header, entry = file.read_text().splitlines()[:2]
    file.write_text(f"{header}\n{entry.split()[0]} {' '.join(map(str, Runs(*numbers)))}\n")


def test_ways_that_nobody_knows_are_tried(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    history = tmp_path / "new" / "history"
    text = said(program, HEAVY, history, environ)
    assert not any(way in text for way in WAYS)
    (first,) = known(history)
    assert first.late > 0 == first.early == first.host
    assert first.loops > 0 < first.largest
    first = first._replace(late=SECOND)  # no reason to end the trial, however busy this machine is
    remember(history, *first)
    text = said(program, HEAVY, history, environ)
    assert HOST in text and STARTED not in text
    (second,) = known(history)
    assert second == first._replace(host=second.host) and second.host > 0


@pytest.mark.parametrize(
    ("numbers", "way"),
    [
        ((1, HOUR, HOUR), EARLY),
        ((HOUR, 1, HOUR), LATE),
        ((HOUR, HOUR, 1), HOST),
        ((5, 5, 6), LATE),
        ((5, 5, 5), HOST),
        # the host, unless one loop is expected to take it much longer than the run
        ((SECOND, 0, 0), HOST),
        ((0, SECOND, 0), HOST),
        ((SECOND, 0, 0, 1, 2 * SECOND), HOST),
        ((SECOND, 0, 0, 1, 4 * SECOND), LATE),
        ((0, SECOND, 0, 1, 4 * SECOND, SECOND), EARLY),
        # nor what was measured there more than the run took
        ((SECOND, 0, 0, 1, SECOND, 0, SECOND), HOST),
        ((SECOND, 0, 0, 1, SECOND, SECOND, 2 * SECOND), LATE),
        ((0, SECOND, 0, 1, SECOND, SECOND, 2 * SECOND), EARLY),
        # with the device, if the run was longer than its start and there is something to gain
        ((0, 0, SECOND, 0, 0, SECOND), EARLY),
        ((0, 0, SECOND), HOST),
        ((0, SECOND, 0, 1, 4 * SECOND), LATE),
        ((0, 0, SECOND // 10, 0, 0, SECOND), HOST),
        ((0, SECOND // 10, SECOND), LATE),
        ((SECOND, 0, SECOND // 2), HOST),
        ((SECOND // 2, 0, SECOND), LATE),
        # long runs
        ((HOUR, 0, 0), EARLY),
        ((0, HOUR, 0), LATE),
        ((0, 0, HOUR), HOST),
    ],
)
def test_the_way_that_is_taken(
    program: Path, tmp_path: Path, environ: dict[str, str], numbers: tuple[int, ...], way: str
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, *numbers)
    text = said(program, HEAVY, history, environ)
    assert [said for said in WAYS if said in text] == [way]
    if way == EARLY:
        assert text.index(EARLY) < text.index(STARTED)


def test_a_run_that_takes_much_longer_has_other_data(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, 1, HOUR, HOUR)
    said(program, HEAVY, history, environ)
    (after,) = known(history)
    assert after.early > 1 and after.late == after.host == 0
    remember(history, after.early, HOUR, HOUR)
    said(program, HEAVY, history, environ)
    assert known(history)[0].late in (0, HOUR), "kept, unless this run was as much slower again"


def test_runs_with_as_many_loops_have_the_same_data(
    tmp_path: Path, workshop: Workshop, environ: dict[str, str]
) -> None:
    """Unless they take three times as long."""
    text = PROGRAM.replace("#include <stdio.h>", "#include <stdio.h>\n#include <unistd.h>")
    text = text.replace("return 0", "return sleep(2)")
    program, history, arguments = built(tmp_path, workshop, text), tmp_path / "history", ["20000", "10", "60"]
    said(program, arguments, history, environ)
    (first,) = known(history)
    assert first.late > 2 * SECOND and first.loops > 64
    cases = ((first.loops, 2, True), (first.loops, 20, False), (first.loops * 2, 2, False), (0, 2, False))
    for loops, slower, kept in cases:
        remember(history, first.late // slower, HOUR, HOUR, loops)
        said(program, arguments, history, environ)
        (after,) = known(history)
        assert (after.late, after.host) == ((HOUR, HOUR) if kept else (0, 0)), (loops, slower, first, after)


def test_other_arguments_folders_and_programs_have_a_history_of_their_own(
    program: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    assert "earlier runs" not in said(program, ["20001", *HEAVY[1:]], history, environ)
    assert len(known(history)) == 2
    os.utime(program)
    assert "earlier runs" not in said(program, HEAVY, history, environ)
    assert len(known(history)) == 1, "a program that was built again begins anew"


@pytest.mark.parametrize(
    ("numbers", "way", "started"),
    [
        ((1, 0, HOUR), LATE, True),
        ((HOUR // 2000, 0, HOUR), LATE, False),
        ((2, 2, 1), HOST, True),
        ((HOUR, HOUR, SECOND), HOST, False),
        ((0, 0, 1), HOST, True),
    ],
)
def test_a_run_that_has_lost_starts_the_device(
    program: Path, tmp_path: Path, numbers: tuple[int, ...], way: str, started: bool
) -> None:
    """With loops that would not ask for it."""
    history, dear = tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path, context_nanoseconds=1)}
    (tmp_path / "cheap").mkdir()
    said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path / "cheap")})
    remember(history, *numbers)
    text = said(program, SMALL, history, dear)
    assert way in text and (STARTED in text) == started


@pytest.mark.parametrize(("loops", "started"), [(10**9, True), (1, False)])
@pytest.mark.parametrize(("host", "way"), [(0, HOST), (HOUR, LATE)])
def test_a_way_that_is_tried_ends_when_it_is_behind(
    program: Path, tmp_path: Path, host: int, way: str, loops: int, started: bool
) -> None:
    """An early run that is hardly through its loops by now, or that would take as long from here on."""
    history, dear = tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path, context_nanoseconds=1)}
    (tmp_path / "cheap").mkdir()
    said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path / "cheap")})
    remember(history, HOUR // 2000, 0, host, loops)
    text = said(program, SMALL, history, dear)
    assert way in text and (STARTED in text) == started


def test_a_way_that_was_given_up_is_not_the_one_that_was_measured(program: Path, tmp_path: Path) -> None:
    """A run that the host began and the device ended says of the host alone that it takes longer."""
    history, dear = tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path, context_nanoseconds=1)}
    (tmp_path / "cheap").mkdir()
    said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path / "cheap")})
    remember(history, 0, 2, 0, 10**9)
    text = said(program, SMALL, history, dear)
    assert HOST in text and STARTED in text
    (runs,) = known(history)
    assert runs.host > max(runs.late, runs.early) > 0
    assert HOST not in said(program, SMALL, history, dear)


def test_a_device_that_something_else_has_started_is_used(
    tmp_path: Path, workshop: Workshop, environ: dict[str, str]
) -> None:
    construct = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++)\n    v[i] = 0;\n"
    text = PROGRAM.replace("expect-gpu: 2", "expect-gpu: 3").replace("    for (int t", f"{construct}    for (int t")
    program, history = built(tmp_path, workshop, text), tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, HOUR, HOUR, 1)
    text = said(program, HEAVY, history, environ)
    assert HOST in text and STARTED in text and "faster there" not in text


def test_programs_that_never_start_the_device_write_nothing(program: Path, tmp_path: Path) -> None:
    said(program, SMALL, tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path)})
    assert not (tmp_path / "history").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "format = 7 1 1\n",
        "format = 7",
        "\0\n\n",
        "{header}\nnonsense\n0123 9 9 9 9 9\n{arguments} 17 1 1 1\n",
        "{header}\n{arguments} 1 1 1 -1 1\n",
        "{header}\nloop {arguments} 1 1\nloop 01 1 1 1\nloop\nloop {arguments} 1 -1 1\n",
    ],
)
def test_files_that_are_not_understood_are_written_anew(
    program: Path, tmp_path: Path, environ: dict[str, str], text: str
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    (file,) = history.iterdir()
    header, entry = file.read_text().splitlines()[:2]
    file.write_text(text.format(header=header, arguments=entry.split()[0]))
    assert "earlier runs" not in said(program, HEAVY, history, environ)
    assert file.read_text().splitlines()[0] == header and len(known(history)) == 1


def test_what_loops_took_is_known_in_later_runs(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    """Also with other arguments: of a loop that the host was slow at none is tried there first."""
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, HOUR, HOUR, 1)
    assert HOST in said(program, HEAVY, history, environ)
    loops = known_loops(history)
    assert loops
    assert all(loop.host > 0 or loop.factor > 0 or loop.launch > 0 for loop in loops.values())
    others = ["20001", *HEAVY[1:]]
    for host, stays in ((1, True), (10**12, False)):
        recall(history, {key: loop._replace(host=host, operations=10**12, factor=1000) for key, loop in loops.items()})
        text = said(program, others, history, environ)
        assert ("faster there" in text) == stays
        assert stays or STARTED in text


def recall(history: Path, loops: Mapping[str, Loop]) -> None:
    (file,) = history.iterdir()
    kept = file.read_text().splitlines()[:2]
    lines = [f"loop {key} {' '.join(map(str, loop))}" for key, loop in loops.items()]
    file.write_text("\n".join([*kept, *lines, ""]))


def test_nothing_is_written_where_nobody_asks(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    environ |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": ""}
    said(program, HEAVY, "", environ)
    said(program, HEAVY, tmp_path / "always", {**environ, "OMPC_OFFLOAD": "always"})
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    said(program, HEAVY, folder / "history", environ)
    (tmp_path / "file").write_text("")
    said(program, HEAVY, tmp_path / "file", environ)
    assert not (tmp_path / ".cache").exists() and not (tmp_path / "always").exists()
    assert (tmp_path / "file").read_text() == ""


OF_LIBC = 2 * 8
"""Bytes of pointers that libc leaves in blocks of its own from before `main`. How many of them are 0 is chance."""

ALONE = """/* expect-gpu: 1 */
#include <stdio.h>
#include <sys/single_threaded.h>
static double v[200000];
int main(void)
{
    printf("%d\\n", __libc_single_threaded);
    for (int t = 0; t < 20; t++) {
        #pragma omp parallel for
        for (int i = 0; i < 200000; i++)
            for (int k = 0; k < 20; k++)
                v[i] += k + t;
    }
    return 0;
}
"""


def test_a_program_is_alone_until_its_first_loop(tmp_path: Path, workshop: Workshop, environ: dict[str, str]) -> None:
    """libc takes no locks in a process that has never had a second thread: rand and stdio are faster."""
    program, history = built(tmp_path, workshop, ALONE), tmp_path / "history"
    settings = {"OMPC_OFFLOAD": "profit", "OMPC_HISTORY": str(history), **environ}
    for _ in range(2):
        assert run(program, [], settings).out == "1\n"
    assert known(history)


FRESH = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
static double v[200000];
int main(void)
{
    int used = 0;
    for (int size = 24; size < 1500; size += 24)
        for (int k = 0; k < 3; k++) {
            unsigned char *block = malloc(size);
            for (int i = 0; i < size; i++)
                used += block[i] != 0;
        }
    for (int t = 0; t < 20; t++) {
        #pragma omp parallel for
        for (int i = 0; i < 200000; i++)
            for (int k = 0; k < 20; k++)
                v[i] += k + t;
    }
    printf("%d %g\\n", used, v[7]);
    return 0;
}
"""


def test_the_heap_is_as_it_would_be_without_a_history(
    tmp_path: Path, workshop: Workshop, environ: dict[str, str]
) -> None:
    """Programs that read what they have not written find in it what they find with gcc: mostly zeros."""
    program, history = built(tmp_path, workshop, FRESH), tmp_path / "history"
    settings = {"OMPC_OFFLOAD": "profit", **environ}
    for folder in ("", *3 * [str(history)]):
        used, value = run(program, [], {**settings, "OMPC_HISTORY": folder}).out.split()
        assert (int(used) <= OF_LIBC, value) == (True, "7600"), folder
    assert known(history)
