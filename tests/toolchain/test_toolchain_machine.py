"""Finding nvcc and the GPU, and what doctor makes of them, with tools that are shell scripts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ompc.base.diagnostics import CompileError
from ompc.toolchain.doctor import State, _examine_cupy, _examine_driver, examine, format_examination
from ompc.toolchain.machine import gpu as gpu_module
from ompc.toolchain.machine.gpu import Gpu, Machine, find_gpu, find_machine
from ompc.toolchain.machine.nvcc import Nvcc, architecture_flag, cuda_version, find_nvcc
from ompc.toolchain.machine.setting import Target
from ompc.toolchain.run import run_program

SMI = """#!/bin/sh
case "$1" in
  --query-gpu*) echo "NVIDIA H200, 9.0, 580.65.06"; echo "NVIDIA T4, 7.5, 580.65.06" ;;
  *) echo "| NVIDIA-SMI 580.65.06   Driver Version: 580.65.06   CUDA Version: 13.0  |" ;;
esac
"""


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def no_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_module.importlib.util, "find_spec", lambda name: None)


def test_nvcc_is_taken_from_the_first_place_that_has_one(tmp_path: Path) -> None:
    named = script(tmp_path / "named" / "nvcc", "#!/bin/sh\n")
    home = script(tmp_path / "home" / "bin" / "nvcc", "#!/bin/sh\n")
    on_path = script(tmp_path / "path" / "nvcc", "#!/bin/sh\n")
    script(tmp_path / "site" / "cu12" / "bin" / "nvcc", "#!/bin/sh\n")
    package = script(tmp_path / "site" / "cu13" / "bin" / "nvcc", "#!/bin/sh\n")
    environ = {"NVCC": str(named), "CUDA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)}
    order = []
    for variable in ("NVCC", "CUDA_HOME", "PATH"):
        found = find_nvcc(environ, [tmp_path / "site"])
        assert found is not None
        order.append(found.path)
        environ[variable] = ""
    assert order == [named, home, on_path]
    last = find_nvcc(environ, [tmp_path / "site"])
    assert last is not None and last.path in {package, Path("/usr/local/cuda/bin/nvcc")}


def test_the_library_directory_of_pypis_layout_is_named(tmp_path: Path) -> None:
    script(tmp_path / "cu13" / "bin" / "nvcc", "#!/bin/sh\n")
    (tmp_path / "cu13" / "lib").mkdir()
    (tmp_path / "cu13" / "lib" / "libcudart_static.a").write_text("")
    nvcc = tmp_path / "cu13" / "bin" / "nvcc"
    for variable, value in {"CUDA_HOME": tmp_path / "cu13", "NVCC": nvcc, "PATH": nvcc.parent}.items():
        found = find_nvcc({"PATH": "", variable: str(value)}, [])
        assert found is not None and found.link_flags() == (f"-L{tmp_path / 'cu13' / 'lib'}",)
    (tmp_path / "cu13" / "lib64").mkdir()
    found = find_nvcc({"PATH": "", "CUDA_HOME": str(tmp_path / "cu13")}, [])
    assert found is not None and found.link_flags() == ()


def test_the_toolkits_version(tmp_path: Path) -> None:
    nvcc = Nvcc(script(tmp_path / "nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 12.9, V12.9.86'\n"), "test")
    assert cuda_version(nvcc, os.environ) == (12, 9)
    assert cuda_version(Nvcc(script(tmp_path / "x", "#!/bin/sh\necho hello\n"), "test"), os.environ) is None


@pytest.mark.parametrize(
    ("arch", "capability", "flag"),
    [
        ("sm_90", None, "-arch=sm_90"),
        ("90a", (8, 0), "-arch=sm_90a"),
        ("compute_80", None, "-arch=compute_80"),
        ("all-major", None, "-arch=all-major"),
        ("native", (9, 0), "-arch=sm_90"),
        (None, (12, 0), "-arch=sm_120"),
        (None, None, "-arch=all-major"),
    ],
)
def test_architectures(arch: str | None, capability: tuple[int, int] | None, flag: str) -> None:
    assert architecture_flag(arch, capability) == flag


@pytest.mark.parametrize("arch", ["native", "hopper", "sm_", "sm_90; rm"])
def test_architectures_that_cannot_be(arch: str) -> None:
    with pytest.raises(CompileError) as caught:
        architecture_flag(arch, None)
    assert caught.value.diagnostics[0].code == "OMPC408"


@pytest.mark.usefixtures("no_cupy")
def test_gpu_from_nvidia_smi(tmp_path: Path) -> None:
    script(tmp_path / "nvidia-smi", SMI)
    machine = find_gpu({"PATH": str(tmp_path)})
    assert machine.gpus == (Gpu("NVIDIA H200", (9, 0)), Gpu("NVIDIA T4", (7, 5)))
    assert machine.capability == (9, 0)
    assert (machine.driver, machine.driver_cuda) == ("580.65.06", (13, 0))
    assert not find_gpu({"PATH": str(tmp_path), "CUDA_VISIBLE_DEVICES": "-1"}).gpus


@pytest.mark.usefixtures("no_cupy")
def test_nvidia_smi_without_a_driver(tmp_path: Path) -> None:
    script(tmp_path / "nvidia-smi", "#!/bin/sh\necho 'NVIDIA-SMI has failed'\nexit 9\n")
    machine = find_gpu({"PATH": str(tmp_path)})
    assert not machine.gpus and machine.problem is not None and "has failed" in machine.problem


def fake_cupy(directory: Path, runtime: str) -> dict[str, str]:
    """A `cupy` package for the probe's process."""
    (directory / "cupy" / "cuda").mkdir(parents=True)
    (directory / "cupy" / "__init__.py").write_text('__version__ = "14.0"\n')
    (directory / "cupy" / "cuda" / "__init__.py").write_text("from . import runtime\n")
    (directory / "cupy" / "cuda" / "runtime.py").write_text(runtime)
    return {"PATH": str(directory), "PYTHONPATH": str(directory), "HOME": str(directory)}


