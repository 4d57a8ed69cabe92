"""Each program of cases/ beside the OpenMP stage's text form of it; `pytest --rewrite` writes those anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.diagnostics import TITLES
from ompc.driver import compile_to
from ompc.omp.regions import OmpUnit
from ompc.omp.show import show_unit

CASES = Path(__file__).parent / "cases"


def loops_of(source: Path) -> OmpUnit:
    return compile_to("omp", source)


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.c")))
def test_case(name: str, request: pytest.FixtureRequest) -> None:
    text = show_unit(loops_of(CASES / f"{name}.c"))
    expected = CASES / f"{name}.expected"
    if request.config.getoption("--rewrite", default=False):
        expected.write_text(text)
    assert text == expected.read_text()


def test_every_code_of_the_stage_has_a_case() -> None:
    text = "".join(path.read_text() for path in CASES.glob("*.expected"))
    codes = ["OMPC201", *(code for code in TITLES if code.startswith("OMPC3") and code <= "OMPC316")]
    codes.remove("OMPC307")  # where a line can be inserted: tests/render
    codes.remove("OMPC311")  # compilers accept no such text: test_omp_directives.py
    assert [code for code in codes if code not in text] == []
