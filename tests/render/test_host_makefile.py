"""The Makefile of a translated folder: `make` alone builds the program, from wherever its parts are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from host_programs import ONE_LOOP, planned

from ompc.base.options import FloatingPoint, Options
from ompc.driver import translate
from ompc.plan.model.names import file_names
from ompc.render.makefiles.makefile import makefile_text
from ompc.toolchain.folder import write_folder


def flags_of(makefile: str) -> str:
    return next(line for line in makefile.splitlines() if line.startswith("HOST_FLAGS"))


def test_paths_are_seen_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.h").write_text("")
    options = Options(cpp_flags=("-Iinc", "-I", "other inc", "-I/usr/include", "-DN=3", "-include", "x.h", "-std=c99"))
    flags = flags_of(makefile_text(None, Path("src/a.c"), options))
    assert flags == (
        "HOST_FLAGS = -fopenmp -I'$(ORIGIN)/inc' -I '$(ORIGIN)/other inc' -I/usr/include -DN=3 "
        "-include '$(ORIGIN)/x.h' -std=c99 -iquote '$(ORIGIN)/src'"
    )


def test_a_forced_include_from_the_include_path_is_left_to_be_searched() -> None:
    options = Options(cpp_flags=("-include", "no-such.h"))
    assert " -include no-such.h " in flags_of(makefile_text(None, Path("a.c"), options))


def test_options_of_compiler_and_linker(tmp_path: Path) -> None:
    options = Options(compile_flags=("-O3", "-g"), link_flags=("-Llib", "-lown", "-Wl,-rpath,x"))
    assert "CFLAGS ?= -O3 -g\n" in makefile_text(None, Path("a.c"), options)
    assert "LDLIBS ?= -L'$(ORIGIN)/lib' -lown -Wl,-rpath,x -lm\n" in makefile_text(None, Path("a.c"), options)
    device = makefile_text(planned(tmp_path, ONE_LOOP).plan, Path("program.c"), options)
    assert "LDLIBS ?= -L'$(ORIGIN)/lib' -lown -Xlinker -rpath -Xlinker x -lm\n" in device


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


@pytest.mark.parametrize("name", ["plain", "a name: with#all 'x"])
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


@pytest.mark.parametrize("origin", ["..", "../it's a #1 $place"])
def test_any_origin_survives_make_and_the_shell(tmp_path: Path, origin: str) -> None:
    (tmp_path / "folder").mkdir()
    include = tmp_path / "folder" / origin / "my inc"
    include.mkdir(parents=True)
    (include / "own.h").write_text("#define OWN 7\n")
    (tmp_path / "folder" / "a.c").write_text("#include <own.h>\nint main(void) { return OWN - 7; }\n")
    text = makefile_text(None, Path("a.c"), Options(cpp_flags=("-Imy inc",), origin=origin))
    (tmp_path / "folder" / "Makefile").write_text(text)
    subprocess.run(["make", "-s"], cwd=tmp_path / "folder", check=True)
    subprocess.run([tmp_path / "folder" / "a"], check=True)


def test_names_of_generated_files() -> None:
    sources = [Path(name) for name in ("main.c", "a/util.c", "b/util.c", "Makefile.c", "ompc_runtime.c", "util_2.c")]
    assert file_names(sources) == ("main", "util", "util_2", "Makefile_2", "ompc_runtime_2", "util_2_2")
