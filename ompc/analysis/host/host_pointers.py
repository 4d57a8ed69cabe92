"""Analysis: the objects that the host's pointers can point to, in the whole program.

Flow-insensitive inclusion constraints between cells. A cell is what pointers of one name hold in one object: a pointer
variable, the elements of a table of rows, a member of a struct. A plain store reaches what members are read from, and
the other way round, so that other types for the same memory do no harm.

    double *u = vector(9), *v = u + 1;   g.u = v;      u, v, member `u` of g: the block that this call of vector makes
    swap(&u, &w);                                      both: both blocks
    plot(u);                                           code that is not seen: it may keep u, and put anything into *u

What nothing is known of is UNKNOWN; a pointer to it may be one to what unseen code has kept, or an integer has held.

    In: Program.   Out: Pointers.value, .objects, .reachable, .kept, .hidden, .callees.
    Source: Andersen's inclusion constraints, solved to their least fixed point.
    Not here: pointers of kernels -- points_to.py; the order of statements.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ompc.analysis.eligibility import library_effects as library
from ompc.analysis.host.host_objects import (
    UNKNOWN,
    Block,
    Code,
    Given,
    Object,
    Program,
    Temporary,
    Unknown,
    Variable,
    copied,
)
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, sources
from ompc.ir.queries import nodes
from ompc.ir.walk import walk

Objects = frozenset[Object]
NONE: Objects = frozenset()

_Cell = tuple[Object, str | None]


class Pointers:
    """The least solution for all functions together."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kept: set[Object] = set()
        self.hidden: set[Object] = set()
        self._cells: dict[_Cell, Objects] = {}
        self._members: dict[Object, set[str | None]] = defaultdict(set)
        self._returned: dict[t.Symbol, Objects] = {}
        self._changed = True
        self._owners: dict[t.Call, t.Symbol | None] = {}
        steps = list(self._steps())
        for entry in program.entries():
            for parameter in entry.params:
                self._add(Variable(parameter), None, frozenset({Given(parameter)}))
        while self._changed:
            self._changed = False
            for step in steps:
                step()

    # ------------------------------------------------------------ questions

    def value(self, e: t.Expr) -> Objects:
        """What the value of a pointer, or of an array that decays, can point to."""
        kind = e.type
        if isinstance(kind, (ty.Array, ty.Function)) and not isinstance(e, t.StringConst):
            return self.objects(e)
        match e:
            case t.IntConst() | t.StringConst():
                return NONE
            case t.Unary(op="&", operand=operand):
                return self.objects(operand)
            case t.Cast(operand=operand):
                return self._cast(operand)
            case _ if found := sources(e):
                return NONE.union(*map(self.value, found))
            case t.Call():
                return self._result(e)
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*"):
                return self.load(self.objects(e), _member_of(e))
            case _:
                return frozenset({UNKNOWN})

    def objects(self, lvalue: t.Expr) -> Objects:
        """What an lvalue, or the value of a struct, can be part of."""
        path = access_path(lvalue)
        if path.follows:
            return self.value(path.origin)
        match path.origin:
            case t.Name(symbol=symbol):
                one = self.program.one(symbol)
                return frozenset({Code(one) if one.storage is t.Storage.FUNCTION else Variable(one)})
            case t.Conditional(then=then, other=other):
                return self.objects(then) | self.objects(other)
            case t.Comma(right=right) | t.Assign(target=right) | t.Cast(operand=right):
                return self.objects(right)
            case t.CompoundLiteral() as literal:
                return frozenset({Temporary(literal)})
            case t.Call() as call:
                return frozenset(Temporary(callee.symbol) for callee in self.callees(call)[0])
            case t.StringConst():
                return NONE
            case _:
                return frozenset({UNKNOWN})

    def load(self, holders: Iterable[Object], member: str | None) -> Objects:
        """What pointers of one name in the objects point to."""
        return NONE.union(*(self._loaded(holder, member) for holder in holders))

    def passed_to(self, parameter: t.Symbol) -> Objects:
        """What any call passes to a pointer parameter."""
        return self.load([Variable(parameter)], None)

    def reachable(self, found: Iterable[Object]) -> Objects:
        """The objects, and all that pointers in them lead to."""
        seen = set(found)
        pending = list(seen)
        while pending:
            more = self._loaded(pending.pop(), None) - seen
            seen |= more
            pending += more
        return frozenset(seen)

    def callees(self, call: t.Call) -> tuple[list[t.Function], list[t.Symbol]]:
        """The functions that a call may run: those that are seen, and the others."""
        found = self.value(call.function)
        if Unknown() in found or not found:
            found |= self._all_addressed
        symbols = [code.function for code in sorted_objects(found) if isinstance(code, Code)]
        seen = [function for symbol in symbols if (function := self.program.function(symbol)) is not None]
        return seen, [symbol for symbol in symbols if self.program.function(symbol) is None]

    def called_back(self, call: t.Call) -> list[t.Function]:
        """The functions that a call passes on."""
        passed = (code for argument in call.args for code in self.passed(argument) if isinstance(code, Code))
        functions = (self.program.function(code.function) for code in sorted_objects(passed) if isinstance(code, Code))
        return [function for function in functions if function is not None]

    def stored_parameters(self) -> frozenset[Given]:
        """What callers pass that is not in variables of functions alone, but where it outlives the call."""
        found = self.kept | self.hidden
        for (holder, _), value in self._cells.items():
            if not (isinstance(holder, Temporary) or (isinstance(holder, Variable) and holder.symbol.is_automatic)):
                found |= value
        return frozenset(each for each in found if isinstance(each, Given))

    # ---------------------------------------------------------- constraints

    def _steps(self) -> Iterator[Callable[[], None]]:
        """What is done again until nothing changes."""
        addressed: set[Object] = set()
        for unit in self.program.units:
            for variable in unit.variables:
                yield from self._of(variable, None, addressed)
        for function in self.program.functions():
            assert function.body is not None
            yield from self._of(function.body, function, addressed)
        self._all_addressed = frozenset(addressed)

    def _of(
        self, obj: t.Stmt | t.VarDecl, function: t.Function | None, addressed: set[Object]
    ) -> Iterator[Callable[[], None]]:
        called: set[t.Expr] = set()
        for node in nodes(obj):
            match node:
                case t.VarDecl(symbol=symbol, init=t.Expr() as init):
                    yield self._assignment(t.Name(symbol.type, node.loc, symbol), init)
                case t.Assign(op="=", target=target, value=value) if _may_hold_pointers(target.type):
                    yield self._assignment(target, value)
                case t.Return(value=t.Expr() as value) if function is not None and _may_hold_pointers(value.type):
                    yield self._return(function, value)
                case t.Call():
                    self._owners[node] = None if function is None else function.symbol
                    called.add(node.function)
                    yield partial(self._call, node)
                case t.Cast(type=ty.Int(), operand=operand) if isinstance(ty.decayed(operand.type), ty.Pointer):
                    yield partial(self._hide, operand)
                case t.CompoundLiteral(init=init):
                    yield self._assignment(node, init)
                case t.Name(symbol=t.Symbol(storage=t.Storage.FUNCTION) as symbol) if node not in called:
                    addressed.add(Code(self.program.one(symbol)))
                case _:
                    pass

    def _assignment(self, target: t.Expr, value: t.Expr) -> Callable[[], None]:
        if isinstance(value, t.InitList):
            return lambda: self._initialise(target, value)
        if isinstance(target.type, ty.Struct):
            return lambda: self._copy(self.objects(target), self.objects(value))
        member = _member_of(target)
        return lambda: self._store(self.objects(target), member, self.value(value))

    def _return(self, function: t.Function, value: t.Expr) -> Callable[[], None]:
        if isinstance(value.type, ty.Struct):
            return lambda: self._copy([Temporary(function.symbol)], self.objects(value))
        return lambda: self._return_pointer(function.symbol, self.value(value))

    def _initialise(self, target: t.Expr, values: t.InitList) -> None:
        """Members that are named by their place, all else as plain pointers."""
        holders = self.objects(target)
        record = target.type.record if isinstance(target.type, ty.Struct) else None
        for place, (_, value) in zip(values.places, values.items, strict=True):
            fields = record.fields if record is not None and len(place) == 1 else None
            member = fields[place[0]].name if fields is not None and place[0] < len(fields) else None
            for part in walk(value) if isinstance(value, t.InitList) else (value,):
                if isinstance(part, t.Expr) and isinstance(ty.decayed(part.type), ty.Pointer):
                    self._store(holders, member, self.value(part))
                elif isinstance(part, (t.Name, t.Member, t.Index)) and isinstance(part.type, ty.Struct):
                    self._copy(holders, self.objects(part))

    def _hide(self, pointer: t.Expr) -> None:
        self.hidden |= self.value(pointer)

    def _call(self, call: t.Call) -> None:
        seen, unseen = self.callees(call)
        for function in seen:
            for parameter, argument in zip(function.params, call.args):  # noqa: B905  old-style calls
                if isinstance(parameter.type, ty.Struct):
                    self._copy([Variable(parameter)], self.objects(argument))
                elif isinstance(parameter.type, ty.Pointer):
                    self._add(Variable(parameter), None, self.value(argument))
        for symbol in unseen:
            self._call_unseen(call, symbol)
        if not seen and not unseen:
            self._keep(call)

    def _call_unseen(self, call: t.Call, symbol: t.Symbol) -> None:
        if not library.is_library(symbol):
            self._keep(call)
            return
        if symbol.name == "posix_memalign" and call.args:
            self._store(self.value(call.args[0]), None, frozenset({self._block(call)}))
        if library.copies(symbol) and len(call.args) > 1:
            self._copy(self.value(call.args[0]), self.value(call.args[1]))
        passed: Objects | None = None
        for function in self.called_back(call):
            passed = NONE.union(*map(self.passed, call.args)) if passed is None else passed
            for parameter in function.params:
                self._add(Variable(parameter), None, passed)

    def _keep(self, call: t.Call) -> None:
        """Code that is not seen may keep what it is given and may write, and change all pointers in it."""
        kind = call.function.type.to if isinstance(call.function.type, ty.Pointer) else call.function.type
        given = [a for at, a in enumerate(call.args) if library.effect_by_type(kind, at).writes]
        found = self.reachable(NONE.union(*map(self.passed, given)))
        self.kept |= found
        for each in found:
            if self._members.get(each):
                self._add(each, None, frozenset({UNKNOWN}))
        for function in self.called_back(call):
            for parameter in function.params:
                self._add(Variable(parameter), None, found | {UNKNOWN})

    def passed(self, argument: t.Expr) -> Objects:
        """What the pointers in an argument point to."""
        if isinstance(ty.decayed(argument.type), ty.Pointer):
            return self.value(argument)
        return self.load(self.objects(argument), None) if isinstance(argument.type, ty.Struct) else NONE

    # ---------------------------------------------------------------- cells

    def _store(self, holders: Iterable[Object], member: str | None, value: Objects) -> None:
        for holder in holders:
            self._add(holder, member, value)
            if isinstance(holder, Unknown):
                self.hidden |= value

    def _add(self, holder: Object, member: str | None, value: Objects) -> None:
        known = self._cells.get((holder, member), NONE)
        self._members[holder].add(member)
        if not value <= known:
            self._cells[holder, member] = known | value
            self._changed = True

    def _copy(self, targets: Iterable[Object], sources: Iterable[Object]) -> None:
        sources = tuple(sources)
        for target in targets:
            for source in sources:
                for member in tuple(self._members.get(source, ())):
                    self._add(target, member, self._loaded(source, member))

    def _return_pointer(self, function: t.Symbol, value: Objects) -> None:
        known = self._returned.get(function, NONE)
        if not value <= known:
            self._returned[function] = known | value
            self._changed = True

    def _loaded(self, holder: Object, member: str | None) -> Objects:
        if isinstance(holder, (Unknown, Given)):
            return frozenset({UNKNOWN})
        names = self._members.get(holder, ()) if member is None else (member, None)
        found = NONE.union(*(self._cells.get((holder, name), NONE) for name in tuple(names)))
        if isinstance(holder, Block) and holder.of is not None:
            inside = self._loaded(holder.of, member)
            found |= {copied(each, holder.call, holder.of.owner, holder.owner) for each in inside}
        return found

    def _cast(self, operand: t.Expr) -> Objects:
        if isinstance(ty.decayed(operand.type), ty.Pointer):
            return self.value(operand)
        parts = [node for node in walk(operand) if isinstance(node, t.Expr)]
        pointers = [part for part in parts if isinstance(ty.decayed(part.type), ty.Pointer)]
        if pointers:
            return NONE.union(*map(self.value, pointers))
        return NONE if isinstance(operand, t.IntConst) else frozenset({UNKNOWN})

    def _result(self, call: t.Call) -> Objects:
        """What a call returns; a block that the callee makes is this call's own."""
        seen, unseen = self.callees(call)
        owner = self._owners.get(call)
        found: set[Object] = set()
        for function in seen:
            returned = self._returned.get(function.symbol, NONE)
            found |= {copied(each, call, function.symbol, owner) for each in returned}
        for symbol in unseen:
            if library.is_library(symbol):
                found |= {self._block(call)} if library.allocates(symbol) else NONE
                if library.effect(symbol, 0) is not library.Effect.NONE and not library.allocates(symbol):
                    found |= NONE.union(*map(self.passed, call.args))
                if symbol.name == "realloc" and call.args:
                    found |= self.value(call.args[0])
            else:
                found |= {UNKNOWN}.union(*map(self.passed, call.args))
        return frozenset(found) if seen or unseen else frozenset({UNKNOWN})

    def _block(self, call: t.Call) -> Block:
        return Block(call, self._owners.get(call))


def _member_of(lvalue: t.Expr) -> str | None:
    """The name under which the pointer that an lvalue designates is known in its object."""
    holder = access_path(lvalue).holder
    return None if holder is None else holder.member.name


def _may_hold_pointers(kind: ty.Type) -> bool:
    return isinstance(kind, (ty.Pointer, ty.Struct, ty.Array, ty.Unknown))


def sorted_objects(found: Iterable[Object]) -> list[Object]:
    """In an order that does not depend on hashes."""
    return sorted(found, key=_order)


def _order(found: Object) -> tuple[str, str, int, int, str]:
    match found:
        case Variable(symbol=s) | Given(parameter=s) | Code(function=s):
            return type(found).__name__, s.loc.file, s.loc.line, s.loc.column, s.name
        case Block(call=call):
            return "Block", call.loc.file, call.loc.line, call.loc.column, str(found.depth)
        case Temporary(of=of):
            return "Temporary", of.loc.file, of.loc.line, of.loc.column, ""
        case Unknown():
            return "Unknown", "", 0, 0, ""
