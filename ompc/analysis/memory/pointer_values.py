"""Analysis: every assignment of a pointer in the kernel's code: the constraints that points_to solves.

p = a + i;   double *r = t[i];   f(p)      values      of variables, parameters included
return p;                                  returned    of functions
rows[k] = p;   struct v s = {p, n};        stored      in pointers that are no variables: (what holds it, value)
s = cells[i];   g(cells[i])                copied      structs that are copied whole: (target, source)

In: DeviceCode.   Out: Assignments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import returned
from ompc.ir.queries import target_of
from ompc.ir.walk import Node
from ompc.sema.initial_parts import initial_texts


class Assignments:
    def __init__(self, device_code: DeviceCode) -> None:
        self.declared: set[t.Symbol] = {loop.var for loop in device_code.loop.loops if loop.declared_here}
        self.values: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self.returned: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self.stored: list[tuple[t.Expr, t.Expr]] = []
        self.copied: list[tuple[t.Expr, t.Expr]] = []
        self._casts: list[t.Cast] = []
        self._functions = {function.symbol: function for function in device_code.functions}
        for function in device_code.functions:
            self.declared.update(function.params)
            self._collect_returns(function)
        for node in device_code.nodes:
            self._visit(node)

    def conversions(self) -> Iterator[tuple[ty.Type, t.Expr]]:
        """(type, value) wherever a value gets a type: by cast, assignment, initialisation, argument or return."""
        yield from ((cast.type, cast.operand) for cast in self._casts)
        yield from ((symbol.type, value) for symbol, values in self.values.items() for value in values)
        yield from ((target.type, value) for target, value in self.stored)
        for function, values in self.returned.items():
            assert isinstance(function.type, ty.Function)
            yield from ((function.type.returns, value) for value in values)

    def _visit(self, node: Node) -> None:
        match node:
            case t.Cast():
                self._casts.append(node)
            case t.VarDecl(symbol=symbol, init=init):
                self.declared.add(symbol)
                if init is not None:
                    self._assign(t.Name(symbol.type, symbol.loc, symbol), init)
            case t.Assign(op="=", target=target, value=value):
                self._assign(target, value)
            case t.Assign() | t.IncDec():
                moved = target_of(node)
                assert moved is not None
                self._assign(moved, moved)
            case t.Call(function=t.Name(symbol=callee), args=args) if callee in self._functions:
                for parameter, argument in zip(self._functions[callee].params, args, strict=False):
                    self._assign(t.Name(parameter.type, argument.loc, parameter), argument)
            case _:
                pass

    def _assign(self, target: t.Expr, value: t.Expr) -> None:
        match value:
            case t.InitList(items=items):
                texts = set(initial_texts(value))
                for _, item in items:
                    if item not in texts:
                        self._assign_part(target, item)
                return
            case t.CompoundLiteral(init=init) if not isinstance(ty.decayed(target.type), ty.Pointer):
                self._assign(target, init)
                return
            case _:
                pass
        if isinstance(target.type, ty.Pointer):
            if isinstance(target, t.Name):
                self.values[target.symbol].append(value)
            else:
                self.stored.append((target, value))
        elif isinstance(target.type, ty.Struct):
            self.copied.append((target, value))

    def _assign_part(self, whole: t.Expr, item: t.Expr) -> None:
        """An item of a braced initialiser of `whole`."""
        if isinstance(item, (t.InitList, t.CompoundLiteral)):
            self._assign(whole, item)
        elif isinstance(ty.decayed(item.type), ty.Pointer):
            if isinstance(whole.type, ty.Pointer):  # double *p = {a};
                self._assign(whole, item)
            else:
                self.stored.append((whole, item))
        elif isinstance(item.type, ty.Struct):
            self.copied.append((whole, item))

    def _collect_returns(self, function: t.Function) -> None:
        kind = function.symbol.type
        if isinstance(kind, ty.Function) and isinstance(kind.returns, ty.Pointer):
            assert function.body is not None
            self.returned[function.symbol].extend(returned(function.body))
