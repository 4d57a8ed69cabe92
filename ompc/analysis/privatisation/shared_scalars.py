"""Scalar privatisation: variables that threads share by mistake: every iteration writes them before it reads them.

    int j;                                      j is shared, as no clause says otherwise: threads overwrite each other's
    #pragma omp parallel for                    j, which is a race. Nobody means that: on the device each iteration has
    for (i = 0; i < n; i++)                     its own, as with private(j), and the user is told
        for (j = 0; j < m; j++) a[i][j] = 0;

What a correct program means is not changed: a variable that is privatised is one that no iteration's value reaches
another through. Where it is read behind the loop it has the value of the last iteration, as with lastprivate(j), if
each iteration certainly writes it; if not, it stays shared, and the loop a race. So it is with variables of the file
that are nothing but scratch: every function that reads one has written it before.

    static double t;                            in a header of constants and work variables, as in NAS BT
    #pragma omp parallel for
    for (i = 0; i < n; i++) { t = 1 / u[i]; v[i] = t * t; }

    In: the loops of a unit.   Out: the same with other data-sharing attributes; warnings (OMPC204).
    Not here: what each thread of a region has of its own -- team_private.py; arrays -- array_privatisation.py.
    Source: OpenMP 5.2, 5.1.1 (which variables are shared); Tu and Padua, "Automatic array privatization", LCPC 1993.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from ompc.analysis.eligibility.library_effects import is_library, may_return_again
from ompc.analysis.flow.definite_assignment import flow_of, is_always_assigned
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.flow.team import pragmas_around, team_of
from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in, called, names_in, reached, read_for_lengths, symbols_in, unread_in
from ompc.ir.walk import Node, children, walk
from ompc.omp.constructs import excludes_others
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.uses import named_in_clauses
from ompc.transform.lock_sections import TAKING


def with_private_scalars(
    loops: Iterable[ParallelLoop], unit: t.Unit
) -> tuple[tuple[ParallelLoop, ...], tuple[Diagnostic, ...]]:
    """The loops, each with iterations' own variables instead of shared ones that all of them write first; warnings."""
    found, warnings = list[ParallelLoop](), list[Diagnostic]()
    around = cache(lambda name: pragmas_around(unit.functions[name]))
    scratch = _Scratch(unit)
    for loop in loops:
        own = list(_own(loop, unit.functions[loop.function], around, scratch))
        found.append(_with(loop, own) if own else loop)
        warnings += [_warning(loop, own)] if own and not loop.is_added else []
    return tuple(found), tuple(warnings)


def _own(
    loop: ParallelLoop,
    function: t.Function,
    around: Callable[[str], Mapping[t.Stmt, tuple[t.Pragma, ...]]],
    scratch: _Scratch,
) -> Iterator[tuple[t.Symbol, bool]]:
    """The variables, in the order of their names; and whether the last iteration's value is read behind the loop."""
    if loop.body is None or not loop.loops or loop.host is not None:
        return
    if loop.in_order is not None and not loop.is_added:
        return
    shared = {symbol for symbol, sharing in loop.sharing.items() if sharing is Sharing.SHARED}
    shared = {symbol for symbol in shared & assigned_in(loop.body) if is_plain(symbol) or scratch.of(loop, symbol)}
    if not shared:
        return
    team = team_of(loop, around(function.name).get(loop.loops[0].statement, ()))
    assert function.body is not None
    for symbol in sorted(shared, key=lambda each: each.name):
        # An orphaned loop names the file's variable, whatever clauses the region of its team has (OpenMP 5.2, 5.1.2).
        in_common = not symbol.is_automatic if team is None else team.shares(symbol)
        races = in_common and _races(loop, symbol)
        if not (races or loop.is_added) or not is_written_first(loop, symbol):
            continue
        copied = loop.target is not None and symbol in loop.target.copies  # what the loop leaves in it is lost
        last = not copied and read_after(function.body, loop.pragma, symbol)
        if not last or (is_always_assigned(loop.body, symbol) and symbol.is_automatic):
            yield symbol, last


