"""Analysis: which values are the same in all lanes of a warp.

A read of `__constant__` memory costs one transaction per distinct address in the warp, so an array belongs there only
when the address of each read is uniform. A value is uniform when it is built from constants, launch-invariant
scalars, the counters of sequential loops that start and step uniformly, and reads of arrays that the kernel does not
write at uniform addresses.

    for (k = 0; k < 33; k++) s += w[k] * x[i + k];     w[k]: uniform;   x[i + k]: not (i numbers the lanes)

Flow-insensitive per variable: one varying assignment, or one under a varying condition, makes the variable varying. The
counter of a sequential loop with a varying trip count stays uniform among the lanes that are still in the loop.

    In: DeviceCode, accesses.   Out: Uniformity.is_uniform(expression).
    Source: divergence analysis as in Coutinho et al., "Divergence Analysis and Optimizations", PACT 2011.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, object_of
from ompc.ir.queries import variables_given
from ompc.ir.walk import children, walk
from ompc.omp.model import Sharing


class Uniformity:
    def __init__(
        self,
        device_code: DeviceCode,
        accesses: Sequence[Access],
        lanes: Iterable[t.Symbol],
        axes: Collection[t.For] = (),
    ) -> None:
        """`lanes` are the variables that number the iterations of the grid; `axes` the loops that are axes of it, of
        which a lane has one iteration at a time: nothing in them is done under their conditions.
        """
        self._axes = frozenset(axes)
        self._reach = device_code
        self._written = frozenset(access.obj for access in accesses if access.mode.writes)
        self._objects = {access.node: access.obj for access in accesses}
        self._varying: set[t.Symbol] = set(lanes)
        self._varying |= {s for s, sharing in device_code.loop.sharing.items() if sharing is Sharing.REDUCTION}
        self._solve()

    def is_uniform(self, node: t.Expr) -> bool:
        """Has `node` the same value in every lane that evaluates it together?"""
        match node:
            case t.IntConst() | t.FloatConst() | t.StringConst() | t.Sizeof():
                return True
            case t.Name(symbol=symbol):
                return symbol not in self._varying
            case t.Index() | t.Member() | t.Unary(op="*"):
                return self._reads_unwritten(node) and self.has_uniform_address(node)
            case t.Unary(op="&", operand=operand):
                return self.has_uniform_address(operand)
            case t.Call(function=t.Name(symbol=symbol), args=args):
                return device_library.is_device_function(symbol.name) and all(map(self.is_uniform, args))
            case t.Call() | t.IncDec() | t.Assign() | t.CompoundLiteral() | t.InitList() | t.OpaqueExpr():
                return False
            case _:
                return all(self.is_uniform(child) for child in children(node) if isinstance(child, t.Expr))

    def has_uniform_address(self, lvalue: t.Expr) -> bool:
        """Do all lanes that evaluate `lvalue` together designate the same element?"""
        path = access_path(lvalue)
        if path.follows:
            same_object = self.is_uniform(path.origin)
        else:
            symbol = path.variable
            same_object = symbol is not None and not (isinstance(symbol.type, ty.Pointer) and symbol in self._varying)
        return same_object and all(map(self.is_uniform, path.subscripts))

    def _reads_unwritten(self, node: t.Expr) -> bool:
        obj = self._objects.get(node)
        return obj is not None and obj not in self._written and not self._is_local(obj)

    def _is_local(self, obj: MemoryObject) -> bool:
        sharing = self._reach.loop.sharing.get(obj.symbol, Sharing.SHARED)
        return not sharing.one_for_all or obj.symbol in self._local_symbols

    def _solve(self) -> None:
        """Grow the set of varying variables to its least fixed point."""
        self._local_symbols = {node.symbol for node in self._reach.nodes if isinstance(node, t.VarDecl)}
        self._local_symbols.update(parameter for f in self._reach.functions for parameter in f.params)
        shared = (obj for obj in self._written if not obj.pointee and not self._is_local(obj))
        self._varying.update(obj.symbol for obj in shared)  # lanes read it between writes of others
        while True:
            before = len(self._varying)
            for body in self._reach.bodies():
                self._statement(body, divergent=False)
            self._bind_parameters()
            if len(self._varying) == before:
                return

    def _statement(self, node: t.Stmt | t.Expr | t.VarDecl, divergent: bool) -> None:
        match node:
            case t.VarDecl(symbol=symbol, init=init):
                self._define(symbol, init, divergent)
            case t.If(condition=condition, then=then, other=other):
                self._effects(condition, divergent)
                inside = divergent or not self.is_uniform(condition)
                for branch in (then, other):
                    if branch is not None:
                        self._statement(branch, inside)
            case t.For(body=body) if node in self._axes:
                self._statement(body, divergent)
            case t.For(init=init, condition=condition, step=step, body=body):
                if init is not None:
                    self._statement(init, divergent)
                if step is not None:
                    self._effects(step, divergent)  # lanes that are still in the loop step together
                self._loop(condition, body, divergent)
            case t.While(condition=condition, body=body) | t.DoWhile(condition=condition, body=body):
                self._loop(condition, body, divergent)
            case t.Switch(value=value, body=body):
                self._loop(value, body, divergent)
            case t.Expr():
                self._effects(node, divergent)
            case _:
                for child in children(node):
                    self._statement(child, divergent)

    def _loop(self, condition: t.Expr | None, body: t.Stmt, divergent: bool) -> None:
        if condition is not None:
            self._effects(condition, divergent)
            divergent = divergent or not self.is_uniform(condition)
        self._statement(body, divergent)

    def _effects(self, expression: t.Expr, divergent: bool) -> None:
        for node in walk(expression):
            match node:
                case t.Assign(target=t.Name(symbol=symbol), value=value):
                    self._define(symbol, value, divergent)
                case t.Assign(target=target):  # of an array or struct, which then counts as varying as a whole
                    self._varying.update(filter(None, (object_of(target),)))
                case t.IncDec(operand=t.Name(symbol=symbol)) if divergent:
                    self._varying.add(symbol)
                case t.Unary(op="&", operand=t.Name(symbol=symbol)):
                    self._varying.add(symbol)  # may be written through the pointer
                case _:
                    pass

    def _define(self, symbol: t.Symbol, value: t.Expr | None, divergent: bool) -> None:
        if value is not None and (divergent or not self.is_uniform(value)):
            self._varying.add(symbol)

    def _bind_parameters(self) -> None:
        functions = {function.symbol: function for function in self._reach.functions}
        for call in (node for node in self._reach.nodes if isinstance(node, t.Call)):
            for parameter, argument in variables_given(call, functions):
                self._define(parameter, argument, divergent=False)
