"""Analysis: variables and parameters that are one number whenever a function of the program runs.

    static int pad;                                          main sets it to 33, for good
    static void fft(int n, double x[n][pad]) { stage(n, pad, x); }
    static void stage(int n, int width, double x[n][width])  width is 33, since all calls say so

    In: a unit with what its functions call, the whole program.   Out: the numbers in a function, by symbols.
    Not here: what the program has settled -- settled.py; with what a function is called -- contexts.py.
    Source: interprocedural constant propagation (Callahan, Cooper, Kennedy, Torczon, CC 1986).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ompc.analysis.privatisation.inspection.contexts import Contexts, internal_functions
from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigned_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node


class SettledArguments:
    """The questions about the functions of one unit."""

    def __init__(self, unit: t.Unit, program: WholeProgram | None) -> None:
        self._unit, self._program = unit, program
        self._found: dict[str, Mapping[t.Symbol, int]] = {}

    def numbers(self, name: str) -> Mapping[t.Symbol, int]:
        """The numbers that variables of file scope, and parameters, are in the function, which changes none."""
        if name not in self._found:
            function = self._unit.functions.get(name)
            known = self._program is not None and function is not None and function.body is not None
            self._found[name] = self._numbers(function, self._program) if known and function and self._program else {}
        return self._found[name]

    @cached_property
    def _internal(self) -> frozenset[str]:
        return internal_functions(self._unit, self._program)

    def _numbers(self, function: t.Function, program: WholeProgram) -> Mapping[t.Symbol, int]:
        settled = program.settled(self._unit, function.symbol)
        found = settled.numbers
        assigned = assigned_in(function.body or t.Block(function.symbol.loc, ()))
        contexts = Contexts(self._unit.functions, self._internal, settled).of(function)
        for at, parameter in enumerate(function.params):
            if parameter in assigned or parameter.address_taken or not _is_plain(parameter.type):
                continue
            values = {_value(args[at], parameter, found) for args in contexts}
            if len(values) == 1 and (value := values.pop()) is not None:
                found[parameter] = value
        return found


def _is_plain(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Int) and not kind.quals & {"volatile", "_Atomic"}


def _value(arg: t.Expr | None, parameter: t.Symbol, numbers: Mapping[t.Symbol, int]) -> int | None:
    """What the parameter is where the function is called with `arg`."""
    if arg is None:
        return None

    def number(node: Node) -> Node | None:
        if not isinstance(node, t.Name) or node.symbol not in numbers:
            return None
        value = numbers[node.symbol]
        return t.Cast(ty.unqualified(node.type), node.loc, t.IntConst(ty.LONG, node.loc, value, str(value)))

    return constant_value(t.Cast(ty.unqualified(parameter.type), arg.loc, rewritten(arg, number)))
