"""Random statements with control flow inside a loop's body: if, inner loops, switch, while, goto, local arrays.

In: a Frame.   Out: statements whose number of steps is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .bodies import Bodies, Frame, place_of
from .objects import Array
from .scalars import DOUBLE, EXACT, INT, LONG, SHORT, UINT
from .tree import Clause, Expr, Pragma, Stmt, fixed, line, literally

MOST_WORK = 400


class Forms(Bodies):
    """Makes every kind of statement of a body."""

    def makers(self, frame: Frame) -> list[tuple[Callable[[Frame], list[Stmt]], int]]:
        makers = super().makers(frame)
        if frame.depth > 0:
            makers += [(self.branch, 4), (self.choice, 1), (self.forward, 1), (self.local_array, 1), (self.block, 1)]
            if frame.work < MOST_WORK:
                makers += [(self.inner_loop, 5), (self.while_loop, 2)]
        if frame.leaves:
            makers.append((self.leave, 1))
        return makers

    def body(self, frame: Frame, most: int = 3) -> tuple[Stmt, ...]:
        return tuple(self.statements(frame, self.rng.randint(1, most)))

    def block(self, frame: Frame) -> list[Stmt]:
        return [Stmt((), self.body(frame.inner()), unwraps=True)]

    def branch(self, frame: Frame) -> list[Stmt]:
        condition = self.condition(1)
        found = [Stmt(("if (", condition, ")"), self.body(frame.inner()), unwraps=True)]
        if self.rng.random() < 0.4:
            found.append(Stmt(("else",), self.body(frame.inner())))
        return found

    def leave(self, frame: Frame) -> list[Stmt]:
        return [Stmt(("if (", self.condition(1), ")"), (line(f"{self.rng.choice(frame.leaves)};"),))]

    def inner_loop(self, frame: Frame) -> list[Stmt]:
        """A sequential loop, sometimes along the row that the iteration owns, sometimes triangular."""
        rows = [(a, e) for a, e in frame.rows if a.dims[1] > 0]
        row = self.rng.choice(rows) if rows and self.rng.random() < 0.7 else None
        extent = row[0].dims[1] if row else self.rng.choice([1, 2, 3, 5, 8])
        t = self.rng.choice([INT, INT, INT, UINT, LONG, SHORT])
        name = frame.names.local(self.rng.choice("jklm"))
        inner = frame.inner(work=frame.work * extent, leaves=("break", "continue"))
        head = self._inner_head(inner, t.name, name, extent, row is None)
        counter = literally(name, t, 0, max(extent - 1, 0))
        inner.scope.counters.append(counter)
        if row:
            inner.places += [row[0].at(row[1], fixed(counter))] * 3
            inner.scope.scalars.append(inner.places[-1])
        simd = ()
        if self.rng.random() < 0.05 and not inner.accumulators and not inner.cells:
            simd = (Pragma("simd"),)
            inner.leaves, inner.records = ("continue",), []  # some of them need constructs that simd does not allow
        return [Stmt(head, self.body(inner), pragmas=simd)]

    def _inner_head(
        self, frame: Frame, t: str, name: str, extent: int, may_be_triangular: bool
    ) -> tuple[str | Expr, ...]:
        small = [c for c in frame.scope.counters if c.lo >= 0 and c.hi < extent]
        if may_be_triangular and small and self.rng.random() < 0.3:
            return (f"for ({t} {name} = 0; {name} <= ({t})", self.rng.choice(small), f"; {name}++)")
        form = self.rng.randrange(4)
        if form == 0 and t != "unsigned":
            return (f"for ({t} {name} = {extent - 1}; {name} >= 0; {name}--)",)
        if form == 1:
            return (f"for ({t} {name} = 0; {name} <= {extent - 1}; {name} += {self.rng.choice([1, 2, 3])})",)
        return (f"for ({t} {name} = 0; {name} < {extent}; {name}++)",)

    def while_loop(self, frame: Frame) -> list[Stmt]:
        """A while or do loop with a counter of its own."""
        name, most = frame.names.local("w"), self.rng.randint(1, 6)
        inner = frame.inner(work=frame.work * most, leaves=("break",))
        inner.own = {name}  # hidden, it would not count
        condition = self.condition(1)
        inner.scope.scalars.append(literally(name, INT, -1, most))
        inner.scope.counters.append(literally(name, INT, 0, most))
        counter = line(f"int {name} = {most};", pinned=True)
        step = line(f"{name}--;", pinned=True)
        if self.rng.random() < 0.4:
            body = (*self.body(inner), step)
            return [counter, Stmt(("do",), body, ("while (", condition, f" && {name} > 0);"))]
        return [counter, Stmt((f"while ({name} > 0 && ", condition, ")"), (*self.body(inner), step))]

    def choice(self, frame: Frame) -> list[Stmt]:
        """A switch, sometimes falling through."""
        count = self.rng.randint(2, 4)
        subject = self.into(self.integer(1), 0, count)
        found: list[Stmt] = []
        for number in range(count):
            inner = frame.inner(leaves=("break", *(w for w in frame.leaves if w == "continue")), labelled=True)
            body = self.body(inner, 2)
            leaves = (line("break;"),) if self.rng.random() < 0.7 else ()
            found.append(Stmt((f"case {number}:",), (*body, *leaves)))
        if self.rng.random() < 0.5:
            found.append(Stmt(("default:",), self.body(frame.inner(leaves=(), labelled=True), 2)))
        return [Stmt(("switch (", subject, ")"), tuple(found))]

    def forward(self, frame: Frame) -> list[Stmt]:
        """A jump over some statements of a block."""
        label = frame.names.local("skip")
        jump = Stmt(("if (", self.condition(1), ")"), (line(f"goto {label};"),))
        body = self.body(frame.inner(leaves=()))
        return [Stmt((), (jump, Stmt((), body), line(f"{label}: ;", pinned=True)))]

    def local_array(self, frame: Frame) -> list[Stmt]:
        """An array of the iteration's own, filled, then read by later statements of the block."""
        t = self.rng.choice([INT, DOUBLE, SHORT, UINT])
        extent, name = self.rng.randint(2, 6), frame.names.local("loc")
        place = place_of(name, t)
        a = Array(name, t, (extent,), (f"{name}[", "]"), place.lo, place.hi, EXACT, place.grain)
        zero = line(f"{t.name} {name}{self.length(frame, extent)};", pinned=True)
        counter = literally(frame.names.local("q"), INT, 0, extent - 1)
        inner = frame.inner(work=frame.work * extent)
        inner.scope.counters.append(counter)
        self.within(inner)
        q = counter.pieces[0]
        fill = line(a.at(fixed(counter)), " = ", self.value(a.at(counter), 1), ";")
        self.within(frame)
        frame.scope.arrays.append(a)
        element = a.at(literally(str(k := self.rng.randrange(extent)), INT, k))
        frame.places.append(element)
        return [zero, Stmt((f"for (int {q} = 0; {q} < {extent}; {q}++)",), (fill,))]

    def length(self, frame: Frame, extent: int) -> str:
        """A constant length with an initialiser, or a variable one."""
        variables = [e for e in frame.scope.scalars if not e.type.floating and str(e.pieces[0]).isidentifier()]
        if frame.labelled or not variables or self.rng.random() < 0.6:
            return f"[{extent}] = {{0}}"
        return f"[{self.rng.choice(variables).pieces[0]} * 0 + {extent}]"


def simd_clause(length: int) -> Clause:
    return Clause("safelen", (str(length),), required=False)


__all__ = ["Forms", "replace"]
