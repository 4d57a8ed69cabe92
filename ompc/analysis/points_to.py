"""Analysis: the objects that a pointer of the kernel can point into.

Flow-insensitive, over the loop's body and the functions it calls. A `Root` is an object known where the loop is
launched: a variable itself, or whatever an outer pointer points to at the launch. A pointer declared in the kernel, a
private one or a parameter points into the union of all that is ever assigned to it.

    double *row = a + i * m;   f(row, b);      row, f's first parameter: {*a};   f's second: {*b}

    In: Reach.   Out: PointsTo.roots(expression), or `Unresolved` (OMPC328, OMPC329): a pointer that was loaded from
    memory, or made from an integer, can point anywhere.
    Source: Andersen's inclusion constraints, solved to their least fixed point.
"""

from __future__ import annotations

from collections import defaultdict

from ompc.analysis.reach import Reach
from ompc.analysis.roots import PLAIN, Root
from ompc.diagnostics import Reason
from ompc.omp.model import Sharing
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import walk
from ompc.source import Location


class Unresolved(Exception):
    """A pointer whose target is not known; `reason` is why the loop stays on the host."""

    def __init__(self, code: str, message: str, at: Location) -> None:
        super().__init__(message)
        self.reason = Reason(code, message, at)


NOTHING: frozenset[Root] = frozenset()


class PointsTo:
    """Answers which objects an expression of the kernel can designate or point into."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._values: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self._returned: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self._declared_inside: set[t.Symbol] = set()
        self._known: dict[t.Symbol, frozenset[Root]] = {}
        self._unresolved: dict[t.Symbol, Unresolved] = {}
        self._collect()
        self._solve()

    def is_local(self, symbol: t.Symbol) -> bool:
        """Is `symbol` declared inside the kernel's code (body or functions)?"""
        return symbol in self._declared_inside

    def is_assigned(self, pointer: t.Symbol) -> bool:
        """Does the kernel assign to the pointer variable itself?"""
        return bool(self._values.get(pointer))

    def object_of(self, lvalue: t.Expr) -> frozenset[Root]:
        """The objects that the lvalue (or struct value) can be part of."""
        match lvalue:
            case t.Name(symbol=symbol):
                return frozenset({Root(symbol)})
            case t.Index(base=base):
                return self.object_of(base) if isinstance(base.type, ty.Array) else self.roots(base)
            case t.Member(base=base, arrow=arrow):
                return self.roots(base) if arrow else self.object_of(base)
            case t.Unary(op="*", operand=operand):
                return self.roots(operand)
            case t.Conditional(then=then, other=other):
                return self.object_of(then) | self.object_of(other)
            case t.Comma(right=right) | t.Assign(target=right):
                return self.object_of(right)
            case t.Call() | t.CompoundLiteral():
                return NOTHING  # a temporary
            case _:
                raise Unresolved("OMPC329", "accesses an object that ompc cannot name", lvalue.loc)

    def roots(self, pointer: t.Expr) -> frozenset[Root]:
        """The objects that the value of `pointer` (an array decays) can point into."""
        match pointer:
            case t.IntConst(value=0):
                return NOTHING
            case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Pointer):
                return self._variable(symbol)
            case t.Unary(op="&", operand=operand):
                return self.object_of(operand)
            case t.Binary(op="+" | "-", left=left, right=right):
                return self.roots(left if isinstance(ty.decayed(left.type), ty.Pointer) else right)
            case t.IncDec(operand=operand):
                return self.roots(operand)
            case t.Assign(target=target):
                return self.roots(target)
            case t.Conditional(then=then, other=other):
                return self.roots(then) | self.roots(other)
            case t.Comma(right=right):
                return self.roots(right)
            case t.Cast(operand=operand) if isinstance(ty.decayed(operand.type), ty.Pointer):
                return self.roots(operand)
            case t.Cast(operand=t.IntConst(value=0)):
                return NOTHING
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self._returned:
                return self._variable(symbol)
            case _ if isinstance(pointer.type, ty.Array):
                return self.object_of(pointer)
            case t.Index() | t.Member() | t.Unary(op="*"):
                raise Unresolved("OMPC328", "follows a pointer that is stored in memory", pointer.loc)
            case _:
                raise Unresolved("OMPC329", "uses a pointer whose target is not known", pointer.loc)

    def _variable(self, symbol: t.Symbol) -> frozenset[Root]:
        if symbol in self._unresolved:
            raise self._unresolved[symbol]
        known = self._known.get(symbol)
        return self._initial(symbol) if known is None else known

    def _initial(self, symbol: t.Symbol) -> frozenset[Root]:
        """What a pointer points into before the kernel assigns to it."""
        sharing = self._reach.loop.sharing.get(symbol)
        keeps_outer_value = sharing not in (Sharing.PRIVATE, Sharing.LASTPRIVATE, Sharing.LOOP, Sharing.REDUCTION)
        outer = not self.is_local(symbol) and keeps_outer_value
        return frozenset({Root(symbol, (PLAIN,))}) if outer else NOTHING

    def _solve(self) -> None:
        """The least fixed point of all inclusion constraints together;
        a pointer with an unknown source stays unresolved.
        """
        constraints = {**self._values, **self._returned}
        for symbol in constraints:
            self._known[symbol] = self._initial(symbol) if symbol in self._values else NOTHING
        changed = True
        while changed:
            changed = False
            for symbol, values in constraints.items():
                changed |= symbol not in self._unresolved and self._grow(symbol, values)

    def _grow(self, symbol: t.Symbol, values: list[t.Expr]) -> bool:
        """Add what `values` point into to `symbol`; did anything change?"""
        try:
            found = self._known[symbol].union(*(self.roots(value) for value in values))
        except Unresolved as unresolved:
            self._unresolved[symbol] = unresolved
            return True
        changed = found != self._known[symbol]
        self._known[symbol] = found
        return changed

    def _collect(self) -> None:
        functions = {function.symbol: function for function in self._reach.functions}
        self._declared_inside.update(loop.var for loop in self._reach.loop.loops if loop.declared_here)
        for function in self._reach.functions:
            self._declared_inside.update(function.params)
            self._collect_returns(function)
        for node in self._reach.nodes():
            match node:
                case t.VarDecl(symbol=symbol, init=init):
                    self._declared_inside.add(symbol)
                    if init is not None:
                        self._assign(symbol, init)
                case t.Assign(op="=", target=t.Name(symbol=symbol), value=value):
                    self._assign(symbol, value)
                case (
                    t.Assign(target=t.Name(symbol=symbol) as target) | t.IncDec(operand=t.Name(symbol=symbol) as target)
                ):
                    self._assign(symbol, target)
                case t.Call(function=t.Name(symbol=callee), args=args) if callee in functions:
                    for parameter, argument in zip(functions[callee].params, args, strict=False):
                        self._assign(parameter, argument)
                case _:
                    pass

    def _collect_returns(self, function: t.Function) -> None:
        kind = function.symbol.type
        if isinstance(kind, ty.Function) and isinstance(kind.returns, ty.Pointer):
            assert function.body is not None
            returns = (node for node in walk(function.body) if isinstance(node, t.Return))
            self._returned[function.symbol].extend(node.value for node in returns if node.value is not None)

    def _assign(self, symbol: t.Symbol, value: t.Expr) -> None:
        if isinstance(symbol.type, ty.Pointer):
            self._values[symbol].append(value)
