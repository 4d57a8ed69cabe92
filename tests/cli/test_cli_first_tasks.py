"""docs/first_tasks.md is true: its sessions with the shell say what they show. The kernels are emulated.

    ```c main.c        a file of the project, written as it stands
    ```diff main.c     lines that others take the place of, between lines of @@
    ```sh              commands
    ```console         commands behind $, each with lines of what it says: `excerpts.py` has the rules for dots

The session with Python is in tests/python.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from excerpts import Excerpt, check

from ompc.base.resources import PACKAGE

DOCS = PACKAGE.parent / "docs"
_OF_MAKE = {"CC", "CFLAGS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}
"""The tests may run under a make of their own."""
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = {
    section.partition("\n")[0]: section
    for section in re.split(r"^## ", (DOCS / "first_tasks.md").read_text(), flags=re.MULTILINE)[1:]
}


@pytest.fixture
def environ(tmp_path: Path, hasty_cxx: str, emulating_cxx: str, ompc_command: str) -> dict[str, str]:
    """With ompc on the PATH, where a test of an installed one has it."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "ompc").write_text(f'#!/bin/sh\nexec {ompc_command} "$@"\n')
    (commands / "ompc").chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in _OF_MAKE}
    return {
        **{name: value for name, value in kept.items() if not name.startswith("OMPC_") or name == "OMPC_CACHE_DIR"},
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": str(PACKAGE.parent),
        "OMPC_TARGET": "emulate",
        "OMPC_CXX": hasty_cxx,
        "OMPC_OFFLOAD": "always",
        "CXX": emulating_cxx,
        "LC_ALL": "C",
        "COLUMNS": "80",
    }


def changed(text: str, changes: str) -> str:
    """The text with the lines behind + in the place of those behind -, which are there once."""
    for change in changes.split("@@\n"):
        old, new = ("".join(line[1:] for line in change.splitlines(True) if line[0] == sign) for sign in "-+")
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def commands_of(session: str) -> Iterator[tuple[str, str]]:
    """Each command with what it is shown to say."""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, said = part.partition("\n")
        yield command, said


def run(command: str, directory: Path, environ: dict[str, str]) -> str:
    done = subprocess.run(
        ["sh", "-ec", command],
        cwd=directory,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("title", ["A solver", "A project with a makefile"])
def test_a_session(title: str, tmp_path: Path, environ: dict[str, str]) -> None:
    place = tmp_path / "project"
    place.mkdir()
    for program in re.findall(r"\]\((\w+\.c)\)", SECTIONS[title]):
        shutil.copy(DOCS / program, place)
    for language, name, text in _BLOCK.findall(SECTIONS[title]):
        if language == "diff":
            (place / name).write_text(changed((place / name).read_text(), text))
        elif name:
            (place / name).write_text(text)
        elif language == "sh":
            run(text, place, environ)
        else:
            assert language == "console"
            for command, said in commands_of(text):
                check(Excerpt(command, "", said), run(command, place, environ))