@dataclass(frozen=True, slots=True)
class _Scratch:
    """The variables of a file of which nobody reads what another call of a function has left."""

    unit: t.Unit

    def of(self, loop: ParallelLoop, symbol: t.Symbol) -> bool:
        """Is it one, and named in no clause?"""
        if symbol.storage is not t.Storage.FILE_STATIC or symbol.threadprivate or not _has_one_name(symbol):
            return False
        functions = self.unit.functions.values()
        bodies = [function.body for function in functions if function.body is not None]
        if loop.target is not None or any(map(unread_in, bodies)):
            return False
        if any(symbol in named_in_clauses(body, None) for body in bodies):
            return False
        if any(symbol in read_for_lengths(function) for function in functions):
            return False
        return all(self._writes_first(body, symbol) for body in bodies if symbol in symbols_in(body))

    def _writes_first(self, body: t.Stmt, symbol: t.Symbol) -> bool:
        """Does a function write it before it reads it, and call nothing that changes it meanwhile?"""
        if symbol in flow_of(body).exposed:
            return False
        inside = reached(body, self.unit.functions)
        return not any(symbol in symbols_in(code) for code in inside[1:]) and all(map(self._calls_known, inside))

    def _calls_known(self, code: t.Stmt) -> bool:
        """Are all functions seen, or the library's, which call none of the program's?"""
        return all(
            isinstance(call.function, t.Name)
            and isinstance(call.function.type, ty.Function)
            and (call.function.symbol.name in self.unit.functions or is_library(call.function.symbol))
            and not may_return_again(call.function.symbol)
            and not any(map(_is_function, call.args))
            for call in _calls(code)
        )


@lru_cache(maxsize=1024)
def _calls(code: t.Stmt) -> tuple[t.Call, ...]:
    return tuple(node for node in walk(code) if isinstance(node, t.Call))


def _is_function(arg: t.Expr) -> bool:
    kind = ty.unqualified(arg.type)
    return isinstance(kind.to if isinstance(kind, ty.Pointer) else kind, ty.Function)


def is_plain(symbol: t.Symbol) -> bool:
    """Is it a scalar of a block to which only its name leads?"""
    return symbol.is_automatic and _has_one_name(symbol)


def _has_one_name(symbol: t.Symbol) -> bool:
    plain = not symbol.address_taken
    return plain and ty.is_scalar(symbol.type) and not symbol.type.quals & {"volatile", "_Atomic"}


def is_written_first(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """By each iteration that reads it, and the loops' own bounds do not read it."""
    assert loop.body is not None
    ends = [end for level in loop.loops for end in (level.lower, level.upper, level.step) if end is not None]
    return symbol not in flow_of(loop.body).exposed and not any(symbol in symbols_in(end) for end in ends)


def _with(loop: ParallelLoop, own: Iterable[tuple[t.Symbol, bool]]) -> ParallelLoop:
    sharing, lasts = dict(loop.sharing), list(loop.lastprivates)
    for symbol, last in own:
        sharing[symbol] = Sharing.LASTPRIVATE if last else Sharing.PRIVATE
        lasts += [symbol] * last
    return replace(loop, sharing=sharing, lastprivates=tuple(lasts))


def _races(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Is an access not protected by a construct that keeps threads apart, or a lock?"""
    assert loop.body is not None
    if not TAKING.keys().isdisjoint(called(loop.body)):
        return False
    names, stack = set(names_in(loop.body).get(symbol, ())), list[Node]([loop.body])
    while stack:
        node = stack.pop()
        if node in names:
            return True
        if not (isinstance(node, t.Pragma) and excludes_others(node.directive)):
            stack += children(node)
    return False


def _warning(loop: ParallelLoop, own: Sequence[tuple[t.Symbol, bool]]) -> Diagnostic:
    *several, last_one = [f"'{symbol.name}'" for symbol, _ in own]
    names = " and ".join(filter(None, (", ".join(several), last_one)))
    shared, them, race = ("is shared", "it", "a race") if len(own) == 1 else ("are shared", "them", "races")
    message = f"{names} {shared}, and each iteration writes {them} before it reads {them}: {race} on the host"
    clauses = {"private": False, "lastprivate": True}
    lists = {clause: ", ".join(s.name for s, last in own if last is wanted) for clause, wanted in clauses.items()}
    cure = " ".join(f"{clause}({names})" for clause, names in lists.items() if names)
    return Diagnostic(
        "OMPC204",
        Kind.WARNING,
        f"{message}; on the device each iteration has its own",
        loop.loc,
        help=f"add {cure}",
    )
