"""On what launches rest: proofs, what the launcher looks at, promises of the pragma."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Level, Options
from ompc.driver import translate_program

Found = dict[str, Any]


@pytest.fixture
def rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Found | None]]:
    """`rests(text)`: of each loop, its `independence`."""

    def run(text: str, level: Level = Level.AUTO) -> list[Found | None]:
        monkeypatch.chdir(tmp_path)
        Path("a.c").write_text(text)
        (translation,) = translate_program([Path("a.c")], Options(level=level))
        regions: Any = translation.report["regions"]
        return [region["independence"] for region in regions]

    return run


def test_declared_arrays_need_no_comparison(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(
        """double a[100], b[100];
        int main(void) {
            #pragma omp parallel for
            for (int i = 0; i < 100; i++) a[i] = b[i];
            return 0; }"""
    )
    assert found == {
        "state": "proved",
        "because": "no two iterations touch the same element",
        "promises": [],
        "checks": [],
        "refusals": [],
    }


COPY = """#include <stdlib.h>
void copy(double *to, double *from, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) to[i] = from[i]; }
"""


def test_pointers_of_unseen_callers_are_compared(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(COPY)
    assert found["state"] == "promised"
    assert found["because"] == "proved, if `to` and `from` do not overlap"
    assert found["checks"] == [
        {"code": "OMPC453", "what": "`to` and `from` do not overlap", "of": ["to", "from"]},
    ]


def test_nothing_compares_them_at_baseline(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(COPY, Level.BASELINE)
    words = "what an iteration writes by `to`, no other one accesses by `from`"
    assert (found["state"], found["because"]) == ("promised", f"by the pragma: {words}")
    assert [promise["what"] for promise in found["promises"]] == [words]


@pytest.mark.parametrize(
    ("arguments", "state"),
    [
        ("malloc(800), malloc(800)", "proved"),
        ("work, malloc(800)", "proved"),
        ("work, work + 100", "promised"),
        ("work, table", "proved"),
        ("table, table + 50", "promised"),
        ("choose(1), table", "promised"),
        ("choose(1), malloc(800)", "proved"),
        ("unseen(), malloc(800)", "promised"),
    ],
)
def test_blocks_of_the_whole_program(rests: Callable[..., list[Found]], arguments: str, state: str) -> None:
    head = COPY.replace("void copy", "static void copy").replace("#include <stdlib.h>\n", "")
    (found,) = rests(
        f"""#include <stdlib.h>
        static double table[200];
        extern double *unseen(void);
        static double *choose(int k) {{ return k ? table : calloc(100, 8); }}
        {head}
        int main(void) {{ double *work = calloc(200, 8); copy({arguments}, 50); return 0; }}"""
    )
    assert found["state"] == state


def test_a_race_is_never_proved(rests: Callable[..., list[Found | None]]) -> None:
    certain, likely = rests(
        """void f(double *restrict a, int *restrict at, int n) {
            #pragma omp parallel for
            for (int i = 0; i < n - 1; i++) a[i] = a[i + 1];
            #pragma omp parallel for
            for (int i = 0; i < n; i++) a[at[i]] += 1; }"""
    )
    assert certain is None, "iterations certainly conflict: on the host"
    assert likely is not None and likely["state"] == "promised"
    assert likely["promises"] == [
        {"what": "`a[at[i]]`, written at line 5: they may be the same element in two iterations", "lines": [5]}
    ]


def test_what_the_launcher_must_find(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(
        """void f(const double *x, const int *at, double *sum, int n) {
            double s = 0;
            #pragma omp parallel for reduction(+ : s)
            for (int i = 0; i < n; i++) s += x[at[i]];
            *sum = s; }"""
    )
    assert found["state"] == "proved"
    assert found["checks"] == [
        {"code": "OMPC452", "what": "`x` points into a block whose size the runtime knows", "of": ["x"]}
    ]


def test_values_of_the_threads_are_compared(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(
        """#include <omp.h>
        double a[100];
        int main(void) {
            #pragma omp parallel
            { int me = 1;
            me += omp_get_thread_num();
            #pragma omp for schedule(guided)
            for (int i = 0; i < 100; i++) a[i] = me; }
            return 0; }"""
    )
    assert found["state"] == "promised"
    assert found["because"] == "proved, if `me` has the same value in all threads of the team"
    assert [check["code"] for check in found["checks"]] == ["OMPC458"]


def test_rows_are_compared_where_the_kernel_relies_on_it(rests: Callable[..., list[Found]]) -> None:
    joined, alone = rests(
        """void f(double **rows, int n, int m) {
            #pragma omp parallel for
            for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) rows[i][j] = i + j;
            #pragma omp parallel for
            for (int i = 0; i < n; i++) rows[i][0] = i; }"""
    )
    words = "no two of the objects behind `*rows` overlap"
    assert joined["state"] == alone["state"] == "promised"
    assert words in [check["what"] for check in joined["checks"]]
    assert [promise["what"] for promise in alone["promises"]] == [words]


COUNT = """#include <stdlib.h>
#include <omp.h>
static void count(int *bins, const int *x, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        bins[x[i] & 7]++;
    } }
