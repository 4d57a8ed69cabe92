"""Functions of the program's other files, brought into a unit so that its loops can call them on the device.

    b.c   static double half(double x) { return x / 2; }   double mean(struct p *p) { return half(p->x + p->y); }
    a.c   double mean(struct p *);   ... a[i] = mean(&ps[i]);

a.c gets copies of the trees of `mean` and, under a name of its own, `half`. What they name is a.c's own where it has
external linkage (C11 6.2.2): one object or function has one symbol in a unit. An object that a.c does not declare, or
that is static in b.c, gets a symbol that no scope of a.c has, so that the loop stays on the host (OMPC332).

Two units' types are distinct objects. A struct of b.c is a.c's struct of the same tag or typedef name if all members
agree, else b.c's own if a.c has none of that name; enumeration types become their integer types and enumerators their
values, which names in a.c cannot change. A function whose declaration in a.c differs from its definition, or with a
type that is not found, is not brought in: the loop that calls it stays on the host (OMPC320).

In: a Unit, the other Units of the program.   Out: the Unit with more functions.
Not here: the loops of those functions, which are launched by their own file. Copies are not made by ir/rewrite.py,
which keeps types, members and symbols as they are: here each of them is another unit's, and becomes one of this unit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Brackets, Clause, ListItem, Operand, Section
from ompc.ir.queries import called, statements_in


class _Differs(Exception):
    """What the other unit means cannot be said in this one."""


def with_imports(unit: t.Unit, others: Sequence[t.Unit]) -> t.Unit:
    """`unit` with every function of `others` that its own functions call, directly or not."""
    defined = external_definitions(others)
    importer = _Importer(unit, defined)
    for name in called_in(unit):
        importer.function(name)
    if not importer.imported:
        return unit
    return dataclasses.replace(unit, functions={**unit.functions, **importer.imported})


def missing_functions(unit: t.Unit, bodies: Iterable[t.Stmt]) -> tuple[str, ...]:
    """The functions without a source here that `bodies` call, directly or through functions of the unit."""
    missing: dict[str, None] = {}
    seen: set[str] = set()
    pending: list[t.Stmt] = list(bodies)
    for body in pending:  # grows
        for name in called(body):
            function = unit.functions.get(name)
            if function is None:
                missing[name] = None
            elif function.body is not None and name not in seen:
                seen.add(name)
                pending.append(function.body)
    return tuple(missing)


def external_definitions(units: Iterable[t.Unit]) -> dict[str, tuple[t.Function, t.Unit]]:
    """Functions with external linkage by name; one that is defined twice is nobody's, but for weak definitions."""
    found: dict[str, list[tuple[t.Function, t.Unit]]] = {}
    for unit in units:
        for name, function in unit.functions.items():
            if name not in unit.internal and not function.inline:
                found.setdefault(name, []).append((function, unit))
    strong = {name: [d for d in each if not d[0].symbol.varies] or each for name, each in found.items()}
    return {name: definitions[0] for name, definitions in strong.items() if len(definitions) == 1}


def called_in(unit: t.Unit) -> dict[str, None]:
    """The names of the functions that are called, in the order of the text; last those that reductions call."""
    bodies = [function.body for function in unit.functions.values() if function.body is not None]
    pragmas = [*unit.pragmas, *(s for body in bodies for s in statements_in(body) if isinstance(s, t.Pragma))]
    combining = [e for pragma in pragmas for declared in pragma.directive.declares for e in declared.expressions]
    return dict.fromkeys(name for code in (*bodies, *combining) for name in called(code))


