"""Which loops are done in phases, because counters give out places in the order of the iterations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program

HEAD = """#include <omp.h>
#include <stdio.h>
int key[100], out[100], out2[100], *unseen;
void begin(int *first);
static int digit(int k) { return k & 15; }
static int noisy(int k) { printf("%d", k); return k & 15; }
static int seen(int k) { return out[k] & 15; }
"""
InPhases = Callable[..., bool]


@pytest.fixture
def in_phases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InPhases:
    def run(statements: str, pragma: str = "for schedule(static)", counter: str = "int at[16]", more: str = "") -> bool:
        monkeypatch.chdir(tmp_path)
        loop = f"#pragma omp {pragma}\nfor (int i = 0; i < n; i++) {{ {statements} }}"
        text = f"{HEAD}void f(int n, int *p) {{\n#pragma omp parallel\n{{ {counter}; begin((int *)at); {more}\n{loop}\n"
        Path("a.c").write_text(f"{text}begin((int *)at); }} }}\n")
        (translation,) = translate_program([Path("a.c")], Options())
        return "phase < 3" in translation.files.get("a.cu", "")

    return run


PLACE = "out[at[key[i]]++] = i;"


@pytest.mark.parametrize(
    "statements",
    [
        PLACE,
        "out[--at[key[i] & 15]] = key[i];",
        "int slot = at[digit(key[i])]++; out[slot] = i; out2[slot] = key[i];",
        "int slot = at[key[i]]++; out[slot] = slot + key[slot];",
        "if (key[i] > 3) { const long slot = at[3]--; out[(int)slot] = i; }",
        "int k = key[i], b = k & 15; if (k != 7) out[at[b]++] = k; else { }",
    ],
)
def test_places_of_a_counter(in_phases: InPhases, statements: str) -> None:
    assert in_phases(statements)


@pytest.mark.parametrize(
    "statements",
    [
        "out[at[key[i]]++] += i;",  # what was there before
        "out[at[key[i]]] = i; at[key[i]]++;",
        "at[key[i]] += 2; out[at[key[i]]++] = i;",
        "int slot = at[key[i]]++, at_slot = key[slot]; out[slot] = at_slot;",
        "int slot = at[key[i]]++; if (key[slot]) out[slot] = i;",
        "int slot = at[key[i]]++; out[slot] = i; out2[i] = slot;",
        "int slot = at[key[i]]++; slot++; out[slot] = i;",
        "int slot = at[key[i]]++; out[slot + i] = i;",
        "short slot = at[key[i]]++; out[slot] = i;",
        "out[at[key[i]]++] = i; out2[at[key[i]]++] = i;",
        "out[at[key[i]]++] = out[i];",  # which other iterations store
        "out[at[seen(i)]++] = i;",
        "out[at[key[i]]++] = i; out[i] = 3;",
        "out[at[key[i]]++] = i; out2[0] += i;",
        "out[at[noisy(i)]++] = i;",  # twice
        "for (int k = 0; k < 2; k++) out[at[key[i]]++] = i;",
        "out[at[key[i]++]++] = i;",
        "p[at[key[i]]++] = i;",  # perhaps the counters themselves
    ],
)
def test_what_is_something_else(in_phases: InPhases, statements: str) -> None:
    assert not in_phases(statements)


@pytest.mark.parametrize("pragma", ["for schedule(static, 4)", "for schedule(dynamic)", "for schedule(guided)"])
def test_threads_have_blocks(in_phases: InPhases, pragma: str) -> None:
    assert not in_phases(PLACE, pragma)


@pytest.mark.parametrize("counter", ["short at[16]", "double at[16]", "int at[1 << 20]", "int at[n]"])
def test_counters_are_few_integers(in_phases: InPhases, counter: str) -> None:
    statements = PLACE.replace("at[key[i]]++", "(int)at[key[i]]++")
    assert not in_phases(statements, counter=counter)


def test_what_is_kept_from_iteration_to_iteration(in_phases: InPhases) -> None:
    statements = "out[at[key[i]]++] = kept; kept = i;"
    assert not in_phases(statements, "for schedule(static) firstprivate(kept)", more="int kept = 0;")
    assert not in_phases(statements, more="int kept = 0;")
    assert in_phases("kept = i + 1; out[at[key[i]]++] = kept;", "for schedule(static) private(kept)", more="int kept;")
