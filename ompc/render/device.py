"""The device file: constants, device functions, kernels and launchers, from the plan.

This module turns the plan into lines of text for the templates in templates/device; the templates hold the shape of the
file and of each construct, and no decisions.

    In: Plan.   Out: the text of NAME.cu.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from ompc.base.frozen import dataclass
from ompc.base.resources import runtime_digest
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.batch_model import NO_BATCHES
from ompc.plan.model.launch import CoarseningPlan, StreamPlan
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.plan import MESSAGES, Binding, DeviceFunction, KernelPlan, Operator, Plan, RegionPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening
from ompc.render.code.constants import constant_declaration
from ompc.render.code.device_printf import PRINTER, printed
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.macro_names import MacroNames
from ompc.render.code.operators import OperatorView, operator_view
from ompc.render.code.spelling import Spelling
from ompc.render.code.statements import StatementPrinter
from ompc.render.code.types import RecordNames, TypePrinter, array_parameter, as_const, declared_as, member_declarations
from ompc.render.environment import template
from ompc.render.forms import collected_adds, vector_access
from ompc.render.forms import histograms as block_accumulators
from ompc.render.forms.lanes import lane_bindings
from ompc.render.forms.ordered_counts import counted_values
from ompc.render.forms.reductions import latest_bindings
from ompc.render.forms.strips import in_registers, read_before, read_once
from ompc.render.inspectors import inspected, inspector_view
from ompc.render.kernel_headers import headers_named_in
from ompc.render.kernels import LoopView, loop_view
from ompc.render.launcher.early import EarlyPrinter
from ompc.render.launcher.launcher import launcher_view
from ompc.render.layout import broken_lines
from ompc.render.line_marks import settled as settled_lines
from ompc.render.local_names import hiding, names_of_functions


@dataclass(frozen=True, slots=True)
class RecordView:
    """`layout`: that it lies in memory as C has it."""

    head: str
    name: str
    members: list[str]
    layout: list[str]


@dataclass(frozen=True, slots=True)
class FunctionView:
    signature: str
    body: list[str]


@dataclass(frozen=True, slots=True)
class Printers:
    """Of one device file."""

    types: TypePrinter
    plan: Plan
    macros: MacroNames
    marks_lines: bool = False
    has_runtime: bool = True

    def spelling_of(self, kernel: KernelPlan, schedule: Schedule) -> Spelling:
        const = {v.symbol for v in (*kernel.arrays, *kernel.constants) if not v.writes}
        of_own = {**kernel.bindings, **latest_bindings(kernel), **lane_bindings(schedule, kernel.bindings)}
        spelling = replace(
            self._spelling(of_own, const),
            accumulators=block_accumulators.on_accumulators(schedule) | collected_adds.names_of(schedule),
            batches=schedule.batches or NO_BATCHES,
        )
        if schedule.lanes is not None:
            spelling = replace(spelling, forms=spelling.forms | schedule.lanes.updates)
        coarsened = schedule.form_of(CoarseningPlan)
        ahead = {} if coarsened is None else read_before(coarsened)
        streams = schedule.form_of(StreamPlan)
        text = ExpressionPrinter(spelling).text
        ahead |= {} if streams is None else in_registers(streams, text)
        rows = schedule.form_of(RowCoarsening)
        ahead |= {} if rows is None else read_once(rows, text)
        whole = vector_access.whole_reads(schedule.vectors, text)
        return replace(spelling, replaced=ahead | whole | counted_values(schedule))

    def _spelling(self, bindings: Mapping[t.Symbol, Binding], const: Collection[t.Symbol]) -> Spelling:
        plan = self.plan
        exact = plan.contraction.exact if plan.contraction.contracts else ()
        objects = plan.contraction.roots
        fixed = (exact, self.functions(), self.enumerators(), const, plan.forms, plan.prints)
        spelling = Spelling(self.types, bindings, *fixed, inverse_roots=objects, marks_lines=self.marks_lines)
        return replace(spelling, macros=self.macros, has_runtime=self.has_runtime)

    def in_function(self, device: DeviceFunction) -> Spelling:
        return self._spelling(device.bindings, {e.symbol for e in device.extra if not e.written})

    def functions(self) -> dict[t.Symbol, DeviceFunction]:
        return {function.function.symbol: function for function in self.plan.functions}

    def enumerators(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.plan.enumerators)


class DeviceFile:
    """Both shapes of a device file; what they have in common is made once. Its first lines say what made it from what
    (provenance.py). `lines_from`: code names the user's lines, in files whose relative paths start there.
    """

    def __init__(self, plan: Plan, made_with: str, made_from: str, lines_from: str | None = None) -> None:
        self.name = plan.name
        self.lines_from = lines_from
        known = views(plan, marks_lines=lines_from is not None)
        self._known: Mapping[str, Any] = {**known, "made_with": made_with, "made_from": made_from}

    def text(self) -> str:
        """Kernels and launchers."""
        text = template("device.cu.j2").render(self._known, **_WHOLE, has_launchers=True)
        return self._settled(f"{self.name}.cu", text)

    def files(self) -> dict[str, str]:
        """The same as two files: kernels, with the headers that these need, and launchers, which include that file and
        `ompc_rt.h` of a runtime that is a library.
        """
        known = {**self._known, "runtime": runtime_digest()[:8]}
        own = {"has_launchers": False, "launched_by_others": True}
        kernels = template("device.cu.j2")
        includes = headers_named_in(kernels.render(known, **own, includes=()))
        files = {
            f"{self.name}.cu": kernels.render(known, **own, includes=includes),
            f"{self.name}_launchers.cu": template("launchers.cu.j2").render(known),
        }
        return {name: self._settled(name, text) for name, text in files.items()}

    def _settled(self, name: str, text: str) -> str:
        return text if self.lines_from is None else settled_lines(text, name, self.lines_from)


_WHOLE = {"includes": ("ompc_rt.h",), "launched_by_others": False}


def kernels_text(plan: Plan, made_with: str, made_from: str) -> str:
    """The device file without launchers, for a compiler that knows no host (NVRTC). It names the user's lines."""
    known = views(plan, marks_lines=True, has_library=False)
    known |= {"made_with": made_with, "made_from": made_from, **_WHOLE, "has_launchers": False}
    return settled_lines(template("device.cu.j2").render(known), f"{plan.name}.cu", "")


