"""The lines of a tile whose points are there under a condition, as those of a triangle.

    const auto inside = [&](size_t t_i, size_t t_j) { ...; return j > i; };
    if (!ompc::has_corner(inside, first_i, first_i + last_i, first_j, first_j + last_j))
        continue;
    const ompc::Lines lines_i = ompc::rows_inside(inside, first_i, last_i, trips_j);
    const ompc::Lines lines_j = ompc::columns_inside(inside, first_j, last_j, trips_i);

A block leaves out a tile without a point that there is: a half-plane that has none of the corners. Of other tiles, it
does not read what belongs to rows and columns without such a point, since that need not exist.

    In: the names of a TilePlan, the loops of the grid.   Out: lines.
    Not here: the function `inside` -- grid.py; what is staged of which line -- ompc_tiles.h.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Name
from ompc.render.schedule import Lines, indented


def lines_of_tile(n: Mapping[str, Name], grid: Sequence[GridLoop], behind: Lines) -> list[str]:
    """`grid`: the loops along y and x; `behind`: what is done for a tile that is left out, too."""
    corners = [f"{n[f'first_{a}']}, {n[f'first_{a}']} + {n[f'last_{a}']}" for a in "yx"]
    left_out = f"if (!ompc::has_corner({n['inside']}, {', '.join(corners)}))"
    places = ((a, which, grid[across]) for a, which, across in (("y", "rows", 1), ("x", "columns", 0)))
    return [
        left_out + (" {" if behind else ""),
        *indented([*behind, "continue;"]),
        *(["}"] if behind else []),
        "// which rows and columns have points? What is read of these is there",
        *(
            f"const ompc::Lines {n[f'lines_{a}']} = ompc::{which}_inside({n['inside']}, {n[f'first_{a}']}, "
            f"{n[f'last_{a}']}, {other.trips});"
            for a, which, other in places
        ),
    ]
