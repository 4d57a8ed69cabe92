"""What is installed by `pip install ompc`: the package, with its templates and both runtimes."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ompc.resources import Runtime, package_digest, runtime_directory, runtime_files, templates_directory

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="the build backend is not installed (extra `dev`)")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_has_templates_runtimes_and_every_module(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"ompc/templates/{p.name}" for p in templates_directory().iterdir() if p.is_file()}
    runtimes = {f"ompc/runtime/{part.value}/{name}" for part in Runtime for name in runtime_files(part)}
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "ompc").rglob("*.py")}
    assert templates and runtimes and modules
    assert templates | runtimes | modules <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_an_installed_wheel_finds_its_own_files(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from ompc import resources as r\n"
    code += "print(r.templates_directory(), *(len(r.runtime_files(p)) for p in r.Runtime), r.__file__)"
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environ, cwd=tmp_path, capture_output=True, text=True)
    expected = [str(tmp_path / "ompc" / "templates"), *(str(len(runtime_files(part))) for part in Runtime)]
    assert done.stdout.split() == [*expected, str(tmp_path / "ompc" / "resources.py")], done.stderr


def test_each_part_of_the_runtime_is_there() -> None:
    assert "ompc_host.h" in runtime_files(Runtime.COMMON) and "ompc_heap.c" in runtime_files(Runtime.COMMON)
    for part in (Runtime.CUDA, Runtime.EMULATE):
        assert "ompc_rt.h" in runtime_files(part), f"generated text includes it from {runtime_directory(part)}"


def test_the_digest_is_stable() -> None:
    first = package_digest()
    package_digest.cache_clear()
    assert package_digest() == first and len(first) == 64
