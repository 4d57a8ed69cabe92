"""Types of expressions, constants and C text agree with the C compiler."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pycparser import c_ast

from ompc.base.options import Options
from ompc.base.source import Location
from ompc.frontend import load
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.show import c_expr, c_type
from ompc.ir.tree import Expr, ExprStmt, FloatConst, IntConst, Member, OpaqueExpr, Pragma, Unit
from ompc.ir.walk import walk
from ompc.sema import analyse
from ompc.sema.expressions import parse_expression

SCOPE = """
#include <stddef.h>
#include <math.h>
enum E { RED, GREEN = 5 }; enum N { MINUS = -1, ONE = 1 };
typedef struct { int n; double d[4]; unsigned b3 : 3; int s7 : 7; unsigned w : 32; _Bool q : 1; const char *text; } T;
_Bool vb; char vc; signed char vsc; unsigned char vuc; short vs; unsigned short vus; int vi; unsigned vu; long vl;
unsigned long vul; long long vll; unsigned long long vull; float vf; double vd; long double vld; enum E ve; enum N vn;
T vt, *vp; const T *vcp; double va[3][5]; double *vdp; const double *vcdp; void *vv; int (*vfp)(double); char vstr[7];
int fi(double); float ff(void); double *fp(int); T ft(void);
"""
# pycparser 3.11, for Python 3.10, does not know postfix operators after a compound literal.
OLD_PARSER = not hasattr(c_ast, "TypeOf")
NUMBERS = "vb vc vsc vuc vs vus vi vu vl vul vll vull vf vd vld ve vn vt.b3 vt.s7 vt.w vt.q".split()
OTHERS = [
    "1", "1u", "1l", "1ul", "1ll", "1ull", "0x7fffffff", "0x80000000", "2147483647", "2147483648", "0xffffffffffffffff",
    "1.0", "1.0f", "1.0L", "1e3f", "0x1p3", "'a'", "L'a'", "u'a'", "U'a'", '"abc"', 'L"abc"', 'u8"x"', '"\\n\\x41\\101" "2"',  # noqa: E501
    "sizeof(int)", "sizeof vi", "sizeof va", "sizeof(T)", "_Alignof(double)", "offsetof(T, d)", "offsetof(T, d[2])",
    "RED", "MINUS", "va", "va[1]", "va[1][2]", "2[vdp]", "*va", "**va", "&va", "&va[1]", "&va[1][2]", "vdp + 1", "1 + vdp",  # noqa: E501
    "vdp - vdp", "vdp - 1", "va + 1", "va[0] - vdp", "vp->n", "vp->d", "vp->d[1]", "vt.text", "vcp->d", "vcp->text",
    "*vcp->text", "vcp->n", "&vcp->n", "!vd", "!vp", "vi++", "--vs", "vdp++", "vf += vd", "vc = vi", "(vi, vd)", "(vi, va)",  # noqa: E501
    "vi ? vdp : 0", "vi ? 0 : vdp", "vi ? vdp : vv", "vi ? vcdp : vdp", "vi ? vt : vt", "vd && vi", "vdp == 0", "fi(1)",
    "ff()", "fp(1)", "*fp(1)", "ft().n", "ft().d", "vfp(1)", "(*vfp)(1)", "fi", "&fi", "*fi", "(char)vi", "(double *)vv",  # noqa: E501
    "(T){1}", "(T){1}.n", "(int[]){1, 2, [7] = 3}", "&(int){1}", "sqrt(vi)", "sqrtf(vf)", "vstr", "vstr[0]",
    "__builtin_expect(vi, 0)", "isnan(vd)", "INFINITY", "NAN", "HUGE_VAL", "_Generic(vf, float: 1L, default: 1)",
    "_Generic(vi, float: 1L, default: 1.0)", "vc << 1", "vt.d", "(vi ? va : va)", "(vcdp)[1]", "&vcdp[1]", "vi ? vp : vcp",  # noqa: E501
    "vi ? (void *)0 : vdp", "__alignof__(int)", "(__typeof__(vf))1", "(__typeof__(va) *)0", "__extension__ 1.5f",
]  # fmt: skip


if OLD_PARSER:
    OTHERS.remove("(T){1}.n")


def expressions_of(unit: Unit, name: str = "f") -> list[Expr]:
    body = unit.functions[name].body
    assert body is not None
    return [s.expr for s in body.items if isinstance(s, ExprStmt)]


def check_types(texts: list[str], unit_of: Callable[[str], Unit], gcc_accepts: Callable[[str], None]) -> None:
    function = "void f(void) {\n" + "\n".join(f"({text});" for text in texts) + "\n}"
    lowered = expressions_of(unit_of(SCOPE + function))
    lines = [SCOPE, "void f(void) {"]
    for text, expr in zip(texts, lowered, strict=True):
        spelled = c_type(expr.type)
        assert spelled is not None, (text, expr.type)
        lines.append(
            f"_Static_assert(__builtin_types_compatible_p(__typeof__({text}), {spelled}), "
            f'"type: not " {quoted(spelled)});'
        )
    gcc_accepts("\n".join([*lines, "}"]))


def quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def test_types_of_all_kinds_of_expressions(unit_of: Callable[[str], Unit], gcc_accepts: Callable[[str], None]) -> None:
    check_types(OTHERS, unit_of, gcc_accepts)


def test_arithmetic_conversions(unit_of: Callable[[str], Unit], gcc_accepts: Callable[[str], None]) -> None:
    pairs = list(itertools.product(NUMBERS, NUMBERS))
    texts = [f"{a} {op} {b}" for a, b in pairs for op in ("+", "<")] + [f"vi ? {a} : {b}" for a, b in pairs]
    integers = [n for n in NUMBERS if n not in ("vf", "vd", "vld")]
    texts += [f"{a} {op} {b}" for a, b in itertools.product(integers, integers) for op in ("<<", "%", "&")]
    texts += [f"{op}{n}" for n in NUMBERS for op in "+-!"] + [f"~{n}" for n in integers]
    texts += [f"{n} {op} 1" for n in NUMBERS if "." not in n for op in ("=", "+=")] + [f"{n}++" for n in NUMBERS[:17]]
    texts += [f"({n} {op} 1) + 0" for n in NUMBERS for op in ("=", "+=")] + ["vt.b3++ - 1", "(vi, vt.b3) - 1"]
    check_types(texts, unit_of, gcc_accepts)


LITERALS = [
    "0",
    "1",
    "7",
    "255",
    "3u",
    "0x80000000",
    "-5",
    "1ull",
    "2147483647",
    "'a'",
    "'\\xff'",
    "9l",
    "'ab'",
    "010",
    "0b101",
]


def random_constant(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice([*LITERALS, "sizeof(int)", "sizeof(double[3])"])
    kind = rng.randrange(10)
    a, b = random_constant(rng, depth - 1), random_constant(rng, depth - 1)
    if kind == 0:
        return f"({random_constant(rng, 0)} ? {a} : {b})"
    if kind == 1:
        return f"(({rng.choice(['char', 'unsigned char', 'short', 'unsigned', 'long', '_Bool', 'int'])})({a}))"
    if kind == 2:
        return f"{rng.choice('~!-+')}({a})"
    if kind == 3:
        return f"(({a}) {rng.choice(['<<', '>>'])} {rng.randint(0, 15)})"
    if kind == 4:
        return f"(({a}) {rng.choice('/%')} {rng.choice(['3', '-7', '5u', '11ll'])})"
    return f"({a}) {rng.choice(['+', '-', '*', '&', '|', '^', '<', '<=', '==', '!=', '&&', '||', '>'])} ({b})"


def test_constants_have_the_compilers_values(
    unit_of: Callable[[str], Unit], gcc_accepts: Callable[[str], None]
) -> None:
    rng = random.Random(3)
    texts = [random_constant(rng, rng.randint(0, 4)) for _ in range(600)]
    lowered = expressions_of(unit_of("void f(void) {" + "".join(f"({t});\n" for t in texts) + "}"))
    lines = []
    for text, expr in zip(texts, lowered, strict=True):
        value = constant_value(expr)
        assert value is not None, text
        least = (
            "(-9223372036854775807LL - 1)"
            if value == -(1 << 63)
            else f"{value}" + ("ull" if value >= 1 << 63 else "ll")
        )
        lines.append(f'_Static_assert(({text}) == (__typeof__({text})){least}, "");')
        lines.append(f'_Static_assert(__builtin_types_compatible_p(__typeof__({text}), {c_type(expr.type)}), "");')
        printed = c_expr(expr)
        lines.append(f'_Static_assert(({printed}) == ({text}), "printed");')
    gcc_accepts("\n".join(lines))


def test_printed_expressions_parse_to_the_same_expression(unit_of: Callable[[str], Unit]) -> None:
    texts = [t for t in OTHERS if not t.startswith(("_Generic", "(int[]){", "&(int){"))]  # these have no such text
    texts += [
        "vi - (vi - vi)", "vi - vi - vi", "(vi = vi) + 1", "vi = vi = vi", "(vi, vi) ? vi : (vi, vi)", "-(-vi)", "+(+vi)",  # noqa: E501
        "- --vi", "&*&vi", "!(vi + 1)", "(vi ? vi : vi) ? vi : vi", "vi ? vi : vi ? vi : vi", "(*vp).n", "*vp->text", "(*vdp)++",  # noqa: E501
        "*vdp++", "(vi & 1) == 0", "vi & 1 == 0", "(char)(vi + 1)", "(char)vi + 1", "sizeof(int) * vi", "fi((vi, 1))",
        "(vi << 1) + 1", "vi << 1 + 1", "(&va[1])[0]", "vi * (vi / vi)", "vi * vi / vi", "~-vi", "&va[1][vi + 1]",
    ]  # fmt: skip
    first = expressions_of(unit_of(SCOPE + "void f(void) {\n" + "\n".join(f"{t};" for t in texts) + "\n}"))
    printed = [c_expr(e) for e in first]
    again = expressions_of(unit_of(SCOPE + "void f(void) {\n" + "\n".join(f"{t};" for t in printed) + "\n}"))
    assert [c_expr(e) for e in again] == printed
    assert [shape(e) for e in again] == [shape(e) for e in first]
    assert printed[len(texts) - 29 :][:5] == [
        "vi - (vi - vi)", "vi - vi - vi", "(vi = vi) + 1", "vi = vi = vi", "(vi, vi) ? vi : (vi, vi)"
    ]  # fmt: skip


def shape(expr: Expr) -> list[tuple[str, str]]:
    return [(type(n).__name__, str(c_type(n.type))) for n in walk(expr) if isinstance(n, Expr)]


DECLARATIONS = [
    "int x", "double x[100][200]", "double (*x)[200]", "double *x[3]", "int (*x)(int, char *)", "int (*x[4])(void)",
    "int (*(*x)(int))[3]", "const char *x", "char *const x", "const char *const *x", "double *restrict x",
    "struct S x", "unsigned long x[2]", "void (*x)(int, ...)", "int (*x)()", "volatile int x", "T x", "T (*x)[2]",
    "_Bool x", "long double x", "enum E x", "double _Complex x", "const double x[3]", "int (**x[2])(double (*)[3])",
]  # fmt: skip


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_types_print_as_they_are_declared(declaration: str, unit_of: Callable[[str], Unit]) -> None:
    prelude = "struct S { int i; }; typedef struct { int i; } T; enum E { A };\n"
    unit = unit_of(prelude + declaration + ";")
    assert c_type(unit.variables[0].symbol.type, "x") == declaration


def test_clause_arguments_see_types_constants_and_members(tmp_path: Path) -> None:
    """While pragmas are read: a tree whose directives are resolved does not know types any more."""
    source = tmp_path / "p.c"
    source.write_text(
        "typedef struct { int n; } T; enum { N = 3 };\n"
        "int f(T *p, int m) {\n { long N2 = 4; \n#pragma omp parallel\n { int late; } } return m; }"
    )
    loaded = load(source, Options())
    unit = analyse(loaded.ast, loaded.preprocessed.file, loaded.preprocessed.source, char_signed=True)
    body = unit.functions["f"].body
    assert body is not None
    pragma = next(n for n in walk(body) if isinstance(n, Pragma))
    at = Location("p.c", 4)
    size = parse_expression("sizeof(T)/4", pragma.scope, at)
    assert constant_value(size) == 1
    condition = parse_expression("p->n > 3 && N", pragma.scope, at)
    assert c_expr(condition) == "p->n > 3 && N"
    assert condition.loc == at
    assert isinstance(next(n for n in walk(condition) if isinstance(n, Member)).type, ty.Int)
    assert parse_expression("N2 * m", pragma.scope, at).type == ty.LONG
    assert isinstance(parse_expression("late", pragma.scope, at), OpaqueExpr)
    for broken in ("", "a +", "1; int y", "x) + (y", "{", "static", "sizeof(", "1 2"):
        assert isinstance(parse_expression(broken, pragma.scope, at), OpaqueExpr), broken
    assert set(pragma.scope) >= {"p", "m", "N2", "f"}
    assert "late" not in pragma.scope


def test_parse_expression_takes_a_plain_mapping(unit_of: Callable[[str], Unit]) -> None:
    symbol = unit_of("int n;").variables[0].symbol
    assert parse_expression("n + 1.5", {"n": symbol}, Location("p.c", 1)).type == ty.DOUBLE


def test_enum_constants_and_sizes_fold(unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(
        "enum E { A, B = -3 }; struct S { char c; int i; };\nvoid f(int n) { A; B; sizeof(struct S); 1.5f; }"
    )
    a, b, size, real = expressions_of(unit)
    assert isinstance(a, IntConst) and (a.value, a.text) == (0, "A")
    assert isinstance(b, IntConst) and (b.value, b.text) == (-3, "B")
    assert isinstance(size, IntConst) and (size.value, size.text) == (8, "sizeof(struct S)")
    assert isinstance(real, FloatConst) and real.type == ty.FLOAT


@pytest.mark.parametrize(
    ("constants", "wide_enums", "types"),
    [
        ("A = 1, B = 2", True, (ty.INT, ty.INT)),
        ("A = 1, B = 0x80000000", False, (ty.INT, ty.UINT)),
        ("A = 1, B = 0x80000000", True, (ty.UINT, ty.UINT)),
        ("A = -1, B = 0x80000000", True, (ty.LONG, ty.LONG)),
        ("A = 1, B = 1L << 40", False, (ty.INT, ty.ULONG)),
        ("A = 1, B = 1L << 40", True, (ty.ULONG, ty.ULONG)),
    ],
)
def test_constants_of_wide_enums(
    constants: str, wide_enums: bool, types: tuple[ty.Type, ...], tmp_path: Path
) -> None:
    """As gcc has them up to 12, and from 13 on."""
    source = tmp_path / "p.c"
    source.write_text(f"enum {{ {constants} }}; long f(void) {{ return A + B; }}")
    loaded = load(source, Options())
    unit = analyse(loaded.ast, loaded.preprocessed.file, loaded.preprocessed.source, wide_enums=wide_enums)
    body = unit.functions["f"].body
    assert body is not None
    found = {n.text: n.type for n in walk(body) if isinstance(n, IntConst)}
    assert (found["A"], found["B"]) == types