class _Importer:
    """Into one unit. `imported`: the functions that were brought in, by their names here."""

    def __init__(self, unit: t.Unit, defined: Mapping[str, tuple[t.Function, t.Unit]]) -> None:
        self.unit = unit
        self.imported: dict[str, t.Function] = {}
        self._defined = defined
        self._external: dict[str, t.Symbol | None] = {}
        self._copies: dict[int, _Copy] = {}
        self.positions = count(1_000_000 + max((s.position for s in unit.linked.values()), default=0))

    def function(self, name: str) -> t.Symbol | None:
        """The symbol here of the function with external linkage `name`, its definition brought in if it can be."""
        if name in self.unit.functions and name not in self.unit.internal:
            return self.unit.functions[name].symbol
        if name in self._external:
            return self._external[name]
        own = self.unit.linked.get(name) if name not in self.unit.internal else None
        definition = self._defined.get(name)
        self._external[name] = own  # first, for functions that call each other
        if definition is None or (own is not None and own.varies):
            return own
        function, unit = definition
        copy = self.copy_of(unit)
        try:
            kind = copy.type(function.symbol.type)
        except _Differs:
            return own
        if own is None:
            own = self._external[name] = self.fresh(function.symbol, self.free_name(name, unit), kind)
        elif not _same_signature(own.type, kind):
            return own
        self.imported[own.name] = copy.function(function, own)
        return own

    def copy_of(self, unit: t.Unit) -> _Copy:
        return self._copies.setdefault(id(unit), _Copy(self, unit))

    def free_name(self, name: str, unit: t.Unit) -> str:
        """`name`, or where this unit has one of its own, with the name of the other file."""
        taken = {*self.unit.functions, *self.unit.linked, *self.imported}
        stem = "".join(c if c.isalnum() else "_" for c in unit.file.rpartition("/")[2].partition(".")[0])
        candidates = (name, f"{name}_{stem}", *(f"{name}_{stem}_{n}" for n in range(2, 1000)))
        return next(candidate for candidate in candidates if candidate not in taken)

    def fresh(self, symbol: t.Symbol, name: str, kind: ty.Type) -> t.Symbol:
        return dataclasses.replace(symbol, name=name, type=kind, position=next(self.positions))


class _Copy:
    """From one other unit into the importer's."""

    def __init__(self, importer: _Importer, unit: t.Unit) -> None:
        self._importer = importer
        self._unit = unit
        self._symbols: dict[t.Symbol, t.Symbol] = {}
        self._records: dict[ty.Record, ty.Record] = {}

    def function(self, function: t.Function, symbol: t.Symbol) -> t.Function:
        """A copy under `symbol`; one that cannot be made is opaque, with the reason."""
        if function.body is None:
            return t.Function(symbol, (), None, opaque=function.opaque)
        self._symbols[function.symbol] = symbol
        try:
            params = tuple(self.symbol(parameter) for parameter in function.params)
            body = self._node(function.body)
        except _Differs as differs:
            return t.Function(symbol, (), None, opaque=str(differs))
        assert isinstance(body, t.Block)
        return t.Function(symbol, params, body, inline=True)

    def symbol(self, symbol: t.Symbol) -> t.Symbol:
        known = self._symbols.get(symbol)
        if known is None:
            known = self._symbols[symbol] = self._new_symbol(symbol)
        return known

    def _new_symbol(self, symbol: t.Symbol) -> t.Symbol:
        if symbol.function is not None or symbol.storage in (t.Storage.LOCAL_STATIC, t.Storage.PARAMETER):
            return self._importer.fresh(symbol, symbol.name, self.type(symbol.type))
        if symbol.storage is t.Storage.FUNCTION:
            return self._called_function(symbol)
        kind = self.type(symbol.type)
        own = self._importer.unit.linked.get(symbol.name)
        if own is None or not (_is_external(own) and _is_external(symbol)):
            return self._importer.fresh(symbol, symbol.name, kind)
        if own.threadprivate != symbol.threadprivate or not _same_object(own.type, kind):
            return self._importer.fresh(symbol, symbol.name, kind)
        own.address_taken |= symbol.address_taken
        return own

    def _called_function(self, symbol: t.Symbol) -> t.Symbol:
        name, importer = symbol.name, self._importer
        if name not in self._unit.internal:
            found = importer.function(name)
            if found is not None:
                return found
            return importer.fresh(symbol, importer.free_name(name, self._unit), self.type(symbol.type))
        own = importer.fresh(symbol, importer.free_name(name, self._unit), self.type(symbol.type))
        self._symbols[symbol] = own
        if name in self._unit.functions:
            importer.imported[own.name] = t.Function(own, (), None, opaque="it calls itself")  # until it is copied
            importer.imported[own.name] = self.function(self._unit.functions[name], own)
        return own

    def _node(self, node: object) -> object:
        """A copy of a node, or of any value in one."""
        match node:
            case t.IntConst() if node.text.isidentifier():
                return t.IntConst(self.type(node.type), node.loc, node.value, str(node.value))
            case t.Pragma():
                body = self._node(node.body)
                assert body is None or isinstance(body, t.Stmt)
                directive = self._parts(node.directive)
                return dataclasses.replace(node, body=body, scope={}, directive=directive)
            case t.Symbol():
                return self.symbol(node)
            case ty.Type():
                return self.type(node)
            case ty.Field():
                return dataclasses.replace(node, type=self.type(node.type))
            case tuple():
                return tuple(self._node(item) for item in node)
            case frozenset():
                return frozenset(map(self._node, node))
            case t.Expr() | t.Stmt() | t.VarDecl() | Clause() | ListItem() | Brackets() | Section() | Operand():
                return self._parts(node)
            case _:
                return node

    def _parts(self, node: Any) -> Any:
        """A copy of a node, of copies of all of its parts."""
        parts = {field.name: self._node(getattr(node, field.name)) for field in dataclasses.fields(node)}
        make: Any = type(node)
        return make(**parts)

    def type(self, kind: ty.Type) -> ty.Type:
        """The type here; _Differs: there is none."""
        match kind:
            case ty.Pointer(to=to):
                return dataclasses.replace(kind, to=self.type(to))
            case ty.Array(of=of, length=length):
                if length is not None and not isinstance(length, int):
                    raise _Differs("a type in it depends on a variable")
                return dataclasses.replace(kind, of=self.type(of))
            case ty.Function(returns=returns, params=params):
                types = None if params is None else tuple(self.type(parameter) for parameter in params)
                return dataclasses.replace(kind, returns=self.type(returns), params=types)
            case ty.Enum(underlying=underlying):
                return dataclasses.replace(underlying, quals=kind.quals)
            case ty.Struct(record=record):
                return dataclasses.replace(kind, record=self._record(record))
            case _:
                return kind

    def _record(self, record: ty.Record) -> ty.Record:
        known = self._records.get(record)
        if known is not None:
            return known
        name = record.tag or record.typedef_name
        named = [own for own in self._importer.unit.records if name is not None and _is_named(own, record)]
        if len(named) > 1:
            raise _Differs(f"the other file has several types '{name}'")
        if not named:
            return self._foreign(record)
        own = self._records[record] = named[0]  # assumed while the members are compared, which may point back to it
        if not self._same_members(own, record):
            del self._records[record]
            raise _Differs(f"'{name}' is another type in {self._unit.file}")
        return own

    def _foreign(self, record: ty.Record) -> ty.Record:
        """A type that only the other file has stays what it is, as long as nothing in it has a counterpart here."""
        self._records[record] = record
        for member in record.fields or ():
            if self.type(member.type) != member.type:
                del self._records[record]
                raise _Differs(f"a type that this file does not have is made of types that it has: {record.tag}")
        return record

    def _same_members(self, own: ty.Record, other: ty.Record) -> bool:
        if (own.kind, own.size, own.align, own.opaque) != (other.kind, other.size, other.align, other.opaque):
            return False
        if own.fields is None or other.fields is None:
            return own.fields is other.fields
        if len(own.fields) != len(other.fields):
            return False
        return all(
            (a.name, a.offset, a.bits) == (b.name, b.offset, b.bits) and _without_enums(a.type) == self.type(b.type)
            for a, b in zip(own.fields, other.fields, strict=True)
        )


