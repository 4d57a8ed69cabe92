"""Inner loops whose iterations go in groups, with quick arithmetic: part of the plan (model.py).

Decided by groups.py, printed by render/groups.py and render/lanes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class GroupedLoop:
    """`carried` go from one iteration to the next or are wanted behind the loop; `renewed` every iteration sets anew.

    `size`: iterations of a group. `unwatched`: all operands are proved usual. `by_results`: those that are handed on,
    real numbers among them, are infinite or not numbers where a contracted quotient by a root had an unusual operand.
    """

    loop: CanonicalLoop
    carried: tuple[t.Symbol, ...]
    renewed: tuple[t.Symbol, ...]
    size: int
    by_results: bool = False
    unwatched: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The grouped loops of a kernel by their statements, and every operation that becomes one of `arithmetic`.

    `usual` are operations with operands that are proved usual, wherever they are; `approximate` those that nvcc
    approximates, with --fp fast.
    """

    arithmetic: str
    because: str
    loops: Mapping[t.Stmt, GroupedLoop] = field(default_factory=lambda: MappingProxyType({}))
    operations: frozenset[t.Expr] = frozenset()
    usual: frozenset[t.Expr] = frozenset()
    approximate: frozenset[t.Expr] = frozenset()


NO_GROUPS = Groups("", "")
