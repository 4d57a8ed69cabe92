"""Inspectors in the device file: code of the host's that a launch asks (ompc/ir/inspector.py).

    struct ompc_inspect_fft_x_code {                    what the program has settled, and its functions
        int pad;
        static constexpr size_t x = ompc::inspected::object(0);
        void transform(int n, size_t x) const { ... ompc::inspected::reads(...); }
    };
    extern "C" int ompc_inspect_fft_x(int pad) { ... }  the answer, which the host's line above the pragma asks for

In: Plan.   Out: what templates/inspector.cu.j2 prints, and the functions that the host's header declares.
Not here: what they find -- analysis/privatisation/inspection; the runtime's part -- runtime/memory/ompc_inspection.h.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.asked import Inspected
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import DeviceFunction, Plan
from ompc.render.code.spelling import Spelling
from ompc.render.code.statements import StatementPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.launcher.early import EarlyPrinter
from ompc.render.layout import broken_lines


@dataclass(frozen=True, slots=True)
class FunctionOfInspector:
    signature: str
    body: list[str]


@dataclass(frozen=True, slots=True)
class InspectorView:
    """What the template prints; `answers` are the arguments of the runtime's record, `given` those of its code, and
    `known_by` the same as numbers of one type.
    """

    name: str
    code: str
    objects: str
    asked_by: str
    parameters: list[str]
    members: list[str]
    functions: list[FunctionOfInspector]
    answers: list[str]
    given: list[str]
    known_by: list[str]
    calls: list[str]


def inspected(plan: Plan) -> Mapping[Inspected, list[int]]:
    """What loops on the device ask of inspectors, each once, with the lines of the loops."""
    found: dict[Inspected, list[int]] = {}
    for region in plan.on_device:
        for each in region.loop.inspected:
            found.setdefault(each, []).append(region.loop.line)
    return found


def name_of(asked: Inspected, tag: str) -> str:
    return asked.called(tag).split("(")[0]


def parameters_of(asked: Inspected, types: TypePrinter) -> list[str]:
    return [types.declare(given.own.type, spelled(given.own.name)) for given in asked.inspector.values]


def inspector_view(asked: Inspected, lines: list[int], plan: Plan, types: TypePrinter, tag: str) -> InspectorView:
    inspector = asked.inspector
    printer = EarlyPrinter(_spelling(inspector, types))
    values = [spelled(given.own.name) for given in inspector.values]
    members = [f"{types.declare(given.own.type, spelled(given.own.name))};" for given in inspector.values]
    places = [f"{spelled(s.name)} = ompc::inspected::object({n})" for n, s in enumerate(inspector.places)]
    sizes = [f"{{{ty.size_of(s.type)}, {i.grain(s.type)}}}" for s in inspector.objects]
    names = ", ".join(asked.objects)
    loops = f"{plan.source}:{', '.join(map(str, sorted(lines)))}"
    calls = StatementPrinter(printer, types).lines(i.block(inspector.calls))
    return InspectorView(
        name=name_of(asked, tag),
        code=f"{name_of(asked, tag)}_code",
        objects=names,
        asked_by=f"The launches of {'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, sorted(lines)))} ask.",
        parameters=parameters_of(asked, types),
        members=[*members, f"static constexpr size_t {', '.join(places)};"],
        functions=[_function_view(function, printer, types) for function in inspector.functions],
        answers=[f'"{loops}"', f'"{names}"', f"{{{', '.join(sizes)}}}"],
        given=values,
        known_by=[_as_long_long(given.own) for given in inspector.values],
        calls=broken_lines(calls, 2),
    )


def _as_long_long(symbol: t.Symbol) -> str:
    """Between braces C++ converts no number to a type that may not have it."""
    kind, name = ty.unqualified(symbol.type), spelled(symbol.name)
    return f"(long long){name}" if isinstance(kind, ty.Int) and kind.size == 8 and not kind.signed else name


def _function_view(function: t.Function, printer: EarlyPrinter, types: TypePrinter) -> FunctionOfInspector:
    assert function.body is not None and isinstance(function.symbol.type, ty.Function)
    returns = function.symbol.type.returns
    parameters = ", ".join(types.declare(p.type, spelled(p.name)) for p in function.params)
    signature = types.declare(returns, f"{spelled(function.name)}({parameters})")
    body = StatementPrinter(printer, types, returns).lines(function.body)
    return FunctionOfInspector(f"{signature} const", broken_lines(body, 2))


def _spelling(inspector: i.Inspector, types: TypePrinter) -> Spelling:
    functions = {symbol: _of_runtime(symbol) for symbol in i.OF_RUNTIME}
    functions |= {f.symbol: DeviceFunction(f, spelled(f.name), (), {}) for f in inspector.functions}
    return Spelling(types, {}, frozenset(), functions, frozenset())


def _of_runtime(symbol: t.Symbol) -> DeviceFunction:
    assert isinstance(symbol.type, ty.Function)
    params = tuple(i.variable(f"p{n}", kind) for n, kind in enumerate(symbol.type.params or ()))
    return DeviceFunction(t.Function(symbol, params, None), symbol.name, (), {}, of_cuda=True)
