"""Analysis: which functions may be called at all; the loops of the others need no kernels.

    static void old_sweep(void) { #pragma omp parallel for ... }     named by nothing: its loops stay on the host
    static void sweep(void)     { #pragma omp parallel for ... }     main calls `step`, which calls it
    void step(void)             { sweep(); }

Who names a function may call it: code that may itself be called, and what variables are initialised with. At first
those may be called that other files can name; of a program of several files, all of which are known, only `main`. Where
an attribute may have functions called (`constructor`, `used`), all may be.

    In: units; of which functions nothing is asked.   Out: names of functions.
    Not here: whether a program is whole -- privatisation/whole_program.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir.walk import walk

_CALLING = frozenset({"constructor", "destructor", "used", "retain", "alias", "ifunc", "weakref", "init_array"})
"""Words in attributes with which functions are called that nothing names."""

_KEPT = 1 << 12
"""The functions and initial values of a program of which the names are kept."""

_Place = tuple[int, str]
"""A function: the number of its unit, and its name."""


def uncalled_functions(unit: t.Unit, program: Sequence[t.Unit]) -> frozenset[str]:
    """Those of `unit` that nothing calls; `program`: all units of a whole program, or none."""
    units = program if len(program) > 1 else (unit,)
    if any(any(word.strip("_") in _CALLING for word in each.hidden) for each in units):
        return frozenset()
    is_root: Callable[[t.Unit, str], bool] = _is_main if len(units) > 1 else _is_external
    roots = [(at, name) for at, each in enumerate(units) for name in each.functions if is_root(each, name)]
    called = _called(units, roots)
    at = next(number for number, each in enumerate(units) if each is unit)
    return frozenset(name for name in unit.functions if (at, name) not in called)


def called_functions(unit: t.Unit) -> frozenset[str]:
    """Those of `unit` that may be called: all but inline ones that none of the others, and no variable, names."""
    roots = [(0, name) for name, function in unit.functions.items() if not function.inline]
    return frozenset(name for _, name in _called((unit,), roots))


def _is_main(_: t.Unit, name: str) -> bool:
    return name == "main"


def _is_external(unit: t.Unit, name: str) -> bool:
    return name not in unit.internal


def _called(units: Sequence[t.Unit], roots: Iterable[_Place]) -> set[_Place]:
    """Those to which a path of names leads, from `roots` or from a variable."""
    external = {
        name: (at, name) for at, unit in enumerate(units) for name in unit.functions if name not in unit.internal
    }

    def places(at: int, names: Iterable[str]) -> list[_Place]:
        return [(at, name) if name in units[at].functions else external.get(name, (at, name)) for name in names]

    found = {*roots}
    for at, unit in enumerate(units):
        found.update(place for d in unit.variables if d.init is not None for place in places(at, _named(d.init)))
    waiting = list(found)
    while waiting:
        at, name = waiting.pop()
        function = units[at].functions.get(name)
        body = None if function is None else function.body or function.unread
        new = set() if body is None else {*places(at, _named(body))} - found
        found |= new
        waiting += new
    return found


@lru_cache(maxsize=_KEPT)
def _named(code: t.Stmt | t.Expr) -> frozenset[str]:
    """Trees do not change, and each file of a program asks about the functions of all."""
    found = set[str]()
    for node in walk(code):
        match node:
            case t.Name(symbol=symbol):
                found.add(symbol.name)
            case t.OpaqueExpr(names=names) | t.OpaqueStmt(names=names):
                found |= {symbol.name for symbol in names}
            case _:
                pass
    return frozenset(found)
