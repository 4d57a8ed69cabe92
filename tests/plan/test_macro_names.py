"""Kernels have the names of macros that the user has written for constants, where nothing else can have them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ompc.base.macros import STANDARD_HEADERS, Macro
from ompc.base.options import Options, plain_options
from ompc.base.resources import Runtime, include_words
from ompc.base.source import NOWHERE
from ompc.driver import translate, translate_program
from ompc.ir import types as ty
from ompc.ir.macro_names import macro_of, with_name
from ompc.ir.tree import Binary, FloatConst, IntConst, Name, Storage, Symbol, Unary
from ompc.plan.model.plan import Plan
from ompc.plan.program.macro_names import is_free
from ompc.render.code.macro_names import MacroNames
from ompc.sema.as_written import as_written
from ompc.toolchain.machine.nvcc import require_nvcc

ROOT = Path(__file__).parent.parent.parent
LOOP = """
{declared}
void f(int n, double *a) {{
    {first}
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = {value};
}}
"""


def names(plan: Plan) -> list[str]:
    return [macro.name for macro in plan.macro_names]


def loop(define: str, value: str, declared: str = "", first: str = "") -> str:
    return define + LOOP.format(declared=declared, first=first, value=value)


KEPT = {
    "a number": loop("#define N 100\n", "N", first="(void)N;"),
    "of others": loop("#define M 10\n#define N (M * M)\n", "N"),
    "of the library": loop("#include <float.h>\n#define N DBL_MAX\n", "N"),
    "in the bound": "#define N 100\n" + LOOP.format(declared="", first="", value="1").replace("i < n", "i < N"),
    "the length of an array": "#define N 100\n"
    + LOOP.format(declared="static double b[N];", first="", value="b[i]").replace("*a", "*b2").replace("a[i]", "b[i]"),
}


@pytest.mark.parametrize("name", KEPT)
def test_names_are_kept(name: str, plan_of: Callable[..., Plan]) -> None:
    assert "N" in names(plan_of(KEPT[name]))


CALLED = "#define N(x) ((x) * (x))\n"
KEPT |= {
    "not in capitals": loop("#define n_1 6\n#define N n_1\n", "N"),
    "with an argument": loop(CALLED, "N(i)"),
    "of a variable": loop("#define N (n - 1)\n", "N"),
    "with the name of a function of CUDA's": loop("#define max(x) (x + 1)\n#define N max(n)\n", "N"),
}
NOT_KEPT = {
    "two definitions": loop("#define N 5\nint before = N;\n#undef N\n#define N 6\n", "N"),
    "a variable": loop("", "g(i) + N", "static double g(int i) { double N = i; return N; }\n#define N 6"),
    "a parameter": loop("", "g(i) + N", "static int g(int N) { return 1; }\n#define N 6"),
    "a member": loop("struct s { int N; } s;\nstatic int g(void) { return s.N; }\n#define N 6\n", "g() + N"),
    "a tag": loop("struct N { int m; };\nstatic struct N s;\n#define N 6\n", "s.m + N"),
    "an enumerator": loop("enum { N = 7 };\nstatic int g(void) { return N; }\n#define N 6\n", "g() + N"),
    "a label": loop("static int g(int i) { if (i) goto N; return 1; N: return 2; }\n#define N 6\n", "g(i) + N"),
    "errno.h": loop("#define EPERM 6\n#define N EPERM\n", "N"),
    "C's limits": loop("#define INT_MAX 6\n#define N INT_MAX\n", "N"),
    "CUDA's": loop("#define CUDART_VERSION 6\n#define N CUDART_VERSION\n", "N"),
    "a keyword": loop("#define this 6\n#define N this\n", "N"),
    "in a definition of CUDA's": loop("#define global 6\n#define N global\n", "N"),
    "ours": loop("#define OMPC_LAUNCH 6\n#define N OMPC_LAUNCH\n", "N"),
}


@pytest.mark.parametrize("name", NOT_KEPT)
def test_other_names_are_printed_as_their_values(name: str, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(NOT_KEPT[name])
    assert list(plan.on_device)
    assert "N" not in names(plan)


DEFINED = """
// from size.h
#define M 10
// from p.c
#define N (M * M)
// from the command line
#define STEP 0.5

