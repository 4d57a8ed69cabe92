"""One function of a case while it is being made: what its code may name, and the statements so far."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .bodies import Accumulator, Frame
from .forms import Forms
from .names import Names
from .objects import Array, Function, Scope
from .tree import Expr, Stmt, line, literally


@dataclass
class Site:
    """`sizes`: texts of integers whose value is known here, such as a parameter n. `variables`: every name that a
    clause may list. `top`: declarations at the head of the function. `file`: what stands before the function.
    """

    rng: random.Random
    names: Names
    file: list[Stmt]
    arrays: list[Array] = field(default_factory=list)
    scalars: list[Expr] = field(default_factory=list)
    permutations: list[Array] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    macros: list[Function] = field(default_factory=list)
    updaters: list[tuple[str, Expr]] = field(default_factory=list)
    records: list[Callable[..., list[Stmt]]] = field(default_factory=list)
    sizes: list[tuple[str, int]] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)
    top: list[Stmt] = field(default_factory=list)
    checks: bool = True
    """Whether results may be printed here."""
    statics: bool = False
    """Whether variables that a team shares must be at file scope: in a function that a parallel region calls."""

    unlisted: set[str] = field(default_factory=set)
    """Variables that a clause here must not name: they are private already."""
    extra: list[Accumulator] = field(default_factory=list)
    """Variables of the region that a loop may accumulate into without a clause."""

    def scope(self, without: set[str] = frozenset()) -> Scope:  # type: ignore[assignment]
        """Everything that may be read, but for arrays of the groups in `without`."""
        arrays = [a for a in self.arrays if a.group not in without]
        return Scope(list(self.scalars), [], arrays, list(self.permutations), list(self.functions), list(self.macros))

    def frame(self, scope: Scope, depth: int = 2) -> Frame:
        frame = Frame(scope, self.names, depth=depth)
        frame.updaters, frame.records = list(self.updaters), list(self.records)
        return frame

    def maker(self, scope: Scope | None = None) -> Forms:
        return Forms(self.rng, scope or self.scope())

    def bound(self, value: int) -> Expr:
        """An expression with this value: a number, or something with a size in it."""
        near = [(text, value - known) for text, known in self.sizes if abs(value - known) <= 4 and known > 0]
        if near and self.rng.random() < 0.75:
            text, offset = self.rng.choice(near)
            if not offset:
                return literally(text, hi=value, lo=value)
            sign = "+" if offset > 0 else "-"
            return literally(
                f"{text} {sign} {abs(offset)}" if self.rng.random() < 0.5 else f"({text} {sign} {abs(offset)})",
                lo=value,
            )
        return literally(str(value), lo=value)

    def declare_shared(self, text: str, name: str) -> None:
        """A declaration that all threads of a team see as one variable. Names at file scope need the case's prefix."""
        if self.statics:
            self.file.append(line("static " + text, pinned=True))
            self.variables.add(name)
        else:
            self.declare(text, name)

    def shared_name(self, stem: str | None) -> str:
        return self.names.file_scope(stem or "v") if self.statics else self.names.local(stem)

    def declare(self, text: str, *names: str) -> None:
        """A declaration at the head of the function."""
        self.top.append(line(text, pinned=True))
        self.variables.update(names)
