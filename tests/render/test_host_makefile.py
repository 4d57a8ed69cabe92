"""The Makefile of a translated folder: `make` alone builds the program, from wherever its parts are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from host_programs import ONE_LOOP, planned

from ompc.driver import translate
from ompc.options import FloatingPoint, Level, Options
from ompc.render.makefile import makefile_text
from ompc.toolchain.folder import write_folder


def flags_of(makefile: str) -> str:
    return next(line for line in makefile.splitlines() if line.startswith("HOST_FLAGS"))


def test_paths_are_seen_from_the_folder() -> None:
    options = Options(cpp_flags=("-Iinc", "-I", "other inc", "-I/usr/include", "-DN=3", "-include", "x.h", "-std=c99"))
    flags = flags_of(makefile_text(None, Path("src/a.c"), options))
    assert flags == (
        "HOST_FLAGS = -fopenmp -I$(ORIGIN)/inc -I $(ORIGIN)/'other inc' -I/usr/include -DN=3 "
        "-include $(ORIGIN)/x.h -std=c99 -iquote $(ORIGIN)/src"
    )


def test_words_survive_make_and_the_shell(tmp_path: Path) -> None:
    """What the program was compiled with is what the recipe's command has as words."""
    words = ("-DS=\"a b\"", "-DDOLLAR=$x", "-DHASH='#'", "-DQ='\"'")
    (tmp_path / "Makefile").write_text(makefile_text(None, tmp_path / "a.c", Options(cpp_flags=words)))
    (tmp_path / "a.c").write_text("")
    (tmp_path / "show").write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
    (tmp_path / "show").chmod(0o755)
    shown = subprocess.run(["make", "-s", "CC=./show"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert shown.splitlines()[1 : 1 + len(words)] == list(words)


def test_options_of_the_device_file(tmp_path: Path) -> None:
    plan = planned(tmp_path, ONE_LOOP).plan
    options = Options(fp=FloatingPoint.STRICT, cpp_flags=("-fsanitize=address,undefined",))
    text = makefile_text(plan, Path("program.c"), options)
    assert "-fmad=false" in text
    assert "-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined" in text
    assert "\n\t" in text and "clean:" in text


@pytest.mark.parametrize("name", ["plain", "a name: with#all $x"])
def test_host_only_folder_builds_with_cc_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "own.h").write_text("#define OWN 7\n")
    source = tmp_path / f"{name}.c"
    source.write_text('#include "inc/own.h"\nint main(void) { return OWN - 7; }\n')
    folder = tmp_path / "out"
    write_folder(translate(source, Options()), folder)
    subprocess.run(["make", "-s", "NVCC=false"], cwd=folder, check=True)
    subprocess.run([folder / name], check=True)
    subprocess.run(["make", "-s", "clean"], cwd=folder, check=True)
    assert not (folder / name).exists()


@pytest.mark.nvcc
@pytest.mark.slow
def test_make_builds_a_program_that_runs_without_a_gpu(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(ONE_LOOP.replace("return 0;", "return a[9] != 9;"))
    write_folder(translate(source, Options(level=Level.THESIS)), tmp_path / "program.ompc")
    subprocess.run(["make", "-s", "ARCH=sm_90"], cwd=tmp_path / "program.ompc", check=True)
    subprocess.run([tmp_path / "program.ompc" / "program"], check=True, env={"OMPC_DISABLE": "1"})
