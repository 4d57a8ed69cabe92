"""Plan: producer and consumer warps: loops of equal lengths whose terms the warps of a block compute for the first.

    for (i = 0; i < rows; i++) {                      for (j = 0; j < columns; j++) {
        float sum = 0;                                    float sum = 0;
        for (j = 0; j < columns; j++)                     for (i = 0; i < rows; i++)
            sum += a[i * columns + j] * x[j];                 sum += a[i * columns + j] * t[i];
        t[i] = sum;                                       y[j] = sum;
    }                                                 }

Memory is what both wait for (worth_sharing.py): on the left lanes read elements that lie far apart, on the right there
may be few lanes. The first warp adds up in the program's order what all have computed; sums that may be formed in
another order are, where loops go across.

The schedule:

    axis x: i ...                        axis x: i ..., together
        sum = 0;                             alone: sum = 0;
        for (j ...) sum += ...;              together, j: warps compute terms, the first one adds them up
        t[i] = sum;                          alone: t[i] = sum;

    In: Schedule, Nest.   Out: Schedule, or why the loops stay with one lane each.
    Not here: which loops gain by it -- worth_sharing.py; whether their bodies can be divided -- lane_terms.py; how many
    iterations are few -- ompc_producer_warps.h.
"""

from __future__ import annotations

from ompc.plan.groups.lane_choices import Kind
from ompc.plan.groups.lanes import in_groups
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.nest import Nest


def with_producer_warps(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """The warps of a block take an iteration of each lane together."""
    return in_groups(schedule, nest, (Kind.HELPED,))
