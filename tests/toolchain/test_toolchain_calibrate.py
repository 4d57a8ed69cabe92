"""`ompc doctor --calibrate`: what it stores, what doctor says about it, and why it may fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ompc.base.diagnostics import CompileError
from ompc.base.resources import Runtime, include_words, measuring_directory
from ompc.cli import main
from ompc.toolchain import calibrate as module
from ompc.toolchain.calibrate import calibrate, calibration_directory, calibration_file, stored_calibrations
from ompc.toolchain.doctor import State, _examine_calibrations
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.machine.gpu import Gpu, Machine
from ompc.toolchain.machine.nvcc import find_nvcc
from ompc.toolchain.machine.setting import Target

H200 = Machine((Gpu("NVIDIA H200", (9, 0)),))


def test_what_is_measured_is_stored_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setitem(module.LARGEST_BUFFER, Target.EMULATE, 1 << 21)
    assert main(["doctor", "--calibrate", "--target", "emulate"]) == 0
    said = capfd.readouterr()
    file = tmp_path / "ompc" / "calibration" / "ompc-emulator.txt"
    assert said.out == "" and said.err.endswith(f"ompc: wrote {file}\n")
    assert "ompc: pageable" in said.err and "ompc: page-locked" in said.err
    (stored,) = stored_calibrations(os.environ)
    assert stored.path == file and stored.is_usable
    assert stored.words.keys() == {"format", "device", "driver", "host", "date"}
    assert stored.words["device"] == "ompc emulator" and all(stored.numbers.values())
    assert main(["doctor"]) in (0, 1)
    assert f"ok       measurements   ompc emulator, {stored.words['date']} ({file}): " in capfd.readouterr().out
    assert list(file.parent.iterdir()) == [file]


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert main(["doctor", "--calibrate"]) == 1
    said = capfd.readouterr()
    assert said.out == "" and "[OMPC414]" in said.err and "hides every GPU" in said.err


def test_compilers_and_programs_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code(**environ: str) -> str:
        with pytest.raises(CompileError) as caught:
            calibrate({**os.environ, "XDG_CONFIG_HOME": str(tmp_path), **environ}, Target.EMULATE, lambda line: None)
        return caught.value.diagnostics[0].code

    assert code(CXX="false") == "OMPC404"
    assert code(CXX="no-such-compiler") == "OMPC407"
    (tmp_path / "ompc").write_text("a file where the folder should be")
    monkeypatch.setitem(module.LARGEST_BUFFER, Target.EMULATE, 1 << 21)
    assert code() == "OMPC411"
    fails = tmp_path / "c++"
    fails.write_text(
        '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf "#!/bin/sh\\necho too bad; exit 3" > "$2"\n'
    )
    fails.write_text(fails.read_text() + 'chmod +x "$2"\n')
    fails.chmod(0o755)
    assert code(CXX=str(fails)) == "OMPC414"


def test_where_files_are() -> None:
    assert calibration_directory({"XDG_CONFIG_HOME": "/c", "HOME": "/h"}) == Path("/c/ompc/calibration")
    assert calibration_directory({"XDG_CONFIG_HOME": "c", "HOME": "/h"}) == Path("/h/.config/ompc/calibration")
    assert calibration_directory({}) is None
    assert calibration_file({"HOME": "/h"}, "My (GPU 2").name == "My--GPU-2.txt"
    assert calibration_file({"OMPC_CALIBRATION": "/x", "HOME": "/h"}, "X") == Path("/x")
    with pytest.raises(CompileError):
        calibration_file({}, "X")


def test_doctor_about_measurements(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    (missing,) = _examine_calibrations(H200, environ)
    assert missing.state is State.MISSING and "NVIDIA H200" in missing.text and "--calibrate" in str(missing.advice)
    assert _examine_calibrations(Machine(), environ) == []
    file = calibration_file(environ, "NVIDIA H200")
    file.parent.mkdir(parents=True)
    file.write_text("format = 2\n")
    (wrong,) = _examine_calibrations(H200, environ)
    assert wrong.state is State.BAD and str(file) in wrong.text
    assert _examine_calibrations(H200, {"OMPC_CALIBRATION": ""}) == []
    (named,) = _examine_calibrations(H200, {"OMPC_CALIBRATION": str(tmp_path / "nothing")})
    assert named.state is State.BAD


@pytest.mark.nvcc
def test_the_measuring_program_is_accepted_by_nvcc(tmp_path: Path) -> None:
    nvcc = find_nvcc(os.environ)
    assert nvcc is not None
    includes = [*include_words(Runtime.COMMON), f"-I{measuring_directory() / 'cuda'}"]
    flags = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra", "-Werror", "all-warnings", "-arch=sm_75"]
    source = str(measuring_directory() / "measure.cu")
    outcome = run_tool([str(nvcc.path), *flags, *includes, "-c", source, "-o", str(tmp_path / "m.o")], os.environ)
    assert outcome.ok and outcome.text == ""


@pytest.mark.gpu
def test_on_gpu(tmp_path: Path) -> None:
    """Numbers that any machine with a GPU has."""
    stored = calibrate({**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}, Target.CUDA, lambda line: None)
    assert stored.path.parent == tmp_path / "ompc" / "calibration"
    assert 1e9 < stored.numbers["pageable_in_bytes_per_second"] < 1e12
    assert stored.numbers["locked_in_bytes_per_second"] > 2e9
    assert 500 < stored.numbers["launch_nanoseconds"] <= stored.numbers["launch_and_wait_nanoseconds"] < 1e6
    assert stored.numbers["device_bytes_per_second"] > 2e10
