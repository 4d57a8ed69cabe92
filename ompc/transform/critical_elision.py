"""Analysis: may a `critical` section that only prints do without its lock?

    #pragma omp critical                       #pragma omp critical
    printf("%d: %g\\n", i, r);   yes            { count++; }  ...  critical: printf("%d\\n", count);   no

It may where nothing that it reads is written under a lock, or by an atomic operation. What the loop writes without one
is not ordered by this lock either.

In: a unit, the section.   Out: yes or no.   Not here: sections that do more -- criticals.py.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import follows_pointer
from ompc.ir.device_library import is_device_function
from ompc.ir.queries import changed_by, nodes, symbols_in
from ompc.ir.walk import Node, walk
from ompc.omp.constructs import excludes_others


@dataclass(frozen=True, slots=True)
class LockedWrites:
    """What the file's sections may write: `objects` by their names; or `anything`."""

    objects: frozenset[t.Symbol]
    anything: bool

    @staticmethod
    def of(unit: t.Unit, harmless: Collection[str]) -> LockedWrites:
        """`harmless` functions write no object of the program's."""
        bodies = (function.body for function in unit.functions.values() if function.body is not None)
        found: set[t.Symbol | None] = set()
        for body in bodies:
            for node in walk(body):
                if isinstance(node, t.Pragma) and node.body is not None and excludes_others(node.directive):
                    found |= {target for inner in nodes(node.body) for target in _written(inner, harmless)}
        return LockedWrites(frozenset(symbol for symbol in found if symbol is not None), None in found)

    def spares(self, section: t.Stmt) -> bool:
        """Is nothing that `section` reads written by one?"""
        names = symbols_in(section)
        if not names.isdisjoint(self.objects):
            return False
        if self.anything and not all(map(_is_own_name, names)):
            return False
        follows = any(follows_pointer(node) for node in nodes(section))
        return not follows or not (self.anything or any(not _is_own_name(symbol) for symbol in self.objects))


def _written(node: Node, harmless: Collection[str]) -> list[t.Symbol | None]:
    """The object that `node` writes by its name; None: it may write any."""
    match node:
        case t.Assign() | t.IncDec():
            return [changed_by(node)]
        case t.Call(function=t.Name(symbol=symbol)):
            return [] if symbol.name in harmless or is_device_function(symbol.name) else [None]
        case t.Call() | t.OpaqueExpr() | t.OpaqueStmt():
            return [None]
        case _:
            return []


def _is_own_name(symbol: t.Symbol) -> bool:
    """Is the object a variable that no pointer leads to?"""
    return symbol.is_automatic and not symbol.address_taken and ty.is_scalar(symbol.type)
