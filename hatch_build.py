"""Wheels that have the runtime compiled: OMPC_PREBUILT=1 python -m build --wheel

CC, CXX and NVCC name the compilers. Where g++ or glibc are older than those, the first build compiles the runtime, as
with the wheel for every machine, which has no objects.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MAKE = """\
import os, pathlib, sys
from ompc.toolchain.prebuilt import make_prebuilt
sys.stdout.write(make_prebuilt(pathlib.Path(sys.argv[1]), os.environ))
"""


class PrebuiltRuntime(BuildHookInterface[Any]):
    @property
    def is_asked_for(self) -> bool:
        return os.environ.get("OMPC_PREBUILT") == "1" and self.target_name == "wheel"

    def dependencies(self) -> list[str]:
        """ompc itself runs."""
        return list(self.metadata.core.dependencies) if self.is_asked_for else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not self.is_asked_for:
            return
        folder = Path(self.directory) / "prebuilt"
        command = [sys.executable, "-c", _MAKE, str(folder)]
        platform = subprocess.run(command, cwd=self.root, check=True, stdout=subprocess.PIPE, text=True).stdout
        for path in folder.iterdir():
            build_data["force_include"][str(path)] = f"ompc/prebuilt/{path.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
