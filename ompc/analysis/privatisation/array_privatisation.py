"""Analysis: array privatisation: objects of each thread of which every part is written before it is read.

    double t[5];                        of each thread of the team
    #pragma omp for
    for (...) { solution(i, t);  for (m...) u[i][m] = t[m]; }       privatisable: private to the iteration

What the loop leaves there must not be wanted either. Of an object of a block, only the code of its block can read it;
a threadprivate or thread-local one keeps its value from region to region, so that no function of the file may read what
it has not written itself. One that other files can name is privatisable where the same is proved of every function of
the program, of which every file must be known then (whole_program.py).

    In: a loop of a team, the unit, the program, the object.   Out: yes or no.   Source: OpenMP 5.2, 5.2, threadprivate.
    Not here: whole scalars of a block -- team_private.py; what code reads -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ompc.analysis.flow.liveness import object_read_after
from ompc.analysis.privatisation.concurrent_context import Bodies, ConcurrentContext, private_in
from ompc.analysis.privatisation.element_sets import Found as Exposed
from ompc.analysis.privatisation.element_sets import Use
from ompc.analysis.privatisation.inspection.inspectors import Found, Inspectors
from ompc.analysis.privatisation.settled import NOTHING, Settled
from ompc.analysis.privatisation.upward_exposed import use_of
from ompc.analysis.privatisation.whole_program import Least, WholeProgram
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declared_in, nodes, read_for_lengths, symbols_in
from ompc.ir.walk import Node, children
from ompc.omp.constructs import forks_team
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import named_in_clauses

_OF_THE_FILE = (t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC)
_COMPOUND = (t.Block, t.If, t.For, t.While, t.DoWhile)
_OF_THE_PROGRAM = (t.Storage.GLOBAL, t.Storage.EXTERN)


_NONE_NEEDED: Least = frozenset()
_ANEW = "starts anew"


class PrivatisableObjects:
    """The questions about the loops of one unit; most pieces of code are asked about more than once."""

    def __init__(self, unit: t.Unit, program: WholeProgram | None = None) -> None:
        self._unit = unit
        self._program = program
        self._bodies = Bodies(unit.functions)
        self._around: dict[tuple[t.Stmt, frozenset[t.Symbol]], ConcurrentContext] = {}
        self._settled_in: dict[str, Settled] = {}
        self._uses: dict[tuple[Node, t.Symbol, ConcurrentContext], Exposed] = {}
        self._own: dict[tuple[Node, t.Symbol, ConcurrentContext], Least | None] = {}
        self._inspectors = Inspectors(unit, program)

    @property
    def functions(self) -> Mapping[str, t.Function]:
        """Those of the unit."""
        return self._unit.functions

    def privatisable(self, loop: ParallelLoop, symbol: t.Symbol) -> Least | None:
        """On which least values it depends that `symbol`, of which each thread of the loop's team has one, is only
        private to one iteration of the loop; None: it is more than that.
        """
        assert loop.body is not None
        if ty.is_variably_modified(symbol.type) or ty.has_pointers(symbol.type):
            return None
        code = loop.loops[0].statement if loop.team is None else loop.team.code
        around = self._code_around(code, _of_each_thread(loop), self.settled(loop.function))
        least = self._own_values(loop.body, symbol, around)
        if least is None:
            return None
        behind: Least | None = _NONE_NEEDED
        if loop.team is not None:
            if self._use(code, symbol, around).use is Use.UNKNOWN:
                return None
            behind = _not_read_after(code, loop, symbol, lambda part: self._own_values(part, symbol, around))
        kept = self._never_kept(loop, symbol) if _is_kept(symbol) else _NONE_NEEDED
        return _all((least, behind, kept))

    def inspected(self, loop: ParallelLoop, symbols: Sequence[t.Symbol]) -> Found | None:
        """What an inspector is to find so that all of `symbols`, which are kept from region to region or are arrays of
        the region around the loop, are only private to an iteration of it.
        """
        if not symbols:
            return None
        ask = self._inspectors.of if all(map(_is_kept, symbols)) else self._inspectors.of_region
        return ask(loop, symbols, self.settled(loop.function))

    def only_in_region(self, loop: ParallelLoop, symbol: t.Symbol) -> bool:
        """Is the region around the loop all that names `symbol`?

        From one region to the next each thread then has what it has left there, if they are as many: else OpenMP says
        nothing about what it has (5.2, 5.2).
        """
        if loop.team is None or loop.team.region is None or symbol.address_taken:
            return False
        if symbol.storage not in (*_OF_THE_FILE, t.Storage.THREAD):
            return False
        if any(symbol in read_for_lengths(function) for function in self._unit.functions.values()):
            return False
        bodies = [f.body for f in self._unit.functions.values() if f.body is not None and symbol in symbols_in(f.body)]
        inside = {*nodes(loop.team.code)}
        named = (node for body in bodies for node in nodes(body) if isinstance(node, t.Name) and node.symbol is symbol)
        return all(node in inside for node in named)

    def _never_kept(self, loop: ParallelLoop, symbol: t.Symbol) -> Least | None:
        """Does no function of the program read what another one, or an earlier call, has left in `symbol`?"""
        functions = self._unit.functions
        in_function = symbol.storage is t.Storage.THREAD and symbol.function is not None
        if symbol.storage in _OF_THE_FILE or in_function:
            return _all(self._starts_anew(loop, function, symbol) for function in functions.values())
        if symbol.storage not in _OF_THE_PROGRAM or self._program is None or loop.function not in functions:
            return None
        behind = self._not_read_behind(loop, functions[loop.function], symbol)
        return None if behind is None else _all((behind, self._program.everywhere(symbol.name, _ANEW, _all_anew)))

    def _starts_anew(self, loop: ParallelLoop | None, function: t.Function, symbol: t.Symbol) -> Least | None:
        """Does a call of `function` read only what it has written of `symbol` itself, and nothing after `loop`?"""
        body = function.body
        if symbol in read_for_lengths(function):
            return None
        if body is None or symbol not in symbols_in(body):
            return None if body is None else _NONE_NEEDED
        if symbol in named_in_clauses(body, None if loop is None else loop.pragma):
            return None
        least = self._reads_own(body, symbol, self._around_body(function, body))
        if least is None or loop is None or function.name != loop.function:
            return least
        return _all((least, self._not_read_behind(loop, function, symbol)))

    def _not_read_behind(self, loop: ParallelLoop, function: t.Function, symbol: t.Symbol) -> Least | None:
        """Does the rest of the loop's function read nothing that the loop has left in `symbol`?"""
        if function.body is None:
            return None
        around = self._around_body(function, function.body)
        return _not_read_after(function.body, loop, symbol, lambda part: self._reads_own(part, symbol, around))

    def _around_body(self, function: t.Function, body: t.Stmt) -> ConcurrentContext:
        return self._code_around(body, frozenset(function.params), self.settled(function.name))

    def all_start_anew(self, functions: Mapping[str, t.Function], symbol: t.Symbol) -> Least | None:
        """Is that so of each of these functions of the unit?"""
        return _all(self._starts_anew(None, function, symbol) for function in functions.values())

    def _reads_own(self, piece: Node, symbol: t.Symbol, around: ConcurrentContext) -> Least | None:
        """Does `piece` of a function read nothing of `symbol` that was there before?

        Around a region of the function is nothing but the region's own code: more is steady there.
        """
        key = (piece, symbol, around)
        if key not in self._own:
            self._own[key] = self._find_own(piece, symbol, around)
        return self._own[key]

    def _find_own(self, piece: Node, symbol: t.Symbol, around: ConcurrentContext) -> Least | None:
        if not isinstance(piece, (t.Stmt, t.Expr)):
            return self._own_values(piece, symbol, around)
        if symbol not in symbols_in(piece):
            return _NONE_NEEDED
        if isinstance(piece, _COMPOUND):  # less to look at, where one part is all that counts
            parts = [part for part in children(piece) if symbol in symbols_in(part)]
            if len(parts) == 1 and (found := self._reads_own(parts[0], symbol, around)) is not None:
                return found
        if isinstance(piece, t.Pragma) and forks_team(piece.directive) and piece.body is not None:
            inside = self._code_around(piece.body, private_in(piece), around.settled)
            return self._own_values(piece, symbol, inside)
        found = self._own_values(piece, symbol, around)
        if found is None and isinstance(piece, _COMPOUND):
            return _all(self._reads_own(part, symbol, around) for part in children(piece))
        return found

    def settled(self, name: str) -> Settled:
        """What the program only reads while this function of the unit runs."""
        if name not in self._settled_in:
            function, found = self._unit.functions.get(name), NOTHING
            if self._program is not None and function is not None:
                found = self._program.settled(self._unit, function.symbol)
            self._settled_in[name] = found
        return self._settled_in[name]

    def _code_around(self, code: t.Stmt, own: frozenset[t.Symbol], settled: Settled) -> ConcurrentContext:
        if (code, own) not in self._around:
            self._around[code, own] = ConcurrentContext.of(code, self._bodies, own, settled)
        return self._around[code, own]

    def _own_values(self, code: Node, symbol: t.Symbol, around: ConcurrentContext) -> Least | None:
        found = self._use(code, symbol, around)
        return found.least if found.use is Use.OWN_VALUES else None

    def _use(self, code: Node, symbol: t.Symbol, around: ConcurrentContext) -> Exposed:
        key = (code, symbol, around)
        if key not in self._uses:
            self._uses[key] = use_of(*key)
        return self._uses[key]


