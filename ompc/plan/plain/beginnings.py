"""Plan: does a pointer always hold the beginning of a block, or null?

    double *plate = malloc(n * sizeof *plate);      plate: yes, and what `return plate` gives
    step(now, next);                                step's parameters: if all calls pass such pointers
    now = next;                                     yes
    row = now + columns;  now++;                    no

malloc_usable_size() may then be asked for the size of the block. A cycle of assignments brings in nothing: what is
being asked about is assumed to hold meanwhile.

    In: Program.   Out: Beginnings.of(expression).
    Not here: which blocks these are -- analysis/host/host_pointers.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ompc.analysis.eligibility import library_effects as library
from ompc.analysis.host.host_objects import Program
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes

ALLOCATORS = frozenset({"malloc", "calloc", "realloc", "aligned_alloc"})
"""Of the C library, whose blocks malloc_usable_size() knows."""

_Record = tuple[str | None, ...]
"""A struct: files declare it each for themselves, by one tag; without any, by what its members are called."""

_Key = t.Symbol | tuple[_Record, str]


class Beginnings:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._functions = {f.symbol: f for f in program.functions()}
        self._given: defaultdict[_Key, list[t.Expr]] = defaultdict(list)
        self._returned: defaultdict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self._lost: set[_Key | _Record] = set()
        self._asked: dict[_Key, bool] = {}
        self._is_whole = any(f.name == "main" for f in self._functions.values())
        for unit in program.units:
            for variable in unit.variables:
                self._gather(variable, None)
        for function in self._functions.values():
            assert function.body is not None
            self._gather(function.body, function.symbol)

    def of(self, e: t.Expr) -> bool:
        """Is the value null or the beginning of a block or object?"""
        match e:
            case t.IntConst(value=0):
                return True
            case t.Cast(type=ty.Pointer(), operand=operand) | t.Comma(right=operand) | t.Assign(op="=", value=operand):
                return self.of(operand)
            case t.Conditional(then=then, other=other):
                return self.of(then) and self.of(other)
            case t.Name(symbol=symbol, type=ty.Array()):
                return not isinstance(symbol.type, ty.Pointer)
            case t.Name(symbol=symbol):
                return self._holds(self._program.one(symbol))
            case t.Member(type=ty.Array()):
                return False
            case t.Member(member=member):
                record = _record_of(e)
                if record is None or record.kind != "struct" or member.name is None:
                    return False
                return self._holds((_named(record), member.name))
            case t.Call(function=t.Name(symbol=callee)) if self._program.one(callee) in self._functions:
                return self._holds(self._program.one(callee))
            case t.Call(function=t.Name(symbol=callee)):
                return library.is_library(callee) and callee.name in ALLOCATORS
            case _:
                return False

    def _holds(self, key: _Key) -> bool:
        if key not in self._asked:
            self._asked[key] = True
            before = set(self._asked)
            self._asked[key] = self._is_known(key)
            if not self._asked[key]:  # others may have relied on it
                for other in set(self._asked) - before:
                    if self._asked[other]:
                        del self._asked[other]
        return self._asked[key]

    def _is_known(self, key: _Key) -> bool:
        if key in self._lost:
            return False
        if isinstance(key, tuple):
            return key[0] not in self._lost and all(map(self.of, self._given[key]))
        if key in self._functions:
            return all(map(self.of, self._returned[key]))
        if any(each.address_taken or "volatile" in each.type.quals for each in self._program.alike(key)):
            return False
        if not isinstance(key.type, ty.Pointer):
            return False
        is_seen = self._is_whole or key.storage not in (t.Storage.GLOBAL, t.Storage.EXTERN)
        return is_seen and all(map(self.of, self._given[key]))

    # ------------------------------------------------------------ what is stored where

    def _gather(self, root: t.Stmt | t.VarDecl, function: t.Symbol | None) -> None:
        called: set[t.Expr] = set()
        freed: set[t.Expr] = set()
        for node in nodes(root):
            match node:
                case t.VarDecl(symbol=symbol, init=t.InitList() as values):
                    self._initialise(symbol.type, values)
                case t.VarDecl(symbol=symbol, init=t.Expr() as init):
                    self._given[self._program.one(symbol)].append(init)
                case t.CompoundLiteral(init=values):
                    self._initialise(node.type, values)
                case t.Assign(op=op, target=target, value=value):
                    self._assign(target, value if op == "=" else None)
                case t.IncDec(operand=operand):
                    self._assign(operand, None)
                case t.Return(value=t.Expr() as value) if function is not None:
                    self._returned[function].append(value)
                case t.Call():
                    called.add(node.function)
                    freed.update(node.args if _is_free(node) else ())
                    self._call(node)
                case t.Unary(op="&", operand=t.Member(member=member) as operand) if member.name is not None:
                    self._lost.update({(found, member.name) for found in _names(_record_of(operand))})
                case t.Cast(operand=operand) if node not in freed and _pointed(operand) != _pointed(node):
                    self._lost.update(_names(_pointed(operand)))  # bytes may be written through the other pointer
                    record = _pointed(node)
                    if record is not None and not (isinstance(operand, t.Call) and self.of_allocator(operand)):
                        self._lost.add(_named(record))
                case t.Name(symbol=symbol) if self._program.one(symbol) in self._functions and node not in called:
                    self._lost.update(self._functions[self._program.one(symbol)].params)
                case t.OpaqueExpr(names=names) | t.OpaqueStmt(names=names):
                    self._lost.update(map(self._program.one, names))
                case _:
                    pass

    def of_allocator(self, call: t.Call) -> bool:
        """Does it make a block, by an allocator of the library or a function that is seen?"""
        match call.function:
            case t.Name(symbol=callee):
                return self._program.one(callee) in self._functions or callee.name in ALLOCATORS
            case _:
                return False

    def _assign(self, target: t.Expr, value: t.Expr | None) -> None:
        record = _record_of(target) if isinstance(target, t.Member) else None
        match target:
            case t.Name(symbol=symbol):
                key: _Key = self._program.one(symbol)
            case t.Member(member=member) if record is not None and member.name is not None:
                key = _named(record), member.name
            case _:
                return
        if value is None:
            self._lost.add(key)
        else:
            self._given[key].append(value)

    def _initialise(self, kind: ty.Type, values: t.InitList) -> None:
        record = kind.record if isinstance(kind, ty.Struct) else None
        for place, (_, value) in zip(values.places, values.items, strict=True):
            fields = None if record is None or len(place) != 1 else record.fields
            name = fields[place[0]].name if fields is not None and place[0] < len(fields) else None
            if record is None or name is None or isinstance(value, t.InitList):
                self._lost.update(_names(record))
                self._lost.update(r for part in nodes(value) for r in _names(_struct(part)))
            else:
                self._given[_named(record), name].append(value)

    def _call(self, call: t.Call) -> None:
        callee = call.function.symbol if isinstance(call.function, t.Name) else None
        function = None if callee is None else self._functions.get(self._program.one(callee))
        if function is not None:
            for parameter, argument in zip(function.params, call.args):  # noqa: B905  old-style calls
                self._given[parameter].append(argument)
            return
        if _is_free(call):
            return
        for argument in call.args:  # unseen code may store anything in what it is given
            kind = ty.decayed(_uncast(argument).type)
            if isinstance(kind, ty.Pointer):
                self._lost.update(_names(kind.to.record if isinstance(kind.to, ty.Struct) else None))


def _is_free(call: t.Call) -> bool:
    return isinstance(call.function, t.Name) and call.function.symbol.name == "free"


def _pointed(e: t.Expr) -> ty.Record | None:
    """The struct or union that it points to."""
    kind = ty.decayed(e.type)
    return kind.to.record if isinstance(kind, ty.Pointer) and isinstance(kind.to, ty.Struct) else None


def _uncast(e: t.Expr) -> t.Expr:
    while isinstance(e, t.Cast):
        e = e.operand
    return e


def _record_of(e: t.Expr) -> ty.Record | None:
    if not isinstance(e, t.Member):
        return None
    kind = ty.decayed(e.base.type)
    found = kind.to if isinstance(kind, ty.Pointer) else kind
    return found.record if isinstance(found, ty.Struct) else None


def _struct(node: object) -> ty.Record | None:
    return node.type.record if isinstance(node, t.Expr) and isinstance(node.type, ty.Struct) else None


def _named(record: ty.Record) -> _Record:
    name = record.tag or record.typedef_name
    return (name,) if name else tuple(field.name for field in record.fields or ())


def _names(record: ty.Record | None) -> Iterator[_Record]:
    if record is not None:
        yield _named(record)
