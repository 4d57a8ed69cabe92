"""Analysis: global integers that a program, from some statement of `main` on, only reads.

    int n, nx;
    int main(void) { scanf("%d", &n); nx = n - 2; while (...) step(); }     in step: n is some number, nx is n - 2

All functions that run only behind that statement see one value, for ever. Where the last assignment to a variable is a
statement that `main` runs, of numbers that nothing changes from there on, the variable stands for that expression.

Whatever may change an object otherwise makes it none of these: its address is taken, but for functions that read text
into it and keep no pointer (C11 7.21.6.2); a clause, an attribute or assembler names it; its declarations differ; it is
not defined in any file; or nothing is known of the order in which functions run (program_order.py).

    In: all units of a program.   Out: SettledNumbers.within: what holds in a function.
    Not here: who asks -- concurrent_context.py, known_numbers.py.
    Source: interprocedural constant propagation (Callahan, Cooper, Kennedy, Torczon, CC 1986), of equalities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ompc.analysis.eligibility.library_effects import plain_name
from ompc.analysis.privatisation.program_order import ProgramOrder
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import changed_in, nodes, only_reads
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node

Key = str | t.Symbol
"""Of an object: its name, where that has external linkage, else its symbol."""

_READS_TEXT = re.compile(r"[fs]?scanf")
_SET_BY_SYSTEM = re.compile(r"opt(ind|err|opt)|timezone|daylight|signgam|h_errno|errno|_.*")


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or the element of an array with a constant subscript."""

    key: Key
    subscript: int | None = None

    @property
    def text(self) -> str:
        name = self.key if isinstance(self.key, str) else self.key.name
        return name if self.subscript is None else f"{name}[{self.subscript}]"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """That what is settled in `place` is `number` or more."""

    place: Place
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """`symbols`: variables and arrays that keep their values while a function runs; `values`: what some stand for."""

    symbols: frozenset[t.Symbol] = frozenset()
    values: Mapping[t.Symbol, t.Expr] = field(default_factory=dict)

    @property
    def numbers(self) -> dict[t.Symbol, int]:
        """Those that stand for a number."""
        found = ((symbol, constant_value(value)) for symbol, value in self.values.items())
        return {symbol: number for symbol, number in found if number is not None}


NOTHING = Settled()


