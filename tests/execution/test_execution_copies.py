"""How much steps in time copy: in once, and home what the host looks at. Arrays on the stack; rows behind pointers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from execution_build import Workshop, run
from execution_case import read_case

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

PROGRAM = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
static void step(int rows, int n, double (*u)[n], double (*v)[n])
{
    #pragma omp parallel for
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < n - 1; j++)
            v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}
int main(int argc, char **argv)
{
    int n = 256, rows = 1024;
    double u[1024][256], v[rows][n];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = v[i][j] = i * j % 17;
    for (int t = 0; t < atoi(argv[1]); t++)
        step(rows, n, u, v), step(rows, n, v, u);
    printf("%.12g\\n", u[argc][3]);
    return 0;
}
"""


def totals_of(text: str, arguments: list[str], workshop: Workshop, tmp_path: Path) -> Any:
    """What a run of the program moves in all; it says what gcc's program says."""
    source = tmp_path / "program.c"
    source.write_text(text)
    case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    ran = run(program, arguments, {"OMPC_PROFILE": str(tmp_path / "ledger.json")})
    assert (ran.status, ran.out, ran.err) == (0, run(workshop.reference(case), arguments).out, "")
    return json.loads((tmp_path / "ledger.json").read_text())["totals"]


@pytest.mark.parametrize("steps", [1, 20])
def test_steps_in_time(steps: int, workshop: Workshop, tmp_path: Path) -> None:
    totals = totals_of(PROGRAM, [str(steps)], workshop, tmp_path)
    array, page, window = 1024 * 256 * 8, 4096, 512 * 1024
    assert totals["launches"] == 2 * steps
    assert 2 * array - 2 * page <= totals["h2d_bytes"] <= 2 * array
    edges = 2 * 2 * page * 2 * steps  # of an array, the parts of pages that other objects share
    assert 0 < totals["d2h_bytes"] <= window + page + edges


