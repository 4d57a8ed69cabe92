"""Analysis: the body of a register tile: code around one inner loop that all points of a nest run through in step.

    s = 0;                                   before
    for (k = 0; k < n; k++)                  the loop: the same bounds in every iteration of the grid
        s += a[i][k] * b[k][j];
    c[i][j] = s;                             after

Points may then go through the loop together, some iterations at a time, since nothing in it jumps, and each point still
does what it did in the order in which it did it. A bound may move with one loop of the grid: then points go together
through the iterations that any of them has, and each does its own:

    for (k = i + 1; k < n; k++)              for (k = 1; k < n; k++) if (k >= i + 1)

All of this may stand under a condition, and beside that statements without loops, which each point does by itself:

    if (j == i) c[i][i] = 1;                 ahead: names no variable of the thread's own but the counters
    if (j > i) { s = 0; for (k ...) ... }    guard: before, the loop and after
    d[i][j] = 0;                             behind

    In: a kernel's body, Facts, the loops of the grid.   Out: RegisterTileBody, or None.
    Not here: which elements are shared by points -- plan/forms/tiles.py.
    Source: unroll-and-jam, as in Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 8.4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.interchange.bounding_box import Box, bounding_box
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import assigned_in, declared_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop

_UNFIT = (t.Switch, t.OpaqueExpr, t.OpaqueStmt, t.Print)
_LOOPS = (t.For, t.While, t.DoWhile)


@dataclass(frozen=True, slots=True, eq=False)
class RegisterTileBody:
    """`definitions`: integers that keep the value of their initialiser, built from counters and what the launch does
    not change, in the order of the text; `varying` says which counters each is built from. `guard`: the points that
    there are; None: all. `box`: where points have other iterations than each other, `loop` has all of them. `ahead`,
    `behind`: statements beside all that, for all points.
    """

    before: tuple[t.Stmt, ...]
    loop: CanonicalLoop
    after: tuple[t.Stmt, ...]
    definitions: tuple[t.VarDecl, ...]
    varying: Mapping[t.Symbol, frozenset[t.Symbol]]
    guard: t.If | None = None
    box: Box | None = None
    ahead: tuple[t.Stmt, ...] = ()
    behind: tuple[t.Stmt, ...] = ()

    def varies_with(self, expr: t.Expr) -> frozenset[t.Symbol] | None:
        """The counters that `expr` is built from; None: from other things too."""
        return _varies_with(expr, self.varying)

    def in_loop(self, context: Collection[t.Stmt | t.Expr]) -> bool:
        return self.loop.statement in context


def register_tile_body(
    facts: Facts, body: t.Stmt, counters: Mapping[t.Symbol, t.Symbol], grid: Sequence[CanonicalLoop] = ()
) -> RegisterTileBody | None:
    """The parts of `body`, which is one iteration of the loops over `counters`: each variable as one of the grid's. A
    bound may move with one of the loops `grid`.
    """
    ahead, items, behind = _apart(facts, _items(body))
    guard = items[0] if len(items) == 1 and isinstance(items[0], t.If) and items[0].other is None else None
    if guard is not None:
        items = _items(guard.then)
    loops = [item for item in items if _has_loop(item)]
    unfit = any(isinstance(node, _UNFIT) for item in (*ahead, *items, *behind) for node in walk(item))
    if len(loops) != 1 or unfit or jumps_in(body) or labels_in(body):
        return None
    loop = facts.inner_loops.get(loops[0]) if isinstance(loops[0], t.For) else None
    if loop is None or any(isinstance(node, (*_LOOPS, t.Pragma)) for node in walk(loop.body)):
        return None
    position = items.index(loops[0])
    before, after = tuple(items[:position]), tuple(items[position + 1 :])
    if _names(loop.var, (*before, *after)) or loop.var.address_taken:
        return None
    beside = (*ahead, *behind)
    if any(isinstance(node, t.Pragma) or _is_static(node) for item in (*beside, *items) for node in walk(item)):
        return None
    varying = {symbol: frozenset[t.Symbol]() for symbol in facts.invariant}
    varying |= {counter: frozenset({axis}) for counter, axis in {**counters, loop.var: loop.var}.items()}
    box: Box | None = None
    if not all(_varies_with(bound, varying) == frozenset() for bound in (loop.lower, loop.upper, loop.step) if bound):
        box = None if guard is not None else bounding_box(facts, loop, grid)
        if box is None:
            return None
        loop = replace(loop, lower=box.lower, upper=box.upper, relation=box.relation)
    if guard is not None and not _is_half_plane(facts, guard.condition, counters):
        return None
    declared = [d for item in (*ahead, *before, *_items(loop.body)) if isinstance(item, t.DeclStmt) for d in item.decls]
    definitions = tuple(d for d in declared if _is_definition(d, body, varying))
    defined = {d.symbol for d in definitions}
    if guard is not None and not defined.isdisjoint(symbols_in(guard.condition)):
        return None
    ahead = [item for item in ahead if not _defines_only(item, defined)]
    if not all(_is_by_itself(facts, item, defined | counters.keys()) for item in (*ahead, *behind)):
        return None
    return RegisterTileBody(before, loop, after, definitions, varying, guard, box, tuple(ahead), tuple(behind))


def _apart(facts: Facts, items: list[t.Stmt]) -> tuple[list[t.Stmt], list[t.Stmt], list[t.Stmt]]:
    """The one statement with a loop, where it stands under a condition, and those ahead of it and behind it. Without a
    condition around the loop, only stores under one are ahead, to what nothing else accesses.
    """
    places = [number for number, item in enumerate(items) if _has_loop(item)]
    if len(places) != 1:
        return [], items, []
    at = places[0]
    if isinstance(items[at], t.If):
        return items[:at], [items[at]], items[at + 1 :]
    first = 0
    while first < at and isinstance(items[first], t.If) and _stores_alone(facts, items[first]):
        first += 1
    return items[:first], items[first:], []


def _stores_alone(facts: Facts, item: t.Stmt) -> bool:
    """Does the statement store to memory that nothing else in an iteration accesses?"""
    inside = set(walk(item))
    objects = {access.obj for access in facts.accesses if access.mode.writes and access.node in inside}
    others = (access for access in facts.accesses if access.node not in inside)
    return bool(objects) and all(access.obj not in objects for access in others)


def _defines_only(item: t.Stmt, defined: Collection[t.Symbol]) -> bool:
    return isinstance(item, t.DeclStmt) and all(d.symbol in defined for d in item.decls)


def _is_by_itself(facts: Facts, item: t.Stmt, known: Collection[t.Symbol]) -> bool:
    """Are its own declarations, and the `known` ones, all that it names of the thread's variables?"""
    if isinstance(item, t.DeclStmt):
        return False
    named = symbols_in(item) - declared_in(item)
    return all(symbol in known or not facts.is_thread_private(MemoryObject(symbol)) for symbol in named)


