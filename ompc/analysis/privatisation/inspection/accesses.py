"""Analysis: what an expression does, as an inspector sees it: accesses to objects in their order, integers, calls.

    x[i][j] = y[i] + f(t, n)        reads of y and x, if they are the objects; the call, if `t` leads into one
    i = n / 2;  n++                 stays, where the values are known

C evaluates operands in any order. Reads count as if they came first, a store comes last; a call that may access objects
is only followed where nothing else of its expression does.

    In: expressions.   Out: the inspector's statements. NotInspectable: a place is not known, or kept elsewhere.
    Not here: which integers are known -- values.py; control flow -- slices.py.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ompc.analysis.privatisation.inspection.values import NotInspectable, Values
from ompc.ir import conversions
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import callee, nodes
from ompc.ir.walk import children

_LVALUES = (t.Name, t.Index, t.Member)


class Accesses:
    """`functions` are the program's, `touching` the names of those that name an object themselves or by a call;
    `begun_at`: blocks at whose beginning nothing of an object is written. While code is looked at: the functions whose
    `calls` are followed, the `loops` and branches around and whether they are certain, whether it `maybe` runs, and
    whether threads are `sharing` it.
    """

    def __init__(
        self,
        values: Values,
        functions: Mapping[str, t.Function],
        touching: frozenset[str],
        begun_at: Mapping[t.Block, Sequence[t.Symbol]],
    ) -> None:
        self.values = values
        self.functions = functions
        self.touching = touching
        self.begun_at = begun_at
        self.made: dict[t.Symbol, t.Function] = {}
        self.calls: list[t.Function] = []
        self.loops: list[tuple[t.Stmt | None, bool]] = []
        self.maybe = False
        self.sharing = False
        values.result = self._result_of

    @abstractmethod
    def sliced(self, function: t.Function) -> t.Function:
        """The inspector's function for one of the program's."""

    def begins(self, symbol: t.Symbol) -> t.Stmt:
        return i.statement(i.call(i.BEGINS, i.name_of(self.values.objects[symbol])))

    def learn_unknown(self, symbols: Iterable[t.Symbol]) -> None:
        self.values.learnt.unknown.update(symbols)

    # --------------------------------------------------------------- whole expressions

    def evaluated(self, e: t.Expr) -> Iterator[t.Stmt]:
        """An expression as a statement: the one place where a call may access objects."""
        match e:
            case t.Call() if self._is_followed(e):
                yield from self._followed(e)
            case t.Assign(op="=", target=t.Name(symbol=symbol), value=t.Call() as call) if self._is_followed(call):
                if symbol in self.values.objects or isinstance(symbol.type, ty.Pointer):
                    raise NotInspectable
                yield from self._followed(call)
                self.learn_unknown([symbol])
            case t.Cast(operand=operand):
                yield from self.evaluated(operand)
            case t.Comma(left=left, right=right):
                yield from self.evaluated(left)
                yield from self.evaluated(right)
            case _:
                yield from self.effects(e)

    def declared(self, decl: t.VarDecl) -> Iterator[t.Stmt]:
        symbol, init = decl.symbol, decl.init
        if init is None:
            if (found := self.undefined(symbol)) is not None:
                yield t.DeclStmt(decl.loc, (found,))
        elif isinstance(init, t.Call) and self._is_followed(init):
            if isinstance(symbol.type, ty.Pointer):
                raise NotInspectable
            yield from self._followed(init)
            self.learn_unknown([symbol])
        elif isinstance(symbol.type, ty.Pointer):
            yield from self.pointer_effects(init)
            place = self.values.place(init)
            if place is not None:
                self._points(symbol)
            if (own := self.values.learnt.pointers.get(symbol)) is not None:
                yield t.DeclStmt(decl.loc, (t.VarDecl(own, place or i.number(0), decl.loc),))
        else:
            yield from self.effects(init)
            value = self._given(symbol, init)
            if value is not None:
                yield t.DeclStmt(decl.loc, (t.VarDecl(symbol, value, decl.loc),))

    def undefined(self, symbol: t.Symbol) -> t.VarDecl | None:
        """The inspector's declaration of a variable without a value; None: it has none of it."""
        own = self.values.learnt.pointers.get(symbol)
        if own is not None:
            return t.VarDecl(own, i.number(0), symbol.loc)
        if not self.values.is_known(symbol):
            return None
        kind = ty.unqualified(symbol.type)
        return t.VarDecl(symbol, i.number(0, kind), symbol.loc)

    def _given(self, symbol: t.Symbol, value: t.Expr) -> t.Expr | None:
        """What a variable gets; None: it is none whose value is known."""
        found = self.values.value(value)
        if found is None or self.maybe:
            self.learn_unknown([symbol])
        return found if self.values.is_known(symbol) else None

    def _points(self, pointer: t.Symbol) -> None:
        if self.maybe or not pointer.is_automatic or pointer.address_taken:
            raise NotInspectable
        self.values.learnt.leads_in(pointer)

    # ----------------------------------------------------------------------- effects

    def effects(self, e: t.Expr) -> list[t.Stmt]:
        """What evaluating `e` does, its value aside."""
        match e:
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*"):
                return self._read(e)
            case t.Unary(op="&", operand=operand):
                if self.values.place_of(operand) is not None:
                    raise NotInspectable  # it is kept where nobody follows it
                return self._operands(operand)
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                return [*self.effects(left), *self._under(self.values.value(left), op == "&&", right)]
            case t.Conditional(condition=condition, then=then, other=other):
                choice = self.values.value(condition)
                branches = [*self._under(choice, True, then), *self._under(choice, False, other)]
                return [*self.effects(condition), *branches]
            case t.Assign(op=op, target=target, value=value):
                return self._assigned(op, target, value)
            case t.IncDec(operand=operand):
                one = t.IntConst(ty.INT, e.loc, 1, "1")
                return self._assigned("+=" if e.op == "++" else "-=", operand, one)
            case t.Call():
                if self._hands_places(e):
                    raise NotInspectable  # in which order is not known
                return self._each(e.args)
            case t.OpaqueExpr():
                raise NotInspectable
            case _:
                return self._each(child for child in children(e) if isinstance(child, t.Expr))

    def _each(self, parts: Iterable[t.Expr]) -> list[t.Stmt]:
        return [found for part in parts for found in self.effects(part)]

    def _under(self, choice: t.Expr | None, holds: bool, e: t.Expr) -> list[t.Stmt]:
        """An operand that is evaluated where the condition `choice` holds, or does not; None: nobody knows."""
        outer, self.maybe = self.maybe, self.maybe or choice is None
        found = self.effects(e)
        self.maybe = outer
        if choice is None or not found:
            return found
        condition = choice if holds else t.Unary(ty.INT, e.loc, "!", choice)
        return [t.If(e.loc, condition, i.block(found), None)]

    def _read(self, lvalue: t.Expr) -> list[t.Stmt]:
        found, place = self._operands(lvalue), self.values.place_of(lvalue)
        if isinstance(lvalue.type, (ty.Array, ty.Pointer)) and self.values.place(lvalue) is not None:
            raise NotInspectable  # a pointer that is kept, or looked at
        return found if place is None else [*found, self._access(i.READS, place, lvalue.type)]

    def _access(self, how: t.Symbol, place: t.Expr, kind: ty.Type) -> t.Stmt:
        return i.statement(i.call(how, place, self.values.size(kind)))

    def _operands(self, lvalue: t.Expr) -> list[t.Stmt]:
        """What is evaluated to find what `lvalue` designates."""
        match lvalue:
            case t.Name():
                return []
            case t.Index(base=base, index=index):
                return [*self.pointer_effects(base), *self.effects(index)]
            case t.Unary(op="*", operand=operand):
                return self.pointer_effects(operand)
            case t.Member(base=base, arrow=True):
                return self.pointer_effects(base)
            case t.Member(base=base) if isinstance(base, _LVALUES) or (isinstance(base, t.Unary) and base.op == "*"):
                return self._operands(base)
            case t.Member(base=base):
                return self.effects(base)
            case _:
                return self.effects(lvalue)

    def pointer_effects(self, pointer: t.Expr) -> list[t.Stmt]:
        """What evaluating a pointer does that is followed to where it points."""
        match pointer:
            case t.Name():
                return []
            case t.Expr(type=ty.Array()):
                return self._operands(pointer)
            case t.Unary(op="&", operand=operand):
                return self._operands(operand)
            case t.Binary(op="+" | "-", left=left, right=right):
                return [*self._pointer_or_number(left), *self._pointer_or_number(right)]
            case t.Cast(operand=operand):
                return self._pointer_or_number(operand)
            case t.Conditional(condition=condition, then=then, other=other):
                parts = [found for part in (then, other) for found in self._pointer_or_number(part)]
                return [*self.effects(condition), *parts]
            case _:
                return self.effects(pointer)

    def _pointer_or_number(self, e: t.Expr) -> list[t.Stmt]:
        return self.pointer_effects(e) if isinstance(e.type, (ty.Pointer, ty.Array)) else self.effects(e)

    def _assigned(self, op: str, target: t.Expr, value: t.Expr) -> list[t.Stmt]:
        if isinstance(target.type, ty.Pointer):
            return self._pointed_at(op, target, value)
        found = [*self.effects(value), *self._operands(target)]
        place = self.values.place_of(target)
        if place is not None:
            if op != "=":
                found.append(self._access(i.READS, place, target.type))
            return found if self.maybe else [*found, self._access(i.WRITES, place, target.type)]
        if isinstance(target, t.Name):
            given = value if op == "=" else _combined(op[:-1], target, value)
            new = self._given(target.symbol, given)
            if new is not None:
                found.append(i.statement(t.Assign(target.type, target.loc, "=", i.name_of(target.symbol), new)))
        return found

    def _pointed_at(self, op: str, target: t.Expr, value: t.Expr) -> list[t.Stmt]:
        """An assignment to a pointer, of a place or of none."""
        found = [*self._pointer_or_number(value), *self._operands(target)]
        moved = value if op == "=" else t.Binary(target.type, target.loc, op[:-1], target, value)
        place = self.values.place(moved)
        if not isinstance(target, t.Name):
            if place is not None or self.values.place_of(target) is not None:
                raise NotInspectable
            return found
        if place is not None:
            self._points(target.symbol)
        own = self.values.learnt.pointers.get(target.symbol)
        if own is None:
            return found
        if self.maybe:
            raise NotInspectable
        return [*found, i.statement(t.Assign(ty.SIZE_T, target.loc, "=", i.name_of(own), place or i.number(0)))]

    # ------------------------------------------------------------------------- calls

    def _hands_places(self, call: t.Call) -> bool:
        pointers = (arg for arg in call.args if isinstance(arg.type, (ty.Pointer, ty.Array)))
        return any(self.values.place(pointer) is not None for pointer in pointers)

    def _touches(self, call: t.Call) -> bool:
        return isinstance(call.function, t.Name) and call.function.symbol.name in self.touching

    def _is_followed(self, call: t.Call) -> bool:
        """A function that names an object itself is inspected by itself: that it writes more here need not be seen."""
        return self._hands_places(call) or (self._touches(call) and not self.maybe)

    def _followed(self, call: t.Call) -> Iterator[t.Stmt]:
        function = callee(call, self.functions)
        if function is None or len(function.params) != len(call.args) or self.maybe:
            raise NotInspectable
        for arg in call.args:
            yield from self._pointer_or_number(arg)
        yield i.statement(self._call_of(function, call.args))

    def _call_of(self, function: t.Function, args: Sequence[t.Expr | None]) -> t.Call:
        """`args`: None is something unknown."""
        given = [self._argument(*each) for each in zip(function.params, args, strict=True)]
        made = self.sliced(function)
        kept = [arg for p, arg in zip(function.params, given, strict=True) if self.parameter(p) is not None]
        return i.call(made.symbol, *(arg or i.number(0) for arg in kept))

    def call_of(self, function: t.Function, args: Sequence[t.Expr | None]) -> t.ExprStmt:
        """A call of it from outside; pointers lead into no object."""
        return i.statement(self._call_of(function, args))

    def _argument(self, parameter: t.Symbol, arg: t.Expr | None) -> t.Expr | None:
        if isinstance(parameter.type, ty.Pointer):
            place = None if arg is None else self.values.place(arg)
            if place is not None:
                self._points(parameter)
            return place
        value = None if arg is None else self.values.value(arg)
        if value is None:
            self.learn_unknown([parameter])
        elif ty.unqualified(value.type) != ty.unqualified(parameter.type):
            value = t.Cast(ty.unqualified(parameter.type), value.loc, value)
        return value

    def parameter(self, symbol: t.Symbol) -> t.Symbol | None:
        """The inspector's parameter in the place of one; None: there is none."""
        own = self.values.learnt.pointers.get(symbol)
        return own or (symbol if self.values.is_known(symbol) else None)

    # ----------------------------------------------------------------------- results

    def _result_of(self, call: t.Call) -> t.Expr | None:
        """The call of a function that has nothing but known values, and returns one."""
        function = callee(call, self.functions)
        if function is None or function.body is None or function.symbol in self.values.learnt.opaque:
            return None
        if self._hands_places(call) or self._touches(call) or len(function.params) != len(call.args):
            return None
        if any(isinstance(node, (t.Pragma, t.OpaqueStmt, t.OpaqueExpr)) for node in nodes(function.body)):
            return None
        if any(isinstance(arg.type, ty.Int) and self.values.value(arg) is None for arg in call.args):
            return None
        try:
            return self._call_of(function, call.args)
        except NotInspectable:
            self.values.learnt.opaque.add(function.symbol)
            return None

    def result(self, function: t.Function, value: t.Expr) -> t.Expr | None:
        """What a function returns; None: nobody knows."""
        found = self.values.value(value)
        if found is None:
            self.values.learnt.opaque.add(function.symbol)
        return None if function.symbol in self.values.learnt.opaque else found

    def returned(self, function: t.Function) -> ty.Type:
        assert isinstance(function.symbol.type, ty.Function)
        kind = ty.unqualified(function.symbol.type.returns)
        known = isinstance(kind, ty.Int) and function.symbol not in self.values.learnt.opaque
        return kind if known else ty.VOID


def _combined(op: str, target: t.Expr, value: t.Expr) -> t.Expr:
    return t.Binary(conversions.binary(op, target.type, value.type), target.loc, op, target, value)
