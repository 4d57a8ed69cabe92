"""Of kernels with forms for several numbers of points, or rows, of a thread: only the form that the run will ask for.

    OMPC_TILES=4     OMPC_LAUNCH_TILES(...)  launches kernel<4>, which is the only one that is compiled

Compiling four forms of each is an eighth of what a program costs. A run has one value of OMPC_TILES; files take turns.

In: a device file.   Out: the same with other macros.   Not here: which values -- checking.py.
"""

from __future__ import annotations

_RUNTIME = '#include "ompc_rt.h"\n'
_REPLACED = "TILES PRODUCTS ROWS ROWS_ONCE POINTS POINTS_ALIGNED".split()
_MACROS = """\
#define ONE_FORM(launch, is_asked, shape, kernel, ...) \\
    ((is_asked) ? (launch).run((shape), OMPC_KERNEL(kernel), __VA_ARGS__) : __builtin_trap())
#define OMPC_LAUNCH_TILES(launch, tiling, kernel, ...) \\
    ONE_FORM(launch, (tiling).points == ONE_POINTS, (tiling).shape, kernel<ONE_POINTS>, __VA_ARGS__)
#define OMPC_LAUNCH_PRODUCTS OMPC_LAUNCH_TILES
#define OMPC_LAUNCH_ROWS(launch, rows, shape, kernel, ...) \\
    ONE_FORM(launch, (rows) == ONE_ROWS, shape, kernel<ONE_ROWS>, __VA_ARGS__)
#define OMPC_LAUNCH_ROWS_ONCE(launch, rows, shape, kernel, ...) \\
    (ONE_ROWS > 1 && (shape).whole \\
         ? ONE_FORM(launch, (rows) == ONE_ROWS, shape, OMPC_KERNEL(kernel<ONE_ROWS, (ONE_ROWS > 1)>), __VA_ARGS__) \\
         : ONE_FORM(launch, (rows) == ONE_ROWS, shape, OMPC_KERNEL(kernel<ONE_ROWS, false>), __VA_ARGS__))
#define OMPC_LAUNCH_JAMMED(launch, points, shape, kernel, ...) \\
    ONE_FORM(launch, (points) == 2, shape, kernel<2>, __VA_ARGS__)
#define OMPC_LAUNCH_JAMMED_ALIGNED(launch, points, aligned, shape, kernel, ...) \\
    ((aligned) ? ONE_FORM(launch, (points) == 2, shape, OMPC_KERNEL(kernel<true, 2>), __VA_ARGS__) \\
               : ONE_FORM(launch, (points) == 2, shape, OMPC_KERNEL(kernel<false, 2>), __VA_ARGS__))
#undef OMPC_ROWS
#undef OMPC_ROWS_ONCE
#undef OMPC_PLANES_ONCE
#define OMPC_ROWS(launch, kernel, ...) ((launch).rows(OMPC_KERNEL(kernel<ONE_ROWS>), __VA_ARGS__))
#define OMPC_ROWS_ONCE(launch, kernel, ...) ((launch).rows<4>(OMPC_KERNEL(kernel<ONE_ROWS, false>), __VA_ARGS__))
#define OMPC_PLANES_ONCE(launch, kernel, ...) ((launch).rows<8>(OMPC_KERNEL(kernel<ONE_ROWS, false>), __VA_ARGS__))
"""


def with_one_form(device_text: str, points: int) -> str:
    """For runs with OMPC_TILES=`points`: 8, 4 or 2. A launch that asks for another form ends the program."""
    rows = points if points > 2 else 1  # as rows_of in ompc_tiling.h has it
    chosen = f"#define ONE_POINTS {points}\n#define ONE_ROWS {rows}\n"
    undefined = "".join(f"#undef OMPC_LAUNCH_{name}\n" for name in _REPLACED)
    return device_text.replace(_RUNTIME, f"{_RUNTIME}{undefined}{chosen}{_MACROS}", 1)
