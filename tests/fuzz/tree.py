"""The tree of a generated program.

A node's text is a tuple of pieces, each a string or another node, so that one traversal serves printing and reduction:

    Expr(("(", a, " + ", b, ")"), INT, -4, 1000)
    Stmt(("for (int i = 0; i < ", n, "; i++)"), body=(...), pragmas=(Pragma(("parallel for",), (Clause(...),)),))

What reduction may do is said by the nodes: `pinned` statements go only together with the variable that they define,
`fixed` expressions stay (the subscript that makes iterations independent), required clauses lose items only when the
variable goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .scalars import EXACT, INT, Scalar


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression, its type and what is known of its value: lo..hi; `grain`: it is a multiple of 2^-grain.

    `quality`: EXACT values are the same in every right answer; the others differ by rounding.
    """

    pieces: tuple[str | Expr, ...]
    type: Scalar = INT
    lo: float = 0
    hi: float = 0
    grain: int = 0
    quality: int = EXACT
    fixed: bool = False


Pieces = tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """`name(prefix item, item suffix)`. `required`: without it, the program would mean something else or race."""

    name: str
    items: tuple[str, ...] = ()
    prefix: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class Pragma:
    """`style`: as a line, as _Pragma, or through the macro PRAGMA. `required`: its statement needs it."""

    directive: str
    clauses: tuple[Clause, ...] = ()
    style: str = "line"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement, declaration, function or preprocessor line. A body of None: `head` is all of it.

    `unwraps`: its body may stand in its place.
    """

    head: Pieces
    body: tuple[Stmt, ...] | None = None
    tail: Pieces = ()
    pragmas: tuple[Pragma, ...] = ()
    pinned: bool = False
    unwraps: bool = False


Program = tuple[Stmt, ...]


def text_of(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else text_of(piece.pieces) for piece in pieces)


def line(*pieces: str | Expr, pinned: bool = False) -> Stmt:
    return Stmt(pieces, pinned=pinned)


def literally(text: str, type_: Scalar = INT, lo: float = 0, hi: float | None = None) -> Expr:
    """A leaf: a variable or a constant."""
    return Expr((text,), type_, lo, lo if hi is None else hi)


def fixed(e: Expr) -> Expr:
    """The expression, kept as it is by reduction."""
    return replace(e, fixed=True)


_NAME = re.compile(r"\b[A-Za-z_]\w*")


def names_in(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


def own_names(s: Stmt) -> frozenset[str]:
    """Names in the statement's own text: not in its body, not in its clauses."""
    return names_in(text_of(s.head) + " " + text_of(s.tail))


def walk(body: Program) -> Iterator[Stmt]:
    for s in body:
        yield s
        yield from walk(s.body or ())


def used_names(body: Program) -> frozenset[str]:
    """Names in the texts of all statements, without those that only clauses name."""
    found: frozenset[str] = frozenset()
    for s in walk(body):
        found |= own_names(s)
    return found
