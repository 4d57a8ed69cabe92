"""Entries: functions of a library that take Python's arguments in C, so that a call takes a microsecond or two.

    void scale(int n, double a[n], double f)      scale(10, a, 2.0): converted, checked and called by an entry
                                                  scale(10, a[::2], "x"): declined, and Python's own way says why

The text is made for the library, compiled by its C compiler into a shared object beside it, and kept in the cache. It
needs no headers of Python's. Where it cannot be had (another Python than CPython, no lock of the interpreter, a
compiler that refuses it) all calls go Python's way, with the same results.

In: prototypes, which arrays only loops touch.   Out: Entries.   Not here: what an entry does -- native/ompc_calls.h;
    what is checked in Python -- library.py, arrays.py.
"""

from __future__ import annotations

import ctypes
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ompc.base.ending import temporary_directory
from ompc.base.resources import PACKAGE, package_digest
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import type_text
from ompc.python.arrays import is_pointer, wanted_by
from ompc.python.calls import Calls, failed
from ompc.python.device import DeviceArray
from ompc.python.prototypes import Parameter, Prototype
from ompc.python.values import integer_of
from ompc.render.environment import template
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.machine.cc import Compiler, run_tool

MOST_PARAMETERS, MOST_DIMENSIONS = 24, 8
"""As in native/ompc_calls.h."""

Kept = Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class _Parameter:
    """As the template has it; `lengths` are C text, None: any."""

    position: int
    kind: str
    least: str = "0"
    most: str = "0"
    lengths: tuple[str | None, ...] = ()
    kept: bool = False
    written: bool = False


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    text: str
    parameters: tuple[_Parameter, ...]
    result: str
    call: str


class _Library(ctypes.Structure):
    """`struct ompc_library`."""

    _fields_ = (
        ("array_types", ctypes.py_object * 2),
        ("device_type", ctypes.py_object),
        ("integer_type", ctypes.py_object),
        ("floating_type", ctypes.py_object),
        ("used", ctypes.py_object),
        ("left", ctypes.py_object),
        ("failed", ctypes.py_object),
        ("home", ctypes.py_object),
        ("begin", ctypes.c_void_p),
        ("end", ctypes.c_void_p),
        ("takes_gpu", ctypes.c_int),
    )


class Entry:
    """`call(*arguments)`, `call_in_stream(*arguments, handle)`: the result, or NotImplemented if nothing was done."""

    def __init__(self, native: Any, methods: tuple[Any, Any], prototype: Prototype) -> None:
        self.call, self.call_in_stream = methods
        self._accept = native.ompc_entry_accept
        self._pointers = [p.position for p in prototype.parameters if is_pointer(p.type)]
        self._known: set[tuple[int, int]] = set()
        for parameter in prototype.parameters:
            wanted = wanted_by(parameter) if is_pointer(parameter.type) else None
            if wanted is not None and wanted.dtype is not None:
                self._learn_dtype(parameter.position, wanted.dtype)

    def learn(self, given: Sequence[object]) -> None:
        """The arguments were right, which Python has found: such elements are taken from now on."""
        for position in self._pointers:
            value = given[position]
            if isinstance(value, np.ndarray):
                self._learn_dtype(position, value.dtype)

    def _learn_dtype(self, position: int, dtype: np.dtype[Any]) -> None:
        if (position, id(dtype)) in self._known or not _is_steady(dtype):
            return
        self._known.add((position, id(dtype)))
        typestr = dtype.str if dtype.names is None and dtype.subdtype is None else None
        self._accept(self.call.__self__, position, dtype, dtype.names, typestr, dtype.itemsize, dtype.alignment)


def _is_steady(dtype: np.dtype[Any]) -> bool:
    """Do its parts never change, and need arrays of it no more than these checks? Members can be renamed in place,
    which is seen for those of the array itself; texts need a zero at their end.
    """
    if dtype.hasobject or dtype.kind in "SU":
        return False
    return dtype.fields is None or all(field[0].base.names is None for field in dtype.fields.values())


class Entries:
    """The entries of one library. `handle`: its shared object, as ctypes has it."""

    def __init__(self, native: Any, functions: Sequence[str], handle: Any, calls: Calls, takes_gpu: bool) -> None:
        native.ompc_entries_begin()
        native.ompc_entry_new.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        native.ompc_entry_new.restype = ctypes.py_object
        accept = [ctypes.py_object, ctypes.c_int, *[ctypes.py_object] * 3, ctypes.c_ssize_t, ctypes.c_ssize_t]
        native.ompc_entry_accept.argtypes, native.ompc_entry_accept.restype = accept, None
        self._native, self._handle = native, handle
        self._numbers = {name: number for number, name in enumerate(functions)}
        arrays = (ctypes.py_object * 2)(ctypes.py_object(np.ndarray), ctypes.py_object(np.memmap))
        self._library = _Library(
            arrays, DeviceArray, np.integer, np.floating, calls.used, calls.left, failed, handle, *calls.addresses
        )
        self._library.takes_gpu = takes_gpu

    def entry_of(self, prototype: Prototype) -> Entry | None:
        """None: its arguments are converted in Python."""
        number = self._numbers.get(prototype.name)
        if number is None:
            return None
        code = ctypes.cast(getattr(self._handle, prototype.name), ctypes.c_void_p)
        made = self._native.ompc_entry_new(number, ctypes.addressof(self._library), code)
        return Entry(self._native, made, prototype)


