"""Analysis: objects of each thread in which a loop's iterations keep nothing: every part is written before it is read.

    double t[5];                        of each thread of the team
    #pragma omp for
    for (...) { solution(i, t);  for (m...) u[i][m] = t[m]; }       scratch: private to the iteration

What the loop leaves there must not be wanted either. Of an object of a block, only the code of its block can read it;
a threadprivate or thread-local one keeps its value from region to region, so that no function of the file may read what
it has not written itself. One that other files can name is scratch where the same is proved of every function of the
program, of which every file must be known then (whole_program.py).

    In: a loop of a team, the unit, the program, the object.   Out: yes or no.   Source: OpenMP 5.2, 5.2, threadprivate.
    Not here: whole scalars of a block -- team_private.py; what code reads -- overwritten.py.
"""

from __future__ import annotations

from ompc.analysis.element_sets import Use
from ompc.analysis.liveness import object_read_after
from ompc.analysis.overwritten import use_of
from ompc.analysis.surroundings import Around, Bodies, is_region, private_in
from ompc.analysis.whole_program import WholeProgram
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import declared_in, named_in_clauses, nodes, symbols_in
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import Node, children

_OF_THE_FILE = (t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC)
_COMPOUND = (t.Block, t.If, t.For, t.While, t.DoWhile)
_OF_THE_PROGRAM = (t.Storage.GLOBAL, t.Storage.EXTERN)


class ScratchObjects:
    """The questions about the loops of one unit; most pieces of code are asked about more than once."""

    def __init__(self, unit: t.Unit, program: WholeProgram | None = None) -> None:
        self._unit = unit
        self._program = program
        self._bodies = Bodies(unit.functions)
        self._around: dict[tuple[t.Stmt, frozenset[t.Symbol]], Around] = {}
        self._uses: dict[tuple[Node, t.Symbol, Around], Use] = {}
        self._old: dict[tuple[Node, t.Symbol, Around], bool] = {}

    def is_scratch(self, loop: ParallelLoop, symbol: t.Symbol) -> bool:
        """Is `symbol`, of which each thread of the loop's team has one, only scratch space of the loop?"""
        assert loop.body is not None
        if ty.is_variably_modified(symbol.type) or ty.has_pointers(symbol.type):
            return False
        code = loop.loops[0].statement if loop.team is None else loop.team.code
        around = self._code_around(code, _of_each_thread(loop))
        if self._exposes(loop.body, symbol, around) or self._use(code, symbol, around) is Use.UNKNOWN:
            return False
        read_later = loop.team is not None and object_read_after(
            code, loop.pragma, symbol, lambda part: self._exposes(part, symbol, around)
        )
        return not read_later and (not _is_kept(symbol) or self._is_never_kept(loop, symbol))

    def _is_never_kept(self, loop: ParallelLoop, symbol: t.Symbol) -> bool:
        """Does no function of the program read what another one, or an earlier call, has left in `symbol`?"""
        functions = self._unit.functions
        in_function = symbol.storage is t.Storage.THREAD and symbol.function is not None
        if symbol.storage in _OF_THE_FILE or in_function:
            return all(self._starts_anew(loop, function, symbol) for function in functions.values())
        if symbol.storage not in _OF_THE_PROGRAM or self._program is None or loop.function not in functions:
            return False
        return self._starts_anew(loop, functions[loop.function], symbol) and self._program.everywhere(
            symbol.name, "starts anew", _all_start_anew
        )

    def _starts_anew(self, loop: ParallelLoop | None, function: t.Function, symbol: t.Symbol) -> bool:
        """Does a call of `function` read only what it has written of `symbol` itself, and nothing after `loop`?"""
        body = function.body
        if body is None or symbol not in symbols_in(body):
            return body is not None
        around = self._code_around(body, frozenset(function.params))
        pragma = None if loop is None else loop.pragma
        if symbol in named_in_clauses(body, pragma) or self._starts_with_old(body, symbol, around):
            return False
        if loop is None or function.name != loop.function:
            return True
        return not object_read_after(
            body, loop.pragma, symbol, lambda part: self._starts_with_old(part, symbol, around)
        )

    def all_start_anew(self, symbol: t.Symbol) -> bool:
        """Is that so of every function of the unit?"""
        return all(self._starts_anew(None, function, symbol) for function in self._unit.functions.values())

    def _starts_with_old(self, piece: Node, symbol: t.Symbol, around: Around) -> bool:
        """Does `piece` of a function, which names `symbol`, or a part of it by itself, read what was there before?

        Around a region of the function is nothing but the region's own code: more is steady there.
        """
        key = (piece, symbol, around)
        if key not in self._old:
            self._old[key] = self._finds_old(piece, symbol, around)
        return self._old[key]

    def _finds_old(self, piece: Node, symbol: t.Symbol, around: Around) -> bool:
        if not isinstance(piece, (t.Stmt, t.Expr)):
            return self._exposes(piece, symbol, around)
        if symbol not in symbols_in(piece):
            return False
        if isinstance(piece, _COMPOUND):  # less to look at, where one part is all that counts
            parts = [part for part in children(piece) if _names(part, symbol)]
            if len(parts) == 1 and not self._starts_with_old(parts[0], symbol, around):
                return False
        if isinstance(piece, t.Pragma) and is_region(piece) and piece.body is not None:
            return self._exposes(piece, symbol, self._code_around(piece.body, private_in(piece)))
        if not self._exposes(piece, symbol, around):
            return False
        if isinstance(piece, _COMPOUND):
            return any(self._starts_with_old(part, symbol, around) for part in children(piece))
        return True

    def _code_around(self, code: t.Stmt, own: frozenset[t.Symbol]) -> Around:
        if (code, own) not in self._around:
            self._around[code, own] = Around.of(code, self._bodies, own)
        return self._around[code, own]

    def _exposes(self, code: Node, symbol: t.Symbol, around: Around) -> bool:
        return self._use(code, symbol, around) is not Use.OWN_VALUES

    def _use(self, code: Node, symbol: t.Symbol, around: Around) -> Use:
        key = (code, symbol, around)
        if key not in self._uses:
            self._uses[key] = use_of(*key)
        return self._uses[key]


def _names(part: Node, symbol: t.Symbol) -> bool:
    return any(isinstance(node, t.Name) and node.symbol is symbol for node in nodes(part))


def _all_start_anew(unit: t.Unit, symbol: t.Symbol) -> bool:
    """Of a unit that declares an object of another file's; there it must be each thread's own, too."""
    return symbol.threadprivate and ScratchObjects(unit).all_start_anew(symbol)


def _is_kept(symbol: t.Symbol) -> bool:
    """Does it keep its value when the code around the loop ends?"""
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD


def _of_each_thread(loop: ParallelLoop) -> frozenset[t.Symbol]:
    of_team = frozenset[t.Symbol]() if loop.team is None else loop.team.private
    inside = frozenset[t.Symbol]() if loop.body is None else declared_in(loop.body)  # of inlined functions, too
    return (
        of_team | inside | {s for s, how in loop.sharing.items() if not how.one_for_all} | {n.var for n in loop.loops}
    )
