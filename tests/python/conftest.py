"""Libraries of the programs in this directory, each built once, with emulated kernels that are compiled quickly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from prepared_runtime import emulating_compiler

import ompc
from ompc.python.library import Library

PROGRAMS = Path(__file__).parent / "programs"
Load = Callable[..., Library]


@pytest.fixture(scope="session")
def library_cxx(runtime_folder: Path) -> str:
    """The command of a C++ compiler for the kernels of libraries."""
    return emulating_compiler(runtime_folder, ("-O0", "-fPIC"))


@pytest.fixture(scope="session")
def load(library_cxx: str) -> Load:
    """Loads a program of this directory, or any other file, emulated."""

    def load_program(name: str | Path, **options: object) -> Library:
        source = PROGRAMS / f"{name}.c" if isinstance(name, str) else name
        return ompc.load(source, target="emulate", cxx=library_cxx, **{"quiet": True, **options})  # type: ignore[arg-type]

    return load_program


@pytest.fixture(scope="session")
def loops(load: Load) -> Library:
    return load("loops")


@pytest.fixture(scope="session")
def values() -> Library:
    return ompc.load(PROGRAMS / "values.c", target="host")
