"""What a run has reached and launched, by its log: a program that abort() or a signal ends writes no ledger.

    ompc: matrix.c:7: runs on the host: OMPC_REGIONS says so          reached once, with no loop on the device
    ompc: matrix.c:7: runs on the host again: OMPC_REGIONS says so    once more
    ompc: the device is NVIDIA H200                                   with all of them
    ompc: matrix.c:7: product: grid 3x3x1, block 32x8x1             launched

In: the text of OMPC_LOG_FILE, of level 3.   Out: loops by their lines, since no line has their ids; launches.
"""

from __future__ import annotations

import re
from collections import Counter

from ompc.tools.bisect.search import Launched, Reached

LEVEL = "3"


def reached_in(log: str) -> tuple[Reached, ...]:
    """In the order in which they are reached."""
    found = re.findall(r"^ompc: (.+):(\d+): runs on the host(?: again)?: OMPC_REGIONS ", log, re.MULTILINE)
    return tuple(Reached("", file, int(line), "", times) for (file, line), times in Counter(found).items())


def launched_in(log: str) -> Launched:
    """What was launched, and where; no launches: nothing was."""
    device = re.search(r"^ompc: the device is (.+)$", log, re.MULTILINE)
    found = re.findall(r"^ompc: (.+):(\d+): \w+: grid ", log, re.MULTILINE)
    places = Counter((file, int(line)) for file, line in found)
    return Launched("" if device is None else device[1], dict(places))
