"""Parallel loops: headers of every form, subscripts that no two iterations share, clauses.

    header     type and direction of the variable, comparison, step, bounds; up to three loops collapsed
    owners     each array that the loop writes is given one subscript, injective in the iteration
    clauses    what the body needs (private, reduction, lastprivate, ...), and what changes nothing (schedule, ...)

In: a Site.   Out: statements that declare what the loop needs, the loop, checks of its results.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .bodies import Accumulator, Cells, Frame, place_of
from .forms import Forms
from .objects import Array
from .scalars import (
    CHAR,
    DOUBLE,
    EXACT,
    FINE,
    FLOAT,
    INT,
    LLONG,
    LONG,
    SHORT,
    SIZE,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
)  # fmt: skip
from .sites import Site
from .tree import Clause, Expr, Stmt, fixed, line, literally

COUNTERS = (INT, INT, INT, INT, INT, UINT, LONG, SIZE, CHAR, UCHAR, SHORT, USHORT, LLONG)
ACCUMULATED = (INT, UINT, LONG, ULONG, DOUBLE, DOUBLE, FLOAT, SHORT, UCHAR, ULLONG)


@dataclass(frozen=True, slots=True)
class Header:
    """A loop's text and its variable, with the values that it takes."""

    text: tuple[str | Expr, ...]
    counter: Expr
    trips: int
    outside: bool
    """Whether the variable is declared outside the loop."""
    down: bool = False


