from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from in_process import Cli

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.options import FloatingPoint, Level
from ompc.base.source import Location
from ompc.cli import command_line


def test_translate_writes_the_folder_and_says_so(cli: Cli) -> None:
    status, out, err = cli.run("translate", "twice.c", "--report", "r.json")
    assert (status, out) == (0, "")
    assert (cli.directory / "twice.ompc" / "twice.cu").exists()
    assert json.loads((cli.directory / "r.json").read_text())["schema"] == 1
    assert "twice.c:20:5: note: stays on the host: calls printf [OMPC310]" in err
    assert "ompc: wrote twice.ompc" in err


def test_warnings_have_line_caret_and_help(cli: Cli) -> None:
    err = cli.run("translate", "twice.c")[2]
    assert (
        "twice.c:8:5: warning: looks like OpenMP [OMPC201]\n"
        "    8 |     #pragma omp parallel for\n"
        "      |     ^\n"
        "  help: write omp\n"
    ) in err


def test_quiet_leaves_warnings(cli: Cli) -> None:
    err = cli.run("translate", "-q", "twice.c")[2]
    assert "OMPC201" in err and "OMPC310" not in err and "wrote" not in err


def test_translate_elsewhere_with_compiler_options(cli: Cli) -> None:
    words = ["twice.c", "-o", "gpu", "-DN=3", "-D", "M=4", "-Iinc", "-std=c99", "-include", "x.h", "--opt", "thesis"]
    assert cli.run("translate", *words, "--fp=strict", "-O3", "-lm")[0] == 0
    assert (cli.directory / "gpu" / "Makefile").exists()
    (options,) = cli.options
    assert options.cpp_flags == ("-DN=3", "-D", "M=4", "-Iinc", "-std=c99", "-include", "x.h")
    assert (options.level, options.fp) == (Level.THESIS, FloatingPoint.STRICT)
    assert Path(options.cc).is_absolute()


def test_dump_prints_a_stage_and_writes_nothing(cli: Cli) -> None:
    status, out, _ = cli.run("translate", "twice.c", "--dump", "plan")
    assert (status, out) == (0, "the plan\n")
    assert not (cli.directory / "twice.ompc").exists()
    status, out, err = cli.run("translate", "twice.c", "--dump", "nonsense")
    assert status == 2 and out == "" and "plan, regions" in err


def test_report_on_standard_output(cli: Cli) -> None:
    out = cli.run("translate", "twice.c", "--report", "-")[1]
    assert json.loads(out)["regions"][0]["id"] == "main_8"


def test_a_foreign_folder_is_refused(cli: Cli) -> None:
    (cli.directory / "mine").mkdir()
    (cli.directory / "mine" / "x").write_text("")
    status, _, err = cli.run("translate", "twice.c", "-o", "mine")
    assert status == 1 and "[OMPC405]" in err and "help:" in err


def test_errors_of_the_pipeline_leave_no_folder(cli: Cli) -> None:
    at = Location("twice.c", 9, 10)
    cli.fails_with = CompileError(Diagnostic("OMPC101", Kind.ERROR, "bad", at, notes=("a note", "cc says\n  this\n")))
    status, out, err = cli.run("translate", "twice.c")
    assert (status, out) == (1, "")
    assert err.startswith("twice.c:9:10: error: bad [OMPC101]\n    9 |     for (int i = 0;")
    assert "  note: a note\ncc says\n  this\n" in err
    assert sorted(path.name for path in cli.directory.iterdir()) == ["amount.h", "twice.c"]


@pytest.mark.parametrize(
    ("name", "language"), [("a.cpp", "C++"), ("a.C", "C++"), ("a.f90", "Fortran"), ("a.cu", "CUDA")]
)
def test_files_in_other_languages_are_refused_also_empty_ones(name: str, language: str, cli: Cli) -> None:
    (cli.directory / name).write_text("")
    for command in ("explain", "build", "translate"):
        status, out, err = cli.run(command, "twice.c", name)
        assert (status, out) == (1, "") and f"error: {name} is {language}: ompc translates C [OMPC107]" in err
    assert "OMPC102" in cli.run("build", f"none-{name}")[2]


@pytest.mark.parametrize("command", ["translate", "build", "build-and-run", "explain"])
def test_files_that_cannot_be_read(cli: Cli, command: str) -> None:
    status, _, err = cli.run(command, "nothing.c")
    assert (status, err) == (1, "ompc: error: nothing.c: no such file [OMPC102]\n")
    (cli.directory / "folder.c").mkdir()
    status, _, err = cli.run(command, "folder.c")
    assert status == 1 and "[OMPC103]" in err


