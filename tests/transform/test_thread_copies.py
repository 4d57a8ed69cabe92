"""Which loops get tables of what each thread of a team has, and which do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program

HEAD = """#include <omp.h>
#include <stdlib.h>
int key[100], a[100], **rows;
struct pair { int first, second; };
struct led { int first, *to; };
int *unseen(void);
void look(int *where);
"""

Tables = Callable[[str, str, str], tuple[list[str], str | None]]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tables:
    """`tables(before, loop, behind)`: what the kernel has tables of, and the code of the loop's reason."""

    def run(before: str, loop: str, behind: str) -> tuple[list[str], str | None]:
        monkeypatch.chdir(tmp_path)
        text = f"{HEAD}void f(int n, int *p, int *q) {{\n#pragma omp parallel\n{{ {before}\n{loop}\n{behind} }} }}\n"
        Path("a.c").write_text(text)
        (translation,) = translate_program([Path("a.c")], Options())
        report: Any = translation.report
        (region,) = [found for found in report["regions"] if found["directive"] != "no pragma"]
        names = [v["name"] for v in region["variables"] or () if v["name"].endswith("_of") and v["name"][0] != "*"]
        return names, None if region["reason"] is None else region["reason"]["code"]

    return run


COUNTS = "#pragma omp for schedule(static)\nfor (int i = 0; i < n; i++) { own[key[i]]++; }"


def does(statements: str) -> str:
    """The loop with other statements."""
    return COUNTS.replace("own[key[i]]++", statements)


@pytest.mark.parametrize(
    ("before", "loop", "behind", "expected"),
    [
        ("int *own = malloc(400);", COUNTS, "", ["own_of"]),
        ("int *own; own = calloc(100, 4);", COUNTS, "free(own);", ["own_of"]),
        ("int *own = rows[omp_get_thread_num()];", COUNTS, "", ["own_of"]),
        ("int own[100] = {0};", COUNTS, "rows[omp_get_thread_num()][0] = own[3];", ["own_of"]),
        ("int own = 0;", does("own++"), "rows[omp_get_thread_num()][0] = own;", ["own_of"]),
        ("struct pair own = {0, 0};", does("own.first++"), "rows[0][0] = own.first;", ["own_of"]),
        ("int own = rows[omp_get_thread_num()][0];", does("a[i] = own"), "", ["own_of"]),
        ("int own = 1;", does("a[i] = own"), "", []),
        ("int own[100] = {0};", COUNTS, "for (int k = 0; k < 100; k++)\n#pragma omp atomic\na[k] += own[k];", []),
        ("int own[4];", does("own[0] = i; a[i] = own[0]"), "", []),
    ],
)  # fmt: skip
def test_tables(tables: Tables, before: str, loop: str, behind: str, expected: list[str]) -> None:
    """What is a reduction, an iteration's own or the same in all threads needs none."""
    assert tables(before, loop, behind) == (expected, None)


SEEN = "rows[omp_get_thread_num()][0] = own[3];"


@pytest.mark.parametrize(
    ("before", "loop", "behind", "expected"),
    [
        ("int own[100] = {0};", COUNTS.replace("static", "guided"), SEEN, "OMPC345"),
        ("int own[100] = {0}; look(own);", does("own[key[i]]++; p[i] = i"), SEEN, "OMPC345"),
        ("int own[100] = {0}, *to = own;", does("own[key[i]]++; to[0]++"), SEEN, "OMPC345"),
        ("int own[100] = {0};", does("own[key[i]] = 2 * own[key[i + 1]]"), SEEN, "OMPC345"),
        ("int own[100] = {0};", does("own[key[i]]++; own[3] *= 2"), SEEN, "OMPC345"),
        ("int own[n]; own[3] = 0;", COUNTS, SEEN, "OMPC345"),
        ("volatile int own[100] = {0};", COUNTS, SEEN, "OMPC327"),
        ("struct led own = {0, 0};", does("own.first++"), "rows[0][0] = own.first;", "OMPC345"),
    ],
)  # fmt: skip
def test_none_where_it_would_not_be_the_same(
    tables: Tables, before: str, loop: str, behind: str, expected: str
) -> None:
    assert tables(before, loop, behind) == ([], expected)


@pytest.mark.parametrize(
    ("before", "loop"),
    [
        ("int *own = unseen();", COUNTS),
        ("int *own = malloc(400);", does("own[0] = i; a[i] = own[0]")),
        ("int *own = malloc(400);", does("own[key[i]] = i")),
    ],
)
def test_the_launch_compares_what_is_not_proved(tables: Tables, before: str, loop: str) -> None:
    assert tables(before, loop, "") == ([], None)


def test_a_pointer_to_what_has_no_table_is_no_matter(tables: Tables) -> None:
    loop = does("own[key[i]]++; p[i] = i")
    assert tables("int own[100] = {0};", loop, SEEN) == (["own_of"], None)