def test_gpu_through_cupy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_module.importlib.util, "find_spec", lambda name: name)
    environ = fake_cupy(
        tmp_path,
        "class CUDARuntimeError(Exception): pass\n"
        "def runtimeGetVersion(): return 13010\n"
        "def driverGetVersion(): return 13020\n"
        "def getDeviceCount(): return 1\n"
        "def getDeviceProperties(i): return {'name': b'NVIDIA H200', 'major': 9, 'minor': 0}\n",
    )
    machine = find_machine(environ)
    assert machine == Machine((Gpu("NVIDIA H200", (9, 0)),), (13, 2), None, "14.0", (13, 1))


def test_cupy_without_a_gpu_and_cupy_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_module.importlib.util, "find_spec", lambda name: name)
    environ = fake_cupy(
        tmp_path / "a",
        "class CUDARuntimeError(Exception): pass\n"
        "def runtimeGetVersion(): return 13010\n"
        "def driverGetVersion(): raise CUDARuntimeError('no driver')\n",
    )
    assert find_machine(environ).problem == "no driver"
    environ = fake_cupy(tmp_path / "b", "raise ImportError('libcudart.so.13: cannot open')\n")
    problem = find_machine(environ).problem
    assert problem is not None and "libcudart.so.13" in problem


def test_driver_and_toolkit_must_fit() -> None:
    assert _examine_driver(Machine(driver_cuda=(13, 2)), (13, 0)).state is State.OK
    older = _examine_driver(Machine(driver_cuda=(13, 0)), (13, 2))
    assert older.state is State.OK and "--arch native" in older.text
    assert _examine_driver(Machine(driver_cuda=(12, 8)), (13, 0)).state is State.BAD
    assert _examine_driver(Machine(), (13, 0)).state is State.MISSING


def test_cupy_and_toolkit_must_fit() -> None:
    assert _examine_cupy(Machine(cupy="14", cupy_cuda=(13, 1)), (13, 0)).state is State.OK
    wrong = _examine_cupy(Machine(cupy="13", cupy_cuda=(12, 9)), (13, 0))
    assert wrong.state is State.BAD and wrong.advice is not None and "cupy-cuda13x" in wrong.advice


def test_doctor_here_says_that_emulation_works() -> None:
    examination = examine(os.environ)
    assert re.match(r"ok +ompc +[\d.]+\S*, Python 3\.\S+ \(.*\), NumPy \d", format_examination(examination))
    assert examination.healthy
    assert "emulate" in format_examination(examination)


def test_doctor_tries_the_compilers(tmp_path: Path) -> None:
    script(tmp_path / "cc", "#!/bin/sh\necho 'cc: error: libgomp.spec: No such file or directory'\nexit 1\n")
    examination = examine({"PATH": str(tmp_path), "OMPC_CACHE_DIR": str(tmp_path / "cache")})
    text = format_examination(examination)
    assert not examination.healthy and examination.targets == ()
    assert "libgomp.spec" in text and "apt install g++" in text


def test_doctor_says_when_nvcc_refuses_the_host_compiler(tmp_path: Path) -> None:
    refusing = script(
        tmp_path / "nvcc",
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'release 13.0, V13.0.88' && exit\n"
        "echo 'error -- unsupported GNU version! gcc versions later than 15 are not supported!'\nexit 1\n",
    )
    examination = examine({**os.environ, "NVCC": str(refusing)})
    assert Target.CUDA not in examination.targets
    assert "later than 15" in format_examination(examination) and "CXX=" in format_examination(examination)


def test_running_passes_status_and_streams_on(tmp_path: Path) -> None:
    code = "import sys, os\nfrom pathlib import Path\nfrom ompc.toolchain.run import run_program\n"
    code += "status, said = run_program(Path('/bin/sh'), sys.argv[1:], os.environ)\n"
    code += "sys.stderr.write(said.message if said else '')\nsys.exit(status)\n"

    def run(shell: str) -> tuple[int, str, str]:
        command = [sys.executable, "-c", code, "-c", shell]
        done = subprocess.run(command, input="in", capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    assert run("cat; echo err >&2; exit 3") == (3, "in", "err\n")
    assert run("kill -SEGV $$") == (139, "", "sh was killed by signal 11 (Segmentation fault)")
    assert run("kill -INT $$") == (130, "", "")
    assert run("kill -TERM $PPID; exec sleep 600")[0] == 143, "a request to end reaches the program"


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no program")
    with pytest.raises(CompileError) as caught:
        run_program(tmp_path / "plain", [], os.environ)
    assert caught.value.diagnostics[0].code == "OMPC413"
