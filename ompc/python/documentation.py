"""What `help` says of a library and of a C function.

    void scale(int n, int m, double a[n][m])            the prototype
    Scales a matrix in place.                           its comment
    Parameters: n: an integer ...                       what Python passes
    Raises: TypeError: ...
    Parallel loops: line 5: parallel for: on the device

In: prototypes, the regions of reports.   Out: text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ompc.ir import types as ty
from ompc.python.arrays import expected, is_pointer, wanted_by
from ompc.python.prototypes import Parameter, Prototype, Variable
from ompc.python.values import dtype_of, dtype_text, integer_of


def function_text(prototype: Prototype, regions: Iterable[Mapping[str, Any]]) -> str:
    """The documentation of a function; `regions` are its loops, where there is a device."""
    parts = [prototype.text, prototype.comment]
    parts.append(_section("Parameters", (f"{p.name}: {_value_text(p)}" for p in prototype.parameters)))
    parts.append(_section("Raises", _errors(prototype)))
    parts.append(_section("Parallel loops", map(_loop_text, regions)))
    return "\n\n".join(part for part in parts if part)


def library_text(prototypes: Sequence[Prototype], variables: Sequence[Variable]) -> str:
    """The documentation of a library: each function with the first line of its own."""
    functions: list[str] = []
    for prototype in prototypes:
        functions += [prototype.text, *(f"    {first}" for first in prototype.comment.splitlines()[:1])]
    parts = [_section("Functions", functions), _section("Variables (lib.globals)", (v.text for v in variables))]
    return "\n\n".join(["C functions for Python.", *(part for part in parts if part)])


def _section(name: str, lines: Iterable[str]) -> str:
    found = [f"    {line}" for line in lines]
    return "\n".join([f"{name}:", *found]) if found else ""


def _value_text(parameter: Parameter) -> str:
    kind = parameter.type
    if is_pointer(kind):
        wanted = wanted_by(parameter)
        shape = "" if wanted.lengths or wanted.is_opaque or wanted.dtype is None else " of any shape"
        return expected(wanted, {}) + shape + ("" if wanted.is_const else ", which may be written to")
    if integer_of(kind) is not None:
        return "True or False" if isinstance(kind, ty.Int) and kind.name == "_Bool" else "an integer"
    dtype = dtype_of(kind)
    if isinstance(kind, ty.Struct):
        return "a structure of ctypes" if dtype is None else f"a record of {dtype_text(dtype)}, a tuple or a dict"
    return "a number"


def _errors(prototype: Prototype) -> Iterator[str]:
    kinds = [parameter.type for parameter in prototype.parameters]
    if not kinds:
        return
    has_pointers = any(map(is_pointer, kinds))
    values = ["an integer that does not fit"] * any(integer_of(kind) is not None for kind in kinds)
    values += ["an array of another shape or order", "a loop that would leave one"] * has_pointers
    yield "TypeError: arguments of another type"
    if values:
        yield f"ValueError: {'; '.join(values)}"
    if any(isinstance(kind, ty.Float) for kind in kinds):
        yield "OverflowError: a number that is too large"
    if has_pointers:
        yield "RuntimeError: an array on a device that cannot be used"


def _loop_text(region: Mapping[str, Any]) -> str:
    if region["target"] == "gpu":
        return f"line {region['line']}: {region['directive']}: on the device"
    reason = region["reason"]
    return f"line {region['line']}: {region['directive']}: on the host, {reason['message']} [{reason['code']}]"
