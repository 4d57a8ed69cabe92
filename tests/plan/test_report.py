"""The report for machines and the plan's text form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Level, Options
from ompc.base.working_directory import working_directory
from ompc.driver import compile_to
from ompc.plan.mapping.trip_text import trip_text
from ompc.plan.model.plan import Plan
from ompc.plan.report import report
from ompc.plan.show import show_plan
from ompc.tools.explain import launch_words

PROGRAM = """\
#include <stdio.h>
#define N 200
static double u[N][N], w[3];
int main(int argc, char **argv)
{
    int i, n = N, last = 0;
    double error = 0, *p = u[0];
    (void)argv;
    #pragma omp parallel for reduction(+:error) lastprivate(last) if(argc > 0)
    for (i = 1; i < n - 1; i++) {
        u[i][0] = w[1] * i;
        error += u[i][1];
        last = i;
    }
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        p[i] = i;
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        n += getchar() == i;
    return error + last > 0;
}
"""


def made(directory: Path, text: str, level: Level = Level.AUTO) -> Plan:
    source = directory / "program.c"
    source.write_text(text)
    with working_directory(directory):
        return compile_to("plan", Path(source.name), Options(level=level))


def test_schema(tmp_path: Path) -> None:
    found: dict[str, Any] = json.loads(json.dumps(report(made(tmp_path, PROGRAM))))
    assert (found["schema"], found["source"], found["opt"]) == (1, "program.c", "auto")
    first, second, third = found["regions"]
    keys = {"id", "function", "line", "directive", "clauses", "target", "reason", "launch", "variables"}
    assert all(keys <= set(region) for region in found["regions"])
    assert (first["id"], first["function"], first["line"], first["target"]) == ("main_u", "main", 9, "gpu")
    assert first["reason"] is None
    assert first["launch"]["iterations"] == ["n - 2"]
    assert first["launch"]["dimensions"] == 1
    assert first["launch"]["reductions"] == ["error by +"]
    assert (third["target"], third["launch"], third["variables"]) == ("host", None, [])
    assert third["reason"]["code"].startswith("OMPC3") and third["reason"]["line"] == 20
    pointee = next(v for v in second["variables"] if v["name"] == "p")
    assert (pointee["bytes"], pointee["type"], pointee["transfer_out"]) == (None, "double *", "elements 0 .. n - 1")


def test_what_iterations_tell_the_host_is_said(tmp_path: Path) -> None:
    text = """#include <stdio.h>
        #include <stdlib.h>
        int a[9];
        void f(void)
        {
            #pragma omp parallel for
            for (int i = 0; i < 9; i++)
                if (a[i] < 0)
                    exit(1);
                else
                    printf("%d", a[i]);
        }"""
    (region,) = report(made(tmp_path, text))["regions"]  # type: ignore[misc, attr-defined]
    words = launch_words(region["launch"])
    assert "where an iteration ends the program" in words and "printed by the host" in words


def test_variables(tmp_path: Path) -> None:
    variables = report(made(tmp_path, PROGRAM))["regions"][0]["variables"]  # type: ignore[index]
    found = {v["name"]: v for v in variables}
    keys = {"name", "type", "bytes", "access", "placement", "host_buffer", "transfer_in", "transfer_out", "because"}
    assert all(set(v) == keys | {"crossings"} and v["because"] for v in variables)
    assert found["u"]["transfer_in"] == "whole object, 320000 bytes"
    assert found["u"]["transfer_out"] == "elements 1 .. n - 2"
    assert (found["w"]["placement"], found["w"]["transfer_out"], found["w"]["bytes"]) == ("constant", None, 24)
    assert (found["error"]["access"], found["error"]["transfer_in"]) == ("readwrite", None)
    assert found["last"]["transfer_out"] == "the last iteration's value"
    assert [v["name"] for v in variables][:2] == ["u", "w"]


def test_page_locked_arrays_are_said_to_be(tmp_path: Path) -> None:
    variables = report(made(tmp_path, PROGRAM, Level.THESIS))["regions"][0]["variables"]  # type: ignore[index]
    found = {v["name"]: v["host_buffer"] for v in variables}
    assert (found["u"], found["w"], found["error"]) == ("malloc_host", "malloc_host", None)


def test_text_form(tmp_path: Path) -> None:
    plan = made(tmp_path, PROGRAM, Level.THESIS)
    text = show_plan(plan)
    assert text == show_plan(made(tmp_path, PROGRAM, Level.THESIS))
    for line in (
        "plan program of program.c: thesis, fp default",
        "region main_u, line 9: parallel for",
        "    launch: x: i = 1; i < n - 1; i += 1 (n - 2 iterations)",
        "    if: argc > 0",
        "    reduction error, Sum into error_result: double",
        "region main_n, line 18: parallel for: on the host",
        "pinned w: double [3], line 3, global",
    ):
        assert line in text.splitlines(), text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("i = 0; i < n; i++", "n"),
        ("i = 0; i <= n; i++", "n + 1"),
        ("i = 1; i < n - 1; ++i", "n - 2"),
        ("i = n - 1; i >= 0; i--", "n"),
        ("i = n; i > m; i -= 1", "n - m"),
        ("i = 0; i < n; i += 2", "(n + 1) / 2"),
        ("i = 3; i < 20; i += 4", "5"),
        ("i = 9; i < 3; i++", "0"),
        ("i = 0; i < n; i += m", "n / m, rounded up"),
        ("i = m; i < n * 2; i++", "n * 2 - m"),
        ("i = 0; i != n; i++", "n"),
        ("i = 0; i < (n ? n : m); i++", "n ? n : m"),
        ("i = 1; i < (n ? n : m); i++", "(n ? n : m) - 1"),
        ("i = 0; i < (n + 1) * (m + 1); i++", "(n + 1) * (m + 1)"),
        ("i = -1; i < n + n; i++", "2 * n + 1"),
        ("i = 0; i < SIZE; i++", "SIZE"),
    ],
)  # fmt: skip
def test_trip_counts(tmp_path: Path, head: str, expected: str) -> None:
    text = (
        "enum { SIZE = 5 };\ndouble a[999];\nvoid f(int n, int m)\n{\n    int i; (void)m;\n"
        f"#pragma omp parallel for\n    for ({head}) a[i] = n;\n}}\n"
    )
    assert [trip_text(loop, {}) for region in made(tmp_path, text).regions for loop in region.loop.loops] == [expected]
