"""What iterations print, and what the host can do about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.base.source import NOWHERE
from ompc.driver import compile_to
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.transform.early_exit import as_kernels_see
from ompc.transform.print_formats import TEXT, characters, wanted_types

HEAD = "#include <stdio.h>\nint a[100]; double x[100]; char name[9]; FILE *log_file; long double wide;\n"


def program(body: str) -> str:
    return f"{HEAD}void f(void)\n{{\n#pragma omp parallel for\nfor (int i = 0; i < 100; i++) {{\n{body}\n}}\n}}\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r'"%d %5.2f%%\n"', [ty.INT, ty.DOUBLE]),
        (r'"%*.*s"', [ty.INT, ty.INT, TEXT]),
        (r'"%-+08lu|%llx|%hhd|%zu|%jd|%td"', [ty.ULONG, ty.ULLONG, ty.INT, ty.ULONG, ty.LONG, ty.LONG]),
        ('"\\45d" "%" "c"', [ty.INT, ty.INT]),
        ('"\\\\" "%la"', [ty.DOUBLE]),
        ('"\\"%g"', [ty.DOUBLE]),
        ('"plain"', []),
    ],
)
def test_types_that_a_format_asks_for(text: str, wanted: list[ty.Type | str]) -> None:
    assert wanted_types(text) == wanted


@pytest.mark.parametrize("text", ['"%p"', '"%n"', '"%Lf"', '"%ls"', '"%m"', '"%1$d"', '"%"', '"a\\0%d"', 'L"%d"', '""'])
def test_formats_that_stay_on_the_host(text: str) -> None:
    assert isinstance(wanted_types(text), str)


def test_characters_of_a_string_constant() -> None:
    assert characters(r'"a\x41\102\n\"" "\\"') == 'aAB\n"\\'


@pytest.mark.parametrize(
    ("body", "calls", "given"),
    [
        ('printf("%g\\n", x[i]);', "printf", ['"%g\\n"', ty.DOUBLE]),
        ("(void)putchar(a[i]);", "putchar", [ty.INT]),
        ('fputs(i % 2 ? "odd" : "even", stderr);', "fputs", [('"odd"', '"even"'), "stderr"]),
        ('a[i] = 1, fprintf(stdout, "%lu", sizeof x);', "fprintf", ["stdout", '"%lu"', ty.ULONG]),
        ('#pragma omp critical\n{ if (i) puts("x"); }', "puts", ['"x"']),
        ("fflush(stdout);", "fflush", ["stdout"]),
        ("puts(__func__);", "puts", ['"f"']),
    ],
)
def test_prints_become_notes(facts: Callable[[str], Facts], body: str, calls: str, given: list[object]) -> None:
    (found,) = facts(program(body)).device_code.prints
    assert (found.name, list(found.given)) == (calls, given)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("printf(name);", "the format is no string constant"),
        ('printf("%s", name);', "the text is no string constant"),
        ('a[i] = printf("x");', "its result is used"),
        ('if (puts("x") < 0) a[i] = 1;', "its result is used"),
        ('fputs("x", log_file);', "it goes to a stream that is neither stdout nor stderr"),
        ('printf("%d", x[i]);', "an argument is not of the type that its format asks for"),
        ('printf("%ld", i);', "an argument is not of the type that its format asks for"),
        ('printf("%d", 1, 2);', "the format asks for another number of arguments"),
        ('printf("%d");', "the format asks for another number of arguments"),
        ('printf("%Lf", wide);', "the format has the conversion '%Lf'"),
        ('printf("%p", (void *)x);', "the format has the conversion '%p'"),
    ],
)
def test_prints_that_keep_the_loop_on_the_host(
    facts_or_reason: Callable[[str], Facts | Reason], body: str, why: str
) -> None:
    found = facts_or_reason(program(body))
    assert isinstance(found, Reason) and found.code == "OMPC362"
    assert found.message.endswith(why)


def test_a_pointer_may_have_a_function_s_name(facts_or_reason: Callable[[str], Facts | Reason]) -> None:
    text = program('puts("x");').replace("#include <stdio.h>", "extern void (*puts)(const char *);")
    found = facts_or_reason(text.replace("FILE *log_file; ", ""))
    assert isinstance(found, Reason) and found.code == "OMPC322"
    assert found.message == "calls through the function pointer 'puts'"


def test_a_function_that_prints_is_called_as_often_as_the_program_says(
    facts_or_reason: Callable[[str], Facts | Reason],
) -> None:
    source = """#include <stdio.h>
        int a[100];
        static int shown(int i) { puts("x"); return a[i]; }
        int f(void)
        {
            int most = 0;
            #pragma omp parallel for
            for (int i = 0; i < 100; i++) {
                #pragma omp critical
                if (shown(i) > most) most = shown(i);
            }
            return most;
        }"""
    found = facts_or_reason(source)
    assert isinstance(found, Reason) and found.code.startswith("OMPC3")


@pytest.mark.parametrize(
    ("other", "section", "is_spared"),
    [
        ("a[i] = i;", 'printf("%d", a[i]);', True),
        ("", 'if (x[i] > 0) { printf("%g", x[i]); fflush(stdout); } else puts("none");', True),
        ("#pragma omp critical(sum)\n{ count += i; }", 'int r; printf("%d", a[i]);', False),
        ("#pragma omp critical(sum)\n{ count += i; }", 'printf("%d", a[i]);', True),
        ("#pragma omp critical(sum)\n{ count += i; }", 'printf("%d", count);', False),
        ("#pragma omp atomic\ncount++;", 'printf("%d", count);', False),
        ("#pragma omp atomic\ncount++;", 'printf("%d", *pointer);', False),
        ("#pragma omp atomic\n(*pointer)++;", 'printf("%d", count);', False),
        ("#pragma omp atomic\n(*pointer)++;", 'printf("%d", i);', True),
        ("#pragma omp critical\n{ bump(); }", 'printf("%d", a[i]);', False),
        ("", 'count++; printf("%d", count);', False),
        ("", 'printf("%d", bump());', False),
    ],
)
def test_sections_that_only_print_need_no_lock(other: str, section: str, is_spared: bool, tmp_path: Path) -> None:
    text = program(f"{other}\n#pragma omp critical\n{{ {section} }}\n")
    source = tmp_path / "t.c"
    source.write_text(text.replace("void f", "int count, *pointer;\nint bump(void) { return count++; }\nvoid f"))
    seen, _ = as_kernels_see(compile_to("transform", source))
    pragmas = [
        node.spelling for node in walk(seen.functions["f"].body or t.Block(NOWHERE, ())) if isinstance(node, t.Pragma)
    ]
    assert ("omp critical" not in pragmas) == (is_spared and "critical\n" not in other)
