"""Stack allocation of blocks that do not outlive an iteration: what is allocated and freed again is an array.

    double *t = malloc(m * sizeof(double));         double t[m];
    if (t == NULL)
        exit(1);
    for (k = 0; k < m; k++) t[k] = ...;             for (k = 0; k < m; k++) t[k] = ...;
    ...                                             ...
    free(t);

Each iteration has a block of its own, and nobody has one behind `free`, so it is as good as an array of the same size
that the iteration declares; of `calloc`'s, all elements are zero at first. An array is always there, and so tests for a
null pointer are gone. The pointer has to be the iteration's own variable, which names this block from the allocation
to the end of the surrounding braces, and nothing else: it is assigned once, but for a null pointer behind `free`, and
its address is not taken. The braces free the block whatever happens; if they can be left before, the pointer is only
subscripted, so that nobody else has the block then.

A struct with an array at its end, of which the block has more elements than its type, stays: as an array of structs it
would have them in the next one.

    In: the body of a loop; functions that loops call.   Out: the same with arrays in the place of such blocks.
    Not here: what a statement does with the pointer -- pointer_uses.py; where arrays of variable length are --
    plan/parameters/expansion.py; functions that declare some, which have to stand in the loop -- calls/inlining.py.
    Source: escape analysis and stack allocation (Choi et al., "Escape analysis for Java", 1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TypeVar

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import goes_elsewhere, is_label
from ompc.ir.queries import declared_in, only_reads, parts_of_comma, reached, symbols_in
from ompc.ir.rewrite import copied, rewritten, with_items, with_parts
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop, Sharing
from ompc.sema.records import align_of
from ompc.transform.blocks.pointer_uses import Rewriting, called, changes, ends, frees, is_pointer, sets_null, test

_ALLOCATING = frozenset({"malloc", "calloc"})
_ALL_SIZES = 1 << 64  # there are no more numbers of size_t

S = TypeVar("S", bound=t.Stmt)


def functions_with_arrays(
    functions: Mapping[str, t.Function], loops: Iterable[ParallelLoop]
) -> Mapping[str, t.Function]:
    """`functions`, those that `loops` reach with arrays in the place of blocks."""
    bodies = {body for loop in loops if loop.body is not None for body in reached(loop.body, functions)}
    made = {}
    for name, function in functions.items():
        if function.body is not None and function.body in bodies:
            body = _with_arrays(function.body, {}, functions)
            made[name] = function if body is function.body else replace(function, body=body)
    return {**functions, **made}


def with_arrays(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> ParallelLoop:
    """`loop` with arrays in the place of blocks; itself where there is none."""
    if loop.body is None or not loop.loops:
        return loop
    body = _with_arrays(loop.body, loop.sharing, functions)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return loop if body is loop.body else replace(loop, body=body, loops=loops)


def declares_arrays(_: t.Call, function: t.Function) -> bool:
    """Does the function declare arrays of variable length?"""
    kinds = [node.symbol.type for node in walk(function.body) if isinstance(node, t.VarDecl)] if function.body else []
    return any(isinstance(kind, ty.Array) and ty.is_variably_modified(kind) for kind in kinds)


def _with_arrays(body: S, sharing: Mapping[t.Symbol, Sharing], functions: Mapping[str, t.Function]) -> S:
    """`sharing`: of variables that are declared around `body`."""
    if not functions.keys().isdisjoint(_ALLOCATING) or not any(map(_allocating, _expressions(body))):
        return body
    whole, body = body, rewritten(body, _apart)
    tried = set[t.Symbol]()
    while True:
        found = next((each for each in _allocations(body) if each.pointer not in tried), None)
        if found is None:
            return body if any(pointer not in declared_in(body) for pointer in tried) else whole
        tried.add(found.pointer)
        if _is_own(found.pointer, body, sharing):
            body = found.without(body, functions)


def _expressions(body: t.Stmt) -> Iterator[t.Expr]:
    return (node for node in walk(body) if isinstance(node, t.Expr))


def _apart(node: Node) -> Node | None:
    """Declarations one by one, where one of them allocates a block."""
    if isinstance(node, t.Expr):
        return node
    if not isinstance(node, t.Block):
        return None
    items = list[t.Stmt]()
    for item in node.items:
        decls = item.decls if isinstance(item, t.DeclStmt) else ()
        several = len(decls) > 1 and any(d.init is not None and _allocating(d.init) for d in decls)
        items += [t.DeclStmt(d.loc, (d,)) for d in decls] if several else [rewritten(item, _apart)]
    return with_items(node, items)


def _is_own(pointer: t.Symbol, body: t.Stmt, sharing: Mapping[t.Symbol, Sharing]) -> bool:
    own = pointer in declared_in(body) or sharing.get(pointer) is Sharing.PRIVATE
    return own and pointer.is_automatic and not pointer.address_taken


def _allocations(body: t.Stmt) -> Iterator[_Allocation]:
    for block in walk(body):
        if isinstance(block, t.Block) and not any(map(is_label, block.items)):
            for at, item in enumerate(block.items):
                match item:
                    case t.DeclStmt(decls=(t.VarDecl(symbol=pointer, init=t.Expr() as value),)):
                        pass
                    case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=pointer), value=value)):
                        pass
                    case _:
                        continue
                if (call := _allocating(value)) is not None:
                    yield _Allocation(block, at, pointer, call)


def _allocating(value: t.Expr) -> t.Call | None:
    while isinstance(value, t.Cast) and isinstance(value.type, ty.Pointer):
        value = value.operand
    return value if isinstance(value, t.Call) and called(value) in _ALLOCATING else None


@dataclass(frozen=True, eq=False)
class _Allocation:
    """The item `at` of `block` gives `pointer` what `call` allocates."""

    block: t.Block
    at: int
    pointer: t.Symbol
    call: t.Call

    def without(self, body: S, functions: Mapping[str, t.Function]) -> S:
        """`body` with an array in the place of the block; itself where that cannot be."""
        behind = self.block.items[self.at + 1 :]
        kind = self._type()
        if kind is None or not self._is_freed(behind) or not self._is_alone(body, behind) or self._is_computed(body):
            return body
        addressed = isinstance(kind.of, ty.Array) or any(map(self._is_addressed, behind))
        larger = addressed and self._is_taken_for_larger(reached(body, functions))
        array = replace(self.pointer, type=kind, address_taken=addressed, written=None, for_any_type=larger)
        first: list[t.Stmt] = [t.DeclStmt(self.call.loc, (t.VarDecl(array, None, self.call.loc),))]
        if called(self.call) == "calloc":
            first.append(_zero(array, kind, self.call.loc, symbols_in(body)))
        rest = [item for item in map(Rewriting(self.pointer, array).item, behind) if not isinstance(item, t.Empty)]
        block = with_items(self.block, [*self.block.items[: self.at], *first, *rest])
        return rewritten(rewritten(body, lambda node: block if node is self.block else None), self._unnamed)

    def _unnamed(self, node: Node) -> Node | None:
        """Without the declaration of the pointer, and null pointers in it in front of the braces and behind them."""
        if isinstance(node, t.DeclStmt):
            return with_parts(node, decls=tuple(decl for decl in node.decls if decl.symbol is not self.pointer))
        if isinstance(node, t.ExprStmt) and ends(node, self.pointer) is not None:
            return t.Empty(node.loc)
        return node if isinstance(node, t.Expr) else None

    def _is_computed(self, body: t.Stmt) -> bool:
        """Does the declaration of the pointer do more than to declare it, with a first value that is of no use?"""
        declared = (node for node in walk(body) if isinstance(node, t.VarDecl) and node.symbol is self.pointer)
        firsts = (decl.init for decl in declared if decl.init is not None and not self._allocates(decl.init))
        return not all(map(only_reads, firsts))

    def _allocates(self, value: t.Expr) -> bool:
        return _allocating(value) is self.call

    def _names(self, item: Node) -> Iterator[t.Name]:
        return (node for node in walk(item) if isinstance(node, t.Name) and node.symbol is self.pointer)

    def _is_addressed(self, item: t.Stmt) -> bool:
        """May an address in the block be more than what a subscript is of?"""
        spelled = any(isinstance(node, t.Unary) and node.op == "&" and any(self._names(node)) for node in walk(item))
        return spelled or not self._subscripted(item).issuperset(self._names(item))

    def _subscripted(self, item: t.Stmt) -> set[t.Expr]:
        """Where the pointer is subscripted, freed, or compared with null."""
        found = set[t.Expr]()
        for node in walk(item):
            if isinstance(node, t.Index):
                found.add(node.base)
            elif (isinstance(node, t.Stmt) and ends(node, self.pointer)) or test(node, self.pointer) is not None:
                found.update(self._names(node))
            elif isinstance(node, t.If) and is_pointer(node.condition, self.pointer):
                found.update(self._names(node.condition))
        return found

    def _is_taken_for_larger(self, code: Iterable[Node]) -> bool:
        """May a place in it be taken for one of a type that has to be aligned to more? Any type may be in a block."""
        own = self._alignment(self.pointer.type)
        return any(isinstance(e, t.Expr) and self._alignment(e.type) > own for part in code for e in walk(part))

    def _alignment(self, kind: ty.Type) -> int:
        """Of what it points to."""
        return (align_of(kind.to) or 0) if isinstance(kind, ty.Pointer) else 0

    def _is_freed(self, behind: Sequence[t.Stmt]) -> bool:
        """Is the block freed where the braces end, or does nobody else know of it where they are left before?"""
        last = max((at for at, item in enumerate(behind) if frees(item, self.pointer)), default=None)
        if last is None:
            return False
        before = map(Rewriting(self.pointer, self.pointer).item, behind[:last])  # without what a null pointer leads to
        return not any(map(goes_elsewhere, before)) or not any(map(self._is_addressed, behind))

    def _is_alone(self, body: t.Stmt, behind: Sequence[t.Stmt]) -> bool:
        """Does the pointer name nothing else, and does nobody ask for it once it is null?"""
        inside = {name for item in self.block.items[self.at :] for name in self._names(item)}
        last = (node for node in walk(body) if isinstance(node, t.ExprStmt) and ends(node, self.pointer) is not None)
        parts = (part for node in last for part in parts_of_comma(node.expr))
        nulls = {name for part in parts if sets_null(part, self.pointer) for name in self._names(part)}
        if any(name not in inside | nulls for name in self._names(body)):
            return False
        is_null = False
        for item in behind:
            names = set(self._names(item))
            if ends(item, self.pointer) is None and (names & nulls or (is_null and names)):
                return False
            is_null |= bool(names & nulls)
        return not any(changes(node, self.pointer) for item in behind for node in walk(item))

    def _type(self) -> ty.Array | None:
        """The array's type, of as many elements as there is room for."""
        to = self.pointer.type.to if isinstance(self.pointer.type, ty.Pointer) else ty.VOID
        size = None if ty.is_variably_modified(to) or isinstance(to, (ty.Void, ty.Function)) else ty.size_of(to)
        if not size or not all(map(only_reads, self.call.args)):
            return None
        if called(self.call) == "calloc" and not ty.is_arithmetic(to):
            return None
        count = None if _goes_on_behind(to) else _elements(self.call, size)
        return None if not count else ty.Array(to, count)


