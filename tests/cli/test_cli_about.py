"""What ompc says of itself: versions, completion in shells, and output that depends on its input alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import ompc
from ompc.base.options import FloatingPoint, Level, Options
from ompc.base.resources import PACKAGE
from ompc.cli import command_line, main
from ompc.render.provenance import made_from, made_with

ROOT = PACKAGE.parent
PROGRAMS = ROOT / "benchmarks" / "programs"


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, str]:
    """An environment in which `ompc` is on the PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ompc").write_text(f'#!/bin/sh\nexec {sys.executable} -m ompc "$@"\n')
    (tmp_path / "bin" / "ompc").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    told = CliRunner().invoke(command_line, ["--version"])
    assert told.exit_code == 0
    first, python, nvcc = told.output.splitlines()
    assert first == f"ompc, version {ompc.__version__}"
    assert python == "Python {}.{}.{}".format(*sys.version_info)
    assert re.match(r"nvcc( \d+\.\d+)?: ", nvcc)
    monkeypatch.setattr("ompc.cli.about.find_nvcc", lambda environ: None)
    assert CliRunner().invoke(command_line, ["--version"]).output.endswith("\nnvcc: none was found\n")


def completed(line: str, directory: Path, environ: dict[str, str]) -> list[str]:
    """What bash proposes behind the line; `FILES` where it completes names of files."""
    script = """
    compopt() { echo FILES; }
    eval "$(ompc completion bash)"
    read -ra COMP_WORDS <<< "$1"
    [[ "$1" == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _ompc_completion ompc
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = ["bash", "-c", script, "bash", line]
    done = subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("ompc b", ["bisect", "build", "build-and-run"]),
        ("ompc build --op", ["--opt"]),
        ("ompc build jacobi.c -DN=3 --opt t", ["thesis"]),
        ("ompc translate ja", ["FILES"]),
        ("ompc translate jacobi.c -o ", ["FILES"]),
        ("ompc build jacobi.c -I ", ["FILES"]),
        ("ompc build-and-run jacobi.c -- in", ["FILES"]),
        ("ompc cc -fopenmp -c ja", ["FILES"]),
        ("ompc completion z", ["zsh"]),
    ],
)
def test_bash_completes(line: str, proposed: list[str], tmp_path: Path, commands: dict[str, str]) -> None:
    assert completed(line, tmp_path, commands) == proposed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_are_the_shells(shell: str, tmp_path: Path, commands: dict[str, str]) -> None:
    script = tmp_path / "script"
    with script.open("w") as out:
        subprocess.run(["ompc", "completion", shell], stdout=out, env=commands, check=True)
    if shutil.which(shell) is not None:
        checked = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (0, "")
    asked = commands | {
        "_OMPC_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "ompc expl",
        "COMP_CWORD": "expl" if shell == "fish" else "1",
    }
    told = subprocess.run(["ompc"], env=asked, capture_output=True, text=True, check=True)
    assert "explain" in told.stdout


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
def test_fish_completes(tmp_path: Path, commands: dict[str, str]) -> None:
    environ = commands | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    script = "ompc completion fish | source; complete -C 'ompc explain --op'; complete -C 'ompc tra'"
    done = subprocess.run(["fish", "-c", script], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "--opt" and "\ntranslate" in done.stdout


TRANSLATED = """
import hashlib, json, sys
from pathlib import Path
from ompc.driver import in_one_folder, translate_program
from ompc.base.options import Level, Options
sources = [Path(name) for name in sys.argv[1:]]
for level in Level:
    options = Options(level, cpp_flags=("-DN=64",))
    parts = translate_program(sources, options)
    for part in (*parts, in_one_folder(parts, sources, options)):
        for name, text in sorted(part.files.items()):
            print(level.value, name, hashlib.sha256(text.encode()).hexdigest())
        print(hashlib.sha256(json.dumps(part.report).encode()).hexdigest())
        print(*(hashlib.sha256(text.encode()).hexdigest() for text in part.dumps.values()))
"""


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes_anywhere(tmp_path: Path) -> None:
    """Whatever the directory is called, and in whatever order Python's sets are."""
    names = ["jacobi.c", "spmv.c", "histogram.c"]
    used = [*names, *(path.name for path in PROGRAMS.glob("*.h"))]
    seen = set()
    for seed, where in (("0", "a"), ("1", "some/where/else entirely"), ("4242", "z")):
        directory = tmp_path / where
        directory.mkdir(parents=True)
        for name in used:
            shutil.copy(PROGRAMS / name, directory)
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", TRANSLATED, *names]
        done = subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=True)
        assert "spmv.cu" in done.stdout
        seen.add(done.stdout)
    assert len(seen) == 1


def test_generated_files_name_what_they_were_made_with() -> None:
    flags = (
        "-DN=3",
        "-D",
        "WORD=a b",
        "-Iinclude",
        "-I/usr/local/x",
        "-include",
        "/tmp/x.h",
        "-DTEXT=a\nb",
        "-DP='/x'",
    )
    options = Options(Level.THESIS, FloatingPoint.STRICT, cpp_flags=flags)
    shown = "--opt thesis --fp strict -DN=3 '-D WORD=a b' -Iinclude and 4 more"
    assert made_with(options) == f"ompc {ompc.__version__} with {shown}"
    assert made_with(Options()) == f"ompc {ompc.__version__} with --opt auto"
    assert made_from(Path("/home/someone/jacobi.c"), "int x;\n") == "jacobi.c (SHA-256 7c725f30854a)"
    assert "\n" not in made_from(Path("a\nb.c"), "")


def test_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What an example does stands below it, where it does not fit beside it; commands are not broken."""
    monkeypatch.setenv("COLUMNS", "80")
    for command in ([], ["explain"], ["check"], ["build"]):
        assert main([*command, "--help"]) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["explain", "--help"]) == 0
    assert "OMPC322                      what the code of a message means" in capsys.readouterr().out


def test_an_empty_patch_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text("double a[9];\nvoid f(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++)\n"
                           "        a[i] = i;\n}\n")  # fmt: skip
    assert main(["explain", "a.c", "--fix", "a.patch"]) == 0
    assert "a.patch, which is empty: no change was found that brings a loop to the GPU" in capsys.readouterr().err
    assert Path("a.patch").read_text() == ""
