"""Analysis: which functions a call through a pointer may reach, for the message that says why it cannot be translated.

    p->friction(h, q)      'p->friction', which may be 'manning' or 'chezy': defined here, of its type, and named by
                           itself somewhere, not only called

A name in a message is all that follows: another file may put a function of its own there.

    In: the unit, the call.   Out: words.   Not here: the refusal -- analysis/eligibility/device_code.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk

_MOST = 4
"""The most functions that a message names; where there are more, it names none."""


def pointer_words(call: t.Call, unit: t.Unit) -> str:
    """The pointer as it is written, and what it may point to, as far as it is seen."""
    pointer = call.function
    while isinstance(pointer, (t.Cast, t.Unary)):  # (*p)(x) is p(x)
        pointer = pointer.operand
    named = list(dict.fromkeys(_pointed(unit, _called(call.function.type))))
    told = "" if not 0 < len(named) <= _MOST else f", which may be {_listed(named)}"
    return f"the function pointer '{c_expr(pointer)}'{told}"


def _called(pointer: ty.Type) -> ty.Type:
    return pointer.to if isinstance(pointer, ty.Pointer) else pointer


def _pointed(unit: t.Unit, wanted: ty.Type) -> Iterator[str]:
    """Functions of that type whose names stand for their addresses."""
    for root in _roots(unit):
        called = {id(node.function) for node in walk(root) if isinstance(node, t.Call)}
        for node in walk(root):
            if isinstance(node, t.Name) and id(node) not in called and node.symbol.type == wanted:
                yield node.symbol.name


def _roots(unit: t.Unit) -> Iterator[Node]:
    yield from (variable.init for variable in unit.variables if variable.init is not None)
    yield from (function.body for function in unit.functions.values() if function.body is not None)


def _listed(names: list[str]) -> str:
    *others, last = (f"'{name}'" for name in names)
    return f"{', '.join(others)} or {last}" if others else last
