"""Run programs and compare what each case printed.

    c3.sum I 9ae16a3b2f90404f          integers: a hash, the same in every right answer
    c3.x F 12.5 300.0                  a sum, and the sum of magnitudes that scales its tolerance (E: exact)
    c3.y~ F 12.5 300.0                 likewise, of what a reduction has added up in any order

In: executables.   Out: for each case, None or what is wrong.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

TOLERANCE = {"E": 0.0, "F": 1e-10, "C": 1e-5}
RUN_SECONDS = 60
CASE_SECONDS = 20
QUIET = {"ASAN_OPTIONS": "detect_leaks=0:handle_sigill=1:exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=98"}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended; a status of None: it ran too long."""

    status: int | None
    out: str
    err: str


def run(program: Path, numbers: Sequence[int], environ: Mapping[str, str], seconds: float) -> Ran:
    """Run the cases with these numbers; none: all."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "OMPC_"))}
    settings = {"OMP_WAIT_POLICY": "passive", "OMP_DYNAMIC": "false", "OMPC_OFFLOAD": "always", **QUIET, **environ}
    try:
        done = subprocess.run(
            [str(program), *map(str, numbers)],
            env={**env, **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Ran(None, "", "")
    return Ran(done.returncode, done.stdout, done.stderr)


def by_case(out: str) -> dict[int, list[list[str]]]:
    """The words of each line, by the number of the case that printed it."""
    found: dict[int, list[list[str]]] = {}
    for text in out.splitlines():
        if (match := re.match(r"c(\d+)\.", text)) is not None:
            found.setdefault(int(match[1]), []).append(text.split())
    return found


def differ(expected: list[list[str]], got: list[list[str]], bits: bool = False) -> str | None:
    """What is different in a case's output; `bits`: only sums whose order is free may differ at all."""
    if len(expected) != len(got):
        return f"{len(expected)} lines expected, got {len(got)}"
    for want, have in zip(expected, got, strict=True):
        if want != have and not (_close(want, have) and (not bits or want[0].endswith("~"))):
            return f"expected {' '.join(want)}, got {' '.join(have)}"
    return None


def _close(want: list[str], have: list[str]) -> bool:
    if want[:2] != have[:2] or want[1] not in TOLERANCE:
        return False
    a, b, size = float(want[2]), float(have[2]), float(want[3])
    return abs(a - b) <= TOLERANCE[want[1]] * (size + 1) if isfinite(a) and isfinite(b) else str(a) == str(b)


def fault_of(ran: Ran) -> tuple[str, str] | None:
    """The kind and the key of a run that did not end well."""
    if ran.status == 0:
        return None
    if ran.status is None:
        return "hang", "hang"
    for pattern in (r"runtime error: ([a-z ]+)", r"AddressSanitizer: ([\w-]+)", r"(OMPC\d{3})"):
        if (match := re.search(pattern, ran.err)) is not None:
            return ("sanitizer" if ran.status in (98, 99) else "crash"), match[1].strip()
    return "crash", f"status {ran.status}"
