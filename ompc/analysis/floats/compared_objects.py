"""Analysis: which objects of a file have floating-point values that decide something elsewhere in the file.

A kernel that stores a contracted sum gives its last bit away: another loop, or the host, may compare it. What can be
seen of that in the file is found here; such values are computed as the host does (contraction_safety.py).

    loop 1:  d[i] = x[i] * y[i] - z[i];        main:  if (d[k] > 0) ...            d is compared
                                               main:  memcmp(d, e, n), *(long *)d  its bits are read
                                               loop 2: r[i] = sqrt(d[i]);          it may be at an edge
                                               main:  asm("..." : "=r"(less) : "x"(d[k]))   who knows

Which uses decide is asked as for a kernel's own values (deciding_uses.py), of all functions of the file. What is only
printed, or handed to functions of other files, is not compared. Nor is what goes into a sum that `reduction` forms: its
last bits are nobody's. Whether it is 0 is everybody's, where no term of it is rounded:

    loop:  e = x[i] * y[i] - z[i];  s += e * e;      main:  if (s == 0) ...     products are rounded, in any order

    In: Unit, the variables of reductions.   Out: ComparedObjects: is an lvalue in one of them?
    Not here: what is one object -- object_classes.py; what a kernel does with its own values -- contraction_safety.py;
    other files of the program (docs/limits.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeGuard, TypeVar

from ompc.analysis.eligibility.library_effects import plain_name as library_name
from ompc.analysis.floats.deciding_uses import DecidingUses, bodies_of
from ompc.analysis.floats.float_values import FloatValues
from ompc.analysis.floats.object_classes import Class, ObjectClasses, is_lvalue, is_variadic_argument
from ompc.analysis.floats.steadiness import Steadiness
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import CLASSIFICATION, FUNCTIONS, plain_name
from ompc.ir.walk import Node, children, walk

_ROUNDING = frozenset(
    "floor ceil round trunc rint nearbyint lrint llrint lround llround fmod remainder ilogb logb nextafter nexttoward "
    "modf frexp remquo roundeven fpclassify signbit ecvt fcvt gcvt qecvt qfcvt qgcvt ecvt_r fcvt_r".split()
)
_PRINTING = frozenset("printf fprintf dprintf sprintf snprintf asprintf strfromd strfromf".split())
"""Functions that print numbers; what they return depends on how long a number is as text."""
_COMPARING = frozenset(
    "memcmp bcmp wmemcmp memchr memrchr rawmemchr memmem strcmp strncmp strcasecmp strncasecmp strstr strchr strrchr "
    "atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold sscanf".split()
)
"""Library functions that do more with the bytes behind a pointer than copy them or pass them on: they compare, search
or parse them.
"""
_RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_TESTS: tuple[type[Node], ...] = (t.Binary, t.Unary, t.Cast, t.If, t.While, t.DoWhile, t.For, t.Conditional)
"""The nodes that may compare something with 0, or for equality."""

N = TypeVar("N", bound=Node)


class ComparedObjects:
    """`sums`: variables of `reduction(+)`. The file is looked at when it is first asked for."""

    def __init__(self, unit: t.Unit, sums: Collection[t.Symbol]) -> None:
        self._unit = unit
        self._sums = sums

    def has(self, lvalue: t.Expr) -> bool:
        """May what is stored there, or a part of it, be compared or rounded?"""
        return self._found.has(lvalue)

    def is_in_tested_sum(self, lvalue: t.Expr) -> bool:
        """May what is stored there, or a part of it, go into a sum of which somebody asks whether it is 0?"""
        return self._found.is_in_tested_sum(lvalue)

    @cached_property
    def _found(self) -> _Found:
        return _Found(self._unit, self._sums)


class _Found:
    def __init__(self, unit: t.Unit, sums: Iterable[t.Symbol]) -> None:
        self._classes = ObjectClasses(_with_unread_bodies(unit))
        self._given: defaultdict[Class, list[t.Expr]] = defaultdict(list)
        self._by_class: defaultdict[type[object], list[Any]] = defaultdict(list)
        for function, node in self._classes.nodes:
            self._by_class[type(node)].append(node)
            for key, value in self._classes.given(function, node):
                if key is not None and _is_inexact(value.type):
                    self._given[key].append(value)
        self._sums = {self._classes.of_symbol(symbol) for symbol in sums if self._classes.is_alone(symbol)}
        self._terms = {term for node in self._all(t.Assign) for term in self._added(node)}
        unread = {lvalue for node in self._all(t.Assign, t.Unary, t.ExprStmt, t.Cast) for lvalue in _unread(node)}
        opaque: list[t.OpaqueExpr | t.OpaqueStmt] = [*self._all(t.OpaqueExpr), *self._all(t.OpaqueStmt)]
        unknown = frozenset(name for node in opaque for name in node.members)
        bits = [key for node in (*opaque, *self._all(t.Member)) for key in self._used_unread(node, unknown)]
        used = (lvalue for lvalue in self._all(t.Name, t.Index, t.Member, t.Unary) if lvalue not in unread)
        bits += [key for node in (*self._all(t.Call), *used) for key in self._read_as_bits(node)]
        lengths = (value for node in self._all(t.Call) if node not in unread for value in _printed(node))
        self._compared = self._reached(bits, [*self._deciding(), *lengths])
        tested = self._reached((), (operand for node in self._all(*_TESTS) for operand in _tested(node)))
        self._in_tested_sums = self._reached(tested & self._sums, (), through_sums=True)

    def has(self, lvalue: t.Expr) -> bool:
        return any(key in self._compared for key in self._classes.parts(lvalue))

    def is_in_tested_sum(self, lvalue: t.Expr) -> bool:
        return any(key in self._in_tested_sums for key in self._classes.parts(lvalue))

    def _all(self, *kinds: type[N]) -> list[N]:
        """The nodes of the file that are of these classes."""
        return [node for kind in kinds for node in self._by_class[kind]]

    def _added(self, node: t.Assign) -> Iterator[t.Expr]:
        """What is added to a sum that `reduction` forms: `s += v`, `s = s + v`."""
        if (key := self._classes.of(node.target)) in self._sums:
            own = (is_lvalue(part) and self._classes.of(part) == key for part in walk(node.value) if _is_expr(part))
            if node.op in ("+=", "-=") or (node.op == "=" and any(own)):
                yield node.value

    # ------------------------------------------------------------------------------- what decides

    def _deciding(self) -> Iterator[t.Expr]:
        """What decides in a function of the file, whatever it is called by; the library's rounding, too."""
        values = _FileValues.of_classes(self._classes, self._given)
        uses = DecidingUses(
            bodies_of(self._classes.functions.values()), values, Steadiness(values, ()), unknown_decide=False
        )
        yield from (node for node, _ in uses.seeds)
        for call in self._all(t.Call):
            called = call.function
            if isinstance(called, t.Name) and called.symbol not in self._classes.functions:
                yield from _rounded(called.symbol, call.args)
            else:
                yield from _converted_arguments(ty.decayed(called.type), call.args)

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

    def _used_unread(self, node: Node, members: Collection[str]) -> Iterator[Class]:
        """Objects that code names which is not understood, such as assembly: it may do anything with them. `members`:
        the identifiers in all of that code."""
        match node:
            case t.OpaqueExpr(names=names) | t.OpaqueStmt(names=names):
                for symbol in names:
                    yield from self._classes.parts(t.Name(symbol.type, node.loc, symbol))
            case t.Member(member=member) if member.name in members:
                yield from self._classes.parts(node)
            case _:
                pass

    # --------------------------------------------------------------------------- where values come from

    def _reached(self, found: Iterable[Class], nodes: Iterable[t.Expr], through_sums: bool = False) -> set[Class]:
        """From there backwards, every object that a value comes from; of sums, what is not added only if asked."""
        entered = set[Class]()
        pending = [*nodes, *self._entered(found, entered, through_sums)]
        seen = set(pending)
        while pending:
            node = pending.pop()
            values = [child for child in children(node) if isinstance(child, t.Expr) and not ty.is_integer(child.type)]
            if is_lvalue(node) or isinstance(node, (t.Call, t.Assign)) or is_variadic_argument(node):
                values += self._entered(self._values_in(node), entered, through_sums)
            new = [value for value in values if value not in seen]
            seen.update(new)
            pending += new
        return entered

    def _entered(self, found: Iterable[Class], known: set[Class], through_sums: bool) -> list[t.Expr]:
        """What classes that were not `known` have been given."""
        new = dict.fromkeys(key for key in found if key not in known)
        known.update(new)
        given = ((key, value) for key in new for value in self._given.get(key, ()))
        return [value for key, value in given if through_sums or key not in self._sums or value not in self._terms]

    def _values_in(self, node: t.Expr) -> Iterator[Class]:
        if isinstance(node.type, ty.Struct):
            yield from self._classes.parts(node)
        elif _is_inexact(node.type) and (key := self._classes.of(node)) is not None:
            yield key


