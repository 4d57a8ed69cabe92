"""Frozen data classes that are quick to define and to make.

A translation defines hundreds of data classes before it begins, and makes nodes and tokens by the hundred thousand.
The standard library compiles each method of each class from text, two of them to refuse assignments, and fills a
frozen instance through `object.__setattr__`. Here nothing refuses assignments but mypy, which reads all of ompc, and
the tests, where `ENFORCED` is set before a stage is imported; and all classes share one `__repr__`.

In: a class, as for dataclasses.dataclass.   Out: the data class.
Not here: classes of which a run makes few; they are the standard library's.
"""

from __future__ import annotations

import dataclasses
from dataclasses import field as field
from typing import TYPE_CHECKING, Any

ENFORCED = False
"""Does an assignment to an instance raise an error?"""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, **others):
        """As dataclasses.dataclass."""

        def made(cls):
            if ENFORCED:
                return dataclasses.dataclass(cls, eq=eq, frozen=frozen, **others)
            has_repr = "__repr__" in vars(cls)
            is_hashed = eq and frozen and vars(cls).get("__hash__") is None
            found = dataclasses.dataclass(cls, eq=eq, repr=False, unsafe_hash=is_hashed, **others)
            if not has_repr:
                found.__repr__ = _repr
            return found

        return made if cls is None else made(cls)


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
