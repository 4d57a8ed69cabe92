"""A function of ompc answers something else, in this process, for a while.

The function is exchanged wherever a module of ompc has it by name, and in its class: methods, properties and cached
properties too. All of ompc is imported before, so that no module takes the changed one home.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial, wraps
from types import FunctionType
from typing import Any

import ompc

from .checks import Check


@contextmanager
def disabled(check: Check) -> Iterator[None]:
    """The check gives its answer without looking."""

    def instead(_: Callable[..., Any], arguments: dict[str, object]) -> object:
        return check.disabled.give(arguments)

    with _exchanged((check,), lambda _: instead):
        yield


@contextmanager
def observed(checks: Sequence[Check]) -> Iterator[set[str]]:
    """Gives the names of those that have answered, raised or noted something else than they would if disabled."""
    bitten: set[str] = set()

    def watched(check: Check) -> Callable[..., object]:
        def instead(original: Callable[..., Any], arguments: dict[str, object]) -> object:
            if check.name in bitten:
                return original()
            try:
                answer = original()
            except BaseException:
                bitten.add(check.name)
                raise
            if inspect.isgenerator(answer):
                answer = tuple(answer)
            if check.acts or answer != check.disabled.give(arguments):
                bitten.add(check.name)
            return answer

        return instead

    with _exchanged(checks, watched):
        yield bitten


@contextmanager
def _exchanged(checks: Sequence[Check], instead: Callable[[Check], Callable[..., object]]) -> Iterator[None]:
    """Each of the functions by what `instead` makes of it, one around the other where checks are one function."""
    places = [_places_of(check) for check in checks]
    _forget()
    made: dict[int, Any] = {}
    for check, (old, setters) in zip(checks, places, strict=True):
        made[id(old)] = new = _like(made.get(id(old), old), instead(check))
        for put in setters:
            put(new)
    try:
        yield
    finally:
        for old, setters in places:
            for put in setters:
                put(old)
        _forget()


@cache
def _places_of(check: Check) -> tuple[Any, tuple[Callable[[Any], None], ...]]:
    """The function as it is, and what puts another one into each of its places."""
    import_all()
    owner, name = owner_of(check)
    old = inspect.getattr_static(owner, name)
    if inspect.isclass(owner):
        return old, (partial(setattr, owner, name),)
    found = [(names, key) for names in _modules() for key, value in names.items() if value is old]
    return old, tuple(partial(names.__setitem__, key) for names, key in found)


def _like(old: Any, instead: Callable[..., object]) -> Any:
    """Of the same kind of attribute as `old`."""
    match old:
        case staticmethod():
            return staticmethod(_function(old.__func__, instead))
        case classmethod():
            return classmethod(_function(old.__func__, instead))
        case property():
            assert old.fget is not None
            return property(_function(old.fget, instead))
        case cached_property():
            made = cached_property(_function(old.func, instead))
            made.__set_name__(None, old.attrname)  # type: ignore[arg-type]
            return made
        case _:
            return _function(old, instead)


def _function(old: Callable[..., Any], instead: Callable[..., object]) -> Callable[..., Any]:
    signature = inspect.signature(old)

    @wraps(old)
    def function(*args: object, **named: object) -> object:
        return instead(lambda: old(*args, **named), signature.bind(*args, **named).arguments)

    return function


def owner_of(check: Check) -> tuple[Any, str]:
    """The module or class that has the function. Raises LookupError where there is none."""
    owner: Any = importlib.import_module(check.module)
    *classes, name = check.function.split(".")
    for part in classes:
        owner = vars(owner)[part]
    if name not in vars(owner):
        raise LookupError(f"{check.place} is no function of ompc")
    return owner, name


def function_of(check: Check) -> FunctionType:
    """The function as it is written, whatever stands around it."""
    owner, name = owner_of(check)
    found = inspect.getattr_static(owner, name)
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "func", getattr(found, "__func__", found))
    plain = inspect.unwrap(found)
    assert isinstance(plain, FunctionType)
    return plain


@cache
def import_all() -> None:
    for module in pkgutil.walk_packages(ompc.__path__, "ompc."):
        if not module.name.endswith("__main__") and ".runtime." not in module.name:
            importlib.import_module(module.name)


@cache
def _modules() -> list[dict[str, Any]]:
    return [vars(module) for name, module in list(sys.modules.items()) if name.split(".")[0] == "ompc"]


@cache
def _remembering() -> list[Callable[[], None]]:
    """What makes functions of ompc forget, since what they remember may follow from a check."""
    import_all()
    found = [value.cache_clear for names in _modules() for value in names.values() if hasattr(value, "cache_clear")]
    return list(dict.fromkeys(found))


def _forget() -> None:
    for clear in _remembering():
        clear()