def _goes_on_behind(kind: ty.Type) -> bool:
    """Is it a struct that ends with an array of no length, or of one, for as many elements as there is room for?"""
    if not isinstance(kind, ty.Struct) or not kind.record.fields:
        return False
    last = kind.record.fields[-1].type
    return last.length in (None, 0, 1) if isinstance(last, ty.Array) else _goes_on_behind(last)


def _elements(call: t.Call, size: int) -> int | t.Expr | None:
    """How many elements of `size` bytes the block has room for; None: `calloc` may find that these are too many for a
    number, and give no block.
    """
    factors = [factor for arg in call.args for factor in _factors(arg)]
    values = [constant_value(factor) for factor in factors]
    others = [factor for factor, value in zip(factors, values, strict=True) if value is None]
    number = prod(value for value in values if value is not None)
    divides = number % size == 0
    if called(call) == "malloc":
        number %= _ALL_SIZES
    elif not 0 <= number < _ALL_SIZES or (others and not (divides and any(map(_is_number, call.args)))):
        return None
    if not others:
        return -(-number // size)
    number = number // size if divides else number
    of = [*others, _number(number, call.loc)] if number != 1 else others
    count = of[0] if len(of) == 1 else t.Cast(ty.ULONG, call.loc, of[0])
    for factor in of[1:]:
        count = t.Binary(ty.ULONG, call.loc, "*", count, factor)
    if divides:
        return count
    whole = t.Binary(ty.ULONG, call.loc, "/", count, _number(size, call.loc))
    return t.Binary(ty.ULONG, call.loc, "+", whole, _number(1, call.loc))  # which may be a part of one


def _is_number(e: t.Expr) -> bool:
    return constant_value(e) is not None


def _factors(e: t.Expr) -> Iterator[t.Expr]:
    """Of a product of size_t; what is multiplied in another type may not fit there, and is one factor."""
    if isinstance(e, t.Cast) and ty.unqualified(e.type) == ty.ULONG and not isinstance(e.operand, t.Binary):
        yield from _factors(e.operand)
    elif isinstance(e, t.Binary) and e.op == "*" and ty.unqualified(e.type) == ty.ULONG:
        yield from _factors(e.left)
        yield from _factors(e.right)
    else:
        yield copied(e)


def _number(value: int, loc: Location) -> t.IntConst:
    return t.IntConst(ty.ULONG, loc, value, str(value))


def _zero(array: t.Symbol, kind: ty.Array, loc: Location, named: Iterable[t.Symbol]) -> t.Stmt:
    """All elements are zero."""
    names, name = {symbol.name for symbol in named}, f"{array.name}_at"
    while name in names:
        name += "_"
    at = replace(array, name=name, type=ty.ULONG, address_taken=False)
    length = kind.length if isinstance(kind.length, t.Expr) else _number(kind.length or 0, loc)
    place = t.Name(ty.ULONG, loc, at)
    element = t.Index(kind.of, loc, t.Name(kind, loc, array), copied(place))
    return t.For(
        loc,
        t.DeclStmt(loc, (t.VarDecl(at, _number(0, loc), loc),)),
        t.Binary(ty.INT, loc, "<", copied(place), copied(length)),
        t.IncDec(ty.ULONG, loc, "++", False, copied(place)),
        t.ExprStmt(loc, t.Assign(kind.of, loc, "=", element, t.IntConst(ty.INT, loc, 0, "0"))),
    )
