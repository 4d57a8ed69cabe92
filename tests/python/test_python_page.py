"""docs/python.md is true: its session prints what it says, with the file that it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "python.md"


def test_the_session_is_what_python_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library_cxx: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text()
    program = re.search(r"^```c\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert program is not None
    (tmp_path / "heat.c").write_text(program[1])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CXX", library_cxx)
    session = "".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "python.md", str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0, capsys.readouterr().out
