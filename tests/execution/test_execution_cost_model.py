"""Which loops stay on the host since the device would be slower (OMPC_OFFLOAD=profit)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

PROGRAM = """/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = i % 17, v[i] = 0;
    for (int t = 0; t < steps; t++) {
        #pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int k = 0; k < m; k++)
                v[i] += (u[i - 1] + u[i + 1]) / 2;
        if (t % 2)
            #pragma omp parallel for
            for (int i = 1; i < n - 1; i++)
                u[i] = v[i] / (t + 1) + argc;
        else
            sum += v[n / 2];
    }
    for (int i = 0; i < n; i++)
        sum += v[i];
    printf("%.12g\\n", sum);
    return 0;
}
"""

JOINT = """/* expect-gpu: 2 */
#include <stdio.h>
double u[4000], v[4000];
int main(void)
{
    for (int t = 0; t < 400; t++) {
        #pragma omp parallel for
        for (int i = 0; i < 4000; i++)
            for (int k = 0; k < 50; k++)
                u[i] += k + t;
        #pragma omp parallel for
        for (int i = 0; i < 4000; i++)
            v[i] += u[i];
    }
    printf("%g\\n", v[399]);
    return 0;
}
"""
TARGET = """
        #pragma omp target teams distribute parallel for map(tofrom: w)
        for (int i = 0; i < 9; i++)
            w[i]++;
"""
WITH_TARGET = (
    PROGRAM.replace("expect-gpu: 2", "expect-gpu: 3")
    .replace("sum = 0;", "sum = 0, w[9] = {0};", 1)
    .replace("        if (t % 2)", TARGET + "        if (t % 2)")
)
TABLES = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rows = atoi(argv[1]), columns = atoi(argv[2]), steps = atoi(argv[3]);
    double **w = malloc(rows * sizeof *w), sum = 0;
    for (int i = 0; i < rows; i++) {
        w[i] = malloc(columns * sizeof **w);
        for (int j = 0; j < columns; j++)
            w[i][j] = i % 13 + j;
    }
    for (int t = 0; t < steps; t++) {
        #pragma omp parallel for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                for (int k = 0; k < 8; k++)
                    w[i][j] = w[i][j] * 0.5 + t;
    }
    for (int i = 0; i < rows; i++)
        sum += w[i][i % columns];
    printf("%.12g\\n", sum);
    return argc == 9;
}
"""
SMALL, HEAVY = ["100", "1", "200"], ["20000", "40", "3"]


def cheap_device(folder: Path) -> str:
    """The costs of a machine whose device is there at once."""
    names = ("copy", "launch", "launch_and_wait", "context", "guard_fault")
    return costs(folder, **{f"{name}_nanoseconds": 1 for name in names})


def slow_device(folder: Path) -> dict[str, str]:
    """A device that is there at once, and takes far longer than the host however busy that is: its loops are of less
    than a millisecond, and wait for no other thread.
    """
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": cheap_device(folder)}
    return {**environ, "OMPC_FAULTS": "slow:1+", "OMP_NUM_THREADS": "1"}


def test_loops_that_are_over_before_the_device_is_there_do_not_wait_for_it(tmp_path: Path, workshop: Workshop) -> None:
    """A thread of its own starts it, for 0.3 seconds here; each loop takes the host less than a millisecond."""
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    case, program = read_case(source), tmp_path / "program"
    workshop.program(case, Level.AUTO, Target.EMULATE, program)
    names = ("copy", "launch", "launch_and_wait", "guard_fault")
    slow_start = costs(tmp_path, context_nanoseconds=3 * 10**8, **{f"{name}_nanoseconds": 1 for name in names})
    log = tmp_path / "log"
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": slow_start, "OMPC_FAULTS": "end:1", "OMPC_LOG": "3"}
    arguments = ["20000", "4", "5"]
    done = run(program, arguments, {**environ, "OMPC_LOG_FILE": str(log)})
    assert done == run(workshop.reference(case), arguments)
    assert "the device is ompc emulator" in log.read_text()
    assert "grid" not in log.read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profit")


def totals(
    folder: Path, workshop: Workshop, arguments: list[str], environ: Mapping[str, str], text: str = PROGRAM
) -> Any:
    source = folder / "profit.c"
    source.write_text(text)
    case, program, ledger = read_case(source), folder / "program", folder / "ledger.json"
    if not program.exists():
        workshop.program(case, Level.AUTO, Target.EMULATE, program)
    ran = run(program, arguments, {"OMPC_PROFILE": str(ledger), **environ})
    assert (ran.status, ran.out, ran.err) == (0, run(workshop.reference(case), arguments).out, "")
    return json.loads(ledger.read_text())["totals"]


