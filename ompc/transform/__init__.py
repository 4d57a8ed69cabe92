"""Trees made from trees, before facts are gathered: what the user wrote becomes a simpler program of the same meaning.

`PASSES` are for the whole file, before its parallel loops are listed; `for_kernels` is for these loops, and for the
functions that they call, where a kernel is another program than the host's. The user's text is not touched by either.

In: the typed tree with its directives resolved; the loops.   Out: `Unit`; `Kernels`.
Not here: rewrites that ask for facts -- plan/rewrites/.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir.rewrite import with_bodies
from ompc.ir.tree import Unit
from ompc.omp.model import ParallelLoop
from ompc.omp.volatile_bounds import with_volatile_bounds_read
from ompc.transform.blocks.scratch_blocks import declares_arrays, functions_with_arrays, with_arrays
from ompc.transform.calls.bound_calls import with_bounds_computed
from ompc.transform.calls.inlining import names_own, with_calls_inlined
from ompc.transform.classification_values import with_classification_values
from ompc.transform.counters.induction_variables import with_induction_variables
from ompc.transform.drop_ignored import without_ignored
from ompc.transform.early_exit import as_kernel_sees, as_kernels_see
from ompc.transform.fix_num_teams import with_league_sizes
from ompc.transform.hidden_names import with_names_apart, with_names_apart_in
from ompc.transform.initial_device import with_initial_device
from ompc.transform.lock_sections import with_sections, with_sections_of_loop
from ompc.transform.ordered_blocks import functions_without_ordered, with_ordered_blocks
from ompc.transform.privatise_simd import has_simd, with_simd_copies, without_simd
from ompc.transform.records.members import with_record_members
from ompc.transform.rows.kernel_rows import flat_functions, gets_rows, with_flat_rows
from ompc.transform.rows.settled_rows import Numbers, functions_with_settled_rows, with_settled_rows
from ompc.transform.scan_phases import with_phases
from ompc.transform.serialise_nested import as_called_in_loops, with_sequential_regions
from ompc.transform.sums_in_sections import with_sums_apart, with_sums_apart_in
from ompc.transform.team_numbers import with_team_numbers
from ompc.transform.thread_numbers import with_thread_numbers
from ompc.transform.thread_values import with_thread_values
from ompc.transform.threads.divided_loops import with_whole_range
from ompc.transform.threads.undeferred_tasks import with_tasks_at_once

PASSES: tuple[Callable[[Unit], Unit], ...] = (
    with_sequential_regions,  # first: a nested `parallel for simd` becomes a loop with its own variables as a whole
    with_simd_copies,  # what is private is another variable before anything asks what a loop shares
    with_league_sizes,
    with_classification_values,
    with_initial_device,
)
"""The passes, in this order. They come behind `drop_ignored`, so that what the compiler ignores is gone before anything
is read into it.
"""


def transformed(unit: Unit, ignored: Collection[Location]) -> Unit:
    """`ignored`: where the host's compiler has warned that it ignores a pragma."""
    unit = without_ignored(unit, ignored)
    for transform in PASSES:
        unit = transform(unit)
    return unit


@dataclass(frozen=True, slots=True)
class Kernels:
    """The file's `unit`, and each of its parallel `loops`, as kernels have them."""

    unit: Unit
    loops: Mapping[ParallelLoop, ParallelLoop]


def for_kernels(unit: Unit, loops: Iterable[ParallelLoop], numbers: Numbers = lambda _: {}) -> Kernels:
    """`unit` with the library's functions and those of other files, as `loops` call them; `numbers`: what the program
    has settled.
    """
    loops = tuple(loops)
    if not loops:
        return Kernels(unit, {})
    # Regions in called functions are nested ones, and `simd` constructs are loops. The body of a loop with `scan`
    # becomes its phases, before anything else stands around them. Then calls that end the program become `Leave` and
    # those that print `Print`, what stands between calls for a lock becomes a section, and ordered blocks are as the
    # rest. Rows of lengths that the program has settled are rows of constant lengths. Then calls whose functions name
    # what each thread has its own of are put in place: with what they became; and those that get rows of variable
    # length: from there on no code has pointers to such. Calls in heads of loops that only compute are what they
    # compute. What threads assign to structs of their own is assigned to the members. Last, the numbers of threads
    # and teams are what the directives say, and so is what the region makes of them; and a name stands for one
    # variable. Variables that move as a counter does are computed from it.
    unit = with_bodies(as_called_in_loops(unit), has_simd, without_simd)
    unit = replace(unit, functions=functions_with_arrays(unit.functions, loops))
    seen, exits = as_kernels_see(functions_without_ordered(unit))
    seen = with_sums_apart(with_sections(seen))
    seen = replace(seen, functions=functions_with_settled_rows(seen.functions, loops, numbers))
    flat = flat_functions(seen.functions, loops)
    found = {}
    for loop in loops:
        kernel = with_whole_range(with_volatile_bounds_read(loop))
        kernel = with_phases(_without_simd(with_arrays(kernel, unit.functions)))
        kernel = with_ordered_blocks(with_tasks_at_once(kernel), unit.functions)
        kernel = with_sums_apart_in(with_sections_of_loop(as_kernel_sees(kernel, exits), unit))
        kernel = with_settled_rows(kernel, numbers)
        kernel = with_calls_inlined(kernel, seen.functions, names_own(kernel, seen.functions))
        if flat.parameters:
            kernel = with_calls_inlined(kernel, seen.functions, gets_rows, pointers=True)
        kernel = with_calls_inlined(kernel, seen.functions, declares_arrays, pointers=True)
        kernel = with_bounds_computed(kernel, seen.functions)
        kernel = with_record_members(with_flat_rows(kernel, flat, seen.functions), seen.functions)
        kernel = with_names_apart(with_team_numbers(with_thread_numbers(with_thread_values(kernel))))
        found[loop] = with_induction_variables(kernel)
    return Kernels(replace(seen, functions=with_names_apart_in(flat.functions)), found)


def _without_simd(loop: ParallelLoop) -> ParallelLoop:
    if loop.body is None or not loop.loops:
        return loop
    body = without_simd(loop.body)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return loop if body is loop.body else replace(loop, body=body, loops=loops)
