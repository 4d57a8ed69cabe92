"""The runtime as a library: folders that `ompc translate` writes build with it, and whatever asks `ompc config`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ompc.base.resources import HOST_FOLDER, Runtime, include_words, runtime_digest, runtime_files
from ompc.cli import main

ROOT = Path(__file__).parent.parent.parent
OMPC = f"{sys.executable} -m ompc"
PROGRAM = """\
#include <stdio.h>
#include "size.h"
static double a[SIZE], b[SIZE];
double total(int n);

int main(void)
{
    double work[SIZE];
    #pragma omp parallel for
    for (int i = 0; i < SIZE; i++)
        work[i] = a[i] = STEP(i);
    #pragma omp parallel for
    for (int i = 0; i < SIZE; i++)
        b[i] = work[i] + a[i];
    printf("%g %g\\n", b[SIZE - 1], total(SIZE));
    return 0;
}
"""
OTHER = """\
#include <grid.h>
double total(int n)
{
    double sum = 0.0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += GRID * i;
    return sum;
}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files, one header beside them, one in a directory of -I."""
    place = tmp_path_factory.mktemp("library")
    (place / "include").mkdir()
    for name, text in {"main.c": PROGRAM, "other.c": OTHER, "include/grid.h": "#define GRID 2\n"}.items():
        (place / name).write_text(text)
    (place / "size.h").write_text("#define SIZE 100\n#define STEP(i) (3 * (i))\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        assert main(["translate", "main.c", "other.c", "-q", "-o", "out", "-Iinclude", "-O0"]) == 0
    return place


def output(words: list[str | Path], folder: Path, environ: Mapping[str, str] = os.environ) -> str:
    done = subprocess.run(words, cwd=folder, env={**os.environ, **environ}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def config(*words: str) -> list[str]:
    return shlex.split(output([sys.executable, "-m", "ompc", "config", "--target", "emulate", *words], Path.cwd()))


ON_DEVICE = {"OMPC_OFFLOAD": "always", "OMPC_CHECK": "memory"}
ANSWER = "594 9900\n"


def test_a_folder_builds_for_the_emulator_and_again_when_a_header_changes(place: Path, emulating_cxx: str) -> None:
    """Away from where ompc ran: the folder has the program's headers."""
    folder = shutil.copytree(place / "out", place / "moved" / "away")
    make = ["make", "-s", "emulate", f"OMPC={OMPC}", f"CXX={emulating_cxx}"]
    output(make, folder)
    assert output(["./main-emulate"], folder, ON_DEVICE) == ANSWER
    output([*make, "-q"], folder)
    (folder / "include" / "grid.h").write_text("#define GRID 2 /* as before */\n")
    assert subprocess.run([*make, "-q"], cwd=folder).returncode == 1
    assert "-c other.c" in output([*make[:1], *make[2:], "-n"], folder)
    output(make, folder)
    output([*make, "-q"], folder)
    os.utime(folder / "ompc_kernels" / "ompc_reduce.h")
    assert "other_launchers.cu" in output([*make[:1], *make[2:], "-n"], folder)


def test_a_folder_builds_without_ompc_for_the_host(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place / "out", tmp_path / "out")
    output(["make", "-s", "host", "OMPC=false", "NVCC=false", "CXX=false"], folder)
    assert output(["./main-host"], folder) == ANSWER


def test_another_architecture_builds_kernels_again(place: Path, tmp_path: Path) -> None:
    """With a compiler that does nothing but touch what it is to write."""
    folder = shutil.copytree(place / "out", tmp_path / "out")
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\nfor w; do [ "$b" = -o ] && : > "$w"; b=$w; done\n')
    compiler.chmod(0o755)
    make: list[str | Path] = ["make", "-s", f"CC={compiler}", f"NVCC={compiler}", "OMPC=echo"]
    output([*make, "ARCH=sm_90"], folder)
    output([*make, "ARCH=sm_90", "-q"], folder)
    for architecture in ("sm_80", "sm_90"):
        said = output([*make[:1], *make[2:], f"ARCH={architecture}", "-n"], folder)
        assert said.count(f"-arch={architecture}") == 2 and "-c main.c" not in said
        output([*make, f"ARCH={architecture}"], folder)


