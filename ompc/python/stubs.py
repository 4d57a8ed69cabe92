"""Stubs: what a library's functions and variables are, for type checkers and editors.

    heat.c      void smooth(int n, int m, double u[n][m], double v[n][m], int times)
    heat.pyi    class Library(ompc.Library):
                    smooth: Function_smooth     (n: int | np.integer, ..., u: NDArray[np.float64] | None) -> None

    if TYPE_CHECKING:
        import heat
    lib = cast("heat.Library", ompc.load("heat.c", stubs=True))

What a type cannot say is checked by the call: shapes, order, which integers fit. Objects whose elements only DLPack
knows are in no stub: NumPy's arrays have that protocol too, whatever their elements.

In: prototypes, variables.   Out: text, a file.   FileExistsError: the file is another's.
"""

from __future__ import annotations

import keyword
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ompc.ir import types as ty
from ompc.python.arrays import Wanted, is_pointer, wanted_by
from ompc.python.prototypes import Parameter, Prototype, Variable
from ompc.python.values import CannotPassError, CTypes, dtype_of, integer_of, shape_of
from ompc.render.environment import template

MARK = "Written by ompc; an edit is lost when the library is loaded again."


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    parameters: tuple[str, ...]
    result: str
    text: str
    is_attribute: bool


@dataclass(frozen=True, slots=True)
class _Variable:
    """`type` when it is read; `given` when it is set, "" if it cannot be."""

    name: str
    type: str
    given: str


def stub_text(
    sources: Sequence[Path], prototypes: Sequence[Prototype], variables: Sequence[Variable], hidden: Collection[str]
) -> str:
    """The stub of a library of these files. `hidden`: functions that only `lib["name"]` finds."""
    return template("python/stubs.pyi.j2").render(
        mark=MARK,
        sources=", ".join(source.name for source in sources),
        functions=[_function(p, p.name not in hidden and not keyword.iskeyword(p.name)) for p in prototypes],
        variables=list(_variables(variables)),
    )


def write_stub(path: Path, text: str) -> None:
    """OSError. FileExistsError: ompc has not written what is there."""
    if path.exists():
        found = path.read_text(errors="replace")
        if found == text:
            return
        if not found.startswith(f"# {MARK}\n"):
            raise FileExistsError(f"{path} is not ompc's; stubs=FILE names another file for the stubs")
    path.write_text(text)


def _function(prototype: Prototype, is_attribute: bool) -> _Function:
    text = "\n\n".join(part for part in (prototype.text, prototype.comment) if part)
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    names = {parameter.name for parameter in prototype.parameters}
    own = next(name for name in ("self", "self_", "self__") if name not in names)
    try:
        types = [_given(p) for p in prototype.parameters]
        result = _result(prototype.result)
        if prototype.variadic:
            raise CannotPassError("it has a variable number of arguments")
    except CannotPassError:
        parameters = (own, "/", "*args: _Any", "**named: _Any")
        return _Function(prototype.name, parameters, "_NoReturn", text, is_attribute)
    given = [f"{p.name}: {of}" for p, of in zip(prototype.parameters, types, strict=True)]
    stream = [] if "stream" in names else ["*", "stream: _Any = None"]
    return _Function(prototype.name, (own, "/", *given, *stream), result, text, is_attribute)


# ---------------------------------------------------------------- types


def _given(parameter: Parameter) -> str:
    """What may be passed. CannotPassError: nothing."""
    if is_pointer(parameter.type):
        return _pointer(wanted_by(parameter))
    CTypes().of(parameter.type)
    integer = integer_of(parameter.type)
    if integer is not None:
        return "_Integer | _builtins.bytes" if integer.size == 1 and integer.name != "_Bool" else "_Integer"
    return "_Number" if isinstance(parameter.type, ty.Float) else "_Struct"


def _pointer(wanted: Wanted) -> str:
    if isinstance(wanted.element, ty.Pointer):
        return "_Opaque | _Array[_np.uintp] | _Sequence[_Any]"
    if wanted.is_opaque or wanted.dtype is None:
        is_bytes = isinstance(wanted.element, ty.Void) and wanted.is_const
        return f"_Opaque | _Array[_Any]{' | _builtins.bytes' * is_bytes}"
    if isinstance(wanted.element, ty.Struct):
        return "_Structs | _Pointer"
    is_text = wanted.is_const and _is_byte(wanted.element) and len(wanted.lengths) <= 1
    return f"_Array[{_elements(wanted.element)}] | _ctypes.Array[_Any] | _Pointer{' | _builtins.bytes' * is_text}"


def _is_byte(kind: ty.Type) -> bool:
    integer = integer_of(kind)
    return integer is not None and integer.size == 1


def _elements(kind: ty.Type) -> str:
    """The scalar types of NumPy whose arrays look like the elements in memory."""
    if _is_byte(kind):
        return "_np.int8 | _np.uint8 | _np.bool_ | _np.bytes_"
    return _scalar(kind)


def _scalar(kind: ty.Type) -> str:
    """The scalar type of NumPy; its own name for what has no size in it."""
    dtype = dtype_of(kind)
    if dtype is None:
        raise CannotPassError("NumPy has no such elements")
    if isinstance(kind, ty.Struct):
        return "_np.void"
    names = {"bool": "bool_", "float128": "longdouble", "complex256": "clongdouble"}
    return f"_np.{names.get(dtype.name, dtype.name)}"


def _result(kind: ty.Type) -> str:
    """CannotPassError: there is no such value in Python."""
    CTypes().of(kind)
    match kind:
        case ty.Void():
            return "None"
        case ty.Int(name="_Bool"):
            return "_builtins.bool"
        case ty.Float():
            return "_builtins.float"
        case ty.Pointer():
            return "_Address | None"
        case ty.Struct():
            return "_np.void" if dtype_of(kind) is not None else "_ctypes.Structure"
        case _:
            return "_builtins.int"


def _variables(variables: Sequence[Variable]) -> Iterator[_Variable]:
    """Those that can be read."""
    for variable in variables:
        if keyword.iskeyword(variable.name):
            continue
        try:
            yield _variable(variable)
        except CannotPassError:
            continue


def _variable(variable: Variable) -> _Variable:
    kind = variable.type
    is_const = "const" in ty.element_of(kind).quals
    if isinstance(kind, (ty.Array, ty.Struct)):
        if shape_of(kind) is None:
            raise CannotPassError("its size is not known")
        is_array = isinstance(kind, ty.Array) and not is_const
        return _Variable(variable.name, f"_Array[{_scalar(ty.element_of(kind))}]", "_npt.ArrayLike" * is_array)
    if is_const or isinstance(kind, ty.Pointer):
        return _Variable(variable.name, _result(kind), "")
    return _Variable(variable.name, _result(kind), "_Number" if isinstance(kind, ty.Float) else "_Integer")
