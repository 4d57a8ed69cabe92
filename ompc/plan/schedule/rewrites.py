"""All rewrites of schedules, in the order in which they are tried: a kernel begins with one point a thread, and each
rewrite makes another schedule of it, or says why not.

    Rewrite   another way to make a kernel, tried on each that there is by then
    Beside    a kernel beside the others, which the launcher takes where it is faster
    Together  another way to make all kernels of the launch, or none of them

Each is an optimisation of that name (base/optimisations.py), which `--without` or the environment leaves out.

    In: the schedule to begin with, Nest.   Out: the kernels of a launch, and what was refused.
    Not here: what one of them does -- its own file in plan/forms or plan/groups; when a launch takes which kernel --
    render/launcher.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.base.frozen import dataclass
from ompc.plan.forms.batched_division import in_batches
from ompc.plan.forms.collected_adds import with_collected_adds
from ompc.plan.forms.histograms import with_block_copies
from ompc.plan.forms.narrow_streams import in_narrow_streams
from ompc.plan.forms.one_turn import in_one_turn
from ompc.plan.forms.row_coarsening import in_rows
from ompc.plan.forms.row_stores import with_row_stores
from ompc.plan.forms.slices import in_slices
from ompc.plan.forms.thread_coarsening import in_neighbours
from ompc.plan.forms.tiles import in_tiles
from ompc.plan.forms.transposed import in_transposed_tiles
from ompc.plan.forms.vector_access import with_vectors
from ompc.plan.groups.block_per_row import with_block_rows
from ompc.plan.groups.group_loops import with_group_loops
from ompc.plan.groups.lanes import with_shared_loops
from ompc.plan.groups.producer_consumer_warps import with_producer_warps
from ompc.plan.groups.split_sums import with_split_sums
from ompc.plan.groups.unroll_and_jam import with_unroll_and_jam
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.nest import Nest

Kernels = tuple[Schedule, ...]
"""Of a launch, the one for any launch first."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`name`: that of the optimisation; `unless`: those of rewrites that are better, where they apply: it is not tried
    behind them, and where one of them has said why it does not, it adds nothing to that.
    """

    name: str
    change: Callable[[Schedule, Nest], Schedule | Refused]
    unless: tuple[str, ...] = ()

    def tried(self, kernels: Kernels, nest: Nest) -> tuple[Kernels, list[Schedule | Refused]]:
        answers = [self.change(schedule, nest) for schedule in kernels]
        pairs = zip(kernels, answers, strict=True)
        return tuple(old if isinstance(new, Refused) else new for old, new in pairs), answers


@dataclass(frozen=True, slots=True)
class Beside:
    """As Rewrite; `make` is given all kernels that there are by then."""

    name: str
    make: Callable[[Kernels, Nest], Schedule | Refused]
    unless: tuple[str, ...] = ()

    def tried(self, kernels: Kernels, nest: Nest) -> tuple[Kernels, list[Schedule | Refused]]:
        answer = self.make(kernels, nest)
        return kernels if isinstance(answer, Refused) else (*kernels, answer), [answer]


@dataclass(frozen=True, slots=True)
class Together:
    """As Beside; `change` makes others of all of them."""

    name: str
    change: Callable[[Kernels, Nest], Kernels | Refused]
    unless: tuple[str, ...] = ()

    def tried(self, kernels: Kernels, nest: Nest) -> tuple[Kernels, list[Schedule | Refused]]:
        answer = self.change(kernels, nest)
        return (kernels, [answer]) if isinstance(answer, Refused) else (answer, list(answer))


REWRITES: tuple[Rewrite | Beside | Together, ...] = (
    Rewrite("shared-loops", with_shared_loops),
    Rewrite("helping-warps", with_producer_warps, unless=("shared-loops",)),
    Rewrite("unroll-and-jam", with_unroll_and_jam),
    Rewrite("block-rows", with_block_rows),
    Rewrite("block-copies", with_block_copies),
    Beside("tiles", in_tiles),
    Beside("transposed-tiles", in_transposed_tiles, unless=("tiles",)),
    Rewrite("rows", in_rows, unless=("tiles", "transposed-tiles")),
    Rewrite("neighbours", in_neighbours),
    Rewrite("narrow-streams", in_narrow_streams, unless=("tiles", "transposed-tiles", "rows")),
    Rewrite("vector-reads", with_vectors),
    Beside("split-sums", with_split_sums),
    Beside("group-loops", with_group_loops, unless=("tiles", "transposed-tiles", "split-sums")),
    Rewrite("quick-quotients", in_batches),
    Rewrite("row-stores", with_row_stores),
    Rewrite("one-turn", in_one_turn, unless=("tiles", "transposed-tiles")),
    Rewrite("collected-adds", with_collected_adds),
    Together("slices", in_slices),
)


def rewritten(points: Schedule, nest: Nest) -> tuple[Kernels, tuple[Refused, ...]]:
    """The kernels of the launch, the one for any launch first, and why there are not others, where that is said."""
    if nest.facts.loop.is_statement:
        return (points,), ()  # one thread does it
    kernels: Kernels = (points,)
    refused, applied, explained = list[Refused](), set[str](), set[str]()
    for rewrite in REWRITES:
        if not applied.isdisjoint(rewrite.unless) or not nest.choices.does(rewrite.name):
            continue
        kernels, answers = rewrite.tried(kernels, nest)
        if any(isinstance(answer, Schedule) for answer in answers):
            applied.add(rewrite.name)
        reasons = [answer for answer in answers if isinstance(answer, Refused) and answer.because]
        if reasons and explained.isdisjoint(rewrite.unless):
            refused += reasons
            explained.add(rewrite.name)
    return kernels, tuple(refused)
