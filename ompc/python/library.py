"""What a user of `ompc.load` sees: a library, its functions, its variables.

    >>> lib
    <ompc library solver.c: 2 functions, 3 of 4 loops on the device (emulate)>
    >>> lib.scale
    <scale: void scale(int n, int m, double a[n][m], double f)>
    >>> lib.globals.count
    3

In: prototypes, the report, the loaded shared object.   Out: Library, Function, Globals.
"""

from __future__ import annotations

import ctypes
import difflib
import inspect
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ompc.base.diagnostics import Diagnostic
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import type_text
from ompc.plan.residency.borrowed_buffers import BorrowedBuffers
from ompc.python.arrays import Memory, is_pointer, memory_from, wanted_by
from ompc.python.calls import Calls
from ompc.python.device import DeviceArray, DeviceMemory, elements_of
from ompc.python.documentation import function_text, library_text
from ompc.python.entries import Entries, Entry
from ompc.python.exporters import stream_handle
from ompc.python.failures import OmpcWarning
from ompc.python.globals import Globals
from ompc.python.prototypes import Parameter, Prototype, Variable
from ompc.python.stubs import stub_text
from ompc.python.values import CannotPassError, CTypes, dtype_of, integer_of, result_from, scalar_from
from ompc.tools.overview import in_full, overview
from ompc.tools.wrapping import WIDTH, as_text

Report = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a library is made of. `target` is one of "cuda", "emulate" and "host"; one report for each file."""

    sources: tuple[Path, ...]
    target: str
    prototypes: tuple[Prototype, ...]
    variables: tuple[Variable, ...]
    lending: BorrowedBuffers
    reports: Callable[[], Sequence[Report]]
    diagnostics: tuple[Diagnostic, ...]


class Library:
    """C functions as attributes, or by name: `lib["report"]`. They are right as long as the process lives: a library is
    never unloaded.

    `target` says where its loops run, `diagnostics` what ompc had to say about them.
    """

    globals: Globals
    _contents: Contents
    _handle: Any
    _calls: Calls
    _types: CTypes
    _own_arrays: weakref.WeakSet[DeviceArray]
    _functions: dict[str, Function]
    _hidden: tuple[str, ...]
    """The functions that only `lib["name"]` finds."""
    _entries: Entries | None

    def __init__(self, contents: Contents, handle: Any, entries: tuple[Any, Sequence[str]] | None = None) -> None:
        """`entries`: what load_entries has made."""
        own = self.__dict__
        own["_contents"], own["_handle"] = contents, handle
        own["_calls"], own["_types"], own["_own_arrays"] = Calls(handle), CTypes(), weakref.WeakSet()
        made = None if entries is None else Entries(*entries, handle, self._calls, contents.target == "cuda")
        own["_functions"] = {
            p.name: Function(p, getattr(handle, p.name), self, None if made is None else made.entry_of(p))
            for p in contents.prototypes
        }
        own["_entries"] = made
        own["globals"] = Globals(contents.variables, handle, self._types)
        own["__doc__"] = library_text(contents.prototypes, contents.variables)
        own["_hidden"] = tuple(name for name in self._functions if name in own or hasattr(Library, name))
        own.update({name: found for name, found in self._functions.items() if name not in self._hidden})

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files, as they were named."""
        return self._contents.sources

    @property
    def target(self) -> str:
        return self._contents.target

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self._contents.diagnostics

    @property
    def report(self) -> Report:
        """All decisions, as `ompc translate --report` writes them; of several files, one for each under "files"."""
        reports = self._contents.reports()
        return reports[0] if len(reports) == 1 else {"schema": 1, "files": list(reports)}

    def explain(self, everything: bool = False) -> str:
        """Where each loop runs, and what to do about those on the host, as `ompc explain` prints it; `everything`: each
        loop in full, with its arrays and what is copied, as `ompc explain --all` prints it.
        """
        reports = self._contents.reports()
        return as_text(in_full(reports, WIDTH) if everything else overview(reports, WIDTH))

    def to_device(self, array: np.ndarray[Any, Any]) -> DeviceArray:
        """A copy of an array on the library's device, for its functions.

        TypeError, ValueError: it is no array of NumPy, of plain data, without a mask; MemoryError; RuntimeError: there
        is no device.
        """
        if not self._calls.has_runtime:
            raise RuntimeError(f"{self!r} has no loops on a device")
        made = DeviceArray(DeviceMemory(self._handle), elements_of(array), self.target == "cuda")
        self._own_arrays.add(made)
        return made

    def _stub(self) -> str:
        """For type checkers."""
        found = self._contents
        return stub_text(found.sources, found.prototypes, found.variables, self._hidden)

    def regions(self, function: str | None = None) -> Iterator[Mapping[str, Any]]:
        """The loops in the reports, of one function or of all."""
        for report in self._contents.reports():
            regions: Any = report["regions"]
            yield from (region for region in regions if function is None or region["function"] == function)

    def _has_device(self, memory: Memory) -> bool:
        """Is it the one that an array is on? An emulated device has what `to_device` has made."""
        if not self._calls.has_runtime:
            return False
        if self.target == "cuda":
            return not isinstance(memory.owner, DeviceArray) or memory.owner.is_gpu
        return any(array.holds(memory.address, memory.bytes) for array in self._own_arrays)

    def __getitem__(self, name: str) -> Function:
        """A function by its name, whatever that is. KeyError: there is none."""
        if name in self._functions:
            return self._functions[name]
        raise KeyError(self._missing(name))

    def __getattr__(self, name: str) -> Function:
        functions: dict[str, Function] = self.__dict__.get("_functions", {})
        if name in functions:
            return functions[name]
        if name.startswith("__") or "_functions" not in self.__dict__:
            raise AttributeError(name)
        raise AttributeError(self._missing(name))

    def _missing(self, name: str) -> str:
        if name in dir(self.globals):
            return f"{self!r} has no function {name}; the variable is lib.globals.{name}"
        close = difflib.get_close_matches(name, self._functions, 1)
        return f"{self!r} has no function {name}{f'; is it {close[0]}?' if close else ''}"

    def __setattr__(self, name: str, value: object) -> None:
        if name in dir(self.globals):
            raise AttributeError(f"{name} is a variable of C: lib.globals.{name} = {value!r}")
        raise AttributeError(f"{name} cannot be set: a library has what its files have")

    def __copy__(self) -> Library:
        """There is one of each: its variables are C's."""
        return self

    def __deepcopy__(self, memo: object) -> Library:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} cannot be pickled: call ompc.load in each process")

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._functions})

    def __repr__(self) -> str:
        regions = list(self.regions())
        on_device = sum(region["target"] == "gpu" for region in regions)
        where = "" if self.target == "host" else f", {on_device} of {len(regions)} loops on the device"
        names = ", ".join(source.name for source in self.sources)
        count = len(self._functions)
        return f"<ompc library {names}: {count} function{'s' * (count != 1)}{where} ({self.target})>"