@dataclass(frozen=True, slots=True)
class _FileValues(FloatValues):
    """The values of all objects of a file, by class; `stands_for` a class is one node, so that what is asked of values
    takes a time that grows with the code; `given_to` that are all that are stored.
    """

    classes: ObjectClasses
    stands_for: Mapping[Class, t.Expr]
    given_to: Mapping[t.Expr, tuple[t.Expr, ...]]

    @staticmethod
    def of_classes(classes: ObjectClasses, given: Mapping[Class, Sequence[t.Expr]]) -> _FileValues:
        members: dict[t.Expr, frozenset[MemoryObject]] = {
            n: frozenset() for _, n in classes.nodes if isinstance(n, t.Member)
        }
        stands_for: dict[Class, t.Expr] = {}
        for key, stored in given.items():
            if stored:
                stands_for[key] = t.OpaqueExpr(ty.DOUBLE, stored[0].loc, "")
        given_to = {node: tuple(given[key]) for key, node in stands_for.items()}
        return _FileValues(members, defaultdict(list), classes.functions, frozenset(), classes, stands_for, given_to)

    def of(self, node: t.Expr) -> Iterator[t.Expr]:
        key = self.classes.of(node)
        if key in self.stands_for:
            yield self.stands_for[key]

    def sources(self, node: t.Expr) -> tuple[t.Expr, ...] | None:
        return self.given_to.get(node) or FloatValues.sources(self, node)

    def comes_from_outside(self, node: t.Expr) -> bool:
        """Elements of arrays may come from a file."""
        match node:
            case t.Name(symbol=symbol):
                return not symbol.is_automatic or not self.classes.is_alone(symbol)
            case t.OpaqueExpr():
                return False  # asked of the name before
            case _:
                return is_lvalue(node)


