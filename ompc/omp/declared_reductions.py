"""Which `declare reduction` a clause means (OpenMP 5.2, 5.5.11).

A directive is visible from its place on, in its block; an inner one of the same name and type hides it.

In: the unit, a pragma in one of its functions.   Out: `Declarations`, what is visible there.
Not here: what a directive declares -- reading/declared.py; what a kernel may do with the variable --
analysis/reductions/associativity.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.tree import Block, Function, Pragma, Stmt, Unit
from ompc.ir.walk import children, walk

_DIRECTIVE = "declare reduction"


@dataclass(frozen=True, slots=True)
class Declarations:
    """What is visible at one pragma, innermost first. `unread`: some directive there could not be read."""

    visible: tuple[DeclaredReduction, ...] = ()
    unread: bool = False

    def find(self, identifier: str, kind: ty.Type) -> DeclaredReduction | None:
        """The reduction that `identifier` means for a variable of type `kind`."""
        wanted = ty.unqualified(kind)
        return next((d for d in self.visible if d.identifier == identifier and d.type == wanted), None)


def declarations_at(pragma: Pragma, function: Function, unit: Unit) -> Declarations:
    """The reductions declared before `pragma`, which stands in `function`: in its blocks, and in the file."""
    inside = [] if function.body is None else list(_before(function.body, pragma))
    outside = [p for p in unit.pragmas if p.loc.file != pragma.loc.file or p.loc.line < pragma.loc.line]
    all_of_them = [p.directive for p in (*reversed(inside), *reversed(outside)) if p.directive.name == _DIRECTIVE]
    found = tuple(declared for directive in all_of_them for declared in directive.declares)
    return Declarations(found, any(directive.problem is not None for directive in all_of_them))


def _before(root: Stmt, pragma: Pragma) -> Iterator[Pragma]:
    """The pragmas in the blocks around `pragma` that stand before it, outermost first."""
    around = root
    while around is not pragma:
        inner = next((c for c in children(around) if isinstance(c, Stmt) and pragma in set(walk(c))), None)
        if inner is None:
            return
        if isinstance(around, Block):
            before = around.items[: around.items.index(inner)]
            yield from (item for item in before if isinstance(item, Pragma))
        around = inner
