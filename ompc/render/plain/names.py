"""The names of plain output: no line numbers, and none that the user's text has.

    solve_u, launch_solve_u      of one of the loops in the function `solve` (omp/loop_names.py)
    multiply, launch_multiply    of the only one in `multiply`
    d_u                          the copy of u on the device
    device_memmove               what kernels call as `memmove`, which the host's headers declare
    solve_to_device              what the host calls in front of a loop in `solve` during which arrays stay there

    In: PlainFiles, the words of the user's texts.   Out: the same with names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.plan.model.names import RESERVED, first_free
from ompc.plan.model.plan import DeviceFunction, Plan
from ompc.plan.plain.model import PlainFile, PlainLaunch
from ompc.sema.library import LIBRARY


def named(files: Sequence[PlainFile], words: frozenset[str]) -> tuple[PlainFile, ...]:
    """The files of a program, in whose texts these `words` are.

    Kernels have their loops' ids for names, with a number where something else is called so, in any file.
    """
    taken = set(RESERVED) | {word.removeprefix("launch_") for word in words if word.startswith("launch_")}
    for file in files:
        taken |= {function.name for function in file.plan.functions} | {name for name, _ in file.plan.enumerators}
        taken |= {str(argument.name) for launch in file.launches for argument in launch.plan.arguments}
    found = []
    for file in files:
        launches = []
        for launch in file.launches:
            kernel = first_free(launch.region.id, taken)
            taken.add(kernel)
            launches.append(_with_variables(replace(launch, kernel=kernel, launcher=f"launch_{kernel}")))
        found.append(replace(file, launches=tuple(launches)))
    return _with_named_regions(found, words)


def with_library_apart(plan: Plan, words: frozenset[str]) -> Plan:
    """The functions of the C library that the file has for its kernels, under names that no header declares."""
    functions = tuple(
        replace(each, name=first_free(f"device_{each.name}", words)) if _is_of_library(each) else each
        for each in plan.functions
    )
    return replace(plan, functions=functions)


def _is_of_library(function: DeviceFunction) -> bool:
    body = function.function.body
    return body is not None and body.loc.file == LIBRARY and not function.of_cuda


def _with_named_regions(files: Sequence[PlainFile], words: frozenset[str]) -> tuple[PlainFile, ...]:
    """The functions that the host calls around them; launches have names."""
    taken = set(words) | {name for file in files for each in file.launches for name in (each.kernel, each.launcher)}
    leave = first_free("arrays_to_host", taken)
    found = []
    for file in files:
        regions = []
        for region in file.data:
            own = [other for other in file.data if other.function == region.function]
            enter = first_free(f"{_numbered(region.function, own.index(region), len(own))}_to_device", taken)
            taken.add(enter)
            regions.append(replace(region, enter=enter, leave=leave))
        found.append(replace(file, data=tuple(regions)))
    return tuple(found)


def _numbered(function: str, at: int, count: int) -> str:
    stem = "main_loop" if function == "main" else function
    return stem if count == 1 else f"{stem}_{at + 1}"


def _with_variables(launch: PlainLaunch) -> PlainLaunch:
    taken = {launch.kernel, *(str(argument.name) for argument in launch.plan.arguments)}
    taken |= {array.pointer for array in launch.arrays}
    arrays, sums, lasts = [], [], []
    for array in launch.arrays:
        device = first_free(f"d_{array.variable.device_name}", taken)
        arrays.append(replace(array, device=device))
        taken.add(device)
    for r in launch.plan.reductions:
        device = first_free(f"d_{r.name}", taken)
        sums.append((r, device))
        taken.add(device)
    for last in launch.plan.lastprivates:
        device = first_free(f"d_{last.cell}", taken)
        lasts.append((last, device))
        taken.add(device)
    return replace(launch, arrays=tuple(arrays), sums=tuple(sums), lasts=tuple(lasts))