def _all(answers: Iterable[Least | None]) -> Least | None:
    """On what all of it depends; None: one of them is not so."""
    found = _NONE_NEEDED
    for answer in answers:
        if answer is None:
            return None
        found |= answer
    return found


def _not_read_after(
    code: t.Stmt, loop: ParallelLoop, symbol: t.Symbol, reads_own: Callable[[Node], Least | None]
) -> Least | None:
    """Does what may run after the loop, in `code`, read nothing that the loop has left?"""
    answers: list[Least | None] = []

    def reads(part: Node) -> bool:
        answers.append(reads_own(part))
        return answers[-1] is None

    return None if object_read_after(code, loop.pragma, symbol, reads) else _all(answers)


def _all_anew(
    program: WholeProgram, unit: t.Unit, functions: Mapping[str, t.Function], symbol: t.Symbol
) -> Least | None:
    """Of a unit that declares an object of another file's; there it must be each thread's own, too."""
    return PrivatisableObjects(unit, program).all_start_anew(functions, symbol) if symbol.threadprivate else None


def _is_kept(symbol: t.Symbol) -> bool:
    """Does it keep its value when the code around the loop ends?"""
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD


def _of_each_thread(loop: ParallelLoop) -> frozenset[t.Symbol]:
    of_team = frozenset[t.Symbol]() if loop.team is None else loop.team.private
    inside = frozenset[t.Symbol]() if loop.body is None else declared_in(loop.body)  # of inlined functions, too
    return (
        of_team | inside | {s for s, how in loop.sharing.items() if not how.one_for_all} | {n.var for n in loop.loops}
    )
