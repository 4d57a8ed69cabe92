"""Plan: all rewrites of a loop's code, in their order.

Each is a file of this folder, which says what it does and where it comes from, and a line here. They come in front of
the question how the loop is mapped onto the grid; what depends on the mapping is a rewrite of the schedule
(plan/schedule/rewrites.py).

    In: Facts, Options.   Out: the Facts of a loop that means the same, and a line for people about what was done.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.plan.groups.lane_choices import LaneChoices
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping, unproved
from ompc.plan.mapping.tuned import with_measured_kernel
from ompc.plan.parameters.classification import classify_parameters
from ompc.plan.rewrites.array_sums import with_arrays_in_place
from ompc.plan.rewrites.atomic_sums import with_reductions
from ompc.plan.rewrites.done_once import with_stores_done_once
from ompc.plan.rewrites.elements.carried_elements import with_carried_elements
from ompc.plan.rewrites.elements.iteration_rows import with_iteration_rows
from ompc.plan.rewrites.elements.kept_rows import with_rows_in_variables
from ompc.plan.rewrites.elements.producer_fusion import with_producers_fused
from ompc.plan.rewrites.elements.running_elements import with_running_elements
from ompc.plan.rewrites.elements.scalar_replacement import with_scalars
from ompc.plan.rewrites.elements.settled_numbers import with_settled_numbers
from ompc.plan.rewrites.elements.shifted_loops import with_shifted_loops
from ompc.plan.rewrites.elements.short_loops import with_short_loops_unrolled
from ompc.plan.rewrites.elements.short_nests import with_short_nests
from ompc.plan.rewrites.elements.usual_numbers import with_usual_numbers
from ompc.plan.rewrites.elements.values_in_turn import with_values_in_turn
from ompc.plan.rewrites.ends.asked_exits import with_exits_asked
from ompc.plan.rewrites.ends.last_breaks import with_last_breaks
from ompc.plan.rewrites.fixed_reads import with_fixed_reads
from ompc.plan.rewrites.former_values import with_former_values
from ompc.plan.rewrites.inlined_calls import with_objects_named, with_own_arrays_named
from ompc.plan.rewrites.last_iteration import with_last_iterations
from ompc.plan.rewrites.moved_loops import with_loops_outside
from ompc.plan.rewrites.one_apart import with_one_apart
from ompc.plan.rewrites.renaming import with_variables_of_loops
from ompc.plan.rewrites.single_iterations import with_single_iterations
from ompc.plan.rewrites.sinking import with_perfect_nest
from ompc.plan.rewrites.sizes import with_sizes_asked
from ompc.plan.rewrites.whole_loops import with_whole_loops
from ompc.transform.hidden_names import has_names_apart


def rewritten_facts(facts: Facts, options: Options) -> tuple[Facts, str | None]:
    """`facts` as the kernel has them, and what is said of that above it."""
    if facts.loop.scan is not None:
        return facts, None  # each rewrite knows iterations that are one piece
    if not has_names_apart(facts.loop):
        return facts, None  # what is moved would mean something else
    if options.does("tuned-shapes"):  # first: reductions are put where the kernel that was measured has room for them
        facts = with_measured_kernel(facts, options.tuning)
    facts = _with_ends_asked(with_own_arrays_named(facts) if options.does("axes") else facts, options)
    if options.does("renaming"):
        facts = with_values_in_turn(with_variables_of_loops(facts))
    if options.does("fixed-reads"):  # before what asks which bounds are fixed
        facts = with_fixed_reads(facts, options.has_strict_aliasing)
    facts, kept = _with_shape_for_sizes(facts, options)
    if options.does("atomic-sums"):
        facts = with_reductions(facts)
    if options.does("array-sums"):
        in_place = with_arrays_in_place(facts)
        if in_place is not facts and not isinstance(classify_parameters(in_place), Reason):
            facts = in_place
    facts, elements = _with_elements(facts, options)
    return facts, "; ".join(filter(None, (kept, elements))) or None


def _with_elements(facts: Facts, options: Options) -> tuple[Facts, str | None]:
    """`facts` with elements in variables, and what is said of that."""
    kept: str | None = None
    if options.does("short-loops") and options.does("kept-elements"):  # what keeps elements from being variables
        for make in (with_short_loops_unrolled, with_usual_numbers):
            facts, unrolled = _with_variables(facts, options.does("axes"), make)
            kept = "; ".join(filter(None, (kept, unrolled))) or None
    if options.does("kept-elements"):
        facts, elements = _with_variables(facts, options.does("axes"), with_scalars)
        kept = "; ".join(filter(None, (kept, elements))) or None
    if options.does("group-loops"):  # before what one thread carries along
        if options.does("short-nests"):
            facts, nests = with_short_nests(facts, _lanes(options))
            kept = "; ".join(filter(None, (kept, nests))) or None
        facts, running = with_running_elements(facts, _lanes(options))
        kept = "; ".join(filter(None, (kept, running))) or None
    if options.does("kept-rows"):
        facts = with_rows_in_variables(facts)
    if options.does("iteration-rows"):
        facts, rows = _with_variables(facts, options.does("axes"), with_iteration_rows)
        kept = "; ".join(filter(None, (kept, rows))) or None
    if options.does("carried-elements") and options.does("shifted-loops"):
        facts, shifted = _with_variables(facts, options.does("axes"), with_shifted_loops)
        kept = "; ".join(filter(None, (kept, shifted))) or None
    if options.does("carried-elements"):
        facts, carried = _with_variables(facts, options.does("axes"), with_carried_elements)
        kept = "; ".join(filter(None, (kept, carried))) or None
    return facts, kept


def _with_ends_asked(facts: Facts, options: Options) -> Facts:
    """`facts` where iterations, and loops in them, end early only where the host cannot know it before."""
    if options.does("asked-exits"):
        facts = with_exits_asked(facts, options.has_strict_aliasing)
    return with_last_breaks(facts) if options.does("last-breaks") else facts


def _lanes(options: Options) -> LaneChoices:
    return LaneChoices(options.level, options.fp, without=options.without)


def _with_shape_for_sizes(given: Facts, options: Options) -> tuple[Facts, str | None]:
    """As _with_shape, with what is known of sizes where that makes more axes."""
    facts, kept = _with_shape(given, options)
    if options.does("settled-numbers"):
        facts, kept = _with_more_axes(facts, kept, lambda: with_settled_numbers(given), options)
    if options.does("sizes"):
        facts, kept = _with_more_axes(facts, kept, lambda: with_sizes_asked(facts), options)
    return facts, kept


def _with_more_axes(
    given: Facts, kept: str | None, make: Callable[[], Facts | None], options: Options
) -> tuple[Facts, str | None]:
    """With more axes, if what `make` knows of sizes makes some; else as it was."""
    mapping = choose_mapping(given, joins=True)
    deeper = len(mapping.loops) < DEVICE.axes and any(isinstance(node, t.For) for node in walk(mapping.body))
    made = make() if deeper and given.loop.scan is None else None
    if made is None:
        return given, kept
    after, shaped = _with_shape(made, options)
    if len(choose_mapping(after, joins=True).loops) <= len(mapping.loops) or isinstance(unproved(after), Reason):
        return given, kept
    return after, shaped


def _with_shape(facts: Facts, options: Options) -> tuple[Facts, str | None]:
    """`facts` with the loops that are to be axes where axes stand, and what was done for that."""
    whole: str | None = None
    if options.does("strips"):  # before what asks which loops are axes
        facts, whole = with_whole_loops(facts)
    fused: str | None = None
    if options.does("producer-fusion"):  # of loops that are no axes, and that groups would not share
        facts, fused = with_producers_fused(facts)
    facts, axes = _with_axes(facts, options)
    return facts, "; ".join(filter(None, (whole, fused, axes))) or None


def _with_axes(facts: Facts, options: Options) -> tuple[Facts, str | None]:
    """`facts` with as many axes as can be made, and what was done for that."""
    makes: list[Callable[[Facts], tuple[Facts, str | None]]] = []
    if options.does("axes"):
        ends = partial(_with_ends_asked, options=options)
        nested = partial(_with_perfect_nest, sinks=options.does("sinking"), boxes=options.does("boxes"))
        makes += [partial(with_objects_named, choices=_lanes(options), finished=ends), nested]
        if options.does("last-iteration"):
            makes.append(partial(with_last_iterations, nested=nested))
        if options.does("single-iterations"):
            makes.append(partial(with_single_iterations, nested=nested))
        if options.does("former-values"):
            makes.append(partial(with_former_values, nested=nested))
        if options.does("done-once"):  # what no other way makes an axis
            makes.append(with_stores_done_once)
    if options.does("apart"):  # what is an axis by now needs no parts
        makes.append(with_one_apart)
    lines: list[str | None] = []
    for make in makes:
        facts, line = make(facts)
        lines.append(line)
    return facts, "; ".join(filter(None, lines)) or None


def _with_perfect_nest(facts: Facts, sinks: bool, boxes: bool) -> tuple[Facts, str | None]:
    """`facts` with as many axes as loops can be brought to stand alone in each other."""
    lines: list[str | None] = []
    outside = partial(with_loops_outside, boxes=boxes)
    for make in (with_perfect_nest, outside, with_perfect_nest) if sinks else (outside,):
        facts, line = make(facts)
        lines.append(line)
    return facts, "; ".join(filter(None, lines)) or None


def _with_variables(
    facts: Facts, joins: bool, make: Callable[[Facts], tuple[Facts, str | None]]
) -> tuple[Facts, str | None]:
    """`facts` with elements in variables, where nothing else is lost by that. `joins`: as of choose_mapping."""
    after, kept = make(facts)
    if kept is None or isinstance(unproved(after) or classify_parameters(after), Reason):
        return facts, None
    axes = [len(choose_mapping(known, joins).loops) for known in (facts, after)]
    return (after, kept) if axes[1] >= axes[0] else (facts, None)