def _has_loop(item: t.Stmt) -> bool:
    return any(isinstance(node, _LOOPS) for node in walk(item))


def _is_half_plane(facts: Facts, guard: t.Expr, counters: Mapping[t.Symbol, t.Symbol]) -> bool:
    """Is it a comparison of sums of counters and of what the launch does not change, which nothing makes wrap?"""
    if not isinstance(guard, t.Binary) or guard.op not in ("<", "<=", ">", ">="):
        return False
    for node in (part for part in walk(guard) if isinstance(part, t.Expr)):
        kind = ty.unqualified(node.type)
        if not isinstance(kind, ty.Int) or kind.size < 4 or not kind.signed:
            return False
    sides = [facts.forms.of(guard.left), facts.forms.of(guard.right)]
    if sides[0] is None or sides[1] is None:
        return False
    parts = (sides[0] + -sides[1]).linear_in(list(counters))
    if parts is None or any(coefficient.constant is None for coefficient in parts[1].values()):
        return False
    return all(factor in facts.invariant for factor in parts[0].factors)


def _items(body: t.Stmt) -> list[t.Stmt]:
    """The statements of a block, without what is empty and with what `simd` stands on."""
    while isinstance(body, t.Block) and len(body.items) == 1:
        body = body.items[0]
    items = body.items if isinstance(body, t.Block) else (body,)
    return [_unwrapped(item) for item in items if not isinstance(item, t.Empty)]


def _unwrapped(item: t.Stmt) -> t.Stmt:
    if isinstance(item, t.Pragma) and item.body is not None and item.directive.name == "simd":
        return item.body
    return item


def _is_static(node: object) -> bool:
    return isinstance(node, t.VarDecl) and node.symbol.storage is t.Storage.LOCAL_STATIC


def _names(symbol: t.Symbol, code: Collection[t.Stmt]) -> bool:
    return any(symbol in symbols_in(item) for item in code)


def _is_definition(decl: t.VarDecl, body: t.Stmt, varying: dict[t.Symbol, frozenset[t.Symbol]]) -> bool:
    """Is it one? `varying` then knows it."""
    symbol = decl.symbol
    if decl.init is None or not isinstance(symbol.type, ty.Int) or symbol.address_taken or symbol in assigned_in(body):
        return False
    found = _varies_with(decl.init, varying)
    if found is not None:
        varying[symbol] = found
    return found is not None


def _varies_with(expr: t.Expr, varying: Mapping[t.Symbol, frozenset[t.Symbol]]) -> frozenset[t.Symbol] | None:
    if not Invariance(varying.__contains__).holds(expr):
        return None
    return frozenset[t.Symbol]().union(*(varying[symbol] for symbol in symbols_in(expr)))
