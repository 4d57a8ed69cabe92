"""Make the tree of a failing case small, while it still fails in the same way.

Larger pieces first, each tried while the last round changed anything:

    statements    deleted (halves, quarters, ... of each list); a body in place of its statement
    variables     with every statement and clause item that names them, pinned ones too
    pragmas       and clauses that the program does not need
    expressions   an operand, or a constant, in place of the expression
    numbers       smaller

What a candidate means does not matter, only that gcc accepts it, that its sanitizers find nothing and that the number
of threads does not change its output; `fails` checks that.

In: a case, and whether a candidate fails.   Out: the smallest case found with at most `most` questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .cases import Case
from .tree import Clause, Expr, Pieces, Pragma, Program, Stmt, own_names, walk

Fails = Callable[[Program], bool]


@dataclass
class Reducer:
    """Counts its questions; `best` is the smallest program that fails."""

    best: Program
    fails: Fails
    left: int

    def offer(self, candidate: Program) -> bool:
        if self.left <= 0 or candidate == self.best:
            return False
        self.left -= 1
        if not self.fails(candidate):
            return False
        self.best = candidate
        return True


def reduce_case(case: Case, fails: Callable[[Case], bool], most: int = 200) -> Case:
    reducer = Reducer(case.program, lambda program: fails(Case(case.number, program)), most)
    size = -1
    while reducer.left > 0 and size != (size := _size(reducer.best)):
        for step in (_delete_statements, _delete_variables, _unwrap, _delete_clauses, _simplify, _shrink_numbers):
            step(reducer)
    return Case(case.number, reducer.best)


def _size(program: Program) -> int:
    return len(repr(program))


# Statements are addressed by paths: positions from the outermost list inwards.
Path = tuple[int, ...]


def paths(program: Program, above: Path = ()) -> Iterator[tuple[Path, Stmt]]:
    for number, s in enumerate(program):
        yield (*above, number), s
        yield from paths(s.body or (), (*above, number))


def edit(program: Program, path: Path, change: Callable[[Stmt], tuple[Stmt, ...]]) -> Program:
    """The program with the statement at `path` replaced by what `change` makes of it."""
    first, rest = path[0], path[1:]
    s = program[first]
    new = (replace(s, body=edit(s.body or (), rest, change)),) if rest else change(s)
    return (*program[:first], *new, *program[first + 1 :])


def without(program: Program, doomed: set[Path]) -> Program:
    """The program without these statements."""

    def kept(body: Program, above: Path) -> Program:
        found = []
        for number, s in enumerate(body):
            path = (*above, number)
            if path not in doomed:
                found.append(s if s.body is None else replace(s, body=kept(s.body, path)))
        return tuple(found)

    return kept(program, ())


def _delete_statements(reducer: Reducer) -> None:
    """Runs of statements of one list, long runs first. Pinned ones stay here."""
    length = 16
    while length and reducer.left > 0:
        position = 0
        while True:
            loose = [path for path, s in paths(reducer.best) if not s.pinned]
            groups: dict[Path, list[Path]] = {}
            for path in loose:
                groups.setdefault(path[:-1], []).append(path)
            runs = [
                g[k : k + length] for g in groups.values() for k in range(0, len(g), length) if len(g) > length // 2
            ]
            if position >= len(runs) or reducer.left <= 0:
                break
            if not reducer.offer(without(reducer.best, set(runs[position]))):
                position += 1
        length //= 2


def _delete_variables(reducer: Reducer) -> None:
    names = sorted(set().union(*(own_names(s) for s in walk(reducer.best) if s.pinned)))
    for name in names:
        doomed = {path for path, s in paths(reducer.best) if name in own_names(s)}
        if doomed:
            reducer.offer(_without_item(without(reducer.best, doomed), name))


def _without_item(program: Program, name: str) -> Program:
    """No clause names the variable."""

    def clause(c: Clause) -> Clause | None:
        items = tuple(item for item in c.items if not re.search(rf"\b{name}\b", item))
        return None if c.items and not items else replace(c, items=items)

    def pragma(p: Pragma) -> Pragma:
        return replace(p, clauses=tuple(kept for c in p.clauses if (kept := clause(c)) is not None))

    def statement(s: Stmt) -> Stmt:
        body = None if s.body is None else tuple(map(statement, s.body))
        return replace(s, pragmas=tuple(map(pragma, s.pragmas)), body=body)

    return tuple(map(statement, program))


def _unwrap(reducer: Reducer) -> None:
    """A body in place of its statement; the plain loop in place of the parallel one."""
    for path, s in reversed(list(paths(reducer.best))):
        if s.unwraps and s.body is not None and _still(reducer.best, path, s):
            reducer.offer(edit(reducer.best, path, lambda s: s.body or ()))
    for path, s in reversed(list(paths(reducer.best))):
        if s.pragmas and not any(p.required for p in s.pragmas) and _still(reducer.best, path, s):
            reducer.offer(edit(reducer.best, path, lambda s: (replace(s, pragmas=()),)))


def _still(program: Program, path: Path, s: Stmt) -> bool:
    """Whether the statement is still at its path after other changes."""
    return any(found == s for at, found in paths(program) if at == path)


def _delete_clauses(reducer: Reducer) -> None:
    for path, s in list(paths(reducer.best)):
        for number, p in enumerate(s.pragmas):
            for c in p.clauses:
                if not c.required:
                    fewer = replace(p, clauses=tuple(x for x in p.clauses if x != c))
                    pragmas = (*s.pragmas[:number], fewer, *s.pragmas[number + 1 :])
                    if reducer.offer(
                        edit(reducer.best, path, lambda s, pragmas=pragmas: (replace(s, pragmas=pragmas),))
                    ):
                        s, p = replace(s, pragmas=pragmas), fewer  # noqa: PLW2901 - the statement as it is now
            if p.style != "line":
                plain = replace(s, pragmas=tuple(replace(x, style="line") for x in s.pragmas))
                reducer.offer(edit(reducer.best, path, lambda _, plain=plain: (plain,)))


def _simpler(e: Expr) -> Iterator[Expr]:
    """Expressions to try in place of `e`."""
    if not e.fixed and len(e.pieces) > 1:
        yield Expr(("1",), e.type, 1, 1)
        yield from (piece for piece in e.pieces if isinstance(piece, Expr))


def _variants(pieces: Pieces) -> Iterator[Pieces]:
    """The pieces with one expression in them replaced by a simpler one, outermost first."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, Expr) and not piece.fixed:
            for simpler in _simpler(piece):
                yield (*pieces[:number], simpler, *pieces[number + 1 :])
    for number, piece in enumerate(pieces):
        if isinstance(piece, Expr) and not piece.fixed:
            for inner in _variants(piece.pieces):
                yield (*pieces[:number], replace(piece, pieces=inner), *pieces[number + 1 :])


