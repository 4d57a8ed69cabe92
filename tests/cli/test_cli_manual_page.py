"""docs/man has what the help texts say today, and `man` has nothing against it.

`pytest --rewrite tests/cli/test_cli_manual_page.py` writes the pages anew.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from manual_page import manual_pages

from ompc.base.resources import PACKAGE
from ompc.cli import command_line

ROOT = PACKAGE.parent
PAGES = ROOT / "docs" / "man"
PAGE = PAGES / "ompc.1"
NAMES = ["ompc.1", *(f"ompc-{name}.1" for name in sorted({*command_line.commands, "c++"}))]
each_page = pytest.mark.parametrize("page", [PAGES / name for name in NAMES], ids=lambda page: page.name)


def test_the_pages_are_of_today(request: pytest.FixtureRequest) -> None:
    now = manual_pages((ROOT / "docs" / "commands.md").read_text())
    if request.config.getoption("--rewrite"):
        for name, text in now.items():
            (PAGES / name).write_text(text)
    found = {path.name: path.read_text() for path in PAGES.iterdir()}
    assert found == now, "pytest --rewrite tests/cli/test_cli_manual_page.py"
    assert sorted(found) == sorted(NAMES)


def test_every_command_has_a_section() -> None:
    text = PAGE.read_text()
    for name in command_line.commands:
        assert f".SS ompc {name}\n".replace("-", "\\-") in text
    assert "OMPC_CACHE_DIR" in text and ".SH EXIT STATUS" in text


def shown(page: Path) -> str:
    """As `man` shows it; it warns of nothing."""
    command = ["man", "--warnings=all", "-E", "UTF-8", "-l", str(page)]
    environ = {"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "MANROFFOPT": ""}
    done = subprocess.run(command, env=environ, cwd=PAGES, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.skipif(shutil.which("man") is None or shutil.which("groff") is None, reason="no man")
def test_man_shows_them_without_a_warning() -> None:
    text = shown(PAGE)
    assert "ompc build jacobi.c -o jacobi\n" in text, "lines of examples stay lines"
    assert "--opt [baseline|thesis|auto]" in text and "ompc-build-and-run(1)," in text
    text = shown(PAGES / "ompc-build-and-run.1")
    assert "ompc-build-and-run - build the program, then run it with the ARGUMENTS\n" in text
    assert "ompc build-and-run [OPTIONS] FILE.c..." in text and "--require-gpu" in text and "-isystem DIR" in text
    text = shown(PAGES / "ompc-cc.1")
    assert "--gpus one|several               kernels of which each GPU may do a part\n" in text


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc")
@each_page
def test_mandoc_accepts_it(page: Path) -> None:
    other = page.read_text().removeprefix(".so man1/")  # the page of another command, where pages are installed
    if other != page.read_text():
        assert (PAGES / other.rstrip("\n")).is_file()
        return
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if "missing date" not in line]  # it would be out of date
    assert not found
