"""Rows whose length the program has set to a number for good are rows of that length.

    static int pad;                                 main sets it to 33
    static void copy(int n, double x[n][pad])       static void copy(int n, double x[n][33])
    { x[1][2] = 0; }                          ->    { x[1][2] = 0; }

Then rows of the function are rows of the array that it gets, and subscripts say all: an array of the thread's own keeps
its name where the function's statements stand in the loop (inlining.py).

    In: functions and loops as kernels have them; which variables and parameters are numbers.   Out: the same with
    lengths of rows that are constants.
    Not here: which they are -- analysis/privatisation/settled_arguments.py; rows of other lengths -- kernel_rows.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, nodes
from ompc.ir.rewrite import rebuilt, rewritten, with_symbols
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop, Sharing

Numbers = Callable[[str], Mapping[t.Symbol, int]]
"""What variables and parameters are whenever a function of that name runs."""

Code = TypeVar("Code", bound=t.Stmt)


def functions_with_settled_rows(
    functions: Mapping[str, t.Function], loops: Iterable[ParallelLoop], numbers: Numbers
) -> Mapping[str, t.Function]:
    """The functions with lengths of rows that are numbers, where all that they get and have is rows of such."""
    bodies = [body for loop in loops if (body := with_settled_rows(loop, numbers).body) is not None]
    made = {name: _with_settled_rows(function, numbers) for name, function in functions.items()}
    while True:
        code = [*bodies, *(function.body for function in made.values() if function.body is not None)]
        changed = {f.symbol for name, f in made.items() if f is not functions[name]}
        others = {symbol.name for body in code for symbol in _getting_other_rows(body, changed)}
        if not others:
            return made
        made = {name: functions[name] if name in others else function for name, function in made.items()}


def _getting_other_rows(code: t.Stmt, changed: Collection[t.Symbol]) -> Iterator[t.Symbol]:
    """The functions among `changed` that the code calls with rows of another length than they have now."""
    for node in nodes(code):
        match node:
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol in changed:
                if any(ty.is_variably_modified(arg.type) for arg in args):
                    yield symbol
            case _:
                pass


def _with_settled_rows(function: t.Function, numbers: Numbers) -> t.Function:
    if function.body is None or not _has_rows(function.body, function.params):
        return function
    rows = _Rows(numbers(function.name))
    symbols = rows.symbols([*function.params, *declared_in(function.body)])
    if not symbols and not rows.changes_in(function.body):
        return function
    params = tuple(symbols.get(parameter, parameter) for parameter in function.params)
    body = rows.of(function.body, symbols)
    return function if _has_others(body, params) else replace(function, params=params, body=body)


def with_settled_rows(loop: ParallelLoop, numbers: Numbers) -> ParallelLoop:
    """`loop` with such rows in its body, where it has no others; variables of which threads have copies are no numbers
    there.
    """
    if loop.body is None or not loop.loops or not _has_rows(loop.body, ()):
        return loop
    shared = (Sharing.SHARED, None)
    known = {symbol: value for symbol, value in numbers(loop.function).items() if loop.sharing.get(symbol) in shared}
    rows = _Rows(known)
    symbols = rows.symbols([*declared_in(loop.body)])
    if not symbols and not rows.changes_in(loop.body):
        return loop
    body = rows.of(loop.body, symbols)
    if _has_others(body, ()):
        return loop
    return replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)))


def _has_others(body: t.Stmt, params: tuple[t.Symbol, ...]) -> bool:
    """Are there still rows of variable length? They become pointers to elements, and no others beside them do."""
    exprs = (node.type for node in nodes(body) if isinstance(node, t.Expr))
    return any(map(ty.is_variably_modified, exprs)) or _has_rows(body, params)


def _has_rows(body: t.Stmt, params: tuple[t.Symbol, ...]) -> bool:
    kinds = [parameter.type for parameter in params]
    kinds += [node.symbol.type for node in nodes(body) if isinstance(node, t.VarDecl)]
    kinds += [node.type for node in nodes(body) if isinstance(node, t.Cast)]
    return any(map(ty.is_variably_modified, kinds))


@dataclass(frozen=True)
class _Rows:
    numbers: Mapping[t.Symbol, int]

    def type(self, kind: ty.Type) -> ty.Type:
        """The type with the lengths that are numbers."""
        match kind:
            case ty.Array(of=of, length=length):
                known = self._number(length) if isinstance(length, t.Expr) else None
                inner = self.type(of)
                same = known is None and inner is of
                return kind if same else replace(kind, of=inner, length=length if known is None else known)
            case ty.Pointer(to=to):
                inner = self.type(to)
                return kind if inner is to else replace(kind, to=inner)
            case _:
                return kind

    def _number(self, length: t.Expr) -> int | None:
        def number(node: Node) -> Node | None:
            if not isinstance(node, t.Name) or node.symbol not in self.numbers:
                return None
            value = self.numbers[node.symbol]
            return t.Cast(ty.unqualified(node.type), node.loc, t.IntConst(ty.LONG, node.loc, value, str(value)))

        found = constant_value(rewritten(length, number))
        return found if found is not None and found > 0 else None

    def symbols(self, own: list[t.Symbol]) -> dict[t.Symbol, t.Symbol]:
        """The variables of code that get other types."""
        found: dict[t.Symbol, t.Symbol] = {}
        for symbol in own:
            kind = self.type(symbol.type)
            written = None if symbol.written is None else self.type(symbol.written)
            if kind is not symbol.type:
                found[symbol] = replace(symbol, type=kind, written=written)
        return found

    def changes_in(self, code: t.Stmt) -> bool:
        return any(isinstance(node, t.Cast) and self.type(node.type) is not node.type for node in nodes(code))

    def of(self, code: Code, symbols: Mapping[t.Symbol, t.Symbol]) -> Code:
        """`code` with other types of what it declares, and of all that is made of that."""

        def change(node: Node) -> Node | None:
            match node:
                case t.Sizeof(of=of):
                    kind = self.type(of)
                    return node if kind is of else replace(node, of=kind)
                case t.Name(symbol=symbol):
                    return replace(node, type=symbol.type) if symbol in known else None
                case t.Expr() if ty.is_variably_modified(node.type):
                    made = rebuilt(node, change)
                    return replace(made, type=self.type(node.type))
                case _:
                    return None

        known = frozenset(symbols.values())
        return rewritten(with_symbols(code, symbols), change)
