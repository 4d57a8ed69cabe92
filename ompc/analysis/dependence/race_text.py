"""Analysis: a race in words: which iterations, which element, which lines, and what would cure it.

iterations i = 1 and i = 2 of this loop both access 'a[1]' (written at line 7, read at line 7)     OMPC202
iterations i = 0 and i = 1 of this loop both access 'sum' (read and written at line 9)             OMPC203
  help: add reduction(+:sum)

In: a Race.   Out: the Diagnostic for the user, and the Reason why the loop stays on the host.
Not here: whether there is a race -- races.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.dependence.races import Race
from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.must_execute import MustAccess
from ompc.analysis.reductions.accumulation import accumulations
from ompc.base.diagnostics import Diagnostic, Kind, Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import names_in
from ompc.ir.walk import walk
from ompc.sema.as_written import as_written

_OPERATORS = ("+", "*", "min", "max", "&&", "||", "&", "|", "^")


def warning_of(race: Race, unit: t.Unit) -> Diagnostic:
    """The whole message: the two iterations, what each does and where, the cure."""
    message = f"{_message(race)}; the loop stays on the host"
    notes = () if _is_variable(race) else (_note(race, race.one, race.first), _note(race, race.other, race.second))
    return Diagnostic(_code(race), Kind.WARNING, message, race.loop.loc, notes, _cure(race, unit))


def reason_of(race: Race) -> Reason:
    return Reason(_code(race), _message(race), race.first.node.loc)


def reason_in_order(race: Race) -> Reason:
    """Of a conflict that is no race: the program may rely on the order."""
    return Reason(
        "OMPC355", f"the schedule lets iterations depend on earlier ones: {_message(race)}", race.first.node.loc
    )


def _code(race: Race) -> str:
    return "OMPC203" if _is_variable(race) else "OMPC202"


def _is_variable(race: Race) -> bool:
    """Is it one variable that the threads share, rather than an element of something larger?"""
    return not race.first.base.pointee and not race.first.path


def _message(race: Race) -> str:
    example = " and ".join(f"{name} = {value}" for name, value in race.example.items())
    start = f"with {example}, iterations" if example else "iterations"
    one, other = _iteration(race, race.one), _iteration(race, race.other)
    return f"{start} {one} and {other} of this loop both access '{_element(race)}' ({_places(race)})"


def _note(race: Race, values: Sequence[str], access: MustAccess) -> str:
    does = "reads and writes" if access.reads and access.writes else "writes" if access.writes else "reads"
    what = f"iteration {_iteration(race, values)} {does} '{_element(race)}'"
    return f"{what}{_at(race, access)}: {as_written(access.node)}"


def _iteration(race: Race, values: Sequence[str]) -> str:
    names = [loop.var.name for loop in race.loop.loops]
    if any(loop.pointer is not None for loop in race.loop.loops):
        return f"number {', '.join(values)}"  # the variable that counts them is not the user's
    if len(names) == 1:
        return f"{names[0]} = {values[0]}"
    return f"({', '.join(names)}) = ({', '.join(values)})"


def _element(race: Race) -> str:
    values = iter(race.element)
    steps = [f".{step}" if isinstance(step, str) else f"[{next(values)}]" for step in race.first.path]
    return race.first.base.symbol.name + "".join(steps)


def _places(race: Race) -> str:
    first, second = _verb(race.first) + _at(race, race.first), _verb(race.second) + _at(race, race.second)
    return first if first == second else f"{first}, {second}"


def _verb(access: MustAccess) -> str:
    return "read and written" if access.reads and access.writes else "written" if access.writes else "read"


def _at(race: Race, access: MustAccess) -> str:
    loc = access.node.loc
    return f" at line {loc.line}" if loc.file == race.loop.loc.file else f" at {loc.file}:{loc.line}"


# ------------------------------------------------------------------------ the cure


def _cure(race: Race, unit: t.Unit) -> str:
    if _is_variable(race):
        return _cure_of_variable(race, race.first.base.symbol, unit)
    update = all(access.reads and access.writes for access in (race.first, race.second))
    if update:
        return "protect the update with `#pragma omp atomic`, or make it a reduction"
    if race.first.writes and race.second.writes:
        return "what remains depends on which iteration comes last; without the directive it is always the same one"
    return "iterations that use each other's elements have an order: without the directive they run in it"


def _cure_of_variable(race: Race, symbol: t.Symbol, unit: t.Unit) -> str:
    body = race.loop.body
    assert body is not None
    name = symbol.name
    if symbol.storage is t.Storage.LOCAL_STATIC and any(_declares(node, symbol) for node in walk(body)):
        return f"declare '{name}' without `static`, so that each iteration has its own"
    if any(_counts(node, symbol) for node in walk(body)):
        return f"add private({name}), or declare it in the inner loop: for (int {name} = ..."
    mentions = set(names_in(body).get(symbol, ()))
    if ty.is_arithmetic(symbol.type):
        device_code = DeviceCode(race.loop, ())
        for operator in _OPERATORS:
            if mentions == set(accumulations(body, symbol, operator, device_code)):
                return f"add reduction({operator}:{name})"
    if symbol not in exposed_reads(body):
        if _is_named_later(race, symbol, unit):
            return f"add lastprivate({name}): it is used behind the loop, and keeps the last iteration's value"
        return f"add private({name}) or declare it in the loop; lastprivate({name}) keeps the last iteration's value"
    if _steps_evenly(body, symbol):
        return f"compute '{name}' from the loop's variable, so that iterations do not wait for each other's value"
    return f"give each iteration a '{name}' of its own, or protect all accesses with one `#pragma omp critical`"


def _declares(node: object, symbol: t.Symbol) -> bool:
    return isinstance(node, t.VarDecl) and node.symbol is symbol


def _is_named_later(race: Race, symbol: t.Symbol, unit: t.Unit) -> bool:
    """Does the function name the variable behind the loop?"""
    function = unit.functions.get(race.loop.function)
    if function is None or function.body is None or race.loop.body is None:
        return False
    own = set(walk(race.loop.body))
    nodes = list(walk(function.body))
    last = max((place for place, node in enumerate(nodes) if node in own), default=len(nodes))
    return any(isinstance(node, t.Name) and node.symbol is symbol for node in nodes[last + 1 :])


def _counts(node: object, symbol: t.Symbol) -> bool:
    """Is `node` a loop that counts with the variable?"""
    match node:
        case t.For(init=t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=counter)))):
            return counter is symbol
        case _:
            return False


def _steps_evenly(body: t.Stmt, symbol: t.Symbol) -> bool:
    """Is all that changes the variable `k++`, `k += 2` and the like?"""
    for node in walk(body):
        match node:
            case t.IncDec(operand=t.Name(symbol=changed)) if changed is symbol:
                return True
            case t.Assign(op="+=" | "-=", target=t.Name(symbol=changed), value=value) if changed is symbol:
                return constant_value(value) is not None
            case _:
                pass
    return False
