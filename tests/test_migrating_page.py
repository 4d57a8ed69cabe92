"""docs/migrating.md is true: OpenMPC's clauses do what it says, rows agree with openmp.md, examples translate."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate
from ompc.omp.grammar import DIRECTIVES
from ompc.omp.wishes import openmpc

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "migrating.md").read_text()
_EXAMPLE = re.compile(r"^<!-- (\d) loops? on the device -->\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = _EXAMPLE.findall(TEXT)


def table(first_cell: str, text: str = TEXT) -> list[tuple[list[str], list[str]]]:
    """The names in the first cell of each row, and its other cells, of the table with that head."""
    rows = text.split(f"\n| {first_cell} |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [row.strip("| ").split(" | ") for row in rows]
    return [(re.findall(r"`([\w ]+)", row[0]), row[1:]) for row in cells]


OPENMPC = table("directive or clause of `#pragma cuda`")


def test_openmpc_has_a_row_for_every_name() -> None:
    known = openmpc._DIRECTIVES | openmpc._WITHOUT_EFFECT | openmpc._ONE_LOOP
    known |= {"threadblocksize", "maxnumofblocks", "constant", "noconstant"}
    assert {name.lower() for names, _ in OPENMPC for name in names} == known


def test_clauses_without_effect_are_those_that_ompc_reads_so() -> None:
    rows = {name.lower() for names, (what,) in OPENMPC if what.startswith("no effect") for name in names}
    assert rows == openmpc._WITHOUT_EFFECT


def plan_and_codes(pragma: str) -> tuple[str, set[str]]:
    program = f"double a[100], b[100];\nvoid f(void)\n{{\n{pragma}\n#pragma omp parallel for\n"
    Path("a.c").write_text(program + "for (int i = 0; i < 100; i++)\n    a[i] = b[i];\n}\n")
    found = translate(Path("a.c"), Options())
    return found.dumps["plan"], {diagnostic.code for diagnostic in found.diagnostics}


def test_clauses_do_what_their_rows_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain, _ = plan_and_codes("")
    for names, (what,) in OPENMPC[3:]:
        for name in names:
            list_or_number = "" if name.startswith(("nolo", "nopl")) else "(b)"
            argument = "(64)" if name in ("threadblocksize", "maxnumofblocks") else list_or_number
            plan, codes = plan_and_codes(f"#pragma cuda gpurun {name}{argument}")
            assert not codes, name
            assert not what.startswith("no effect") or plan == plain, name
    assert plan_and_codes("#pragma cuda gpurun threadblocksize(64)")[0] != plain
    assert plan_and_codes("#pragma cuda gpurun constant(b)")[0] != plain
    assert plan_and_codes("#pragma cuda nogpurun")[1] == {"OMPC356"}


@pytest.mark.parametrize("what", ["directive", "clause"])
def test_target_rows_are_those_of_the_other_page(what: str) -> None:
    """The same place in both pages, and names that exist."""
    title = {"directive": "Directives", "clause": "Clauses"}[what]
    section = (DOCS / "openmp.md").read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    places = {name: cells[0] for names, cells in table(what, section) for name in names}
    if what == "directive":
        assert set(places) == set(DIRECTIVES)
    for names, (where, _) in table(what):
        assert {places[name] for name in names} == {where}, names


@pytest.mark.parametrize(("loops", "program"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs_on_the_device(
    loops: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(program)
    found = translate(Path("a.c"), Options())
    assert not found.diagnostics
    assert [region["target"] for region in found.report["regions"]] == ["gpu"] * int(loops)
