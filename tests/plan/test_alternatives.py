"""How else kernels could be made, for `ompc tune`; and that they are made as was measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from single_kernel import kernel

from ompc.base.options import Level, Options
from ompc.base.tuning import EMULATOR, Entry, ShapeChoices, Tuning
from ompc.driver import translate
from ompc.plan.model.plan import Plan

PROGRAM = """
static double u[50][60], v[50][60], a[8][8][64], b[8][8][64], w[9], far[60];
static int hist[40], key[900];
void f(int n, int m)
{
    double s = 0; int leaves = 0; (void)s; (void)leaves;
    BEFORE
    #pragma omp parallel for CLAUSES
    for (int i = 1; i < n; i++) {
        BODY
    }
    (void)s;
}
"""

PlanOf = Callable[..., Plan]


def of(plan_of: PlanOf, body: str, clauses: str = "", before: str = "", level: Level = Level.AUTO) -> list[str]:
    text = PROGRAM.replace("BODY", body).replace("CLAUSES", clauses).replace("BEFORE", before)
    return [choices.clauses for choices in kernel(plan_of(text, level)).alternatives]


FLAT = "for (int j = 0; j < m; j++) u[i][j] = 1;"
THREE = "for (int j = 0; j < 8; j++) for (int k = 0; k < 64; k++) a[i][j][k] = 2;"


@pytest.mark.parametrize(
    ("body", "clauses", "expected"),
    [
        ("u[i][0] = 1;", "", []),
        (FLAT, "", ["inner(0)", "lanes(0) inner(0)"]),  # no access is to neighbouring elements along i
        ("for (int j = 0; j < m; j++) u[i][j] = v[j][i];", "",
         ["inner(0)", "lanes(0) inner(0)", "order(2, 1)", "readonly(0)"]),
        ("for (int j = 0; j < m; j++) u[j][i] = 1;", "", ["inner(0)", "lanes(0) inner(0)"]),  # i is x already
        (THREE, "", ["inner(0)", "lanes(0) inner(0)", "inner(1)", "order(2, 1, 3)"]),
        ("for (int j = 0; j < m; j++) u[i][j] = v[j][i];", "lastprivate(s)", ["readonly(0)"]),
        ("u[i][0] = w[3];", "", ["constant(0)"]),
        ("u[i][0] = far[key[i] / 16];", "", ["constant(1)", "readonly(0)"]),
        ("u[i][0] = far[i];", "", ["readonly(0)"]),  # neighbouring lanes, neighbouring elements
        ("\n#pragma omp atomic\nhist[key[i]]++;", "", ["readonly(0)", "shared(0)"]),
        ("for (int k = key[i]; k < key[i + 1]; k++) s += far[k];", "reduction(+:s)",
         ["lanes(0)", "constant(1)", "readonly(0)"]),
    ],
)  # fmt: skip
def test_alternatives(plan_of: PlanOf, body: str, clauses: str, expected: list[str]) -> None:
    assert of(plan_of, body, clauses) == expected


def test_none_where_the_source_asks_or_at_other_levels(plan_of: PlanOf) -> None:
    assert not of(plan_of, FLAT, before="#pragma ompc block(64)")
    assert not of(plan_of, FLAT, before="#pragma cuda gpurun noloopcollapse")
    assert not of(plan_of, FLAT, level=Level.THESIS)


def test_what_is_asked_for_is_followed_where_it_is_possible(plan_of: PlanOf) -> None:
    text = PROGRAM.replace("CLAUSES", "")
    asked = text.replace("BEFORE", "#pragma ompc order(2, 1)")
    plan = kernel(plan_of(asked.replace("BODY", FLAT)))
    assert [loop.variable for loop in plan.grid] == ["j", "i"]
    assert plan.mapped_because is not None and plan.mapped_because.endswith("in the order j, i, as `#pragma ompc` asks")
    plan = kernel(plan_of(asked.replace("BODY", "u[i][0] = 1;")))
    assert plan.mapped_because == "not in another order: order(2, 1), as `#pragma ompc` asks, is not possible"
    plan = kernel(plan_of(text.replace("BEFORE", "#pragma ompc inner(1)").replace("BODY", THREE)))
    assert [loop.variable for loop in plan.grid] == ["i", "j"]
    plan = kernel(plan_of(text.replace("BEFORE", "#pragma ompc constant(1)").replace("BODY", "u[i][0] = far[i];")))
    assert [v.placed_because for v in plan.constants] == [
        "read only, 480 bytes, of which lanes of a warp read different elements, as `#pragma ompc` asks"
    ]


TABLE = PROGRAM.replace("CLAUSES", "").replace("BODY", "for (int j = 0; j < m; j++) u[i][j] = w[3];")


@pytest.fixture
def device_text(tmp_path: Path) -> Callable[..., str]:
    """The device file that is made of TABLE where this is known of its loop."""

    def run(*entries: tuple[str, int, ShapeChoices, float], before: str = "", emulated: bool = False) -> str:
        path = tmp_path / "t.c"
        path.write_text(TABLE.replace("BEFORE", before))
        regions = translate(path, Options()).report["regions"]
        assert isinstance(regions, list)
        content = regions[0]["tuning"]["content"]
        known = (Entry(device, content, size, made, 1.0, seconds) for device, size, made, seconds in entries)
        options = Options(tuning=Tuning(tuple(known), emulated=emulated))
        return translate(path, options).files["t.cu"]

    return run


INNER = ShapeChoices(inner=0)


def test_a_kernel_is_made_as_was_measured(device_text: Callable[..., str]) -> None:
    text = device_text(("H200", 20, ShapeChoices(inner=0, constant=0, block=(64, 1)), 2.0))
    text = " ".join(text.replace("\n//", " ").split())  # comments are wrapped
    assert "the loop over j stays inside a thread, 2.00 times as fast on H200, measured" in text
    assert "__constant__" not in text and "no constant memory, 2.00 times as fast on H200, measured" in text
    assert 'ompc::on("H200", 20).block(64, 1),' in text
    assert "tuned" not in device_text(("H200", 20, INNER, 2.0))


def test_one_kernel_for_all_devices_and_sizes(device_text: Callable[..., str]) -> None:
    """That of the launch that takes longest; shapes that were measured with another one do not count."""
    other = ("H200", 10, ShapeChoices(block=(32, 1)), 3.0)
    assert "stays inside" not in device_text(("H200", 20, INNER, 2.0), other)
    text = device_text(("H200", 20, INNER, 4.0), other)
    assert "stays inside" in text and "tuned" not in text


def test_the_emulator_decides_for_itself_alone(device_text: Callable[..., str]) -> None:
    entry = (EMULATOR, 20, INNER, 2.0)
    assert "stays inside" not in device_text(entry)
    assert "stays inside" in device_text(entry, emulated=True)


def test_the_source_is_heard_before_measurements(device_text: Callable[..., str]) -> None:
    text = device_text(("H200", 20, INNER, 2.0), before="#pragma ompc constant(0)")
    assert "stays inside" not in text and "no constant memory, as `#pragma ompc` asks" in text
