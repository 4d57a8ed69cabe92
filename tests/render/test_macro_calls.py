"""A use of a macro stands in device code only where it is what would stand there without it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.macros import Macro
from ompc.base.options import Options, plain_options
from ompc.driver import translate
from ompc.frontend.expression_text import NoExpression, expression_of, words_of
from ompc.frontend.macro_calls import use_of

SQ = Macro("SQ", "((x) * (x))", parameters=("x",))
BARE = Macro("BARE", "x * x", parameters=("x",))
MAX = Macro("MAX", "((a) > (b) ? (a) : (b))", parameters=("a", "b"))
AT = Macro("AT", "((i) * n + (j))", parameters=("i", "j"))
U = Macro("U", "u[AT(i, j)]", parameters=("i", "j"), names=(AT,))
LAST = Macro("LAST", "(n - 1)")
HALF = Macro("HALF", "((unsigned)(x) / 2)", parameters=("x",))
WIDE = Macro("WIDE", "((size_t)(i) * n + (j))", parameters=("i", "j"))
ONE = Macro("ONE", "1")
FIRST = Macro("FIRST", "(a)", parameters=("a", "b"))
PART = Macro("PART", "(p)->m", parameters=("p",))
MEMBER = Macro("MEMBER", "((p)->m)", parameters=("p", "m"))
NEXT = Macro("NEXT", "(p)++", parameters=("p",))
DEFINED = {each.name: each for each in (SQ, BARE, MAX, AT, U, LAST, HALF, WIDE, ONE, FIRST, PART, MEMBER, NEXT)}

USES = [
    (SQ, "x * x", "SQ(x)"),
    (SQ, "u[i] * u[i]", "SQ(u[i])"),
    (SQ, "(a + b) * (a + b)", "SQ(a + b)"),
    (SQ, "(a, b) * (a, b)", "SQ((a, b))"),
    (SQ, "f(a, b) * f(a, b)", "SQ(f(a, b))"),
    (SQ, "i++ * i++", "SQ(i++)"),
    (SQ, "x * y", None),
    (SQ, "a * b * a * b", None),
    (SQ, "(float)(x * x)", None),
    (SQ, "ompc::mul(x, x)", None),
    (SQ, "SQ(x) * SQ(x)", "SQ(SQ(x))"),
    (SQ, "ompc::least<int>(x) * ompc::least<int>(x)", None),
    (SQ, "ompc::least(x) * ompc::least(x)", "SQ(ompc::least(x))"),
    (BARE, "x * x", "BARE(x)"),
    (BARE, "(a + b) * (a + b)", "BARE((a + b))"),
    (BARE, "a + b * a + b", None),
    (MAX, "a[0] > 1.0f ? a[0] : 1.0f", "MAX(a[0], 1.0f)"),
    (MAX, "a > b ? a : 0", None),
    (MAX, "x > f(y) ? x : f(y)", "MAX(x, f(y))"),
    (AT, "i * n + j", "AT(i, j)"),
    (AT, "(i + 1) * n + (j - 1)", "AT(i + 1, j - 1)"),
    (AT, "(i + 1) * n + j - 1", None),
    (AT, "i * m + j", None),
    (AT, "i * n_2 + j", None),
    (WIDE, "(unsigned long)i * n + (j + 1)", "WIDE(i, j + 1)"),
    (WIDE, "(long)i * n + j", None),
    (WIDE, "i * n + j", None),
    (U, "u[AT(i, j + 1)]", "U(i, j + 1)"),
    (U, "u_2[AT(i, j)]", None),
    (U, "u[i]", None),
    (LAST, "n - 1", "LAST"),
    (LAST, "n - ONE", None),
    (LAST, "*n - 1", None),
    (HALF, "(unsigned int)(a + b) / 2", "HALF(a + b)"),
    (HALF, "(unsigned long)a / 2", None),
    (FIRST, "a", None),
    (PART, "p->m", "PART(p)"),
    (PART, "(*p).m", None),
    (MEMBER, "q->first", "MEMBER(q, first)"),
    (MEMBER, "q.first", None),
    (NEXT, "i++", "NEXT(i)"),
    (NEXT, "++i", None),
    (SQ, "{1} * {1}", None),
    (SQ, "x *", None),
    (SQ, "sizeof(int) * sizeof(int)", None),
]


@pytest.mark.parametrize(("macro", "text", "use"), USES)
def test_a_use_is_the_same_expression(macro: Macro, text: str, use: str | None) -> None:
    found = use_of(macro, text, DEFINED)
    assert (None if found is None else found[0]) == use


@pytest.mark.parametrize(("macro", "text", "tight"), [(SQ, "x * x", True), (BARE, "x * x", False)])
def test_how_tightly_a_use_binds(macro: Macro, text: str, tight: bool) -> None:
    found = use_of(macro, text, DEFINED)
    assert found is not None
    assert (found[1].precedence > 15) == tight


SAME = [
    ("a + b * c", "(a) + ((b) * c)"),
    ("a - b - c", "(a - b) - c"),
    ("-x[1]", "-(x[1])"),
    ("a = b = c", "a = (b = c)"),
    ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
    ("(const struct s *)p", "( const struct s* ) ( p )"),
    ("(unsigned long)x", "(long unsigned int)x"),
    ("f(a, (b))", "f((a), b)"),
]
OTHERS = [
    ("a - (b - c)", "a - b - c"),
    ("(a + b) * c", "a + b * c"),
    ("f((a, b))", "f(a, b)"),
    ("(int)x", "(unsigned)x"),
    ("(int)-x", "-(int)x"),
    ("(a)(b)", "a"),
    ("p->m", "p.m"),
    ("1.0", "1.0f"),
    ("(struct s *)p", "(struct t *)p"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_expression(one: str, other: str) -> None:
    assert expression_of(words_of(one)) == expression_of(words_of(other))


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_other_expressions(one: str, other: str) -> None:
    assert expression_of(words_of(one)) != expression_of(words_of(other))


@pytest.mark.parametrize("text", ["", "a b", "(int)", "a +", "f(a", "sizeof a", "(real *)x", "int x", "a::b<c>(d)"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(NoExpression):
        expression_of(words_of(text))


# ---------------------------------------------------------------------- in device files

LOOP = """
{defined}
void f(int n, const double *u, double *restrict a) {{
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] = {value};
}}
"""


def device(tmp_path: Path, defined: str, value: str, plain: bool = False) -> str:
    (tmp_path / "p.c").write_text(LOOP.format(defined=defined, value=value))
    options = plain_options(Options()) if plain else Options()
    return translate(tmp_path / "p.c", options).files["p.cu"]


KEPT = {
    "#define SQ(x) ((x) * (x))": ("SQ(u[i])", "a[i] = SQ(u[i]);"),
    "#define max(a, b) ((a) > (b) ? (a) : (b))": ("max(u[i], 1.0)", "a[i] = max(u[i], 1.0);"),
    "#define HERE u[i]": ("HERE", "a[i] = HERE;"),
    "#define D(x) (u[(x) + 1] - u[(x) - 1])": ("D(i) * D(i + 1)", "D(i) * D(i + 1);"),
    "#define width 7": ("width * u[i]", "a[i] = width * u[i];"),
}


@pytest.mark.parametrize("defined", KEPT)
def test_uses_are_kept(defined: str, tmp_path: Path) -> None:
    value, line = KEPT[defined]
    text = device(tmp_path, defined, value)
    assert line in text.replace("ompc::mul(D(i), D(i + 1))", "D(i) * D(i + 1)")
    assert f"\n{defined}\n" in text


def test_long_definitions_have_several_lines(tmp_path: Path) -> None:
    terms = " + ".join(f"u[(x) + {number}]" for number in range(20))
    text = device(tmp_path, f"#define SUM(x) ({terms})", "SUM(i)")
    assert "a[i] = SUM(i);" in text
    first, second = text[text.index("#define SUM") :].split("\n")[:2]
    assert len(first) <= 120 and first.endswith(" \\") and second.startswith("        + u[(x)")


NOT_KEPT = {
    "#define get 7": ("get * u[i]", "7 * u[i]"),
    "#define u_ 1\n#define get(x) 3": ("get(0) + u[i]", "3 + u[i]"),
    "#define gridDim(x) ((x) + 1)": ("gridDim(i)", "a[i] = i + 1;"),
    "#define STEP(x) ((x) * 2)\nint before = STEP(1);\n#undef STEP\n#define STEP(x) ((x) * 3)": ("STEP(i)", "i * 3"),
    "#define STRING(x) sizeof(#x)": ("STRING(i)", "a[i] = "),
}


@pytest.mark.parametrize("defined", NOT_KEPT)
def test_what_would_change_other_words_is_printed(defined: str, tmp_path: Path) -> None:
    value, line = NOT_KEPT[defined]
    text = device(tmp_path, defined, value)
    assert line in text
    assert not re.search(r"^#define", text, re.MULTILINE)


def test_plain_files_have_them(tmp_path: Path) -> None:
    defined = "#define SQ(x) ((x) * (x))\n#define blocks(x) ((x) + 1)\nstatic double v[99];"
    (tmp_path / "p.c").write_text(
        f"{defined}\nint main(void) {{\n#pragma omp parallel for\n"
        "for (int i = 0; i < 99; i++) v[i] = SQ(i) + blocks(i);\nreturn v[3] != 13; }\n"
    )
    text = translate(tmp_path / "p.c", plain_options(Options())).files["p.cu"]
    assert "v[i] = SQ(i) + (i + 1);" in text or "v[i] = SQ(i) + blocks(i);" in text