class Function:
    """A C function. Called with Python's values; see docs/python.md for what may be passed.

    TypeError and ValueError say which argument is wrong, and what the prototype asks for; ValueError also which loop
    would have left an array; RuntimeError that memory of a device cannot be used.
    """

    def __init__(self, prototype: Prototype, address: Any, library: Library, entry: Entry | None = None) -> None:
        self._prototype = prototype
        self._library = library
        self._address = address
        self._entry = entry
        self._is_ready = False
        self._has_warned: set[int] = set()
        self._wanted = {p.position: wanted_by(p) for p in prototype.parameters if is_pointer(p.type)}
        self._takes_stream = all(p.name != "stream" for p in prototype.parameters)
        self._returns_pointer = isinstance(prototype.result, ty.Pointer)
        self.__name__ = self.__qualname__ = prototype.name

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(p.name, kind, annotation=type_text(p.type)) for p in self._prototype.parameters]
        return inspect.Signature(parameters, return_annotation=type_text(self._prototype.result))

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """The prototype, its comment, what may be passed, and where its loops run."""
        has_device = self._library.target != "host"
        return function_text(self._prototype, self._library.regions(self._prototype.name) if has_device else ())

    def parameter_dtype(self, position: int) -> np.dtype[Any]:
        """NumPy's type of what a parameter is, or points to: `np.zeros(n, lib.push.parameter_dtype(0))`.

        TypeError: there is none.
        """
        found = dtype_of(self._element(position))
        if found is None:
            raise TypeError(f"NumPy has no type for '{self._prototype.parameters[position].text}'")
        return found

    def parameter_type(self, position: int) -> Any:
        """The class of ctypes for what a parameter is, or points to. TypeError: there is none."""
        try:
            return self._library._types.of(self._element(position))
        except CannotPassError as error:
            raise TypeError(str(error)) from None

    def _element(self, position: int) -> ty.Type:
        kind = self._prototype.parameters[position].type
        return ty.element_of(kind.to if isinstance(kind, ty.Pointer) else kind)

    def __repr__(self) -> str:
        return f"<{self._prototype.name}: {self._prototype.text}>"

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: object) -> Function:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} cannot be pickled: call ompc.load in each process")

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """`stream`, unless the function has a parameter of that name: a stream of CUDA's. The call's work comes behind
        what that has been given, and what it is given next behind the call's.
        """
        stream = stream_handle(named.pop("stream")) if named and self._takes_stream and "stream" in named else None
        given = self._given(args, named) if named else args
        if self._entry is None:
            return self._checked(given, stream)
        result = self._entry.call(*given) if stream is None else self._entry.call_in_stream(*given, stream)
        if result is NotImplemented:
            return self._checked(given, stream)
        return result_from(result, self._prototype.result) if self._returns_pointer else result

    def _checked(self, args: Sequence[object], stream: int | None) -> Any:
        """A call whose arguments are converted here, with a word about each that is not right."""
        given = self._given(args, {})
        self._prepare()
        integers: dict[t.Symbol, int] = {}
        values: list[Any] = [None] * len(given)
        for parameter, value in zip(self._prototype.parameters, given, strict=True):
            if parameter.position not in self._wanted:
                values[parameter.position] = self._scalar(parameter, value)
                if integer_of(parameter.type) is not None:
                    integers[parameter.symbol] = int(values[parameter.position].value)
        for parameter, value in zip(self._prototype.parameters, given, strict=True):
            if parameter.position in self._wanted:
                values[parameter.position] = self._pointer(parameter, value, integers, stream)
        result = self._run(values, stream)
        if self._entry is not None:
            self._entry.learn(given)
        return result

    def _run(self, values: Sequence[Any], stream: int | None) -> Any:
        memories = [value for value in values if isinstance(value, Memory)]
        kept = self._library._contents.lending.kept.get(self._prototype.name, frozenset())
        for memory in memories:
            self._check_device(memory, kept)
        has_null = any(values[position] is None for position in self._wanted)
        with self._library._calls.during(self.__name__, memories, kept, has_null, stream) as moved:
            passed = [moved.get(v.address, v.address) if isinstance(v, Memory) else v for v in values]
            result = self._address(*passed)
        return result_from(result, self._prototype.result)

    def _prepare(self) -> None:
        """The types, when they are needed first. TypeError: there is one that Python has not."""
        if self._is_ready:
            return
        types = self._library._types
        if self._prototype.variadic:
            raise TypeError(f"{self.__name__}() takes a variable number of arguments, which ompc cannot pass")
        try:
            self._address.argtypes = [
                ctypes.c_void_p if is_pointer(p.type) else types.of(p.type) for p in self._prototype.parameters
            ]
            self._address.restype = types.of(self._prototype.result)
        except (CannotPassError, TypeError) as error:
            raise TypeError(f"{self.__name__}() cannot be called from Python: {error}") from None
        self._is_ready = True

    def _given(self, args: Sequence[object], named: Mapping[str, object]) -> list[object]:
        """The arguments in the order of the parameters."""
        parameters = self._prototype.parameters
        if len(args) == len(parameters) and not named:
            return list(args)
        takes = f"{self._prototype.text} takes {len(parameters)} argument{'s' * (len(parameters) != 1)}"
        if len(args) > len(parameters):
            raise TypeError(f"{takes}, {len(args)} were given")
        found: dict[str, object] = {p.name: value for p, value in zip(parameters, args)}  # noqa: B905  checked above
        for name, value in named.items():
            if name in found:
                raise TypeError(f"{self.__name__}() got two values for '{name}'")
            if name not in {parameter.name for parameter in parameters}:
                hint = "".join(f"; in Python it is {p.name}" for p in parameters if p.symbol.name == name)
                raise TypeError(f"{self.__name__}() has no parameter '{name}'{hint}: {self._prototype.text}")
            found[name] = value
        missing = [parameter.name for parameter in parameters if parameter.name not in found]
        if missing:
            raise TypeError(f"{takes}; missing: {', '.join(missing)}")
        return [found[parameter.name] for parameter in parameters]

    def _scalar(self, parameter: Parameter, value: object) -> Any:
        try:
            return scalar_from(value, parameter.type, self._library._types)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"{self._at(parameter)}: {error}") from None

    def _pointer(
        self, parameter: Parameter, value: object, integers: Mapping[t.Symbol, int], stream: int | None
    ) -> Any:
        try:
            return memory_from(value, self._wanted[parameter.position], integers, self._library._types, stream)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._at(parameter)}: {error}") from None

    def _at(self, parameter: Parameter) -> str:
        return f"{self.__name__}(), parameter '{parameter.text}'"

    def _check_device(self, memory: Memory, kept: frozenset[int]) -> None:
        """Only a library for the same kind of device can use its arrays; one that is copied is said once."""
        if not memory.is_device or memory.parameter is None:
            return
        parameter = self._prototype.parameters[memory.parameter]
        if not self._library._has_device(memory):
            message = f"an array on another device was given, and the loops of {self._library!r} cannot use it"
            raise TypeError(f"{self._at(parameter)}: {message}")
        if memory.parameter not in kept and memory.parameter not in self._has_warned:
            self._has_warned.add(memory.parameter)
            why = self._library._contents.lending.reason(self._prototype.name, memory.parameter)
            text = f"{self._at(parameter)}: each call copies the array to the host and back: {why}"
            warnings.warn(text, OmpcWarning, stacklevel=5)
