"""Places and edits in the user's text."""

from __future__ import annotations

import pytest

from ompc.frontend.text import Append, InsertLine, Replace, apply_edits, find_identifier, tokens


def test_tokens_skip_comments_and_keep_places() -> None:
    text = 'int\ta; /* b\n c */ d // e \\\nstill\n"f\\"g" \'h\' i2 0x1p-3 a<<=b\n'
    found = [(t.text, t.line, t.column) for t in tokens(text)]
    assert found == [
        ("int", 1, 1), ("a", 1, 5), (";", 1, 6), ("d", 2, 7), ('"f\\"g"', 4, 1), ("'h'", 4, 8), ("i2", 4, 12),
        ("0x1p-3", 4, 15), ("a", 4, 22), ("<<=", 4, 23), ("b", 4, 26),
    ]  # fmt: skip


def test_identifiers_are_found_outside_comments_and_literals() -> None:
    text = '/* n\n n */ double err = n; // n\nputs("n"); f(nn, n, n);\r\n'
    assert find_identifier(text, 1, "n") is None
    assert find_identifier(text, 2, "n") == 20
    assert find_identifier(text, 2, "err") == 14
    assert find_identifier(text, 3, "n") == 18
    assert find_identifier(text, 3, "n", after=18) == 21
    assert find_identifier(text, 3, "n", after=21) is None
    assert find_identifier(text, 9, "n") is None


def test_lines_are_inserted_with_the_indentation_of_their_place() -> None:
    text = "void f() {\n\t  #pragma omp parallel for\n\t  for (;;) ;\n}\n"
    edited = apply_edits(
        text, [InsertLine(2, "OMPC_OFFLOAD(f_2(n,\n    m))"), InsertLine(1, "#include <x.h>", indent=False)]
    )
    assert edited == (
        "#include <x.h>\nvoid f() {\n\t  OMPC_OFFLOAD(f_2(n,\n\t      m))\n\t  #pragma omp parallel for\n\t  for (;;) ;\n}\n"  # noqa: E501
    )


def test_the_files_own_line_ending_is_kept() -> None:
    assert apply_edits("a;\r\nb;\r\n", [InsertLine(2, "x;"), Append("y;")]) == "a;\r\nx;\r\nb;\r\ny;\r\n"
    assert apply_edits("a;\nb;", [Append("y;\nz;")]) == "a;\nb;\ny;\nz;\n"


def test_replacements_apply_together_and_in_any_order() -> None:
    text = "if (n > 3) f(err);\n"
    edits = [Replace(1, 14, "err", "R(err)[0]"), Replace(1, 5, "n > 3", "(n > 3) && ok"), Replace(1, 18, "", "/**/")]
    assert apply_edits(text, edits) == "if ((n > 3) && ok) f(R(err)[0])/**/;\n"
    assert apply_edits(text, []) == text


def test_edits_at_one_place_keep_their_order() -> None:
    assert apply_edits("x\n", [InsertLine(1, "a"), InsertLine(1, "b")]) == "a\nb\nx\n"


@pytest.mark.parametrize(
    "edits",
    [
        [Replace(1, 1, "wrong", "x")],
        [Replace(9, 1, "", "x")],
        [Replace(1, 1, "abc", "x"), Replace(1, 2, "b", "y")],
    ],
)
def test_edits_that_do_not_fit_are_refused(edits: list[Replace]) -> None:
    with pytest.raises(ValueError, match=r"line|overlap"):
        apply_edits("abc\n", edits)


def test_form_feeds_and_unicode_do_not_end_lines() -> None:
    text = "a;\x0c\u2028\nb;\n"
    assert find_identifier(text, 2, "b") == 1
    assert apply_edits(text, [InsertLine(2, "x")]) == "a;\x0c\u2028\nx\nb;\n"
