"""Which changes are suggested for loops on the host: those after which the loop goes to the device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from readiness_program import translated

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.driver import translate_program
from ompc.frontend.text import apply_edits
from ompc.tools.readiness.gather import gather
from ompc.tools.readiness.model import Loop, Readiness
from ompc.tools.readiness.page import page
from ompc.tools.readiness.roofline import DEVICES
from ompc.tools.readiness.suggestions import Program, with_suggestions

PAGE = Path(__file__).parent.parent.parent / "docs" / "diagnostics.md"


def tried(directory: Path, seconds: float = 100, **texts: str) -> Readiness:
    translations, sources = translated(directory, **texts)
    found = gather(translations, sources, DEVICES["h200"])
    program = Program(tuple(sources), Options(), translations)
    return with_suggestions(found, program, translate_program, seconds, Watch())


def of_body(directory: Path, body: str, pragma: str = "", before: str = "") -> Loop:
    """The loop `for (int i = 0; i < n; i++)` with this body, in a function that returns t."""
    text = f"""\
#include <stdio.h>
#include <math.h>
static double x[100], y[100];
{before}
double f(int n)
{{
    double t = 0; static double s; static int j;
    #pragma omp parallel for{pragma}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
    return t;
}}
"""
    (loop,) = tried(directory, a=text).loops
    return loop


def titles(loop: Loop) -> list[str]:
    return [suggestion.title for suggestion in loop.suggestions]


def plus(loop: Loop) -> list[str]:
    """The lines that the first suggestion puts in."""
    return [line[1:].strip() for line in loop.suggestions[0].diff if line.startswith("+")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("OMPC304", "#pragma omp parallel for"),
        ("OMPC305", "int num_threads_6 = next();"),
        ("OMPC308", "for (int i = 0; i < n; i++)"),
        ("OMPC323", "double a[100];"),
        ("OMPC327", "double a[100];"),
        ("OMPC331", "#pragma omp parallel for private(t)"),
        ("OMPC334", 'const char digits[] = "0123456789";'),
        ("OMPC336", "#pragma omp parallel for private(last)"),
        ("OMPC337", "struct pair { char kind; double value; };"),
        ("OMPC342", "/* here */"),
        ("OMPC343", "#pragma omp parallel for collapse(3)"),
        ("OMPC352", "#pragma omp target map(to: a) map(tofrom: s)"),
        ("OMPC353", "#pragma omp target teams"),
        ("OMPC355", "#pragma omp target teams distribute parallel for simd"),
        ("OMPC362", ";"),
    ],
)
def test_programs_of_the_diagnostics_page(code: str, expected: str, tmp_path: Path) -> None:
    program = re.search(rf"^## {code}:.*?^```c\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert program is not None
    loop = next(loop for loop in tried(tmp_path, a=program[1]).loops if not loop.on_device)
    assert plus(loop)[0] == expected
    assert loop.suggestions[0].ensure.endswith(".")


@pytest.mark.parametrize(
    ("body", "clause"),
    [
        ("t += x[i];", "reduction(+:t)"),
        ("if (x[i] > 0) t += x[i];", "reduction(+:t)"),
        ("if (x[i] > t) t = x[i];", "reduction(max:t)"),
        ("if (t > x[i]) t = x[i];", "reduction(min:t)"),
        ("if (i > 3) t = fmax(t, x[i]);", "reduction(max:t)"),
        ("for (j = 0; j < 9; j++) y[i] += j;", "private(j)"),
        ("s = x[i]; y[i] = s * s;", "private(s)"),
        ("if (x[i] > 0) { t = x[i]; y[i] = t * t; }", "lastprivate(t)"),  # the function returns t
    ],
)
def test_shared_variables(body: str, clause: str, tmp_path: Path) -> None:
    loop = of_body(tmp_path, body)
    assert not loop.on_device and plus(loop) == [f"#pragma omp parallel for {clause}"]


def test_several_variables_are_cured_together(tmp_path: Path) -> None:
    loop = of_body(tmp_path, "s = x[i]; for (j = 0; j < 9; j++) t += s;")
    assert plus(loop) == ["#pragma omp parallel for private(s) private(j) reduction(+:t)"] or plus(loop) == [
        "#pragma omp parallel for reduction(+:t) private(s) private(j)"
    ]


def test_an_update_of_one_element_becomes_atomic(tmp_path: Path) -> None:
    loop = of_body(tmp_path, "y[7] += x[i];")
    assert [why.code for why in loop.why] == ["OMPC202"] and plus(loop) == ["#pragma omp atomic"]


@pytest.mark.parametrize(
    "body",
    [
        "t += x[i]; y[i] = t;",  # a running sum: no clause says that
        "if (x[i] > 0) { y[i] = t; t = x[i]; }",  # the last iteration's value is wanted
        "y[i + 1] = y[i];",
        "static int calls; calls++;",  # each iteration would count from nothing
        "static int calls = 5; calls = calls + 1;",
    ],
)
def test_nothing_is_suggested_that_computes_something_else(body: str, tmp_path: Path) -> None:
    loop = of_body(tmp_path, body)
    assert not loop.on_device and titles(loop) == []


def test_what_does_not_help_is_not_suggested(tmp_path: Path) -> None:
    loop = of_body(tmp_path, 'if (x[i] > 0) far(i);\n        perror("?");', before="void far(int);")
    assert titles(loop) == [] and [why.code for why in loop.why] == ["OMPC320"]


def test_output_is_taken_out_of_the_loop(tmp_path: Path) -> None:
    loop = of_body(tmp_path, 'if (i == 3)\n            perror("three");\n        y[i] = x[i];')
    assert titles(loop) == ["take the call of `perror` out of the loop"] and plus(loop) == [";"]


def test_a_static_variable_of_a_function_goes_to_file_scope(tmp_path: Path) -> None:
    before = "#define ONE 1\nstatic int shift(int i)\n{\n    static int by = 4;\n    return i + by;\n}\n"
    loop = of_body(tmp_path, "y[i] = shift(i);", before=before)
    (suggestion,) = loop.suggestions
    assert suggestion.title == "declare it in front of the function"
    changed = [line for line in suggestion.diff if line[0] in "+-"]
    assert changed == ["+static int by = 4;", "+", "-    static int by = 4;"]
    assert suggestion.diff[1:3] == (" #define ONE 1", "+static int by = 4;")


def test_a_file_that_has_the_function(tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text("double far(double x)\n{\n    return x / 3;\n}\n")
    loop = of_body(tmp_path, "y[i] = far(x[i]);", before="double far(double);")
    (suggestion,) = loop.suggestions
    assert suggestion.command is not None and suggestion.command.endswith("a.c " + str(tmp_path / "other.c"))


def test_a_loop_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define SIZE 9\n")
    (tmp_path / "fill.h").write_text(
        '#include "size.h"\nstatic int fill(int *a)\n{\n    int t = 0;\n    #pragma omp parallel for\n'
        "    for (int i = 0; i < SIZE; i++) t += a[i];\n    return t;\n}\n"
    )
    found = tried(tmp_path, a='#include "fill.h"\nint x[9];\nint go(void) { return fill(x); }\n')
    (loop,) = found.loops
    assert Path(loop.file).name == "fill.h" and titles(loop) == ["add reduction(+:t)"]


def test_the_edits_make_the_program_that_was_tried(tmp_path: Path) -> None:
    text = "double f(const double *x)\r\n{\r\n    double t = 0; // \udce9\r\n"
    text += "    #pragma omp parallel \\\r\n      for // all\r\n"
    text += "    for (int i = 0; i < 9; i++) t += x[i];\r\n    return t;\r\n}\r\n"
    found = tried(tmp_path, a=text)
    (loop,) = found.loops
    edited = apply_edits(text, loop.suggestions[0].edits)
    assert "      for reduction(+:t) // all\r\n" in edited
    (tmp_path / "b.c").write_bytes(edited.encode(errors="surrogateescape"))
    (translation,) = translate_program([tmp_path / "b.c"], Options())
    regions: Sequence[dict[str, object]] = translation.report["regions"]  # type: ignore[assignment]
    assert [region["target"] for region in regions] == ["gpu"]


def test_a_trial_that_fails_is_no_suggestion(tmp_path: Path) -> None:
    translations, sources = translated(tmp_path)
    found = gather(translations, sources, DEVICES["h200"])

    def broken(sources: Sequence[Path], options: Options) -> tuple[Translation, ...]:
        raise KeyError(sources)

    found = with_suggestions(found, Program(tuple(sources), Options(), translations), broken, 100, Watch())
    assert {loop.tried: titles(loop) for loop in found.loops} == {None: [], 0: [], 1: [], 2: []}


def test_without_time_nothing_is_tried(tmp_path: Path) -> None:
    found = tried(tmp_path, seconds=0)
    assert {loop.tried for loop in found.loops} == {None}
    assert "No changes were tried." in page(found)


def test_the_page_shows_suggestions(tmp_path: Path) -> None:
    found = tried(tmp_path)
    html = page(found)
    assert "add reduction(+:sum)" in html and "tried: the loop then goes to the device" in html
    assert '<span class="plus">+    #pragma omp parallel for private(t)' in html
    assert "Make sure: each iteration sets" in html
    without = replace(found, files=tuple(replace(f, loops=()) for f in found.files))
    assert "What you could change" not in page(without)
