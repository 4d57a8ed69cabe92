"""Where host code provably leaves arrays alone they stay on the device: nowhere else, and always with gcc's results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plain.plain_programs import PROGRAMS, built_by_gcc, built_on_host, moved_by, output_of, plain

_N = 400
_BYTES = 8 * _N

_HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 400 };
static double u[N], v[N], w[N];
static double *g, *h;
static int calls;
void unseen(int k);
void unseen_start(void *(*run)(void *));
void MPI_Irecv(double *x, int n);
"""

_FUNCTIONS = {
    "worker": """
static void *worker(void *given)
{
    u[3] = 5.0;
    return given;
}
""",
    "step": """
static void step(const double *x, double *y, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = 0.5 * x[i] + i;
}
""",
    "norm": """
static double norm(const double *x, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
""",
    "scale": """
static void scale(double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 1.25;
}
""",
    "peek": """
static void peek(const double *x)
{
    if (calls++ % 3 == 1)
        printf("%.3f\\n", x[7]);
}
""",
    "add": """
static void add(const double *x, const double *y, double *z, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] += x[i] * y[i];
}
""",
    "swap": """
static void swap(double **x, double **y)
{
    double *old = *x;
    *x = *y;
    *y = old;
}
""",
    "vector": """
static double *vector(int n)
{
    double *x = malloc(n * sizeof *x);
    for (int k = 0; k < n; k++)
        x[k] = k % 7;
    return x;
}
""",
}
"""Those that are called are in the program."""

_TAIL = """
int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 4;
    double *a = vector(N), *b = vector(N), *c = vector(N), sum = 0.0;
    for (int k = 0; k < N; k++)
        u[k] = v[k] = w[k] = k % 5;
    g = vector(N);
    h = vector(N);
    run(a, b, c, steps, &sum);
    for (int k = 0; k < N; k++)
        sum += (k % 11 + 1) * (a[k] + 2 * b[k] + 3 * c[k] + 4 * u[k] + 5 * v[k] + 6 * w[k]);
    printf("%.6f %d\\n", sum, calls);
    return 0;
}
"""

_RUN = "static int run(double *a, double *b, double *c, int steps, double *sum)\n{\n"
"""Its parameters are blocks; `calls` counts."""

KEPT = {
    "two sweeps": ("for (int k = 0; k < steps; k++) {\nstep(a, b, N);\nstep(b, a, N);\n}\nreturn 0;", 4),
    "pointers that change places": (
        "for (int k = 0; k < steps; k++) {\nstep(a, b, N);\ndouble *old = a;\na = b;\nb = old;\n}\nreturn 0;",
        4,
    ),
    "three that go round": (
        "double *old;\nfor (int k = 0; k < steps; k++) {\nstep(a, b, N);\nstep(b, c, N);\nold = a;\na = b;\nb = c;\n"
        "c = old;\n}\nreturn 0;",
        6,
    ),
    "sometimes": (
        "for (int k = 0; k < steps; k++) {\nstep(a, b, N);\nif (k % 2) {\ndouble *old = a;\na = b;\nb = old;\n}\n}\n"
        "return 0;",
        4,
    ),
    "a name for both": ("for (int k = 0; k < steps; k++) {\nstep(k % 2 ? a : b, c, N);\nscale(c, N);\n}\nreturn 0;", 4),
    "a reduction": ("while (steps-- > 0) {\nscale(a, N);\n*sum += norm(a, N);\n}\nreturn 0;", 2),
    "arrays of the file": ("do {\nstep(u, v, N);\nstep(v, u, N);\n} while (--steps > 0);\nreturn 0;", 4),
    "pointers of the file": ("for (int k = 0; k < steps; k++) {\nstep(g, h, N);\nstep(h, g, N);\n}\nreturn 0;", 4),
    "a break": ("for (int k = 0; k < steps; k++) {\nscale(a, N);\nif (k == 2)\nbreak;\n}\nreturn 0;", 2),
    "one behind the other": ("scale(a, N);\ncalls++;\nstep(a, b, N);\nreturn 0;", 4),
    "a loop and what is behind": ("for (int k = 0; k < steps; k++)\nscale(a, N);\n*sum += norm(a, N);\nreturn 0;", 2),
    "loops that the host reads between": (
        "for (int k = 0; k < steps; k++)\nscale(a, N);\npeek(a);\n"
        "for (int k = 0; k < steps; k++)\nscale(a, N);\nreturn 0;",
        4,
    ),
    "another array is read": ("for (int k = 0; k < steps; k++) {\nscale(a, N);\npeek(b);\n}\nreturn 0;", 2),
    "a pointer without a value": (
        "double *x;\nfor (int k = 0; k < steps; k++) {\nx = a;\nscale(x, N);\n}\nreturn 0;",
        2,
    ),
    "a pointer that is given one": (
        "double *x;\nx = a;\nfor (int k = 0; k < steps; k++) {\nscale(x, N);\n}\nreturn 0;",
        2,
    ),
    "under a condition": ("if (steps > 0)\n{\nfor (int k = 0; k < steps; k++)\nscale(a, N);\n}\nreturn 0;", 2),
    "a declaration": ("double s = norm(a, N);\nscale(a, N);\n*sum += s;\nreturn 0;", 2),
    "some in a loop over them": (
        "for (int j = 0; j < 2; j++) {\npeek(a);\nfor (int k = 0; k < steps; k++)\nscale(a, N);\n}\nreturn 0;",
        4,
    ),
}
"""Bodies, and how many arrays cross when they run with four steps, whatever else does."""

