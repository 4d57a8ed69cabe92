"""The copy of a reduction variable that each thread of a kernel has: its declaration, its combination, its launcher.

    double s = ompc::Sum::identity<double>();         ompc::reduce(s, s_result);
    int q[10]; ompc::fill(q, 10, ...);                ompc::reduce(q, 10, q_result);
    point best = nearer::initial(...);             ompc::reduce(best, best_result);
    ompc::Assigned<double> x{};                       ompc::reduce(x, x_result);    x.at(iteration) = e for x = e

In: Reduction, a TypePrinter.   Out: lines without line ends.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.plan import Binding, KernelPlan, Reduction
from ompc.render.code.types import TypePrinter
from ompc.render.forms.grid import iteration_number


def value_type(reduction: Reduction, types: TypePrinter) -> str:
    """The type of what is combined."""
    kind = types.declare(reduction.type)
    return f"ompc::Assigned<{kind}>" if reduction.is_latest else kind


def operator_name(reduction: Reduction) -> str:
    """What the runtime combines two values with."""
    return str(reduction.op) if reduction.is_declared else f"ompc::{reduction.op}"


def copy_declaration(reduction: Reduction, types: TypePrinter) -> list[str]:
    """The declaration of a thread's copy, with its initial value."""
    if reduction.is_latest:
        return [f"{value_type(reduction, types)} {reduction.name}{{}};"]
    value = own_value(reduction, types)
    if reduction.elements is None:
        return [f"{types.declare(reduction.type, reduction.name)} = {value};"]
    declared = types.declare(ty.unqualified_elements(reduction.symbol.type), reduction.name)
    return [f"{declared};", f"ompc::fill({_first(reduction)}, {reduction.elements}, {value});"]


def own_value(reduction: Reduction, types: TypePrinter) -> str:
    """What a copy begins with."""
    operator = operator_name(reduction)
    if reduction.is_declared:
        return f"{operator}::initial({reduction.result}.original)"
    return f"{operator}::identity<{types.declare(reduction.type)}>()"


def parameter_type(reduction: Reduction, types: TypePrinter) -> str:
    """Of the kernel's parameter for the result."""
    kind = "Scan" if reduction.is_scan else "Reduction"
    return f"ompc::{kind}<{operator_name(reduction)}, {value_type(reduction, types)}>"


def latest_bindings(kernel: KernelPlan) -> dict[t.Symbol, Binding]:
    """How the kernel spells variables of which the value of the last iteration that assigns one is wanted: each
    assignment notes its iteration, from 1 on.
    """
    number = f"{iteration_number(kernel.grid)} + 1"
    latest = (reduction for reduction in kernel.reductions if reduction.is_latest)
    return {r.symbol: Binding(f"{r.name}.value", assigned=f"{r.name}.at({number})") for r in latest}


def _first(reduction: Reduction) -> str:
    """The address of an array's first element, whatever its rank."""
    kind, text = reduction.symbol.type, reduction.name
    while isinstance(kind, ty.Array) and isinstance(kind.of, ty.Array):
        kind, text = kind.of, f"{text}[0]"
    return text


def combination(reduction: Reduction) -> str:
    """The statement by which all threads combine their copies."""
    if reduction.is_scan:
        return f"ompc::finish({reduction.result});"
    if reduction.elements is None:
        return f"ompc::reduce({reduction.name}, {reduction.result});"
    first = f"{_first(reduction)} + {reduction.first}" if reduction.first else _first(reduction)
    return f"ompc::reduce({first}, {reduction.count}, {reduction.result});"


def launcher_call(reduction: Reduction, types: TypePrinter) -> str:
    """The launch's function that is told of the variable."""
    kind = types.declare(reduction.type)
    if reduction.is_latest:
        return f"latest<{kind}>"
    return f"{'scan' if reduction.is_scan else 'reduction'}<{operator_name(reduction)}, {kind}>"


def launcher_arguments(reduction: Reduction, types: TypePrinter, trips: str) -> list[str]:
    """What the launcher says of the variable: its name, where its values are and how many; of how many iterations,
    `trips`, if they see it.
    """
    arguments = [f'"{reduction.symbol.name}"', reduction.name]
    if reduction.is_scan:
        return [*arguments, trips]
    if reduction.elements is None:
        return arguments
    if reduction.first:
        arguments[1] = f"static_cast<{types.declare(reduction.type)} *>({reduction.name}) + {reduction.first}"
    return [*arguments, str(reduction.count)]
