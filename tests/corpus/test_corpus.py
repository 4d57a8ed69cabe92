"""The tool itself, on small programs of our own; what it found in the programs of others is in docs/coverage.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ompc.options import Level

from .__main__ import main
from .checking import judge
from .comparing import compare, same_word
from .records import FileResult, Loop, ProgramResult, Translated, Verdict
from .running import Ran, run_limited
from .suites import Source, read_suite
from .tables import markdown
from .translating import examine

SUM = """#include <stdio.h>
#include <omp.h>
double values[100];
int main(void) {
    double sum = 0;
    #pragma omp parallel for reduction(+: sum) schedule(static)
    for (int i = 0; i < 100; i++) { values[i] = i * 0.1; sum += values[i]; }
    #pragma omp parallel for ordered
    for (int i = 0; i < 2; i++) {
        #pragma omp ordered
        printf("%d of thread %d\\n", i, omp_get_thread_num());
    }
    printf("sum %.12g in %g s\\n", sum, omp_get_wtime());
    return 0;
}
"""
HALVES = {
    "main.c": "int work(void);\nint main(void) { return work() != 9; }\n",
    "work.c": "int work(void) {\n int s = 0;\n #pragma omp parallel for reduction(+: s)\n"
    " for (int i = 0; i < N; i++) s++;\n return s;\n}\n",
    "plain.c": "/* main() { */ int nothing;\n",
}


@pytest.mark.parametrize(
    "want, got, same",
    [
        ("7", "7", True),
        ("7", "8", False),
        ("1000001", "1000002", False),
        ("1.0000001", "1.0000002", True),
        ("1.5", "1.6", True),  # one unit of the last digit
        ("1.5", "1.7", False),
        ("1.50", "1.6", True),
        ("2e-9", "3e-9", False),
        ("3", "3.0", True),
        ("nan", "1.0", False),
        ("left", "right", False),
    ],
)
def test_words(want: str, got: str, same: bool) -> None:
    assert same_word(want, got) is same


@pytest.mark.parametrize(
    "references, text, same",
    [
        (["x 1 in 0.5 s\n", "x 1 in 0.7 s\n"], "x 1 in 9.1 s\n", True),
        (["x 1 in 0.5 s\n", "x 1 in 0.7 s\n"], "x 2 in 0.5 s\n", False),
        (["a\nb 2\n", "b 2\na\n"], "b 2\na\n", True),  # the order of the lines is the threads'
        (["a\nb\n"], "b\na\n", True),
        (["a\nb\nc\n", "a\nc\n"], "c\na\nb\n", True),  # not always printed
        (["a\nb\nc\n", "a\nc\n"], "b\nc\n", False),
        (["a\n"], "a\na\n", False),
        (["", ""], "", True),
    ],
)
def test_outputs(references: list[str], text: str, same: bool) -> None:
    assert (compare(references, text).difference == "") is same


def test_judgement() -> None:
    well = [Ran(0, "1\n", "")] * 2
    assert judge(well, Ran(0, "1\n", "")).verdict is Verdict.SAME
    assert judge(well, Ran(0, "2\n", "")).verdict is Verdict.DIFFERENT
    assert judge(well, Ran(1, "1\n", "")).verdict is Verdict.DIFFERENT
    assert judge(well, Ran(-11, "", "")).verdict is Verdict.CRASH
    assert judge(well, Ran(None, "", "")).verdict is Verdict.TIMEOUT
    assert judge([Ran(0, "1\n", ""), Ran(0, "2\n", "")], Ran(0, "3\n", "")).verdict is Verdict.UNSTABLE


def test_programs_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    for name, text in {"one/sum.c": SUM, **{f"two/{name}": text for name, text in HALVES.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    suite = read_suite(folder)
    assert [source.path.name for source in suite.sources] == ["sum.c", "work.c"]
    assert [program.name for program in suite.programs] == ["one/sum", "two/main"]
    assert [[path.name for path in files] for files in suite.programs[1].choices] == [
        ["main.c"],
        ["main.c", "plain.c", "work.c"],
    ]
    assert [source.path.name for source in suite.sample(1, 1).sources] in (["sum.c"], ["work.c"])


def test_settings_beside_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("tomllib")
    (tmp_path / "suite").mkdir()
    for name, text in HALVES.items():
        (tmp_path / "suite" / name).write_text(text)
    (tmp_path / "suite.toml").write_text(
        'flags = ["-DN=9"]\nexclude = ["plain.c"]\n[[program]]\nmain = "m*.c"\nfiles = ["work.c"]\n'
        'arguments = ["{folder}/x"]\n'
    )
    (program,) = read_suite(tmp_path / "suite").programs
    assert [path.name for path in program.choices[0]] == ["main.c", "work.c"]
    assert program.flags[-1] == "-DN=9"
    assert program.arguments == (f"{tmp_path}/suite/x",)


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(SUM)
    (result,) = examine("suite", [Source(tmp_path / "sum.c", ())], Level.AUTO, 60)
    assert result.outcome is Translated.YES, result.message
    first, second = result.loops
    assert first.on_device
    assert (first.directive, first.clauses) == ("parallel for", ("reduction", "schedule"))
    assert (second.on_device, second.code) == (False, "OMPC313")
    (tmp_path / "bad.c").write_text("int main(void) { return x; }")
    assert examine("suite", [Source(tmp_path / "bad.c", ())], Level.AUTO, 60)[0].outcome is Translated.REFUSED
    assert examine("suite", [Source(tmp_path / "sum.c", ())], Level.AUTO, 0.01)[0].outcome is Translated.TIMEOUT


def test_limits(tmp_path: Path) -> None:
    assert run_limited(["sh", "-c", "echo 1; exit 3"], tmp_path, {}, 10) == Ran(3, "1\n", "")
    assert run_limited(["sleep", "20"], tmp_path, {"PATH": "/usr/bin:/bin"}, 0.1).status is None


def test_tables() -> None:
    loops = (
        Loop("main", 5, "parallel for", ("reduction",), True),
        Loop("main", 9, "for", (), False, "OMPC320", "calls 'puts', which has no device version"),
    )
    files = [
        FileResult("s", "/a/x.c", Translated.YES, 0.1, loops),
        FileResult("s", "/a/y.c", Translated.CRASH, 0.1, (), "Traceback\nKeyError: 'i'\n"),
        FileResult("s", "/a/z.c", Translated.REFUSED, 0.1),
    ]
    programs = [
        ProgramResult("s", "x", ("x.c",), Verdict.SAME, launches=1),
        ProgramResult("s", "q", (), Verdict.GCC_REFUSES),
    ]
    text = markdown(files, programs)
    assert "| s: y.c | crash | KeyError: 'i' |" in text
    assert "| s | 2 | 1 | 1 | 1 | 1 | 1 | 2 | 2 | 1 (50 %) | OMPC320 1 |" in text
    assert "| OMPC320 | 1 | calls `puts` 1 |" in text
    assert "| parallel for | 1 | 1 (100 %) |" in text
    assert "| none | 1 | 0 (0 %) |" in text


@pytest.mark.slow
def test_all_of_it(tmp_path: Path, emulating_cxx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.corpus.building.emulating_compiler", lambda *_: emulating_cxx)
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "sum.c").write_text(SUM)
    (folder / "refused.c").write_text(SUM.replace("100", "n"))
    done = CliRunner().invoke(main, [str(folder), "--run", "--jobs", "1"])
    assert "| suite | 2 | 1 | 1 | 1 | 1 | 1 | 1 | 2 | 1 (50 %) | OMPC313 1 |" in done.output
    assert done.exit_code == 0
