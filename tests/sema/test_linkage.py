"""Which symbol a name stands for: labels, aliases, weak definitions, pragmas."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.ir import types as ty
from ompc.ir.tree import Call, Name, Storage, Symbol, Unit
from ompc.ir.walk import walk
from ompc.plan.program.program_calls import kept_by_calls
from ompc.sema.imports import with_imports

Sema = Callable[[str], Unit]

ONE = {
    "a label": 'double a[9]; extern double b[9] asm("a");',
    "a label before the object": 'extern double b[9] asm("a"); double a[9];',
    "a label of parts": 'double a[9]; extern double b[9] __asm__("" "a");',
    "an alias": 'double a[9]; extern double b[9] __attribute__((alias("a")));',
    "an attribute in front": 'double a[9]; __attribute__((__alias__("a"))) extern double b[9];',
    "an attribute between": 'double a[9]; extern __attribute__((alias("a"))) double b[9];',
    "another declarator": 'double a[9]; extern double c, b[9] __attribute__((alias("a"))), d;',
    "a later declaration": 'double a[9]; extern double b[9]; extern double b[9] __attribute__((alias("a")));',
    "a reference": 'double a[9]; static double b[9] __attribute__((weakref("a")));',
    "a reference in two parts": 'double a[9]; static double b[9] __attribute__((weakref, alias("a")));',
    "a pragma": "double a[9];\n#pragma redefine_extname b a\nextern double b[9];",
    "a static object": 'static double a[9]; extern double b[9] __attribute__((alias("a")));',
    "an alias of an alias": 'double a[9]; extern double c[9] __attribute__((alias("a"))), b[9] asm("c");',
    "in a block": 'double a[9]; double *f(void) { extern double b[9] asm("a"); return b; }',
    "C23": 'double a[9]; [[gnu::alias("a")]] extern double b[9];',
}


def objects(unit: Unit) -> list[Symbol]:
    """What the function `used` names, in order."""
    body = unit.functions["used"].body
    return [node.symbol for node in walk(body) if isinstance(node, Name)]


@pytest.mark.parametrize("text", ONE.values(), ids=ONE)
def test_two_names_of_one_object_are_one_symbol(unit_of: Sema, text: str) -> None:
    block = 'extern double b[9] asm("a"); ' if "return b" in text else ""
    first, second = objects(unit_of(f"{text} double used(void) {{ {block}return a[1] + b[1]; }}"))
    assert first is second


def test_aliases_may_be_known_elsewhere(unit_of: Sema) -> None:
    unit = unit_of('static int a; extern int b __attribute__((alias("a"))); int used(void) { return b; }')
    assert objects(unit)[0].address_taken and objects(unit)[0].storage is Storage.FILE_STATIC


@pytest.mark.parametrize(
    "text",
    [
        'double a[9]; extern double b asm("a");',
        'extern double b asm("a"); double a[9];',
        'double a; extern double b __attribute__((weak, alias("a")));',
        "double a; extern double b;\n#pragma weak b = a\n",
        'register long a asm("r12"); extern double b;',
    ],
)
def test_what_a_name_leads_to_may_be_unknown(unit_of: Sema, text: str) -> None:
    unit = unit_of(f"{text} void used(void) {{ a; }}")
    assert isinstance(objects(unit)[0].type, ty.Unknown)


def test_a_function_is_what_its_label_says(unit_of: Sema) -> None:
    unit = unit_of(
        'double sin(double) asm("cos"), f(double) asm("g@V1"), h(double) asm("a.b");'
        " double g(double x) { return x; } double used(double x) { return sin(x) + f(x) + h(x); }"
    )
    body = unit.functions["used"].body
    called = [n.function.symbol.name for n in walk(body) if isinstance(n, Call) and isinstance(n.function, Name)]
    assert sorted(called) == ["cos", "g", "symbol_a_b"]


def test_labels_of_system_headers_are_the_librarys_business(unit_of: Sema) -> None:
    unit = unit_of(
        '# 1 "/usr/include/x.h" 1 3\nextern int scanf(const char *, ...) asm("__isoc99_scanf");\n'
        '# 9 "a.c" 2\n'
        "int used(void) { return scanf(0); }"
    )
    assert objects(unit)[0].name == "scanf"


def test_a_label_hides_no_call_that_keeps_loops_on_the_host(unit_of: Sema) -> None:
    reason = kept_by_calls(unit_of('int f(int) asm("fesetround"); int main(void) { return f(0); }'))
    assert reason is not None and reason.code == "OMPC363"


@pytest.mark.parametrize(
    "text",
    [
        "__attribute__((weak)) int f(void) { return 1; }",
        "int f(void) { return 1; }\n#pragma weak f\n",
        "int f(void) __attribute__((weak)); int f(void) { return 1; }",
        'int f(void) { return 1; } asm(".weak f");',
        "[[gnu::weak]] int f(void) { return 1; }",
    ],
)
def test_a_weak_function_may_be_another_one(unit_of: Sema, text: str) -> None:
    weak = unit_of(text)
    assert weak.functions["f"].body is None
    strong, user = unit_of("int f(void) { return 2; }"), unit_of("int f(void); int used(void) { return f(); }")
    brought = with_imports(user, [weak, strong]).functions["f"].body
    assert brought is not None


def test_a_weak_object_may_have_other_values(unit_of: Sema) -> None:
    unit = unit_of("__attribute__((weak)) const int n = 5, t[2] = {1, 2}; int used(void) { return n + t[0]; }")
    assert [symbol.value for symbol in objects(unit)] == [None, None]
    assert all(decl.symbol.storage is Storage.EXTERN for decl in unit.variables)


def test_a_clause_copies_what_has_its_name_alone(unit_of: Sema) -> None:
    text = 'double a[9]; extern double b[9] __attribute__((alias("a"))); void used(void) { b[1]; %s }'
    assert not isinstance(objects(unit_of(text % ""))[0].type, ty.Unknown)
    for pragma in ("omp parallel private(a)", "omp task", "omp target"):
        assert isinstance(objects(unit_of(text % f"\n#pragma {pragma}\n{{}}"))[0].type, ty.Unknown)


def test_a_program_with_answers_of_its_own_keeps_its_loops(unit_of: Sema) -> None:
    text = "static int omp_get_thread_num(void) { return 0; } int main(void) { return 0; }"
    assert kept_by_calls(unit_of(text)) is not None
    assert kept_by_calls(unit_of(text.replace("omp_get", "get"))) is None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("int main(void) { return 0; }", False),
        ("static inline void g(void) { f(3); } int main(void) { return 0; }", False),
        ("static inline void g(void) { f(3); } int main(void) { g(); return 0; }", True),
        ("static inline void g(void) { f(3); } static void (*at)(void) = g; int main(void) { at(); return 0; }", True),
        ("int main(void) { static void (*at)(unsigned) = f; at(0); return 0; }", True),
        ("static void g(void) { f(3); } int main(void) { return 0; }", True),  # it may have an attribute
    ],
)
def test_inline_functions_that_nothing_names_keep_no_loops_on_the_host(unit_of: Sema, text: str, kept: bool) -> None:
    header = "void _mm_setcsr(unsigned); static inline void f(unsigned n) { _mm_setcsr(n); }\n"
    assert (kept_by_calls(unit_of(header + text)) is not None) == kept
