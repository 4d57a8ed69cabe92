"""User-defined reductions as structs that the runtime reduces with.

    #pragma omp declare reduction(nearer : point : omp_out = omp_in.d < omp_out.d ? omp_in : omp_out) \\
            initializer(omp_priv = {DBL_MAX, -1})

    struct nearer {
        static constexpr bool declared = true;
        initial(omp_orig)           the value of a new copy
        apply(omp_out, omp_in)      the combiner
        same(a, b)                  for the launcher: does one more copy change nothing?
    };

In: Operator, printers.   Out: OperatorView, lines for templates/operator.cu.j2.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.queries import symbols_in
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import Operator
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.types import TypePrinter


@dataclass(frozen=True, slots=True)
class OperatorView:
    name: str
    about: str
    type: str
    original: str
    initial: list[str]
    combiner: str
    same: list[str]


def operator_view(operator: Operator, types: TypePrinter, expressions: ExpressionPrinter) -> OperatorView:
    """The view of one operator."""
    declared = operator.declared
    kind = types.declare(declared.type)
    *_, original = declared.variables
    used = any(original in symbols_in(e) for e in declared.expressions)
    return OperatorView(
        name=str(operator.name),
        about=_about(declared),
        type=kind,
        original=" omp_orig" if used else "",
        initial=_initial(operator, types, expressions),
        combiner=expressions.text(declared.combiner) + ";",
        same=list(_comparisons(declared.type, "")),
    )


def _about(declared: DeclaredReduction) -> str:
    if declared.merged is None:
        return f"The reduction that line {declared.loc.line} declares."
    return f"How the threads merge what they have in `{declared.merged.name}` of line {declared.loc.line}."


def _initial(operator: Operator, types: TypePrinter, expressions: ExpressionPrinter) -> list[str]:
    declared = operator.declared
    variable = types.declare(declared.type, "omp_priv")
    if declared.initial is not None:
        return [f"{variable} = {expressions.initializer(declared.initial, declared.type)};"]
    if declared.initializer is not None:
        return [f"{variable}{{}};", f"{expressions.text(declared.initializer)};"]
    return [f"{variable}{{}};"]


def _comparisons(kind: ty.Type, path: str) -> Iterator[str]:
    """Comparisons of all bytes of `a` and `b` that are part of a value: not of those between members."""
    match kind:
        case ty.Struct(record=record) if record.kind == "struct":
            for member in record.fields or ():
                name = f"{path}.{spelled(member.name)}" if member.name else path
                if member.bits is not None:
                    if member.name:
                        yield f"a{name} == b{name}"
                else:
                    yield from _comparisons(member.type, name)
        case _:
            yield f"::memcmp(&a{path}, &b{path}, sizeof a{path}) == 0"
