"""Analysis: what the pointers of one function point to, in terms of its parameters.

    double norm(double *x)          x, row: what the caller passes; which that is, each call says for itself
    {
        double *row = x + 9;  ...

So host code that reads one array by a function is not confused with the code that reads another one by it. Only for
parameters and variables of the function's own that hold nothing else; all other pointers are host_pointers.py's.

    In: a Function, Pointers.   Out: LocalPointers.   Not here: the calls -- host_uses.py.
"""

from __future__ import annotations

from ompc.analysis.host.host_objects import Object, Variable
from ompc.analysis.host.host_pointers import NONE, Pointers
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, sources
from ompc.ir.queries import nodes


@dataclass(frozen=True, slots=True)
class Passed:
    """What a parameter points to, whoever calls the function."""

    parameter: t.Symbol


Sources = frozenset[Object | Passed]


class LocalPointers:
    """Answers for one function."""

    def __init__(self, function: t.Function, pointers: Pointers) -> None:
        self.pointers = pointers
        self._values: dict[t.Symbol, list[t.Expr]] = {p: [] for p in function.params if _is_own(p)}
        for node in nodes(function.body) if function.body is not None else ():
            match node:
                case t.VarDecl(symbol=symbol, init=init) if _is_own(symbol):
                    self._values.setdefault(symbol, []).extend(() if init is None else (init,))
                case t.Assign(op="=", target=t.Name(symbol=symbol), value=value) if _is_own(symbol):
                    self._values.setdefault(symbol, []).append(value)
                case _:
                    pass
        self._known: dict[t.Symbol, Sources] = dict.fromkeys(self._values, frozenset())
        self._known.update({p: frozenset({Passed(p)}) for p in function.params if _is_own(p)})
        while self._grow():
            pass

    def value(self, e: t.Expr) -> Sources:
        """Like Pointers.value."""
        match e:
            case _ if isinstance(e.type, ty.Array):
                return self.objects(e)
            case t.Name(symbol=symbol) if symbol in self._known:
                return self._known[symbol]
            case t.Unary(op="&", operand=operand):
                return self.objects(operand)
            case _ if found := sources(e):
                return frozenset[Object | Passed]().union(*map(self.value, found))
            case _:
                return frozenset(self.pointers.value(e))

    def objects(self, lvalue: t.Expr) -> Sources:
        """Like Pointers.objects."""
        path = access_path(lvalue)
        return self.value(path.origin) if path.follows else frozenset(self.pointers.objects(path.origin))

    def obj(self, obj: MemoryObject) -> Sources:
        """The objects of a launch: a variable, or what pointers from it lead to."""
        variable = t.Name(obj.symbol.type, obj.symbol.loc, obj.symbol)
        path = obj.path
        if not path:
            return frozenset({Variable(self.pointers.program.one(obj.symbol))})
        found: Sources = self.objects(variable)
        if isinstance(obj.symbol.type, ty.Pointer):
            found, path = self.value(variable), path[1:]
        for step in path:
            holders = (
                self.pointers.passed_to(each.parameter) if isinstance(each, Passed) else {each} for each in found
            )
            found = frozenset(
                self.pointers.load(NONE.union(*holders), None if step.member is None else step.member.name)
            )
        return found

    def _grow(self) -> bool:
        """Add what is assigned to each variable; did anything change?"""
        before = dict(self._known)
        for symbol, values in self._values.items():
            self._known[symbol] = self._known[symbol].union(*map(self.value, values))
        return self._known != before


def _is_own(symbol: t.Symbol) -> bool:
    """A pointer that only the function's own statements change."""
    return symbol.is_automatic and isinstance(symbol.type, ty.Pointer) and not symbol.address_taken
