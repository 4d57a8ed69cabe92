"""Threads of a team that wait for one another beside its loops (OMPC364)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.driver import translate_program

Find = Callable[[str], Facts | Reason]

TEXT = """
#include <omp.h>
static int ready[64], turn;
static volatile int gate;
static _Atomic int count;
int pause_a_moment(void);
static int known(int i) {{ turn += i; return turn; }}
static void await(int me) {{ while (ready[me] == 0) {{
    #pragma omp flush(ready)
    }} }}
static int is_ready(int i) {{ int v;
    #pragma omp atomic read
    v = ready[i];
    return v; }}
static int is_open(void) {{ return gate; }}
static int has_begun(int i) {{ if (gate > i) return 1; return 0; }}
static int counted(void) {{ int v;
    #pragma omp atomic capture
    v = turn++;
    return v; }}
static int search(int *a) {{ int k = 0; while (a[k] != 0) k++; return k; }}
void f(int n, double *a, int *list)
{{
    int steps = 0, more = 1;
    #pragma omp parallel firstprivate(steps, more)
    {{
        int me = omp_get_thread_num(), seen = 0;
        {before}
        #pragma omp for nowait
        for (int i = 0; i < n; i++) a[i] = 2 * a[i];
        {behind}
    }}
}}
"""

WAITING = [
    "while (ready[me] == 0) {\n#pragma omp flush\n}",
    "while (ready[me] == 0) {\n#pragma omp flush(ready)\npause_a_moment(); }",
    "do {\n#pragma omp flush\n} while (turn != me);",
    "for (;;) {\n#pragma omp flush\nif (turn == me) break; }",
    "while (gate != me);",
    "while (!gate) pause_a_moment();",
    "while (seen != me) {\n#pragma omp atomic read\nseen = turn;\n}",
    "while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me);",
    "while (!is_ready(me));",
    "while (is_ready(me) == 0) pause_a_moment();",
    "for (;;) { if (is_ready(me)) break; }",
    "for (;;) { seen = is_ready(me); if (seen) break; }",
    "do { } while (!is_open());",
    "while (count < me);",
    "while (__sync_fetch_and_add(&turn, 0) != me);",
    "while (!has_begun(me));",
    "for (;;) { switch (gate) { case 0: continue; } break; }",
    "for (;;) { if (!gate) continue; break; }",
    "for (;;) { for (int k = 0; k < 9; k++) if (k == 5) break; if (gate) break; }",
    "for (;;) { seen = gate; if (seen) break; }",
    "await(me);",
    "for (int k = 0; k < n; k++) await(me);",
]
NOT_WAITING = [
    "",
    "for (int t = 0; t < 3; t++) {\n#pragma omp flush\nsteps += t; }",
    "while (more) {\n#pragma omp flush\nmore = known(me) < 3; }",
    "while (turn < 9) {\n#pragma omp single\nturn++;\n#pragma omp flush\n}",
    "while (1) { int k;\n#pragma omp atomic capture\nk = turn++;\nif (k >= n) break;\nknown(k); }",
    "while (list[steps] != 0) steps++;",
    "for (;;) { switch (gate) { case 0: break; } if (++steps > 9) break; }",
    "steps = search(list);",
    "while (counted() < n);",
    "for (int k = 0; k < n; k++) steps += is_ready(k);",
    "#pragma omp flush",
    "#pragma omp critical\nturn++;",
]


@pytest.mark.parametrize("code", WAITING)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_threads_that_wait(facts_or_reason: Find, code: str, place: str) -> None:
    found = facts_or_reason(TEXT.format(**{"before": "", "behind": "", place: code}))
    assert isinstance(found, Reason) and found.code == "OMPC364", found


@pytest.mark.parametrize("code", NOT_WAITING)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_threads_that_do_not(facts_or_reason: Find, code: str, place: str) -> None:
    found = facts_or_reason(TEXT.format(**{"before": "", "behind": "", place: code}))
    assert not (isinstance(found, Reason) and found.code == "OMPC364"), found


MAIN = """
int ready[64]; void sweep(int n, double *a); void await(int me); int omp_get_thread_num(void);
void other(int n, double *a) {{ sweep(n, a); }}
int main(void)
{{
    static double a[100];
    #pragma omp parallel
    {{
        {before}
        other(100, a);
    }}
    {after}
}}
"""
SWEEP = """
void sweep(int n, double *a) {
    #pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = 2 * a[i];
}
"""
AWAIT = """
extern int ready[64];
static int seen(int i) { int v;
    #pragma omp atomic read
    v = ready[i];
    return v; }
void await(int me) { while (!seen(me)); }
"""


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ("await(omp_get_thread_num());", "", True),
        ("", "await(0);", False),
        ("while (ready[0] == 0) {\n#pragma omp flush\n}", "", True),
        ("}\n#pragma omp parallel\n{ await(1);", "", True),
        ("await(1); }\n#pragma omp parallel\n{", "", False),
    ],
)
def test_a_region_in_another_file(tmp_path: Path, before: str, after: str, stays: bool) -> None:
    """And a third one has what it waits by: what a program's threads do is in all of its files."""
    texts = {"sweep.c": SWEEP, "main.c": MAIN.format(before=before, after=after), "await.c": AWAIT}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = {each.name: each for each in translate_program([tmp_path / name for name in texts], Options())}
    (region,) = found["sweep"].report["regions"]  # type: ignore[misc, attr-defined]
    code = (region["reason"] or {}).get("code")
    assert (code == "OMPC364") == stays, region["reason"]


def test_the_team_of_a_target_region(tmp_path: Path) -> None:
    """`target parallel` makes a team as `parallel` does."""
    before = "while (ready[0] == 0) {\n#pragma omp flush\n}"
    main = MAIN.format(before=before, after="").replace("#pragma omp parallel", "#pragma omp target parallel")
    texts = {"sweep.c": SWEEP, "main.c": main, "await.c": AWAIT}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = {each.name: each for each in translate_program([tmp_path / name for name in texts], Options())}
    (region,) = found["sweep"].report["regions"]  # type: ignore[misc, attr-defined]
    assert (region["reason"] or {}).get("code") == "OMPC364"


def test_an_orphaned_loop(facts_or_reason: Find) -> None:
    """Of its team the function is seen."""
    text = TEXT.format(before="", behind="").replace("#pragma omp parallel firstprivate(steps, more)", "await(1);")
    found = facts_or_reason(text)
    assert isinstance(found, Reason) and found.code == "OMPC364"
