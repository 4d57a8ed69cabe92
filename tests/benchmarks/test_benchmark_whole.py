"""`python -m benchmarks programs`: made-up programs from end to end, what fails, bars, and a real program, emulated."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from benchmark_records import ledger, region

from benchmarks.__main__ import main
from benchmarks.results import problems
from benchmarks.whole.report import table
from benchmarks.whole.results import results

pytest.importorskip("tomllib")
ROOT = Path(__file__).resolve().parents[2]

BUILD = "case \"$CC\" in gcc) cp host.sh $OUT;; *'-m ompc cc'*) cp auto.sh $OUT;; esac && chmod +x $OUT"
"""Shell scripts stand for what compilers make."""


def program(folder: Path, name: str, host: str, auto: str, more: str = "") -> str:
    """Scripts for both variants of a program, and its part of the list."""
    place = folder / name
    place.mkdir(parents=True)
    for variant, text in (("host", host), ("auto", auto)):
        (place / f"{variant}.sh").write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    check = "" if "check =" in more else 'check = "exact"'
    return f'[[program]]\nname = "{name}"\nfolder = "{name}"\nbuild = {json.dumps(BUILD)}\n{check}\n{more}\n'


def measured(folder: Path, *programs: str, options: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:
    """The exit status and the record."""
    if programs:
        (folder / "programs.toml").write_text("\n".join(programs), encoding="utf-8")
    path = folder / "record.json"
    status = main(["programs", str(folder), "--jobs", "2", "--json", str(path), *options])
    return status, json.loads(path.read_text(encoding="utf-8"))


def seconds_of(variant: dict[str, Any]) -> list[float]:
    return [run["own_seconds"] for run in variant["runs"]]


def test_a_measurement_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The runs are in turns; the history begins empty and is kept, but for the run with the ledger."""
    made = ledger(region(1.0, 0.1, 0.5, 0.1, launches=3), region(1.0, 0, 0, 0, launches=0, refused=2))
    made["regions"][0]["kept"] = 4
    (tmp_path / "ledger").write_text(json.dumps(made), encoding="utf-8")
    host = 'echo h >>$FOLDER/order; cat input; echo "took 8.0 s"'
    auto = """echo a >>$FOLDER/order; cat input; ls $OMPC_HISTORY | wc -l >&2
echo "took $(ls $OMPC_HISTORY | wc -l).5 s"; touch $OMPC_HISTORY/$$
[ -z "$OMPC_PROFILE" ] || cp $FOLDER/ledger $OMPC_PROFILE"""
    one = program(tmp_path, "one", host, auto, 'time = "took ([0-9.]+) s"\nignore = "took"\nprepare = "echo 5 >input"')
    for _ in range(2):
        (tmp_path / "order").unlink(missing_ok=True)
        status, record = measured(tmp_path, one, options=("--runs", "3", "--threads", "3", "--work", f"{tmp_path}/w"))
        assert status == 0
        assert (tmp_path / "order").read_text(encoding="utf-8").split() == ["h", "a"] * 4 + ["a"]
        variants = record["programs"][0]["variants"]
        assert seconds_of(variants["host"]) == [8.0] * 4
        assert seconds_of(variants["auto"]) == [0.5, 1.5, 2.5, 3.5]
    assert record["environment"]["OMP_NUM_THREADS"] == "3"
    counted = {"device": "a GPU", "launches": 3, "kept": 4, "refused": 2, "loops": 2, "loops_launched": 1}
    assert variants["auto"]["launches"].items() >= counted.items()
    (outcome,) = results(record).outcomes
    assert outcome.own_speedup == 8.0 / 2.5
    assert "echo" not in json.dumps(record)  # nothing of a program is in what may be kept
    printed = capsys.readouterr().out
    assert "1 programs: 1 " in printed
    assert not (tmp_path / "one" / "input").exists()
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "record.json"), "--png", str(tmp_path / "figure.png")]) == 0
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


