"""Batched loops, with the fast path of quotients and roots: part of the plan (plan.py).

Decided by batched_division.py, printed by render/code/batched_division.py and render/forms/lanes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.names import Name


@dataclass(frozen=True, slots=True, eq=False)
class BatchedLoop:
    """A loop that runs in batches of iterations.

    `carried`     variables that go from one iteration to the next, or are wanted behind the loop
    `renewed`     variables that every iteration sets anew
    `size`        iterations of a batch
    `unwatched`   all operands are proved in the normal range
    `by_results`  results that are handed on, real numbers among them, are infinite or not numbers where a contracted
                  quotient by a root had an operand outside of the normal range
    """

    loop: CanonicalLoop
    carried: tuple[t.Symbol, ...]
    renewed: tuple[t.Symbol, ...]
    size: int
    by_results: bool = False
    unwatched: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Batches:
    """The grouped loops of a kernel by their statements, and every operation that becomes one of `arithmetic`.

    `normal_range` are operations with operands that are proved in the normal range, wherever they are; `approximate`
    those that nvcc approximates, with --fp fast.
    """

    arithmetic: Name
    because: str
    loops: Mapping[t.Stmt, BatchedLoop] = field(default_factory=lambda: MappingProxyType({}))
    operations: frozenset[t.Expr] = frozenset()
    normal_range: frozenset[t.Expr] = frozenset()
    approximate: frozenset[t.Expr] = frozenset()


NO_BATCHES = Batches("", "")
