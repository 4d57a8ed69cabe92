"""Plan: a row that an iteration works on in several pieces stays in variables from the first to the last (`auto`).

                                                      double row[2];
                                                      if (1 <= j && j <= n || j == 1)
                                                          for (m = 0; m < 2; m++) row[m] = r[j][m];
    if (1 <= j && j <= n) {                           if (1 <= j && j <= n) {
        r[j][0] = r[j][0] + a;                            row[0] = row[0] + a;
        r[j][1] = r[j][1] + b;                            row[1] = row[1] + b;
    }                                                 }
    if (j == 1)                                ->     if (j == 1)
        for (m = 0; m < 2; m++)                           for (m = 0; m < 2; m++)
            r[j][m] = r[j][m] - c * u[j][m];                  row[m] = row[m] - c * u[j][m];
                                                      if (1 <= j && j <= n || j == 1)
                                                          for (m = 0; m < 2; m++) r[j][m] = row[m];

One load and one store of each element in the place of those of each piece; and no load is behind a store, so nothing
keeps the other arrays from the read-only path (memory/merged_loads.py). An element is loaded where one of the pieces
uses it, and stored where one of them changes it, so nothing is accessed that was not. Subscripts of the variable are
numbers where short loops are unrolled, as nvcc does: its elements are registers.

    In: Facts.   Out: the Facts of the same loop with such variables, and a line that says so; or the same Facts.
    Not here: which rows -- analysis/locality/iteration_rows.py.
    Source: as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.locality.iteration_rows import Entry, IterationRow, RowUse, iteration_rows
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.elements.made_code import all_of, assigned, compared, done_where, integer
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

_POSITION = -8_000
"""The position of the first new variable, which puts such variables before all others."""

_Guards = tuple[tuple[t.Expr, ...], ...]


def with_iteration_rows(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with such rows in variables, and a line about them."""
    mapping = choose_mapping(facts, joins=True)
    body, x = mapping.body, mapping.loops[-1].var
    free = FreeNames(facts)
    rows = [_Variable(facts, row, free, _POSITION + n) for n, row in enumerate(iteration_rows(facts, body, x))]
    if not rows:
        return facts, None
    places = {use.node: row for row in rows for use in row.row.uses}

    def change(node: Node) -> Node | None:
        return places[node].element(node) if isinstance(node, t.Index) and node in places else None

    inside = rewritten(body, change)
    items = inside.items if isinstance(inside, t.Block) else (inside,)
    before = [part for row in rows for part in (row.declared(), *row.loaded())]
    behind = [part for row in rows for part in row.stored()]
    after = with_body(facts, body, t.Block(body.loc, (*before, *items, *behind)))
    if isinstance(after, Reason):
        return facts, None
    arrays = ", ".join(str(row.row.obj).lstrip("*") for row in rows)
    return after, f"variables hold the iteration's row of {arrays}"