def _simplify(reducer: Reducer) -> None:
    position = 0
    while reducer.left > 0:
        statements = list(paths(reducer.best))
        if position >= len(statements):
            return
        path, s = statements[position]
        for head in _variants(s.head):
            if reducer.offer(edit(reducer.best, path, lambda s, head=head: (replace(s, head=head),))):
                break
        else:
            position += 1


def _shrink_numbers(reducer: Reducer) -> None:
    """Every occurrence of a number by a smaller one, in all texts at once: an array's size and its loops' bounds."""
    numbers = sorted({int(n) for n in re.findall(r"\b\d+\b", repr(reducer.best)) if 4 < int(n) < 10000}, reverse=True)
    for number in numbers[:12]:
        for smaller in (2, number // 2):
            if reducer.offer(_with_number(reducer.best, number, smaller)):
                break


def _with_number(program: Program, number: int, smaller: int) -> Program:
    pattern = re.compile(rf"\b{number}\b")

    def change(pieces: Pieces) -> Pieces:
        return tuple(
            pattern.sub(str(smaller), p) if isinstance(p, str) else replace(p, pieces=change(p.pieces)) for p in pieces
        )

    def statement(s: Stmt) -> Stmt:
        body = None if s.body is None else tuple(map(statement, s.body))
        return replace(s, head=change(s.head), tail=change(s.tail), body=body)

    return tuple(map(statement, program))
