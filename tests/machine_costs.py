"""Files of measurements (OMPC_CALIBRATION) of machines that are not."""

from __future__ import annotations

import re
from pathlib import Path

from ompc.base.resources import Runtime, runtime_files


def costs(folder: Path, **values: int) -> str:
    """A file of costs in which these are other than the built-in ones."""
    entries = re.findall(r'{"(\w+)", &MachineCosts', runtime_files(Runtime.COMMON)["ompc_costs.h"].read_text())
    file = folder / "costs.txt"
    file.write_text("format = 1\n" + "".join(f"{key} = {values.get(key, 10**9)}\n" for key in entries))
    return str(file)


def cheap_locks(folder: Path) -> str:
    """Costs with which memory is page-locked at its first copy."""
    cheap = {"lock_call_nanoseconds": 1, "lock_nanoseconds_per_gigabyte": 1}
    return costs(folder, locked_in_bytes_per_second=10**12, **cheap)
