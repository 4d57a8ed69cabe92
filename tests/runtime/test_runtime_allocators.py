"""The runtime in front of libraries that replace malloc: linked with the program, or preloaded."""

from __future__ import annotations

import ctypes.util
import os
from pathlib import Path

import pytest
from runtime_builds import PROGRAMS, Builder, run

from ompc.base.options import options_of_heap

OTHER = "other_malloc"
# Small packages of Debian and Ubuntu: libjemalloc2, libtcmalloc-minimal4, libmimalloc2.0
ALLOCATORS = (OTHER, "jemalloc", "tcmalloc_minimal", "mimalloc")


def library(build: Builder, name: str) -> str:
    if name == OTHER:
        source = PROGRAMS / "other_malloc.c"
        return str(build.plain("other_malloc.so", source, ["-shared", "-fPIC", "-O1", "-fno-builtin"], "gcc"))
    found = ctypes.util.find_library(name)
    if found is None and name in os.environ.get("OMPC_REQUIRE_ALLOCATORS", "").split():
        pytest.fail(f"{name} was not found, and OMPC_REQUIRE_ALLOCATORS says that it must be", pytrace=False)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def program(build: Builder, name: str, *flags: str | Path) -> Path:
    heap = build.c_runtime("heap-allocators.o", "-O1")
    return build.plain(name, PROGRAMS / "allocators.c", ["-std=gnu11", "-O1", heap, *flags], "gcc")


@pytest.mark.parametrize("name", ["", *ALLOCATORS])
@pytest.mark.parametrize("disabled", ["", "1"])
def test_preloaded(build: Builder, name: str, disabled: str) -> None:
    preloaded = {"LD_PRELOAD": library(build, name)} if name else {}
    done = run([program(build, "allocators")], OMPC_DISABLE=disabled, **preloaded)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_linked(build: Builder) -> None:
    other = library(build, OTHER)
    done = run([program(build, "allocators-linked", "-Wl,--no-as-needed", other)])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_memory_of_others_is_seen(build: Builder, tmp_path: Path) -> None:
    """The check that the above rely on."""
    text = '#include <stdlib.h>\n#include <stdio.h>\nint main(void) { static char x[64]; free(x + 32); puts(""); }'
    (tmp_path / "wrong.c").write_text(text)
    flags: list[str | Path] = ["-w", "-Wl,--no-as-needed", library(build, OTHER)]
    assert run([build.plain("wrong", tmp_path / "wrong.c", flags, "gcc")]).returncode == 9


@pytest.mark.parametrize("sanitizer", ["thread", "address", "undefined", "leak"])
def test_sanitizers_begin(build: Builder, sanitizer: str) -> None:
    """They call functions of libc before anything that is compiled for them can run."""
    flag = f"-fsanitize={sanitizer}"
    heap = build.c_runtime(f"heap-{sanitizer}.o", "-O1", *options_of_heap([flag], []))
    done = run([build.plain(f"begins-{sanitizer}", PROGRAMS / "begins.c", ["-O1", flag, heap], "gcc")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")