def views(plan: Plan, marks_lines: bool = False, has_library: bool = True) -> dict[str, Any]:
    """What the templates of the file print. `has_library`: it may include headers of the standard library."""
    printers = printers_of(plan, marks_lines, has_library)
    loops = [_loop_view(*found, printers) for region in plan.regions for found in region.kernels]
    known = views_without_loops(printers) | {"loops": loops, "macros": printers.macros}
    return known | {"library": sorted({*printers.macros.headers(), *["cstddef"] * bool(plan.records)})}


def printers_of(plan: Plan, marks_lines: bool = False, has_library: bool = True) -> Printers:
    """What prints types and code of the plan's device file."""
    kept = [m for m in plan.macro_names if has_library or not any(each.header for each in m.with_named())]
    macros = MacroNames(frozenset(kept))
    return Printers(TypePrinter(_record_names(plan), macros), plan, macros, marks_lines)


def _record_names(plan: Plan) -> RecordNames:
    return RecordNames(plan.records, names_of_functions(plan), hiding(plan))


def views_without_loops(printers: Printers) -> dict[str, Any]:
    """What the templates print in front of the kernels."""
    plan, types = printers.plan, printers.types
    names = _record_names(plan)
    return {
        "plan": plan,
        "namespace": plan.namespace,
        "messages": MESSAGES,
        "printer": PRINTER,
        "prints": broken_lines(printed(plan.prints, types), 1),
        "enumerators": [(spelled(name), value) for name, value in plan.enumerators],
        "records": [_record_view(record, names, types) for record in plan.records],
        "constants": [(constant_declaration(c, types), c.because) for c in plan.constants],
        "functions": [_function_view(function, printers) for function in plan.functions if not function.of_cuda],
        "inspectors": [
            inspector_view(asked, lines, plan, types, plan.tag) for asked, lines in inspected(plan).items()
        ],
        "operators": [_operator_view(operator, printers) for operator in plan.operators],
    }


def _record_view(record: ty.Record, names: RecordNames, types: TypePrinter) -> RecordView:
    offsets = [(spelled(m.name), m.offset) for m in record.fields or () if m.name is not None and m.bits is None]
    members = member_declarations(types, record)
    name = names[record]
    same = [f"sizeof({name}) == {record.size or 0}", *(f"offsetof({name}, {m}) == {at}" for m, at in offsets)]
    layout = broken_lines([f'static_assert({" && ".join(same)}, "{name} as in C");'], 0)
    return RecordView(declared_as(record, name), name, members, layout)


def _loop_view(region: RegionPlan, kernel: KernelPlan, printers: Printers) -> LoopView:
    early = EarlyPrinter(printers.spelling_of(kernel, kernel.own))
    launcher = launcher_view(region, kernel, printers.types, early, printers.plan)
    return loop_view(region, kernel, printers.spelling_of, printers.plan.source_of(region), launcher)


def _function_view(device: DeviceFunction, printers: Printers) -> FunctionView:
    function, types = device.function, printers.types
    assert function.body is not None and isinstance(function.symbol.type, ty.Function)
    expressions = ExpressionPrinter(printers.in_function(device))
    parameters = [types.declare(p.type, spelled(p.name)) for p in function.params]
    parameters += [
        _extra_parameter(extra.symbol, extra.binding.name, extra.binding.dereferenced, extra.written, types)
        for extra in device.extra
    ]
    returns = function.symbol.type.returns
    signature = types.declare(returns, f"{device.name}({', '.join(parameters)})")
    body = StatementPrinter(expressions, types, returns, symbols=function.params).lines(function.body)
    place = "__host__ __device__" if device.on_host else "__device__"
    return FunctionView("\n".join(broken_lines([f"static {place} {signature}"], 0)), broken_lines(body, 1))


def _operator_view(operator: Operator, printers: Printers) -> OperatorView:
    spelling = Spelling(printers.types, {}, frozenset(), printers.functions(), printers.enumerators())
    spelling = replace(spelling, macros=printers.macros)
    return operator_view(operator, printers.types, ExpressionPrinter(spelling))


def _extra_parameter(symbol: t.Symbol, name: Name, by_address: bool, written: bool, types: TypePrinter) -> str:
    match symbol.type:
        case ty.Array(of=of) | ty.Pointer(to=of):
            return array_parameter(types, of, name, const=not written, restrict=False)
        case kind if by_address:
            return types.declare(kind if written else as_const(kind), f"*{name}")
        case kind:
            return types.declare(ty.unqualified(kind), name)