class _Variable:
    def __init__(self, facts: Facts, row: IterationRow, free: FreeNames, position: int) -> None:
        self.row = row
        self._node = row.uses[0].node
        self._prefix = self._node
        subscripts: list[t.Expr] = []
        for _ in range(row.levels):
            assert isinstance(self._prefix, t.Index)
            subscripts.insert(0, self._prefix.index)
            self._prefix = self._prefix.base
        self._where = self._node.loc
        name = name_of(self._prefix) if row.levels else name_of(self._node)
        kind = self._prefix.type if row.levels else ty.unqualified(self._node.type)
        self._function = facts.loop.function
        self._free = free
        self._symbol = self._new(name, kind, position)
        self._counter = self._new("m", ty.INT, position + 100)

    def _new(self, name: str, kind: ty.Type, position: int) -> t.Symbol:
        return t.Symbol(self._free.take(name), kind, t.Storage.AUTO, self._where, position, self._function)

    def element(self, node: t.Index) -> t.Expr:
        """What the lvalue becomes: the last subscripts are those of the variable."""
        found: t.Expr = t.Name(self._symbol.type, node.loc, self._symbol)
        levels: list[t.Index] = []
        for _ in range(self.row.levels):
            levels.insert(0, node)
            assert isinstance(node.base, (t.Index, t.Name))
            node = node.base  # type: ignore[assignment]
        for level in levels:
            found = t.Index(level.type, level.loc, found, copied(level.index))
        return found

    def declared(self) -> t.Stmt:
        return t.DeclStmt(self._where, (t.VarDecl(self._symbol, None, self._where),))

    def loaded(self) -> Iterator[t.Stmt]:
        """What may be read before a piece has changed it."""
        uses = {entry: uses for entry, uses in self.row.elements.items() if _reads_before(uses)}
        for entries, guards in _together(uses):
            yield from _where(guards, self._copied(entries, to_memory=False))

    def stored(self) -> Iterator[t.Stmt]:
        """What the pieces have changed."""
        written = {entry: [use for use in uses if use.writes] for entry, uses in self.row.elements.items()}
        for entries, guards in _together({entry: uses for entry, uses in written.items() if uses}):
            yield from _where(guards, self._copied(entries, to_memory=True))

    def _copied(self, entries: Sequence[Entry], to_memory: bool) -> list[t.Stmt]:
        length = self._symbol.type.length if isinstance(self._symbol.type, ty.Array) else None
        if self.row.levels == 1 and isinstance(length, int) and 1 < length == len(entries):
            return [self._loop(length, to_memory)]
        return [self._move([integer(n, self._where) for n in entry], to_memory) for entry in entries]

    def _loop(self, length: int, to_memory: bool) -> t.Stmt:
        where, var = self._where, self._counter
        name = t.Name(ty.INT, where, var)
        begin = t.DeclStmt(where, (t.VarDecl(var, integer(0, where), where),))
        condition = compared("<", name, integer(length, where))
        step = t.IncDec(ty.INT, where, "++", False, t.Name(ty.INT, where, var))
        body = t.Block(where, (self._move([t.Name(ty.INT, where, var)], to_memory),))
        return t.For(where, begin, condition, step, body)

    def _move(self, entry: Sequence[t.Expr], to_memory: bool) -> t.Stmt:
        own: t.Expr = t.Name(self._symbol.type, self._where, self._symbol)
        element: t.Expr = copied(self._prefix)
        for value in entry:
            assert isinstance(own.type, ty.Array) and isinstance(element.type, ty.Array)
            own = t.Index(own.type.of, self._where, own, copied(value))
            element = t.Index(element.type.of, self._where, element, copied(value))
        target, value = (element, own) if to_memory else (own, element)
        return assigned(target, value)


def _reads_before(uses: Sequence[RowUse]) -> bool:
    """May a use read what was there before?"""
    return any(use.reads for use in uses) and (uses[0].reads or bool(uses[0].step.guards))


def _together(uses: dict[Entry, list[RowUse]]) -> Iterator[tuple[list[Entry], _Guards]]:
    """The elements that are used under the same conditions, and those; (): always."""
    groups: dict[_Guards, list[Entry]] = {}
    for entry, found in sorted(uses.items()):
        guards = tuple(dict.fromkeys(use.step.guards for use in found))
        groups.setdefault(() if () in guards else guards, []).append(entry)
    for guards, entries in groups.items():
        yield entries, guards


def _where(guards: _Guards, statements: list[t.Stmt]) -> list[t.Stmt]:
    """`statements`, where one of these groups of conditions holds."""
    if not guards:
        return statements
    found = _all(guards[0])
    for other in guards[1:]:
        found = t.Binary(ty.INT, found.loc, "||", found, _all(other))
    return done_where((found,), statements)


def _all(guards: tuple[t.Expr, ...]) -> t.Expr:
    return all_of([copied(guard) for guard in guards])
