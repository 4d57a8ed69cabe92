"""Analysis: a thread's own array that every iteration of a loop uses at its own place alone needs no dimension for it.

    double w[N], t[N][5];
    for (j ...) { w[j] = a[j];  t[j][0] = 1; }          for each j:  double w, t[5];
    for (j ...) b[j] = w[j] * t[j][0];                               w = a[j];  t[0] = 1;  b[j] = w * t[0];

All that the code does with the array is to read or write elements, with the loop's variable as one of the subscripts,
always in the same place. So no two iterations use the same element, and when the loops have become one, an iteration
has all of what it uses: the array without that dimension.

    In: code, the array, the loops that will be one.   Out: Contraction, or None.
    Not here: whether the array's elements have values before the code, or are wanted after it -- interchange.py.
    Source: array contraction (Gao, Olsen, Sarkar, Thekkath, "Collective loop fusion for array contraction", LCPC 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """`symbol` is what the array becomes without the dimension `dropped`, counted from the outermost."""

    symbol: t.Symbol
    dropped: int

    @property
    def declaration(self) -> t.VarDecl:
        return t.VarDecl(self.symbol, None, self.symbol.loc)

    def element(self, node: t.Index) -> t.Expr:
        """What the element `node` of the array becomes."""
        found = _subscripts(node)
        assert found is not None
        name, subscripts = found
        kept = [place for number, place in enumerate(subscripts) if number != self.dropped]
        element: t.Expr = t.Name(self.symbol.type, name.loc, self.symbol)
        for subscript in kept:
            assert isinstance(element.type, ty.Array)
            element = t.Index(element.type.of, node.loc, element, subscript)
        return element


def contraction(code: t.Stmt, symbol: t.Symbol, loops: Sequence[CanonicalLoop]) -> Contraction | None:
    """How `symbol` can lose a dimension when `loops`, which stand in `code`, have become one; None: it cannot."""
    lengths = list(_lengths(symbol.type))
    if not lengths or not ty.is_arithmetic(ty.element_of(symbol.type)):
        return None
    if any(not isinstance(length, int) for length in lengths) or ty.element_of(symbol.type).quals:
        return None
    dropped = set(range(len(lengths)))
    names = 0
    for loop in loops:
        for subscripts in _elements(loop.body, symbol):
            names += 1
            dropped &= {number for number, place in enumerate(subscripts) if _is_variable(place, loop)}
    others = sum(isinstance(node, t.Name) and node.symbol is symbol for node in nodes(code)) - names
    if others or not dropped:
        return None
    kind = _without(symbol.type, min(dropped))
    own = replace(symbol, type=kind, storage=t.Storage.AUTO, threadprivate=False, address_taken=False)
    return Contraction(own, min(dropped))


def array_element(node: Node) -> t.Symbol | None:
    """The array of which `node` is an element."""
    found = _subscripts(node) if isinstance(node, t.Index) and not isinstance(node.type, ty.Array) else None
    return None if found is None else found[0].symbol


def _elements(code: t.Stmt, symbol: t.Symbol) -> Iterator[list[t.Expr]]:
    """The subscripts of each place where `code` reads or writes an element of the array."""
    addressed = {node.operand for node in nodes(code) if isinstance(node, t.Unary) and node.op == "&"}
    for node in nodes(code):
        if array_element(node) is symbol and node not in addressed:
            assert isinstance(node, t.Index)
            found = _subscripts(node)
            assert found is not None
            yield found[1]


def _subscripts(node: t.Index) -> tuple[t.Name, list[t.Expr]] | None:
    """The array that has a name, and all subscripts; None: a pointer is followed."""
    subscripts: list[t.Expr] = []
    base: t.Expr = node
    while isinstance(base, t.Index) and isinstance(base.base.type, ty.Array):
        subscripts.insert(0, base.index)
        base = base.base
    return (base, subscripts) if isinstance(base, t.Name) else None


def _is_variable(place: t.Expr, loop: CanonicalLoop) -> bool:
    return isinstance(place, t.Name) and place.symbol is loop.var


def _lengths(kind: ty.Type) -> Iterator[int | t.Expr | None]:
    while isinstance(kind, ty.Array):
        yield kind.length
        kind = kind.of


def _without(kind: ty.Type, number: int) -> ty.Type:
    assert isinstance(kind, ty.Array)
    return kind.of if number == 0 else replace(kind, of=_without(kind.of, number - 1))