COPIED = {
    "read under a condition": "while (steps-- > 0) {\nscale(a, N);\nif (steps == 2)\n*sum = a[5];\n}\nreturn 0;",
    "read by a function": "for (int k = 0; k < steps; k++) {\nscale(a, N);\npeek(a);\n}\nreturn 0;",
    "read by the library": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nmemcpy(c, a, sizeof *c);\n}\nreturn 0;",
    "written": "for (int k = 0; k < steps; k++) {\nscale(a, N);\na[k] = k;\n}\nreturn 0;",
    "read in the condition": "for (int k = 0; k < steps && a[3] < 1e9; k++)\nscale(a, N);\nreturn 0;",
    "a bound in it": "for (int k = 0; k < steps; k++) {\nscale(a, 1 + (int)a[1]);\n}\nreturn 0;",
    "another block": "for (int k = 0; k < steps; k++) {\nscale(a, N);\na = vector(N);\n}\nscale(a, N);\nreturn 0;",
    "freed": "for (int k = 0; k < steps; k++) {\nscale(c, N);\nif (k == 3)\nfree(c);\n}\nexit(0);",
    "freed before": "double *x = vector(N);\nif (steps == 0)\nfree(x);\n"
    "for (int k = 0; k < steps; k++)\nscale(x, N);\nreturn 0;",
    "swapped by address": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nswap(&a, &b);\n}\nreturn 0;",
    "an unseen function": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nunseen(k);\n}\nreturn 0;",
    "the end of the program": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nif (k > 100)\nexit(1);\n}\nreturn 0;",
    "a return": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nif (k == 2)\nreturn 1;\n}\nreturn 0;",
    "a goto": "for (int k = 0; k < steps; k++) {\nscale(a, N);\nif (k == 2)\ngoto out;\n}\nout:\nreturn 0;",
    "launches elsewhere too": "scale(b, N);\npeek(b);\nfor (int k = 0; k < steps; k++)\nscale(a, N);\nreturn 0;",
    "a value that may be none": "double *x;\nif (steps > 0)\nx = a;\n"
    "for (int k = 0; k < steps; k++)\nscale(x, N);\nreturn 0;",
    "a loop of threads": "#pragma omp parallel num_threads(1)\n{\n"
    "for (int k = 0; k < steps; k++)\nscale(a, N);\n}\nreturn 0;",
    "one launch": "scale(a, N);\nreturn 0;",
    "something else in its line": "a[3] = 7; for (int k = 0; k < steps; k++) scale(a, N);\nreturn 0;",
    "a thread's array": "unseen_start(worker);\nfor (int k = 0; k < steps; k++)\nscale(u, N);\nreturn 0;",
    "a transfer": "MPI_Irecv(a, N);\nfor (int k = 0; k < steps; k++)\nscale(a, N);\nreturn 0;",
}


