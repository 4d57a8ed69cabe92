"""How g++ contracts products and sums of emulated kernels: as nvcc does, across statements, to one operation.

    -ffp-contract=fast -mfma      x86-64 with FMA;   AArch64 always has it: -ffp-contract=fast
    -ffp-contract=off             --fp strict, a file of which nothing is contracted, a machine without FMA

g++ finds products and sums when it optimises (-O1 and above); with -O0 nothing is contracted. Which of two products of
`a * b + c * d` goes into the operation is the compiler's choice here as there.

    In: whether the plan contracts.   Out: words for g++ or clang++.
    Not here: which products may be -- plan/model/contraction.py; `ompc::mul`, which keeps others apart (ompc_rt.h).
"""

from __future__ import annotations

import platform
import re
from functools import cache
from pathlib import Path

_CPU = Path("/proc/cpuinfo")


def contraction_words(contracts: bool) -> tuple[str, ...]:
    """For emulated kernels. What the machine has is the same for all, so that a precompiled header serves them."""
    instructions = fused_instructions()
    wanted = "fast" if contracts and instructions is not None else "off"
    return (*(instructions or ()), f"-ffp-contract={wanted}", "-fexpensive-optimizations")


@cache
def fused_instructions() -> tuple[str, ...] | None:
    """What lets the compiler use this machine's fused multiply-add; None: it has none."""
    match platform.machine():
        case "aarch64":
            return ()
        case "x86_64":
            return ("-mfma",) if _has_fma() else None
        case _:
            return None


def _has_fma() -> bool:
    try:
        return re.search(r"^flags\b.*\bfma\b", _CPU.read_text(), re.MULTILINE) is not None
    except OSError:
        return False
