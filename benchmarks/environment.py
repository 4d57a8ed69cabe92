"""On what was measured: device, driver, compilers, processor."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path


def describe() -> dict[str, str | None]:
    """One line each; None for what this machine does not have."""
    device, driver = _gpu()
    return {
        "device": device,
        "driver": driver,
        "nvcc": _match(r"release \S+, (V\S+)", _output(["nvcc", "--version"])),
        "gcc": _match(r"(.*)", _output(["gcc", "--version"])),
        "processor": _processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _gpu() -> tuple[str | None, str | None]:
    line = _output(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).partition("\n")[0]
    name, comma, driver = line.rpartition(", ")
    return (name, driver) if comma else (None, None)


def _processor() -> str | None:
    try:
        return _match(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return platform.processor() or None


def _match(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text)
    return found.group(1) if found and found.group(1) else None


def _output(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
