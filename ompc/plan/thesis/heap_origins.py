"""Plan: which calls of `malloc` and `calloc` does the memory behind a pointer variable come from?

Backwards, flow-insensitive, through assignments of plain variables, arguments and returned values of functions defined
here, casts, pointer arithmetic, `?:` and `realloc`:

    double *vector(int n) { double *v = malloc(n * sizeof *v); return v; }
    void relax(double *u) { ... u[i] ... }                                      u of relax: the call in vector
    int main(void) { double *a = vector(100); relax(a); }

The answer changes where memory is allocated, not what the program does with it, so it need not be exact: a pointer
that is also assigned by code that is not seen here may have an answer that is short of a block.

    In: the unit, a pointer variable.   Out: the calls, or NotSeen with the reason, as one clause of a sentence.
    Not here: pointers in structs and arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import returned
from ompc.ir.queries import variables_given
from ompc.ir.walk import walk

ALLOCATORS = ("malloc", "calloc")
UNSEEN = "memory whose allocation is not seen here"


class NotSeen(Exception):
    """The memory may come from elsewhere, for the reason given."""


class HeapOrigins:
    """What is assigned to each variable of the unit, and returned by each of its functions."""

    def __init__(self, unit: t.Unit) -> None:
        self._values: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self._returned: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        self._functions: Mapping[t.Symbol, t.Function] = {f.symbol: f for f in unit.functions.values()}
        for variable in unit.variables:
            self._collect(variable)
        for function in unit.functions.values():
            if function.body is not None:
                self._collect(function.body)
                self._returned[function.symbol] = list(returned(function.body))

    def calls(self, pointer: t.Symbol) -> frozenset[t.Call]:
        """The calls of ALLOCATORS; at least one. NotSeen: there is none, or there is other memory too."""
        found: set[t.Call] = set()
        seen = {pointer}
        pending = list(self._assigned_to(pointer))
        while pending:
            for origin in self._origins(pending.pop()):
                if isinstance(origin, t.Call):
                    found.add(origin)
                elif origin not in seen:
                    seen.add(origin)
                    pending += self._assigned_to(origin)
        if not found:
            raise NotSeen(UNSEEN)
        return frozenset(found)

    def _collect(self, root: t.Stmt | t.VarDecl) -> None:
        for node in walk(root):
            for symbol, value in variables_given(node, self._functions):
                self._values[symbol].append(value)

    def _assigned_to(self, symbol: t.Symbol) -> list[t.Expr]:
        """What a variable can be given, or a function return."""
        if symbol in self._functions:
            return self._returned[symbol]
        if not isinstance(symbol.type, ty.Pointer):
            raise NotSeen("memory of a declared array")
        if symbol.address_taken:
            raise NotSeen(f"the address of '{symbol.name}' is taken, so it may be given memory elsewhere")
        if symbol.storage is t.Storage.EXTERN or not self._values[symbol]:
            raise NotSeen(UNSEEN)
        return self._values[symbol]

    def _origins(self, expr: t.Expr) -> Iterator[t.Symbol | t.Call]:
        """One step back from a pointer's value: variables, functions that return it, calls that allocate it."""
        match expr:
            case t.IntConst() | t.Cast(operand=t.IntConst()):
                return  # a null pointer
            case t.Name(symbol=symbol):
                yield symbol
            case t.Cast(operand=operand) | t.Unary(op="&", operand=t.Index(base=operand)):
                yield from self._origins(operand)
            case t.Binary(op="+" | "-", left=left, right=right):
                yield from self._origins(left if isinstance(left.type, ty.Pointer) else right)
            case t.Conditional(then=then, other=other):
                yield from self._origins(then)
                yield from self._origins(other)
            case t.Comma(right=value) | t.Assign(op="=", value=value):
                yield from self._origins(value)
            case t.Call(function=t.Name(symbol=symbol), args=args):
                yield from self._from_call(expr, symbol, args)
            case _:
                raise NotSeen(UNSEEN)

    def _from_call(self, call: t.Call, function: t.Symbol, args: tuple[t.Expr, ...]) -> Iterator[t.Symbol | t.Call]:
        if function in self._functions:
            yield function
        elif function.name in ALLOCATORS:
            yield call
        elif function.name == "realloc" and args:
            yield from self._origins(args[0])
        elif function.storage is t.Storage.FUNCTION:
            raise NotSeen(f"memory from {function.name}")
        else:
            raise NotSeen(UNSEEN)
