"""What a program remembers of its earlier runs: does the device pay for its start (OMPC_HISTORY)?"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs
from test_execution_cost_model import HEAVY, PROGRAM, SMALL, TARGET, WITH_TARGET, cheap_device

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

PAID = "the device has paid for its start in earlier runs: it is started at once"
NOT_PAID = "the device has not paid for its start in earlier runs: it is started when a loop asks for it"


# A loop that is taken for one of 10^11 operations, and has fewer: the host would take a minute, it seems.
OVERRATED = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), most = atoi(argv[3]);
    double *u = calloc(n, sizeof *u), sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            if (k >= most)
                break;
            u[i] += k + argc;
        }
    for (int i = 0; i < n; i++)
        sum += u[i];
    printf("%.12g\\n", sum);
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    return built(tmp_path_factory.mktemp("history"), workshop, PROGRAM)


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


def scores(history: Path) -> list[int]:
    (file,) = history.iterdir()
    return [int(line.split()[1]) for line in file.read_text().splitlines()[1:]]


def test_a_device_that_has_paid_is_started_at_once(program: Path, tmp_path: Path) -> None:
    history, environ = tmp_path / "new" / "history", {"OMPC_CALIBRATION": cheap_device(tmp_path)}
    assert PAID not in said(program, HEAVY, history, environ)
    assert scores(history) == [-1], "the emulated device takes longer than the host"
    assert NOT_PAID in said(program, HEAVY, history, environ)
    (file,) = history.iterdir()
    file.write_text(file.read_text().replace(" -1\n", " 3\n"))
    text = said(program, HEAVY, history, environ)
    assert PAID in text and text.index(PAID) < text.index("the device is ")
    assert scores(history) == [2], "one slow run forgets nothing that several have shown"


def test_other_arguments_folders_and_programs_have_a_history_of_their_own(
    program: Path, workshop: Workshop, tmp_path: Path
) -> None:
    history, environ = tmp_path / "history", {"OMPC_CALIBRATION": cheap_device(tmp_path)}
    said(program, HEAVY, history, environ)
    assert NOT_PAID not in said(program, ["20001", *HEAVY[1:]], history, environ)
    assert scores(history) == [-1, -1]
    os.utime(program)
    assert NOT_PAID not in said(program, HEAVY, history, environ)
    assert scores(history) == [-1], "a program that was built again begins anew"


def test_a_device_that_saves_more_than_its_start_takes_has_paid(workshop: Workshop, tmp_path: Path) -> None:
    program, history = built(tmp_path, workshop, OVERRATED), tmp_path / "history"
    environ = {"OMPC_CALIBRATION": cheap_device(tmp_path)}
    said(program, ["1000", "100000000", "1"], history, environ)
    assert scores(history) == [1]
    assert PAID in said(program, ["1000", "100000000", "1"], history, environ)
    assert scores(history) == [2]


def test_programs_that_never_start_the_device_write_nothing(program: Path, tmp_path: Path) -> None:
    said(program, SMALL, tmp_path / "history", {"OMPC_CALIBRATION": costs(tmp_path)})
    assert not (tmp_path / "history").exists()


def test_loops_that_nobody_weighs_need_the_device(workshop: Workshop, tmp_path: Path) -> None:
    assert TARGET in WITH_TARGET
    program, history = built(tmp_path, workshop, WITH_TARGET), tmp_path / "history"
    for run_before in (0, 1, 2, 3, 4):
        text = said(program, SMALL, history, {"OMPC_CALIBRATION": cheap_device(tmp_path)})
        assert (PAID in text) == (run_before > 0)
        assert scores(history) == [min(run_before + 1, 3)]


@pytest.mark.parametrize(
    "text", ["", "format = 2 1 1\n", "format = 1", "\0\n\n", "{header}\nnonsense\n0123 9\n{arguments} 17\n"]
)
def test_files_that_are_not_understood_are_written_anew(program: Path, tmp_path: Path, text: str) -> None:
    history, environ = tmp_path / "history", {"OMPC_CALIBRATION": cheap_device(tmp_path)}
    said(program, HEAVY, history, environ)
    (file,) = history.iterdir()
    header, entry = file.read_text().splitlines()
    file.write_text(text.format(header=header, arguments=entry.split()[0]))
    assert "in earlier runs" not in said(program, HEAVY, history, environ)
    assert file.read_text() == f"{header}\n{entry}\n"


def test_nothing_is_written_where_nobody_asks(program: Path, tmp_path: Path) -> None:
    environ = {"OMPC_CALIBRATION": cheap_device(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": ""}
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
