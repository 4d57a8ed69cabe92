"""Reductions of plain output: each block leaves what its threads have found, and the host combines the blocks' values.

    double error = 0.0;                              a thread's copy
    ...
    block_sum(error, error_of_block);                behind the loops: one value for each block
    for (...) *error += error_of_block[k];           on the host, in the order of the blocks: twice the same bits

Of an array each thread has a copy, and each block leaves a value for each element, those of one element in a row:

    double h[16];                                    for (int e = 0; e < 16; e++) h[e] = 0.0;
    for (int e = 0; e < 16; e++)
        block_sum(h[e], h_of_block + e * gridDim.x);

In: Reduction.   Out: text.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.plan.model.names import first_free
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


def declaration(r: Reduction, types: TypePrinter) -> list[str]:
    """A thread's copy."""
    if r.elements is None:
        return [f"{types.declare(ty.unqualified(r.type), r.name)} = {_first(r, types)};"]
    e = _index(r)
    declared = types.declare(ty.unqualified_elements(r.symbol.type), r.name)
    each = f"for (int {e} = 0; {e} < {r.elements}; {e}++)"
    return [f"{declared};", each, f"    {_element(r, e)} = {_first(r, types)};"]


def _index(r: Reduction) -> str:
    return first_free("e", {r.name, of_blocks(r)})


def _element(r: Reduction, index: str) -> str:
    """Of the array, by the number of the element."""
    kind, inner, text = r.symbol.type, r.elements or 1, r.name
    rows = isinstance(kind, ty.Array) and isinstance(kind.of, ty.Array)
    while isinstance(kind, ty.Array):
        length = kind.length
        assert isinstance(length, int)
        outermost, inner, kind = text == r.name, inner // length, kind.of
        place = f"({index})" if rows and " " in index else index
        place = f"{place} / {inner}" if inner > 1 else place
        text += f"[{place if outermost else f'{place} % {length}'}]"
    return text


def _first(r: Reduction, types: TypePrinter) -> str:
    kind = types.declare(ty.unqualified(r.type))
    zero, one = ("0.0", "1.0") if isinstance(r.type, ty.Float) else ("0", "1")
    least, most = _LIMITS[kind]
    firsts = {"Sum": zero, "Product": one, "Min": most, "Max": least, "BitAnd": f"~({kind})0"}
    return firsts.get(str(r.op), zero)


def combination(r: Reduction, helpers: Mapping[str, str], blocks: str) -> list[str]:
    """The end of the kernel, of a grid of so many `blocks`."""
    function = helpers[operator_of(r).function]
    if r.elements is None:
        return [f"{function}({r.name}, {of_blocks(r)});"]
    e = _index(r)
    place = f"{of_blocks(r)} + {e} * {blocks}"
    value = _element(r, f"{r.first} + {e}" if r.first else e)
    return [f"for (int {e} = 0; {e} < {r.count}; {e}++)", f"    {function}({value}, {place});"]


@dataclass(frozen=True, slots=True)
class HostNames:
    """Variables of the launch function: the number of blocks, of a block, of an element."""

    count: str
    number: str
    element: str


def host_combination(r: Reduction, names: HostNames) -> list[str]:
    """Of what the blocks have found with the host's variable."""
    k, e, values = names.number, names.element, of_blocks(r)
    over_blocks = f"for (unsigned {k} = 0; {k} < {names.count}; {k}++)"
    if r.elements is None:
        return [over_blocks, "    " + _combined(r, f"*{r.name}", f"{values}[{k}]")]
    one = _combined(r, _element(r, f"{r.first} + {e}" if r.first else e), f"{values}[{e} * {names.count} + {k}]")
    return [f"for (unsigned {e} = 0; {e} < {r.count}; {e}++)", f"    {over_blocks}", f"        {one}"]


def _combined(r: Reduction, a: str, b: str) -> str:
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
