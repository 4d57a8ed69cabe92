"""Arrays and scalar functions of a program, and what an expression may name at one place.

An array's element is spelt by `marks`, the text around its subscripts:

    a[i][j]             ("a[", "][", "]")
    a[(i) * 7 + (j)]    ("a[(", ") * 7 + (", ")]")
    p->field[i]         ("p->field[", "]")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .scalars import EXACT, Scalar
from .tree import Expr


@dataclass(frozen=True, slots=True)
class Array:
    """`name` is the variable that clauses name. Elements lie in lo..hi. `group`: arrays that may share memory."""

    name: str
    elem: Scalar
    dims: tuple[int, ...]
    marks: tuple[str, ...]
    lo: float
    hi: float
    quality: int = EXACT
    grain: int = 0
    group: str = ""
    kind: str = "static"
    length: str = ""
    """The text of the number of elements, for array sections and checksums."""

    @property
    def size(self) -> int:
        product = 1
        for extent in self.dims:
            product *= extent
        return product

    def at(self, *subscripts: Expr) -> Expr:
        """The element, an lvalue."""
        pieces: list[str | Expr] = [self.marks[0]]
        for subscript, mark in zip(subscripts, self.marks[1:], strict=True):
            pieces += [subscript, mark]
        return Expr(tuple(pieces), self.elem, self.lo, self.hi, self.grain, self.quality)


def array_like(a: Array, **changes: object) -> Array:
    """The same values under another name or with other text."""
    values = {f: getattr(a, f) for f in Array.__slots__}
    return Array(**{**values, **changes})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of scalars without side effects; `result` has the type and range of what it returns."""

    name: str
    parameters: tuple[Expr, ...]
    result: Expr


@dataclass
class Scope:
    """What an expression may name. Inner scopes copy and add."""

    scalars: list[Expr] = field(default_factory=list)
    counters: list[Expr] = field(default_factory=list)
    """Integers with small ranges: loop variables."""
    arrays: list[Array] = field(default_factory=list)
    permutations: list[Array] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    macros: list[Function] = field(default_factory=list)

    def inner(self) -> Scope:
        parts: Sequence[list[object]] = [getattr(self, name) for name in self.__dataclass_fields__]
        return Scope(*map(list, parts))  # type: ignore[arg-type]
