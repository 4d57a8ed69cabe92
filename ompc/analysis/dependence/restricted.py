"""Analysis: pointers of which the program promises that nobody else comes to what it changes by them: `restrict`.

    for (b ...) {                                   an iteration executes the block once
        const double *restrict x = boxes[b].v[0];
        double *restrict y = boxes[b].v[1];
        for (j ...)                                 y[j] and x[k] are different elements, for all j and k
            y[j] = x[j - 1] + x[j + 1];
    }

C11 6.7.3.1: while the block that declares a restricted pointer is executed once, an object that is changed meanwhile
and accessed by an address that is based on the pointer is accessed by no other address. So two accesses, one of which
changes the object, are to different objects where

    the pointer      is a variable of a block, and the address of one access is based on it: it goes through it
    the other one    does not go through it; nor can its address be based on it in another way, since the pointer's
                     value goes nowhere: it is only followed, and gets values
    both are done    while the block is executed once, in whatever iterations of a loop: the loop and both accesses
                     stand in the block, and the loop does not set the pointer

What stands in the block is looked up in the program as it was written, by the places in its text: a rewrite may have
put accesses of several blocks into one loop. A pointer that a rewrite has made is none.

    In: the code of a launch, its accesses, its function as it was.   Out: are two accesses apart?
    Not here: parameters that are restricted, which name objects that the launcher compares; what a kernel says of its
    pointers (render).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from ompc.analysis.memory.accesses import Access
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.queries import declarations_in, declared_in, names_in, set_in, targets_written
from ompc.ir.walk import walk

Apart = Callable[[Access, Access], bool]


def by_restricted_pointers(
    body: t.Stmt, accesses: Sequence[Access], functions: Mapping[str, t.Function], loop: t.For
) -> Apart:
    """Are two accesses in `loop`, which stands in `body`, to different objects, in whichever iterations? `accesses`:
    all of the body.
    """
    places = {symbol: found for symbol in _restricted(body, accesses, loop) if (found := _block(symbol, functions))}
    places = {symbol: inside for symbol, inside in places.items() if loop.loc in inside}

    def are_apart(one: Access, other: Access) -> bool:
        if one.function is not None or other.function is not None or one.base is other.base:
            return False
        bases = [access.base for access in (one, other) if access.base in places]
        return any(base is not None and places[base] >= {one.node.loc, other.node.loc} for base in bases)

    return are_apart


def _restricted(body: t.Stmt, accesses: Sequence[Access], loop: t.For) -> set[t.Symbol]:
    """The pointers of blocks around the loop whose values go nowhere."""
    declared = [decl.symbol for decl in declarations_in(body)]
    found = {s for s in declared if _is_restricted(s) and _stays(s, loop) and declared.count(s) == 1}
    paths = [access_path(access.node) for access in accesses if access.base in found]
    followed = {path.origin for path in paths if path.follows}
    return {symbol for symbol in found if _goes_nowhere(symbol, body, followed)}


def _stays(symbol: t.Symbol, loop: t.For) -> bool:
    """Is it one pointer, with one value, in all iterations?"""
    return symbol not in set_in(loop.body) | declared_in(loop)


def _goes_nowhere(symbol: t.Symbol, body: t.Stmt, followed: Collection[t.Expr]) -> bool:
    """Is it only followed, and given values?"""
    given = targets_written(body)
    return all(name in followed or name in given for name in names_in(body).get(symbol, ()))


def _is_restricted(symbol: t.Symbol) -> bool:
    block = symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER) and not symbol.address_taken
    return block and isinstance(symbol.type, ty.Pointer) and "restrict" in symbol.type.quals


def _block(symbol: t.Symbol, functions: Mapping[str, t.Function]) -> frozenset[Location]:
    """The places in the text that belong to the block which declares the variable, and to nothing else."""
    function = functions.get(symbol.function or "")
    return frozenset() if function is None or function.body is None else _places(function.body, symbol)


@lru_cache(maxsize=64)
def _places(body: t.Stmt, symbol: t.Symbol) -> frozenset[Location]:
    blocks = [node for node in walk(body) if isinstance(node, t.Block) and _declares(node, symbol)]
    if len(blocks) != 1:
        return frozenset()
    inside = set(walk(blocks[0]))
    outside = {node.loc for node in walk(body) if node not in inside}
    return frozenset(node.loc for node in inside) - outside


def _declares(block: t.Block, symbol: t.Symbol) -> bool:
    declared = [decl for item in block.items if isinstance(item, t.DeclStmt) for decl in item.decls]
    return any(isinstance(decl, t.VarDecl) and decl.symbol is symbol for decl in declared)