FAILURES = {
    "wrong": ("echo 1", "echo 2", "", "wrong answer", "wrong answer: line 1: expected '1', got '2'"),
    "killed": ("echo 1", "kill -SEGV $$", "", "crashed", "crashed: SIGSEGV"),
    "status": ("exit 3", "exit 3", "", "crashed (gcc)", "crashed: exit status 3"),
    "unwritten": ("echo 1 >o", "echo 1", 'answer = "o"', "no answer", "no answer: it wrote no o"),
    "unstable": ("echo $$", "echo 1", "", "unstable (gcc)", "unstable: line 1: expected"),
    "slow": ("echo 1", "sleep 50 & wait", "timeout = 0.3", "timed out", "timed out: not done after 0.3 s"),
    "mute": ("echo 1", "echo 1", 'check = "regex x"', "no answer (gcc)", "no answer: nothing of gcc's answer matches"),
    "timeless": ("echo 1", "echo 1", 'time = "in ([0-9]+)"', "no time (gcc)", "no time: nothing that it printed"),
    "unprepared": ("echo 1", "echo 1", 'prepare = "false"', "not prepared (gcc)", "not prepared: exit status 1"),
    "unbuilt": ("echo 1", "", "", "not built", "not built: exit status 4: a.c:1: error: no"),
    "unlinked": ("", "echo 1", "", "not built (gcc)", "not built: exit status 1: ld said so"),
}


def test_what_fails_is_a_row_and_the_rest_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = [program(tmp_path, name, *given[:3]) for name, given in FAILURES.items()]
    listed = [
        text.replace("cp auto.sh", "echo 'a.c:1: error: no' >&2; echo more >&2; exit 4; cp") if '"unbuilt"' in text
        else text.replace("cp host.sh", "echo ld said so >&2; false") if '"unlinked"' in text
        else text
        for text in listed
    ]  # fmt: skip
    listed.append(program(tmp_path, "fine", "exit 3", "exit 3", "status = 3"))
    begin = time.monotonic()
    status, record = measured(tmp_path, *listed, options=("--runs", "2"))
    assert time.monotonic() - begin < 40
    assert status == 1
    outcomes = {outcome.name: outcome.word for outcome in results(record).outcomes}
    assert outcomes == {name: given[3] for name, given in FAILURES.items()} | {"fine": "kept"}
    told = problems(record)
    assert len(told) == len(FAILURES)
    for name, given in FAILURES.items():
        assert any(text.startswith(f"{name}, ") and given[4] in text for text in told), (name, told)
    printed = capsys.readouterr().out
    assert "FAILED wrong, auto: wrong answer: line 1" in printed
    assert f"{len(FAILURES) + 1} programs: 1 kept, {len(FAILURES)} failed" in printed


def test_answers_of_another_run(tmp_path: Path) -> None:
    """Where `run` says nothing that could be compared, `verify` does."""
    answer = 'case "$1" in verify) echo {} >&2;; *) echo $$ >&2;; esac'
    more = 'verify = "$OUT verify"\nanswer = "stderr"'
    said = {"a": 1, "b": 2}
    listed = [program(tmp_path, name, answer.format(1), answer.format(n), more) for name, n in said.items()]
    status, record = measured(tmp_path, *listed, options=("--runs", "1"))
    assert status == 1
    assert [outcome.word for outcome in results(record).outcomes] == ["kept", "wrong answer"]
    assert not record["programs"][1]["variants"]["host"]["runs"]


def test_built_here_and_measured_there(tmp_path: Path) -> None:
    (tmp_path / "programs.toml").write_text(program(tmp_path, "one", "echo 1", "echo 1"), encoding="utf-8")
    command = ["programs", str(tmp_path), "--work", str(tmp_path / "work")]
    assert main([*command, "--build-only"]) == 0
    assert main([*command, "--reuse", "--runs", "1"]) == 0
    assert main(["programs", str(tmp_path), "--work", str(tmp_path / "empty"), "--reuse"]) == 1


def test_only_some(tmp_path: Path) -> None:
    listed = [program(tmp_path, name, "echo 1", "echo 1") for name in ("one", "two", "three")]
    listed[1] += 'suite = "S"\n'
    status, record = measured(tmp_path, *listed, options=("--runs", "1", "--only", "S", "--only", "three"))
    assert status == 0
    assert [entry["name"] for entry in record["programs"]] == ["S/two", "three"]
    with pytest.raises(SystemExit):
        measured(tmp_path, options=("--only", "four"))


