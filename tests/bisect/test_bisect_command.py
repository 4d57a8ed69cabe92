"""`ompc bisect` on the emulator: faults that are planted into kernels, and programs whose answers really differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ompc import driver
from ompc.base.optimisations import OPTIMISATIONS
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.cli import main

MATRIX = """\
#include <stdio.h>
#define N 70
static double a[N][N], b[N][N], c[N][N];

static void product(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static void scale(double by)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = by * c[i][j];
}

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = i % 7 + 1;
        b[i / N][i % N] = i % 5 == 0;
    }
    for (int t = 0; t < 4; t++) {
        product();
        scale(0.125);
    }
    printf("%.6f %.6f\\n", a[40][50], a[60][10]);
    return 0;
}
"""

RACE = """\
#include <stdio.h>
static int x[1000], to[1000];
int main(void)
{
    for (int i = 0; i < 1000; i++) {
        x[i] = i;
        to[i] = i | 1; /* two iterations, which are in order in a team of one or two threads */
    }
#pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        x[to[i]] = 2 * x[i] + 1;
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += x[i] * (long)i;
    printf("%ld\\n", sum);
    return 0;
}
"""

PAGE = (Path(__file__).parent.parent.parent / "docs" / "debugging.md").read_text()

Bisect = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bisect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulating_cxx: str, capfd: pytest.CaptureFixture[str]
) -> Bisect:
    """Of a program; `planted`: text of its kernels, and what it becomes. The status, and what was printed and said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    translate = driver.translate_program

    def run(text: str, *words: str, name: str = "a.c", planted: tuple[str, str] | None = None) -> tuple[int, str, str]:
        def translate_planted(sources: Sequence[Path], options: Options, watch: Watch) -> tuple[Translation, ...]:
            translations = translate(sources, options, watch)
            return tuple(replace(one, files=_with(one, *(planted or ("", "")))) for one in translations)

        monkeypatch.setattr(driver, "translate_program", translate_planted)
        (tmp_path / name).write_text(text)
        status = main(["bisect", name, "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q", *words])
        return status, *capfd.readouterr()

    return run


def _with(translation: Translation, old: str, new: str) -> dict[str, str]:
    files = dict(translation.files)
    if old:
        files["a.cu"] = files["a.cu"].replace(old, new)
    return files


def rows_of(out: str) -> dict[str, str]:
    """The lines of the table."""
    return {line[:15].rstrip(): line[15:] for line in out.splitlines() if line[:1].strip() and len(line) > 15}


def test_a_fault_of_an_optimisation(bisect: Bisect) -> None:
    """Tiles are wrong where they are stored."""
    stored = "c[i][j] = s_own[y][x];"
    planted = (stored, f"{stored[:-1]} + (i == 60 && j == 10);")
    status, out, err = bisect(MATRIX, planted=planted)
    found = rows_of(out)
    assert (status, err) == (1, "")
    assert found["Differs"] == "line 1 of the output, token 2: expected 187.578125, got 187.793945"
    assert found["Loop"] == "product a.c:7 parallel for"
    assert found["Launch"] == "1 of 4 times that it is reached, alone"
    assert found["Levels"] == "baseline right, thesis right, auto wrong"
    assert found["Optimisation"] == "tiles: blocks compute tiles of points from shared memory"
    assert "    ompc build a.c --without tiles   without that optimisation\n" in out
    assert "    OMPC_REGIONS=-product@a.c        when the program runs: that loop on the host\n" in out


def test_a_loop_that_is_wrong_at_each_level(bisect: Bisect) -> None:
    """Its iterations depend on each other, whatever the pragma says."""
    status, out, err = bisect(RACE)
    found = rows_of(out)
    assert (status, err) == (1, "")
    assert (found["Loop"], found["Launch"]) == ("main_x a.c:9 parallel for", "1 of 1 times that it is reached, alone")
    assert found["Levels"] == "baseline wrong, thesis wrong, auto wrong"
    assert found["Optimisation"] == "none: it is wrong without any that can be left out"


def test_the_example_of_the_page(bisect: Bisect) -> None:
    """Rounding is within the tolerance, or it is not."""
    example, shown = re.findall(r"```(?:c)?\n(.*?)```", PAGE[PAGE.index("`rows.c`") :], re.DOTALL)[:2]
    status, out, err = bisect(example, name="rows.c")
    assert (status, err) == (0, "")
    assert "Nothing differs from the host's result: 1 loop launched on the device, once in all.\n" in out
    assert "which is within the tolerance of 1e-06.\n" in out
    status, out, err = bisect(example, "--tolerance", "0", name="rows.c")
    assert (status, err) == (1, "")
    assert rows_of(out)["Optimisation"] == "lane-sums: lanes form sums of their own: another order of additions"
    assert out.splitlines()[1:] == shown.splitlines()[1:]


def test_a_program_that_aborts(bisect: Bisect) -> None:
    """It writes no ledger; what it has reached is in its log."""
    aborts = MATRIX.replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>")
    aborts = aborts.replace("    return 0;", "    fflush(stdout);\n    abort();")
    status, out, err = bisect(aborts)
    assert (status, err) == (0, "")
    assert "Nothing differs from the host's result: 2 loops launched on the device, 8 times in all.\n" in out
    planted = ("c[i][j] = s_own[y][x];", "c[i][j] = s_own[y][x] + (i == 60 && j == 10);")
    status, out, err = bisect(f"{aborts}\n", "--runs", "1", planted=planted)  # no text that is in the cache
    found = rows_of(out)
    assert (status, err, found["Loop"], found["Launch"]) == (1, "", "a.c:8", "1 of 4 times that it is reached, alone")
    assert "    OMPC_REGIONS=-a.c:8 " in out


def test_the_page_names_every_optimisation() -> None:
    table = dict(re.findall(r"^\| `([a-z-]+)` \| (?:`([^`]+)`)", PAGE, re.MULTILINE))
    assert table == {one.name: one.left_out_by for one in OPTIMISATIONS}


def test_what_cannot_be_compared(bisect: Bisect) -> None:
    for text, message in (
        ('#include <stdio.h>\n#include <time.h>\nint main(void) { printf("%ld\\n", (long)clock()); }\n', ""),
        ("int main(void) { return 0; }\n", "a.c reaches no loop that is on the device [OMPC485]"),
        (
            RACE.replace("i < 1000; i++)\n        x[to", "i < x[0]; i++)\n        x[to"),
            "a.c reaches no loop that is on",
        ),
    ):
        status, out, err = bisect(text)
        assert (status, out) == (1, "") and message in err and "[OMPC485]" in err
    assert main(["bisect", "a.c", "--target", "host"]) == 2
    assert main(["bisect", "a.c", "--without", "tails"]) == 2