def _with_unread_bodies(unit: t.Unit) -> t.Unit:
    """In which order statements run is not asked here."""
    found = {name: replace(f, body=f.unread) for name, f in unit.functions.items() if f.unread is not None}
    return replace(unit, functions={**unit.functions, **found})


def _unread(node: Node) -> Iterator[t.Expr]:
    """Lvalues, and calls, in the node of which it does not use the value."""
    match node:
        case t.Assign(op="=", target=lvalue) | t.Unary(op="&", operand=lvalue) | t.ExprStmt(expr=lvalue):
            yield lvalue
        case t.Cast(type=ty.Void(), operand=lvalue):
            yield lvalue
        case _:
            pass


def _tested(node: Node) -> Iterator[t.Expr]:
    """What the node compares with 0, or with anything for equality."""
    match node:
        case t.Binary(op=op, left=left, right=right) if op in _RELATIONS:
            if op in ("==", "!=") or _is_zero(left) or _is_zero(right):
                yield from _inexact((left, right))
        case t.Binary(op="&&" | "||", left=left, right=right):
            yield from _inexact((left, right))
        case t.Unary(op="!", operand=operand):
            yield from _inexact((operand,))
        case t.Cast(type=kind, operand=operand) if ty.unqualified(kind) == ty.BOOL:
            yield from _inexact((operand,))
        case t.If() | t.While() | t.DoWhile() | t.For() | t.Conditional():
            yield from _inexact(filter(None, (node.condition,)))
        case _:
            pass


def _is_zero(node: t.Expr) -> bool:
    if isinstance(node, (t.Cast, t.Unary)):
        return _is_zero(node.operand)
    return constant_value(node) == 0 or (isinstance(node, t.FloatConst) and not node.text.rstrip("fFlL").strip("0."))


def _is_expr(node: Node) -> TypeGuard[t.Expr]:
    return isinstance(node, t.Expr)


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


def _printed(call: t.Call) -> Sequence[t.Expr]:
    called = call.function
    return call.args if isinstance(called, t.Name) and library_name(called.symbol) in _PRINTING else ()


def _converted_arguments(kind: ty.Type, args: Sequence[t.Expr]) -> Iterator[t.Expr]:
    kind = kind.to if isinstance(kind, ty.Pointer) else kind
    params = kind.params if isinstance(kind, ty.Function) else None
    for parameter, argument in zip(params or (), args, strict=False):
        if ty.is_integer(parameter):
            yield from _inexact((argument,))
