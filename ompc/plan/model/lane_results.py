"""The plan of a loop that lanes share: what becomes of its entries' results.

    sum += val[k] * x[col[k]];      ByLanes: a part of `sum` each;  InOrder: a term, which the row's own lane adds
    place[k] = sum += count[k];     ByLanes with a RunningSum: each entry has the sum of those before it
    rank[k] = count[key[k]]++;      ByLanes with an OrderedCount: each entry has its counter as those before it left it

Part of the plan; decided by lane_sums.py, lane_terms.py, running_sums.py and ordered_counts.py, printed by
render/forms/lanes.py.
"""

from __future__ import annotations

from enum import Enum

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.names import Name


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A number that any lane computes for an entry and the row's own lane combines; `initial` where it is not 0."""

    symbol: t.Symbol
    name: Name
    type: ty.Type
    initial: str | None = None


class Side(Enum):
    """What is contiguous in memory: the entries of a row, or those of neighbouring rows
    (producer_consumer_warps.py).
    """

    ALONG = "along"
    ACROSS = "across"


@dataclass(frozen=True, slots=True, eq=False)
class InOrder:
    """The row's own lane combines the terms of the entries, one after the other.

    `record`   the struct of several terms; None: there is one
    `compute`  sets the terms of an entry
    `combine`  uses them
    `because`  why the order is the program's
    """

    record: Name | None
    terms: tuple[Term, ...]
    compute: t.Stmt
    combine: tuple[t.Stmt, ...]
    because: str = ""

    @property
    def hands_on(self) -> bool:
        """Does an entry hand values to later ones, or to what stands behind the loop?"""
        return True


@dataclass(frozen=True, slots=True)
class Partial:
    """A variable of which each lane has a part of its own; `operator` of the runtime combines them."""

    symbol: t.Symbol
    operator: str


@dataclass(frozen=True, slots=True, eq=False)
class RunningSum:
    """A variable to which each entry adds `value`, and of which it sees what it is then (running_sums.py).

    `before`: statements of an entry that stand before that and compute what `value` names.
    """

    symbol: t.Symbol
    value: t.Expr
    before: tuple[t.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """A step to the counter of an entry: statements in front of it that compute variables; then a condition, which is
    `wanted` to be true, or false.
    """

    before: tuple[t.Stmt, ...]
    condition: t.Expr | None = None
    wanted: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class OrderedCount:
    """A counter to which each entry adds `step`, and of which it sees what it was (ordered_counts.py).

    `update`    the expression, in whose place the entry has `value`: `after` it, or before
    `counter`   the element that counts; `way`: how an entry comes there
    `row`       in which all entries have it, of so many elements (`length`), if the block has room for them
    `seen`      the condition under which anything becomes of the value; None: always
    `in_order`  is not 0 where one thread is to do all entries, in their order; None: nowhere
    """

    update: t.Expr
    counter: t.Index
    value: Name
    step: int
    after: bool
    way: tuple[Reached, ...]
    row: t.Expr | None
    length: int
    seen: t.Expr | None
    in_order: t.Symbol | None


@dataclass(frozen=True, slots=True, eq=False)
class ByLanes:
    """Each lane executes every so many-th entry as it stands in the program, and a tree combines the parts.

    `together`: so many are read before one is waited for. `of_row`: what is left of a long row is for all lanes of the
    warp or the block, which are given these values of the row; None: it is for the row's own lanes. `running`: each
    entry begins with the sum of the entries before it, instead of parts; `counted`: it has what its counter was.
    """

    partials: tuple[Partial, ...]
    together: int = 1
    of_row: tuple[t.Symbol, ...] | None = None
    running: RunningSum | None = None
    counted: OrderedCount | None = None

    @property
    def hands_on(self) -> bool:
        """As of InOrder, but for a counter."""
        return bool(self.partials) or self.running is not None
