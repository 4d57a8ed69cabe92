"""The search, and who is asked what, with programs that are made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ompc.base.diagnostics import CompileError
from ompc.base.optimisations import OPTIMISATIONS, WITHOUT, names_in
from ompc.base.options import FloatingPoint, Level, Options
from ompc.toolchain.machine.setting import Request
from ompc.tools.answers.reference import Finished
from ompc.tools.bisect.conclusion import format_conclusion
from ompc.tools.bisect.judge import Judge, Outcome, Wanted
from ompc.tools.bisect.program import Found
from ompc.tools.bisect.search import Culprit, Launched, Reached, find_culprit, first_wrong
from ompc.tools.bisect.variants import Guilt, Variant, find_optimisation


@pytest.mark.parametrize("wrong_from", [1, 2, 41, 99, 100])
def test_bisection(wrong_from: int) -> None:
    asked: list[int] = []
    assert first_wrong(100, lambda n: asked.append(n) or n >= wrong_from) == wrong_from
    assert len(asked) <= 7 and set(asked) <= set(range(1, 100))


LOOPS = [Reached(f"f_{n}", "a.c", n, "parallel for", times) for n, times in ((1, 1), (5, 8), (9, 20), (12, 3))]


def launched(regions: str) -> dict[str, range]:
    """The launches that OMPC_REGIONS asks for."""
    found: dict[str, range] = {}
    for item in regions.split(","):
        name, _, numbers = item.partition("#")
        first, dots, last = numbers.partition("..")
        found[name.split("@")[0]] = range(int(first or 1), int(last or (1000 if dots or not first else first)) + 1)
    return found


@pytest.mark.parametrize(
    ("is_wrong", "culprit"),
    [
        (lambda on: 7 in on.get("f_9", ()), Culprit(LOOPS[2], 7, True, (), "f_9@a.c#7")),
        (lambda on: len(on.get("f_9", ())) >= 7, Culprit(LOOPS[2], 7, False, (), "f_9@a.c#..7")),
        (lambda on: "f_1" in on, Culprit(LOOPS[0], 1, True, (), "f_1@a.c#1")),
        (
            lambda on: "f_5" in on and 2 in on.get("f_12", ()),
            Culprit(LOOPS[3], 2, True, tuple(LOOPS[:3]), "f_1@a.c,f_5@a.c,f_9@a.c,f_12@a.c#2"),
        ),
        (lambda on: 30 in on.get("f_9", ()), Culprit(LOOPS[2], None, False, (), "f_9@a.c")),
    ],
)
def test_culprits(is_wrong, culprit: Culprit) -> None:
    assert find_culprit(LOOPS, lambda regions: is_wrong(launched(regions))) == culprit


def names_on(variant: Variant) -> set[str]:
    """What a variant does; None at another level than `auto`."""
    if variant.options.level is not Level.AUTO:
        return {variant.options.level.value}
    return {one.name for one in OPTIMISATIONS} - {one.name for one in variant.left_out}


@pytest.mark.parametrize("name", [one.name for one in OPTIMISATIONS])
def test_each_optimisation_is_found(name: str) -> None:
    prepared: list[Variant] = []
    guilt = find_optimisation(Options(), lambda variant: name in names_on(variant), prepared.extend)
    assert guilt.optimisation is not None and (guilt.optimisation.name, guilt.cured) == (name, True)
    assert guilt.levels == {Level.BASELINE: True, Level.THESIS: True, Level.AUTO: False}
    assert len(prepared) == 3


@pytest.mark.parametrize("level", list(Level))
def test_what_no_optimisation_does(level: Level) -> None:
    guilt = find_optimisation(Options(level=level), lambda variant: True, lambda variants: None)
    assert guilt.optimisation is None and not any(guilt.levels.values()) and level in guilt.levels


def test_contraction_is_left_out_at_each_level() -> None:
    guilt = find_optimisation(Options(), lambda v: v.translated_by.fp is FloatingPoint.DEFAULT, lambda variants: None)
    assert guilt.optimisation is not None and guilt.optimisation.left_out_by == "--fp strict"
    assert not any(guilt.levels.values())


def test_two_that_are_wrong() -> None:
    guilt = find_optimisation(Options(), lambda v: bool({"tiles", "rows"} & names_on(v)), lambda variants: None)
    assert guilt.optimisation is not None and (guilt.optimisation.name, guilt.cured) == ("tiles", False)


def test_names() -> None:
    assert names_in("tiles,rows,") == {"tiles", "rows"} and names_in("") == frozenset()
    with pytest.raises(ValueError, match="there is no optimisation 'tails'; there are: glue, divided-loops, fusion, "):
        names_in("tails")
    assert {one.left_out_by for one in OPTIMISATIONS if one.name not in WITHOUT} == {
        *("OMPC_GUARD=0", "OMPC_WAIT=1", "OMPC_SLICE=0", "OMPC_LOCKED_MEMORY=0", "--fp strict"),
    }


# ------------------------------------------------------------------------------ what is compared


def script(tmp_path: Path, text: str) -> Path:
    made = tmp_path / "program"
    made.write_text(f"#!/bin/sh\n{text}\n")
    made.chmod(0o755)
    return made


def judge_of(tmp_path: Path, host: str, **wanted: object) -> Judge:
    judge = Judge(replace(Wanted((), {"PATH": "/usr/bin:/bin"}), **wanted))
    judge.learn(script(tmp_path, host), 2)
    return judge


def problem(judge: Judge, tmp_path: Path, device: str) -> str | None:
    return judge.problem(script(tmp_path, device), {}, 1)


def test_outputs(tmp_path: Path) -> None:
    judge = judge_of(tmp_path, "echo 3 words 1.5; date +%N")
    assert judge.vary[0].startswith("line 2 of the output: '")
    assert problem(judge, tmp_path, "echo 3 words 1.5000001; echo") is None
    assert 6e-8 < judge.largest < 7e-8
    assert (
        problem(judge, tmp_path, "echo 3 words 1.51; echo") == "line 1 of the output, token 3: expected 1.5, got 1.51"
    )
    assert problem(judge, tmp_path, "echo 4 words 1.5; echo") == "line 1 of the output, token 1: expected 3, got 4"
    assert problem(judge, tmp_path, "echo 3 words 1.5") == "it printed 1 lines, on the host 2"


def test_standard_error(tmp_path: Path) -> None:
    judge = judge_of(tmp_path, "echo 2.5 >&2; date +%N >&2")
    assert judge.vary[0].startswith("line 2 of standard error: '")
    assert problem(judge, tmp_path, "echo 'ompc: a.c:3: runs on the host' >&2; echo 2.5 >&2; echo x >&2") is None
    assert (
        problem(judge, tmp_path, "echo 2.6 >&2; echo x >&2") == "standard error: line 1, token 1: expected 2.5, got 2.6"
    )


def test_endings(tmp_path: Path) -> None:
    judge = judge_of(tmp_path, "exit 3")
    assert problem(judge, tmp_path, "exit 3") is None
    assert problem(judge, tmp_path, "kill -SEGV $$") == "it ended with status 139 (SIGSEGV), on the host with status 3"
    said = problem(judge, tmp_path, "echo 'ompc: a.c:3: the kernel failed [OMPC460]' >&2; exit 70")
    assert said == "it ended with status 70, on the host with status 3: a.c:3: the kernel failed [OMPC460]"
    judge.wanted = replace(judge.wanted, limit=0.5)
    said = problem(judge, tmp_path, "exec sleep 600")
    assert said == "it ended with status 124 (it took too long), on the host with status 3"


def test_files(tmp_path: Path) -> None:
    text, raw = tmp_path / "field.txt", tmp_path / "field.raw"
    text.write_text("before")
    write = f"cat {text} >/dev/null; echo 'x 2.50' > {text}; printf 'a\\0b' > {raw}"
    judge = judge_of(tmp_path, write, outputs=(text, raw))
    assert text.read_text() == "before" and not raw.exists()
    assert problem(judge, tmp_path, write) is None
    assert text.read_text() == "before" and not raw.exists()
    assert problem(judge, tmp_path, write.replace("2.50", "2.6")) == f"{text}: line 1, token 2: expected 2.50, got 2.6"
    assert problem(judge, tmp_path, write.replace("b'", "c'")) == f"{raw}: other bytes from byte 2 on"
    assert problem(judge, tmp_path, f"echo 'x 2.50' > {text}") == f"{raw} is not written"


def test_files_that_vary_are_no_use(tmp_path: Path) -> None:
    with pytest.raises(CompileError):
        judge_of(tmp_path, f"date +%N > {tmp_path}/t", outputs=(tmp_path / "t",))


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("date +%N", "two runs of the host's own program differ: line 1 of the output: '"),
        ("test -z $OMP_NUM_THREADS", "the host's own program ended with status 0, and then with status 1"),
        ("seq ${OMP_NUM_THREADS:-3}", "differ: 3 lines of the output, and then 1"),
        ("sleep 600", "the host's own program takes more than 0.5 seconds"),
    ],
)
def test_unfit_programs(tmp_path: Path, host: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        judge_of(tmp_path, host, limit=0.5 if "sleep" in host else 60)
    assert error.value.diagnostics[0].code == "OMPC485" and message in error.value.diagnostics[0].message


def test_an_outcome_of_threads_alone_is_not_compared(tmp_path: Path) -> None:
    judge = judge_of(tmp_path, "echo ${OMP_NUM_THREADS:-3} threads; echo 7")
    assert judge.vary == ("line 1 of the output: '3 threads', and then '1 threads'",)
    assert judge.problem_of(Outcome(Finished(0, "9 threads\n7\n"), {})) is None


# ------------------------------------------------------------------------------ what is said

FOUND = Found(
    *(Request(Path("my a.c"), Options()), Wanted((), {}), tuple(LOOPS), "line 1", None, None, 0.0, (), 9, 2),
)


def test_conclusions() -> None:
    launched = Launched("emulator", {(loop.file, loop.line): 8 for loop in LOOPS})
    nothing = format_conclusion(replace(FOUND, problem=None, largest=2e-9, launched=launched))
    assert "Nothing differs from the host's result: 4 loops launched on the device, 32 times in all.\n" in nothing
    assert "Numbers differ by 2.0e-09 of their size at most, which is within the tolerance of 1e-06.\n" in nothing
    assert "none: it differs with all loops on the host" in format_conclusion(FOUND)
    culprit = Culprit(LOOPS[3], 2, True, tuple(LOOPS[:3]), "")
    levels = {Level.BASELINE: True, Level.THESIS: False, Level.AUTO: False}
    residency = next(one for one in OPTIMISATIONS if one.name == "residency")
    said = format_conclusion(replace(FOUND, culprit=culprit, guilt=Guilt(levels, residency, cured=True)))
    assert "Launch         2 of 3 times that it is reached, alone\n" in said
    assert "Together with  f_1 a.c:1, f_5 a.c:5, f_9 a.c:9: without them on the device it is right\n" in said
    assert "Levels         baseline right, thesis wrong, auto wrong\n" in said
    assert f"    {'OMPC_GUARD=0':<22}   when the program runs: without that optimisation\n" in said
    times = dict(list(launched.times.items())[1:])
    partly = format_conclusion(replace(FOUND, problem=None, launched=Launched("emulator", times)))
    assert "Nothing differs from the host's result: 3 of 4 loops launched on the device, 24 times in all.\n" in partly
    assert "Never launched, and so not compared: f_1 a.c:1 (OMPC_LOG=1 says why).\n" in partly
    said = format_conclusion(replace(FOUND, culprit=culprit, guilt=Guilt(levels, None)))
    assert "    ompc build 'my a.c' --opt baseline   a level that is right\n" in said
    assert "Sums in another order, and FMA, change last digits of floating-point numbers: --tolerance" in said
