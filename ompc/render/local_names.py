"""The names of what a device file has besides the user's own: found once, before anything is printed.

    int t;                      of the user's, in the body      t
    Local("t", "iteration")     the number of an iteration      iteration
    Local("trips")              how many there are              trips
    Local("trips")              those of a loop further in      trips_2
    Local("slot", inside=True)  in one kernel of a loop         slot
    Local("slot", inside=True)  in another kernel of it         slot

The user's names come first, as C++ and CUDA spell them: in a loop's kernels those of the body, of its objects and of
what stands at file scope; in a function those that it declares. Then each Local gets the name that it wants, or the
next one that is free. The kernels of a loop and its launcher have their names in common: a launcher calls what it hands
on as its kernels call it.

    In: Plan.   Out: the same plan, in which each Local is the text of its name.
    Not here: how the user's names are spelled -- plan/model/names.py; variables that only a launcher has --
    launcher/launcher.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declared_in, nodes, symbols_in
from ompc.ir.walk import Node
from ompc.plan.model.names import RESERVED, Local, first_free, spelled
from ompc.plan.model.plan import DeviceFunction, Plan, RegionPlan
from ompc.plan.model.schedule import Schedule
from ompc.render.code.types import RecordNames

_T = TypeVar("_T")
_MODEL = "ompc.plan.model."
_NAMELESS = frozenset({bool, float, int, str, type(None)})
"""Most of what records have."""


def with_names(plan: Plan) -> Plan:
    """`plan` with the names of all that it has."""
    functions = names_of_functions(plan)
    records = RecordNames(plan.records, functions)
    macros = {each.name for macro in plan.macro_names for each in macro.with_named()}
    of_user = functions | {spelled(name) for name, _ in plan.enumerators} | macros
    in_loops = {name for region in plan.regions for name in _names_in_loop(region, records)}
    wanted = {str(constant.name) for constant in plan.constants}  # what loops call so is the constant, or hides it
    file = _Naming(Namer((in_loops - wanted) | of_user | records.all), {})
    operators, constants = file.of(plan.operators), file.of(plan.constants)
    file.of(tuple(s.kernel for region in plan.regions for _, kernel in region.kernels for s in kernel.schedules))
    seen = functions | macros | set(file.names.values())

    fused: dict[RegionPlan, RegionPlan] = {}

    def in_loop(region: RegionPlan) -> RegionPlan:
        naming = _Naming(Namer(_names_in_loop(region, records) | seen), file.names)
        if region.version is not None:  # a loop with names of its own
            naming.keep(region.version.region, in_loop(region.version.region))
        if region.fusion is not None:
            joint = region.fusion.region
            if joint not in fused:
                fused[joint] = in_loop(joint)
            naming.keep(joint, fused[joint])
        return naming.of(region)

    return replace(
        plan,
        operators=operators,
        constants=constants,
        functions=tuple(_Naming(Namer(_names_in_function(f) | of_user), file.names).of(f) for f in plan.functions),
        regions=tuple(map(in_loop, plan.regions)),
    )


class Namer:
    """Hands out names that are not yet taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken) | RESERVED
        self._inside: set[str] | None = None
        self._of_kernels: set[str] = set()

    @contextmanager
    def inside_of_kernel(self) -> Iterator[None]:
        """While the names of one of the loop's kernels are found."""
        before, self._inside = self._inside, set()
        yield
        self._inside = before

    def take_inside(self, name: str) -> str:
        """`name` or the next one that is free in the kernel, for what it alone has."""
        if self._inside is None:
            return self.take(name)
        found = first_free(name, self._taken | self._inside)
        self._inside.add(found)
        self._of_kernels.add(found)
        return found

    def take(self, name: str, otherwise: str = "") -> str:
        """`name`, if it is free; else `otherwise`, with a number where that is not; empty: `name` with a number."""
        taken = self._taken | self._of_kernels
        found = first_free(otherwise if otherwise and name in taken else name, taken)
        self._taken.add(found)
        return found


