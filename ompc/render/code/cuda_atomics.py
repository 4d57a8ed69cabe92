"""Atomic operations as CUDA has them, for code without the runtime.

    x += e          atomicAdd(&x, e)                                      int, unsigned, float, double
    n += e          atomicAdd((unsigned long long *)&n, e)                64 bits: modulo 2^64 is the same
    v = n++         v = (long)atomicAdd((unsigned long long *)&n, 1)
    x -= e          atomicSub(&x, e); of floating-point numbers atomicAdd(&x, -e)
    m = e < m ? e : m               atomicMin(&m, e)                      integers

    In: an Operation; how to print an address and an operand.   Out: text; None: CUDA has no such function.
    Not here: the runtime's, which have all of them -- operations.py.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.analysis.reductions.operations import Operation, Result
from ompc.ir import tree as t
from ompc.ir import types as ty

_FUNCTIONS = {"add": "atomicAdd", "sub": "atomicSub", "and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor"}
_EXTREMES = {"min": "atomicMin", "max": "atomicMax"}
_WIDE = "unsigned long long"


def cuda_operation(
    operation: Operation, address: Callable[[t.Expr], str], operand: Callable[[t.Expr], str]
) -> str | None:
    kind = ty.unqualified(operation.object.type)
    if operation.result not in (Result.NOTHING, Result.BEFORE) or operation.relation or operation.otherwise:
        return None
    if len(operation.operands) != 1:
        return None
    value = operation.operands[0]
    place, text = address(operation.object), operand(value)
    match kind:
        case ty.Int():
            return _of_integers(operation, kind, value, place, text)
        case ty.Float(name="float" | "double") if operation.name == "add" and _keeps(value.type, kind):
            return f"atomicAdd({place}, {text})"
        case ty.Float(name="float" | "double") if operation.name == "sub" and _keeps(value.type, kind):
            return f"atomicAdd({place}, -{text if text.isidentifier() else f'({text})'})"
        case _:
            return None


def _of_integers(operation: Operation, kind: ty.Int, value: t.Expr, place: str, text: str) -> str | None:
    """Of sums, and of bits, what is cut off comes to the same; of extremes nothing is."""
    if not isinstance(ty.unqualified(value.type), ty.Int):
        return None
    is_extreme = operation.name in _EXTREMES
    if is_extreme and ty.unqualified(value.type) != kind:
        return None
    function = (_FUNCTIONS | _EXTREMES).get(operation.name)
    if function is None or kind.name == "_Bool":
        return None
    if kind.size == 4:
        return f"{function}({place}, {text})"
    if kind.size != 8 or operation.name == "sub":
        return None
    wide = "long long" if is_extreme and kind.signed else _WIDE
    if kind.name == wide:
        return f"{function}({place}, {text})"
    call = f"{function}(({wide} *){place}, {text})"
    return call if operation.result is Result.NOTHING else f"({kind.name}){call}"


def _keeps(source: ty.Type, kind: ty.Float) -> bool:
    """Is `x + e` computed in the type of x?"""
    source = ty.unqualified(source)
    return isinstance(source, ty.Int) or (isinstance(source, ty.Float) and source.size <= kind.size)
