"""From ledgers to the figure: the arithmetic, on made-up ledgers, and a whole measurement with a made-up compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmark_records import ledger, ledger_of_schema_1, program, record, region, variant

from benchmarks import measure
from benchmarks.__main__ import main
from benchmarks.fig16 import REFERENCE
from benchmarks.ledger import LedgerError, Split, median_run, parse_ledger, read_ledger
from benchmarks.report import duration, table
from benchmarks.results import groups, problems
from benchmarks.suite import FIGURE_16, LEVELS, SizesError, with_sizes

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("schema", [1, 2])
def test_the_parts_add_up_to_the_whole(schema: int) -> None:
    regions = region(10.0, 2.0, 3.0, 1.0), region(5.0, 0.5, 2.5, 1.0)
    made = ledger(*regions, page_lock=4.0) if schema == 2 else ledger_of_schema_1(*regions, host_alloc=4.0)
    split = parse_ledger(made).split
    assert split.parts() == (2.5, 5.5, 2.0, 9.0)
    assert split.whole == sum(split.parts()) == 19.0


def test_creating_the_context_and_the_program_itself_are_not_counted() -> None:
    made = ledger(region(1.0, 0.1, 0.2, 0.3))
    made["parts"] |= {"init": 1000.0, "host": 1000.0}
    assert parse_ledger(made).split.whole == pytest.approx(1.0)


def test_overlapping_copies_leave_nothing_for_other() -> None:
    assert parse_ledger(ledger_of_schema_1(region(1.0, 0.7, 0.7, 0.1))).split == Split(0.7, 0.7, 0.1, 0.0)


def test_launches_and_refusals_are_counted() -> None:
    read = parse_ledger(ledger(region(1.0, 0.0, 0.0, 0.0, launches=3), region(1.0, 0.0, 0.0, 0.0, 2, refused=4)))
    assert (read.launches, read.refused) == (5, 4)


@pytest.mark.parametrize("damage", [{"schema": 3}, {"regions": None}, {"parts": {}}, {"regions": [{}]}])
def test_damaged_ledgers_are_errors(damage: dict[str, object]) -> None:
    with pytest.raises(LedgerError):
        parse_ledger({**ledger(), **damage})


def test_missing_ledger_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no readable ledger"):
        read_ledger(tmp_path / "none.json")


def test_the_median_run_is_a_run() -> None:
    runs = [Split(0.0, 1.0, 0.0, 8.0), Split(1.0, 1.0, 1.0, 1.0), Split(0.0, 0.0, 0.0, 1.0), Split(0.0, 5.0, 0.0, 0.0)]
    assert median_run(runs[:3]) == runs[1]
    assert median_run(runs) == runs[1]


def test_bars_are_normalised_to_the_baseline() -> None:
    made = record(
        program(
            "one",
            baseline=variant(ledger(region(4.0, 1.0, 1.0, 1.0)), ledger(region(8.0, 1.0, 1.0, 1.0))),
            auto=variant(ledger(region(1.0, 0.0, 1.0, 0.0))),
        )
    )
    (group,) = groups(made)
    baseline, auto = group.bars
    assert group.unit == 4.0
    assert (baseline.fastest, baseline.slowest) == (4.0, 8.0)
    shares = group.normalised(baseline)
    assert shares is not None
    assert shares.parts() == (0.25, 0.25, 0.25, 0.25)
    assert group.normalised(auto) == Split(0.0, 0.25, 0.0, 0.0)
    assert group.host_seconds == 1e-3


def broken_record() -> dict[str, object]:
    openmpc = {"size": "one size", "same_size": True, "seconds": {"default": 40.0}, "host_seconds": 1.0}
    good = variant(ledger(region(4.0, 1.0, 1.0, 1.0)))
    slow = variant(ledger(region(400.0, 1.0, 1.0, 1.0)))
    return record(
        program("one", openmpc, baseline=good, thesis=slow, auto=variant(problem="wrong answer: token 2")),
        program("two", baseline=variant(problem="not built"), thesis=good, auto=good),
    )


def test_a_failure_leaves_the_rest_of_the_figure() -> None:
    made = broken_record()
    assert problems(made) == ["one, auto: wrong answer: token 2", "two, baseline: not built"]
    one, two = groups(made)
    assert two.unit is None
    assert two.normalised(two.bars[1]) is None
    assert one.normalised(one.bars[2]) is None
    text = table(made)
    assert "OpenMPC default" in text
    assert "FAILED two, baseline: not built" in text


def test_the_picture_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "record.json"
    path.write_text(json.dumps(broken_record()), encoding="utf-8")
    assert main(["plot", str(path), "--png", str(tmp_path / "figure.png")]) == 0
    picture = (tmp_path / "figure.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 10_000


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 us"),
        (1.5e-6, "1.50 us"),
        (9.999e-4, "1.00 ms"),
        (0.0123, "12.3 ms"),
        (99.97, "100 s"),
        (3e-8, "0.03 us"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_reference_covers_the_figure() -> None:
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))["programs"]
    assert reference.keys() == {p.name for p in FIGURE_16}
    for entry in reference.values():
        assert all(entry[size]["seconds"]["default"] > 0 for size in ("thesis", "large"))


def test_sizes_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sizes.json"
    path.write_text('{"jacobi": {"arguments": [50, 60], "defines": ["MAX_ROWS=50"]}}', encoding="utf-8")
    ((jacobi, size),) = with_sizes(FIGURE_16, str(path))
    assert jacobi.name == "jacobi"
    assert (size.label, size.arguments, size.flags) == ("50 60", ("50", "60"), ("-DMAX_ROWS=50",))


@pytest.mark.parametrize("text", ["{", "[]", '{"nope": {}}', '{"jacobi": 3}', '{"jacobi": {"arguments": "5"}}'])
def test_wrong_sizes_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sizes.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SizesError, match=r"sizes\.json"):
        with_sizes(FIGURE_16, str(path))


def test_unknown_size_names_the_known_ones() -> None:
    with pytest.raises(SizesError, match="thesis and large"):
        with_sizes(FIGURE_16, "small")


def test_no_command_shows_help() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    assert "fig16" in done.stdout


FAKE = """#!/bin/sh
[ "$OMPC_OFFLOAD" = always ] || exit 9
cat >"$OMPC_PROFILE" <<'END'
{ledger}
END
echo "{output}"
echo "{complaint}" >&2
"""


def fake_programs(folder: Path, made: dict[str, object], output: str, complaint: str = "") -> None:
    """Executables that stand for pi_integral as gcc and as ompc at each level would build it."""
    host = folder / "pi_integral.host"
    host.write_text("#!/bin/sh\necho 'pi 3.141592653590'\necho 'seconds 0.25' >&2\n", encoding="utf-8")
    text = FAKE.format(ledger=json.dumps(made), output=output, complaint=complaint)
    for level in LEVELS:
        (folder / f"pi_integral.{level}").write_text(text, encoding="utf-8")
    for path in folder.iterdir():
        path.chmod(0o755)


def measured(folder: Path, *options: str) -> tuple[int, dict[str, object]]:
    path = folder / "record.json"
    common = ["fig16", "--only", "pi_integral", "--runs", "3", "--work", str(folder), "--reuse", "--json", str(path)]
    status = main([*common, *options])
    return status, json.loads(path.read_text(encoding="utf-8"))


def test_a_measurement_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake_programs(tmp_path, ledger(region(2.0, 0.5, 1.0, 0.25)), "pi 3.141592653589")
    status, made = measured(tmp_path)
    assert status == 0
    (group,) = groups(made)
    assert [bar.median for bar in group.bars] == [Split(0.5, 1.0, 0.25, 0.25)] * 3
    assert group.host_seconds == 0.25
    assert "PI (Integral)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("made", "output", "complaint", "problem"),
    [
        (ledger(region(2.0, 0.5, 1.0, 0.25)), "pi 3.14", "", "wrong answer: token 2"),
        (ledger(region(2.0, 0.0, 0.0, 0.0, 1, 1)), "pi 3.141592653590", "ompc: a.c:1: no device", "a.c:1: no device"),
        (ledger(), "pi 3.141592653590", "", "on the host"),
    ],
)
def test_wrong_answers_and_refusals_are_failures(
    tmp_path: Path, made: dict[str, object], output: str, complaint: str, problem: str
) -> None:
    fake_programs(tmp_path, made, output, complaint)
    status, written = measured(tmp_path)
    assert status == 1
    assert len(problems(written)) == 3
    assert all(problem in text for text in problems(written))


def test_a_failing_command_says_what_it_printed(tmp_path: Path) -> None:
    script = tmp_path / "broken"
    script.write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n", encoding="utf-8")
    script.chmod(0o755)
    with pytest.raises(measure.MeasurementError, match=r"exit status 3[^$]*no such luck"):
        measure.run(script, FIGURE_16[0].sizes["thesis"], os.environ)
    with pytest.raises(measure.MeasurementError, match="No such file"):
        measure.run(tmp_path / "missing", FIGURE_16[0].sizes["thesis"], os.environ)
