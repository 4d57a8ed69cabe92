"""The GPU of this machine and its driver.

CuPy is asked where it is installed, else nvidia-smi. CuPy runs in a process of its own: loading CUDA takes a second
that `ompc translate` should not pay, and a broken driver installation can kill the process that loads it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.toolchain.machine.cc import run_tool

_DRIVER_FILES = (Path("/proc/driver/nvidia/version"), Path("/dev/nvidiactl"), Path("/dev/dxg"))
"""One of these exists wherever a driver is loaded (the last one under WSL), so that its absence answers at once."""

_CUPY_PROBE = """
import json, cupy
from cupy.cuda import runtime
found = {"cupy": cupy.__version__, "runtime": runtime.runtimeGetVersion(), "driver": 0, "devices": []}
try:
    found["driver"] = runtime.driverGetVersion()
    for i in range(runtime.getDeviceCount()):
        p = runtime.getDeviceProperties(i)
        found["devices"].append([p["name"].decode(), p["major"], p["minor"]])
except runtime.CUDARuntimeError as error:
    found["problem"] = str(error)
print("\\n" + json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Gpu:
    name: str
    capability: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Machine:
    """What was found. Versions are (major, minor) of CUDA; None: not known or not there."""

    gpus: tuple[Gpu, ...] = ()
    driver_cuda: tuple[int, int] | None = None
    """The newest CUDA that the driver serves."""
    driver: str | None = None
    cupy: str | None = None
    cupy_cuda: tuple[int, int] | None = None
    problem: str | None = None
    """Why a GPU cannot be used, in the tool's own words."""

    @property
    def capability(self) -> tuple[int, int] | None:
        """Of the device that a program uses: the first one."""
        return self.gpus[0].capability if self.gpus else None


def find_gpu(environ: Mapping[str, str]) -> Machine:
    """The GPUs a program would see. Fast, and starts nothing, where no driver is loaded."""
    smi = shutil.which("nvidia-smi", path=environ.get("PATH"))
    if environ.get("CUDA_VISIBLE_DEVICES") in {"", "-1"}:
        return Machine(problem="CUDA_VISIBLE_DEVICES hides every GPU")
    if smi is None and not any(path.exists() for path in _DRIVER_FILES):
        return Machine()
    if importlib.util.find_spec("cupy") is not None:
        asked = _ask_cupy(environ)
        if asked.gpus or asked.driver_cuda:
            return asked
    return Machine() if smi is None else _ask_smi(smi, environ)


def remembered_gpu(environ: Mapping[str, str], file: Path) -> Machine:
    """As find_gpu, which takes up to a second where there is a driver; `file` keeps the answer for compilers that are
    started once for each source.

    It holds as long as the machine, its start, its driver and the devices that the environment shows are the same.
    """
    if not any(path.exists() for path in _DRIVER_FILES):
        return find_gpu(environ)
    seen = [_text_of(path) for path in (*_DRIVER_FILES[:1], Path("/proc/sys/kernel/random/boot_id"))]
    seen += [environ.get(name, "") for name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "PATH")]
    try:
        kept = json.loads(file.read_text())
        if kept["seen"] == seen:
            return Machine(tuple(Gpu(name, (major, minor)) for name, major, minor in kept["gpus"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    found = find_gpu(environ)
    entry = {"seen": seen, "gpus": [[gpu.name, *gpu.capability] for gpu in found.gpus]}
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".new-{os.getpid()}")
        fresh.write_text(json.dumps(entry))
        fresh.replace(file)
    return found


def _text_of(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def find_machine(environ: Mapping[str, str]) -> Machine:
    """Everything that `ompc doctor` shows: as find_gpu, with CuPy's versions also where there is no GPU."""
    smi = shutil.which("nvidia-smi", path=environ.get("PATH"))
    told = Machine() if smi is None else _ask_smi(smi, environ)
    if importlib.util.find_spec("cupy") is None:
        return told
    asked = _ask_cupy(environ)
    return Machine(
        gpus=asked.gpus or told.gpus,
        driver_cuda=asked.driver_cuda or told.driver_cuda,
        driver=told.driver,
        cupy=asked.cupy,
        cupy_cuda=asked.cupy_cuda,
        problem=asked.problem or told.problem,
    )


def _ask_cupy(environ: Mapping[str, str]) -> Machine:
    outcome = run_tool([sys.executable, "-W", "ignore", "-c", _CUPY_PROBE], environ)
    lines = outcome.text.strip().splitlines() or ["it says nothing"]
    answer = next((line for line in reversed(lines) if line.startswith('{"cupy"')), None)
    if not outcome.ok or answer is None:
        return Machine(cupy="(does not load)", problem=f"CuPy does not load: {lines[-1]}")
    found = json.loads(answer)
    return Machine(
        gpus=tuple(Gpu(name, (major, minor)) for name, major, minor in found["devices"]),
        driver_cuda=_version(found["driver"]),
        cupy=found["cupy"],
        cupy_cuda=_version(found["runtime"]),
        problem=found.get("problem"),
    )


def _version(number: int) -> tuple[int, int] | None:
    """CUDA's 13020 is (13, 2); 0 is no driver at all."""
    return (number // 1000, number % 1000 // 10) if number else None


def _ask_smi(smi: str, environ: Mapping[str, str]) -> Machine:
    query = run_tool([smi, "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"], environ)
    if not query.ok:
        return Machine(problem=f"nvidia-smi: {' '.join(query.text.split())}")
    rows = [[cell.strip() for cell in line.split(",")] for line in query.text.splitlines()]
    known = [row for row in rows if len(row) == 3 and re.fullmatch(r"\d+\.\d+", row[1])]
    header = re.search(r"CUDA Version:\s*(\d+)\.(\d+)", run_tool([smi], environ).text)
    return Machine(
        gpus=tuple(Gpu(row[0], _capability(row[1])) for row in known),
        driver_cuda=(int(header[1]), int(header[2])) if header else None,
        driver=next((row[2] for row in rows if len(row) == 3), None),
    )


def _capability(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)