def test_small_loops_stay_on_the_host(folder: Path, workshop: Workshop, tmp_path: Path) -> None:
    """However slow the host may be at the moment: a launch costs a second there."""
    kept = totals(folder, workshop, SMALL, {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": costs(tmp_path)})
    assert (kept["launches"], kept["kept"], kept["refused"], kept["h2d_bytes"]) == (0, 300, 0, 0)


NO_WORK_AT_FIRST = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
static double a[300][300];
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (i * 7 + j) % 11 + (i == j) * 300;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        #pragma omp parallel for
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
    printf("%.9g\\n", a[n - 1][n - 1]);
    return 0;
}
"""


def test_a_loop_that_has_nothing_to_do_at_first_is_asked_about(workshop: Workshop, tmp_path: Path) -> None:
    """`10.0 * i` operations are none for the first i: that is known, and no reason to start the device."""
    (tmp_path / "costs").mkdir()
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": costs(tmp_path / "costs")}
    kept = totals(tmp_path, workshop, ["60"], environ, NO_WORK_AT_FIRST)
    assert (kept["launches"], kept["kept"]) == (0, 60)


def test_work_that_pays_for_the_context_goes_to_the_device(folder: Path, workshop: Workshop, tmp_path: Path) -> None:
    """On a machine whose device is there at once, as its measurements say."""
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": cheap_device(tmp_path)}
    found = totals(folder, workshop, HEAVY, environ)
    assert found["launches"] >= 2 and found["refused"] == 0


def test_a_joint_launch_knows_what_its_loops_take(workshop: Workshop, tmp_path: Path) -> None:
    """The host, which has not the threads that it was asked for, runs each of them by itself, and takes longer than
    was guessed, and than a launch costs.
    """
    source, program, ledger = tmp_path / "joint.c", tmp_path / "joint", tmp_path / "joint.json"
    source.write_text(JOINT)
    workshop.program(read_case(source), Level.AUTO, Target.EMULATE, program)
    (tmp_path / "cheap").mkdir()
    file = Path(costs(tmp_path / "cheap"))
    text = re.sub(r"(\w*nanoseconds\w*) = .*", r"\1 = 1", file.read_text())
    file.write_text(re.sub(r"(launch\w*) = .*", r"\1 = 60000", text.replace("second = 1", "second = 1000")))
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": str(file)}
    ran = run(program, [], {**environ, "OMPC_PROFILE": str(ledger), "OMP_NUM_THREADS": "16"})
    assert ran.status == 0
    (joint,) = (region for region in json.loads(ledger.read_text())["regions"] if region["id"].endswith("fused"))
    assert joint["launches"] > 0


def test_a_device_that_is_slower_than_it_was_estimated_is_left(
    folder: Path, workshop: Workshop, tmp_path: Path
) -> None:
    """What the device costs is measured."""
    environ = slow_device(tmp_path)
    environ["OMPC_LOG"], environ["OMPC_LOG_FILE"] = "1", str(tmp_path / "log")
    found = totals(folder, workshop, ["20000", "40", "60"], environ)
    assert 2 <= found["launches"] <= 30 and found["kept"] == 90 - found["launches"]
    said = (tmp_path / "log").read_text()
    assert "all loops stay on the host, from here on: the device has cost more" in said


def test_small_loops_are_counted_though_nobody_is_asked(folder: Path, workshop: Workshop, tmp_path: Path) -> None:
    """Launchers return at once where the answer is known; but where somebody counts each of them."""
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": costs(tmp_path)}
    small = ["100", "1", "2000"]
    assert totals(folder, workshop, small, environ)["kept"] == 3000
    done = run(folder / "program", small, {**environ, "OMPC_SUMMARY": "1"})
    assert "on the host 3000 times: 3000 faster there" in done.err, done.err


def test_tables_of_small_rows_are_not_followed_for_one_loop(workshop: Workshop, tmp_path: Path) -> None:
    """To find 30,000 rows takes longer than the loop; a few long ones are found.

    (A second loop could be one too many on a host that happened to be busy in the first.)
    """
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_CALIBRATION": cheap_device(tmp_path)}
    found = totals(tmp_path, workshop, ["30000", "1", "1"], environ, TABLES)
    assert (found["launches"], found["kept"]) == (0, 1)
    found = totals(tmp_path, workshop, ["8", "20000", "3"], environ, TABLES)
    assert found["launches"] >= 1, "all three, unless this machine is so busy that the device turns out to be too slow"


def test_target_constructs_concern_only_themselves(workshop: Workshop, tmp_path: Path) -> None:
    """They go to the device whatever it costs; the loops beside them leave it as they would without them."""
    found = totals(tmp_path, workshop, ["20000", "40", "60"], slow_device(tmp_path), WITH_TARGET)
    assert 62 <= found["launches"] <= 90 and found["kept"] == 150 - found["launches"]


@pytest.mark.parametrize(("wish", "launches"), [("always", 300), ("never", 0)])
def test_the_user_has_the_last_word(wish: str, launches: int, folder: Path, workshop: Workshop) -> None:
    found = totals(folder, workshop, SMALL, {"OMPC_OFFLOAD": wish})
    assert (found["launches"], found["kept"]) == (launches, 0)