class _Naming:
    """Puts names in the place of Locals. What is one record in several places stays one."""

    def __init__(self, namer: Namer, known: Mapping[Local, str]) -> None:
        self._namer = namer
        self.names = dict(known)
        self._records: dict[int, Any] = {}

    def keep(self, record: object, named: object) -> None:
        """`named` is what stands in the place of `record`."""
        self._records[id(record)] = named

    def of(self, value: _T) -> _T:
        """`value` with names; itself where it has none to be found."""
        return value if type(value) in _NAMELESS else cast(_T, self._of(value))

    def _of(self, value: Any) -> Any:
        found = value
        match value:
            case Local():
                if value not in self.names:
                    wanted = f"{self.of(value.after)}{value.wanted}"
                    name = self._namer.take_inside(wanted) if value.inside else None
                    self.names[value] = name or self._namer.take(wanted, value.otherwise)
                found = self.names[value]
            case tuple():
                found = tuple(self.of(part) for part in value)
                found = value if all(map(_is, found, value)) else found
            case _ if _fields_of(type(value)):
                if id(value) not in self._records:
                    with self._namer.inside_of_kernel() if isinstance(value, Schedule) else nullcontext():
                        self._records[id(value)] = self._record(value)
                found = self._records[id(value)]
            case Mapping():
                found = {self.of(key): self.of(part) for key, part in value.items()}
                same = all(map(_is, found, value)) and all(map(_is, found.values(), value.values()))
                found = value if same else found
            case _:
                pass
        return found

    def _record(self, record: Any) -> Any:
        changed: dict[str, Any] = {}
        for name in _fields_of(type(record)):
            part = getattr(record, name)
            if (named := self.of(part)) is not part:
                changed[name] = named
        return replace(record, **changed) if changed else record


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    """Of a record of the plan; others have no Locals."""
    if kind not in _FIELDS:
        is_record = is_dataclass(kind) and kind.__module__.startswith(_MODEL)
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_record else ()
    return _FIELDS[kind]


def _is(one: object, other: object) -> bool:
    return one is other


# ---------------------------------------------------------------------- names that are the user's


def names_of_functions(plan: Plan) -> set[str]:
    return _spelled(each.function.symbol for each in plan.functions)


def hiding(plan: Plan) -> set[str]:
    """The user's names of objects and functions, which hide a struct with that name where C++ wants a single word."""
    loops = {name for region in plan.regions for own, _ in region.kernels for name in _names_of_objects(own)}
    bodies = [each.function.body for each in plan.functions if each.function.body is not None]
    named = {symbol for body in bodies for symbol in symbols_in(body)}
    functions = {name for function in plan.functions for name in _names_in_function(function)}
    return loops | functions | _spelled(named) | names_of_functions(plan)


def _names_in_loop(region: RegionPlan, records: RecordNames) -> set[str]:
    """What the text of a loop's kernels, and of its launcher, has of the user's."""
    return _names_of_objects(region) | {
        records[node.type.record]  # C++ has `t{...}`; elsewhere it is `struct t`, which nothing hides
        for node in _nodes_of(region)
        if isinstance(node, t.CompoundLiteral) and isinstance(node.type, ty.Struct) and node.type.record in records
    }


def _names_of_objects(region: RegionPlan) -> set[str]:
    if region.kernel is None:
        return set()
    found = _spelled({v.symbol for v in region.variables} | {axis.loop.var for axis in region.kernel.grid})
    for node in _nodes_of(region):
        match node:
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol):
                found.add(spelled(symbol.name))
            case t.IntConst(text=text) if text.isidentifier():
                found.add(spelled(text))  # an enumeration constant
            case _:
                pass
    return found


def _nodes_of(region: RegionPlan) -> Iterator[Node]:
    """The code of its kernels and launcher."""
    if region.kernel is None:
        return
    yield from nodes(region.kernel.body)
    for bound in (part for axis in region.kernel.grid for part in (axis.loop.lower, axis.loop.upper, axis.loop.step)):
        yield from () if bound is None else nodes(bound)


def _names_in_function(device: DeviceFunction) -> set[str]:
    """What it declares."""
    assert device.function.body is not None
    return _spelled({*device.function.params, *declared_in(device.function.body)})


def _spelled(symbols: Iterable[t.Symbol]) -> set[str]:
    return {spelled(symbol.name) for symbol in symbols}
