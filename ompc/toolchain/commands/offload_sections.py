"""What gcc puts into an object for accelerators of its own: a copy of every target region, for its lto-wrapper.

    .gnu.offload_lto_main._omp_fn.0.2.75ccb18e230ef4d3

A linker that finds such sections starts gcc's lto-wrapper, which some installations lack ("could not run lto-wrapper"),
and -foffload=disable changes neither. The host's half of a translated program needs none of them: its target regions
that are not on the device run on the host, whose code is in the object as that of any function.

In: an object file that the host compiler wrote.   Out: the same without these sections.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

SECTIONS = ".gnu.offload_lto_"


def drop_offload_sections(path: Path) -> None:
    """Where there is no objcopy, or it cannot read the file, it stays as it is: most machines can link it."""
    try:
        if SECTIONS.encode() in path.read_bytes():
            command = ["objcopy", "--wildcard", "--remove-section", f"{SECTIONS}*", str(path)]
            subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return
