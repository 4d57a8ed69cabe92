"""Analysis: which objects of a file have floating-point values that something in the file compares or rounds.

A kernel that stores a contracted sum gives its last bit away: another loop, or the host, may compare it. What can be
seen of that in the file is found here; such values are computed as the host does (exactness.py).

    loop 1:  d[i] = x[i] * y[i] - z[i];        main:  if (d[k] > 0) ...        d is compared

One name stands for all that a pointer may lead to: pointers and structs that are assigned or passed to one another are
one, a member to which pointers lead is one in all structs. What is only printed, or handed to functions of other files,
is not compared. Nor is what goes into a sum that `reduction` forms: its last bits are nobody's.

    Source: Steensgaard, "Points-to Analysis in Almost Linear Time", POPL 1996, with one class for all levels.
    In: Unit, the variables of reductions.   Out: ComparedObjects: is an lvalue in one of them?
    Not here: what a kernel does with its own values -- deciding_uses.py; other files of the program (docs/limits.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator
from functools import cached_property

from ompc.analysis.libm import CLASSIFICATION, FUNCTIONS, plain_name
from ompc.analysis.real_values import is_real
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.initial_parts import part_type
from ompc.sema.walk import Node, children, walk

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
_ROUNDING = frozenset(
    "floor ceil round trunc rint nearbyint lrint llrint lround llround fmod remainder ilogb logb nextafter".split()
)


class ComparedObjects:
    """`sums`: variables of `reduction(+)`. The file is looked at when it is first asked for."""

    def __init__(self, unit: t.Unit, sums: Collection[t.Symbol]) -> None:
        self._unit = unit
        self._sums = sums

    def has(self, lvalue: t.Expr) -> bool:
        """May what is stored there be compared or rounded?"""
        return self._found.has(lvalue)

    @cached_property
    def _found(self) -> _Found:
        return _Found(self._unit, self._sums)


class _Found:
    def __init__(self, unit: t.Unit, sums: Collection[t.Symbol]) -> None:
        self._parent: dict[Hashable, Hashable] = {}
        self._functions = {function.symbol: function for function in unit.functions.values() if function.body}
        self._given: defaultdict[Hashable, list[t.Expr]] = defaultdict(list)
        bodies = [(function, function.body) for function in self._functions.values() if function.body is not None]
        nodes = [(function, node) for function, body in bodies for node in walk(body)]
        self._allocating = {function.symbol for function in self._functions.values() if _allocates(function)}
        self._led_to = {
            (node.operand.member.name, id(_record(node.operand)))
            for _, node in nodes
            if isinstance(node, t.Unary) and node.op == "&" and isinstance(node.operand, t.Member)
        }
        for function, node in nodes:
            self._unify(function, node)
        for function, node in nodes:
            self._note(function, node)
        self._sums = {self._find(symbol) for symbol in sums}
        self._compared: set[Hashable] = set()
        self._follow([part for function, node in nodes for part in self._decided(function, node)])

    def has(self, lvalue: t.Expr) -> bool:
        """May what is stored there be compared or rounded?"""
        key = self._key(lvalue)
        return key is not None and self._find(key) in self._compared

    # ------------------------------------------------------------------------------- names of objects

    def _find(self, key: Hashable) -> Hashable:
        while (parent := self._parent.get(key, key)) != key:
            self._parent[key] = self._parent.get(parent, parent)
            key = parent
        return key

    def _join(self, one: Hashable | None, other: Hashable | None) -> None:
        if one is not None and other is not None:
            self._parent[self._find(one)] = self._find(other)

    def _key(self, node: t.Expr) -> Hashable | None:
        """The name of the object that an lvalue is part of, or that a pointer leads to."""
        while True:
            match node:
                case t.Name(symbol=symbol):
                    return symbol
                case t.Member(base=base, member=member):
                    inside = None if self._is_shared(node) else self._key(base)
                    if inside is not None:
                        return member.name, self._find(inside)
                    return member.name, id(_record(node))
                case t.Index(base=inner) | t.Unary(op="*" | "&", operand=inner) | t.Cast(operand=inner):
                    node = inner
                case t.IncDec(operand=inner) | t.Assign(target=inner) | t.Comma(right=inner):
                    node = inner
                case t.Binary(left=left, right=right):
                    node = left if isinstance(ty.decayed(left.type), ty.Pointer) else right
                case t.Conditional(then=then, other=other):
                    self._join(self._key(then), self._key(other))
                    node = then
                case t.Call(function=t.Name(symbol=symbol)) if symbol in self._functions:
                    if symbol in self._allocating:
                        return None  # each call's result is an object of its own
                    return "returned", symbol
                case _:
                    return None

    def _is_shared(self, node: t.Member) -> bool:
        """Is the member one in all structs, since pointers may lead to it, or it to objects?"""
        return not is_real(node) or (node.member.name, id(_record(node))) in self._led_to

    def _unify(self, function: t.Function, node: Node) -> None:
        for key, value in self._passed(function, node):
            if isinstance(ty.decayed(value.type), (ty.Pointer, ty.Struct)):
                self._join(key, self._key(value))

    def _note(self, function: t.Function, node: Node) -> None:
        for key, value in self._passed(function, node):
            if key is not None and is_real(value):
                self._given[self._find(key)].append(value)

    def _passed(self, function: t.Function, node: Node) -> Iterator[tuple[Hashable | None, t.Expr]]:
        """What is given to which object."""
        match node:
            case t.Assign(target=target, value=value):
                yield self._key(target), value
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                yield symbol, value
            case t.Return(value=t.Expr() as value):
                yield ("returned", function.symbol), value
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol in self._functions:
                yield from zip(self._functions[symbol].params, args, strict=False)
            case _:
                pass

    # ------------------------------------------------------------------------------- what decides

    def _decided(self, function: t.Function, node: Node) -> Iterator[t.Expr]:
        """Floating-point values that become a branch or an integer here."""
        match node:
            case t.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                yield from filter(is_real, (left, right))
            case t.If(condition=value) | t.While(condition=value) | t.DoWhile(condition=value):
                yield from filter(is_real, (value,))
            case t.For(condition=t.Expr() as value) | t.Conditional(condition=value) | t.Unary(op="!", operand=value):
                yield from filter(is_real, (value,))
            case t.Cast(type=kind, operand=value) if ty.is_integer(kind) and is_real(value):
                yield value
            case t.InitList(type=kind, items=items, places=places):
                for (_, value), place in zip(items, places, strict=True):
                    part = kind
                    for index in place:
                        part = part_type(part, index)
                    if is_real(value) and ty.is_integer(part):
                        yield value
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol not in self._functions:
                known = FUNCTIONS.get(symbol.name)
                integers = known is not None and any(map(ty.is_integer, (*known.params, known.returns)))
                if integers or symbol.name in CLASSIFICATION or plain_name(symbol.name) in _ROUNDING:
                    yield from filter(is_real, args)
            case _:
                yield from self._converted(function, node)

    def _converted(self, function: t.Function, node: Node) -> Iterator[t.Expr]:
        """Values that become integers by being passed on."""
        kinds: tuple[ty.Type, ...] = ()
        match node:
            case t.Assign(target=target):
                kinds = (target.type,)
            case t.VarDecl(symbol=symbol):
                kinds = (symbol.type,)
            case t.Return() if isinstance(function.symbol.type, ty.Function):
                kinds = (function.symbol.type.returns,)
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self._functions:
                kinds = tuple(parameter.type for parameter in self._functions[symbol].params)
        for kind, (_, value) in zip(kinds, self._passed(function, node), strict=False):
            if ty.is_integer(kind) and is_real(value):
                yield value

    def _follow(self, pending: list[t.Expr]) -> None:
        """From there backwards, to every object that a value comes from."""
        seen = set(pending)
        while pending:
            node = pending.pop()
            found = [child for child in children(node) if isinstance(child, t.Expr) and not ty.is_integer(child.type)]
            key = None if isinstance(node, (t.Binary, t.Cast, t.Unary)) and not _is_lvalue(node) else self._key(node)
            name = None if key is None or not is_real(node) else self._find(key)
            if name is not None and name not in self._sums and name not in self._compared:
                self._compared.add(name)
                found += self._given[name]
            new = [value for value in found if value not in seen]
            seen.update(new)
            pending += new


def _allocates(function: t.Function) -> bool:
    """Does it return nothing but what others have allocated, and store no floating-point numbers?"""
    kind = function.symbol.type
    if not isinstance(kind, ty.Function) or not isinstance(kind.returns, ty.Pointer) or function.body is None:
        return False
    if any(isinstance(parameter.type, ty.Pointer) for parameter in function.params):
        return False
    for node in walk(function.body):
        if isinstance(node, t.Assign) and not isinstance(node.target, t.Name) and not ty.is_integer(node.target.type):
            return False
        plain = ty.is_arithmetic(node.type) or isinstance(node.type, ty.Function) if isinstance(node, t.Name) else True
        if isinstance(node, t.Name) and node.symbol.function is None and not plain:
            return False
    return True


def _is_lvalue(node: t.Expr) -> bool:
    return isinstance(node, (t.Name, t.Index, t.Member)) or (isinstance(node, t.Unary) and node.op == "*")


def _record(node: t.Member) -> ty.Record | None:
    kind = node.base.type
    kind = ty.element_of(kind.to if isinstance(kind, ty.Pointer) else kind)
    return kind.record if isinstance(kind, ty.Struct) else None
