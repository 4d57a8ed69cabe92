"""The runtime that comes with a wheel: who may link it, and that a wheel has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.base.resources import runtime_digest
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.commands import prebuilt_runtime as module
from ompc.toolchain.commands.commands import Variant
from ompc.toolchain.commands.prebuilt_runtime import ABOUT, Platform, platform_of, prebuilt_runtime
from ompc.toolchain.commands.runtime_object import known_runtime, runtime_object
from ompc.toolchain.commands.steps import Workplace
from ompc.toolchain.machine.cc import Compiler
from ompc.toolchain.machine.nvcc import Nvcc
from ompc.toolchain.machine.setting import Request, Setting, Target, choose_setting

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def setting() -> Setting:
    environ = {"PATH": os.environ["PATH"]}
    chosen = choose_setting(Request(Path(), Options(), target=Target.EMULATE), environ)
    return chosen if platform_of(chosen) is not None else pytest.skip("no g++ here")


@pytest.fixture
def folder(setting: Setting, tmp_path: Path) -> Path:
    """As a wheel that was made here has it, with other objects."""
    for name in ("cuda.o", "emulate.o", "emulate_library.o"):
        (tmp_path / name).write_text(name)
    write_about(tmp_path, setting)
    return tmp_path


def write_about(folder: Path, setting: Setting, **other: object) -> None:
    made = platform_of(setting)
    assert made is not None
    about = {"runtime": runtime_digest(), **asdict(made), "cuda": (13, 0)}
    (folder / ABOUT).write_text(json.dumps({**about, **other}))


def test_it_is_taken_where_it_was_made(folder: Path, setting: Setting) -> None:
    assert prebuilt_runtime(setting, Variant(), folder) == folder / "emulate.o"
    assert prebuilt_runtime(setting, Variant(is_guest=True), folder) == folder / "emulate_library.o"
    assert prebuilt_runtime(setting, Variant(), folder / "nowhere") is None


@pytest.mark.parametrize("other", [{"runtime": "x"}, {"machine": "riscv64"}, {"gcc": 99}, {"glibc": (2, 99)}])
def test_it_is_not_where_something_is_older_or_other(folder: Path, setting: Setting, other: dict[str, object]) -> None:
    write_about(folder, setting, **other)
    assert prebuilt_runtime(setting, Variant(), folder) is None


def with_words(setting: Setting) -> Setting:
    assert setting.cxx is not None
    return replace(setting, cxx=Compiler(setting.cxx.path, (*setting.cxx.command, "-D_GLIBCXX_DEBUG")))


def with_variables(setting: Setting) -> Setting:
    return replace(setting, environ={**setting.environ, "NVCC_APPEND_FLAGS": "-D_GLIBCXX_DEBUG"})


@pytest.mark.parametrize("change", [with_words, with_variables])
def test_it_is_not_where_compilers_are_told_more(
    folder: Path, setting: Setting, change: Callable[[Setting], Setting]
) -> None:
    assert prebuilt_runtime(change(setting), Variant(), folder) is None


@pytest.mark.parametrize("variant", [Variant(("-fsanitize=address",)), Variant(is_static=True)])
def test_programs_of_other_kinds_have_their_own(folder: Path, setting: Setting, variant: Variant) -> None:
    assert prebuilt_runtime(setting, variant, folder) is None


@pytest.mark.parametrize(("release", "taken"), [("13.0", True), ("13.2", True), ("12.9", False), ("14.0", False)])
def test_cuda_of_the_same_major_version(folder: Path, setting: Setting, release: str, taken: bool) -> None:
    nvcc = folder / "nvcc"
    nvcc.write_text(f"#!/bin/sh\necho 'Cuda compilation tools, release {release}, V{release}.88'\n")
    nvcc.chmod(0o755)
    cuda = replace(setting, target=Target.CUDA, nvcc=Nvcc(nvcc, "test"), architecture="-arch=sm_90")
    assert prebuilt_runtime(cuda, Variant(), folder) == (folder / "cuda.o" if taken else None)


def test_compilers_link_what_is_no_newer() -> None:
    here = Platform("x86_64", 12, (2, 36))
    assert here.can_link(here) and here.can_link(Platform("x86_64", 8, (2, 28)))
    assert not here.can_link(Platform("aarch64", 8, (2, 28)))


def test_it_is_asked_for_once(
    folder: Path, setting: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build takes it, and finds it in the cache from then on."""
    cache = Cache(tmp_path / "cache")
    monkeypatch.setattr(prebuilt_runtime, "__defaults__", (folder,))
    monkeypatch.setattr("ompc.toolchain.commands.runtime_object.FOLDER", folder)
    assert runtime_object(Workplace(tmp_path, setting, {}), Variant(), cache).read_text() == "emulate.o"
    monkeypatch.setattr(module, "platform_of", lambda _: pytest.fail("asked again"))
    known = known_runtime(setting, Variant(), cache)
    assert known is not None and known.read_text() == "emulate.o"


@pytest.mark.nightly
@pytest.mark.nvcc
def test_a_wheel_has_it(tmp_path: Path) -> None:
    """A program is built with it: no compiler is started for the runtime."""
    pytest.importorskip("hatchling", reason="the build backend is not installed (extra `dev`)")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "OMPC_PREBUILT": "1"}, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("ompc-*-py3-none-manylinux_*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    (tmp_path / "a.c").write_text(
        "#include <stdio.h>\nint a[99];\nint main(void) {\n#pragma omp parallel for\n"
        "for (int i = 0; i < 99; i++) a[i] = i;\nprintf(\"%d\\n\", a[98]); return 0; }\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "OMPC_CACHE_DIR": str(tmp_path / "cache")}
    build = [sys.executable, "-m", "ompc", "build", "a.c", "--target", "emulate", "--time", "-o", "a"]
    done = subprocess.run(build, cwd=tmp_path, env=environ, check=True, capture_output=True, text=True)
    assert "runtime" not in done.stdout + done.stderr
    assert subprocess.run(["./a"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout == "98\n"
