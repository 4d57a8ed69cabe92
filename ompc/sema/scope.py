"""Scopes and what names mean in them (C11 6.2.1): objects, functions, typedef names, enum constants; and tags.

The file scope keeps headers' declarations of functions and `extern` objects as they were parsed and lowers one when its
name is first looked up, or at the end of the text (`FileScope.deferred`).

A pragma has what is visible at it as `Visible`: a mapping of names to symbols which also knows typedef names, enum
constants and tags, so that clause arguments can be parsed. Once they are, it keeps the `Names` alone (omp/resolve.py).
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.base.frozen import dataclass, field
from ompc.ir import types as ty
from ompc.ir.names import Names
from ompc.ir.tree import Symbol


@dataclass(frozen=True, slots=True)
class TypedefName:
    type: ty.Type


@dataclass(frozen=True, slots=True)
class EnumConstant:
    value: int
    type: ty.Type


Entity = Symbol | TypedefName | EnumConstant
Tag = ty.Struct | ty.Enum


@dataclass(slots=True)
class Scope:
    names: dict[str, Entity] = field(default_factory=dict)
    tags: dict[str, Tag] = field(default_factory=dict)

    def name(self, name: str) -> Entity | None:
        return self.names.get(name)

    def copy(self) -> Scope:
        return Scope(dict(self.names), dict(self.tags))


@dataclass(slots=True)
class FileScope(Scope):
    """The outermost scope. `deferred` holds the declarations not lowered yet; `declare` lowers one."""

    deferred: dict[str, list[object]] = field(default_factory=dict)
    declare: Callable[[object], None] | None = None

    def name(self, name: str) -> Entity | None:
        self.lower_deferred(name)
        return self.names.get(name)

    def lower_deferred(self, name: str) -> None:
        """Lower the declarations of `name` that were put off."""
        for declaration in self.deferred.pop(name, ()):
            assert self.declare is not None
            self.declare(declaration)

    def lower_all(self) -> None:
        """Lower all that were put off: nothing of the parser's is left."""
        for name in tuple(self.deferred):
            self.lower_deferred(name)
        self.declare = None


class Visible(Names):
    """The names visible at one place while the file is read: one of the file's scope is lowered when asked for."""

    def __init__(self, file: FileScope, blocks: tuple[Scope, ...]) -> None:
        super().__init__(file.names, tuple(scope.names for scope in blocks))
        self.file = file
        self.blocks = blocks

    def entity(self, name: str) -> Entity | None:
        """What `name` means here, of whatever kind."""
        for scope in reversed(self.blocks):
            if (found := scope.names.get(name)) is not None:
                return found
        return self.file.name(name)

    def names(self) -> Names:
        """What is known now, without the means to lower more."""
        return Names(self.outermost, self.scopes)
