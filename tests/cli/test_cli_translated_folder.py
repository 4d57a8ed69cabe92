"""The folder that `ompc translate` writes builds with `make`: wherever it is, whatever its options and names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from prepared_runtime import keeping_nvcc

from ompc.cli import main
from ompc.toolchain.folder import origin_of
from ompc.toolchain.machine.nvcc import find_nvcc

PROGRAM = """\
#include <stdio.h>
#include "near.h"
#include <own.h>
static double a[COUNT];
int main(void)
{
    double sum = 0.0;
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < COUNT; i++) {
        a[i] = SCALE * i + NEAR;
        sum += a[i];
    }
    printf("%g\\n", sum + FORCED);
    return 0;
}
"""
ANSWER = "60\n"
"""COUNT 4, SCALE 3, NEAR 5, FORCED 22."""


def write_program(place: Path, source: str) -> None:
    """A program whose headers are found beside it, with -I, and with -include."""
    (place / source).parent.mkdir(parents=True, exist_ok=True)
    (place / source).write_text(PROGRAM)
    (place / source).with_name("near.h").write_text("#define NEAR 5\n")
    for name, text in {"my inc/own.h": "#define COUNT 4\n", "my inc/forced.h": "#define FORCED 22\n"}.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)


FLAGS = ("-Imy inc", "-DSCALE=3", "-include", "forced.h", "-O1")


def make(folder: Path, runtime: Path, *settings: str) -> str:
    """What the program prints on a machine whose GPU is not used; the runtime's files are kept in `runtime`."""
    nvcc = find_nvcc(os.environ)
    assert nvcc is not None
    tools = [f"NVCC={keeping_nvcc(runtime)}", "ARCH=sm_90", "NVCCFLAGS=-O0", f"LDFLAGS={' '.join(nvcc.link_flags())}"]
    subprocess.run(["make", "-s", *tools, *settings], cwd=folder, check=True)
    (program,) = (p for p in folder.iterdir() if p.is_file() and os.access(p, os.X_OK))
    environ = {**os.environ, "OMPC_DISABLE": "1"}
    return subprocess.run([program], env=environ, capture_output=True, text=True, check=True).stdout


@pytest.mark.nvcc
@pytest.mark.slow
def test_the_folder_builds_where_it_is_and_where_it_is_moved(
    tmp_path: Path, runtime_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a place"
    write_program(place, "src/2d-sum of.c")
    monkeypatch.chdir(place)
    assert main(["translate", "src/2d-sum of.c", "-q", "--vendor", "-o", "../elsewhere/deep er", *FLAGS]) == 0
    folder = tmp_path / "elsewhere" / "deep er"
    moved = shutil.copytree(folder, tmp_path / "moved" / "x")
    assert make(folder, runtime_folder) == ANSWER
    assert make(moved, runtime_folder, f"ORIGIN={place}") == ANSWER


@pytest.mark.parametrize("source", ["plain.c", "src/deep/own-name.c", "-dash.c", "2d.c", "a b/c d.c"])
@pytest.mark.parametrize("output", [None, "gpu", "../beside/x", "out/./deep/../deep"])
def test_every_path_of_the_makefile_leads_to_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, output: str | None
) -> None:
    place = tmp_path / "work"
    write_program(place, source)
    monkeypatch.chdir(place)
    words = ["-o", output] if output else []
    assert main(["translate", "-q", *words, *FLAGS, "--", source]) == 0
    folder = place / (output or f"{Path(source).stem}.ompc")
    text = (folder / "Makefile").read_text()
    origin = re.search(r"^ORIGIN \?= (.*)$", text, re.MULTILINE)
    assert origin is not None and (folder / origin[1]).resolve() == place
    flags = next(line for line in text.splitlines() if line.startswith("HOST_FLAGS = "))
    words = flags.removeprefix("HOST_FLAGS = ").replace("$(ORIGIN)", origin[1])
    command = f"cc -Iompc_host {words} -fsyntax-only ./*.c"
    subprocess.run(["sh", "-c", command], cwd=folder, check=True)


def test_an_absolute_source_is_reached_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(tmp_path, "src/a.c")
    monkeypatch.chdir(tmp_path)
    assert main(["translate", str(tmp_path / "src" / "a.c"), "-q", *FLAGS]) == 0
    assert f"-iquote {tmp_path}/src" in (tmp_path / "a.ompc" / "Makefile").read_text()


def test_origins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert origin_of(Path("x.ompc")) == ".."
    assert origin_of(Path("../beside/x")) == f"../../{tmp_path.name}"
    assert origin_of(Path("/nowhere/x")) == str(tmp_path)
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    assert origin_of(Path("link/x")) == "../../.."
