"""Plan: the arrays and pointers in front of a section of statements from which the pointers of its launches come.

    for (k = 0; k < steps; k++) {
        step(now, next);                launches with its parameters: they come from now and next
        double *old = now;
        now = next;                     next, too
        next = old;                     old comes from now
    }

What stands in a pointer there is what stood in front of the section in one of these. Only copies of pointers are
followed: names, casts, conditions, arguments of calls. A local pointer without a value in front of the section adds
none, since a program may not use that. A variable of the program's has a name in the section's file if that declares
it, whichever file's function gives it a value.

    In: HostFlow, a Section, the Program, the section's unit.   Out: Roots.of(symbol, function), None: not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ompc.analysis.host.host_objects import Program
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declarations_in, declared_in, values_given, variables_of
from ompc.plan.plain.host_flow import HostFlow, Section

_OF_PROGRAM = (t.Storage.GLOBAL, t.Storage.EXTERN)
_AT_FILE_SCOPE = (*_OF_PROGRAM, t.Storage.FILE_STATIC)


class _Unknown(Exception):
    """A value that is no copy of a pointer."""


class Roots:
    """Answers for one section."""

    def __init__(self, flow: HostFlow, section: Section, program: Program, unit: t.Unit) -> None:
        function = section.function
        self._flow, self._section, self._program, self._unit = flow, section, program, unit
        self._inside = frozenset(s for statement in section.statements for s in declared_in(statement))
        self._names = {symbol.name: symbol for symbol in (*variables_of(function), *function.params)}
        self._called = flow.called(section.code, section.span)
        self._places: list[tuple[t.Stmt, t.Symbol]]
        self._places = [(statement, function.symbol) for statement in section.statements]
        self._places += [(body, s) for s in self._called if (body := flow.codes[s].function.body) is not None]
        self._declared = {} if function.body is None else {each.symbol: each for each in declarations_in(function.body)}

    def of(self, symbol: t.Symbol, function: t.Symbol) -> frozenset[t.Symbol] | None:
        """Of what the variable of a launch in `function` points to, or is."""
        found: set[t.Symbol] = set()
        try:
            self._add(symbol, function, found, set())
        except _Unknown:
            return None
        return frozenset(found)

    def declared_at(self, root: t.Symbol) -> float:
        """Its place in the function; parameters and variables of the file stand in front of everything."""
        declaration = self._declared.get(root)
        return -inf if declaration is None else self._section.code.places[declaration].begin

    def _add(self, symbol: t.Symbol, function: t.Symbol, found: set[t.Symbol], seen: set[t.Symbol]) -> None:
        if symbol in seen:
            return
        seen.add(symbol)
        if isinstance(symbol.type, ty.Array):
            self._add_root(symbol, found)
            return
        alike = self._program.alike(symbol)
        if not isinstance(symbol.type, ty.Pointer) or any(s.address_taken or "volatile" in s.type.quals for s in alike):
            raise _Unknown
        for value, place in self._values(symbol, function, found):
            self._add_value(value, place, found, seen)

    def _values(
        self, symbol: t.Symbol, function: t.Symbol, found: set[t.Symbol]
    ) -> Iterator[tuple[t.Expr | None, t.Symbol]]:
        """What it is given while the section runs, and in which function; the symbol itself is added to the roots."""
        own = self._section.function
        if not symbol.is_automatic:
            self._add_root(symbol, found)
            for root, place in self._places:
                alike = self._program.alike(symbol)
                yield from ((value, place) for one in alike for value in values_given(root, one))
        elif function is own.symbol:
            if symbol not in self._inside and self._has_value(symbol):
                self._add_root(symbol, found)
            for statement in self._section.statements:
                yield from ((value, function) for value in values_given(statement, symbol))
        else:
            callee = self._flow.codes[function].function
            assert callee.body is not None
            yield from ((value, function) for value in values_given(callee.body, symbol))
            if symbol in callee.params:
                yield from self._arguments(callee, callee.params.index(symbol))

    def _arguments(self, callee: t.Function, at: int) -> Iterator[tuple[t.Expr | None, t.Symbol]]:
        if callee.symbol in self._flow.called_back:
            raise _Unknown
        for caller, code in self._flow.codes.items():
            is_own = code is self._section.code
            for place, call, seen, _ in code.calls if is_own or caller in self._called else ():
                if callee in seen and (not is_own or self._section.span.holds(place)):
                    yield (call.args[at] if at < len(call.args) else None), caller

    def _add_value(self, value: t.Expr | None, function: t.Symbol, found: set[t.Symbol], seen: set[t.Symbol]) -> None:
        match value:
            case t.IntConst(value=0):
                pass
            case t.Name(symbol=symbol):
                self._add(symbol, function, found, seen)
            case t.Cast(type=ty.Pointer(), operand=operand):
                self._add_value(operand, function, found, seen)
            case t.Conditional(then=then, other=other):
                self._add_value(then, function, found, seen)
                self._add_value(other, function, found, seen)
            case _:
                raise _Unknown

    def _add_root(self, symbol: t.Symbol, found: set[t.Symbol]) -> None:
        """If it has its name in front of the section."""
        if symbol.storage in _OF_PROGRAM:
            alike = set(self._program.alike(symbol))
            here = self._unit.linked.get(symbol.name)
            if here not in alike:
                raise _Unknown
            symbol = here
        elif symbol.storage is t.Storage.FILE_STATIC and symbol not in self._unit.linked.values():
            raise _Unknown
        own = self._declared.get(symbol) is not None or symbol in self._section.function.params
        is_visible = own if symbol.function is not None else symbol.storage in _AT_FILE_SCOPE
        if not is_visible or symbol in self._inside or self._names.get(symbol.name, symbol) is not symbol:
            raise _Unknown
        found.add(symbol)

    def _has_value(self, symbol: t.Symbol) -> bool:
        """Is the pointer's value in front of the section one? Raises _Unknown."""
        declaration = self._declared.get(symbol)
        if declaration is None or declaration.init is not None:
            return True
        if any(_gives(statement, symbol) for statement in self._section.before):
            return True
        body = self._section.function.body
        assert body is not None
        if len(values_given(body, symbol)) > sum(len(values_given(s, symbol)) for s in self._section.statements):
            raise _Unknown
        return False


def _gives(statement: t.Stmt, symbol: t.Symbol) -> bool:
    match statement:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=target))):
            return target is symbol
        case _:
            return False


