"""docs/ompc.1 is what the help texts say today, and `man` has nothing against it.

`pytest --rewrite tests/cli/test_cli_manual_page.py` writes it anew.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from manual_page import manual_page

from ompc.base.resources import PACKAGE
from ompc.cli import command_line

ROOT = PACKAGE.parent
PAGE = ROOT / "docs" / "ompc.1"


def test_the_page_is_of_today(request: pytest.FixtureRequest) -> None:
    now = manual_page((ROOT / "docs" / "commands.md").read_text())
    if request.config.getoption("--rewrite"):
        PAGE.write_text(now)
    assert PAGE.read_text() == now, "pytest --rewrite tests/cli/test_cli_manual_page.py"


def test_every_command_has_a_section() -> None:
    text = PAGE.read_text()
    for name in command_line.commands:
        assert f".SS ompc {name}\n".replace("-", "\\-") in text
    assert "OMPC_CACHE_DIR" in text and ".SH EXIT STATUS" in text


@pytest.mark.skipif(shutil.which("man") is None or shutil.which("groff") is None, reason="no man")
def test_man_shows_it_without_a_warning() -> None:
    command = ["man", "--warnings=all", "-E", "UTF-8", "-l", str(PAGE)]
    environ = {"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "MANROFFOPT": ""}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "ompc build jacobi.c -o jacobi\n" in done.stdout, "lines of examples stay lines"
    assert "--opt [baseline|thesis|auto]" in done.stdout


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc")
def test_mandoc_accepts_it() -> None:
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(PAGE)], capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if "missing date" not in line]  # it would be out of date
    assert not found
