"""Parallel regions in two forms: the one that the program has is compiled to what the program is compiled to."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from host_programs import Planned, planned, run_both

from ompc.base.options import Level, Options
from ompc.base.resources import Runtime, include_words
from ompc.driver import translate
from ompc.plan.program.regions_as_written import AS_WRITTEN
from ompc.render.host.host import headers
from ompc.render.host.recheck import recheck, without_second_forms

RELAX = """\
#include <stdio.h>
#include <stdlib.h>
#define EVERY(i, n) for (int i = 0; i < n; i++)
static double u[3000], v[3000];
static int n = 3000;
static double step(double omega, int times)
{
    const double w[4] = {0.25, 0.5, 0.125, 0.125};
    double most = 0;
    if (times > 1) {
    #pragma omp parallel reduction(max : most) firstprivate(w) /* the region */
    {
        #pragma omp for schedule(static)
        EVERY(i, n - 3) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += w[k] * (1.0 - omega) * u[i + k];
            v[i] = sum;
        }
#if defined OTHER
        #pragma omp single
        v[0] = 1;
#endif
        #pragma omp for schedule(static)
        EVERY(i, n - 3) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += w[k] * (1.0 - omega) * v[i + k];
            u[i] = sum;
            most = sum > most ? sum : most;
        }
    } } else
        most = -1;
    return most;
}
int main(void)
{
    for (int i = 0; i < n; i++)
        u[i] = i % 17;
    for (int t = 1; t < 5; t++)
        printf("%.17g\\n", step(0.01 * t, t));
    return 0;
}
"""
NAME = "program.ompc.line_11.h"


def lines_in_two_forms(program: Planned) -> list[tuple[int, int, int]]:
    return [(region.line, region.last_line, region.loops) for region in program.plan.as_written]


def test_a_region_in_two_forms(tmp_path: Path) -> None:
    program = planned(tmp_path, RELAX)
    assert lines_in_two_forms(program) == [(11, 32, 2)]
    texts, lines = headers(program.plan, program.original), RELAX.splitlines()
    assert f'#include "{NAME}"' in program.host
    form = texts[NAME].splitlines()
    start = form.index("if (OMPC_ALL_STAY(2))")
    assert form[start + 1 : start + 22] == lines[10:31]
    assert form[start + 22 :] == ["    }", "else", "#endif"]
    kept = headers(program.plan, program.original, keep_lines=True)[NAME].splitlines()
    assert kept == [*form[: start + 1], "#line 11 __BASE_FILE__", *form[start + 1 :]]
    assert recheck(program.plan, program.host, program.original, program.options) == {}
    original, translated = run_both(program, tmp_path)
    assert original == translated and original.startswith("-1\n")


def test_the_compiler_makes_the_same_of_it(tmp_path: Path) -> None:
    """Instruction by instruction; of the other form it makes something else."""
    program = planned(tmp_path, RELAX)
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in {"program.c": program.host, **headers(program.plan, program.original)}.items():
        (folder / name).write_text(text)
    words = ["-Wall", "-Wextra", "-Werror", *include_words(Runtime.COMMON), "-fsyntax-only", "-fopenmp"]
    subprocess.run(["cc", *words, str(folder / "program.c")], check=True)
    before = regions_compiled(tmp_path / "program.c", [])
    after = regions_compiled(folder / "program.c", list(include_words(Runtime.COMMON)))
    assert (len(before), len(after)) == (1, 2)
    assert before[0] in after and after[0] != after[1]


def regions_compiled(source: Path, words: list[str]) -> list[str]:
    """What gcc makes of each parallel region, without the numbers of its labels."""
    command = ["cc", "-O3", "-ffast-math", "-fopenmp", "-w", "-S", "-o", "-", *words, str(source)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\w+\._omp_fn\.\d+:\n(.*?)^\t\.size", text, re.MULTILINE | re.DOTALL)
    lines = ((line for line in body.splitlines() if not re.match(r"\.L|\t\.", line)) for body in found)
    return [re.sub(r"\.L\w+|_omp_fn\.\d+", "", "\n".join(body)) for body in lines]


OTHER = "#if defined OTHER"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{\n            double sum = 0;", "{\n            static double sum; sum = 0;"),
        (OTHER, f"        {{ static int calls; calls++; }}\n{OTHER}"),
        (OTHER, f'        __asm__ __volatile__("once:");\n{OTHER}'),
        (OTHER, f"#define TWICE 2\n{OTHER}"),
        (OTHER, f"        once();\n{OTHER}"),
        (OTHER, f"        #pragma omp single\n        {{\n        #pragma omp target\n        u[0] = 2; }}\n{OTHER}"),
        ("double sum = 0;", "double sum = 0 * __COUNTER__;"),
        ("(times > 1) {", "(times > 1)"),
    ],
    ids=["static in a loop", "static", "assembly", "define", "the only call", "target", "counter", "an if"],
)
def test_regions_that_keep_one_form(tmp_path: Path, old: str, new: str) -> None:
    helper = "static void once(void)\n{\n    if (n < 0)\n        exit(1);\n}\n"
    text = RELAX.replace(old, new, 1)
    text = text.replace("} } else", "} else") if old.endswith(") {") else text
    assert text != RELAX
    program = planned(tmp_path, text.replace("static double step", helper + "static double step"))
    assert program.plan.as_written == ()
    assert "line_" not in program.host


def test_a_header_that_counts(tmp_path: Path) -> None:
    """The number behind the region is that of the program."""
    (tmp_path / "counting.h").write_text("#define NEXT __COUNTER__\n")
    text = '#include "counting.h"\n' + RELAX.replace("double sum = 0;", "double sum = 0 * NEXT;", 1)
    program = planned(tmp_path, text.replace("    return most;", "    return most + NEXT;"))
    assert program.plan.as_written == ()
    original, translated = run_both(program, tmp_path, "-I", str(tmp_path))
    assert original == translated


def test_braces_that_are_chosen_among(tmp_path: Path) -> None:
    """A region ends with its brace, however many there are in the text in front of it."""
    choice = "if (w[0] > 0) {\n#else\nif (w[1] > 0) {\n#endif\nv[0] = 1;\n}"
    program = planned(tmp_path, RELAX.replace(f"{OTHER}\n", f"#if defined OTHER\n{choice}\n{OTHER}\n"))
    assert lines_in_two_forms(program) == [(11, 39, 2)]
    assert recheck(program.plan, program.host, program.original, program.options) == {}


def test_a_function_with_other_calls(tmp_path: Path) -> None:
    helper = "static void often(void)\n{\n    if (n < 0)\n        exit(1);\n}\n"
    text = RELAX.replace("static double step", helper + "static double step").replace("n - 3) {", "n - 3) {\n often();")
    assert len(planned(tmp_path, text).plan.as_written) == 1


def test_what_the_compiler_does_not_take_twice(tmp_path: Path) -> None:
    """Labels are those of the function; the loops are launched all the same."""
    text = RELAX.replace(OTHER, f"        if (n < 0)\n            goto out;\n        out:;\n{OTHER}")
    program = planned(tmp_path, text)
    assert len(program.plan.as_written) == 1
    assert [*recheck(program.plan, program.host, program.original, program.options)] == [AS_WRITTEN]
    made = translate(tmp_path / "program.c", Options())
    assert made.files["program.c"].count("OMPC_OFFLOAD(") >= 1
    assert not any("line_" in name for name in made.files)
    assert "OMPC342" not in {diagnostic.code for diagnostic in made.diagnostics}


@pytest.mark.parametrize("options", [Options(level=Level.THESIS), Options(without=frozenset({"two-forms"}))])
def test_levels_and_options(tmp_path: Path, options: Options) -> None:
    (tmp_path / "program.c").write_text(RELAX)
    assert not any("line_" in name for name in translate(tmp_path / "program.c", options).files)


def test_loops_that_a_loop_repeats(tmp_path: Path) -> None:
    twice = "for (int t = 0; t < 2; t++) {"
    text = RELAX.replace("    {\n        #pragma omp for", f"    {twice}\n        #pragma omp for", 1)
    assert lines_in_two_forms(planned(tmp_path, text)) == []  # no block
    text = text.replace(twice, "{ " + twice).replace("} } else", "} } } else")
    assert lines_in_two_forms(planned(tmp_path, text)) == [(11, 32, 0)]


def test_what_is_left_of_a_text_without_second_forms() -> None:
    text = '# 1 "a.c"\nint a;\n# 1 "/t/a.line_2.h" 1\nif (x)\n# 2 "a.c" 3\nb();\nelse\n# 3 "a.c" 2\nb();\n'
    rest = '# 1 "a.c"\nint a;\n# 3 "a.c" 2\nb();\n'
    assert without_second_forms(text, ["a.line_2.h"]) == (rest, ['if (x)\n# 2 "a.c" 3\nb();\nelse'])
    assert without_second_forms(text, []) == (text, [])