def load_entries(
    prototypes: Sequence[Prototype], kept: Kept, compiler: Compiler, environ: Mapping[str, str], cache: Cache
) -> tuple[Any, Sequence[str]] | None:
    """The shared object with the entries of these functions, and the functions that have one. None: there are none."""
    found = [_function(p, kept.get(p.name, frozenset())) for p in prototypes]
    functions = [function for function in found if function is not None]
    if not functions or not _has_stable_abi():
        return None
    with temporary_directory("ompc-") as directory:
        place = Path(directory) / "ompc_entries.so"
        text = template("python/entries.c.j2").render(functions=functions)
        if not _build(text, place, compiler, environ, cache):
            return None
        try:
            native = ctypes.PyDLL(str(place))
        except OSError:
            return None
    return native, [function.name for function in functions]


def _has_stable_abi() -> bool:
    return sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def _build(text: str, place: Path, compiler: Compiler, environ: Mapping[str, str], cache: Cache) -> bool:
    headers = (PACKAGE / "python" / "native", PACKAGE / "runtime" / "launch")
    options = ["-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-w", *(f"-I{folder}" for folder in headers)]
    key = key_of({"entries": text, "compiler": compiler.identity(), "options": options, "ompc": package_digest()})
    known = cache.find_step(key)
    if known is not None:
        shutil.copyfile(known, place)
        return True
    source = place.with_suffix(".c")
    source.write_text(text)
    done = run_tool([*compiler.command, *options, "-o", str(place), str(source)], environ)
    if done.ok:
        cache.store_step(key, place)
    return done.ok


# ---------------------------------------------------------------- the text


def _function(prototype: Prototype, kept: frozenset[int]) -> _Function | None:
    """None: it has arguments or a result that entries do not know."""
    numbers = {p.symbol: p.position for p in prototype.parameters if integer_of(p.type) is not None}
    parameters = [_parameter(p, numbers, p.position in kept) for p in prototype.parameters]
    c_types = [_c_type(p.type) for p in prototype.parameters]
    result, kind = _c_type(prototype.result), _kind(prototype.result)
    if prototype.variadic or len(parameters) > MOST_PARAMETERS or kind is None or result is None:
        return None
    known = [p for p in parameters if p is not None]
    if len(known) < len(parameters) or any(len(p.lengths) > MOST_DIMENSIONS for p in known):
        return None
    given = [f"({c})values[{at}].{_member(known[at].kind)}" for at, c in enumerate(c_types)]
    call = f"(({result} (*)({', '.join(map(str, c_types)) or 'void'}))code)({', '.join(given)})"
    if kind != "OMPC_VOID":
        call = f"result->{_member(kind)} = {call}"
    return _Function(prototype.name, prototype.text, tuple(known), kind, call)


def _parameter(parameter: Parameter, numbers: Mapping[t.Symbol, int], kept: bool) -> _Parameter | None:
    kind = _kind(parameter.type)
    integer = integer_of(parameter.type)
    if kind is None or kind == "OMPC_VOID":
        return None
    if kind == "OMPC_POINTER":
        wanted = wanted_by(parameter)
        lengths = [_length_text(length, numbers) for length in wanted.lengths]
        return _Parameter(parameter.position, kind, "0", "0", tuple(lengths), kept, not wanted.is_const)
    if integer is None or kind == "OMPC_BOOL":
        return _Parameter(parameter.position, kind)
    name = f"{'' if integer.signed else 'U'}INT{8 * integer.size}"
    # What does not fit into the signed type is left to Python.
    most = "INT64_MAX" if integer.size == 8 else f"{name}_MAX"
    return _Parameter(parameter.position, kind, f"{name}_MIN" if integer.signed else "0", most)


def _kind(kind: ty.Type) -> str | None:
    integer = integer_of(kind)
    match kind:
        case ty.Void():
            return "OMPC_VOID"
        case ty.Int(name="_Bool"):
            return "OMPC_BOOL"
        case ty.Int() | ty.Enum() if integer is not None and integer.size in (1, 2, 4, 8):
            return "OMPC_SIGNED" if integer.signed else "OMPC_UNSIGNED"
        case ty.Float(name=name):
            return "OMPC_FLOAT" if name == "float" else "OMPC_DOUBLE"
        case ty.Pointer() | ty.Array():
            return "OMPC_POINTER"
        case _:
            return None


def _c_type(kind: ty.Type) -> str | None:
    """A type that is passed as this one is."""
    integer = integer_of(kind)
    match _kind(kind):
        case "OMPC_SIGNED" | "OMPC_UNSIGNED" if integer is not None:
            return f"{'' if integer.signed else 'u'}int{8 * integer.size}_t"
        case "OMPC_FLOAT" | "OMPC_DOUBLE" | "OMPC_BOOL":
            return type_text(ty.unqualified(kind))
        case "OMPC_POINTER":
            return "void *"
        case "OMPC_VOID":
            return "void"
        case _:
            return None


def _member(kind: str) -> str:
    names = {"OMPC_POINTER": "pointer", "OMPC_FLOAT": "number", "OMPC_DOUBLE": "number"}
    return names.get(kind, "integer")


def _length_text(length: int | t.Expr | None, numbers: Mapping[t.Symbol, int]) -> str | None:
    """C text for a length, from the integers among the arguments; None: they do not determine it."""
    match length:
        case int():
            return f"{length}LL"
        case t.IntConst(value=value):
            return f"{value}LL" if value < 2**63 else None
        case t.Name(symbol=symbol):
            return f"values[{numbers[symbol]}].integer" if symbol in numbers else None
        case t.Cast(type=ty.Int(), operand=operand):
            return _length_text(operand, numbers)
        case t.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = _length_text(left, numbers), _length_text(right, numbers)
            name = {"+": "sum", "-": "difference", "*": "product"}[op]
            return None if a is None or b is None else f"ompc_{name}({a}, {b}, &fits)"
        case _:
            return None
