"""The names of plain output: no line numbers, and none that the user's text has.

    solve_u, launch_solve_u      of one of the loops in the function `solve` (omp/loop_names.py)
    multiply, launch_multiply    of the only one in `multiply`
    d_u                          the copy of u on the device
    device_memmove               what kernels call as `memmove`, which the host's headers declare
    solve_to_device              what the host calls in front of a loop in `solve` during which arrays stay there

    In: Plan, launches, the words of the user's text.   Out: launches with names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.plan.model.names import RESERVED, first_free
from ompc.plan.model.plan import DeviceFunction, Plan
from ompc.plan.plain.model import DataRegion, PlainLaunch
from ompc.sema.library import LIBRARY


def named(launches: Sequence[PlainLaunch], plan: Plan, words: frozenset[str]) -> tuple[PlainLaunch, ...]:
    """Kernels have their loops' ids for names, with a number where something else is called so."""
    taken = set(RESERVED) | {function.name for function in plan.functions} | {name for name, _ in plan.enumerators}
    taken |= {str(argument.name) for launch in launches for argument in launch.plan.arguments}
    found = []
    for launch in launches:
        unfit = taken | {word.removeprefix("launch_") for word in words if word.startswith("launch_")}
        kernel = first_free(launch.region.id, unfit)
        taken.add(kernel)
        found.append(_with_variables(replace(launch, kernel=kernel, launcher=f"launch_{kernel}")))
    return tuple(found)


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


def named_regions(
    regions: Sequence[DataRegion], launches: Sequence[PlainLaunch], words: frozenset[str]
) -> tuple[DataRegion, ...]:
    """The functions that the host calls around them; `launches` have names."""
    taken = set(words) | {name for launch in launches for name in (launch.kernel, launch.launcher)}
    leave = first_free("arrays_to_host", taken)
    found = []
    for region in regions:
        own = [other for other in regions if other.function == region.function]
        enter = first_free(f"{_numbered(region.function, own.index(region), len(own))}_to_device", taken)
        taken.add(enter)
        found.append(replace(region, enter=enter, leave=leave))
    return tuple(found)


def _numbered(function: str, at: int, count: int) -> str:
    stem = "main_loop" if function == "main" else function
    return stem if count == 1 else f"{stem}_{at + 1}"


def _with_variables(launch: PlainLaunch) -> PlainLaunch:
    taken = {launch.kernel, *(str(argument.name) for argument in launch.plan.arguments)}
    taken |= {array.pointer for array in launch.arrays}
    arrays, sums = [], []
    for array in launch.arrays:
        device = first_free(f"d_{array.variable.device_name}", taken)
        arrays.append(replace(array, device=device))
        taken.add(device)
    for r in launch.plan.reductions:
        device = first_free(f"d_{r.name}", taken)
        sums.append((r, device))
        taken.add(device)
    return replace(launch, arrays=tuple(arrays), sums=tuple(sums))