def test_what_pkg_config_says_builds_a_program(place: Path, tmp_path: Path, emulating_cxx: str) -> None:
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config")
    folder = shutil.copytree(place / "out", tmp_path / "out")
    (path,) = config("--cxx", emulating_cxx, "--pkg-config-path")
    asked = ["pkg-config", "ompc_rt"]
    cflags, libs = (
        shlex.split(output([*asked, what], folder, {"PKG_CONFIG_PATH": path})) for what in ("--cflags", "--libs")
    )
    output(["cc", "-fopenmp", "-Iinclude", *cflags, "-c", "main.c", "other.c"], folder)
    for name in ("main", "other"):
        words = [emulating_cxx, "-std=c++17", "-fopenmp", "-fno-strict-aliasing", "-Iompc_kernels", *cflags]
        output([*words, "-x", "c++", "-c", f"{name}_launchers.cu", "-o", f"{name}_device.o"], folder)
    output(["cc", "main.o", "other.o", "main_device.o", "other_device.o", "-o", "program", *libs], folder)
    assert output(["./program"], folder, ON_DEVICE) == ANSWER


def test_objects_and_libraries_of_different_versions_do_not_link(
    place: Path, tmp_path: Path, emulating_cxx: str
) -> None:
    """An object refers to a name that only the library of its headers has; headers of kernels know their version."""
    flags, libs = config("--cxx", emulating_cxx, "--cxxflags"), config("--cxx", emulating_cxx, "--libs")
    mark = f"emulate_{runtime_digest()[:8]}"
    assert f"-DOMPC_OBJECT={mark}" in flags
    for name, given in {"same": mark, "other": "emulate_01234567"}.items():
        symbol = f"ompc_runtime_{given}"
        (tmp_path / f"{name}.c").write_text(f"extern char {symbol}[]; int main(void) {{ return {symbol}[0]; }}\n")
        done = subprocess.run(["cc", f"{name}.c", "-o", name, *libs], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode == 0) == (name == "same"), done.stderr
    older = [f"{word[:-1]}{'0' if word[-1] != '0' else '1'}" if "OMPC_RUNTIME" in word else word for word in flags]
    command = [emulating_cxx, *older, "-Iompc_kernels", "-x", "c++", "-fsyntax-only", "other_launchers.cu"]
    done = subprocess.run(command, cwd=place / "out", capture_output=True, text=True)
    assert "of another version of ompc" in done.stderr and done.returncode != 0


def test_it_is_built_once_and_says_so(tmp_path: Path, emulating_cxx: str) -> None:
    """Compilers that touch what they are to write."""
    quick = tmp_path / "quick"
    quick.write_text('#!/bin/sh\nexec cc -x c -c /dev/null $(for w; do [ "$b" = -o ] && echo "-o $w"; b=$w; done)\n')
    quick.chmod(0o755)
    environ = {**os.environ, "OMPC_CACHE_DIR": str(tmp_path / "cache of mine"), "CC": str(quick), "CXX": str(quick)}
    words = [sys.executable, "-m", "ompc", "config", "--target", "emulate", "--libs"]
    first, second = (subprocess.run(words, env=environ, capture_output=True, text=True) for _ in range(2))
    assert first.stderr == "ompc: building the runtime for emulate, once for these compilers and options\n"
    assert second.stderr == "" and first.stdout == second.stdout
    directory = next(word[2:] for word in shlex.split(first.stdout) if word.startswith("-L"))
    assert (Path(directory) / "libompc_rt.a").is_file() and Path(directory).is_relative_to(tmp_path / "cache of mine")
    (Path(directory) / "libompc_rt.a").unlink()
    third = subprocess.run(words, env=environ, capture_output=True, text=True)
    assert third.stdout == first.stdout and (Path(directory) / "libompc_rt.a").is_file()
    static = subprocess.run([*words, "-static"], env=environ, capture_output=True, text=True)
    assert static.stdout != first.stdout


