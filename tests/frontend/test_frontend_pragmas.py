"""Which statement a pragma owns, and where it stands, in all the places where a pragma can be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.frontend.pragmas import owns_statement, pragma_line
from ompc.ir.show import statement_lines
from ompc.ir.tree import Block, For, Pragma, Unit
from ompc.ir.walk import walk

LOOP = "for (int i = 0; i < 3; i++) ;"


def pragmas(unit: Unit) -> list[Pragma]:
    return [n for f in unit.functions.values() if f.body for n in walk(f.body) if isinstance(n, Pragma)]


def shown(unit: Unit) -> str:
    body = unit.functions["f"].body
    assert body is not None
    return " ".join(" ".join(statement_lines(body, 0)).split())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("#pragma omp parallel\n#pragma omp for\nL", "{ #pragma omp parallel // line 2 #pragma omp for // line 3 L }"),
        ("if (x)\n#pragma omp parallel\n#pragma omp for\nL", "{ if (x) #pragma omp parallel // line 3 #pragma omp for // line 4 L }"),  # noqa: E501
        ("if (x)\n#pragma omp parallel for\nL\nelse\n#pragma omp parallel for\nL",
         "{ if (x) #pragma omp parallel for // line 3 L else #pragma omp parallel for // line 6 L }"),
        ("while (x)\n#pragma omp critical\nx--;", "{ while (x) #pragma omp critical // line 3 x--; }"),
        ("do\n#pragma omp atomic\nx--;\nwhile (x);", "{ do #pragma omp atomic // line 3 x--; while (x); }"),
        ("l:\n#pragma omp parallel\nx = 1; x = 2;", "{ l: #pragma omp parallel // line 3 x = 1; x = 2; }"),
        ("switch (x) { case 1:\n#pragma omp parallel\nx = 1; x = 2; break; default: case 2: x = 3; }",
         "{ switch (x) { case 1: #pragma omp parallel // line 3 x = 1; x = 2; break; default: case 2: x = 3; } }"),
        ("switch (x) case 1:\n#pragma omp parallel\nx = 1;", "{ switch (x) { case 1: #pragma omp parallel // line 3 x = 1; } }"),  # noqa: E501
        ("x = 1;\n#pragma omp barrier\nx = 2;", "{ x = 1; #pragma omp barrier // line 3 x = 2; }"),
        ("#pragma omp parallel for\n#pragma GCC ivdep_like\nL", "{ #pragma GCC ivdep_like // line 3 #pragma omp parallel for // line 2 L }"),  # noqa: E501
        ("#pragma omp parallel sections\n{ x = 0;\n#pragma omp section\nx = 1; x = 2;\n#pragma omp section\n{ x = 3; } }",  # noqa: E501
         "{ #pragma omp parallel sections // line 2 { x = 0; #pragma omp section // line 4 { x = 1; x = 2; }"
         " #pragma omp section // line 6 { x = 3; } } }"),
        ("#pragma omp parallel\n{\n#pragma omp single nowait\nx = 1;\n#pragma omp taskwait\n}",
         "{ #pragma omp parallel // line 2 { #pragma omp single nowait // line 4 x = 1; #pragma omp taskwait // line 6 } }"),  # noqa: E501
        ("#pragma omp parallel for \\\n  num_threads(2) \\\n  private(x)\nL", "{ #pragma omp parallel for num_threads(2) private(x) // line 2 L }"),  # noqa: E501
        ("  #  pragma   omp   parallel   for\nL", "{ #pragma omp parallel for // line 2 L }"),
        ("/* a */ #pragma omp parallel for /* b */ private(x) // c\nL", "{ #pragma omp parallel for private(x) // line 2 L }"),  # noqa: E501
        ('_Pragma("omp parallel for private(x)") L', "{ #pragma omp parallel for private(x) // line 2, in a macro L }"),
        ("P(parallel for) L", "{ #pragma omp parallel for // line 2, in a macro L }"),
        ("#pragma omp parallel for if(N > 1) num_threads(N)\nL", "{ #pragma omp parallel for if(3 > 1) num_threads(3) // line 2 L }"),  # noqa: E501
        ("for (;;)\n{\n#pragma omp parallel\n;\n}", "{ for (; ; ) { #pragma omp parallel // line 4 ; } }"),
        ("#pragma omp ordered\nx = 1;", "{ #pragma omp ordered // line 2 x = 1; }"),
        ("#pragma omp target update to(x)\nx = 1;", "{ #pragma omp target update to(x) // line 2 x = 1; }"),
    ],
)  # fmt: skip
def test_pragmas_own_the_right_statement(body: str, expected: str, unit_of: Callable[..., Unit]) -> None:
    macros = ("-DN=3", "-DS(x)=_Pragma(#x)", "-DP(x)=S(omp x)")
    unit = unit_of(f"void f(int x) {{\n{body.replace('L', LOOP)}\n}}", *macros)
    assert shown(unit).replace(LOOP, "L") == expected


def test_scopes_are_those_in_front_of_the_statement(unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(
        "int x; double y;\nvoid f(int n) {\n  int x = n;\n  {\n    float y;\n#pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++) { char x; }\n  }\n  long late;\n}\n"
    )
    (pragma,) = pragmas(unit)
    assert {name: str(pragma.scope[name].loc) for name in ("x", "y", "n")} == {"x": "p.c:3", "y": "p.c:5", "n": "p.c:2"}
    assert "late" not in pragma.scope and "i" not in pragma.scope
    assert isinstance(pragma.body, For)


def test_threadprivate_and_file_scope_pragmas(unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(
        "int a, b, c;\n#pragma omp threadprivate(a, c)\nvoid f(void) { static int s;\n#pragma omp threadprivate(s)\n}"
    )
    assert [(d.symbol.name, d.symbol.threadprivate) for d in unit.variables] == [("a", True), ("b", False), ("c", True)]
    assert [p.spelling for p in unit.pragmas] == ["omp threadprivate(a, c)"]
    body = unit.functions["f"].body
    assert isinstance(body, Block) and [s.threadprivate for s in [d.symbol for d in body.items[0].decls]] == [True]  # type: ignore[attr-defined]


def test_crlf_keeps_lines(unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(f"void f(int x) {{\r\n#pragma omp parallel for \\\r\n  private(x)\r\n  {LOOP}\r\n}}\r\n")
    (pragma,) = pragmas(unit)
    assert (pragma.loc.line, pragma.spelling, pragma.in_macro) == (2, "omp parallel for private(x)", False)


@pytest.mark.parametrize(
    ("text", "owns"),
    [
        ("omp parallel", True), ("omp parallel for collapse(2)", True), ("omp for nowait", True), ("omp simd", True),
        ("omp sections", True), ("omp single", True), ("omp master", True), ("omp masked", True), ("omp critical(a)", True),  # noqa: E501
        ("omp atomic", True), ("omp task", True), ("omp taskloop", True), ("omp taskgroup", True), ("omp target", True),
        ("omp target data map(a)", True), ("omp teams distribute", True), ("omp loop", True), ("omp ordered", True),
        ("omp ordered simd", True), ("omp barrier", False), ("omp taskwait", False), ("omp taskyield", False),
        ("omp flush(a)", False), ("omp threadprivate(a)", False), ("omp declare simd", False), ("omp cancel for", False),  # noqa: E501
        ("omp cancellation point for", False), ("omp target update to(a)", False), ("omp target enter data map(to: a)", False),  # noqa: E501
        ("omp ordered depend(source)", False), ("omp depobj(d) depend(in: a)", False), ("omp scan inclusive(a)", False),
        ("omp paralle for", False), ("GCC unroll 4", False), ("ompx parallel", False), ("once", False),
    ],
)  # fmt: skip
def test_which_directives_own_a_statement(text: str, owns: bool) -> None:
    assert owns_statement(text) is owns


def test_the_line_of_a_continued_pragma_is_its_first() -> None:
    lines = ["int x;", "#pragma omp parallel \\", "  for \\", "  private(x)", "for (;;)"]
    assert [pragma_line(lines, n) for n in range(7)] == [None, None, 2, 2, 2, None, None]