def _is_external(symbol: t.Symbol) -> bool:
    return symbol.storage in (t.Storage.GLOBAL, t.Storage.EXTERN)


def _is_named(own: ty.Record, other: ty.Record) -> bool:
    if own.kind != other.kind:
        return False
    return own.tag == other.tag if other.tag is not None else own.tag is None and own.typedef_name == other.typedef_name


def _without_enums(kind: ty.Type) -> ty.Type:
    match kind:
        case ty.Enum(underlying=underlying):
            return dataclasses.replace(underlying, quals=kind.quals)
        case ty.Pointer(to=to):
            return dataclasses.replace(kind, to=_without_enums(to))
        case ty.Array(of=of):
            return dataclasses.replace(kind, of=_without_enums(of))
        case ty.Function(returns=returns, params=params):
            types = None if params is None else tuple(_without_enums(parameter) for parameter in params)
            return dataclasses.replace(kind, returns=_without_enums(returns), params=types)
        case _:
            return kind


def _same_signature(declared: ty.Type, defined: ty.Type) -> bool:
    """Are the types equal but for the qualifiers of parameters, which a declaration need not have (C11 6.7.6.3)?"""
    declared = _without_enums(declared)
    if not (isinstance(declared, ty.Function) and isinstance(defined, ty.Function)):
        return False
    if declared.params is None or defined.params is None or declared.variadic != defined.variadic:
        return False
    plain = [tuple(ty.unqualified(p) for p in kind.params or ()) for kind in (declared, defined)]
    return declared.returns == defined.returns and plain[0] == plain[1]


def _same_object(declared: ty.Type, defined: ty.Type) -> bool:
    """Is it one type, but for the length of an array that one file leaves to the other?"""
    declared = _without_enums(declared)
    if isinstance(declared, ty.Array) and isinstance(defined, ty.Array) and None in (declared.length, defined.length):
        return declared.of == defined.of
    return declared == defined