def make_header(site: Site, low: int, high: int, stem: str = "i", plain: bool = False) -> Header:
    """A loop over low..high-1, perhaps with a step, perhaps downwards. Empty where low == high."""
    rng = site.rng
    step = 1 if plain else rng.choice([1, 1, 1, 1, 2, 3, 7])
    down = not plain and rng.random() < 0.25
    fitting = [t for t in COUNTERS if t.holds(low - (step if down else 0), high + step)]
    t = rng.choice(fitting) if low >= 0 and low < high else INT  # gcc refuses a condition that no value fulfils
    outside = rng.random() < 0.35
    name = site.names.local(stem)
    if outside:
        site.declare(f"{t.name} {name} = 0;", name)
    trips = max(0, -(-(high - low) // step))
    start, end, compare, moves = _course(site, low, high, step, down)
    kind = "" if outside else f"{t.name} "
    sides: tuple[str | Expr, ...] = (f"{name} {compare} ", end)
    if rng.random() < 0.12 and compare != "!=":
        sides = (end, f" {compare.translate(str.maketrans('<>', '><'))} {name}")
    move = rng.choice([m.replace("@", name) for m in moves])
    last = high - 1 - (trips - 1) * step if down else low
    first = high - 1 if down else low + (trips - 1) * step
    ends = sorted((last, first)) if trips else [low, low]
    text = (f"for ({kind}{name} = ", start, "; ", *sides, f"; {move})")
    return Header(text, literally(name, t, *ends), trips, outside, down)


def _course(site: Site, low: int, high: int, step: int, down: bool) -> tuple[Expr, Expr, str, list[str]]:
    """Start, end, comparison and the ways to write the step."""
    rng = site.rng
    sign = "-" if down else "+"
    moves = [f"@ {sign}= {step}", f"@ = @ {sign} {step}"]
    if step == 1:
        moves += [f"@{sign}{sign}", f"{sign}{sign}@"] * 2
    elif not down:
        moves.append(f"@ = {step} + @")
    inclusive = rng.random() < 0.3
    if down:
        end = low if inclusive else low - 1
        return site.bound(high - 1), site.bound(end), ">=" if inclusive else ">", moves
    if inclusive:
        return site.bound(low), site.bound(high - 1), "<=", moves
    compare = "!=" if step == 1 and rng.random() < 0.1 and "@++" in moves else "<"
    return site.bound(low), site.bound(high), compare, moves


@dataclass
class Work:
    """A loop nest being made: its iterations, what they own, and its clauses."""

    headers: list[Header]
    collapsed: int
    frame: Frame
    clauses: list[Clause]
    before: list[Stmt]
    first: list[Stmt]
    after: list[Stmt]
    written: set[str]

    @property
    def trips(self) -> int:
        product = 1
        for header in self.headers:
            product *= header.trips
        return product


def choose_nest(site: Site, depth: int) -> list[Header]:
    """Headers whose ranges fit at least one writable array, where there is one."""
    rng = site.rng
    candidates = [a for a in site.arrays if len(a.dims) == depth or (len(a.dims) == 1 and depth == 1)]
    shape = rng.choice(candidates).dims if candidates else tuple(rng.choice([3, 5, 9]) for _ in range(depth))
    headers = []
    for stem, extent in zip("ijk", shape, strict=False):
        low = rng.choice([0, 0, 0, 1, 2]) if extent > 4 else 0
        high = extent - (rng.choice([0, 0, 0, 1, 2]) if extent > 4 else 0)
        if rng.random() < 0.04:
            high = low
        headers.append(make_header(site, low, high, stem))
    return headers


def own(site: Site, work: Work, count: int) -> None:
    """Give the iterations up to `count` arrays to write."""
    rng = site.rng
    maker = site.maker()
    counters = [h.counter for h in work.headers]
    groups = sorted({a.group for a in site.arrays})
    rng.shuffle(groups)
    for group in groups[: count * 3]:
        if len(work.written) >= count:
            break
        members = [a for a in site.arrays if a.group == group]
        for a in members if group.startswith("record") else rng.sample(members, 1):
            place = _owned(site, maker, a, counters, work)
            if place is None:
                continue
            work.written.add(group)
            if isinstance(place, Expr):
                work.frame.places += [place, place]


def _owned(site: Site, maker: Forms, a: Array, counters: list[Expr], work: Work) -> Expr | bool | None:
    """The element of the iteration; True: a row of it; None: no subscript fits."""
    if a.size == 0:
        return None
    if len(a.dims) == 1 and len(counters) == 1:
        usable = [p for p in site.permutations if p.size <= a.size and p.group != a.group]
        through = site.rng.choice(usable) if usable and site.rng.random() < 0.2 else None
        subscript = maker.affine(through.size if through else a.size, counters)
        if subscript is None:
            return None
        return a.at(fixed(through.at(subscript) if through else subscript))
    if len(a.dims) == 1 and len(counters) == 2:
        i, j = counters
        width = int(j.hi) + 1
        if j.lo < 0 or i.lo < 0 or int(i.hi) * width + j.hi >= a.size:
            return None
        return a.at(fixed(Expr((i, f" * {width} + ", j), INT, 0, a.size - 1)))
    if len(a.dims) == 2 and len(counters) == 2:
        for pair in site.rng.sample([(0, 1), (1, 0)], 2):
            found = [maker.affine(extent, [counters[c]]) for extent, c in zip(a.dims, pair, strict=True)]
            if None not in found:
                return a.at(*(fixed(e) for e in found if e is not None))
        return None
    if len(a.dims) == 2 and len(counters) == 1 and (row := maker.affine(a.dims[0], counters)) is not None:
        work.frame.rows.append((a, fixed(row)))
        return True
    return None


def accumulate(site: Site, work: Work) -> None:
    """One or two reduction variables."""
    for _ in range(site.rng.choice([1, 1, 2])):
        a = new_accumulator(site)
        if a.op == "-" and work.clauses and site.rng.random() < 0.5:
            a = replace(a, op="+")
        work.frame.accumulators.append(a)
        work.clauses.append(Clause("reduction", (a.name,), f"{a.op}: "))
        work.after += check_scalar(site, a.place if a.op not in ("&&", "||") else INT_PLACE(a.name), a.name)


def INT_PLACE(name: str) -> Expr:  # noqa: N802 - the place of a truth value
    return place_of(name, INT)


def new_accumulator(site: Site) -> Accumulator:
    """A variable, initialised, that a loop may accumulate into in any order."""
    rng = site.rng
    t = rng.choice(ACCUMULATED)
    ops = ["+"] * 6 + ["min", "max", "-", "*"] + ([] if t.floating else ["&", "|", "^", "&&", "||"])
    op = rng.choice(ops)
    if t is SHORT and op in ("+", "-"):
        t = USHORT  # gcc adds up the threads' results in the type itself: for UBSan, an overflow
    name = site.shared_name(rng.choice(["s", "sum", "total", "err", None]))
    quality = FINE if t is DOUBLE and rng.random() < 0.5 and op in ("+", "min", "max") else EXACT
    place = place_of(name, t, quality, 100)
    if op in ("+", "-") and t.signed and not t.floating and t.rank >= INT.rank:
        place = Expr((name,), t, -100, 100)
    if t is FLOAT and op in ("+", "-"):
        place = Expr((name,), t, -2.0, 2.0, 1)
    start = {"&": "-1", "*": "1", "&&": "1"}.get(op, rng.choice(["0", "0", "3"]))
    if op == "&" and not t.signed:
        start = f"({t.name})-1"
    site.declare_shared(f"{t.name} {name} = {start};", name)
    return Accumulator(name, op, place)


def check_scalar(site: Site, place: Expr, name: str) -> list[Stmt]:
    """Print a variable after a loop, and let later code read it where it is an integer."""
    if not place.type.floating:
        site.scalars.append(Expr((name,), place.type, place.type.lo, place.type.hi))
    return [check(site, name, 1, literally(name, place.type), place.quality, mark="~")] if site.checks else []


def check(site: Site, name: str, count: int | str, element: Expr, quality: int, mark: str = "") -> Stmt:
    """A line of output: a hash of exact values, or a sum with its tolerance; `mark`: ~ where its order is free."""
    if quality == EXACT and not element.type.floating:
        return line(f'CHECK_INTEGERS("{site.names.case}.{name}", {count}, ', element, ");")
    kind = ("CHECK_EXACT", "CHECK_FINE", "CHECK_COARSE")[quality]
    return line(f'{kind}("{site.names.case}.{name}{mark}", {count}, ', element, ");")


def share_cells(site: Site, work: Work) -> None:
    """An array or a variable that iterations update atomically, or in a critical section."""
    rng = site.rng
    t = rng.choice([INT, UINT, LONG, DOUBLE, ULLONG, FLOAT, SHORT, UCHAR])
    op = rng.choice("+++-") if t.floating or t.signed else rng.choice("++-^|&*")
    name = site.shared_name(rng.choice(["hist", "count", None]))
    place = place_of(name, t)
    if t is FLOAT or (t.signed and not t.floating and t.rank >= INT.rank):
        place = Expr((name,), t, *((-2.0, 2.0) if t.floating else (-50, 50)), 1 if t.floating else 0)
    dims: tuple[int, ...] = (rng.choice([1, 4, 10]),) if rng.random() < 0.6 else ()
    marks = (f"{name}[", "]") if dims else (name,)
    a = Array(name, t, dims, marks, place.lo, place.hi, EXACT, place.grain)
    critical = rng.choice(["-", f"{site.names.case}_lock"]) if rng.random() < 0.3 else ""
    work.frame.cells.append(Cells(a, op, critical))
    site.declare_shared(f"{t.name} {name}" + (f"[{dims[0]}] = {{1, }};" if dims else " = 1;"), name)
    if site.checks:
        element = literally(f"{name}[q]" if dims else name, t)
        work.after.append(check(site, name, dims[0] if dims else 1, element, EXACT))


def privates(site: Site, work: Work, directive_shares: bool = True) -> None:
    """Variables in private, firstprivate and lastprivate clauses, assigned before they are read."""
    rng = site.rng
    frame = work.frame
    maker = site.maker(frame.scope)
    if rng.random() < 0.3:
        t = rng.choice([INT, DOUBLE, LONG, SHORT, UINT])
        name = site.names.local(rng.choice(["tmp", "priv", None]))
        place = place_of(name, t)
        site.declare(f"{t.name} {name} = 0;", name)
        lasts = work.trips > 0 and rng.random() < 0.4
        work.clauses.append(Clause("lastprivate" if lasts else "private", (name,)))
        work.first.append(line(f"{name} = ", maker.value(place, 2), ";", pinned=True))
        frame.scope.scalars.append(place)
        frame.places.append(place)
        if lasts and directive_shares:
            work.after += check_scalar(site, place, name)
    known = [s for s in site.scalars if s.pieces and isinstance(s.pieces[0], str) and s.pieces[0] in site.variables]
    known = [s for s in known if s.pieces[0] not in site.unlisted]
    if known and rng.random() < 0.3:
        chosen = rng.choice(known)
        used = {item for c in work.clauses for item in c.items}
        if chosen.pieces[0] not in used:
            work.clauses.append(Clause("firstprivate", (str(chosen.pieces[0]),), required=False))


def idle_clauses(site: Site, combined: bool, headers: list[Header]) -> list[Clause]:
    """Clauses that change nothing about the result."""
    rng = site.rng
    found = []
    if rng.random() < 0.35:
        # Except static, gcc runs no iteration of a loop that counts an unsigned int, or less, downwards.
        unsigned_down = any(h.down and not h.counter.type.signed and h.counter.type.bits < 64 for h in headers)
        kind = rng.choice(["static"] * 2 + ["dynamic", "guided", "auto", "runtime"] * (not unsigned_down))
        # gcc finds the next chunk of a thread in the counter's own type, and begins again where that wraps.
        has_chunks = kind not in ("auto", "runtime") and not any(h.counter.type.bits == 8 for h in headers)
        chunk = (rng.choice(["1", "2", "7"]),) if has_chunks and rng.random() < 0.5 else ()
        found.append(Clause("schedule", (kind, *chunk), required=False))
    if combined and rng.random() < 0.12:
        found.append(Clause("num_threads", (rng.choice(["2", "3", "1 + 1"]),), required=False))
    if combined and rng.random() < 0.12:
        condition = rng.choice(["1", "0", *(f"{text} > {value - 1}" for text, value in site.sizes)])
        found.append(Clause("if", (condition,), rng.choice(["", "parallel: "]), required=False))
    if combined and rng.random() < 0.05:
        found.append(Clause("proc_bind", ("close",), required=False))
    return found
