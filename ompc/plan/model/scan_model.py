"""Prefixes, as a kernel makes them: what a block does with a tile of consecutive iterations.

Why: plan/schedule/prefixes.py.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.plan.model.names import Name

TILE = 4096
"""The iterations of a tile: `scan_tile_size` of the runtime (ompc_scan_tiles.h)."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanItem:
    """A list item.

    `name`    the variable of an iteration
    `values`  the array of what the thread's iterations of the tile put in, and then see
    `result`  the kernel's parameter
    """

    name: str
    values: Name
    result: Name


@dataclass(frozen=True, slots=True, eq=False)
class ScanPlan:
    """`inclusive`: an iteration sees what it has put in itself; `tile`, `row`: names of the kernel's variables."""

    inclusive: bool
    items: tuple[ScanItem, ...]
    tile: Name
    row: Name

    @property
    def words(self) -> str:
        return "inclusive" if self.inclusive else "exclusive"
