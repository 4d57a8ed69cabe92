"""Random statements of a loop's body: declarations, assignments, reductions, atomics, calls.

An iteration writes only what it owns (`Frame.places`), its own locals, accumulators by their one operation, and shared
cells by atomics of one operation; so the order of iterations does not matter.

In: a Frame.   Out: statements.
Not here: statements with control flow (forms.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .names import Names
from .objects import Array, Scope
from .reals import Reals
from .scalars import BOOL, CHAR, COARSE, DOUBLE, EXACT, FINE, FLOAT, INT, INTEGERS, LONG, UCHAR, UINT, Scalar
from .tree import Clause, Expr, Pragma, Stmt, fixed, line, names_in, text_of

LOCAL_TYPES = (INT, INT, INT, UINT, LONG, CHAR, UCHAR, DOUBLE, DOUBLE, FLOAT, *INTEGERS)


@dataclass(frozen=True, slots=True)
class Accumulator:
    """A variable that a loop only accumulates into, by `op`; `place` has the range of one contribution."""

    name: str
    op: str
    place: Expr


@dataclass(frozen=True, slots=True)
class Cells:
    """Shared elements that iterations update atomically by `op`: an array, or one variable (no dims)."""

    array: Array
    op: str
    critical: str = ""
    plain: bool = False
    """The update needs no atomic: the array is in a reduction clause."""


@dataclass
class Frame:
    """What one place in a body may do."""

    scope: Scope
    names: Names
    places: list[Expr] = field(default_factory=list)
    rows: list[tuple[Array, Expr]] = field(default_factory=list)
    """Two-dimensional arrays of which the iteration owns the row at the subscript."""
    accumulators: list[Accumulator] = field(default_factory=list)
    cells: list[Cells] = field(default_factory=list)
    updaters: list[tuple[str, Expr]] = field(default_factory=list)
    """Functions that change an object of the given type and range through their first argument."""
    records: list[Callable[[Bodies, Frame], list[Stmt]]] = field(default_factory=list)
    """Statements about the structs and unions of the case."""
    depth: int = 2
    work: int = 1
    """How often the statement runs in one iteration, at most."""
    own: set[str] | None = None
    """Names declared in this block, which must not be declared again; None: no name may be hidden here."""
    leaves: tuple[str, ...] = ()
    """Which of break and continue leave something here."""
    labelled: bool = False
    """Directly in a switch: a later case would jump past the declaration of a variable-length array."""

    def inner(self, **changes: object) -> Frame:
        changes.setdefault("labelled", False)
        copy = replace(self, scope=self.scope.inner(), places=list(self.places), **changes)  # type: ignore[arg-type]
        copy.depth -= 1
        copy.own = set()
        return copy

    def hide(self, name: str) -> None:
        """A declaration hides what had that name."""

        def shown(e: Expr) -> bool:
            return name not in names_in(text_of(e.pieces))

        scope = self.scope
        scope.scalars = [e for e in scope.scalars if shown(e)]
        scope.counters = [e for e in scope.counters if shown(e)]
        self.places = [e for e in self.places if shown(e)]
        self.rows = [(a, e) for a, e in self.rows if shown(e)]


def place_of(name: str, t: Scalar, quality: int = EXACT, reach: int = 1000) -> Expr:
    """A variable that may hold any value of an integer type, or floating ones up to `reach`."""
    if not t.floating:
        return Expr((name,), t, t.lo, t.hi)
    if quality == FINE and t is FLOAT:
        quality = COARSE
    bounds = {EXACT: min(reach, 1000), FINE: reach, COARSE: min(reach, 50)}[quality]
    return Expr((name,), t, -float(bounds), float(bounds), 2 if quality == EXACT else 0, quality)


class Bodies(Reals):
    """Makes statements; forms.py adds those with control flow."""

    def within(self, frame: Frame) -> None:
        self.scope = frame.scope

    def statements(self, frame: Frame, count: int) -> list[Stmt]:
        found: list[Stmt] = []
        for _ in range(count):
            found += self.statement(frame)
        return found

    def statement(self, frame: Frame) -> list[Stmt]:
        self.within(frame)
        makers = self.makers(frame)
        chosen = self.rng.choices([m for m, _ in makers], [weight for _, weight in makers])[0]
        made = chosen(frame)
        self.within(frame)
        return made

    def makers(self, frame: Frame) -> list[tuple[Callable[[Frame], list[Stmt]], int]]:
        makers: list[tuple[Callable[[Frame], list[Stmt]], int]] = [(self.local, 4)]
        if frame.places:
            makers.append((self.assignment, 10))
        if frame.accumulators:
            makers.append((self.accumulation, 6))
        if frame.cells:
            makers.append((self.atomic, 5))
        if frame.updaters and frame.places:
            makers.append((self.update_call, 2))
        if frame.records:
            makers.append((self.record, 3))
        return makers

    def record(self, frame: Frame) -> list[Stmt]:
        return self.rng.choice(frame.records)(self, frame)

    def local(self, frame: Frame) -> list[Stmt]:
        """A variable of the block, which later statements read and change."""
        t = self.rng.choice(LOCAL_TYPES)
        name = frame.names.local()
        visible = [text_of(e.pieces) for e in frame.scope.scalars if e.pieces and text_of(e.pieces).isidentifier()]
        visible = [v for v in visible if frame.own is not None and v not in frame.own]
        hides = bool(visible) and self.rng.random() < 0.06
        if hides:
            name = self.rng.choice(visible)
        if frame.own is not None:
            frame.own.add(name)
        place = place_of(name, t, self.rng.choice([EXACT, FINE]))
        value = self.value(place, frame.depth) if not hides else self.value_without(frame, name, place)
        frame.hide(name)
        self.within(frame)
        const = "const " if self.rng.random() < 0.15 else ""
        frame.scope.scalars.append(place)
        if not const:
            frame.places.append(place)
        return [line(f"{const}{t.name} {name} = ", value, ";", pinned=True)]

    def value_without(self, frame: Frame, name: str, place: Expr) -> Expr:
        """`int x = x` would read itself."""
        inner = frame.inner()
        inner.hide(name)
        self.within(inner)
        inner.scope.arrays = [a for a in inner.scope.arrays if name not in names_in("".join(a.marks))]
        return self.value(place, 1)

    def assignment(self, frame: Frame) -> list[Stmt]:
        place = self.rng.choice(frame.places)
        choice = self.rng.random()
        t = place.type
        wraps = not t.floating and t is not BOOL and (t.lo, t.hi) == (place.lo, place.hi)
        if wraps and choice < 0.35 and (not t.signed or t.rank < INT.rank):
            return [self._compound(place, frame)]
        if wraps and choice < 0.45 and (not t.signed or t.rank < INT.rank):
            before, after = self.rng.choice([("", "++"), ("", "--"), ("++", ""), ("--", "")])
            return [line(f"{before}(", fixed(place), f"){after};")]
        if t is BOOL and choice < 0.2 and ":" not in text_of(place.pieces):
            before, after = self.rng.choice([("", "++"), ("", "--"), ("++", ""), ("--", "")])
            return [line(f"{before}(", fixed(place), f"){after};")]
        if t.floating and place.quality != EXACT and choice < 0.3:
            halved = Expr((fixed(place), " * 0.5 + "), t)
            half = replace(place, lo=place.lo / 2, hi=place.hi / 2)
            return [line(fixed(place), " = ", fixed(halved), self.value(half, frame.depth), ";")]
        return [line(fixed(place), " = ", self.value(place, frame.depth), ";")]

    def _compound(self, place: Expr, frame: Frame) -> Stmt:
        """A compound assignment to a type that wraps: unsigned, or narrower than int."""
        op = self.rng.choice(["+", "-", "^", "|", "&", "*", ">>", "<<"])
        e = self.integer(frame.depth)
        if op in (">>", "<<"):
            if place.type.signed and op == "<<":
                op = ">>"
            return line(fixed(place), f" {op}= (", e, " & 7);")
        if op in "+-*" and place.type.rank <= INT.rank:
            e = self.narrow(e)
        if op == "*" or (op in "+-" and e.type.floating):
            e = self.into(e, 0, 100)
        if e.type.signed and place.type.bits == 64 and op in "+-*":
            pass  # converted to unsigned, which wraps
        return line(fixed(place), f" {op}= ", e, ";")

    def accumulation(self, frame: Frame) -> list[Stmt]:
        a = self.rng.choice(frame.accumulators)
        e = self.contribution(a, frame.depth)
        name, op = a.name, a.op
        if op in ("min", "max"):
            return [self._extreme(a, e)]
        if op in ("&&", "||"):
            return [line(f"{name} = {name} {op} ", e, ";")]
        form = self.rng.randrange(3)
        if form == 0 and op != "-":
            return [line(f"{name} = {name} {op} ", e, ";")]
        if form == 1 and op != "-":
            return [line(f"{name} = ", e, f" {op} {name};")]
        return [line(f"{name} {op}= ", e, ";")]

    def _extreme(self, a: Accumulator, e: Expr) -> Stmt:
        sign = "<" if a.op == "min" else ">"
        form = self.rng.randrange(3)
        if a.place.type.floating and form == 0:
            return line(f"{a.name} = f{a.op}({a.name}, ", e, ");")
        if form == 1 or a.place.quality != EXACT:
            return line(f"{a.name} = ", e, f" {sign} {a.name} ? ", e, f" : {a.name};")
        return Stmt(("if (", e, f" {sign} {a.name})"), (line(f"{a.name} = ", e, ";"),))

    def contribution(self, a: Accumulator, depth: int) -> Expr:
        """What one statement adds. Conditions for the logical operations."""
        if a.op in ("&&", "||"):
            return self.condition(depth)
        if a.op == "*" and (a.place.type.signed or a.place.type.floating):
            return Expr(("(", self.condition(depth), " ? 1 : -1)"), INT, -1, 1)
        e = self.value(a.place, depth)
        if a.op in ("min", "max") and not a.place.type.floating:
            return Expr((f"({a.place.type.name})(", e, ")"), a.place.type, a.place.lo, a.place.hi)
        return e

    def atomic(self, frame: Frame) -> list[Stmt]:
        c = self.rng.choice(frame.cells)
        place = c.array.at(*(self.subscript(extent) for extent in c.array.dims)) if c.array.dims else c.array.at()
        contribution = self.value(place, frame.depth)
        t = c.array.elem
        if c.op == "+" and not t.floating and t.signed and t.rank >= INT.rank:
            contribution = self.into(self.integer(frame.depth), -50, 50)
        simple = place if c.array.dims and c.critical else fixed(place)
        if c.plain:
            return [line(simple, f" {c.op}= ", contribution, ";")]
        if c.critical:
            update = line(simple, f" {c.op}= ", contribution, ";")
            name = f"critical({c.critical})" if c.critical != "-" else "critical"
            return [Stmt((), (update,), pragmas=(Pragma(name, required=True),))]
        if c.op == "+" and self.rng.random() < 0.3:
            return [self._atomic_line(line(simple, "++;"))]
        clause = (Clause("update"),) if self.rng.random() < 0.2 else ()
        return [self._atomic_line(line(simple, f" {c.op}= ", contribution, ";"), clause)]

    def _atomic_line(self, s: Stmt, clauses: tuple[Clause, ...] = ()) -> Stmt:
        return replace(
            s, pragmas=(Pragma("atomic", tuple(replace(c, required=False) for c in clauses), required=True),)
        )

    def update_call(self, frame: Frame) -> list[Stmt]:
        """A call that changes an owned object through a pointer to it."""
        name, kind = self.rng.choice(frame.updaters)
        fitting = [
            p
            for p in frame.places
            if p.type is kind.type
            and (p.lo, p.hi, p.quality) == (kind.lo, kind.hi, kind.quality)
            and ":" not in text_of(p.pieces)
        ]
        if not fitting:
            return self.assignment(frame)
        return [line(f"{name}(&", fixed(self.rng.choice(fitting)), ", ", self.narrow(self.integer(1)), ");")]
