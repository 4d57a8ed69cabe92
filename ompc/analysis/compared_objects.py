"""Analysis: which objects of a file have floating-point values that something in the file compares or rounds.

A kernel that stores a contracted sum gives its last bit away: another loop, or the host, may compare it. What can be
seen of that in the file is found here; such values are computed as the host does (exactness.py).

    loop 1:  d[i] = x[i] * y[i] - z[i];        main:  if (d[k] > 0) ...            d is compared
                                               main:  memcmp(d, e, n), *(long *)d  its bits are read

What is only printed, or handed to functions of other files, is not compared. Nor is what goes into a sum that
`reduction` forms: its last bits are nobody's.

    In: Unit, the variables of reductions.   Out: ComparedObjects: is an lvalue in one of them?
    Not here: what is one object -- object_classes.py; what a kernel does with its own values -- deciding_uses.py; other
    files of the program (docs/limits.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from ompc.analysis.libm import CLASSIFICATION, FUNCTIONS, plain_name
from ompc.analysis.library_effects import plain_name as library_name
from ompc.analysis.object_classes import Class, ObjectClasses, is_lvalue
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.initial_parts import part_type
from ompc.sema.walk import Node, children

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
_ROUNDING = frozenset(
    "floor ceil round trunc rint nearbyint lrint llrint lround llround fmod remainder ilogb logb nextafter nexttoward "
    "modf frexp remquo roundeven fpclassify signbit".split()
)
_COMPARING = frozenset("memcmp bcmp wmemcmp memchr memrchr rawmemchr memmem strcmp strncmp".split())
"""What the library does with the bytes behind a pointer, beside copying them and giving them away."""


class ComparedObjects:
    """`sums`: variables of `reduction(+)`. The file is looked at when it is first asked for."""

    def __init__(self, unit: t.Unit, sums: Collection[t.Symbol]) -> None:
        self._unit = unit
        self._sums = sums

    def has(self, lvalue: t.Expr) -> bool:
        """May what is stored there, or a part of it, be compared or rounded?"""
        return self._found.has(lvalue)

    @cached_property
    def _found(self) -> _Found:
        return _Found(self._unit, self._sums)


class _Found:
    def __init__(self, unit: t.Unit, sums: Iterable[t.Symbol]) -> None:
        self._classes = ObjectClasses(unit)
        nodes = self._classes.nodes
        self._given: defaultdict[Class, list[t.Expr]] = defaultdict(list)
        for function, node in nodes:
            for key, value in self._classes.given(function, node):
                if key is not None and _is_inexact(value.type):
                    self._given[key].append(value)
        self._sums = {self._classes.of_symbol(symbol) for symbol in sums if self._classes.is_alone(symbol)}
        self._compared: set[Class] = set()
        unread = {operand for _, node in nodes for operand in _unread(node)}
        bits = [key for _, node in nodes if node not in unread for key in self._read_as_bits(node)]
        self._follow(self._entered(bits) + [part for function, node in nodes for part in self._decided(function, node)])

    def has(self, lvalue: t.Expr) -> bool:
        return any(key in self._compared for key in self._classes.parts(lvalue))

    # ------------------------------------------------------------------------------- what decides

    def _decided(self, function: t.Function | None, node: Node) -> Iterator[t.Expr]:
        """Floating-point values that become a branch or an integer here."""
        match node:
            case t.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                yield from _inexact((left, right))
            case t.If(condition=value) | t.While(condition=value) | t.DoWhile(condition=value):
                yield from _inexact((value,))
            case t.For(condition=t.Expr() as value) | t.Conditional(condition=value) | t.Unary(op="!", operand=value):
                yield from _inexact((value,))
            case t.Cast(type=kind, operand=value) if ty.is_integer(kind):
                yield from _inexact((value,))
            case t.InitList(type=kind, items=items, places=places):
                for (_, value), place in zip(items, places, strict=True):
                    part = kind
                    for index in place:
                        part = part_type(part, index)
                    if ty.is_integer(part):
                        yield from _inexact((value,))
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol not in self._classes.functions:
                yield from _rounded(symbol, args)
            case _:
                yield from self._converted(function, node)

    def _converted(self, function: t.Function | None, node: Node) -> Iterator[t.Expr]:
        """Values that become integers by being passed on."""
        match node:
            case t.Assign(target=target, value=value) if ty.is_integer(target.type):
                yield from _inexact((value,))
            case t.VarDecl(symbol=symbol, init=t.Expr() as value) if ty.is_integer(symbol.type):
                yield from _inexact((value,))
            case t.Return(value=t.Expr() as value) if function is not None:
                kind = function.symbol.type
                if isinstance(kind, ty.Function) and ty.is_integer(kind.returns):
                    yield from _inexact((value,))
            case t.Call(function=called, args=args):
                yield from _converted_arguments(ty.decayed(called.type), args)
            case _:
                pass

    def _read_as_bits(self, node: Node) -> Iterator[Class]:
        """Objects with floating-point values of which the node reads, or compares, the bytes."""
        match node:
            case t.Call(function=t.Name(symbol=symbol), args=args) if library_name(symbol) in _COMPARING:
                for argument in args:
                    yield from self._classes.parts(argument)
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*") if ty.is_integer(node.type):
                key = self._classes.of(node)
                if key in self._given:
                    yield key

    # --------------------------------------------------------------------------- where values come from

    def _entered(self, found: Iterable[Class]) -> list[t.Expr]:
        """What classes that are compared, and were not known to be, have been given."""
        new = dict.fromkeys(key for key in found if key not in self._compared)
        self._compared.update(new)
        return [value for key in new if key not in self._sums for value in self._given.get(key, ())]

    def _follow(self, pending: list[t.Expr]) -> None:
        """From there backwards, to every object that a value comes from."""
        seen = set(pending)
        while pending:
            node = pending.pop()
            found = [child for child in children(node) if isinstance(child, t.Expr) and not ty.is_integer(child.type)]
            if _is_inexact(node.type) and (is_lvalue(node) or isinstance(node, (t.Call, t.Assign))):
                key = self._classes.of(node)
                found += [] if key is None else self._entered((key,))
            new = [value for value in found if value not in seen]
            seen.update(new)
            pending += new


def _unread(node: Node) -> Iterator[t.Expr]:
    """Lvalues in the node of which it does not use the value."""
    match node:
        case t.Assign(op="=", target=lvalue) | t.Unary(op="&", operand=lvalue) | t.ExprStmt(expr=lvalue):
            yield lvalue
        case t.Cast(type=ty.Void(), operand=lvalue):
            yield lvalue
        case _:
            pass


def _is_inexact(kind: ty.Type) -> bool:
    return isinstance(kind, (ty.Float, ty.Complex, ty.Unknown))


def _inexact(nodes: Iterable[t.Expr]) -> Iterator[t.Expr]:
    return (node for node in nodes if _is_inexact(node.type))


def _rounded(symbol: t.Symbol, args: Sequence[t.Expr]) -> Iterator[t.Expr]:
    """What a function of the library, or of another file, makes integers of."""
    known = FUNCTIONS.get(symbol.name)
    integers = known is not None and any(map(ty.is_integer, (*known.params, known.returns)))
    classifies = symbol.name in CLASSIFICATION or symbol.name.startswith(("__builtin_is", "__builtin_fpclassify"))
    name = plain_name(symbol.name)
    if integers or classifies or name in _ROUNDING or name[:-1] in _ROUNDING:
        yield from _inexact(args)
    else:
        yield from _converted_arguments(symbol.type, args)


def _converted_arguments(kind: ty.Type, args: Sequence[t.Expr]) -> Iterator[t.Expr]:
    kind = kind.to if isinstance(kind, ty.Pointer) else kind
    params = kind.params if isinstance(kind, ty.Function) else None
    for parameter, argument in zip(params or (), args, strict=False):
        if ty.is_integer(parameter):
            yield from _inexact((argument,))
