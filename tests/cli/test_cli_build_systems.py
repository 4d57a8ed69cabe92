"""Every file and command line of docs/build_systems.md, in a folder for each section. The kernels are emulated."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ompc.base.resources import PACKAGE

PAGE = PACKAGE.parent / "docs" / "build_systems.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FRONT, *SECTIONS = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
ALL = ("main.c:12", "mesh.c:5")
ON_DEVICE = {"CMake, target by target": [*ALL, *ALL, "mesh.c:5"]}
"""The loops that run on the device, where that is not each of them once."""


def blocks(section: str) -> tuple[dict[str, str], list[str]]:
    """Its files by name, and its command lines."""
    found = _BLOCK.findall(section)
    files = {name: text for _, name, text in found if name}
    return files, [text for language, name, text in found if language == "sh" and not name]


@pytest.fixture
def environ(tmp_path: Path, hasty_cxx: str, emulating_cxx: str, ompc_command: str) -> dict[str, str]:
    """With ompc's commands on the PATH, and the tools that PyPI has beside the interpreter."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, words in (("ompc", ""), ("ompc-cc", "cc"), ("ompc-c++", "c++")):
        (commands / name).write_text(f'#!/bin/sh\nexec {ompc_command} {words} "$@"\n')
        (commands / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in {"CC", "CFLAGS", "MAKEFLAGS", "OMPC_LOG"}}
    return {
        **kept,
        "PATH": f"{commands}:{os.environ['PATH']}:{Path(sys.executable).parent}",
        "PYTHONPATH": str(PACKAGE.parent),
        "OMPC_TARGET": "emulate",
        "OMPC_CXX": hasty_cxx,
        "CXX": emulating_cxx,
        "OMPC_LOG": "3",
        "OMPC_OFFLOAD": "always",
    }


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0])
def test_a_section(section: str, tmp_path: Path, environ: dict[str, str]) -> None:
    title = section.partition("\n")[0]
    files, commands = blocks(section)
    needed = "meson" if title == "Meson" else title.split(",")[0].lower()
    if shutil.which(needed, path=environ["PATH"]) is None:
        pytest.skip(f"no {needed}")
    (tmp_path / "project").mkdir()
    for name, text in {**blocks(FRONT)[0], **files}.items():
        (tmp_path / "project" / name).write_text(text)
    assert files and commands
    said = subprocess.run(
        ["sh", "-ec", "\n".join(commands)],
        cwd=tmp_path / "project",
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert said.returncode == 0, said.stdout
    answers = [line for line in said.stdout.splitlines() if re.fullmatch(r"\d+\.\d\d", line)]
    programs = [line for line in "".join(commands).splitlines() if line.startswith("./")]
    assert answers == ["2992.00"] * len(programs), said.stdout
    launches = re.findall(r"^ompc: (?:\S*/)?(\w+\.c:\d+): \w+: grid", said.stdout, re.MULTILINE)
    assert sorted(launches) == sorted(ON_DEVICE.get(title, ALL)), said.stdout
