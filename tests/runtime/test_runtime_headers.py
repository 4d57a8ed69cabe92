"""Each header of the runtime includes what it uses: a compiler reads it by itself, as the first line of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_builds import COMMON, compile_or_fail, nvcc

from ompc.base.resources import Runtime, include_words, runtime_files

QUICK = ("ompc_host.h", "ompc_lock.h", "ompc_settings.h", "ompc_tiling.h")
"""For normal tests: a header of each kind. All of them are a minute of a processor."""


def headers(*parts: Runtime, c: bool) -> list[Path]:
    """Those in C, or in C++: the sign of a comment tells."""
    files = [path for part in parts for path in runtime_files(part).values() if path.suffix == ".h"]
    return [path for path in files if path.read_text().startswith("/*") == c]


def each(paths: list[Path]) -> pytest.MarkDecorator:
    params = [pytest.param(p, id=p.name, marks=() if p.name in QUICK else pytest.mark.nightly) for p in paths]
    return pytest.mark.parametrize("path", params)


@each(headers(Runtime.COMMON, c=True))
def test_a_header_of_c_stands_alone(path: Path) -> None:
    words = ["-std=gnu11", "-fopenmp", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    compile_or_fail(["gcc", *words, *COMMON, "-x", "c", path])


@each(headers(Runtime.COMMON, Runtime.EMULATE, c=False))
def test_a_header_of_cxx_stands_alone(path: Path) -> None:
    words = ["-std=c++17", "-fopenmp", "-mfma", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    compile_or_fail(["g++", *words, *include_words(Runtime.EMULATE), *COMMON, "-x", "c++", path])


@pytest.mark.nvcc
@pytest.mark.nightly
@pytest.mark.parametrize("path", headers(Runtime.COMMON, Runtime.CUDA, c=False), ids=lambda path: path.name)
def test_a_header_stands_alone_for_nvcc(path: Path) -> None:
    words = ["-std=c++17", "-arch=sm_90", "-Xcompiler", "-fsyntax-only", "-diag-suppress", "177"]
    includes = [*include_words(Runtime.CUDA), *COMMON]
    compile_or_fail([nvcc().path, *words, *includes, "-x", "cu", "-c", path, "-o", "/dev/null"])