ROWS = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rows = 200, columns = 190;
    double **u = malloc(rows * sizeof *u), **v = malloc(rows * sizeof *v), sum = 0;
    char **text = malloc(rows * sizeof *text);
    for (int i = 0; i < rows; i++) {
        u[i] = malloc(columns * sizeof **u);
        text[i] = strdup("between the rows");
        v[i] = malloc(columns * sizeof **v);
        for (int j = 0; j < columns; j++)
            u[i][j] = v[i][j] = i * j % 17;
    }
    for (int t = 0; t < atoi(argv[1]); t++) {
        #pragma omp parallel for
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
        double **const w = u;
        u = v, v = w;
    }
    for (int i = 0; i < rows; i++)
        sum += u[i][i % columns] + strlen(text[i]);
    printf("%.12g\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize("steps", [1, 2, 30])
def test_rows_stay(steps: int, workshop: Workshop, tmp_path: Path) -> None:
    """Two tables with 400 rows of less than a page: few copies, and the tables go to the device twice at most."""
    totals = totals_of(ROWS, [str(steps)], workshop, tmp_path)
    slots, tables = 400 * 1536, 2 * 200 * 8
    assert totals["launches"] == steps
    assert totals["h2d_copies"] <= 10 and 600_000 < totals["h2d_bytes"] <= slots + 2 * tables + 3 * 4096
    assert totals["d2h_copies"] <= 8 and totals["d2h_bytes"] <= slots + 3 * 4096


CUBES = """/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>
static double ***cube(int n)
{
    double ***u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++) {
        u[i] = malloc(n * sizeof **u);
        for (int j = 0; j < n; j++) {
            u[i][j] = malloc(n * sizeof ***u);
            for (int k = 0; k < n; k++)
                u[i][j][k] = (i + 2 * j + 3 * k) % 17;
        }
    }
    return u;
}
static void relax(double ***of, double ***to, int n)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 0; k < n; k++)
                to[i][j][k] = of[i][j][k] / 2 + i;
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int k = 0; k < n; k++)
            to[i][0][k] = to[i][n - 2][k], to[i][n - 1][k] = to[i][1][k];
}
int main(int argc, char **argv)
{
    enum { N = 80, LEVELS = 6 };
    double ***u[LEVELS], ***v = cube(N), sum = 0;
    for (int l = 0; l < LEVELS; l++)
        u[l] = cube(N);
    for (int t = 0; t < atoi(argv[1]); t++)
        for (int l = 0; l < LEVELS; l++)
            relax(v, u[l], N), relax(u[l], u[l], N);
    for (int l = 0; l < LEVELS; l++)
        for (int i = 0; i < N; i++)
            sum += u[l][i][(i + l) % N][i * 7 % N];
    printf("%.12g\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize("steps", [1, 10])
def test_tables_as_long_as_rows(steps: int, workshop: Workshop, tmp_path: Path) -> None:
    """Levels with tables of tables: reading these brings no rows home, and the cubes go to the device once. A cube may
    be both of the function's.
    """
    totals = totals_of(CUBES, [str(steps)], workshop, tmp_path)
    cubes, tables = 7 * 80 * 80 * 640, 80 * 80 * 8 + 80 * 8
    assert (totals["launches"], totals["refused"]) == (6 * 4 * steps, 0)
    assert totals["h2d_bytes"] <= 1.1 * cubes + 3 * 6 * 4 * 2 * tables
    assert totals["d2h_bytes"] <= 1.1 * cubes


HOME = """/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>
enum { N = 300000 };
static double kept[N], b[1000];
static double sum(const double *a)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * (i % 13);
    return s;
}
static void step(double *a, const double *b, int t)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i % 1000] + i % 7 * t;
}
static void change(double *a, int from, int to)
{
    #pragma omp parallel for
    for (int i = from; i < to; i++)
        a[i] = 2 * a[i] + 1;
}
int main(int argc, char **argv)
{
    double *made = malloc(N * sizeof *made), *fresh = malloc(N * sizeof *fresh);
    for (int i = 0; i < N; i++)
        made[i] = kept[i] = 1 + i % 5;
    for (int t = 0; t < atoi(argv[1]); t++) {
        for (int i = 0; i < 1000; i++)
            b[i] = i + t;
        step(made, b, t);
        step(kept, b, t + 1);
        step(fresh, b, t + 2);
        printf("%.12g %.12g %.12g\\n", sum(made), kept[t], sum(fresh));
        kept[5000 + t] = made[7000 + t] = t;
        change(made, 6000, N - 10);
        change(kept, 0, N);
        fresh[N / 2] = sum(made);
        change(fresh, N / 4, N);
    }
    printf("%.12g %.12g %.12g\\n", sum(made), sum(kept), sum(fresh));
    free(made);
    free(fresh);
    return 0;
}
"""


@pytest.mark.parametrize("check", ["", "coherence"])
def test_results_come_home_to_locked_pages(check: str, workshop: Workshop, tmp_path: Path) -> None:
    """Arrays that launches overwrite, of which the host reads all, a little, or all once it has had none of it."""
    source = tmp_path / "home.c"
    source.write_text(HOME)
    case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    ran = run(program, ["3"], {"OMPC_PROFILE": str(tmp_path / "ledger.json"), "OMPC_CHECK": check})
    assert (ran.status, ran.out, ran.err) == (0, run(workshop.reference(case), ["3"]).out, "")
    assert json.loads((tmp_path / "ledger.json").read_text())["page_lock_seconds"] > 0


AGAIN = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
enum { N = 200000, SMALL = 40 };
int main(void)
{
    double *x = malloc(N * sizeof *x), small[SMALL] = {0}, sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int step = 0; step < 4; step++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            x[i] = 2 * x[i] + small[i % SMALL];
        for (int i = 0; i < SMALL; i++)
            small[i] += 1;
        for (int i = 0; step > 1 && i < N; i++) {
            sum += x[i];
            x[i] -= 1;
        }
    }
    printf("%g\\n", sum);
    return 0;
}
"""


