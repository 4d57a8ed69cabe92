"""Constants in the preprocessed text find the names of macros that the user has written for them, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.frontend import parse
from ompc.frontend.preprocess import expand, preprocess
from ompc.frontend.tokens import tokens

Written = list[tuple[str, str]]
"""What the text for the parser has, and what the user has written there."""


def found(tmp_path: Path, text: str, *flags: str, **headers: str) -> Written:
    for name, header in headers.items():
        (tmp_path / f"{name}.h").write_text(header)
    (tmp_path / "a.c").write_text(text, newline="")
    known = preprocess(tmp_path / "a.c", Options(cpp_flags=flags))
    ends = {place.last: place.last + _length(known.text[place.last :]) for place in known.macros}
    return [(known.text[p.first : ends[p.last]], macro.name) for p in known.macros for macro in p.macros[::-1]]


def _length(text: str) -> int:
    return max(next(at for at, character in enumerate(text + " ") if not (character.isalnum() or character in "._")), 1)


CASES: dict[str, tuple[str, Written]] = {
    "several on a line": (
        "#define N 10\n#define M 20\nint a[N][M], b[M]; int c = N + 10;\n",
        [("10", "N"), ("20", "M"), ("20", "M"), ("10", "N")],
    ),
    "two for the same tokens": (
        "#define M 100\n#define N M\nint a[N], b[M];\n",
        [("100", "N"), ("100", "M"), ("100", "M")],
    ),
    "one in another": (
        "#define N 5\n#define TWICE (2 * N)\nint a[TWICE];\n",
        [("(2 * 5)", "TWICE"), ("5", "N")],
    ),
    "a sign": ("#define NONE -1\n#define LOW (-2)\nint a = NONE, b = 3 - LOW;\n", [("-1", "NONE"), ("(-2)", "LOW")]),
    "a cast": ("#define EPS ((float)1e-3)\nfloat a = EPS;\n", [("((float)1e-3)", "EPS")]),
    "in an argument": (
        "#define N 5\n#define AT(i, j) ((i) * 7 + (j))\nint a = AT(N, AT(1, N));\n",
        [("5", "N"), ("5", "N"), ("((1) * 7 + (5))", "AT"), ("((5) * 7 + (((1) * 7 + (5))))", "AT")],
    ),
    "in an argument that comes twice": (
        "#define N 5\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint a = MAX(1, N);\n",
        [("5", "N"), ("5", "N"), ("((1) > (5) ? (1) : (5))", "MAX")],
    ),
    "in what a macro with parameters is": (
        "#define N 5\n#define AT(i) ((i) * N)\nint a = AT(2);\n",
        [("5", "N"), ("((2) * 5)", "AT")],
    ),
    "arguments at both ends": (
        "#define ADD(a, b) a + b\n#define TWICE(x) ADD(x, x)\nint f(int i) { return TWICE(i); }\n",
        [("i + i", "TWICE"), ("i + i", "ADD")],
    ),
    "of variables": ("int n;\n#define LAST (n - 1)\nint f(void) { return LAST; }\n", [("(n - 1)", "LAST")]),
    "a name passed to a macro of that name": (
        "#define N 5\n#define F(N) (N + 1)\nint a = F(3), b = N;\n",
        [("5", "N"), ("(3 + 1)", "F")],
    ),
    "a macro with parameters that is not called": (
        "#define N 5\n#define f(x) 9\nint f; int b = N;\n",
        [("5", "N")],
    ),
    "a call on several lines": (
        "#define N 5\n#define ADD(a, b) (a + b)\nint a = ADD(1,\n    N) + N;\nint b = N;\n",
        [("5", "N"), ("5", "N"), ("5", "N"), ("(1 + 5)", "ADD")],
    ),
    "a continued line": ("#define N \\\n  5\nint a = \\\n  N; int b = N;\n", [("5", "N"), ("5", "N")]),
    "lines that end in \\r\\n": ("#define N 5\r\nint a = N;\r\nint b = N;\r\n", [("5", "N"), ("5", "N")]),
    "a comment in front": ("#define N 5 /* N */\n/* N\n N */ int a = /* N */ N; // N\n", [("5", "N")]),
    "a string with the name": ('#define N 5\nconst char *s = "N 5"; int a = N; char c = \'N\';\n', [("5", "N")]),
    "a part that is left out": (
        "#define N 5\n#define M 5\n#if N == 5\nint a = N;\n#else\nint a = M;\n#endif\nint b = 5;\n",
        [("5", "N")],
    ),
    "the number itself": ("#define N 5\nint a = 5;\nint b[5];\n", []),
    "a member": ("struct s { int N; };\n#define M 5\nint f(struct s *p) { return p->N + M; }\n", [("5", "M")]),
    "defined later": ("int N;\nint f(void) { return N; }\n#define N 5\nint a = N;\n", [("5", "N")]),
    "no longer defined": ("#define N 5\nint a = N;\n#undef N\nint b;\n", []),
    "defined anew": ("#define N 5\nint a = N;\n#undef N\n#define N 6\nint b = N;\n", []),
    "the same again": ("#define N 5\n#define N 5\nint a = N;\n", [("5", "N")]),
    "undefined in front, to be sure": ("#undef N\n#define N 5\nint a = N;\n", [("5", "N")]),
    "of one that is defined anew": ("#define M 1\n#define N M\nint a = N;\n#undef M\n#define M 2\nint b = N;\n", []),
    "pushed and popped": (
        '#define N 5\n#pragma push_macro("N")\n#define N 5\nint a = N;\n#pragma pop_macro("N")\nint b = N;\n',
        [],
    ),
    "no constant": (
        "int n;\n#define N n\n#define S sizeof(int)\n#define T int\nT a = S; int *p = &N;\n",
        [("n", "N"), ("sizeof(int)", "S")],
    ),
    "empty": ("#define N\nN int a N = 5 N;\n", []),
    "names that are glued": (
        "#define N 5\n#define GLUE(a, b) a##b\nint GLUE(x, N) = N; int a = N;\n"
        "int b = N, c = GLUE(N, 5) + GLUE(, 5);\n",
        [("5", "N"), ("5", "N"), ("5", "N"), ("xN", "GLUE"), ("N5", "GLUE")],
    ),
    "a stringised argument": (
        "#define N 5\n#define S(x) #x\nconst char *s = S(N); int a = N;\nint b = N;\n",
        [("5", "N")],
    ),
    "a variable number of arguments": (
        "#define N 5\n#define F(a, ...) (a)\nint a = F(N, 1);\nint b = N;\n",
        [("5", "N")],
    ),
    "digraphs": ("%:define N 5\nint a<:N:> = <% N %>;\n", [("5", "N"), ("5", "N")]),
    "a directive that goes on": (
        "#define N 5\n#define F(x) \\\n  (x + \\\n   N)\nint a = F(N);\n",
        [("5", "N"), ("5", "N"), ("(5 + 5)", "F")],
    ),
    "a name of itself": ("#define N N\nenum { N = 5 };\nint a = N;\n", []),
    "two of one another": ("#define A B\n#define B A\nint A = 1;\n", []),
    "a line number": ("#define N 5\n#line 100\nint a = N;\n", []),
    "in a pragma": (
        "#define N 5\nvoid f(void) {\n#pragma omp parallel num_threads(N)\n  ; int a = N;\n}\n",
        [("5", "N")],
    ),
    "restrict beside it": (
        "#define N 5\nvoid f(int n, double *__restrict a) { a[N] = N; }\n",
        [("5", "N"), ("5", "N")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_names_are_found(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    assert sorted(found(tmp_path, text)) == sorted(expected)


def test_macros_of_headers(tmp_path: Path) -> None:
    header = "#define NX 10\n#define CELLS (NX * NY)\nstatic inline int f(int i) { return i * NX; }\n"
    text = '#include "p.h"\n#define NY 3\nint a = CELLS;\n'
    written = found(tmp_path, text, p=header)
    assert sorted(written) == [("(10 * 3)", "CELLS"), ("10", "NX"), ("10", "NX"), ("3", "NY")]


def test_a_definition_says_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "p.h").write_text("\n#define NX 10\n")
    (tmp_path / "a.c").write_text('#include "p.h"\n#define CELLS  ( NX *  Q )\nint a = CELLS;\n')
    known = preprocess(tmp_path / "a.c", Options(cpp_flags=("-DQ=4",)))
    (cells,) = (macro for place in known.macros for macro in place.macros if macro.name == "CELLS")
    assert (cells.text, cells.file, cells.line) == ("( NX * Q )", str(tmp_path / "a.c"), 2)
    assert [(m.name, m.text, Path(m.file).name, m.line) for m in cells.names] == [
        ("NX", "10", "p.h", 2),
        ("Q", "4", "<command-line>", 0),
    ]


def test_macros_of_the_library(tmp_path: Path) -> None:
    text = "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#define BIG FLT_MAX\n"
    text += "double a = DBL_MAX + M_PI, b = BIG; int c = EOF; int d = BUFSIZ; long e = INT64_MAX, f = INT64_MIN;\n"
    expected = ["BIG", "DBL_MAX", "FLT_MAX", "INT64_MAX", "INT64_MIN", "M_PI"]
    assert sorted(name for _, name in found(tmp_path, text)) == expected


def test_a_macro_of_the_users_with_the_name_of_one_of_the_library(tmp_path: Path) -> None:
    known = "#define M_PI 3.14\ndouble a = M_PI;\n"
    assert found(tmp_path, known) == [("3.14", "M_PI")]
    (place,) = preprocess(tmp_path / "a.c", Options()).macros
    assert place.macros[0].header == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_text_is_what_the_compiler_writes(compiler: str, tmp_path: Path) -> None:
    """Without the definitions the same tokens on the same lines."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    lines = ["#include <math.h>", "#include <limits.h>", "#define A 1 + \\", " 2", "", "#define F(x) \\", "(x)"]
    lines += ["int a = F(", "1", ");", *[""] * 20, "int b = INT_MAX; int c = A;", "#undef A", "#if 0", "int d;"]
    lines += ["#endif", "int e;"]
    (tmp_path / "a.c").write_text("\n".join(lines) + "\n")
    options = Options(cc=compiler)
    known = preprocess(tmp_path / "a.c", options).expanded
    plain = expand(tmp_path / "a.c", options)

    def told(text: str) -> list[tuple[str, str, int]]:
        return [(token.text, token.file, token.line) for token in tokens(text, "a.c")]

    assert told(known) == told(plain)


def test_a_compiler_that_writes_no_definitions(tmp_path: Path) -> None:
    compiler = tmp_path / "other_cc"
    compiler.write_text('#!/bin/sh\nfor word; do [ "$word" = -dD ] && exit 1; done\nexec gcc "$@"\n')
    compiler.chmod(0o755)
    (tmp_path / "a.c").write_text("#define N 5\nint a[N];\n")
    known = preprocess(tmp_path / "a.c", Options(cc=str(compiler)))
    assert known.macros == ()
    assert "int a[5];" in known.text


def test_the_parser_names_whole_operands(tmp_path: Path) -> None:
    text = """\
#define N 5
#define SUM 1 + 2
#define TWICE (2 * N)
#define NONE -1
int a = N + SUM * TWICE - NONE;
int b[N] = { [N - 1] = (N), N };
"""
    (tmp_path / "a.c").write_text(text)
    parsed = parse(preprocess(tmp_path / "a.c", Options()))
    shown = sorted((type(node).__name__, macro.name) for node, macros in parsed.macros.items() for macro in macros)
    assert shown == [
        ("BinaryOp", "TWICE"),
        *[("Constant", "N")] * 6,
        ("UnaryOp", "NONE"),
    ]
