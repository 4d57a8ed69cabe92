"""Plan: the structs, unions and enumeration constants that device code needs.

In: the kernels and device functions.   Out: tuple[Record, ...], each after the records that its members contain; the
enumeration constants by name, so that the reader sees names and not numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.plan import DeviceFunction
from ompc.plan.program.functions import declared_of


def records_of(kernels: Iterable[Kernel], functions: Iterable[DeviceFunction]) -> tuple[ty.Record, ...]:
    """Every record whose definition the device file must contain, in the order of dependence."""
    ordered: dict[ty.Record, None] = {}
    for kind in _types(kernels, functions):
        _add(kind, ordered)
    return tuple(ordered)


def _types(kernels: Iterable[Kernel], functions: Iterable[DeviceFunction]) -> Iterator[ty.Type]:
    for kernel in kernels:
        for parameter in kernel.parameters:
            yield parameter.symbol.type
        for node in (*kernel.facts.device_code.nodes, *_combining(kernel)):
            if isinstance(node, t.Expr):
                yield node.type
            elif isinstance(node, t.VarDecl):
                yield node.symbol.type
    for function in functions:
        yield function.function.symbol.type
        yield from (extra.symbol.type for extra in function.extra)


def _combining(kernel: Kernel) -> Iterator[object]:
    """The nodes of the combiners and initializers of the kernel's reductions."""
    return (n for declared in declared_of(kernel.facts) for expr in declared.expressions for n in walk(expr))


def _add(kind: ty.Type, ordered: dict[ty.Record, None]) -> None:
    match kind:
        case ty.Pointer(to=of) | ty.Array(of=of):
            _add(of, ordered)
        case ty.Function(returns=returns, params=params):
            for inner in (returns, *(params or ())):
                _add(inner, ordered)
        case ty.Struct(record=record) if record not in ordered and record.fields is not None:
            for member in record.fields:
                if not isinstance(member.type, ty.Pointer):
                    _add(member.type, ordered)
            ordered[record] = None
        case _:
            pass


def enumerators_of(kernels: Iterable[Kernel]) -> tuple[tuple[str, int], ...]:
    """(name, value) of every enumeration constant that device code names, in the order of the text.

    A name that stands for two values (two enums in two functions) is left out: it is printed as its value. So is one
    that a variable or function has as well, which may hide the constant where C has it the other way round, and one
    that is no `int`.
    """
    found: dict[str, set[int]] = {}
    others: set[str] = set()
    for kernel in kernels:
        loop, code = kernel.facts.loop, kernel.facts.device_code
        bounds = [e for each in loop.loops for e in (each.lower, each.upper, each.step) if e is not None]
        named = (*bounds, *(e for declared in declared_of(kernel.facts) for e in declared.expressions))
        others |= {symbol.name for symbol in loop.sharing} | {each.var.name for each in loop.loops}
        others |= {symbol.name for function in code.functions for symbol in (function.symbol, *function.params)}
        for node in (*code.nodes, *(n for e in named for n in walk(e))):
            match node:
                case t.IntConst(text=text, value=value, type=kind) if text.isidentifier():
                    found.setdefault(text, set()).add(value)
                    others |= {text} if ty.unqualified(kind) != ty.INT else set()
                case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol):
                    others.add(symbol.name)
                case _:
                    pass
    known = ((name, values) for name, values in found.items() if len(values) == 1 and name not in others)
    return tuple((name, value) for name, values in known for value in values)
