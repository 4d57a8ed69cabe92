"""Teams that are told to leave a loop to the host for a while: nobody waits, and all meet again at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution_build import Workshop, run
from execution_case import read_case
from machine_costs import costs
from test_execution_cost_model import cheap_device

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

PROGRAM = """/* expect-gpu: 5 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#define MOST 60000
static long a[MOST], b[MOST], c[MOST], d[MOST];

/* Called by teams, by teams inside of others, and by no team. */
static void orphan(int n, int t)
{
    #pragma omp for
    for (int i = 0; i < n; i++)
        d[i] = (d[i] * 3 + i + t) % 1009;
}

/* What an iteration does changes from one time to the next. */
static void inner(int n, int turns)
{
    #pragma omp for nowait
    for (int i = 0; i < n; i++)
        for (int k = 0; k < turns; k++)
            c[i] = (c[i] + i * 7) % 503;
}

int main(int argc, char **argv)
{
    int steps = atoi(argv[1]), most = omp_get_max_threads();
    int teams[] = {most, most, 2, most, 1, 3, most};
    for (int k = 0; k < 7; k++) {
        #pragma omp parallel num_threads(teams[k])
        for (int t = 0; t < steps; t++) {
            int n = t % 40 == 39 ? MOST : t % 7 == 3 ? 0 : 50 + t % 30;
            if ((t + omp_get_thread_num()) % 5 == 0)
                sched_yield();
            #pragma omp for nowait
            for (int i = 0; i < n; i++)
                a[i] = (a[i] * 5 + i + t) % 1009;
            #pragma omp for schedule(dynamic, 3) nowait
            for (int i = 1; i < n; i++)
                b[i] = (b[i] + i * t) % 997;
            inner(n, 1 + t % 3);
            #pragma omp barrier
            if (t % 3)
                orphan(n, t);
            #pragma omp for
            for (int i = 0; i < 200; i++)
                a[i] = (a[i] + b[i] + d[i]) % 1009;
        }
        if (k % 3 == 1) {
            omp_set_max_active_levels(2);
            #pragma omp parallel num_threads(2)
            {
                int outer = omp_get_thread_num();
                for (int t = 0; t < 9; t++) {
                    if (outer == 0) {
                        #pragma omp parallel num_threads(2)
                        orphan(60, t);
                    }
                    #pragma omp barrier
                }
            }
            omp_set_max_active_levels(1);
        }
        orphan(70, k);
    }
    long sum = 0;
    for (int i = 0; i < MOST; i++)
        sum = (sum * 31 + a[i] + b[i] * 3 + c[i] * 5 + d[i] * 7) % 1000000007;
    printf("%ld\\n", sum);
    return 0;
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> tuple[Path, str]:
    """Of the emulator, and what gcc's prints."""
    folder = tmp_path_factory.mktemp("rests")
    source, program = folder / "rests.c", folder / "program"
    source.write_text(PROGRAM)
    case = read_case(source)
    workshop.program(case, Level.AUTO, Target.EMULATE, program)
    return program, run(workshop.reference(case), ["300"]).out


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("device", ["cheap", "usual", "absent"])
def test_all_threads_take_one_way(programs: tuple[Path, str], tmp_path: Path, threads: int, device: str) -> None:
    program, expected = programs
    environ = {"OMP_NUM_THREADS": str(threads), "OMPC_OFFLOAD": "profit", "OMPC_HISTORY": ""}
    if device != "absent":
        environ["OMPC_CALIBRATION"] = cheap_device(tmp_path) if device == "cheap" else costs(tmp_path)
    else:
        environ["OMPC_DISABLE"] = "1"
    for _ in range(3):
        result = run(program, ["300"], environ)
        assert (result.status, result.out) == (0, expected)
        assert "OMPC457" not in result.err
