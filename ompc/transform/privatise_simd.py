"""Private variables of `simd` constructs made explicit (OpenMP 5.2, 10.4): a sequential loop with variables of its own.

    #pragma omp simd private(t)              {
    for (j = 0; j < m; j++) {                    double t;
        t = x[j]; y[j] = t * t;                  #pragma omp simd
    }                                            for (j = 0; j < m; j++) { t = x[j]; y[j] = t * t; }
                                             }

The variable outside keeps its value, and where it is shared the loop does not race for it. Every later stage then sees
an ordinary block. The user's text is not touched: what runs on the host is compiled from it.

Kernels have no construct there at all (`without_simd`): what is left of one is a loop, with what `lastprivate` and
`reduction` say done on the variable itself, as a sequential loop does it. That iterations may be done side by side in
the lanes of a vector is no promise that they are independent: a lane may read what one before it has stored.

In: the typed tree.   Out: the same tree but for such constructs.
Not here: linear; combined constructs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, cast

from ompc.ir import types as ty
from ompc.ir.rewrite import rewritten, with_bodies, with_symbols
from ompc.ir.tree import Block, DeclStmt, Expr, Pragma, Storage, Symbol, Unit, VarDecl
from ompc.ir.walk import Node
from ompc.omp.constructs import is_sequential_simd, readable

N = TypeVar("N")


def with_simd_copies(unit: Unit) -> Unit:
    """`unit` with a block around every `simd private(...)` loop that declares the private variables."""
    return with_bodies(unit, _is_candidate, _privatised)


def without_simd(node: N) -> N:
    """`node` with the loops of `simd` constructs in their places."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, Pragma) or node.directive.name != "simd" or node.body is None:
            return node if isinstance(node, Expr) else None
        return rewritten(node.body, change) if is_sequential_simd(node) else None

    return rewritten(node, change)


def has_simd(node: object) -> bool:
    return isinstance(node, Pragma) and node.directive.name == "simd"


def _is_candidate(node: object) -> bool:
    return isinstance(node, Pragma) and node.directive.name == "simd" and node.directive.first("private") is not None


def _privatised(body: Block) -> Block:
    def change(node: Node) -> Node | None:
        copies = _copies(node)
        if not copies:
            return None
        pragma = cast(Pragma, node)
        return _with_declarations(replace(pragma, body=rewritten(pragma.body, change)), copies)

    return rewritten(body, change)


def _copies(node: object) -> dict[Symbol, Symbol]:
    """The private variables of a `simd` construct, each with a new one of its type; none if one cannot be declared."""
    if not isinstance(node, Pragma) or node.body is None or not _is_candidate(node):
        return {}
    directive = readable(node)
    listed = [] if directive is None else [symbol for c in directive.all("private") for symbol in c.symbols]
    if any(ty.is_variably_modified(symbol.type) or ty.size_of(symbol.type) is None for symbol in listed):
        return {}
    return {symbol: copy_of(symbol, node) for symbol in listed}


def copy_of(symbol: Symbol, pragma: Pragma) -> Symbol:
    return Symbol(
        symbol.name, symbol.type, Storage.AUTO, pragma.loc, symbol.position, symbol.function, symbol.address_taken
    )


def _with_declarations(pragma: Pragma, copies: Mapping[Symbol, Symbol]) -> Block:
    """The block that stands for the construct."""
    declarations = tuple(VarDecl(copy, None, pragma.loc) for copy in copies.values())
    left = tuple(clause for clause in pragma.directive.clauses if clause.name != "private")
    loop = replace(pragma, directive=replace(pragma.directive, clauses=left))
    return Block(pragma.loc, (DeclStmt(pragma.loc, declarations), with_symbols(loop, copies)))
