"""docs/contributing.md is true: what a step says is to be found in a file is there, and the commits exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "contributing.md").read_text()
_STEP = re.compile(r"^\| .+? \| (`[\w./]+`(?:, `[\w./]+`)*) \| `([^`|]+)` \|$", re.MULTILINE)
STEPS = [(path, words) for paths, words in _STEP.findall(TEXT) for path in re.findall(r"`([^`]+)`", paths)]


def test_every_step_has_been_read() -> None:
    tables = re.findall(r"^\| step \| where \| look for \|\n\| --- .*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert len(tables) == 4
    assert sum(len(table.splitlines()) for table in tables) == len(_STEP.findall(TEXT))


@pytest.mark.parametrize(("path", "words"), STEPS, ids=[f"{path} {words}" for path, words in STEPS])
def test_a_step_is_where_it_is_said_to_be(path: str, words: str) -> None:
    assert words in (ROOT / path).read_text()


def test_commits_that_are_named_exist() -> None:
    commits = re.findall(r"\b[0-9a-f]{7}\b", TEXT)
    assert commits
    if git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("no history here")
    assert {git("cat-file", "-t", commit) for commit in commits} == {"commit"}


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def test_folders_and_files_that_are_named_exist() -> None:
    named = re.findall(r"`((?:ompc|tests|templates|benchmarks|docs|\.ci)/[\w./]*)`", TEXT)
    assert not [name for name in named if not (ROOT / name).exists()]
