"""README.md is short and true: its generated code is what ompc prints, its links lead somewhere, its commands exist.

`pytest --rewrite tests/test_readme.py` puts the code of today into it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.cli import command_line
from ompc.driver import translate

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
_FENCE = re.compile(r"^```(?:c|cuda)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets_of_today(source: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The translated function of the host file, and the kernel of the device file with its comment."""
    monkeypatch.chdir(directory)
    (directory / "smooth.c").write_text(source)
    files = translate(Path("smooth.c"), Options()).files
    function = re.search(r"^void .*?^}\n", files["smooth.c"], re.MULTILINE | re.DOTALL)
    assert function is not None
    kernel = re.search(r"^// smooth\.c:\d+: .*?^}\n", files["smooth.cu"], re.MULTILINE | re.DOTALL)
    assert kernel is not None
    return function[0], kernel[0]


def test_the_generated_code_is_what_ompc_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    text = README.read_text()
    source, host, device = _FENCE.findall(text)
    now = snippets_of_today(source, tmp_path, monkeypatch)
    if request.config.getoption("--rewrite", default=False):
        text = text.replace(f"```c\n{host}", f"```c\n{now[0]}")
        README.write_text(text.replace(f"```cuda\n{device}", f"```cuda\n{now[1]}"))
        return
    assert (host, device) == now, "pytest --rewrite tests/test_readme.py"


def test_it_is_short_and_begins_with_what_to_type() -> None:
    lines = README.read_text().splitlines()
    assert len(lines) < 150
    screen = "\n".join(lines[:30])
    assert "make demo" in screen and "make test" in screen
    for name in re.findall(r"^    ompc (\S+)|\"ompc (\S+)\"", screen, re.MULTILINE):
        assert "".join(name) in command_line.commands


def test_who_promises_independence_is_in_the_first_paragraph() -> None:
    first = README.read_text().split("\n\n")[1]
    assert "**you promise\nit**" in first and "proved" in first and "stay on the host" in first


def test_the_page_of_commands_has_all() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    assert not [name for name in command_line.commands if f"    ompc {name} " not in page]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:ompc|tests|templates|benchmarks|docs)/[\w./]*)`", page.read_text())
    missing = [name for name in named if not (ROOT / name).exists()]
    assert not missing