@pytest.mark.parametrize("options", [["--reuse"], ["--runs", "0"], ["--timeout", "0"], ["--work", "one/work"]])
def test_wrong_command_lines(tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "programs.toml").write_text(program(tmp_path, "one", "echo 1", "echo 1"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["programs", str(tmp_path), *options])
    assert ended.value.code == 2


def test_an_interruption_leaves_what_was_measured(tmp_path: Path) -> None:
    """SIGTERM, as it comes to the command."""
    stop = "[ ! -e $FOLDER/go ] || kill -TERM $(cat $FOLDER/go)"
    listed = [program(tmp_path, name, "echo 1", "echo 1") for name in ("one", "two", "three")]
    listed[1] = program(tmp_path, "stops", f"echo 1; {stop}; sleep 20", "echo 1")
    (tmp_path / "programs.toml").write_text("\n".join(listed), encoding="utf-8")
    command = ["-m", "benchmarks", "programs", str(tmp_path), "--runs", "1", "--json", str(tmp_path / "record.json")]
    with subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        (tmp_path / "go").write_text(str(process.pid), encoding="utf-8")
        assert process.wait(timeout=60) == 1
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert [outcome.failure for outcome in results(record).outcomes] == [None, "interrupted", "interrupted"]


def variant(*seconds: float, failure: str | None = None, launches: int = 1) -> dict[str, Any]:
    """What was measured of one; the first run comes first."""
    runs = [{"round": k, "seconds": x, "own_seconds": None} for k, x in enumerate(seconds, start=-1)]
    counted = {"launches": launches, "kept": 0, "refused": 0, "loops": 1}
    return {"problem": failure, "failure": failure, "launches": counted, "runs": runs}


def made_up(target: str = "cuda", device: str | None = "a GPU", **programs: tuple[Any, Any]) -> dict[str, Any]:
    """A record."""
    variants = [{"name": name, "variants": {"host": h, "auto": a}} for name, (h, a) in programs.items()]
    said = {"experiment": "programs", "sizes": "full", "rounds": 3, "date": "2030-01-02T03:04:05+00:00"}
    return {**said, "target": target, "environment": {"device": device}, "programs": variants}


@pytest.mark.parametrize(
    ("host", "auto", "word"),
    [
        ((9, 2.0, 2.0, 2.0), (9, 2.149, 2.149, 9.0), "kept"),  # by medians
        ((9, 2.0, 2.0, 2.0), (9, 2.151, 2.151, 1.0), "SLOWER"),
        ((9, 0.01, 0.01), (9, 0.06, 0.06), "kept"),
        ((9, 0.01, 0.01), (9, 0.061, 0.061), "SLOWER"),
        ((9,), (9,), "not measured"),
    ],
)
def test_the_promise(host: tuple[float, ...], auto: tuple[float, ...], word: str) -> None:
    (outcome,) = results(made_up(one=(variant(*host), variant(*auto)))).outcomes
    assert outcome.word == word
    (emulated,) = results(made_up("emulate", None, one=(variant(*host), variant(*auto)))).outcomes
    assert emulated.word in ("not judged", "not measured")


def test_bars() -> None:
    """Of the gain, programs of a second and less say nothing, nor do those that failed."""
    programs = {
        "short": (variant(9, 1.0), variant(2.0, 0.1)),
        "two": (variant(9, 2.0), variant(1.0, 1.0)),
        "eight": (variant(9, 16.0), variant(20.0, 2.0)),
        "failed": (variant(9, 2.0), variant(1.0, 1e-3, failure="wrong answer")),
    }
    found = results(made_up(**programs)).verdicts
    assert [verdict.value for verdict in found] == pytest.approx([0.95 / 2.0, 1.95, 4.0])
    assert [verdict.word for verdict in found] == ["met", "MISSED", "MISSED"]
    without = results(made_up(device=None, **programs)).verdicts
    assert [verdict.word for verdict in without] == ["met", "MISSED", "not judged"]
    assert {verdict.word for verdict in results(made_up(short=programs["failed"])).verdicts} == {"not measured"}


def test_a_machine_that_is_not_ours_alone_is_told() -> None:
    record = made_up(one=(variant(9, 2.0), variant(1.0, 1.0)))
    record["environment"] |= {"processors": 4, "load": 1.9}
    assert "busy" not in table(record)
    record["environment"]["load"] = 2.1
    assert "the machine was busy before: load 2.1 on 4 processors" in table(record)


def test_pictures_of_everything_and_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from benchmarks.whole.plot import write_picture

    some = made_up(
        slower=(variant(9, 2.0), variant(9, 4.0)),
        quicker=(variant(9, 2.0), variant(9, 0.2)),
        alike=(variant(9, 2.0), variant(9, 2.0, launches=0)),
        failed=(variant(), variant(failure="interrupted")),
    )
    many = made_up(**{f"p{k}": (variant(9, 2.0), variant(9, 1.0 + k / 40)) for k in range(75)})
    for record in (some, many, made_up(), made_up(failed=(variant(), variant(failure="crashed")))):
        write_picture(record, tmp_path / "figure.png")
        assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_the_newest_measurement_of_a_program_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = made_up(one=(variant(9, 2.0), variant(9, 4.0)), two=(variant(9, 2.0), variant(9, 2.0)))
    after = made_up(one=(variant(9, 2.0), variant(9, 0.5))) | {"date": "2030-01-04T03:04:05+00:00", "rounds": 2}
    for name, record in (("before", before), ("after", after)):
        (tmp_path / name).write_text(json.dumps(record), encoding="utf-8")
    for order in (("before", "after"), ("after", "before")):
        words = [str(tmp_path / name) for name in order]
        assert main(["plot", *words, "--json", str(tmp_path / "all")]) == 0
        found = json.loads((tmp_path / "all").read_text(encoding="utf-8"))
        assert {outcome.name: outcome.speedup for outcome in results(found).outcomes} == {"one": 4.0, "two": 1.0}
        assert (found["days"], found["rounds"]) == (["2030-01-02", "2030-01-04"], 2)


REAL = r"""#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double sum = 0, *a = malloc(n * sizeof *a);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * i;
#pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%s: sum %.10g\n", argv[0], sum);
    return 0;
}
"""
HOST_ONLY = '#include <stdio.h>\nint main(void)\n{\n    puts("as ever");\n    return 0;\n}\n'
OTHER = """#include <stdio.h>
int main(void)
{
#ifdef WRONG
    puts("2");
#else
    puts("1");
#endif
    return 0;
}
"""


@pytest.mark.slow
def test_real_programs(
    tmp_path: Path, emulating_cxx: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found, built by `make` and alone, and run, emulated; one of them is not what gcc makes of it."""
    monkeypatch.setenv("OMPC_CXX", emulating_cxx)
    for name, text in (("sum/sum.c", REAL), ("plain/plain.c", HOST_ONLY), ("wrong/wrong.c", OTHER)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    rules = "CFLAGS = -O2 -fopenmp\nsum: sum.o\n\t$(CC) $(CFLAGS) $^ -o $@\n"
    (tmp_path / "sum" / "Makefile").write_text(rules, encoding="utf-8")
    subprocess.run(["make", "-C", tmp_path / "sum"], check=True, capture_output=True)  # is not taken for either's
    assert main(["programs", str(tmp_path), "--find"]) == 0
    path = tmp_path / "programs.toml"
    assert "1 programs in" in capsys.readouterr().out
    by_hand = """
[[program]]
name = "plain"
folder = "plain"
build = "$CC -fopenmp plain.c -o $OUT"
check = "exact"
[[program]]
name = "wrong"
folder = "wrong"
build = 'case "$CC" in gcc) $CC wrong.c -o $OUT;; *) $CC -DWRONG wrong.c -o $OUT;; esac'
check = "exact"
"""
    path.write_text(path.read_text(encoding="utf-8") + by_hand, encoding="utf-8")
    status, record = measured(tmp_path, options=("--target", "emulate", "--runs", "1"))
    assert status == 1
    one, plain, wrong = results(record).outcomes
    assert [outcome.word for outcome in (one, plain, wrong)] == ["not judged", "not judged", "wrong answer"]
    assert one.launches is not None and one.launches["launches"] >= 1
    assert plain.launches is not None and plain.launches["loops"] == 0
    assert "no kernel" in capsys.readouterr().out
