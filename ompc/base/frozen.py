"""Data classes that are quick to define and to make.

A translation defines six hundred data classes before it begins, and makes nodes and tokens by the hundred thousand. The
standard library compiles each method of each class from text, two of them to refuse assignments, and fills a frozen
instance through `object.__setattr__`. That took two fifths of the time in which ompc's modules are imported. Here
nothing refuses assignments but mypy, which reads all of ompc, and the tests, where `ENFORCED` is set before a stage is
imported; all classes share one `__repr__`; instances are compared by functions that ask for the tuple of their fields;
and `__init__`, the only method that is compiled from text, is compiled when the first instance of the class is made.

In: a class, as for dataclasses.dataclass, without `InitVar`.   Out: the data class.
Not here: classes that users of the package make instances of, python/; they are the standard library's.
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
            if cls.__doc__ is None:
                cls.__doc__ = cls.__name__  # else that is made from the signature, which is looked for
            found = dataclasses.dataclass(cls, eq=order, order=order, repr=False, init=False, **others)
            found.__init__ = _compiled_late(found)
            if frozen and others.get("slots") and "__getstate__" not in own:
                found.__getstate__, found.__setstate__ = _state, _set_state
            if not has_repr:
                found.__repr__ = _repr
            if eq and not has_eq:
                found.__eq__ = _equality(found)
            if eq and not has_hash:
                found.__hash__ = _hash(found) if frozen else None
            return found

        return made if cls is None else made(cls)


def _compiled_late(cls: Any) -> Callable[..., None]:
    """An `__init__` that gives the class its own one when it is called for the first time."""

    def first(self: Any, /, *given: Any, **named: Any) -> None:
        cls.__init__ = _init(cls)
        cls.__init__(self, *given, **named)

    return first


_ABSENT = object()
"""The argument for a field whose default is made anew for each instance."""


def _init(cls: type) -> Callable[..., None]:
    """What the standard library makes, as quick as it can be: assignments."""
    known: dict[str, object] = {"_absent": _ABSENT}
    parameters: dict[bool, list[str]] = {False: [], True: []}  # may it be named only?
    lines = []
    for each in dataclasses.fields(cls):
        name, value = each.name, each.name
        default = ""
        if each.default is not dataclasses.MISSING:
            known[f"_of_{name}"] = each.default
            value, default = name if each.init else f"_of_{name}", f"=_of_{name}"
        elif each.default_factory is not dataclasses.MISSING:
            known[f"_of_{name}"] = each.default_factory
            value = f"_of_{name}() if {name} is _absent else {name}" if each.init else f"_of_{name}()"
            default = "=_absent"
        elif not each.init:
            continue  # `__post_init__` has it to say
        lines.append(f" self.{name} = {value}")
        if each.init:
            parameters[bool(each.kw_only)].append(name + default)
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    named_only = ["*", *parameters[True]] if parameters[True] else []
    heading = f"def __init__({', '.join(['self', *parameters[False], *named_only])}):"
    exec("\n".join([heading, *lines, " pass"]), known)
    made: Any = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made  # type: ignore[no-any-return]


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


def _state(self: Any) -> list[Any]:
    """What is pickled: as the standard library has it, since one process may enforce what another one does not."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        setattr(self, each.name, value)


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
