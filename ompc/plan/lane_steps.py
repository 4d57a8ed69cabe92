"""The plan of a kernel whose lanes share loops: its body as steps that all lanes of a warp take together.

    if (active[i]) {                       Chosen: own_1 where the condition holds
        double sum = 0;                        Scope: sum is declared around what follows
        for (k = row[i]; ...) sum += ...;      Alone: sum = 0;   SharedLoop
        y[i] = sum;                            Alone: y[i] = sum;
    }

Only the lane whose iteration it is executes what stands in `Alone`; conditions hold for it or for no lane. Part of the
plan (model.py); decided by lanes.py, printed by render/lanes.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from ompc.omp.model import CanonicalLoop
from ompc.plan.launch import GridLoop
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import walk


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A number that any lane computes for an entry and the row's own lane combines; `initial` where it is not 0."""

    symbol: t.Symbol
    name: str
    type: ty.Type
    initial: str | None = None


class Side(Enum):
    """What lies side by side in memory: the entries of a row, or those of neighbouring rows (helped.py)."""

    ALONG = "along"
    ACROSS = "across"


@dataclass(frozen=True, slots=True, eq=False)
class SharedLoop:
    """`compute` sets the terms of an entry, `combine` uses them; `own`: the row's values that computing needs.

    `entries` is the variable for the lane's row, `record` the struct of several terms. `leaves`: a `continue` ends
    `compute`. `side`: of loops in which the other warps of the block help.
    """

    loop: CanonicalLoop
    entries: str
    record: str
    terms: tuple[Term, ...]
    compute: t.Stmt
    combine: tuple[t.Stmt, ...]
    own: tuple[t.Symbol, ...]
    leaves: bool
    side: Side | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    statements: tuple[t.Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Both branches are steps for all lanes: `own_then` and `own_other` are true in the lanes that execute them."""

    condition: t.Expr
    own_then: str
    own_other: str
    then: Scope
    other: Scope | None


@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """A loop that has the same iterations in all lanes."""

    loop: t.For
    body: Scope


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """`declared` are variables of several steps; constants initialise them there, other values in their step."""

    declared: tuple[t.VarDecl, ...]
    steps: tuple[Step, ...]

    def loops(self) -> Iterator[SharedLoop]:
        """The loops that lanes share, in the order of the text."""
        for step in self.steps:
            match step:
                case SharedLoop():
                    yield step
                case Scope():
                    yield from step.loops()
                case Chosen(then=then, other=other):
                    yield from then.loops()
                    if other is not None:
                        yield from other.loops()
                case Repeated(body=body):
                    yield from body.loops()
                case Alone():
                    pass

    def names(self) -> Iterator[t.Symbol]:
        """The variables that the text names, a shared loop's own one aside."""
        for step in self.steps:
            match step:
                case SharedLoop(loop=loop, compute=compute, combine=combine, own=own):
                    bounds = [bound for bound in (loop.lower, loop.upper, loop.step) if bound is not None]
                    yield from own
                    yield from _named((*bounds, *combine))
                    yield from (symbol for symbol in _named((compute,)) if symbol is not loop.var)
                case Scope():
                    yield from step.names()
                case Chosen(condition=condition, then=then, other=other):
                    yield from _named((condition,))
                    yield from then.names()
                    yield from () if other is None else other.names()
                case Repeated(loop=loop, body=body):
                    heads = [part for part in (loop.init, loop.condition, loop.step) if part is not None]
                    yield from _named(heads)
                    yield from body.names()
                case Alone(statements=statements):
                    yield from _named(statements)


def _named(nodes: Iterable[t.Stmt | t.Expr]) -> Iterator[t.Symbol]:
    return (part.symbol for node in nodes for part in walk(node) if isinstance(part, t.Name))


Step = Alone | SharedLoop | Chosen | Repeated | Scope


@dataclass(frozen=True, slots=True, eq=False)
class LaneSharing:
    """`lanes`, `slot` and `own`: names of the kernel's parameter, of a lane's number, of whether the iteration is its.

    `renewed` are nodes that stand for one of the user's; `counted`, for the launch, the loops in which warps help;
    `rows_in`, arrays in which the rows stand behind each other.
    """

    body: Scope
    lanes: str
    slot: str
    own: str
    renewed: Mapping[t.Expr, t.Expr]
    because: str
    counted: tuple[GridLoop, ...] = ()
    rows_in: tuple[t.Symbol, ...] = ()

    @property
    def kind(self) -> str:
        """The runtime's type of `lanes`."""
        return "Helpers" if self.counted else "Lanes"

    @property
    def side(self) -> Side:
        """Of the loops in which warps help: along rows, if there is one."""
        return Side.ALONG if any(loop.side is Side.ALONG for loop in self.body.loops()) else Side.ACROSS