def test_what_goes_again_is_counted(workshop: Workshop, tmp_path: Path) -> None:
    """An array comes, comes home once it is looked at, and goes again with what the host has changed (profile)."""
    source = tmp_path / "again.c"
    source.write_text(AGAIN)
    program = workshop.program(read_case(source), Level.AUTO, Target.EMULATE, tmp_path / "program")
    assert run(program, [], {"OMPC_PROFILE": str(tmp_path / "ledger.json")}).status == 0
    record = json.loads((tmp_path / "ledger.json").read_text())
    region = next(region for region in record["regions"] if region["directive"] == "parallel for")
    arrays = {array["name"]: array for array in region["arrays"]}
    x, small, whole = arrays["x"], arrays["small"], 200_000 * 8
    assert "rates" not in record  # of an emulator
    assert region["used_bytes"] >= 4 * 2 * whole and region["operations"] > 0
    assert x["h2d_bytes"] - x["h2d_again_bytes"] == pytest.approx(whole, rel=0.02)
    assert x["h2d_again_bytes"] == pytest.approx(whole, rel=0.02)
    assert (x["d2h_bytes"] - x["d2h_again_bytes"], x["d2h_again_bytes"]) == pytest.approx((whole, whole), rel=0.02)
    assert 0 < small["h2d_again_bytes"] < small["h2d_bytes"]


PIVOTS = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
int main(int argc, char **argv)
{
    double *a = malloc(N * N * sizeof *a), sum = 0;
    for (int i = 0; i < N * N; i++)
        a[i] = 1 + i % 17 + (i % (N + 1) == 0) * N;
    for (int k = 0; k < N; k++) {
        a[k * N + k] = 1 / a[k * N + k];
        #pragma omp parallel for
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                a[i * N + j] -= a[i * N + k] * a[k * N + k] * a[k * N + j];
        for (int j = 0; argc > 1 && j < N; j++)
            sum += a[k * N + j];
    }
    for (int i = 0; i < N * N; i++)
        sum += a[i];
    printf("%.9g\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize("arguments", [[], ["rows"]])
def test_an_element_in_each_step_moves_a_page(arguments: list[str], workshop: Workshop, tmp_path: Path) -> None:
    totals = totals_of(PIVOTS, arguments, workshop, tmp_path)
    array, begin, steps, pages = 300 * 300 * 8, 512 * 1024 * 4 // 3, 299, 4096 * (8 if arguments else 2)
    assert totals["d2h_bytes"] <= array + begin + steps * pages
    assert totals["h2d_bytes"] <= array + begin + steps * pages


STEPS = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
enum { N = 400, M = 1200 };
int main(int argc, char **argv)
{
    int fills = *argv[1] == 'f', down = *argv[2] == 'd';
    double (*a)[M] = malloc(N * sizeof *a), sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i * 7 % 11 + j % 5;
    for (int t = 0; t < N && argc > 2; t++) {
        int k = down ? N - 1 - t : t;
        if (fills)
            for (int j = 0; j < M; j++)
                a[k][j] += t;
        #pragma omp parallel for
        for (int j = 1; j < M; j++)
            a[k][j] = a[k][j] / 2 + k;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += a[i][j] * (i + j % 3);
    printf("%.12g\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize("way", ["up", "down"])
def test_rows_in_steps_are_read_ahead(way: str, workshop: Workshop, tmp_path: Path) -> None:
    """The first ones come row by row, the others many at once; none twice."""
    totals = totals_of(STEPS, ["as it is", way], workshop, tmp_path)
    assert totals["h2d_copies"] <= 20
    assert totals["h2d_bytes"] <= 1.01 * 400 * 1200 * 8


@pytest.mark.parametrize("way", ["up", "down"])
def test_rows_that_the_host_fills_are_not_read_ahead(way: str, workshop: Workshop, tmp_path: Path) -> None:
    """What came ahead in vain comes less and less often."""
    totals = totals_of(STEPS, ["filled", way], workshop, tmp_path)
    assert totals["h2d_bytes"] <= 1.5 * 400 * (1200 * 8 + 4096)
    assert totals["waits"]["fault"]["count"] <= 40
