"""The runtime that comes with a wheel, compiled where the wheel was made: a first build need not compile it.

    OMPC_PREBUILT=1 python -m build --wheel      hatch_build.py ── toolchain/prebuilt.py ──> ompc/prebuilt/cuda.o, ...
    a build, nothing in the cache                prebuilt_runtime() ──> the object, or None: it is compiled here

They are of g++, and linked where its libraries, glibc and CUDA are at least as new: those of g++ and glibc are
compatible upwards, CUDA's within a major version. With sanitizers, in static programs, and where compilers have words
or variables of their own, the runtime is compiled as it always was.

In: the setting, the variant.   Out: a path, or None.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.base.resources import PACKAGE, runtime_digest
from ompc.toolchain.commands.commands import Variant
from ompc.toolchain.machine.nvcc import cuda_version
from ompc.toolchain.machine.setting import Setting, Target

FOLDER = PACKAGE / "prebuilt"
ABOUT = "about.json"
"""The file beside them that says what they were made with."""

_HARMLESS = {"LIBRARY_PATH", "SOURCE_DATE_EPOCH"}
"""Variables that change nothing in an object of the runtime."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What objects were compiled for: `gcc` and `glibc` versions, `machine` as GNU spells it."""

    machine: str
    gcc: int
    glibc: tuple[int, int]

    def can_link(self, made: Platform) -> bool:
        """Can what this compiler makes be one program with what `made` stands for?"""
        return self.machine == made.machine and self.gcc >= made.gcc and self.glibc >= made.glibc


def prebuilt_runtime(setting: Setting, variant: Variant, folder: Path = FOLDER) -> Path | None:
    """The object that comes with ompc, if what this setting compiles can be linked with it."""
    path = folder / name_of(setting.target, variant)
    if not path.is_file() or not _is_usual(setting, variant):
        return None
    about = json.loads((folder / ABOUT).read_text())
    if about["runtime"] != runtime_digest():  # a checkout that was edited over a wheel
        return None
    made = Platform(about["machine"], about["gcc"], tuple(about["glibc"]))
    here = platform_of(setting)
    if here is None or not here.can_link(made):
        return None
    if setting.target is Target.CUDA and not _has_cuda(setting, tuple(about["cuda"])):
        return None
    return path


def name_of(target: Target, variant: Variant) -> str:
    """Of an object, in the folder."""
    return f"{target.value}{'_library' if variant.is_guest else ''}.o"


def _is_usual(setting: Setting, variant: Variant) -> bool:
    """Is nothing asked of the compilers that would make another object?"""
    variables = setting.identity_of_tools()["environment"]
    assert isinstance(variables, Mapping) and setting.cxx is not None
    own = variant.sanitizers or variant.is_static or len(setting.cc.command) > 1 or len(setting.cxx.command) > 1
    return not own and setting.nvrtc is None and variables.keys() <= _HARMLESS


def _has_cuda(setting: Setting, made: tuple[int, int]) -> bool:
    found = None if setting.nvcc is None else cuda_version(setting.nvcc, setting.environ)
    return found is not None and found[0] == made[0] and found >= made


def platform_of(setting: Setting) -> Platform | None:
    """What the C++ compiler makes objects for; None: it is not g++."""
    assert setting.cxx is not None
    return _asked(setting.cxx.command)


@lru_cache
def _asked(compiler: tuple[str, ...]) -> Platform | None:
    command = [*compiler, "-E", "-dM", "-x", "c++", "-include", "features.h", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    macros = dict(re.findall(r"^#define (\w+) (\S+)$", done.stdout, re.MULTILINE))
    machine = next((name for name in ("x86_64", "aarch64") if f"__{name}__" in macros), None)
    needed = [macros.get(name, "") for name in ("__GNUC__", "__GLIBC__", "__GLIBC_MINOR__")]
    if machine is None or "__clang__" in macros or "__ILP32__" in macros or not all(map(str.isdecimal, needed)):
        return None
    gcc, *glibc = map(int, needed)
    return Platform(machine, gcc, (glibc[0], glibc[1]))