class SettledNumbers:
    """The questions about one program."""

    def __init__(self, units: Sequence[t.Unit]) -> None:
        hidden = frozenset[str]().union(*(unit.hidden for unit in units))
        self._units = units
        self._order = ProgramOrder(units, hidden)
        self._since: dict[Key, int] = {}
        self._equations: dict[Key, t.Expr] = {}
        if self._order.items:
            self._since = _settled_since(units, self._order, hidden, frozenset())
            self._equations = dict(self._find_equations())
            if untaken := frozenset(self._find_untaken()):
                self._since = _settled_since(units, self._order, hidden, untaken)
                self._equations = dict(self._find_equations())

    def within(self, unit: t.Unit, function: t.Symbol) -> Settled:
        """What is settled whenever a function that `unit` defines runs, by the unit's own symbols."""
        window = self._order.window(function)
        if window is None:
            return NOTHING
        keys = [key for key, since in self._since.items() if since <= window[0]]
        known = {key: symbol for key in keys if (symbol := _own(unit, key)) is not None}
        values: dict[t.Symbol, t.Expr] = {}
        for key, symbol in known.items():
            if key in self._equations and (value := self._said_in(unit, self._equations[key])) is not None:
                values[symbol] = value
        return Settled(frozenset(known.values()), values)

    def _said_in(self, unit: t.Unit, value: t.Expr) -> t.Expr | None:
        """An expression of another unit, by the symbols of this one; None: it has no symbol for something in it."""
        if constant_value(value) is not None:
            return value
        match value:
            case t.Name(symbol=symbol):
                own, key = _own(unit, key_of(symbol)), key_of(symbol)
                if own is None:
                    return self._said_in(unit, self._equations[key]) if key in self._equations else None
                return replace(value, symbol=own)
            case t.Index(base=t.Name(symbol=symbol) as base):
                array = _own(unit, key_of(symbol))
                return None if array is None else replace(value, base=replace(base, symbol=array))
            case t.Binary(left=left, right=right):
                first, second = self._said_in(unit, left), self._said_in(unit, right)
                return None if first is None or second is None else replace(value, left=first, right=second)
            case t.Unary(operand=operand) | t.Cast(operand=operand):
                inner = self._said_in(unit, operand)
                return None if inner is None else replace(value, operand=inner)
            case _:
                return None

    def _find_untaken(self) -> Iterator[t.Stmt]:
        """The statements of `main` that do nothing: an `if` whose condition is not so for the numbers set by then
        (Wegman and Zadeck, "Constant propagation with conditional branches", TOPLAS 1991).
        """
        for since, item in enumerate(self._order.items):
            match item.statement:
                case t.If(condition=condition, other=None) if only_reads(condition):
                    if constant_value(rewritten(condition, partial(self._number_of, since))) == 0:
                        yield item.statement
                case _:
                    continue

    def _number_of(self, since: int, node: Node) -> Node | None:
        """What a variable is where statement `since` begins, if that is known to be a number."""
        key = key_of(node.symbol) if isinstance(node, t.Name) else None
        if key is None or self._since.get(key, since + 1) > since or key not in self._equations:
            return None
        return self._equations[key] if constant_value(self._equations[key]) is not None else None

    def _find_equations(self) -> Iterator[tuple[Key, t.Expr]]:
        """Objects whose last change is a statement that `main` runs, and what that assigns; what they begin with, where
        nothing changes them.
        """
        for variable in (v for unit in self._units for v in unit.variables):
            key, init = key_of(variable.symbol), variable.init
            if init is None or constant_value(init) is None or self._since.get(key) != 0:
                continue
            if isinstance(variable.symbol.type, ty.Int):
                yield key, t.Cast(ty.unqualified(variable.symbol.type), variable.loc, init)
        for since, item in enumerate(self._order.items, 1):
            match item.statement:
                case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                    key, used = key_of(symbol), _objects_in(value)
                    if used is None or key in used or self._since.get(key) != since:
                        continue
                    if all(self._since.get(other, since + 1) <= since for other in used):
                        yield key, t.Cast(ty.unqualified(symbol.type), value.loc, value)
                case _:
                    continue


def key_of(symbol: t.Symbol) -> Key:
    return symbol.name if symbol.storage in (t.Storage.GLOBAL, t.Storage.EXTERN) else symbol


# ------------------------------------------------------------------ what is settled since when


def _settled_since(
    units: Sequence[t.Unit], order: ProgramOrder, hidden: frozenset[str], untaken: frozenset[t.Stmt]
) -> dict[Key, int]:
    """The objects, and the number of the statement of `main` from which on nothing changes them. `untaken`: statements
    that change nothing.
    """
    since, taken = dict.fromkeys(_candidates(units, hidden), 0), set[Key]()
    defined = frozenset(name for unit in units for name in unit.functions)
    for last, code in order.bodies():
        uses = _uses(code, defined)
        taken |= {key_of(symbol) for symbol in uses.taken}
        for key in () if code in untaken else map(key_of, uses.changed):
            if key in since:
                since[key] = max(since[key], last + 1)
    for unit in units:
        for variable in unit.variables:
            if variable.init is not None:
                taken |= {key_of(node.symbol) for node in nodes(variable.init) if isinstance(node, t.Name)}
    return {key: first for key, first in since.items() if first <= len(order.items) and key not in taken}


def _candidates(units: Sequence[t.Unit], hidden: frozenset[str]) -> Iterator[Key]:
    """Integers, and arrays of them, of file scope: one type in all files, defined in one of them."""
    declared: dict[Key, list[t.Symbol]] = {}
    for symbol in _declarations(units):
        declared.setdefault(key_of(symbol), []).append(symbol)
    for key, symbols in declared.items():
        name = symbols[0].name
        defined = any(symbol.storage in (t.Storage.GLOBAL, t.Storage.FILE_STATIC) for symbol in symbols)
        same = len({_of_unknown_length(symbol.type) for symbol in symbols}) == 1
        known = name not in hidden and not _SET_BY_SYSTEM.fullmatch(name)
        if defined and same and known and all(map(_is_plain_integer, symbols)):
            yield key


