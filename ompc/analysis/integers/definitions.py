"""Analysis: variables that stand for an expression wherever the loop's code reads them.

    const int plane = rows * columns;              in front of the loop: nobody changes rows, columns or plane
    #pragma omp parallel for private(k)
    for (i ...) for (j ...) {
        int row = i * plane + j * columns;         declared in the body, and never assigned again
        for (k ...) { at = row + k; new[at] = ...  assigned once in the body, before each read of it }
    }

So new[at] is new[i * rows * columns + j * columns + k].

    In: the loop's body; the function around it.   Out: Definitions by their symbols.
    Not here: what the expressions are -- polynomials.py; variables whose value depends on the path to the read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.integers.domain_forms import Condition
from ompc.analysis.integers.polynomials import Definition, Forms, converted
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import labels_in
from ompc.ir.queries import (
    changed_in,
    declarations_in,
    is_named_outside,
    place_of,
    symbols_in,
    targets_written,
    unread_in,
)
from ompc.ir.walk import children, walk


def declared_definitions(body: t.Stmt, around: frozenset[t.For]) -> dict[t.Symbol, Definition]:
    """The variables of the body that keep the value of their initialiser; `around` are the loops around the body."""
    changed = changed_in(body)
    found: dict[t.Symbol, Definition] = {}
    for decl, loops in _inside(body, around):
        if isinstance(decl, t.VarDecl) and decl.init is not None:
            symbol = decl.symbol
            static = symbol.storage is t.Storage.LOCAL_STATIC
            names_itself = symbol in symbols_in(decl.init)  # `int x = x;`
            if symbol not in changed and not symbol.address_taken and not static and not names_itself:
                found[symbol] = Definition(decl.init, loops)
    return found


def assigned_definitions(
    body: t.Stmt, around: frozenset[t.For], own: Collection[t.Symbol]
) -> dict[t.Symbol, Definition]:
    """Of the thread's `own` variables those that are assigned at one place, which comes before each read of them."""
    targets = [target.symbol for target in targets_written(body) if isinstance(target, t.Name)]
    changed = [place.symbol for place in map(place_of, targets_written(body)) if place is not None]
    # An initialiser is a place, too: `int k = 0; if (c) k = j;`.
    changed += [declaration.symbol for declaration in declarations_in(body) if declaration.init is not None]
    once = {s for s in targets if changed.count(s) == 1 and s in own and not s.address_taken}
    found: dict[t.Symbol, Definition] = {}
    for node, loops in _inside(body, around):
        match node:
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)) if symbol in once:
                whole = next((loop.body for loop in reversed(_loops_around(node, body))), body)
                if not is_named_outside(body, whole, symbol) and symbol not in exposed_reads(whole):
                    found[symbol] = Definition(value, loops)
            case _:
                pass
    return found


def _loops_around(node: t.Stmt, body: t.Stmt) -> list[t.For | t.While | t.DoWhile]:
    """The loops of the body that the statement stands in, outermost first."""
    loops = (loop for loop in walk(body) if isinstance(loop, (t.For, t.While, t.DoWhile)))
    return [loop for loop in loops if any(inner is node for inner in walk(loop.body))]


def _inside(body: t.Stmt, around: frozenset[t.For]) -> Iterator[tuple[t.Stmt | t.VarDecl, frozenset[t.For]]]:
    """The statements and declarations of the body, each with the `for` loops around it."""
    pending: list[tuple[t.Stmt | t.VarDecl, frozenset[t.For]]] = [(body, around)]
    while pending:
        node, loops = pending.pop()
        yield node, loops
        inside = loops | {node} if isinstance(node, t.For) else loops
        below = (child for child in children(node) if child is not None and not isinstance(child, t.Expr))
        pending += [(child, loops if child is getattr(node, "init", None) else inside) for child in below]


@dataclass(frozen=True, slots=True)
class Known:
    """`invariant`: integers that are the same in all iterations; `definitions`: variables that stand for expressions
    of those and of loop counters; `least`: the least values of some of the invariant ones; `greatest` likewise;
    `conditions`: what else is so of them.
    """

    invariant: frozenset[t.Symbol]
    definitions: Mapping[t.Symbol, Definition] = field(default_factory=dict)
    least: Mapping[t.Symbol, int] = field(default_factory=dict)
    greatest: Mapping[t.Symbol, int] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class OuterDefinitions:
    """Definitions in front of a loop, and the variables that they are built from, which nobody changes."""

    definitions: Mapping[t.Symbol, Definition] = field(default_factory=dict)
    leaves: frozenset[t.Symbol] = frozenset()


def outer_definitions(functions: Mapping[str, t.Function], invariant: frozenset[t.Symbol]) -> OuterDefinitions:
    """The variables among `invariant` that the function around the loop declares, and sets nowhere else."""
    found = [
        _of_function(function, frozenset(symbol for symbol in invariant if symbol.function == name))
        for name, function in functions.items()
        if any(symbol.function == name for symbol in invariant)
    ]
    merged = {symbol: value for each in found for symbol, value in each.definitions.items()}
    return OuterDefinitions(merged, frozenset(leaf for each in found for leaf in each.leaves))


@lru_cache(maxsize=256)
def _never_set(body: t.Stmt, params: tuple[t.Symbol, ...]) -> tuple[frozenset[t.Symbol], tuple[t.VarDecl, ...]]:
    """The integers of a function that are set by their declaration alone, and their declarations; none where some
    declarations may be passed by. Each loop of the function asks for them.
    """
    if unread_in(body) is not None or labels_in(body):  # what may pass by a declaration
        return frozenset(), ()
    decls = declarations_in(body)
    plain = {symbol for symbol in (*params, *(decl.symbol for decl in decls)) if _is_plain(symbol)}
    kept = frozenset(plain - changed_in(body))
    return kept, tuple(decl for decl in decls if decl.symbol in kept and decl.init is not None)


def _of_function(function: t.Function, invariant: frozenset[t.Symbol]) -> OuterDefinitions:
    if function.body is None:
        return OuterDefinitions()
    kept, decls = _never_set(function.body, tuple(function.params))
    found: dict[t.Symbol, Definition] = {}
    leaves: set[t.Symbol] = set()
    forms = Forms(kept, {})
    for decl in decls:
        if decl.symbol not in invariant or decl.init is None:
            continue
        value = forms.of(converted(decl.init, decl.symbol))
        if value is not None and value.factors and decl.symbol not in value.factors:
            found[decl.symbol] = Definition(decl.init, frozenset())
            leaves.update(factor for factor in value.factors if isinstance(factor, t.Symbol))
    return OuterDefinitions(found, frozenset(leaves - found.keys()))


def _is_plain(symbol: t.Symbol) -> bool:
    odd = symbol.address_taken or symbol.storage is t.Storage.LOCAL_STATIC or symbol.type.quals & {"volatile"}
    return isinstance(symbol.type, ty.Int) and not odd
