"""Frozen data classes that are quick to define and to make.

A translation defines hundreds of data classes before it begins, and makes nodes and tokens by the hundred thousand.
The standard library compiles each method of each class from text, two of them to refuse assignments, and fills a
frozen instance through `object.__setattr__`. Here nothing refuses assignments but mypy, which reads all of ompc, and
the tests, where `ENFORCED` is set before a stage is imported; all classes share one `__repr__`; and instances are
compared by functions that ask for the tuple of their fields, so that only `__init__` is compiled from text.

In: a class, as for dataclasses.dataclass.   Out: the data class.
Not here: classes of which a run makes few; they are the standard library's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field as field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

ENFORCED = False
"""Does an assignment to an instance raise an error?"""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, order=False, **others):
        """As dataclasses.dataclass."""

        def made(cls):
            if ENFORCED:
                return dataclasses.dataclass(cls, eq=eq, frozen=frozen, order=order, **others)
            own = vars(cls)
            has_repr, has_eq, has_hash = "__repr__" in own, "__eq__" in own, own.get("__hash__") is not None
            found = dataclasses.dataclass(cls, eq=order, order=order, repr=False, **others)
            if not has_repr:
                found.__repr__ = _repr
            if eq and not has_eq:
                found.__eq__ = _equality(found)
            if eq and not has_hash:
                found.__hash__ = _hash(found) if frozen else None
            return found

        return made if cls is None else made(cls)


def _equality(cls: type) -> Callable[[Any, object], Any]:
    values = _values([field.name for field in dataclasses.fields(cls) if field.compare])

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return equal


def _hash(cls: type) -> Callable[[Any], int]:
    values = _values(
        [field.name for field in dataclasses.fields(cls) if (field.compare if field.hash is None else field.hash)]
    )

    def hash_of(self: Any) -> int:
        return hash(values(self))

    return hash_of


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What makes the tuple of these attributes of an instance; `attrgetter` makes one of two and more."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