def test_a_place_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    compiler = tmp_path / "quick"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("OMPC_CACHE_DIR", str(tmp_path / "file" / "x"))
    for name in ("CC", "CXX"):
        monkeypatch.setenv(name, str(compiler))
    assert main(["config", "--target", "emulate", "--libs"]) == 1
    assert "[OMPC411]" in capsys.readouterr().err


def test_jacobi_needs_few_lines_of_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["translate", str(ROOT / "benchmarks" / "programs" / "jacobi.c"), "-q"]) == 0
    headers = list(Path("jacobi.ompc").rglob("*.h"))
    assert "ompc_reduce.h" in {path.name for path in headers}
    assert sum(len(path.read_text().splitlines()) for path in headers) <= 800
    kernels = Path("jacobi.ompc/jacobi.cu").read_text()
    assert "ompc::Launch" not in kernels and "__global__" not in Path("jacobi.ompc/jacobi_launchers.cu").read_text()


def test_a_vendored_folder_asks_for_no_ompc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(OTHER.replace("#include <grid.h>", "").replace("GRID", "2"))
    assert main(["translate", "a.c", "-q", "--vendor", "-o", "whole"]) == 0
    assert not re.search(r"\bompc config\b|\$\(OMPC\)", Path("whole/Makefile").read_text())
    runtime = {f"whole/ompc_runtime/{name}" for part in (Runtime.COMMON, Runtime.CUDA) for name in runtime_files(part)}
    assert runtime <= {path.as_posix() for path in Path("whole").rglob("*")}
    assert main(["translate", "a.c", "-q", "--vendor", "--plain"]) == 2


CASES = sorted((ROOT / "tests" / "snapshots" / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_kernels_compile_with_the_headers_that_they_include(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["translate", str(case / "input.c"), "-q", "-o", "out"]) == 0
    for kernels in Path("out").glob("input.cu"):
        assert "ompc_kernels.h" not in kernels.read_text()
        words = ["c++", "-std=c++17", "-Iompc_kernels", *include_words(Runtime.EMULATE), "-x", "c++", "-fsyntax-only"]
        shared = [f"-I{path}" for path in sorted({path.parent for path in runtime_files(Runtime.COMMON).values()})]
        output([*words, *shared, "-w", kernels.name], Path("out"))


def test_each_line_that_ompc_adds_is_nothing_on_the_host() -> None:
    """What `make host` has in the place of ompc_host.h defines all that a host file names."""
    with_device, without = (
        next(path for name, path in runtime_files(part).items() if name == "ompc_host.h").read_text()
        for part in (Runtime.COMMON, Runtime.HOST)
    )
    inner = {"OMPC_HOST_H", "OMPC_MAPPED", "OMPC_COPIED", "OMPC_READ_FROM_COPY"}  # these two: inside another
    inner.add("OMPC_ALL_STAY")  # headers with regions ask whether it is there
    macros = set(re.findall(r"^#define (OMPC_\w+)", with_device, re.MULTILINE)) - inner
    assert len(macros) > 10 and macros <= set(re.findall(r"#define (OMPC_\w+)", without))
    assert set(re.findall(r"\bompc_[mc]alloc_host\w*", with_device)) <= set(re.findall(r"#define (\w+)", without))


@pytest.mark.slow
def test_cmake_builds_the_folder(place: Path, tmp_path: Path, emulating_cxx: str) -> None:
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if cmake is None:
        pytest.skip("no CMake (extra `dev`)")
    folder = shutil.copytree(place / "out", tmp_path / "out")
    for target, device in {"emulate": ON_DEVICE, "host": {}}.items():
        words = [f"-DOMPC_TARGET={target}", f"-DOMPC={OMPC}", f"-DCMAKE_CXX_COMPILER={emulating_cxx}"]
        output([cmake, "-B", target, *words], folder, {"CXX": emulating_cxx})
        output([cmake, "--build", target], folder)
        assert output([f"{target}/main"], folder, device) == ANSWER
    assert (folder / HOST_FOLDER).is_dir()