def _source(tmp_path: Path, body: str) -> Path:
    source = tmp_path / "a.c"
    rest = _RUN + body + "\n}\n" + _TAIL
    used = [text for function, text in _FUNCTIONS.items() if re.search(rf"\b{function}\b", rest)]
    source.write_text(_HEAD + "".join(used) + rest)
    return source


@pytest.mark.parametrize("name", KEPT)
def test_arrays_that_the_host_leaves_alone_cross_once(name: str, nightly: bool, tmp_path: Path) -> None:
    """By day one text of two is also run."""
    body, arrays = KEPT[name]
    source = _source(tmp_path, body)
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    assert "arrays_to_host();" in translation.files["a.c"]
    if not nightly and list(KEPT).index(name) % 2:
        return
    built, original = built_on_host(translation, tmp_path / "plain"), built_by_gcc(source, tmp_path)
    for steps in ("4", "0", "1", "5"):
        assert output_of(built, steps) == output_of(original, steps)
    sums = 4096
    assert 0 <= moved_by(built, "4") - _BYTES * arrays < sums


@pytest.mark.parametrize("name", COPIED)
def test_other_arrays_cross_with_each_launch(name: str, nightly: bool, tmp_path: Path) -> None:
    """By day one text of two is also run."""
    source = _source(tmp_path, COPIED[name])
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    assert "launch_" in translation.files["a.c"]
    assert "_to_device" not in translation.files["a.c"]
    assert "arrays_to_host" not in translation.files["a.cu"]
    if re.search("unseen|MPI", COPIED[name]):  # not there to be linked
        return
    if not nightly and list(COPIED).index(name) % 2:
        return
    built, original = built_on_host(translation, tmp_path / "plain"), built_by_gcc(source, tmp_path)
    for steps in ("4", "0", "1"):
        assert output_of(built, steps) == output_of(original, steps)


ADDS = "for (int k = 0; k < steps; k++)\nadd({}, N - 9);\nreturn 0;"


def test_parts_of_an_array_are_copied_and_other_arrays_stay(tmp_path: Path) -> None:
    source = _source(tmp_path, ADDS.format("u, u + 9, v"))
    translation = plain(source)
    assert "run_to_device(v);" in translation.files["a.c"]
    built, original = built_on_host(translation, tmp_path / "plain"), built_by_gcc(source, tmp_path)
    assert output_of(built) == output_of(original)


def test_two_pointers_to_one_array_have_one_copy(tmp_path: Path) -> None:
    source = _source(tmp_path, ADDS.format("a, b, c"))
    source.write_text(source.read_text().replace("run(a, b, c,", "run(a, a, c,"))
    translation = plain(source)
    assert "run_to_device(a, b, c);" in translation.files["a.c"]
    built, original = built_on_host(translation, tmp_path / "plain"), built_by_gcc(source, tmp_path)
    assert output_of(built) == output_of(original)
    assert 0 <= moved_by(built) - 3 * _BYTES < 100


@pytest.mark.parametrize(("name", "arrays"), [("jacobi", 6), ("heat", 4)])
def test_no_array_crosses_in_the_loop_of_a_solver(name: str, arrays: int, tmp_path: Path) -> None:
    source = PROGRAMS / f"{name}.c"
    sizes = {"jacobi": ("200", "200"), "heat": ("60", "70")}[name]
    built = built_on_host(plain(source), tmp_path)
    once, often = (moved_by(built, *sizes, steps) for steps in ("1", "9"))
    sums = 8 * (8 << 10)
    assert 0 <= often - once <= sums
    assert once <= (arrays + 0.5) * 8 * int(sizes[0]) * int(sizes[1])
