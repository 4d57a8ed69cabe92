"""Rows of different lengths: an inner loop over one of them, whose values are combined in many ways.

    int sum = 3; unsigned hash = 1;
    for (int q = starts[r]; q < starts[r + 1]; q++) {
        if (entries[q] > 17) continue;
        sum += f(entries[q]);  hash = hash * 3u + g(q);
    }

In: a Site.   Out: a pattern that bodies may contain; what it has combined is a value for later statements.
"""

from __future__ import annotations

from .bodies import Bodies, Frame
from .scalars import DOUBLE, INT, UINT
from .sites import Site
from .tree import Expr, Stmt, line

ROWS = 11
MOST_WRITTEN = 100
"""Numbers in an initialiser: reading thousands was a tenth of what a program cost."""


def _declared(site: Site) -> tuple[str, str, int]:
    """The names of the two arrays, and how many entries there are."""
    rng = site.rng
    starts, entries = site.names.file_scope("starts"), site.names.file_scope("entries")
    lengths = [rng.choice([0, 0, 1, 2, 3, 5, 8, rng.randrange(45)]) for _ in range(ROWS)]
    if rng.random() < 0.2:  # for all lanes of a block
        lengths[rng.randrange(ROWS)] = rng.randrange(4_090, 5_000)
    ends = [sum(lengths[:k]) for k in range(ROWS + 1)]
    numbers = [rng.randrange(-500, 501) for _ in range(max(1, ends[-1]))]
    site.file.append(line(f"int {starts}[{ROWS + 1}] = {{{', '.join(map(str, ends))}}};", pinned=True))
    if len(numbers) <= MOST_WRITTEN:
        site.file.append(line(f"short {entries}[{len(numbers)}] = {{{', '.join(map(str, numbers))}}};", pinned=True))
    else:
        site.file.append(line(f"short {entries}[{len(numbers)}];", pinned=True))
        value = f"(q * {numbers[0] % 500 + 501} + {numbers[1] % 1001}) % 1001 - 500"
        site.top.append(line(f"for (int q = 0; q < {len(numbers)}; q++) {entries}[q] = {value};", pinned=True))
    site.variables.update((starts, entries))
    return starts, entries, len(numbers)


def add_rows(site: Site) -> None:
    """Two arrays of the file: where each row begins, and the entries of all."""
    starts, entries, count = _declared(site)

    def walk(maker: Bodies, frame: Frame) -> list[Stmt]:
        row, q, names = frame.names.local("r"), frame.names.local("q"), frame.names.local
        at = maker.into(maker.integer(1), 0, ROWS - 1)
        before, inside = frame.inner(), frame.inner()
        inside.scope.scalars += [Expr((f"{entries}[{q}]",), INT, -500, 500), Expr((q,), INT, 0, count)]
        maker.within(inside)
        found, body, made = [line(f"int {row} = ", at, ";", pinned=True)], list[Stmt](), list[Expr]()
        if maker.rng.random() < 0.3:
            body.append(line(f"if ({entries}[{q}] > {maker.rng.randrange(-300, 500)}) continue;"))
        for _ in range(maker.rng.randrange(1, 4)):
            result, declaration, update = _combination(maker, names("of_row"), f"{entries}[{q}]", q)
            guard = maker.rng.random() < 0.25
            body.append(Stmt(("if (", maker.condition(1), ")"), (update,)) if guard else update)
            found.append(declaration)
            made.append(result)
        forwards = maker.rng.random() < 0.7
        head = f"for (int {q} = {starts}[{row}]; {q} < {starts}[{row} + 1]; {q}++)"
        if not forwards:
            head = f"for (int {q} = {starts}[{row} + 1] - 1; {q} >= {starts}[{row}]; {q} -= 2)"
        maker.within(before)
        frame.scope.scalars += made
        if frame.own is not None:
            frame.own.update(str(e.pieces[0]) for e in made)
        return [*found, Stmt((head,), tuple(body))]

    site.records.append(walk)


def _combination(maker: Bodies, name: str, entry: str, q: str) -> tuple[Expr, Stmt, Stmt]:
    """What the loop finds out, its declaration, and the statement for one entry."""
    term = maker.into(maker.integer(2), -1000, 1000)
    match maker.rng.randrange(6):
        case 0:
            update = line(f"{name} {maker.rng.choice('+-')}= ", term, ";")
            return Expr((name,), INT, -6_000_000, 6_000_000), line(f"int {name} = 3;", pinned=True), update
        case 1:
            update = line(f"{name} = {name} * 3u + (unsigned)(", term, ");")
            return Expr((name,), UINT, UINT.lo, UINT.hi), line(f"unsigned {name} = 1;", pinned=True), update
        case 2:
            update = Stmt((f"if ({entry} < {name})",), (line(f"{name} = {entry};"),))
            return Expr((name,), INT, -500, 1000), line(f"int {name} = 1000;", pinned=True), update
        case 3:
            update = line(f"{name} = ", term, f" > {name} ? {q} : {name};")
            return Expr((name,), INT, -1, 6_000), line(f"int {name} = -1;", pinned=True), update
        case 4:
            update = line(f"{name} += {entry} * 0.25;")
            return Expr((name,), DOUBLE, -750_000.0, 750_000.0, 2), line(f"double {name} = -0.0;", pinned=True), update
        case _:
            update = line(f"{name}{maker.rng.choice(['++', ' ^= 5', ' |= ' + q])};")
            return Expr((name,), INT, 0, 8191), line(f"int {name} = 0;", pinned=True), update