"""


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("int bins[8] = {0}; count(bins, x, 9);", None),
        ("count(malloc(32), x, 9);", None),
        ("int *bins = __builtin_alloca(32); count(bins, x, 9);", ("OMPC452", True, 10)),
        ("\n#define BINS(name) int name[8]\nBINS(bins); count(bins, x, 9);", ("OMPC452", True, 12)),
        ("int *bins = __builtin_alloca(32); count(bins, x, 9); count(malloc(32), x, 9);", ("OMPC452", False, 10)),
        # the kernel does not rely on their being apart
        ("int *work = calloc(64, 4); count(work, work + 32, 9);", None),
        ("static int work[64]; count(work + 32, work, 9);", None),
        # the loop has a version for it
        ("int *work = calloc(64, 4); count(work, work, 9); count(x, x, 9);", None),
        ("int *work = calloc(64, 4), *same = work; count(work, same, 9); count(x, x, 9);", None),
        ("int *work = calloc(64, 4); count(work + 1, work + 2, 9); count(x, calloc(9, 4), 9);", ("OMPC453", False, 10)),
        ("count(unseen(), x, 9);", None),
    ],
)
def test_refusals_are_said_before_the_run(
    rests: Callable[..., list[Found]], body: str, refusal: tuple[str, bool, int] | None
) -> None:
    text = f"{COUNT}extern int *unseen(void);\nint main(void) {{ int *x = calloc(9, 4); {body} return 0; }}"
    (found,) = rests(text)
    told = [(one["code"], one["certain"], one["line"]) for one in found["refusals"]]
    assert told == ([] if refusal is None else [refusal])


@pytest.mark.parametrize(
    ("declared", "schedule", "certain"),
    [
        ("int me = omp_get_thread_num(); if (n > 5) me = 2;", "guided", True),
        ("int me = omp_get_thread_num(); if (n > 5) me = 2;", "static", None),  # the kernel has what each thread has
        ("int me = argv[0][omp_get_thread_num()];", "guided", False),
        ("int me = argv[0][omp_get_thread_num()];", "static, 4", None),
        ("int me = n;", "static", None),
        ("int me = omp_get_thread_num();", "static", None),  # the kernel knows it
        ("int me = 2 * omp_get_thread_num();", "static", None),
    ],
)
def test_values_of_the_threads_that_differ(
    rests: Callable[..., list[Found]], declared: str, schedule: str, certain: bool | None
) -> None:
    (found,) = rests(
        f"""#include <omp.h>
        double a[100];
        int main(int n, char **argv) {{
            #pragma omp parallel
            {{ {declared}
            #pragma omp for schedule({schedule})
            for (int i = 0; i < 100; i++) a[i] = me; }}
            return 0; }}"""
    )
    assert [(one["code"], one["certain"]) for one in found["refusals"]] == (
        [] if certain is None else [("OMPC458", certain)]
    )


def test_what_an_inspector_finds(rests: Callable[..., list[Found]]) -> None:
    (found,) = rests(
        """#include <stdlib.h>
        static int n;
        static double v[50], t[64];
        #pragma omp threadprivate(t)
        static void f(void) {
            #pragma omp parallel for
            for (int i = 0; i < 50; i++) {
                for (int k = 0; k < n; k++) t[3 * k % n] = i;
                v[i] = t[n / 2];
            } }
        int main(int argc, char **argv) { n = atoi(argv[1]); f(); return 0; }"""
    )
    words = "no iteration reads of `t` what it has not written"
    assert (found["state"], found["because"]) == ("promised", f"proved, if {words}")
    assert found["checks"] == [{"code": "OMPC478", "what": words, "of": ["t"]}]
