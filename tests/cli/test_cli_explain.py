"""What `ompc explain` says: the summary of a program, one loop in full, and all of them, at any width."""

from __future__ import annotations

import re
from pathlib import Path

import made_by_hand
import pytest
from in_process import Cli

from ompc.base.diagnostics import TITLES
from ompc.base.options import Options
from ompc.base.resources import advice
from ompc.cli import main
from ompc.driver import translate
from ompc.tools.explain import Record, launch_words, promised_of, records, with_places
from ompc.tools.explanation import explanation
from ompc.tools.overview import in_full, overview
from ompc.tools.wrapping import as_text, labelled, wrapped

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = ROOT / "benchmarks" / "programs"
EXPLAINED = Path(__file__).parent / "explained"


def told(report: Record, width: int = 80) -> list[str]:
    """Its loops in full."""
    return as_text(explanation(report, records(report.get("regions")), width)).splitlines()


def summary(*reports: Record, width: int = 80) -> list[str]:
    return as_text(overview(reports, width)).splitlines()


def variable(name: str, placement: str, because: str, **others: object) -> dict[str, object]:
    return {"name": name, "type": "double [40]", "placement": placement, "because": because, "bytes": 320, **others}


REPORT: dict[str, object] = {
    "schema": 1,
    "source": "filter.c",
    "opt": "auto",
    "regions": [
        {
            "id": "main_8",
            "function": "main",
            "line": 8,
            "directive": "parallel for",
            "target": "gpu",
            "launch": {
                "iterations": ["n - 2", "m"],
                "dimensions": 2,
                "block": "up to 256 threads",
                "grid": "one thread per iteration",
                "reductions": ["sum by +", "top by max"],
                "condition": "n > 100",
                "colour": "red",
            },
            "variables": [
                variable("x", "global", "written; page-locked", transfer_in="whole object, 320 bytes"),
                variable("y", "readonly", "only read; page-locked", transfer_in="elements 1 .. n"),
                variable("n", "parameter", "only read: passed by value"),
                variable("m", "parameter", "only read: passed by value"),
                variable("i", "register", "each thread has its own"),
                variable("t", "register", "each thread has its own"),
            ],
        },
        {
            "line": 20,
            "function": "main",
            "target": "host",
            "reason": {"code": "OMPC321", "message": "f calls itself", "line": 22},
        },
    ],
}


def test_the_summary_begins_with_numbers_and_with_the_host(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "twice.c")
    assert status == 0
    assert out.startswith("twice.c: 2 parallel loops, 1 on the GPU, 1 on the host (--opt auto)\n\nOn the host: 1\n")
    lines = out.splitlines()
    host = lines.index("    twice.c:20  main  parallel for")
    assert lines[host + 1] == "      calls printf (twice.c:20)"
    assert lines[host + 2].startswith("    What to do: ") and lines.index("  twice.c:8  main") > host
    assert "  ompc explain twice.c:20            that loop in full" in lines
    assert "\x1b" not in out and out.isascii() and "global" not in out
    assert max(map(len, lines)) <= 80


def test_a_loop_in_full_is_asked_for_by_its_line(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "twice.c:9")
    assert status == 0 and out.startswith("twice.c:8  main  parallel for: on the GPU\n")
    assert "    Copied in:    whole\n" in out and "    Because:      it is written\n" in out
    assert "twice.c:20" not in out
    assert cli.run("explain", "twice.c:8:5:")[1] == out
    status, out, err = cli.run("explain", "twice.c:3")
    assert (status, out) == (2, "")
    assert "No parallel loop is at line 3 of twice.c; it has loops at lines 8 and 20." in err
    assert "no such file" in cli.run("explain", "none.c:8")[2]


