"""Parallel regions in two forms: which of them a program runs, and that both do the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs
from test_execution_history import HOUR, SECOND, known, remember, said

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

PROGRAM = """/* expect-gpu: 3 */
#include <assert.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int ompc_all_stay(int loops);
static double u[2000], v[2000];
static int line;

static double step(int n, int t, int *counts)
{
    double sum = 0, scale = t % 3;
    const double w[3] = {0.25, 0.5, 0.25};
    if (n > 1 && counts) {
    #pragma omp parallel reduction(+ : sum) firstprivate(w)
    {
        int own = omp_get_thread_num();
        #pragma omp for nowait schedule(static)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                v[i] += w[k] * scale * i;
        #pragma omp barrier
        #pragma omp single copyprivate(own)
        {
            own = 3;
            line = __LINE__;
            assert(n > 1);
        }
        #pragma omp critical
        *counts += own == 3;
        #pragma omp for lastprivate(scale)
        for (int i = 0; i < n; i++) {
            scale = i * 0.5;
            u[i] += v[i] / (1 + i % 5);
        }
        #pragma omp for
        for (int i = 0; i < n; i++)
            sum += u[i];
    }
    } else
        sum = -1;
    return sum + scale;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), counts = 0, inner = 0;
    double sum = 0;
    for (int t = 0; t < steps; t++)
        sum += step(t ? n : 0, t, t % 7 ? &counts : NULL);
    #pragma omp parallel num_threads(2) reduction(+ : inner)
    inner += ompc_all_stay(2);
    if (argc > 3)
        printf("%d %d %d\\n", ompc_all_stay(0), ompc_all_stay(2), inner);
    else
        printf("%.12g %d %d\\n", sum, counts / omp_get_max_threads(), line);
    return 0;
}
"""

CHEAP = ("copy", "launch", "launch_and_wait", "context", "guard_fault")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    folder = tmp_path_factory.mktemp("forms")
    source = folder / "forms.c"
    source.write_text(PROGRAM)
    workshop.program(read_case(source), Level.AUTO, Target.EMULATE, folder / "program")
    return folder / "program"


@pytest.mark.parametrize("threads", ["1", "4"])
def test_both_do_the_same(program: Path, threads: str) -> None:
    answers = {
        run(program, ["1500", "30"], {"OMP_NUM_THREADS": threads, **environ}).out
        for environ in ({}, {"OMPC_OFFLOAD": "never"}, {"OMPC_OFFLOAD": "never", "OMPC_SUMMARY": "1"})
    }
    assert len(answers) == 1
    assert f" {PROGRAM.splitlines().index('            line = __LINE__;') + 1}\n" in answers.pop()


@pytest.mark.parametrize(
    ("environ", "answer"),
    [
        ({"OMPC_OFFLOAD": "never"}, "1 1 2"),
        ({"OMPC_DISABLE": "1"}, "1 1 2"),
        ({"OMPC_OFFLOAD": "always"}, "0 0 0"),
        ({"OMPC_OFFLOAD": "profit"}, "0 0 0"),
        # somebody wants to know of each loop
        ({"OMPC_OFFLOAD": "never", "OMPC_LOG": "1"}, "0 0 0"),
        ({"OMPC_OFFLOAD": "never", "OMPC_SUMMARY": "1"}, "0 0 0"),
        ({"OMPC_OFFLOAD": "never", "OMPC_PROFILE": "profile.json"}, "0 0 0"),
        ({"OMPC_OFFLOAD": "never", "OMPC_VERIFY": "1"}, "0 0 0"),
    ],
)
def test_which_is_run(program: Path, tmp_path: Path, environ: dict[str, str], answer: str) -> None:
    environ = {name: text.replace("profile.json", str(tmp_path / "profile")) for name, text in environ.items()}
    assert run(program, ["1500", "30", "ask"], {"OMPC_HISTORY": "", **environ}).out == f"{answer}\n"


@pytest.mark.parametrize(
    ("numbers", "context", "answer"),
    [
        ((HOUR, HOUR, HOUR // 2), 10**9, "1 1 0"),
        ((SECOND, SECOND, 0, 100), 10**9, "0 1 0"),  # tried: how far it is, is known while its loops are counted
        ((1, HOUR, HOUR), 10**9, "0 0 0"),
        ((2, 2, 1), 1, "0 0 0"),  # the run is behind, and starts the device
    ],
)
def test_which_earlier_runs_suggest(
    program: Path, tmp_path: Path, numbers: tuple[int, ...], context: int, answer: str
) -> None:
    history, arguments = tmp_path / "history", ["1500", "30", "ask"]
    cheap = {"OMPC_CALIBRATION": costs(tmp_path, **{f"{name}_nanoseconds": 1 for name in CHEAP})}
    said(program, arguments, history, cheap)
    remember(history, *numbers)
    calibration = costs(tmp_path, context_nanoseconds=context)
    environ = {"OMPC_OFFLOAD": "profit", "OMPC_HISTORY": str(history), "OMPC_CALIBRATION": calibration}
    assert run(program, arguments, environ).out == f"{answer}\n"
    assert len(known(history)) == 1
