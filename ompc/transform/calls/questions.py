"""Questions about threads by other names: functions that only say which thread runs, or how many there are.

    int my_number(void)                               int me = my_number() + last();
    {
        int number;                             ->    int me = omp_get_thread_num() + (omp_get_num_threads() - 1);
        number = omp_get_thread_num();
        return number;
    }
    int last() { return omp_get_num_threads() - 1; }

Libraries have such functions so that they can be built without OpenMP. Where such a question is asked, the thread has
the same answer as the function that it calls, since nothing is between them that makes threads. So a call becomes what
the function returns, before loops are listed; later stages know OpenMP's own questions alone.

The function gives values to variables of its own, one after the other, and returns an expression of them, of OpenMP's
questions, of constants and of other such functions. It has no parameters. It may be another file's: one that the linker
takes for certain, and that is declared here as it is defined. One whose place another may take (`weak`, `declare
variant`) has no body here (sema/analyse.py).

In: a file's tree, the units of the program's other files.   Out: the tree without such calls; the functions that other
files may define so.
Not here: functions with parameters and conditions, whose values are bounds like any other -- plan/mapping/divided.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes, statements_in
from ompc.ir.rewrite import rewritten, with_bodies
from ompc.ir.walk import Node
from ompc.omp.constructs import forks_team, openmp
from ompc.omp.uses import QUESTIONS
from ompc.sema.imports import external_definitions

_ARITHMETIC = frozenset("+ - *".split())

_Definition = tuple[t.Function, t.Unit]


def with_questions(unit: t.Unit, others: Sequence[t.Unit] = ()) -> t.Unit:
    """`unit` with OpenMP's questions in the place of functions that only pass them on."""
    asked = _asked_in(unit)
    found = _Answers(unit, others).found(asked) if asked else {}
    if not found:
        return unit

    def is_asked(node: Node) -> bool:
        return _asked(node) in found

    def change(node: Node) -> Node | None:
        name = _asked(node)
        answer = found.get(name) if name is not None else None
        return answer(node.loc) if answer is not None and isinstance(node, t.Call) else None

    return with_bodies(unit, is_asked, lambda body: rewritten(body, change))


def asks_by(unit: t.Unit, others: Sequence[t.Unit]) -> bool:
    """Does `unit` ask such questions by functions that `others` define?"""
    calls = {name: call for name, call in _asked_in(unit).items() if name not in unit.functions}
    return bool(calls) and bool(_Answers(unit, others).found(calls))


def asked_elsewhere(unit: t.Unit) -> tuple[str, ...]:
    """The functions that threads of its regions call as questions are called, and that the unit does not define."""
    bodies = (function.body for function in unit.functions.values() if function.body is not None)
    regions = (node for body in bodies for node in statements_in(body) if isinstance(node, t.Pragma))
    teams = (node for node in regions if (directive := openmp(node)) is not None and forks_team(directive))
    asked = (name for team in teams for node in nodes(team) if (name := _asked(node)) is not None)
    return tuple(dict.fromkeys(name for name in asked if name not in QUESTIONS and name not in unit.functions))


def _asked(node: Node) -> str | None:
    match node:
        case t.Call(function=t.Name(symbol=symbol), args=(), type=ty.Int()) if not symbol.varies:
            return symbol.name
        case _:
            return None


def _asked_in(unit: t.Unit) -> Mapping[str, t.Call]:
    """The functions of the program that are called so, each with a call."""
    bodies = (function.body for function in unit.functions.values() if function.body is not None)
    calls = (node for body in bodies for node in nodes(body) if isinstance(node, t.Call))
    return {name: call for call in calls if (name := _asked(call)) is not None and name not in QUESTIONS}


_Answer = Callable[[Location], t.Expr]
"""What is asked at a place."""


