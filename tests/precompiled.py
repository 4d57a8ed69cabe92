"""The emulating runtime's header, precompiled: reading it is half of what a small kernel's compilation takes.

    c++ -I<folder> -O0 ...     finds the precompiled header in front of the runtime's own

g++ ignores it where the options differ, so that it can be named whatever the program is compiled with.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from ompc.resources import Runtime, package_digest, runtime_directory

SANITIZERS = ("-fsanitize=address,undefined",)


def precompiled_header(folder: Path, options: Sequence[str]) -> Path:
    """A directory in `folder` with the header, compiled with `options`; made by the first process that needs it."""
    key = sha256(repr((package_digest(), *options)).encode()).hexdigest()[:24]
    made = folder / f"header-{key}" / "ompc_rt.h.gch"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        mine = made.with_name(f"{made.name}.{os.getpid()}")
        command = ["c++", "-std=c++17", "-fopenmp", "-ffp-contract=off", "-fno-strict-aliasing", *options]
        command += [f"-I{runtime_directory(kind)}" for kind in (Runtime.EMULATE, Runtime.COMMON)]
        header = runtime_directory(Runtime.EMULATE) / "ompc_rt.h"
        subprocess.run([*command, "-x", "c++-header", str(header), "-o", str(mine)], check=True, capture_output=True)
        mine.rename(made)
    return made.parent


def hasty_compiler(folder: Path) -> Path:
    """A C++ compiler for tests to which it does not matter how kernels are compiled: it does not optimise."""
    script = folder / "hasty-c++"
    if not script.exists():
        mine = script.with_name(f"{script.name}.{os.getpid()}")
        folder.mkdir(parents=True, exist_ok=True)
        mine.write_text(f'#!/bin/sh\nexec c++ -I{precompiled_header(folder, ("-O0",))} "$@" -O0 -g0\n')
        mine.chmod(0o755)
        mine.rename(script)
    return script