def test_of_a_header_the_c_file_is_named_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sum.h").write_text(
        "static int f(int n, int *a)\n{\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n"
        "        a[i] = rand();\n    return 0;\n}\n"
    )
    source = tmp_path / "main.c"
    source.write_text('#include <stdlib.h>\n#include "sum.h"\nint a[9];\nint main(void) { return f(9, a); }\n')
    assert main(["explain", str(source), f"{tmp_path}/sum.h:5"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (
        out.startswith(f"{tmp_path}/sum.h:3 f parallel for: on the host") and f"({tmp_path}/sum.h:5) [OMPC320]" in out
    )


def test_all_shows_every_loop_in_full(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "twice.c", "--all")
    assert status == 0 and out.startswith("twice.c: 2 parallel loops, 1 on the GPU, 1 on the host (--opt auto)\n\n")
    assert "\n  Launch:     blocks of 256 x 1 x 1\n" in out and "\n  x: int[4], 16 bytes, readwrite\n" in out
    assert "twice.c:20  main  parallel for: on the host\n  Because:    calls printf (twice.c:20) [OMPC310]\n" in out


@pytest.mark.parametrize("columns", ["50", "80"])
def test_in_a_pipe_lines_are_as_long_as_columns_says(columns: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    widths = [len(line) for line in cli.run("explain", "twice.c", "--all")[1].splitlines()]
    assert int(columns) * 0.8 < max(widths) <= int(columns)


def test_launches_are_sentences() -> None:
    assert launch_words(REPORT["regions"][0]["launch"]) == (  # type: ignore[index]
        "(n - 2) x m iterations; a grid of 2 dimensions; blocks of up to 256 threads; one thread per iteration; "
        "reductions: sum by +, top by max; only if n > 100; colour: red"
    )
    assert launch_words({}) == "-" and launch_words(None) == "-"


def test_what_variables_share_is_said_once() -> None:
    lines = told(REPORT)
    assert "  n, m: parameter: only read: passed by value" in lines
    assert "  i, t: register: each thread has its own" in lines
    twins = [variable(name, "global", "written") for name in "xy"]
    assert "  x, y: double [40], 320 bytes, -" in told({"regions": [{"target": "gpu", "variables": twins}]})
    assert "    Copied in:    whole object" in lines, "the size is not said twice"


def test_loops_on_the_host_say_what_can_be_done() -> None:
    lines = told(REPORT)
    assert "  Because:    f calls itself (filter.c:22) [OMPC321]" in lines
    assert f"  What to do: {advice('OMPC321')}" in lines


def test_what_can_be_done_is_said_once_for_all_loops_with_a_code() -> None:
    host = REPORT["regions"][1]  # type: ignore[index]
    lines = summary({**REPORT, "regions": [host, {**host, "line": 30}, {**host, "line": 40, "reason": OTHER}]})
    assert lines[:3] == ["filter.c: 3 parallel loops, 0 on the GPU, 3 on the host (--opt auto)", "", "On the host: 3"]
    assert [line for line in lines if re.match(r"    filter\.c:(20|30|40)  main  -$", line)]
    assert (
        lines.count("      f calls itself (filter.c:22)") == 2
        and lines.count(f"    What to do: {advice('OMPC321')}") == 1
    )
    assert "      calls 'get' (read.h:3)" in lines, "a place in another file"


OTHER = {"code": "OMPC320", "message": "calls 'get'", "at": {"file": "read.h", "line": 3}}


def region_with(independence: Record, **others: object) -> dict[str, object]:
    launch = {"iterations": ["n"]}
    return {"target": "gpu", "line": 5, "function": "f", "directive": "parallel for", "launch": launch,
            "independence": independence, **others}  # fmt: skip


SAME = "they may be the same element in two iterations"
PROMISED = {
    "state": "promised",
    "promises": [
        {"what": f"`y[p[i]]`, written at line 7: {SAME}", "lines": [7]},
        {"what": f"`y[p[i]]`, written at line 7 and `y[q[i] + k]`, read at line 9: {SAME}", "lines": [7, 9]},
        *({"what": f"all iterations share `c{k}`", "lines": [8]} for k in range(5)),
    ],
    "checks": [{"code": "OMPC453", "what": "`y` and `x` do not overlap", "of": ["x", "y"]}],
}


def test_the_summary_tells_promises_from_checks_and_proofs() -> None:
    checked = region_with({"state": "promised", "promises": [], "checks": PROMISED["checks"]}, line=12)
    proved = region_with({"state": "proved"}, line=20, last_bits=[{"what": "sums", "lines": [21]}])
    added = region_with({"state": "proved"}, line=30, directive="no pragma")
    report = {"source": "a.c", "opt": "auto", "regions": [region_with(PROMISED), checked, proved, added]}
    lines = summary(report)
    assert lines[0] == "a.c: 3 parallel loops, 3 on the GPU, 0 on the host; 1 more without a pragma,"
    promised = lines.index("    a.c:5  f  parallel for")
    assert lines[promised + 1 : promised + 5] == [
        "      y (a.c:7, 9)",
        *(f"      all iterations share `c{k}`" for k in range(3)),
    ]
    assert lines[promised + 5] == "      and 2 more" and "OMPC_VERIFY=1" in "".join(lines)
    titles = [line for line in lines if re.search(r": \d+$", line)]
    assert [title.rpartition(":")[0] for title in titles] == [
        "On the GPU because the pragma promises that iterations are independent",
        "On the GPU, proved independent but for what each launch checks",
        "On the GPU, proved independent",
        "Without a pragma, added by ompc since their data is on the GPU",
    ]
    assert "  a.c:12  f  n iterations" in lines and "  a.c:30  f  n iterations" in lines
    assert "Floating-point results may differ from the host's in their last bits: a.c:20" in lines


def test_one_loop_in_full_has_the_accesses_and_the_checks() -> None:
    lines = told({"source": "a.c", "regions": [region_with(PROMISED)]})
    assert "              - `y[q[i] + k]`, read at a.c:9" in lines
    assert "  Checked:    - at each launch: `y` and `x` do not overlap [OMPC453]" in lines
    assert promised_of(PROMISED)[0] == ["`y[p[i]]`, written at line 7", "`y[q[i] + k]`, read at line 9"]
    assert with_places("written at line 7 (lines 3, 4)", "a.c") == "written at a.c:7 (a.c:3, 4)"


@pytest.mark.parametrize("width", [40, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_cut(width: int) -> None:
    report = {**REPORT, "regions": [*records(REPORT["regions"]), region_with(PROMISED)]}
    for say in (told, summary):
        lines, whole = say(report, width=width), say(report, width=10_000)
        assert max(map(len, lines)) <= width
        assert set(" ".join(lines).split()) == set(" ".join(whole).split())


def test_a_word_that_is_wider_than_the_terminal_stays_whole() -> None:
    path = "a/" * 40 + "b.c:12"
    assert [line.text for line in wrapped(f"see {path} and more", 40, 2)] == ["  see", f"  {path}", "  and more"]
    assert [line.text for line in labelled("Why:", "- one two three four", 20, 0, 5)] == [
        "Why: - one two three",
        "       four",
    ]


def test_several_files_have_one_summary() -> None:
    broken = {
        "source": "b.c",
        "opt": "auto",
        "problem": {"code": "OMPC101", "message": "no C", "line": 4, "pragmas": 1},
    }
    lines = summary({**REPORT, "source": "a.c"}, {**REPORT, "source": "c.c"}, broken)
    assert lines[0] == "3 files: 4 parallel loops, 2 on the GPU, 2 on the host (--opt auto)"
    assert lines[1:3] == ["b.c: the file cannot be read, and has 1 parallel pragma", "  no C (b.c:4) [OMPC101]"]
    assert "    a.c:20  main  -" in lines and "    c.c:20  main  -" in lines


def test_reports_of_other_versions_are_shown() -> None:
    later = {"regions": [{"launch": "later"}, 5], "new": 1}
    assert summary(later)[0].startswith("-: 1 parallel loop, 0 on the GPU")
    assert summary({}) == ["-: no parallel loops (--opt -)"] and told(later)
    assert made_by_hand.REPORT["schema"] == 1


def test_every_code_has_advice() -> None:
    assert [code for code in TITLES if not advice(code)] == []
    assert advice("OMPC999") is None


@pytest.mark.parametrize("name", ["jacobi", "heat", "transfer"])
def test_benchmark_programs_in_full(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """explained/NAME.txt has what `ompc explain --all` says; `pytest --rewrite` writes it anew."""
    monkeypatch.chdir(PROGRAMS)
    found = as_text(in_full([translate(Path(f"{name}.c"), Options()).report], 80))
    expected = EXPLAINED / f"{name}.txt"
    if request.config.getoption("--rewrite", default=False):
        expected.write_text(found)
    assert found == expected.read_text(), f"{expected.name} has changed (pytest --rewrite)"


def test_copies_say_when_and_why() -> None:
    crossings = [{"way": "in", "when": "never", "because": "every element is overwritten"}, {"way": "out"}, 7]
    lines = told(
        {"regions": [{"target": "gpu", "variables": [variable("x", "global", "written", crossings=crossings)]}]}
    )
    assert "    Copied in:    never: every element is overwritten" in lines and "    Copied out:   -: -" in lines


def test_codes_are_explained(cli: Cli) -> None:
    status, out, _ = cli.run("explain", "OMPC322", "ompc101")
    assert status == 0 and out.startswith("OMPC322: a function pointer\n\n```c\n")
    assert "**What to do.** Call the function by its name" in out and "\n\nOMPC101: " in out
    assert "\n\n    ompc: warning: pool.o creates threads" in cli.run("explain", "OMPC424")[1]
    status, out, err = cli.run("explain", "OMPC999")
    assert (status, out) == (2, "") and "There is no code OMPC999" in err
    assert cli.run("explain", "322")[1] == cli.run("explain", "OMPC322")[1]
    assert "There is no code OMPC998" in cli.run("explain", "998")[2]
    assert "OMPC322: no such file" in cli.run("explain", "twice.c", "OMPC322")[2]
