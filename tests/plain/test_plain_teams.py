"""Regions of which the host is the only thread: gcc's results; others stay on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plain.plain_programs import built_by_gcc, built_on_host, output_of, plain

_HEAD = """#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double u[400], v[400], own;
static int calls;
#pragma omp threadprivate(own)
static void count(int k)
{
    calls += k;
}
static void relax(int steps, double *sum)
{
    int i, k = 7, m = 3, n = 400;
    double t = 1.5, last = 0.0;
"""
_TAIL = """
    printf("%d %d %.3f %.3f\\n", k, m, t, last);
}
int main(int argc, char **argv)
{
    double sum = 0.0;
    for (int i = 0; i < 400; i++)
        u[i] = i % 7;
    relax(argc > 1 ? atoi(argv[1]) : 4, &sum);
    for (int i = 0; i < 400; i++)
        sum += i * u[i] + v[i];
    printf("%.6f %d\\n", sum, calls);
    return 0;
}
"""
_SWEEP = """#pragma omp for{}
            for (i = 1; i < n - 1; i++)
                v[i] = 0.5 * (u[i - 1] + u[i + 1]);
"""
_BACK = """#pragma omp for{}
            for (i = 1; i < n - 1; i++)
                u[i] = v[i] + k;
"""
_STEPS = "#pragma omp parallel{}\n    {{\n        for (k = 0; k < steps; k++) {{\n{}\n        }}\n    }}"
ALONE = {
    "steps": _STEPS.format(" private(i, k)", _SWEEP.format("") + _BACK.format("")),
    "beside": _STEPS.format(
        " private(i, k) num_threads(2)",
        _SWEEP.format("") + "#pragma omp single\n            count(k);\n#pragma omp master\n{ calls++; }\n"
        "#pragma omp barrier\n" + _BACK.format(" nowait") + "#pragma omp barrier\n",
    ),
    "declared inside": _STEPS.format(
        " default(shared) private(i, k)",
        "            double half = 0.5 * k;\n            if (k % 2)\n                half += 1.0;\n"
        "#pragma omp for\nfor (i = 0; i < n; i++) u[i] += half;\n",
    ),
    "sums and last values": "#pragma omp parallel private(i) firstprivate(m)\n{\ndouble part = m;\n"
    "#pragma omp for reduction(+ : t) lastprivate(last)\nfor (i = 0; i < n; i++) { t += u[i]; last = u[i] + part; }\n}",
    "two regions": _STEPS.format(" private(i, k)", _SWEEP.format("")) + "\n" + _STEPS.format(
        "\\\n        private(i, k)", _BACK.format("")
    ),
    "private in an outer loop": "for (int s = 0; s < steps; s++) {\n#pragma omp parallel private(m, i)\n    {\n"
    "        m = s;\n#pragma omp for\n        for (i = 0; i < n; i++)\n            u[i] += m;\n    }\n}",
}
REFUSED = {
    "one for each thread": (
        _STEPS.format(" private(i, k)", "#pragma omp atomic\ncalls++;\n" + _SWEEP.format("")),
        "construct",
    ),
    "a call": (_STEPS.format(" private(i, k)", "count(0);\n" + _SWEEP.format("")), "each thread runs"),
    "a shared variable": (_STEPS.format(" private(i, k)", "calls = 5;\n" + _SWEEP.format("")), "each thread runs"),
    "a number of threads": (
        _STEPS.format(" private(i, k)", "#pragma omp single\ncalls = omp_get_num_threads();\n" + _SWEEP.format("")),
        "numbers of threads",
    ),
    "a condition": (_STEPS.format(" private(i, k) if (steps > 2)", _SWEEP.format("")), "clauses"),
    "a sum of the region": (_STEPS.format(" private(i, k) reduction(+ : m)", _SWEEP.format("") + "m++;"), "clauses"),
    "a copy that one changes": (
        _STEPS.format(" private(i, k) firstprivate(m)", "#pragma omp single\nm = 5;\n" + _SWEEP.format("")),
        "each thread runs",
    ),
    "an object of each thread's": (
        _STEPS.format(" private(i, k)", "#pragma omp single\nown = 5;\n" + _SWEEP.format("")),
        "each thread has",
    ),
    "a loop that stays": (
        _STEPS.format(" private(i, k)", _SWEEP.format("")
                      + '#pragma omp for\nfor (i = 0; i < 2; i++) printf("%d\\n", rand() < 0);\n'),
        "another construct",
    ),
    "a nested region": (
        _STEPS.format(" private(i, k)", _SWEEP.format("")
                      + "#pragma omp parallel for\nfor (int j = 0; j < n; j++) u[j] += 1.0;\n"),
        "another construct",
    ),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_region_that_one_thread_may_run(name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(_HEAD + "    " + ALONE[name] + _TAIL)
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    assert "#pragma omp" not in translation.files["a.c"].replace("#pragma omp threadprivate", "")
    built, original = built_on_host(translation, tmp_path / "plain"), built_by_gcc(source, tmp_path)
    for steps in ("4", "0"):
        assert output_of(built, steps) == output_of(original, steps)


@pytest.mark.parametrize("name", REFUSED)
def test_other_regions_stay_on_the_host(name: str, tmp_path: Path) -> None:
    text, why = REFUSED[name]
    source = tmp_path / "a.c"
    source.write_text(_HEAD + "    " + text + _TAIL)
    translation = plain(source)
    said = [each.message for each in translation.diagnostics if each.code == "OMPC417"]
    assert any(why in message for message in said), translation.diagnostics
    assert text.split("\n")[0] in translation.files["a.c"]
