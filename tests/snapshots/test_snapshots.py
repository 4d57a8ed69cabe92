"""Small programs beside all that ompc makes of them; `pytest --rewrite` writes the expectations anew.

cases/NAME/input.c          the program; a first line `/* opt: thesis */` chooses the level
cases/NAME/expected.sema    the typed tree of the user's functions (sema)
cases/NAME/expected.omp     the parallel loops (omp)
cases/NAME/expected.facts   what the analyses found (analysis)
cases/NAME/expected.plan    the plan as text
cases/NAME/expected.cu      the device file
cases/NAME/expected.c       the host file
cases/NAME/expected.json    the report
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from accepted_by_nvcc import check_accepted

from ompc import __version__
from ompc.base.options import Level, Options
from ompc.driver import translate

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())


def products() -> dict[str, str]:
    """The texts to compare, by file name. The program is translated under its own name, so that no path is in them."""
    source = Path("input.c")
    translation = translate(source, Options(level_of(source)))
    return {
        "expected.sema": translation.dumps["sema"],
        "expected.omp": translation.dumps["omp"],
        "expected.facts": translation.dumps["analysis"],
        "expected.plan": translation.dumps["plan"],
        "expected.cu": translation.files.get("input.cu", "").replace(f"ompc {__version__}", "ompc VERSION"),
        "expected.c": translation.files["input.c"],
        "expected.json": json.dumps(translation.report, indent=2) + "\n",
    }


def level_of(source: Path) -> Level:
    level = re.match(r"/\* opt: (\w+) \*/", source.read_text())
    return Level(level.group(1)) if level else Level.AUTO


@pytest.mark.parametrize("name", NAMES)
def test_snapshot(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = CASES / name
    monkeypatch.chdir(directory)
    texts = products()
    if request.config.getoption("--rewrite", default=False):
        for file, text in texts.items():
            (directory / file).write_text(text)
    for file, text in texts.items():
        assert str(directory) not in text
        assert text == (directory / file).read_text(), f"{name}/{file} has changed (pytest --rewrite)"


@pytest.mark.nvcc
def test_nvcc_makes_machine_code_of_each(tmp_path: Path) -> None:
    """Optimised; of the programs that are executed it looks at the text alone, but for the night."""
    translations = []
    for name in NAMES:
        source = tmp_path / f"{name}.c"
        source.write_text((CASES / name / "input.c").read_text())
        translations.append(translate(source, Options(level_of(source), tag=name)))
    check_accepted(translations, tmp_path, full=True)
