"""Analysis: the objects of a whole program, and which symbols of its files are one object or function.

    a.c   extern double u[];   double *v = vector(9), *w = vector(9);
    b.c   double u[100];       double *vector(int n) { return malloc(n * sizeof(double)); }

`u` is one variable. Each call of `vector` makes a block of its own: a copy, named by the call, of the block that the
call of malloc makes, as deep as MOST_CALLS calls. What code that is not seen passes to a function is one object for
each parameter.

    In: the units of the program.   Out: Program; the classes of objects.
    Source: heap cloning as in Nystrom, Kim and Hwu, "Bottom-Up and Top-Down Context-Sensitive Summary-Based Pointer
    Analysis", SAS 2004.
    Not here: what pointers point to -- host_pointers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.base.frozen import dataclass
from ompc.ir import tree as t

MOST_CALLS = 3
"""Calls that name a block, besides that of the allocator."""


@dataclass(frozen=True, slots=True)
class Variable:
    symbol: t.Symbol


@dataclass(frozen=True, slots=True)
class Block:
    """Made by `call`, of an allocator, in the function `owner`; or a copy of the block `of`, which the callee makes."""

    call: t.Call
    owner: t.Symbol | None
    of: Block | None = None
    depth: int = 0

    @property
    def allocator(self) -> str:
        """The name of the function of the library that makes it, if it is called by its name."""
        if self.of is not None:
            return self.of.allocator
        return self.call.function.symbol.name if isinstance(self.call.function, t.Name) else ""


@dataclass(frozen=True, slots=True)
class Given:
    """What a parameter points to when code that is not seen calls its function."""

    parameter: t.Symbol


@dataclass(frozen=True, slots=True)
class Code:
    """A function, as what a pointer to it points to."""

    function: t.Symbol


@dataclass(frozen=True, slots=True)
class Temporary:
    """A compound literal, or what a function returns by value."""

    of: t.CompoundLiteral | t.Symbol


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a pointer of unknown origin points to."""


Object = Variable | Block | Given | Code | Temporary | Unknown

UNKNOWN = Unknown()


def origins(found: Object) -> Iterator[Object]:
    """The object, and the blocks that it is a copy of."""
    yield found
    while isinstance(found, Block) and found.of is not None:
        found = found.of
        yield found


def copied(found: Object, call: t.Call, callee: t.Symbol | None, owner: t.Symbol | None) -> Object:
    """The object as the call's own, if `callee` makes it."""
    if isinstance(found, Block) and callee is not None and found.owner is callee and found.depth < MOST_CALLS:
        return Block(call, owner, found, found.depth + 1)
    return found


class Program:
    """The functions of all units, and one symbol for each object and function with linkage."""

    def __init__(self, units: Sequence[t.Unit]) -> None:
        self.units = units
        self._defined: dict[str, t.Symbol] = {}
        self._functions: dict[t.Symbol, t.Function] = {}
        self._external: dict[str, t.Symbol] = {}
        for unit in units:
            self._define(unit)
        self._known = {symbol: self._one(name, symbol, unit) for unit in units for name, symbol in unit.linked.items()}
        self._alike: dict[t.Symbol, tuple[t.Symbol, ...]] = {}
        for symbol, one in self._known.items():
            self._alike[one] = (*self._alike.get(one, ()), symbol)

    def _define(self, unit: t.Unit) -> None:
        for variable in unit.variables:
            if variable.symbol.storage is t.Storage.GLOBAL:
                self._external.setdefault(variable.symbol.name, variable.symbol)
        for name, function in unit.functions.items():
            self._functions[function.symbol] = function
            if name not in unit.internal and not function.inline:
                self._defined.setdefault(name, function.symbol)

    def _one(self, name: str, symbol: t.Symbol, unit: t.Unit) -> t.Symbol:
        if symbol.storage is t.Storage.FUNCTION:
            own = unit.functions.get(name)
            return own.symbol if own is not None else self._defined.get(name, symbol)
        external = symbol.storage in (t.Storage.GLOBAL, t.Storage.EXTERN)
        return self._external.setdefault(name, symbol) if external else symbol

    def one(self, symbol: t.Symbol) -> t.Symbol:
        """The symbol that stands for the object or function in all files."""
        return self._known.get(symbol, symbol)

    def alike(self, symbol: t.Symbol) -> tuple[t.Symbol, ...]:
        """Those of all files that stand for the same object or function."""
        return self._alike.get(self.one(symbol), (symbol,))

    def function(self, symbol: t.Symbol) -> t.Function | None:
        """What a call of `symbol` runs; None: it is not seen."""
        found = self._functions.get(self.one(symbol))
        return None if found is None or found.body is None or found.opaque is not None else found

    def functions(self) -> Iterator[t.Function]:
        """Those whose bodies are seen, in the order of the files."""
        return (function for function in self._functions.values() if function.body is not None)

    @property
    def main(self) -> t.Function | None:
        symbol = self._defined.get("main")
        return None if symbol is None else self.function(symbol)

    def entries(self) -> tuple[t.Function, ...]:
        """What the system, or code that is not seen, calls: `main`, or every function with external linkage."""
        if self.main is not None:
            return (self.main,)
        return tuple(f for f in self.functions() if self._defined.get(f.name) is f.symbol)

    def external_objects(self) -> Iterator[Variable]:
        """What other files can name."""
        return (Variable(symbol) for symbol in dict.fromkeys(self._external.values()))
