"""Choices as clauses, as JSON and as a patch; what of a program's output is compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ompc.base.tuning import NO_CHOICES, ChoiceError, Entry, ShapeChoices, Tuning, checked, from_json, to_json
from ompc.toolchain.machine.tuning_files import keep_tuning, read_tuning, tuning_directory
from ompc.tools.answers.reference import Finished, reference_of
from ompc.tools.tune.clauses import patch
from ompc.tools.tune.session import Loop, Result
from ompc.tools.tune.table import format_results

SHAPE = ShapeChoices(rows=8, block=(64, 4), fills=2)
ENTRY = Entry("NVIDIA H200", "0123456789abcdef", 24, SHAPE, 0.001, 0.002, "a.c:3 parallel for")


def test_spellings() -> None:
    assert SHAPE.clauses == "rows(8) block(64, 4) fills(2)"
    assert SHAPE.environment == "rows=8,block=64x4,fills=2"
    assert ShapeChoices(tile=0, block=(128, 1)).clauses == "tile(0) block(128)"
    assert ShapeChoices(schedule=2, lanes=64).clauses == "schedule(2) lanes(64)"
    assert ShapeChoices(schedule=0, lanes=0).environment == "schedule=0"
    assert SHAPE.then(ShapeChoices(rows=1, lanes=4)) == ShapeChoices(rows=1, lanes=4, block=(64, 4), fills=2)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("block", n) for n in ((), (33,), (64, 8), (8, 4, 1))]
    + [("rows", (3,)), ("fills", (0,)), ("schedule", (3,)), ("x", (1,))],
)
def test_what_no_kernel_is_made_for(name: str, numbers: tuple[int, ...]) -> None:
    with pytest.raises(ChoiceError, match=rf"^`{name}` "):
        checked(name, numbers)


def test_json_and_back() -> None:
    record = json.loads(json.dumps(to_json("NVIDIA H200", [ENTRY])))
    assert from_json(record) == (ENTRY,)
    for damage in ({"schema": 2}, {"loops": [{}]}, {"loops": 3}, {"device": None, "loops": [{"choices": {"rows": 5}}]}):
        with pytest.raises(ChoiceError):
            from_json({**record, **damage})
    with pytest.raises(ChoiceError):
        from_json([])


def test_files_are_kept_by_device(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    other = Entry("Other GPU", ENTRY.content, 20, SHAPE, 1.0, 2.0)
    path = keep_tuning(environ, "NVIDIA H200", Tuning((ENTRY, other)))
    assert path == tmp_path / "ompc" / "tuning" / "NVIDIA-H200.json"
    assert read_tuning(environ).entries == (ENTRY,)
    keep_tuning(environ, "Other GPU", Tuning((ENTRY, other)))
    assert read_tuning(environ).of(ENTRY.content) == (ENTRY, other)
    assert tuning_directory({**environ, "OMPC_TUNING": ""}) is None
    assert keep_tuning({**environ, "OMPC_TUNING": ""}, "x", Tuning((ENTRY,))) is None


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, '{"schema": 9}', "\xff"])
def test_a_file_that_cannot_be_used_is_said(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(text.encode("latin-1"))
    found = read_tuning({"OMPC_TUNING": str(tmp_path)})
    assert [problem.code for problem in found.problems] == ["OMPC484"] and not found.entries


def test_newer_measurements_stand_for_older_ones() -> None:
    fresh = Entry(ENTRY.device, ENTRY.content, 24, ShapeChoices(rows=4), 0.001, 0.002)
    assert Tuning((ENTRY,)).with_entries([fresh]).entries == (fresh,)
    assert Tuning((ENTRY,)).without([(ENTRY.device, ENTRY.content, 24)]).entries == ()


SOURCE = """\
void f(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++);
#   pragma ompc rows(4)
#   pragma omp parallel for
    for (int i = 0; i < n; i++);
    LOOP
}"""


def test_a_patch_for_the_source() -> None:
    loops = [Loop("a.c", 3, "f_3", 10), Loop("a.c", 3, "f_3", 20), Loop("a.c", 6, "f_6", 20), Loop("a.c", 8, "f_8", 20)]
    shapes = [ShapeChoices(rows=1), ShapeChoices(block=(64, 4)), SHAPE, SHAPE]
    results = [Result(loop, shape, 1.0, 2.0) for loop, shape in zip(loops, shapes, strict=True)]
    text = patch(results, {result: result.loop.size_class for result in results}, {"a.c": SOURCE})
    assert (
        text
        == """\
--- a.c
+++ a.c
@@ -1,7 +1,8 @@
 void f(int n)
 {
+    #pragma ompc block(64, 4)
     #pragma omp parallel for
     for (int i = 0; i < n; i++);
-#   pragma ompc rows(4)
+#pragma ompc rows(8) block(64, 4) fills(2)
 #   pragma omp parallel for
     for (int i = 0; i < n; i++);
"""
    )
    nothing = Result(loops[0], NO_CHOICES, 1.0, 1.0)
    assert patch([nothing], {nothing: 1}, {"a.c": SOURCE}) == ""


def test_lines_that_differ_from_run_to_run_are_not_compared() -> None:
    reference = reference_of(Finished(0, "sum 1.5\ntime 3.1\n"), Finished(0, "sum 1.5\ntime 3.2\n"), 1e-6)
    assert reference.left_out == 1
    assert reference.problem(Finished(0, "sum 1.5000001\ntime 9\n")) is None
    found = reference.problem(Finished(0, "sum 1.6\ntime 3.1\n"))
    assert found == "line 1 of the output, token 2: expected 1.5, got 1.6"
    assert reference.problem(Finished(1, "sum 1.5\ntime 3.1\n")) == "it ended with status 1, on the host with 0"
    assert reference.problem(Finished(0, "sum 1.5\n")) == "it printed 1 lines, on the host 2"
    nothing = reference_of(Finished(0, "a\n"), Finished(0, "a\nb\n"), 1e-6)
    assert nothing.left_out is None and nothing.problem(Finished(0, "")) is None


def test_names_with_brackets_are_shown() -> None:
    loop = Loop("a[red].c", 3, "f_3", 20)
    text = format_results("head", [Result(loop, ShapeChoices(rows=4), 1e-3, 2e-3)], {loop: 7})
    assert "a[red].c:3" in text and "2.00 x   rows(4)" in text
