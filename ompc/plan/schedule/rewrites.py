"""All rewrites of schedules, in the order in which they are tried: a kernel begins with one point a thread, and each
rewrite makes another schedule of it, or says why not.

    Rewrite   another way to make a kernel, tried on each that there is by then
    Beside    a kernel beside the others, which the launcher takes where it is faster

    In: the schedule to begin with, Nest.   Out: the kernels of a launch, and what was refused.
    Not here: what one of them does -- its own file in plan/forms; when a launch takes which kernel -- render/launcher.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.base.frozen import dataclass
from ompc.plan.forms.batched_division import in_batches
from ompc.plan.forms.histograms import with_block_copies
from ompc.plan.forms.row_coarsening import in_rows
from ompc.plan.forms.slices import in_slices
from ompc.plan.forms.thread_coarsening import in_neighbours
from ompc.plan.forms.tiles import in_tiles
from ompc.plan.forms.transposed import in_transposed_tiles
from ompc.plan.forms.vector_access import with_vectors
from ompc.plan.groups.group_loops import with_group_loops
from ompc.plan.groups.lanes import in_groups
from ompc.plan.groups.split_sums import with_split_sums
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.nest import Nest


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`name`: that of the optimisation; `unless`: those of rewrites after which it is not tried."""

    name: str | None
    change: Callable[[Schedule, Nest], Schedule | Refused]
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """As Rewrite; `make` is given all kernels that there are by then, the one for any launch first."""

    name: str
    make: Callable[[tuple[Schedule, ...], Nest], Schedule | Refused]
    unless: tuple[str, ...] = ()


REWRITES: tuple[Rewrite | Beside, ...] = (
    Rewrite(None, in_groups),  # of several names, which its kinds have
    Rewrite("block-copies", with_block_copies),
    Beside("tiles", in_tiles),
    Beside("transposed-tiles", in_transposed_tiles, unless=("tiles",)),
    Rewrite("rows", in_rows, unless=("tiles", "transposed-tiles")),
    Rewrite("neighbours", in_neighbours),
    Rewrite("vector-reads", with_vectors),
    Beside("split-sums", with_split_sums),
    Beside("group-loops", with_group_loops, unless=("tiles", "transposed-tiles", "split-sums")),
    Rewrite("quick-quotients", in_batches),
)


def rewritten(points: Schedule, nest: Nest) -> tuple[tuple[Schedule, ...], tuple[Refused, ...]]:
    """The kernels of the launch, the one for any launch first, and why there are not others, where that is said."""
    made: tuple[Schedule, ...] = (points,)
    refused, applied = list[Refused](), set[str]()
    for rewrite in REWRITES:
        name = rewrite.name
        if not applied.isdisjoint(rewrite.unless) or (name is not None and not nest.choices.does(name)):
            continue
        answers = [rewrite.make(made, nest)] if isinstance(rewrite, Beside) else [rewrite.change(s, nest) for s in made]
        refused += [answer for answer in answers if isinstance(answer, Refused) and answer.because is not None]
        if name is not None and any(isinstance(answer, Schedule) for answer in answers):
            applied.add(name)
        if isinstance(rewrite, Beside):
            made += tuple(answer for answer in answers if isinstance(answer, Schedule))
        else:
            made = tuple(old if isinstance(new, Refused) else new for old, new in zip(made, answers, strict=True))
    return in_slices(made, nest), tuple(refused)
