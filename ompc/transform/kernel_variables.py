"""Variables that a kernel has, and the loop's text has not: numbers that the host says, and what is made of them.

    for (i = 0; i < n; i++)                          threads    the host says it at the launch
        sum[omp_get_thread_num()] += x[i];           thread     each iteration makes it

They have names that nothing in the loop has, and positions in front of all symbols of the file.

In: a loop.   Out: symbols; the loop with the numbers that the host says (`ParallelLoop.fixed`).
Not here: what the numbers are -- thread_numbers.py, team_numbers.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.base.frozen import dataclass, field
from ompc.base.source import NOWHERE, Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import FUNCTIONS
from ompc.ir.queries import declared_in, symbols_in
from ompc.omp.model import FixedRead, ParallelLoop

_POSITION = -3_000
"""The position of the first number that the host says: before those of the file, in an order of their own."""
_MADE = -3_100
"""That of the first variable that an iteration makes."""
_POINTERS = -2_900
"""That of the first pointer of the launcher's own."""


@dataclass
class KernelVariables:
    """Those of one loop. `but`: variables that the kernel will not have any more, whose names are free."""

    loop: ParallelLoop
    loc: Location
    but: Collection[t.Symbol] = ()
    fixed: dict[t.Symbol, FixedRead] = field(default_factory=dict)
    made: dict[t.Symbol, t.Expr] = field(default_factory=dict)
    pointers: int = 0

    def __post_init__(self) -> None:
        assert self.loop.body is not None
        parts = [self.loop.body, *(bound for each in self.loop.loops for bound in (each.lower, each.upper))]
        taken = {symbol for part in parts for symbol in symbols_in(part) | declared_in(part)} | self.loop.sharing.keys()
        self.taken = {symbol.name for symbol in taken.difference(self.but)}

    def given(self, name: str, value: t.Expr, meaning: str, kind: ty.Type = ty.INT) -> t.Symbol:
        """A variable with a value that the host says."""
        symbol = replace(self._symbol(name, _POSITION + len(self.fixed)), type=kind)
        self.fixed[symbol] = FixedRead(value, "", (), meaning)
        return symbol

    def pointer(self, name: str, to: ty.Type) -> t.Symbol:
        """A variable of the launcher's that leads to what the host knows by another name."""
        self.pointers += 1
        return replace(self._symbol(name, _POINTERS + self.pointers), type=ty.Pointer(to))

    def declared(self, name: str, value: t.Expr) -> t.Symbol:
        """A variable that each iteration makes."""
        symbol = self._symbol(name, _MADE + len(self.made))
        self.made[symbol] = value
        return symbol

    def local(self, name: str, kind: ty.Type) -> t.Symbol:
        """A variable that code of the kernel declares."""
        return replace(self._symbol(name, _MADE), type=kind)

    def named(self, symbol: t.Symbol) -> t.Expr:
        return t.Name(symbol.type, self.loc, symbol)

    def _symbol(self, name: str, position: int) -> t.Symbol:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return t.Symbol(name, ty.INT, t.Storage.AUTO, self.loc, position, self.loop.function)

    def with_body(self, body: t.Stmt) -> ParallelLoop:
        """The loop with `body`, in front of which the variables are declared."""
        loop = self.loop
        if self.made:
            declared = tuple(t.VarDecl(symbol, value, value.loc) for symbol, value in self.made.items())
            body = t.Block(body.loc, (t.DeclStmt(body.loc, declared), body))
        loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
        kept = {symbol: how for symbol, how in loop.sharing.items() if symbol not in self.but}
        return replace(loop, body=body, loops=loops, sharing=kept, fixed={**loop.fixed, **self.fixed})


def call(name: str, *args: t.Expr) -> t.Call:
    """Of a function of ompc's, with numbers that are not negative."""
    known = FUNCTIONS.get(name)
    returns = ty.INT if known is None else known.returns
    kind = ty.Function(returns, tuple(argument.type for argument in args))
    symbol = t.Symbol(name, kind, t.Storage.FUNCTION, NOWHERE, 0)
    loc = args[0].loc if args else NOWHERE
    return t.Call(returns, loc, t.Name(kind, loc, symbol), args)