def test_our_own_errors_are_no_tracebacks(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> None:
    cli.fails_with = ZeroDivisionError("division by zero")
    status, out, err = cli.run("translate", "twice.c", "-DSECRET=1")
    assert (status, out) == (70, "")
    assert "internal error: ompc failed: ZeroDivisionError: division by zero [OMPC901]" in err
    assert "Traceback" not in err
    report = Path(err.split(" and ")[-1].strip())
    text = report.read_text()
    report.unlink()
    assert "Traceback" in text and "translate twice.c -DSECRET=1" in text


def test_interrupt(cli: Cli) -> None:
    cli.fails_with = KeyboardInterrupt()
    status, _, err = cli.run("build", "twice.c")
    assert status == 130 and "Traceback" not in err


@pytest.mark.slow
def test_build_and_run_is_the_program(cli: Cli, keeping_cxx: str) -> None:
    words = ("twice.c", "-O0", "--target", "emulate", "--cxx", keeping_cxx, "--", "7")
    status, out, err = cli.run("build-and-run", *words)
    assert (status, out) == (7, "twice.c 14\n")
    assert "OMPC201" in err
    again = cli.run("build-and-run", "-q", *words)
    assert again[:2] == (7, "twice.c 14\n")
    assert len(cli.options) == 1, "the second time it comes from the cache"


def test_build_and_run_of_a_crashing_program(cli: Cli) -> None:
    status, _, err = cli.run("build-and-run", "-q", "twice.c", "--target", "host", "--", "1", "2")
    assert status == 134
    assert err.endswith("ompc: error: twice was killed by signal 6 (Aborted) [OMPC406]\n")


def test_build_puts_the_program_in_the_current_directory(cli: Cli) -> None:
    assert cli.run("build", "twice.c", "--target", "host")[0] == 0
    assert subprocess.run([cli.directory / "twice", "4"], capture_output=True).stdout == b"twice.c 8\n"


def test_build_does_not_overwrite_the_source(cli: Cli) -> None:
    status, _, err = cli.run("build", "twice.c", "-o", "./twice.c", "--target", "host")
    assert status == 1 and "[OMPC410]" in err
    assert (cli.directory / "twice.c").read_text().startswith("#include")


def test_auto_without_a_gpu_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch, keeping_cxx: str) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    status, out, err = cli.run("build-and-run", "-q", "twice.c", "-O0", "--cxx", keeping_cxx)
    assert (status, out) == (0, "twice.c 42\n")
    assert [line for line in err.splitlines() if "OMPC409" in line] == [err.splitlines()[0]]


def test_cuda_without_nvcc(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ompc.toolchain.machine.nvcc.find_nvcc", lambda *_: None)
    status, _, err = cli.run("build", "twice.c", "--target", "cuda")
    assert status == 1 and "[OMPC401]" in err and 'pip install ".[gpu]"' in err
    assert not (cli.directory / "twice").exists()


def test_no_c_compiler(cli: Cli) -> None:
    status, _, err = cli.run("translate", "twice.c", "--cc", "no-such-cc")
    assert status == 1 and "no-such-cc" in err and "[OMPC104]" in err


@pytest.mark.parametrize("command", [[], ["translate"], ["build"], ["build-and-run"], ["explain"], ["doctor"]])
def test_every_help_can_be_worked_from(command: list[str]) -> None:
    result = CliRunner().invoke(command_line, [*command, "--help"])
    assert result.exit_code == 0
    assert command == ["doctor"] or "ompc " in result.output


def test_wrong_command_lines(cli: Cli) -> None:
    for words in (["translate"], ["translate", "twice.c", "--opt", "best"], ["build", "twice.c", "-D"], ["nonsense"]):
        status, out, err = cli.run(*words)
        assert (status, out) == (2, "") and err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m ompc --help | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=os.environ)
    assert done.stderr == ""


def test_a_full_device_is_no_internal_error(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "ompc", "explain", tmp_path / "a.c"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "ompc: error: cannot write the output: No space left on device [OMPC411]\n"


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_internal_error(tmp_path: Path, closed: str) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    words = f"{shlex.quote(sys.executable)} -m ompc explain {shlex.quote(str(tmp_path / 'a.c'))} {closed}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_program_gets_stands_behind_two_dashes(cli: Cli) -> None:
    for command in ("build-and-run", "profile"):
        status, _, err = cli.run(command, "twice.c", "60", "3")
        assert (
            status == 1 and "60: no such file [OMPC102]\n  help: what the program itself gets stands behind --, " in err
        )
        assert err.rstrip().endswith("as in: twice.c -- 60 3")
    assert "help" not in cli.run("build", "twice.c", "60")[2]


def test_a_file_in_the_place_of_a_command(cli: Cli) -> None:
    status, _, err = cli.run("twice.c")
    assert status == 2 and "To translate, compile and link it: ompc build twice.c" in err
