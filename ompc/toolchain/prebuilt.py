"""Compile the runtime for a wheel (hatch_build.py): commands/prebuilt_runtime.py says who may link it.

In: a folder, the compilers that the environment names.   Out: the objects, what they were made with, the platform.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from ompc.base.ending import temporary_directory
from ompc.base.options import Options
from ompc.base.resources import runtime_digest
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.commands.commands import Variant
from ompc.toolchain.commands.prebuilt_runtime import ABOUT, name_of, platform_of
from ompc.toolchain.commands.runtime_object import runtime_object
from ompc.toolchain.commands.steps import Workplace
from ompc.toolchain.machine.nvcc import OLDEST_ARCHITECTURE, cuda_version
from ompc.toolchain.machine.setting import Request, Setting, Target, choose_setting


def make_prebuilt(folder: Path, environ: Mapping[str, str]) -> str:
    """Fill `folder`; the platform of the wheel, such as manylinux_2_36_x86_64. CompileError: a compiler is missing, or
    fails.

    ValueError: the C++ compiler is not g++ for a machine that wheels are made for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    usual = Request(Path(), Options(), arch=OLDEST_ARCHITECTURE)
    settings = [choose_setting(replace(usual, target=target), environ) for target in (Target.CUDA, Target.EMULATE)]
    platform = platform_of(settings[0])
    if platform is None:
        raise ValueError("wheels have objects of g++ for x86-64 or AArch64 with glibc")
    about: dict[str, object] = {"runtime": runtime_digest(), **asdict(platform)}
    for setting in settings:
        if setting.nvcc is not None:
            about["cuda"] = cuda_version(setting.nvcc, environ)
        for variant in (Variant(), Variant(is_guest=True)):
            _make(folder / name_of(setting.target, variant), setting, variant)
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n")
    return f"manylinux_{platform.glibc[0]}_{platform.glibc[1]}_{platform.machine}"


def _make(path: Path, setting: Setting, variant: Variant) -> None:
    with temporary_directory("ompc-") as directory:
        made = runtime_object(Workplace(Path(directory), setting, {}), variant, Cache(Path(directory) / "cache"))
        shutil.copyfile(made, path)