def _declarations(units: Sequence[t.Unit]) -> Iterator[t.Symbol]:
    """The objects of file scope, and what blocks declare `extern`."""
    outside = (t.Storage.GLOBAL, t.Storage.EXTERN, t.Storage.FILE_STATIC)
    for unit in units:
        named = (n.symbol for f in unit.functions.values() if f.body for n in nodes(f.body) if isinstance(n, t.Name))
        found = dict.fromkeys([*(v.symbol for v in unit.variables), *unit.linked.values(), *named])
        yield from (symbol for symbol in found if symbol.storage in outside)


def _of_unknown_length(kind: ty.Type) -> ty.Type:
    return replace(kind, length=None) if isinstance(kind, ty.Array) else kind


def _is_plain_integer(symbol: t.Symbol) -> bool:
    element = ty.element_of(symbol.type)
    return isinstance(element, ty.Int) and not symbol.threadprivate and not element.quals & {"volatile", "_Atomic"}


@dataclass(frozen=True, slots=True)
class _Uses:
    """What code does with objects by their names; `taken`: it may use their addresses later."""

    changed: frozenset[t.Symbol]
    taken: frozenset[t.Symbol]


def _uses(code: Node, defined: frozenset[str]) -> _Uses:
    """`defined`: the functions of the program, which are not the library's."""
    changed, taken = set(changed_in(code)), set[t.Symbol]()
    elements, filled, addressed = set[t.Name](), set[t.Name](), set[t.Name]()
    arrays: list[t.Name] = []
    for node in nodes(code):
        match node:
            case t.Call(function=t.Name(symbol=function), args=args) if _reads_text(function, defined):
                filled |= {name for arg in args if (name := _pointed_by(arg)) is not None}
            case t.Unary(op="&", operand=operand) if (name := _object_of(operand)) is not None:
                addressed.add(name)
            case t.Name() if isinstance(node.type, ty.Array):
                arrays.append(node)
        if isinstance(node, t.Index) and ty.is_integer(node.type) and (name := _object_of(node)) is not None:
            elements.add(name)
    changed |= {name.symbol for name in filled}
    taken |= {name.symbol for name in addressed - filled}
    taken |= {name.symbol for name in arrays if name not in elements and name not in filled}
    return _Uses(frozenset(changed), frozenset(taken))


def _object_of(lvalue: t.Expr) -> t.Name | None:
    """The name of the object that `lvalue` is a part of."""
    while isinstance(lvalue, t.Index) and isinstance(lvalue.base.type, ty.Array):
        lvalue = lvalue.base
    return lvalue if isinstance(lvalue, t.Name) else None


def _pointed_by(arg: t.Expr) -> t.Name | None:
    """The object into which an argument points: `&n`, `&n[1]`, `n` or `n + 1` of an array."""
    if isinstance(arg, t.Binary):
        return _pointed_by(arg.left)
    if isinstance(arg, t.Unary) and arg.op == "&":
        return _object_of(arg.operand)
    return _object_of(arg) if isinstance(arg.type, ty.Array) else None


def _reads_text(function: t.Symbol, defined: frozenset[str]) -> bool:
    name = plain_name(function)
    return _READS_TEXT.fullmatch(name) is not None and defined.isdisjoint({name, function.name})


# ---------------------------------------------------------------------------- equations


def _objects_in(value: t.Expr) -> frozenset[Key] | None:
    """The objects of which `value` is a sum or product; None: it is something else."""
    if constant_value(value) is not None:
        return frozenset()
    match value:
        case t.Name(symbol=symbol) if ty.is_integer(symbol.type):
            return frozenset({key_of(symbol)})
        case t.Index(base=t.Name(symbol=symbol), index=index) if isinstance(symbol.type, ty.Array):
            known = ty.is_integer(value.type) and constant_value(index) is not None
            return frozenset({key_of(symbol)}) if known else None
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            first, second = _objects_in(left), _objects_in(right)
            return None if first is None or second is None else first | second
        case t.Unary(op="+" | "-", operand=operand) | t.Cast(operand=operand) if ty.is_integer(value.type):
            return _objects_in(operand)
        case _:
            return None


def _own(unit: t.Unit, key: Key) -> t.Symbol | None:
    """The object as a unit knows it; of another unit's static one, that one's symbol, which the unit does not name."""
    symbol = unit.linked.get(key) if isinstance(key, str) else key
    return symbol if symbol is not None and key_of(symbol) == key else None
