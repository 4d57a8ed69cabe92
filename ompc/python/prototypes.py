"""What a C file offers: its functions and variables with external linkage, and their types as they are written.

    /* Scales a matrix in place. */
    void scale(int n, int m, double a[n][m], double f)

    scale: (int n, int m, double a[n][m], double f) -> void, "Scales a matrix in place."

In: a typed unit, the text of its file.   Out: Prototype, Variable.
Not here: what their values are in Python -- values.py; which comment is whose -- comments.py.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import type_text
from ompc.python.comments import comment_of

RUNTIME = (
    *("ompc_call_begin", "ompc_call_end"),
    *("ompc_device_allocate", "ompc_device_release", "ompc_device_copy"),
)
"""The functions that a library exports besides the user's names."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """`name` as Python has it; `type` as it is written: `double a[n][m]` is an array. `position`: 0 is the first."""

    name: str
    type: ty.Type
    symbol: t.Symbol
    position: int

    @property
    def text(self) -> str:
        """The declaration in C."""
        return type_text(self.type, self.symbol.name)


@dataclass(frozen=True, slots=True)
class Prototype:
    """`line` is that of the function's name; `comment` what documents it, without the marks of a comment."""

    name: str
    result: ty.Type
    parameters: tuple[Parameter, ...]
    variadic: bool
    comment: str
    file: str
    line: int

    @property
    def text(self) -> str:
        """The prototype in C."""
        parameters = [parameter.text for parameter in self.parameters] + ["..."] * self.variadic
        return type_text(self.result, f"{self.name}({', '.join(parameters) or 'void'})")


@dataclass(frozen=True, slots=True)
class Variable:
    """An object at file scope."""

    name: str
    type: ty.Type

    @property
    def text(self) -> str:
        return type_text(self.type, self.name)


def prototypes_of(unit: t.Unit, lines: Sequence[str]) -> Iterator[Prototype]:
    """Of the functions that other files could call; `lines` of the unit's own file."""
    for name, function in unit.functions.items():
        if name in unit.internal or function.inline or name == "main":
            continue
        kind = function.symbol.type
        assert isinstance(kind, ty.Function)
        at = function.symbol.loc
        comment = comment_of(lines, at.line) if at.file == unit.file else ""
        parameters = _parameters(function)
        yield Prototype(name, kind.returns, parameters, kind.variadic, comment, at.file, at.line)


def variables_of(unit: t.Unit) -> Iterator[Variable]:
    """The variables that other files could name, and that are defined here."""
    for decl in unit.variables:
        if decl.symbol.storage is t.Storage.GLOBAL and not decl.symbol.threadprivate:
            yield Variable(decl.symbol.name, decl.symbol.type)


def _parameters(function: t.Function) -> tuple[Parameter, ...]:
    found: dict[str, Parameter] = {}
    for position, symbol in enumerate(function.params):
        name = symbol.name or f"arg{position}"
        while keyword.iskeyword(name) or name in found:
            name += "_"
        found[name] = Parameter(name, symbol.written or symbol.type, symbol, position)
    return tuple(found.values())
