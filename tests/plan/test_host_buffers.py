"""Which declared arrays may become pointers to page-locked memory (`--opt thesis`), and why the others may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import compile_to
from ompc.frontend import preprocess
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.plan.thesis.host_buffers import pinned_arrays


def decided(directory: Path, text: str) -> dict[str, str | None]:
    """Of every object of the program: None when it is pinned, or why it is not."""
    source = directory / "program.c"
    source.write_text(text)
    unit = compile_to("sema", source)
    symbols = [declaration.symbol for declaration in unit.variables]
    for function in unit.functions.values():
        symbols += function.params
        if function.body is not None:
            symbols += [node.symbol for node in walk(function.body) if isinstance(node, t.VarDecl)]
    pinned, pageable = pinned_arrays(unit, symbols, text, preprocess(source, Options()).expanded)
    return {**{array.symbol.name: None for array in pinned}, **{s.name: why for s, why in pageable.items()}}


def in_function(body: str, before: str = "") -> str:
    return f"{before}\nint f(int k)\n{{\n{body}\n    return 0;\n}}\n"


LOCAL = {
    "plain": ("double a[10]; a[0] = k;", None),
    "two dimensions, a comment, two lines": ("double x, a /* grid */ [10]\n  [20], y; a[0][1] = x = y = k;", None),
    "a macro as length": ("double a[N]; a[0] = k;", None),
    "a subscripted operand of sizeof": ("double a[10]; for (k = 0; k < (int)sizeof a[0]; k++) a[k] = 0;", None),
    "the address of an element": ("double a[10], *p = &a[3], *q = &(a)[2]; *p = *q = 1;", None),
    "a member of that name": ("struct s { int a[3]; } s;\n double a[10]; a[0] = sizeof s.a; (void)&s.a;", None),
    "a jump out of its scope": ("double a[10]; if (k) goto out; a[0] = k;\nout:", None),
    "a whole loop around its block": ("while (k--) { double a[10]; if (k == 3) continue; a[0] = k; }", None),
    "a switch inside its scope": ("double a[10]; switch (k) { case 1: a[0] = k; default: break; }", None),
    "shared": ("double a[9];\n#pragma omp parallel for shared(a) if(k)\n for (int i = 0; i < 9; i++) a[i] = k;", None),
    "sizeof": ("double a[10]; char t[sizeof a]; t[0] = a[0];", "`sizeof`"),
    "sizeof in a macro": ("double a[10]; for (k = 0; k < LEN(a); k++) a[k] = 0;", "`sizeof`"),
    "typeof": ("double a[10]; __typeof__(a) b; b[0] = a[0] = k;", "`__typeof__`"),
    "its own address": ("double a[10]; double (*p)[10] = &a; (*p)[0] = k;", "address"),
    "its own address in parentheses": ("double a[10]; double (*p)[10] = &((a)); (*p)[0] = k;", "address"),
    "initialised": ("double a[3] = {1, 2}; a[0] = k;", "plain text"),
    "an attribute": ("double a[4] __attribute__((aligned(64))); a[0] = k;", "plain text"),
    "made by a macro": ("ARRAY(a, 10); a[0] = k;", "plain text"),
    "a pointer hidden in a macro": ("PD a[10]; a[0] = 0; (void)k;", "elements"),
    "in parentheses": ("double (a)[10]; a[0] = k;", "plain text"),
    "a length of variable size": ("double a[k]; a[0] = k;", "variable-length"),
    "const": ("const double a[3]; (void)a[0];", "qualified"),
    "local static": ("static double a[10]; a[0] += k;", "static"),
    "register": ("register double a[10]; (void)k;", "register"),
    "private": ("double a[10];\n#pragma omp parallel private(a)\n a[0] = k;", "`private`"),
    "reduction of a section": (
        "double a[4];\n a[0] = 0;\n#pragma omp parallel for reduction(+: a[:4])\n for (int i = 0; i < 4; i++) a[i]++;",
        "`reduction`",
    ),
    "a task": ("double a[10];\n#pragma omp task\n a[0] = k;", "task"),
    "a jump into its scope": ("if (k) goto in;\n { double a[10]; in: a[0] = k; }", "goto"),
    "a jump back over it": ("again:; double a[10]; a[0] = k; if (k--) goto again;", "goto"),
    "a case after it": ("switch (k) { case 1:; double a[10]; a[0] = k; break; case 2: a[1] = k; }", "case"),
    "not an array": ("struct { double x[3]; } a; a.x[0] = k;", "allocation is not seen"),
}  # fmt: skip

MACROS = (
    "#define N 10\n#define LEN(x) (int)(sizeof(x) / sizeof((x)[0]))\n"
    "#define ARRAY(x, n) double x[n]\n#define PD double *\n"
)


@pytest.mark.parametrize("case", LOCAL)
def test_local_array(tmp_path: Path, case: str) -> None:
    body, expected = LOCAL[case]
    why = decided(tmp_path, in_function(body, MACROS))["a"]
    assert (why is None) if expected is None else (why is not None and expected in why), why


def test_parameter_is_the_callers_array(tmp_path: Path) -> None:
    assert decided(tmp_path, "int f(double a[10]) { return a[0]; }")["a"] == "memory whose allocation is not seen here"


@pytest.mark.parametrize("name", ["setjmp", "longjmp", "fork"])
def test_what_leaves_scopes_or_copies_the_process(tmp_path: Path, name: str) -> None:
    call = {"setjmp": "setjmp(env)", "longjmp": "longjmp(env, 1)", "fork": "fork()"}[name]
    text = in_function(f"double a[10]; a[0] = k; {call};", "#include <setjmp.h>\n#include <unistd.h>\njmp_buf env;")
    assert name in (decided(tmp_path, text)["a"] or "")


GLOBALS = """
enum { ROWS = 3 };
typedef struct { float x, y; } point;
static double a[10], x, b[ROWS][4]; /* two in one */
point p[5];
double tentative[4];
double tentative[4];
double initialised[2] = {1, 2};
extern double elsewhere[4];
double named[4], *pointer = named;
static _Thread_local double mine[4];
static double once[4];
#pragma omp threadprivate(once)
static double sized[4];
double hidden[4];
extern double uses(double *a, int hidden);
static int argc_[4];
int main(int argc, char **argv)
{
    a[0] = b[1][2] + p[0].x + sizeof sized + argc + (argv != 0) + mine[0] + once[0] + argc_[0] + x + hidden[0];
    return tentative[0] + initialised[0] + pointer[0] + sized[0];
}
static double late[4];
double use(void) { return late[0]; }
"""


def test_file_scope_arrays(tmp_path: Path) -> None:
    why = decided(tmp_path, GLOBALS)
    assert [name for name in ("a", "b", "p", "hidden", "argc_") if why[name] is not None] == []
    expected = {
        "tentative": "more than once",
        "initialised": "plain text",
        "named": "initialiser",
        "mine": "each thread",
        "once": "each thread",
        "sized": "`sizeof`",
        "late": "after `main`",
    }
    assert {name: fragment for name, fragment in expected.items() if fragment not in (why[name] or "")} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double a[4];\ndouble f(void) { return a[0]; }\n", "`main`"),
        ("double a[4];\nint main(argc) int argc; { return a[argc]; }\n", "`main`"),
        ("double a[4];\nint main(int n) { return n ? main(n - 1) : a[0]; }\n", "`main`"),
        ("double a[4];\n__attribute__((constructor)) void f(void) { a[0] = 1; }\nint main(void) {}\n", "attributes"),
        ('double a[4];\nextern double b[4] __attribute__((alias("a")));\nint main(void) {}\n', "attributes"),
        ("#define N 4\ndouble a[N];\n#undef N\n#define N 5\nint main(void) { return a[0]; }\n", "redefined"),
        ("enum { n = 4 };\ndouble a[n];\nint main(int n) { return a[n]; }\n", "hides"),
        ("#line 100\ndouble a[4];\nint main(void) { return a[0]; }\n", "#line"),
        ("double a[4];\nint main(void) { extern double a[4]; return a[0]; }\n", "again"),
    ],
)  # fmt: skip
def test_program_around_a_global(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in (decided(tmp_path, text)["a"] or "")


def test_header_array_stays(tmp_path: Path) -> None:
    (tmp_path / "arrays.h").write_text("static double a[4];\n")
    why = decided(tmp_path, '#include "arrays.h"\nint main(void) { return a[0]; }\n')
    assert "plain text" in (why["a"] or "")
