"""The tool itself, on small programs of our own; what it found in the programs of others is in docs/coverage.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from ompc.base.options import Level

from .__main__ import main
from .checking import Inspector, judge, launches_in
from .comparing import compare, same_word
from .records import FileResult, Loop, LoopAlone, ProgramResult, Translated, Verdict
from .running import Ran, run_limited
from .suites import Program, Source, read_suite
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
        values[0] = values[0] * 2 + i, printf("%d of thread %d\\n", i, omp_get_thread_num());
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
        ("1.000001234", "1.000009876", False),
        ("12345.6789012", "12345.6812345", True),
        ("12345.6789012", "12346.6812345", False),
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


def test_standard_error_and_files_count() -> None:
    well = [Ran(0, "1\n", "done\n", {"out": b"1 2\n"})] * 2
    assert judge(well, well[0]).verdict is Verdict.SAME
    own = "ompc: a.c:5: runs on the host: it is inside an active parallel region [OMPC451]\n"
    assert judge(well, Ran(0, "1\n", own + "done\n", {"out": b"1 2\n"})).verdict is Verdict.SAME
    assert judge(well, Ran(0, "1\n", "", {"out": b"1 2\n"})).verdict is Verdict.DIFFERENT
    assert judge(well, Ran(0, "1\n", "done\n", {"out": b"1 3\n"})).detail.startswith("file out: line 1")
    assert judge(well, Ran(0, "1\n", "done\n")).verdict is Verdict.DIFFERENT
    assert judge(well, Ran(0, "1\n", "done\n", {"out": b"1 2\n", "more": b""})).verdict is Verdict.DIFFERENT


def test_files_that_a_program_writes(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("of the suite")
    ran = run_limited(["sh", "-c", "mkdir d; echo 5 > d/x; cat data"], tmp_path, {"PATH": "/usr/bin:/bin"}, 10)
    assert (ran.out, dict(ran.files)) == ("of the suite", {"d/x": b"5\n"})


class Scripted(Inspector):
    """Whose programs say what the test says, one after the other."""

    def _run(self, executable: Path, *_: object, **__: object) -> Ran:
        number = self.seconds_of.setdefault(executable, 0)
        self.seconds_of[executable] = number + 1
        return Ran(0, self.says[executable](number), "")


def found_of(by_gcc: Callable[[int], str], by_ompc: Callable[[int], str], place: Path) -> Verdict:
    program = Program("p", ((place / "p.c",),), (), ())
    workshop = SimpleNamespace(by_gcc=lambda *_: (place / "g", (place / "p.c",)), by_ompc=lambda *_: place / "o")
    inspector = Scripted(workshop, 1.0)  # type: ignore[arg-type]
    object.__setattr__(inspector, "seconds_of", {})
    object.__setattr__(inspector, "says", {place / "g": by_gcc, place / "o": by_ompc})
    return inspector.check("s", program).verdict


def test_what_varies_with_both_and_differs_does_not_agree(tmp_path: Path) -> None:
    assert found_of(lambda n: f"a {n % 3}\n", lambda n: f"a {n % 3}\n", tmp_path) is not Verdict.DIFFERENT
    assert found_of(lambda n: f"a\nb{n}\n", lambda n: f"c{n}\nd\n", tmp_path) is Verdict.VARIES
    assert found_of(lambda n: f"a\nb{n}\n", lambda _: "c\nd\n", tmp_path) is Verdict.DIFFERENT
    assert found_of(lambda _: "a\n", lambda n: f"c{n}\n", tmp_path) is Verdict.DIFFERENT


def test_launched_loops_are_counted(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text('{"regions": [{"launches": 3}, {"launches": 0}, {"launches": 1}]}')
    assert launches_in(tmp_path / "profile") == (4, (3, 2))
    assert launches_in(tmp_path / "none") == (None, (0, 0))


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
    assert (second.on_device, second.code) == (False, "OMPC355")
    (tmp_path / "bad.c").write_text("int main(void) { return x; }")
    assert examine("suite", [Source(tmp_path / "bad.c", ())], Level.AUTO, 60)[0].outcome is Translated.REFUSED
    assert examine("suite", [Source(tmp_path / "sum.c", ())], Level.AUTO, 0.01)[0].outcome is Translated.TIMEOUT


def test_limits(tmp_path: Path) -> None:
    assert run_limited(["sh", "-c", "echo 1; exit 3"], tmp_path, {}, 10) == Ran(3, "1\n", "")
    assert run_limited(["sleep", "20"], tmp_path, {"PATH": "/usr/bin:/bin"}, 0.1).status is None


ALONE = (
    LoopAlone(7, "iterations may touch the same element of 's': 's[i]' at line 8", False),
    LoopAlone(9, "its iterations are independent, but it is inside of the loop over k, which is alone", True),
)


def test_tables() -> None:
    loops = (
        Loop("main", 5, "parallel for", ("reduction",), True, alone=ALONE),
        Loop("main", 9, "for", (), False, "OMPC320", "calls 'puts', a library function without a device version"),
    )
    files = [
        FileResult("s", "/a/x.c", Translated.YES, 0.1, loops),
        FileResult("s", "/a/y.c", Translated.CRASH, 0.1, (), "Traceback\nKeyError: 'i'\n"),
        FileResult("s", "/a/z.c", Translated.REFUSED, 0.1),
    ]
    programs = [
        ProgramResult("s", "x", ("x.c",), Verdict.SAME, launches=3, loops=(2, 1)),
        ProgramResult("s", "v", ("v.c",), Verdict.VARIES, "line 1"),
        ProgramResult("s", "q", (), Verdict.GCC_REFUSES),
    ]
    text = markdown(files, programs)
    assert "| s: y.c | crash | KeyError: 'i' |" in text
    assert "| s | 3 | 2 | 2 | 2 | 1 | 1 | 1 | 2 | 2 | 2 | 1 (50 %) | OMPC320 1 |" in text
    assert "## Programs that say something else each time, with gcc too\n\ns: v" in text
    assert "| OMPC320 | 1 | calls `puts` 1 |" in text
    assert "| parallel for | 1 | 1 (100 %) |" in text
    assert "| s | 1 | 1 (100.0 %) | 1 (100.0 %) |" in text
    assert "| 1 | iterations may touch the same element of ...: ... at line ... |" in text
    assert "| 1 | its iterations are independent, but it is inside of the loop over ..., which is alone |" in text
    assert "| none | 1 | 0 (0 %) |" in text
    without_programs = markdown([*files, FileResult("t", "/b/x.c", Translated.YES, 0.1, loops)], programs)
    assert "| t | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 2 | 1 (50 %) | OMPC320 1 |" in without_programs


@pytest.mark.nightly
@pytest.mark.slow
def test_all_of_it(tmp_path: Path, emulating_cxx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.corpus.building.emulating_compiler", lambda *_: emulating_cxx)
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "sum.c").write_text(SUM)
    (folder / "refused.c").write_text(SUM.replace("100", "n"))
    done = CliRunner().invoke(main, [str(folder), "--run", "--jobs", "1"])
    assert "| suite | 2 | 1 | 1 | 1 | 1 | 0 | 1 | 1 | 1 | 2 | 1 (50 %) | OMPC355 1 |" in done.output
    assert done.exit_code == 0
