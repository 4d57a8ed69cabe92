"""When the calls of MPI are followed, and what is said where they are not; without an MPI."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.base.diagnostics import Diagnostic
from ompc.toolchain.commands.steps import Step
from ompc.toolchain.objects.cc_mpi import mpi_step

CALLS = "int MPI_Send(void); int main(void) { return MPI_Send(); }"


def object_of(text: str, folder: Path) -> Path:
    (folder / "program.c").write_text(text)
    subprocess.run(["gcc", "-c", folder / "program.c", "-o", folder / "program.o"], check=True)
    return folder / "program.o"


def step_of(text: str, folder: Path, *words: str) -> Step | Diagnostic | None:
    return mpi_step([object_of(text, folder)], words, ["gcc", "-std=gnu11"], dict(os.environ), folder)


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        (CALLS, [], "mpi.h of MPI 3 or later is not found"),
        (CALLS, ["-shared"], "a shared library does not know what is called instead of its functions"),
        (CALLS.replace("MPI_Send", "PMPI_Send"), [],
         "program.o calls it by the names that are for functions which stand in front of it (PMPI_...)"),
        ("int MPI_Send(void) { return 0; } " + CALLS, [], "program.o has functions of its own in front of it"),
    ],
)  # fmt: skip
def test_what_is_not_followed(text: str, words: list[str], why: str, tmp_path: Path) -> None:
    said = step_of(text, tmp_path, *words)
    assert isinstance(said, Diagnostic)
    message = f"calls of MPI are not followed, so every loop copies its arrays: {why}"
    assert (said.code, said.message) == ("OMPC426", message)


def test_other_programs_need_nothing(tmp_path: Path) -> None:
    assert step_of("int main(void) { return 0; }", tmp_path) is None


def test_headers_are_found_by_the_words_of_the_link(tmp_path: Path) -> None:
    (tmp_path / "mpi.h").write_text("#define MPI_VERSION 3\n")
    found = step_of(CALLS, tmp_path, "-I", str(tmp_path))
    assert isinstance(found, Step)
    assert found.command[found.command.index("-I") + 1] == str(tmp_path)
