"""Scopes and what names mean in them (C11 6.2.1): objects, functions, typedef names, enum constants; and tags.

Headers declare thousands of functions that a program never calls, so the file scope keeps declarations of functions and
`extern` objects as they were parsed and lowers one when its name is first looked up (`FileScope.deferred`).

A pragma keeps what is visible at it as `Visible`: a mapping of names to symbols which also knows typedef names, enum
constants and tags, so that clause arguments can be parsed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ompc.base.frozen import dataclass, field
from ompc.ir import types as ty
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


class Visible(Mapping[str, Symbol]):
    """The names visible at one place, innermost declaration first. Iteration gives objects and functions only."""

    def __init__(self, file: FileScope, blocks: tuple[Scope, ...]) -> None:
        self.file = file
        self.blocks = blocks

    def entity(self, name: str) -> Entity | None:
        """What `name` means here, of whatever kind."""
        for scope in reversed(self.blocks):
            if (found := scope.names.get(name)) is not None:
                return found
        return self.file.name(name)

    def __getitem__(self, name: str) -> Symbol:
        found = self.entity(name)
        if not isinstance(found, Symbol):
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        names: dict[str, Entity] = dict(self.file.names)
        for scope in self.blocks:
            names.update(scope.names)
        return (name for name, entity in names.items() if isinstance(entity, Symbol))

    def names_in_blocks(self) -> Iterator[str]:
        """The names of objects and functions that blocks declare."""
        names = {name for scope in self.blocks for name in scope.names}
        return (name for name in names if isinstance(self.entity(name), Symbol))

    def __len__(self) -> int:
        return sum(1 for _ in self)
