"""Which comment documents a function."""

from __future__ import annotations

import pytest

from ompc.python.comments import comment_of


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("/* Doc. */\nint f(int x)", "Doc."),
        ("/** Doc. **/\nint f(int x)", "Doc."),
        ("/*\n * Doc,\n *   and more.\n */\nint f(int x)", "Doc,\n  and more."),
        ("/*************\n * Doc.\n *************/\nint f(int x)", "Doc."),
        ("/// Doc,\n/// and more.\nint f(int x)", "Doc,\nand more."),
        ("// Doc.\n__attribute__((noinline))\nstatic int\nf(int x)", "Doc."),
        ("/* Doc. */\n__attribute__((noinline)) [[nodiscard]]\nint f(int x)", "Doc."),
        ("int a;\n/* Doc. */\n\nint f(int x)", "Doc."),
        ("int a;\n\n// Doc.\n\nint f(int x)", "Doc."),
        ("int f(int x) { return x; } /* Doc. */", "Doc."),
        ("int f(int x) { return x; } // Doc.", "Doc."),
        ("int f(int x) // Doc.\n{", "Doc."),
        ("/* Doc. */ int f(int x)", "Doc."),
        ("/* Above. */\nint f(int x) { return x; } /* behind */", "Above."),
        ("int nothing_above; /* trailing comment of a variable */\nint f(int x)", ""),
        ("int a; // trailing\nint f(int x)", ""),
        ("int a; /* trailing\n over two lines */\nint f(int x)", ""),
        ("#endif /* FOO */\nint f(int x)", ""),
        ("#include <stdio.h> /* for printf */\n\nint f(int x)", ""),
        ("int a;\n/* ------- */\nint f(int x)", ""),
        ("int a;\n// =======\nint f(int x)", ""),
        ("int a;\n/* ---- loops on the host ---- */\n\nint f(int x)", ""),
        ("/* heat.c, (C) 2020 */\n\nint f(int x)", ""),
        ("int a;\n/* Doc? */\n\n\nint f(int x)", ""),
        ("int f(int n, // how many\n      int x)", ""),
        ("int f(int n, int (*g)(int) /* called back */, int x)", ""),
        ("int f(int n, int (*g)(int) // called back\n)", ""),
        ("int a;\nint f(int x)", ""),
        ("static double temperatures_of_all_cells_of_the_grid_at_the_last_step[100];\nint f(int x)", ""),
        ("int f(int x)", ""),
        ("}\nint f(int x)", ""),
    ],
)
def test_comments(text: str, comment: str) -> None:
    lines = text.splitlines()
    line = next(at for at, each in enumerate(lines, 1) if "f(int" in each)
    assert comment_of(lines, line) == comment