class _Answers:
    """Of the functions that `unit` calls."""

    def __init__(self, unit: t.Unit, others: Sequence[t.Unit]) -> None:
        self._unit = unit
        self._defined = external_definitions(others)
        self._defines_questions = any(name in QUESTIONS for each in (unit, *others) for name in each.functions)

    def found(self, calls: Mapping[str, t.Call]) -> dict[str, _Answer]:
        """By name, what functions return that are such questions."""
        if self._defines_questions:
            return {}
        found = {name: self._answer(name, call) for name, call in calls.items()}
        return {name: answer for name, answer in found.items() if answer is not None}

    def _answer(self, name: str, call: t.Call) -> _Answer | None:
        definition = self._definition(name, self._unit)
        value = None if definition is None else self._returned(*definition, ())
        if value is None or ty.unqualified(call.type) != value.type or not _asks(value):
            return None
        return lambda loc: self._here(value, loc)

    def _definition(self, name: str, unit: t.Unit) -> _Definition | None:
        """The function that `unit` means by a name."""
        if name in unit.functions:
            return unit.functions[name], unit
        return None if name in unit.internal else self._defined.get(name)

    def _returned(self, function: t.Function, unit: t.Unit, within: tuple[t.Function, ...]) -> t.Expr | None:
        """What a function returns, if that is all it does. `within`: the functions that are being asked about."""
        kind, body = function.symbol.type, function.body
        if body is None or function.params or function.symbol.varies or any(function is each for each in within):
            return None
        if not isinstance(kind, ty.Function) or not isinstance(kind.returns, ty.Int):
            return None
        known: dict[t.Symbol, t.Expr] = {}

        def value(expr: t.Expr, of: ty.Type) -> t.Expr | None:
            made = self._value(expr, known, unit, (*within, function))
            return None if made is None else _converted(made, ty.unqualified(of))

        *steps, last = list(_in_order(body)) or [t.Empty(function.symbol.loc)]
        for step in steps:
            given = _given(step)
            if given is None:
                return None
            symbol, expr = given
            made = value(expr, symbol.type) if _is_own(symbol) else None
            if made is None:
                return None
            known[symbol] = made
        return value(last.value, kind.returns) if isinstance(last, t.Return) and last.value is not None else None

    def _value(
        self, expr: t.Expr, known: Mapping[t.Symbol, t.Expr], unit: t.Unit, within: tuple[t.Function, ...]
    ) -> t.Expr | None:
        """An expression in words of OpenMP's questions alone."""
        if not isinstance(expr.type, ty.Int):
            return None
        match expr:
            case t.IntConst(value=number):
                return replace(expr, text=str(number)) if expr.text.isidentifier() else expr
            case t.Name(symbol=symbol):
                return known.get(symbol)
            case t.Cast(type=kind, operand=operand):
                made = self._value(operand, known, unit, within)
                return None if made is None else _converted(made, ty.unqualified(kind))
            case t.Binary(op=op, left=left, right=right) if op in _ARITHMETIC:
                first, second = (self._value(each, known, unit, within) for each in (left, right))
                return None if first is None or second is None else replace(expr, left=first, right=second)
            case t.Call(function=t.Name(symbol=symbol), args=()) if symbol.name in QUESTIONS:
                return expr
            case t.Call(function=t.Name(symbol=symbol), args=()) if not symbol.varies:
                definition = self._definition(symbol.name, unit)
                made = None if definition is None else self._returned(*definition, within)
                return made if made is not None and made.type == ty.unqualified(expr.type) else None
            case _:
                return None

    def _here(self, value: t.Expr, loc: Location) -> t.Expr:
        """A copy of the expression for a place in the unit, which declares the questions itself, or gets them."""
        match value:
            case t.Call(function=t.Name(symbol=symbol) as called):
                own = self._unit.linked.get(symbol.name, symbol)
                return replace(value, loc=loc, named=None, function=replace(called, loc=loc, named=None, symbol=own))
            case t.Cast(operand=operand):
                return replace(value, loc=loc, named=None, operand=self._here(operand, loc))
            case t.Binary(left=left, right=right):
                return replace(value, loc=loc, named=None, left=self._here(left, loc), right=self._here(right, loc))
            case _:
                return replace(value, loc=loc, named=None)


def _in_order(code: t.Stmt) -> Iterator[t.Stmt | t.VarDecl]:
    """The statements and declarations of which it is made, blocks apart."""
    match code:
        case t.Block(items=items):
            for item in items:
                yield from _in_order(item)
        case t.DeclStmt(decls=decls):
            yield from (decl for decl in decls if decl.init is not None or not _is_own(decl.symbol))
        case t.Empty():
            return
        case _:
            yield code


def _given(step: t.Stmt | t.VarDecl) -> tuple[t.Symbol, t.Expr] | None:
    """The variable that a step gives a value, and the value; None: it does something else."""
    match step:
        case t.VarDecl(symbol=symbol, init=t.Expr() as value):
            return symbol, value
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
            return symbol, value
        case _:
            return None


def _is_own(symbol: t.Symbol) -> bool:
    kind = symbol.type
    return symbol.is_automatic and isinstance(kind, ty.Int) and not kind.quals & {"volatile", "_Atomic"}


def _converted(value: t.Expr, kind: ty.Type) -> t.Expr:
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)


def _asks(value: t.Expr) -> bool:
    return any(isinstance(node, t.Call) for node in nodes(value))
