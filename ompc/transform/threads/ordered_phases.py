"""The code of counters in phases (ordered_counters.py): loops over parts, over a part's iterations and over counters.

    for (long part = 0; part < (long)threads * parts; part++) {
        const int in_order = phase == 2 && at[threads * parts][0];
        if (phase == 0) {                               nothing is counted yet
            for (int k = 0; k < 64; k++) at[part][k] = 0;
            if (part == 0) at[threads * parts][0] = 0;
        }
        if (phase == 1)                                 each counter of each thread, through the thread's parts
            for (long turn = 0; turn < (long)threads * 64; turn += (long)threads * parts) {
                const long pair = turn + part;
                if (pair < (long)threads * 64) {
                    const int first = next_of[pair / 64][pair % 64];
                    int place = first;
                    for (int k = 0; k < parts; k++) {
                        const int count = at[pair / 64 * parts + k][pair % 64];
                        at[pair / 64 * parts + k][pair % 64] = place;
                        place += count;
                    }
                    if (place < first || (pair % 64 < 63 && place > next_of[pair / 64][pair % 64 + 1]))
                        at[threads * parts][0] = 1;     places that may meet: iterations in their order
                }
            }
        else {
            for (unsigned long number = begins; number < ends; number++) {
                const int slot = at[part][key[number]]++;
                if (phase == 2) out[slot] = number;
            }
            if (phase == 2 && part % parts == (in_order ? 0 : parts - 1))
                for (int k = 0; k < 64; k++) next_of[part / parts][k] = at[part][k];
        }
    }

In: symbols.   Out: trees.   Not here: what they are for.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import PART_BEGINS, PART_ENDS
from ompc.ir.rewrite import copied
from ompc.omp.model import ParallelLoop
from ompc.transform.kernel_variables import KernelVariables, call
from ompc.transform.thread_numbers import THREADS


@dataclass(frozen=True, slots=True)
class PhaseVariables:
    """`threads`, `parts` of each, `phase`: the launcher says them; `at`: a row of counters for each part, and one more;
    `part`, `number`, `begins`, `ends`, `k`, `turn`, `pair`, `first`, `place`, `count`, `slot`, `in_order`: of the
    loops. `whole`: how many iterations there are.
    """

    variables: KernelVariables
    whole: t.Expr
    threads: t.Symbol
    parts: t.Symbol
    phase: t.Symbol
    at: t.Symbol
    own: dict[str, t.Symbol]

    @staticmethod
    def of(loop: ParallelLoop, table: t.Symbol, whole: t.Expr) -> PhaseVariables:
        made = KernelVariables(loop, loop.loc)
        threads = next(symbol for symbol, read in loop.fixed.items() if read.meaning == THREADS)
        row = _row(table)
        asked = call("ompc_parts_of", copied(whole), copied(loop.fixed[threads].value), _number(row.length, loop))
        zero = _number(0, loop)
        parts = made.given("parts", asked, "the parts of each thread's iterations")
        phase = made.given("phase", zero, "the phase of the launch")
        kinds: dict[str, ty.Type] = {"part": ty.LONG, "number": ty.ULONG, "k": ty.INT, "turn": ty.LONG, "pair": ty.LONG}
        kinds |= {"begins": ty.ULONG, "ends": ty.ULONG}
        kinds |= {"first": row.of, "place": row.of, "count": row.of, "slot": row.of, "in_order": ty.INT}
        own = {name: made.local(name, ty.unqualified(kind)) for name, kind in kinds.items()}
        return PhaseVariables(made, whole, threads, parts, phase, made.pointer("at", row), own)

    @property
    def rows(self) -> tuple[t.Symbol, t.Symbol]:
        """Whose product, and one more, is the number of rows."""
        return self.threads, self.parts


def _row(table: t.Symbol) -> ty.Array:
    assert isinstance(table.type, ty.Pointer) and isinstance(table.type.to, ty.Array)
    return table.type.to


def _number(value: object, loop: ParallelLoop) -> t.Expr:
    assert isinstance(value, int)
    return t.IntConst(ty.INT, loop.loc, value, str(value))


@dataclass(frozen=True, slots=True)
class Phases:
    """Trees over the variables. `up`: the counters do."""

    made: PhaseVariables
    table: t.Symbol
    up: bool

    # ------------------------------------------------------------------------------------ expressions

    def _name(self, symbol: t.Symbol) -> t.Expr:
        return t.Name(symbol.type, self.made.variables.loc, symbol)

    def _own(self, name: str) -> t.Expr:
        return self._name(self.made.own[name])

    def _int(self, value: int) -> t.Expr:
        return t.IntConst(ty.INT, self.made.variables.loc, value, str(value))

    def _of(self, op: str, left: t.Expr, right: t.Expr, kind: ty.Type = ty.LONG) -> t.Expr:
        return t.Binary(kind, self.made.variables.loc, op, left, right)

    def _is(self, left: t.Expr, op: str, right: t.Expr) -> t.Expr:
        return self._of(op, left, right, ty.INT)

    def _element(self, rows: t.Symbol, row: t.Expr, index: t.Expr) -> t.Expr:
        kind, loc = _row(self.table), self.made.variables.loc
        return t.Index(kind.of, loc, t.Index(kind, loc, self._name(rows), row), index)

    def own(self, index: t.Expr) -> t.Expr:
        """The part's counter in the place of its thread's."""
        return self._element(self.made.at, self._own("part"), index)

    def _all_parts(self) -> t.Expr:
        wide = t.Cast(ty.LONG, self.made.variables.loc, self._name(self.made.threads))
        return self._of("*", wide, self._name(self.made.parts))

    def _meets(self) -> t.Expr:
        """Whether places may meet."""
        return self._element(self.made.at, self._all_parts(), self._int(0))

    def _in_phase(self, phase: int) -> t.Expr:
        return self._is(self._name(self.made.phase), "==", self._int(phase))

    def bound(self, which: str) -> t.Expr:
        """Where the part's iterations begin, or end."""
        made = self.made
        part = t.Cast(ty.ULONG, made.variables.loc, self._own("part"))
        names = (self._name(made.threads), self._name(made.parts), self._own("in_order"))
        assert which in (PART_BEGINS, PART_ENDS)
        return call(which, part, copied(made.whole), *names)

    def number(self) -> t.Expr:
        """The number of the iteration among all of the loop."""
        return self._own("number")

    # -------------------------------------------------------------------------------------- statements

    def _set(self, target: t.Expr, value: t.Expr, op: str = "=") -> t.Stmt:
        loc = self.made.variables.loc
        return t.ExprStmt(loc, t.Assign(target.type, loc, op, target, value))

    def _declare(self, name: str, value: t.Expr) -> t.Stmt:
        loc = self.made.variables.loc
        return t.DeclStmt(loc, (t.VarDecl(self.made.own[name], value, loc),))

    def _if(self, condition: t.Expr, then: t.Stmt, other: t.Stmt | None = None) -> t.Stmt:
        return t.If(self.made.variables.loc, condition, then, other)

    def _block(self, *items: t.Stmt) -> t.Block:
        return t.Block(self.made.variables.loc, items)

    def _for(self, name: str, begin: t.Expr, end: t.Expr, body: t.Stmt, step: t.Expr | None = None) -> t.For:
        symbol, loc = self.made.own[name], self.made.variables.loc
        one = t.IncDec(symbol.type, loc, "++", False, self._own(name))
        more = one if step is None else t.Assign(symbol.type, loc, "+=", self._own(name), step)
        return t.For(loc, self._declare(name, begin), self._is(self._own(name), "<", end), more, body)

    def _each_counter(self, body: t.Stmt) -> t.For:
        length = _row(self.table).length
        assert isinstance(length, int)
        return self._for("k", self._int(0), self._int(length), body)

    def only_in_last(self, store: t.Stmt) -> t.Stmt:
        """A store to a place, which phase 0 does not do."""
        return self._if(self._in_phase(2), store)

    def counted_in_front(self, update: t.Expr, store: t.Stmt) -> t.Stmt:
        """A store whose subscript counts: first it counts, in phase 0, too."""
        return self._block(self._declare("slot", update), self.only_in_last(store))

    def slot(self) -> t.Expr:
        """The place that the counter gives."""
        return self._own("slot")

    def iterations_of_part(self, counter: t.Stmt, body: t.Stmt, begins: t.Expr, ends: t.Expr) -> t.Stmt:
        loop = self._for("number", self._own("begins"), self._own("ends"), self._block(counter, body))
        return self._block(self._declare("begins", begins), self._declare("ends", ends), loop)

    def parts(self, iterations: t.Stmt) -> t.For:
        """The whole loop."""
        found = self._is(self._meets(), "!=", self._int(0))
        meets = t.Conditional(ty.INT, self.made.variables.loc, self._in_phase(2), found, self._int(0))
        begun = self._block(
            self._each_counter(self._set(self.own(self._own("k")), self._int(0))),
            self._if(self._is(self._own("part"), "==", self._int(0)), self._set(self._meets(), self._int(0))),
        )
        second = self._block(iterations, self._if(self._is_last(), self._each_counter(self._left())))
        body = self._block(
            self._declare("in_order", meets),
            self._if(self._in_phase(0), begun),
            self._if(self._in_phase(1), self._pairs(), second),
        )
        none = t.IntConst(ty.LONG, self.made.variables.loc, 0, "0")
        return self._for("part", none, self._all_parts(), body)

    def _is_last(self) -> t.Expr:
        """Does the part do the last iterations of its thread?"""
        loc, parts = self.made.variables.loc, self._name(self.made.parts)
        at = self._of("%", self._own("part"), parts)
        last = self._of("-", self._name(self.made.parts), self._int(1), ty.INT)
        wanted = t.Conditional(ty.INT, loc, self._own("in_order"), self._int(0), last)
        return self._is(self._in_phase(2), "&&", self._is(at, "==", wanted))

    def _left(self) -> t.Stmt:
        thread = self._of("/", self._own("part"), self._name(self.made.parts))
        return self._set(self._element(self.table, thread, self._own("k")), self.own(self._own("k")))

    def _pairs(self) -> t.Stmt:
        length = _row(self.table).length
        assert isinstance(length, int)

        def thread() -> t.Expr:
            return self._of("/", self._own("pair"), self._int(length))

        def counter(more: int = 0) -> t.Expr:
            at = self._of("%", self._own("pair"), self._int(length))
            return at if more == 0 else self._of("+" if more > 0 else "-", at, self._int(1))

        def count() -> t.Expr:
            row = self._of("+", self._of("*", thread(), self._name(self.made.parts)), self._own("k"))
            return self._element(self.made.at, row, counter())

        of_part = self._block(
            self._declare("count", count()),
            self._set(count(), self._own("place")),
            self._set(self._own("place"), self._own("count"), "+="),
        )
        beyond, back, has_next = ("<", ">", self._is(counter(), "<", self._int(length - 1)))
        if not self.up:
            beyond, back, has_next = (">", "<", self._is(counter(), ">", self._int(0)))
        passes = self._is(self._own("place"), back, self._element(self.table, thread(), counter(1 if self.up else -1)))
        wraps = self._is(self._own("place"), beyond, self._own("first"))
        body = self._block(
            self._declare("first", self._element(self.table, thread(), counter())),
            self._declare("place", self._own("first")),
            self._for("k", self._int(0), self._name(self.made.parts), of_part),
            self._if(self._is(wraps, "||", self._is(has_next, "&&", passes)), self._set(self._meets(), self._int(1))),
        )
        turns = self._block(
            self._declare("pair", self._of("+", self._own("turn"), self._own("part"))),
            self._if(self._is(self._own("pair"), "<", self._all_counters(length)), body),
        )
        none = t.IntConst(ty.LONG, self.made.variables.loc, 0, "0")
        return self._for("turn", none, self._all_counters(length), turns, self._all_parts())

    def _all_counters(self, length: int) -> t.Expr:
        """Of all threads."""
        wide = t.Cast(ty.LONG, self.made.variables.loc, self._name(self.made.threads))
        return self._of("*", wide, self._int(length))
