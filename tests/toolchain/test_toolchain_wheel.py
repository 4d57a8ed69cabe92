"""What is installed by `pip install ompc`, in environments of its own: every command works, from any directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ompc.base.resources import Runtime, package_digest, runtime_directories, runtime_files, templates_directory
from ompc.cli import command_line

ROOT = Path(__file__).parent.parent.parent
MANUAL = ROOT / "docs" / "man"


PROGRAM = """\
#include <stdio.h>
double x[100];
int main(void) {
    double sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        x[i] = i * 0.5;
    for (int i = 0; i < 100; i++)
        sum += x[i];
    printf("%g\\n", sum);
    return 0;
}
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    pytest.importorskip("hatchling", reason="the build backend is not installed (extra `dev`)")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    (built,) = distributions.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def uv() -> str:
    """The command of uv, which installs from PyPI."""
    found = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return found or pytest.skip("no uv (extra `dev`)")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel and what it requires, by pip as this machine has it configured."""
    where = tmp_path_factory.mktemp("installed")
    python = str(where / "bin" / "python")
    for words in ([sys.executable, "-m", "venv", str(where)], [python, "-m", "pip", "install", "-q", str(wheel)]):
        done = subprocess.run(words, cwd=where, env=_outside(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return where


def _outside(**more: str) -> dict[str, str]:
    """An environment in which nothing leads to this checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV", "CC"}}
    return kept | more


def test_the_wheel_has_templates_runtimes_and_every_module(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"ompc/templates/{p.name}" for p in templates_directory().iterdir() if p.is_file()}
    sources = (path for part in Runtime for path in runtime_files(part).values())
    runtimes = {path.relative_to(ROOT).as_posix() for path in sources}
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "ompc").rglob("*.py")}
    pages = {f"ompc-0.1.0.data/data/share/man/man1/{page.name}" for page in MANUAL.iterdir()}
    others = {"ompc/docs/diagnostics.md", "ompc/cmake/ompc.cmake", *pages}
    assert templates and runtimes and modules
    assert templates | runtimes | modules | others <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_an_installed_wheel_finds_its_own_files(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from ompc.base import resources as r\n"
    code += "print(r.templates_directory(), *(len(r.runtime_files(p)) for p in r.Runtime), r.__file__)"
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environ, cwd=tmp_path, capture_output=True, text=True)
    expected = [str(tmp_path / "ompc" / "templates"), *(str(len(runtime_files(part))) for part in Runtime)]
    assert done.stdout.split() == [*expected, str(tmp_path / "ompc" / "base" / "resources.py")], done.stderr


COMMANDS = {
    "translate one.c": "ompc: wrote one.ompc",
    "build one.c -O0 --target emulate --cxx CXX -o one": "",
    "build-and-run one.c -O0 --target emulate --cxx CXX": "2475",
    "profile one.c -O0 --target emulate --cxx CXX": "2475",
    "explain one.c": "one.c:5",
    "explain one.c --html one.html": "ompc: wrote one.html",
    "check one.c": "",
    "lsp --help": "a language server",
    "tune one.c --dry-run": "one.c:5",
    "bisect one.c -O0 --target emulate --cxx CXX": "Nothing differs",
    "cc -fopenmp --target host one.c -o two": "",
    "config --target emulate --cxx CXX --libs": "-lompc_rt",
    "doctor": "C compiler",
    "completion bash": "_ompc_completion",
    "--version": "ompc, version ",
    "--help": "ompc translate jacobi.c",
}
"""Of each command a line, and what it says; CXX is a quick compiler."""


@pytest.mark.slow
def test_every_command_of_an_installed_wheel_works(
    installed: Path, tmp_path: Path, emulating_cxx: str, nightly: bool
) -> None:
    """By day those that make something: which files a wheel has is another test's."""
    assert {words.split()[0] for words in COMMANDS} - {"--version", "--help"} == set(command_line.commands)
    (tmp_path / "one.c").write_text(PROGRAM)
    for words, said in COMMANDS.items():
        if not nightly and words.split()[0] not in {"translate", "build", "cc", "config"}:
            continue
        command = [str(installed / "bin" / "ompc"), *(emulating_cxx if w == "CXX" else w for w in words.split())]
        done = subprocess.run(command, cwd=tmp_path, env=_outside(), capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert said in done.stdout + done.stderr, words
    for program in ("one", "two"):
        assert subprocess.run([tmp_path / program], capture_output=True, text=True, check=True).stdout == "2475\n"


@pytest.mark.slow
def test_an_installed_wheel_has_its_pages_and_its_compilers(installed: Path, tmp_path: Path) -> None:
    for page in MANUAL.iterdir():
        assert (installed / "share" / "man" / "man1" / page.name).read_text() == page.read_text()
    for name in ("ompc-cc", "ompc-c++"):
        done = subprocess.run([installed / "bin" / name, "--version"], env=_outside(), capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout, done.stderr
    command = [str(installed / "bin" / "ompc"), "--cmake-dir"]
    told = subprocess.run(command, cwd=tmp_path, env=_outside(), capture_output=True, text=True, check=True).stdout
    assert (Path(told.strip()) / "ompc.cmake").is_file() and told.startswith(str(installed))


@pytest.mark.slow
def test_the_wheel_runs_without_being_installed(uv: str, wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(PROGRAM)
    command = [uv, "tool", "run", "-q", "-p", sys.executable, "--from", str(wheel), "ompc", "translate", "one.c", "-q"]
    environ = _outside(UV_TOOL_DIR=str(tmp_path / "tools"))
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True)
    if "Failed to fetch" in done.stderr:
        pytest.skip("uv reaches no package index from here")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.ompc" / "one.cu").is_file()


@pytest.mark.slow
def test_the_source_distribution_is_complete(distributions: Path, tmp_path: Path) -> None:
    """All that is in the repository but what CI alone needs; tests run from it."""
    (archive,) = distributions.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", str(archive)], cwd=tmp_path, check=True)
    (root,) = tmp_path.iterdir()
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True).stdout.split("\0")
    missing = [name for name in tracked if name and not name.startswith(".ci/") and not (root / name).exists()]
    assert not [name for name in missing if (ROOT / name).exists()]
    tests = ["tests/test_readme.py", "tests/snapshots", "tests/cli/test_cli_manual_page.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=root, env=_outside(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_each_part_of_the_runtime_is_there() -> None:
    assert "ompc_host.h" in runtime_files(Runtime.COMMON) and "ompc_malloc.c" in runtime_files(Runtime.COMMON)
    for part in (Runtime.CUDA, Runtime.EMULATE):
        assert "ompc_rt.h" in runtime_files(part), f"generated text includes it from {runtime_directories(part)}"


def test_the_digest_is_stable() -> None:
    first = package_digest()
    package_digest.cache_clear()
    assert package_digest() == first and len(first) == 64