namespace p_c {
"""


def test_the_device_file_defines_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define M 10\n#define UNUSED 11\n")
    text = '#include <float.h>\n#include "size.h"\n#define N (M * M)\n' + loop("", "N * DBL_EPSILON * STEP + M")
    (tmp_path / "p.c").write_text(text)
    device = translate(tmp_path / "p.c", Options(cpp_flags=("-DSTEP=0.5",))).files["p.cu"]
    assert '#include "ompc_rt.h"\n#include <cfloat>\n\n' in device
    assert DEFINED in device
    assert "a[i] = N * DBL_EPSILON * STEP + M;" in device
    assert "UNUSED" not in device


def test_files_of_a_program_have_their_own(tmp_path: Path) -> None:
    """A function of another file, where the name is another number."""
    other = "#define N 5\n#define M 6\nint other(int i) { return i * N + M; }\n"
    own = "#define N 7\nint other(int i);\n" + loop("", "other(i) + N")
    (tmp_path / "a.c").write_text(own + "int main(void) { double a[9]; f(9, a); return a[3] > 4; }\n")
    (tmp_path / "b.c").write_text(other)
    device = translate_program((tmp_path / "a.c", tmp_path / "b.c"), Options())[0].files["a.cu"]
    assert "i * 5 + M" in device
    assert "+ 7" in device
    assert re.findall(r"^#define .*", device, re.MULTILINE) == ["#define M 6"]


def test_kernels_for_nvrtc_need_no_library(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(loop("#include <float.h>\n#define N 5\n", "N + FLT_MAX"))
    made = translate(tmp_path / "p.c", Options()).make_kernels()
    assert made is not None
    assert "cfloat" not in made and "FLT_MAX" not in made
    assert "#define N 5" in made


def test_plain_files_define_them_behind_their_own_functions(tmp_path: Path) -> None:
    text = loop("#define T 5\n#define CHECK 6\nstatic double a[100];\n", "T + CHECK").replace(", double *a", "")
    (tmp_path / "p.c").write_text(text + "int main(void) { f(100); return a[3] != 11; }\n")
    device = translate(tmp_path / "p.c", plain_options(Options())).files["p.cu"]
    assert device.index("blocks(long count") < device.index("#define T 5")
    assert "#define CHECK_2(call)" in device
    assert "a[i] = T + CHECK;" in device


LENGTHS = """
#define ROWS 30
#define COLUMNS 40
#define HALO 1
#define UNITS sizeof(int)
static double u[ROWS + 2 * HALO][COLUMNS + 2], v[ROWS + 2][COLUMNS + 2], w[ROWS << 1];
void f(void)
{
    #pragma omp parallel for
    for (int i = HALO; i <= ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++) {
            double last[HALO + 1] = {v[i][j], 1}, other[UNITS] = {2};
            u[i][j] = last[j % 2] + other[0] + w[i];
        }
}
"""


def test_lengths_of_arrays_are_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(LENGTHS)
    device = translate(tmp_path / "p.c", Options()).files["p.cu"]
    assert "double (*__restrict__ u)[COLUMNS + 2]" in device
    assert "sizeof(double[ROWS + 2 * HALO][COLUMNS + 2])" in device
    assert "sizeof(double[ROWS + 2][COLUMNS + 2])" in device
    assert "double last[HALO + 1] = {v[i][j], 1.0};" in device
    assert "double other[4] = " in device
    assert "sizeof(double[60])" in device  # `>>` would end the arguments of a template


def test_lengths_of_members(tmp_path: Path) -> None:
    struct = "#define K 5\nstruct s { double w[K]; };\nstatic struct s s[9];\n"
    (tmp_path / "p.c").write_text(loop(struct, "s[i % 9].w[1]"))
    device = translate(tmp_path / "p.c", Options()).files["p.cu"]
    assert "\n#define K 5\n" in device
    assert "    double w[K];\n" in device


def test_a_length_counts_while_the_array_has_it() -> None:
    n = Macro("N", "5", "a.c", 1)
    five = with_name(IntConst(ty.INT, NOWHERE, 5, "5"), (n,))
    names = MacroNames(frozenset({n}))
    array = ty.Array(ty.DOUBLE, 5, five)
    assert array == ty.Array(ty.DOUBLE, 5)
    assert names.text_of(array) == "N"
    assert names.text_of(replace(array, length=6)) is None
    assert MacroNames().text_of(array) is None


def test_explanations_have_all_names(tmp_path: Path) -> None:
    """Those that kernels have not, too."""
    text = loop("#define step 3\nstatic double b[1000];\n", "i").replace("a[i] =", "b[i + step] =")
    (tmp_path / "p.c").write_text(text)
    translation = translate(tmp_path / "p.c", Options())
    assert "b[i + step] for 0 <= i < n" in str(translation.report)


# ---------------------------------------------------------------------- names and nodes


def test_a_name_counts_while_the_node_is_what_it_was() -> None:
    n = Macro("N", "5", "a.c", 1)
    five = IntConst(ty.INT, NOWHERE, 5, "5")
    named = with_name(five, (n,))
    assert macro_of(named) == n
    assert macro_of(replace(named, loc=replace(NOWHERE, line=7))) == n
    assert macro_of(replace(named, value=6, text="6")) is None
    assert macro_of(replace(named, type=ty.LONG)) is None
    assert macro_of(five) is None


def test_a_name_of_an_expression() -> None:
    n = Macro("N", "(-5 * 2.0)", "a.c", 1)
    five, two = IntConst(ty.INT, NOWHERE, 5, "5"), FloatConst(ty.DOUBLE, NOWHERE, "2.0")
    product = with_name(Binary(ty.DOUBLE, NOWHERE, "*", Unary(ty.INT, NOWHERE, "-", five), two), (n,))
    assert macro_of(product) == n
    assert isinstance(product, Binary)
    assert macro_of(replace(product, right=five)) is None
    assert macro_of(replace(product, op="/")) is None


def test_text_for_people() -> None:
    n = Macro("n", "5", "a.c", 1)
    five = with_name(IntConst(ty.INT, NOWHERE, 5, "5"), (n,))
    assert as_written(Binary(ty.INT, NOWHERE, "*", Binary(ty.INT, NOWHERE, "+", five, five), five)) == "(n + n) * n"


def test_what_is_no_constant_has_no_name() -> None:
    symbol = Symbol("x", ty.INT, Storage.AUTO, NOWHERE, 0)
    assert macro_of(with_name(Name(ty.INT, NOWHERE, symbol), (Macro("N"),))) is None
    enumerator = IntConst(ty.INT, NOWHERE, 5, "RED")
    assert macro_of(with_name(enumerator, (Macro("N"),))) is None


# ---------------------------------------------------------------------- names that are taken


_IN_DEVICE_CODE = """
__global__ __device__ __host__ __shared__ __constant__ __forceinline__ __noinline__ __launch_bounds__ __restrict__ NAN
INFINITY HUGE_VAL HUGE_VALF assert NULL offsetof static_assert threadIdx blockIdx blockDim gridDim
""".split()


def check_macros(text: str) -> None:
    """None of those that a device file may include can be defined by it, nor a word in the definitions of those that it
    uses.
    """
    defined = dict(re.findall(r"^#define (\w+)(.*)", text, re.MULTILINE))
    assert "INT_MAX" in defined
    assert sorted(filter(is_free, defined)) == []
    words = {*_IN_DEVICE_CODE, *(name for name in defined if name.startswith("OMPC_"))}
    for _ in range(20):  # by way of one another
        texts = [re.sub(r'"[^"]*"', "", defined.get(word, "")) for word in words]
        words |= {word for text in texts for word in re.findall(r"\b[A-Za-z_]\w*", text)}
    assert sorted(word for word in words if is_free(word) and word != "ompc_") == []  # glued to another one


def test_macros_of_the_emulators_headers(tmp_path: Path) -> None:
    command = ["g++", "-std=c++17", "-fopenmp", "-E", "-dM", *include_words(Runtime.EMULATE, Runtime.COMMON)]
    (tmp_path / "p.cc").write_text('#include "ompc_rt.h"\n' + _library())
    check_macros(subprocess.run([*command, "p.cc"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)


def test_macros_of_cudas_headers(tmp_path: Path) -> None:
    command = [str(require_nvcc(os.environ).path), "-std=c++17", "-E", "-Xcompiler", "-dM"]
    command += include_words(Runtime.CUDA, Runtime.COMMON)
    (tmp_path / "p.cu").write_text('#include "ompc_rt.h"\n' + _library())
    check_macros(subprocess.run([*command, "p.cu"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)


def _library() -> str:
    return "".join(f"#include <{header}>\n" for header in sorted(set(STANDARD_HEADERS.values())))


def test_the_librarys_macros_are_those_of_c(tmp_path: Path) -> None:
    """Each is defined, with C's type and value."""
    checks = [f'_Static_assert(sizeof({name}) > 0, "");' for name in STANDARD_HEADERS]
    headers = "#include <float.h>\n#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n#include <stdint.h>\n"
    types = [*"int long unsigned float double".split(), "unsigned long", "long long", "unsigned long long"]
    known = ", ".join(f'{kind}: "{kind}"' for kind in types)
    printed = [f'printf("{n} %s %La\\n", _Generic({n}, {known}), (long double)({n}));' for n in STANDARD_HEADERS]
    (tmp_path / "p.c").write_text(
        f"#include <stdio.h>\n{headers}{''.join(checks)}\nint main(void) {{ {''.join(printed)} }}\n"
    )
    overloads = "".join(f'static const char *of({kind}) {{ return "{kind}"; }}\n' for kind in types)
    printed = [f'printf("{n} %s %La\\n", of({n}), (long double)({n}));' for n in STANDARD_HEADERS]
    text = f"#include <cstdio>\n{_library()}{overloads}int main() {{ {''.join(printed)} }}\n"
    (tmp_path / "p.cc").write_text(text)
    subprocess.run(["gcc", "p.c", "-o", "c"], cwd=tmp_path, check=True)
    subprocess.run(["g++", "p.cc", "-o", "cc"], cwd=tmp_path, check=True)
    c, cc = (subprocess.run([tmp_path / name], capture_output=True, check=True).stdout for name in ("c", "cc"))
    assert c == cc


def test_nothing_of_ours_is_in_capitals() -> None:
    """What device files have besides the user's names, in templates and in what was made of the snapshots' programs."""
    texts = [(path.read_text(), "") for path in (ROOT / "templates").glob("*.cu.j2")]
    cases = (ROOT / "tests" / "snapshots" / "cases").rglob("expected.cu")
    texts += [(path.read_text(), (path.parent / "input.c").read_text()) for path in cases]
    for device, own in texts:
        words = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", re.sub(r"//.*", "", device).replace('extern "C"', "")))
        assert {word for word in words - set(re.findall(r"\w+", own)) if is_free(word)} == set()


def test_nor_in_the_macros_of_the_runtime_that_it_uses() -> None:
    """They are expanded behind the definitions of the user's."""
    headers = [path.read_text() for path in (ROOT / "ompc" / "runtime").rglob("*.h")]
    defined = dict(part for text in headers for part in _DEFINED.findall(text))
    devices = [path.read_text() for path in (ROOT / "tests" / "snapshots" / "cases").rglob("expected.cu")]
    used = {word for text in devices for word in re.findall(r"\bOMPC_\w+", text)} & defined.keys()
    assert "OMPC_LAUNCH" in used
    for name in used:
        text = re.sub(r'"[^"]*"', "", defined[name])
        parameters = re.findall(r"\w+", text[: text.find(")")]) if text.startswith("(") else []
        words = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", text)) - set(parameters)
        assert set(filter(is_free, words)) == set(), name


_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(OMPC_\w+)((?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
