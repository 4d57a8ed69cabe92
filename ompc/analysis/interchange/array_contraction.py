"""Analysis: a thread's own array that every iteration of a loop uses at its own place alone needs no dimension for it.

    double w[N], t[N][5];
    for (j ...) { w[j] = a[j];  t[j][0] = 1; }          for each j:  double w, t[5];
    for (j ...) b[j] = w[j] * t[j][0];                               w = a[j];  t[0] = 1;  b[j] = w * t[0];

All that the code does with the array is to read or write elements, with the loop's variable as one of the subscripts,
always in the same place. So no two iterations use the same element, and when the loops have become one, an iteration
has all of what it uses: the array without that dimension.

    In: code, the array, the loops that will be one.   Out: the dimension, or None.
    Not here: whether the array's elements have values before the code, or are wanted after it --
    plan/rewrites/interchange.py; the smaller array -- plan/rewrites/smaller_arrays.py.
    Source: array contraction (Gao, Olsen, Sarkar, Thekkath, "Collective loop fusion for array contraction", LCPC 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop


def spare_dimension(code: t.Stmt, symbol: t.Symbol, loops: Sequence[CanonicalLoop]) -> int | None:
    """Which dimension, counted from the outermost, `symbol` does not need when `loops`, which stand in `code`, have
    become one; None: it needs all.
    """
    lengths = ty.lengths_of(symbol.type)
    if not lengths or not ty.is_arithmetic(ty.element_of(symbol.type)):
        return None
    variable = [number for number, length in enumerate(lengths) if not isinstance(length, int)]
    if len(variable) > 1 or ty.element_of(symbol.type).quals:
        return None
    dropped = set(variable or range(len(lengths)))  # what is left is of constant length
    names = 0
    for loop in loops:
        for subscripts in _elements(loop.body, symbol):
            names += 1
            dropped &= {number for number, place in enumerate(subscripts) if _is_variable(place, loop)}
    others = sum(isinstance(node, t.Name) and node.symbol is symbol for node in nodes(code)) - names
    if others or not dropped:
        return None
    return min(dropped)


def array_element(node: Node) -> t.Symbol | None:
    """The array of which `node` is an element."""
    found = subscripts_of(node) if isinstance(node, t.Index) and not isinstance(node.type, ty.Array) else None
    return None if found is None else found[0].symbol


def elements_in(code: t.Stmt) -> dict[t.Symbol, list[t.Index]]:
    """Of each array that has a name the places where `code` reads or writes an element, in the order of the text."""
    addressed = {node.operand for node in nodes(code) if isinstance(node, t.Unary) and node.op == "&"}
    found: dict[t.Symbol, list[t.Index]] = {}
    for node in nodes(code):
        if isinstance(node, t.Index) and node not in addressed and (symbol := array_element(node)) is not None:
            found.setdefault(symbol, []).append(node)
    return found


def _elements(code: t.Stmt, symbol: t.Symbol) -> Iterator[list[t.Expr]]:
    """The subscripts of each place where `code` reads or writes an element of the array."""
    for node in elements_in(code).get(symbol, ()):
        found = subscripts_of(node)
        assert found is not None
        yield found[1]


def subscripts_of(node: t.Index) -> tuple[t.Name, list[t.Expr]] | None:
    """The array that has a name, and all subscripts; None: a pointer is followed."""
    subscripts: list[t.Expr] = []
    base: t.Expr = node
    while isinstance(base, t.Index) and isinstance(base.base.type, ty.Array):
        subscripts.insert(0, base.index)
        base = base.base
    return (base, subscripts) if isinstance(base, t.Name) else None


def _is_variable(place: t.Expr, loop: CanonicalLoop) -> bool:
    return isinstance(place, t.Name) and place.symbol is loop.var

