"""Reading OpenMPC's pragmas and ompc's: `#pragma cuda gpurun threadblocksize(64) constant(w)`, `#pragma ompc rows(8)`.

In: the pragma's text on one line.   Out: a `Directive` of Kind.OWN, "cuda gpurun" or "ompc", its clauses up to the
first that cannot be read, and what is wrong with that one (OMPC357).
Not here: what they ask of which loop, and which numbers are allowed -- omp/wishes.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.base.diagnostics import Reason
from ompc.base.tuning import KNOBS
from ompc.ir.directive import Clause, Directive, Kind, ListItem
from ompc.ir.tree import OpaqueExpr, Pragma
from ompc.omp.reading.clause_text import ClauseText, MalformedError, scan_clauses, split_top_level
from ompc.sema.expressions import parse_expression

_NUMBERED = frozenset({"threadblocksize", "maxnumofblocks"})
_LISTS = frozenset({"constant", "noconstant"})


def read_own(text: str, pragma: Pragma) -> Directive:
    """`text` begins with `cuda` or `ompc`."""
    if text.startswith("ompc"):
        return _read("ompc", text.removeprefix("ompc"), _tuning_clause, pragma)
    name, _, tail = text.removeprefix("cuda").lstrip().partition(" ")
    return _read(f"cuda {name}", tail if name == "gpurun" else "", _openmpc_clause, pragma)


def _read(name: str, tail: str, read: Callable[[ClauseText, Pragma], Clause], pragma: Pragma) -> Directive:
    clauses: list[Clause] = []
    problem = None
    try:
        for clause in scan_clauses(tail):
            found = read(clause, pragma)
            clauses.append(found)
    except MalformedError as error:
        problem = Reason("OMPC357", str(error), pragma.loc)
    return Directive(Kind.OWN, name, tuple(clauses), pragma.loc, problem)


def _tuning_clause(text: ClauseText, pragma: Pragma) -> Clause:
    """`block(64, 4)`. Raises MalformedError."""
    numbers = split_top_level(text.argument or "", ",")
    if text.name not in KNOBS:
        raise MalformedError(f"`{text.name}` is no clause of it")
    if not all(number.isascii() and number.isdecimal() and len(number) < 10 for number in numbers):
        raise MalformedError(f"`{text.name}` takes numbers")
    return Clause(text.name, numbers=tuple(map(int, numbers)))


def _openmpc_clause(text: ClauseText, pragma: Pragma) -> Clause:
    """A clause of `gpurun`, whose name may be written in capitals. Raises MalformedError."""
    name, argument = text.name.lower(), text.argument or ""
    if name in _NUMBERED:
        expr = parse_expression(argument, pragma.scope, pragma.loc)
        return Clause(name, expr=None if isinstance(expr, OpaqueExpr) else expr, text=text.name)
    if name not in _LISTS:
        return Clause(name, text=text.name)
    items = split_top_level(argument, ",")
    unknown = [item for item in items if item not in pragma.scope]
    if unknown:
        raise MalformedError(f"`{unknown[0]}` in `{text.name}` is no variable here")
    return Clause(name, listed=tuple(ListItem(item, pragma.scope[item]) for item in items), text=text.name)
