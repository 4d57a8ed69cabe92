"""docs/python.md and first_tasks.md are true: their sessions print what they say, with the files that they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.mark.parametrize(
    ("page", "file", "fence"), [("python.md", "heat.c", "c"), ("first_tasks.md", "diffuse.c", "c diffuse.c")]
)
def test_the_session_is_what_python_prints(
    page: str,
    file: str,
    fence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library_cxx: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`fence`: what stands behind the backticks above the program."""
    text = (DOCS / page).read_text()
    program = re.search(rf"^```{fence}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert program is not None
    (tmp_path / file).write_text(program[1])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CXX", library_cxx)
    session = "".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0, capsys.readouterr().out
