"""Does nvcc take generated files without a warning?

Several are compiled as one: most of what a file costs is the runtime's header. Each must have been translated with a
tag of its own (`Options.tag`), so that no two launchers have one name; the arrays in constant memory add up.

What nvcc has to say of a text comes from its two front ends, for the device and for the host. Optimising and ptxas take
ten times as long, and say something only of what the text does not show: a stack without a bound, a loop that cannot be
unrolled. So they are for `--nightly`, and for one case of each form (tests/execution).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ompc.base.resources import Runtime, include_words
from ompc.base.translation import Translation
from ompc.toolchain.machine.nvcc import require_nvcc

CONSTANT_BYTES = 60_000
"""Of one file; the hardware has 65,536, some of them taken."""
MACHINE_CODE = ("-arch=sm_90",)
FRONT_ENDS = ("-arch=compute_90", "-Xcicc", "-O0")


def check_accepted(
    translations: Iterable[Translation], folder: Path, *, full: bool = False, only_kernels: bool = False
) -> None:
    """The files are written to `folder`; an error or a warning names the one that it is about.

    `full`: optimised, down to machine code. `only_kernels`: what the host's compiler has to say of launchers is known
    from files that differ in kernels.
    """
    for number, together in enumerate(_in_constant_memory(t for t in translations if t.has_device_code)):
        for translation in together:
            for name, text in translation.files.items():
                (folder / name).write_bytes(text.encode(errors="surrogateescape"))
        source = folder / f"together{number}.cu"
        source.write_text("".join(map(_included, together)))
        _compile(source, full, only_kernels)


def _included(translation: Translation) -> str:
    """The file, and no macro of it behind it."""
    name = f"{translation.name}.cu"
    macros = re.findall(r"^#define (\w+)", translation.files[name], re.MULTILINE)
    return f'#include "{name}"\n' + "".join(f"#undef {macro}\n" for macro in macros)


def _in_constant_memory(translations: Iterable[Translation]) -> list[list[Translation]]:
    """In groups whose arrays have room in constant memory: each in the first that has."""
    groups: list[list[Translation]] = []
    left: list[int] = []
    for translation in translations:
        arrays = re.findall(r"^__constant__ .*?(\d+) bytes", translation.files[f"{translation.name}.cu"], re.MULTILINE)
        needed = sum(map(int, arrays))
        found = next((number for number, room in enumerate(left) if needed <= room), len(groups))
        if found == len(groups):
            groups.append([])
            left.append(CONSTANT_BYTES)
        groups[found].append(translation)
        left[found] -= needed
    return groups


def _compile(source: Path, full: bool, only_kernels: bool) -> None:
    command = [str(require_nvcc(os.environ).path), "-std=c++17", "-Werror", "all-warnings"]
    command += MACHINE_CODE if full else FRONT_ENDS
    only_looks = "-fsyntax-only"  # the host's half has no user's code in it but launchers
    command += [
        "-Xcompiler",
        f"-fopenmp,-Wall,{only_looks}",
        *include_words(Runtime.CUDA, Runtime.COMMON),
    ]
    until = ("-cubin" if full else "-ptx") if only_kernels else "-c"
    command += [until, source.name, "-o", "/dev/null"]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stdout + done.stderr
