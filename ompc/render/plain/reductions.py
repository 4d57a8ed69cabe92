"""Reductions of plain output: each block leaves what its threads have found, and the host combines the blocks' values.

    double error = 0.0;                              a thread's copy
    ...
    block_sum(error, error_of_block);                behind the loops: one value for each block
    for (...) *error += error_of_block[k];           on the host, in the order of the blocks: twice the same bits

In: Reduction.   Out: text.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.plan.model.plan import Reduction
from ompc.render.code.types import TypePrinter

_LIMITS = {
    "bool": ("false", "true"),
    "char": ("CHAR_MIN", "CHAR_MAX"),
    "signed char": ("SCHAR_MIN", "SCHAR_MAX"),
    "unsigned char": ("0", "UCHAR_MAX"),
    "short": ("SHRT_MIN", "SHRT_MAX"),
    "unsigned short": ("0", "USHRT_MAX"),
    "int": ("INT_MIN", "INT_MAX"),
    "unsigned int": ("0", "UINT_MAX"),
    "long": ("LONG_MIN", "LONG_MAX"),
    "unsigned long": ("0", "ULONG_MAX"),
    "long long": ("LLONG_MIN", "LLONG_MAX"),
    "unsigned long long": ("0", "ULLONG_MAX"),
    "float": ("-INFINITY", "INFINITY"),
    "double": ("-INFINITY", "INFINITY"),
}
_BITS = {"BitAnd": "&", "BitOr": "|", "BitXor": "^"}


@dataclass(frozen=True, slots=True)
class Operator:
    """`function` of the device file combines the values of a block; `combined`: two values, called a and b."""

    function: str
    about: str
    combined: str


OPERATORS = {
    "Sum": Operator("block_sum", "sum", "a + b"),
    "Product": Operator("block_product", "product", "a * b"),
    "Min": Operator("block_min", "least", "b < a ? b : a"),
    "Max": Operator("block_max", "most", "b > a ? b : a"),
    "BitAnd": Operator("block_and", "bitwise and", "a & b"),
    "BitOr": Operator("block_or", "bitwise or", "a | b"),
    "BitXor": Operator("block_xor", "bitwise exclusive or", "a ^ b"),
}


def operator_of(r: Reduction) -> Operator:
    return OPERATORS[str(r.op)]


def of_blocks(r: Reduction) -> str:
    """The kernel's parameter for what the blocks have found."""
    return f"{r.name}_of_block"


def declaration(r: Reduction, types: TypePrinter) -> str:
    """A thread's copy."""
    return f"{types.declare(ty.unqualified(r.type), r.name)} = {_first(r, types)};"


def _first(r: Reduction, types: TypePrinter) -> str:
    kind = types.declare(ty.unqualified(r.type))
    zero, one = ("0.0", "1.0") if isinstance(r.type, ty.Float) else ("0", "1")
    least, most = _LIMITS[kind]
    firsts = {"Sum": zero, "Product": one, "Min": most, "Max": least, "BitAnd": f"~({kind})0"}
    return firsts.get(str(r.op), zero)


def combination(r: Reduction, helpers: Mapping[str, str]) -> str:
    """The end of the kernel."""
    return f"{helpers[operator_of(r).function]}({r.name}, {of_blocks(r)});"


def host_combination(r: Reduction, values: str, block: str) -> str:
    """Of one block's value with the host's variable."""
    a, b = f"*{r.name}", f"{values}[{block}]"
    match str(r.op):
        case "Sum":
            return f"{a} += {b};"
        case "Product":
            return f"{a} *= {b};"
        case "Min":
            return f"{a} = {b} < {a} ? {b} : {a};"
        case "Max":
            return f"{a} = {b} > {a} ? {b} : {a};"
        case op:
            return f"{a} {_BITS[op]}= {b};"
