"""What a program remembers of its earlier runs: is it faster if the device is started early (OMPC_HISTORY)?"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs
from test_execution_cost_model import HEAVY, PROGRAM, SMALL, cheap_device

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

EARLY = "the device is started at once, as earlier runs suggest"
LATE = "the device is started when a loop asks for it, as earlier runs suggest"
HOUR = 3_600_000_000  # microseconds

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


def times(history: Path) -> list[tuple[int, int]]:
    """How long early and late runs took: of each program and arguments, the newest last."""
    (file,) = history.iterdir()
    return [(int(early), int(late)) for _, early, late, _ in map(str.split, file.read_text().splitlines()[1:])]


def remember(history: Path, early: int, late: int, loops: int = 0) -> None:
    (file,) = history.iterdir()
    header, entry = file.read_text().splitlines()
    file.write_text(f"{header}\n{entry.split()[0]} {early} {late} {loops}\n")


def test_where_one_way_is_known_the_other_one_is_tried(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    history = tmp_path / "new" / "history"
    text = said(program, HEAVY, history, environ)
    assert EARLY not in text and LATE not in text
    ((early, late),) = times(history)
    assert early > 0 == late, "the program has deep loops"
    assert LATE in said(program, HEAVY, history, environ)
    ((early_again, late),) = times(history)
    assert early_again == early and late > 0
    remember(history, 0, late)
    text = said(program, HEAVY, history, environ)
    assert EARLY in text and text.index(EARLY) < text.index("the device is ompc emulator")
    assert times(history)[0][0] > 0


@pytest.mark.parametrize(("early", "late", "way"), [(1, HOUR, EARLY), (HOUR, 1, LATE), (5, 5, LATE)])
def test_the_faster_way_is_taken(
    program: Path, tmp_path: Path, environ: dict[str, str], early: int, late: int, way: str
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, early, late)
    text = said(program, HEAVY, history, environ)
    assert (EARLY in text, LATE in text) == (way == EARLY, way == LATE)


def test_a_run_that_takes_much_longer_has_other_data(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, 1, HOUR)
    said(program, HEAVY, history, environ)
    ((early, late),) = times(history)
    assert early > 1 and late == 0
    remember(history, early, HOUR)
    said(program, HEAVY, history, environ)
    assert times(history)[0][1] in (0, HOUR), "kept, unless this run was as much slower again"


def test_other_arguments_folders_and_programs_have_a_history_of_their_own(
    program: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    assert "earlier runs" not in said(program, ["20001", *HEAVY[1:]], history, environ)
    assert len(times(history)) == 2
    os.utime(program)
    assert "earlier runs" not in said(program, HEAVY, history, environ)
    assert len(times(history)) == 1, "a program that was built again begins anew"


@pytest.mark.parametrize(("early", "late", "way"), [(HOUR, 0, EARLY), (0, HOUR, LATE)])
def test_of_long_runs_the_other_way_is_not_tried(
    program: Path, tmp_path: Path, environ: dict[str, str], early: int, late: int, way: str
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    remember(history, early, late)
    assert way in said(program, HEAVY, history, environ)


def test_a_late_run_that_has_lost_starts_the_device(program: Path, tmp_path: Path, environ: dict[str, str]) -> None:
    """With loops that would not ask for it."""
    history, dear = tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path)}
    (tmp_path / "cheap").mkdir()
    said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path / "cheap")})
    for early, started in ((1, True), (HOUR // 2000, False)):
        remember(history, early, 0)
        text = said(program, SMALL, history, dear)
        assert LATE in text and ("the device is ompc emulator" in text) == started


@pytest.mark.parametrize(("loops", "started"), [(10**9, True), (1, False)])
def test_the_first_late_run_ends_when_it_is_behind(program: Path, tmp_path: Path, loops: int, started: bool) -> None:
    """An early run that is hardly through its loops by now, or that would take as long from here on."""
    history, dear = tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path, context_nanoseconds=1)}
    (tmp_path / "cheap").mkdir()
    said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path / "cheap")})
    remember(history, HOUR // 2000, 0, loops)
    text = said(program, SMALL, history, dear)
    assert LATE in text and ("the device is ompc emulator" in text) == started


def test_programs_that_never_start_the_device_write_nothing(program: Path, tmp_path: Path) -> None:
    said(program, SMALL, tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path)})
    assert not (tmp_path / "history").exists()


@pytest.mark.parametrize(
    "text", ["", "format = 3 1 1\n", "format = 2", "\0\n\n", "{header}\nnonsense\n0123 9 9 9\n{arguments} 17 1\n"]
)
def test_files_that_are_not_understood_are_written_anew(
    program: Path, tmp_path: Path, environ: dict[str, str], text: str
) -> None:
    history = tmp_path / "history"
    said(program, HEAVY, history, environ)
    (file,) = history.iterdir()
    header, entry = file.read_text().splitlines()
    file.write_text(text.format(header=header, arguments=entry.split()[0]))
    assert "earlier runs" not in said(program, HEAVY, history, environ)
    assert file.read_text().splitlines()[0] == header and len(times(history)) == 1


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
