"""Plan: the `__device__` copies of called functions.

A kernel cannot name the host's globals. A file-scope object that a function uses, itself or through its callees,
becomes an extra parameter at the end of its list: by value when it is a scalar that the function only reads, by
address else.

    static double coef[4];  double f(double x) { return coef[0] * x + shift; }
    __device__ double f(double x, const double *coef, double shift)

CUDA has some functions of the C library that write behind a pointer (`frexp(x, &e)`): kernels call those, and what
sema/library.c has for them only says what they do.

    In: the facts of all kernels.   Out: tuple[DeviceFunction, ...], callees first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ompc.analysis.eligibility.library_effects import is_of_system
from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.analysis.reductions.associativity import combiner_functions
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.device_library import WRITING
from ompc.ir.walk import walk
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.plan import Binding, DeviceFunction, ExtraParameter
from ompc.sema.library import LIBRARY


def device_functions(kernels: Sequence[Facts]) -> tuple[DeviceFunction, ...]:
    """Every function that some kernel calls, once, in an order in which callees come first."""
    found: dict[t.Symbol, DeviceFunction] = {}
    on_host = {function for facts in kernels for function in combiner_functions(declared_of(facts), facts.device_code)}
    for facts in kernels:
        accesses: dict[t.Function | None, list[Access]] = {}
        for access in facts.accesses:
            accesses.setdefault(access.function, []).append(access)
        for function in facts.device_code.functions:
            if function.symbol not in found:
                uses = _own_uses(function, facts, accesses.get(function, ()))
                made = _device_function(function, uses, found)
                found[function.symbol] = replace(made, on_host=function in on_host, of_cuda=_is_cudas(function))
    return tuple(found.values())


def declared_of(facts: Facts) -> tuple[DeclaredReduction, ...]:
    """The user-defined reductions of a loop, each once."""
    return tuple(dict.fromkeys(item.declared for item in facts.loop.reductions if item.declared is not None))


def _device_function(
    function: t.Function, uses: dict[t.Symbol, bool], callees: Mapping[t.Symbol, DeviceFunction]
) -> DeviceFunction:
    """`uses`: the objects that its own text names; those of its callees are added."""
    for callee in _called(function, callees):
        for extra in callee.extra:
            uses[extra.symbol] = uses.get(extra.symbol, False) or (extra.written and extra.binding.dereferenced)
    extras = tuple(_extra(symbol, written) for symbol, written in sorted(uses.items(), key=lambda u: u[0].position))
    bindings = {e.symbol: e.binding for e in extras}
    return DeviceFunction(function, spelled(function.name), extras, bindings)


def _is_cudas(function: t.Function) -> bool:
    """Is it the C library's, as the system's header declares it, and one that CUDA has too?"""
    assert function.body is not None
    from_library = function.body.loc.file == LIBRARY and is_of_system(function.symbol.loc)
    return from_library and function.name in WRITING


def _extra(symbol: t.Symbol, written: bool) -> ExtraParameter:
    name = Local(spelled(symbol.name))
    by_address = not isinstance(symbol.type, (ty.Array, ty.Pointer)) and (written or isinstance(symbol.type, ty.Struct))
    return ExtraParameter(symbol, Binding(name, dereferenced=by_address), written)


def _own_uses(function: t.Function, facts: Facts, accesses: Sequence[Access]) -> dict[t.Symbol, bool]:
    """The file-scope objects that the function's own text names, and whether it may write them. `accesses`: its own."""
    assert function.body is not None
    uses: dict[t.Symbol, bool] = {}
    for node in walk(function.body):
        match node:
            case t.Name(symbol=symbol) if symbol in facts.function_symbols:
                uses.setdefault(symbol, False)
            case t.Unary(op="&", operand=t.Name(symbol=symbol)) if symbol in facts.function_symbols:
                uses[symbol] = True
            case _:
                pass
    for access in accesses:
        symbol = access.obj.symbol
        by_operation = facts.atomic_operations.operation(access) is not None  # which needs the object's own address
        written = (access.mode.writes and not access.obj.stored) or by_operation
        if written and symbol in uses:
            uses[symbol] = True
    return uses


def _called(function: t.Function, callees: Mapping[t.Symbol, DeviceFunction]) -> list[DeviceFunction]:
    assert function.body is not None
    names = [node.function for node in walk(function.body) if isinstance(node, t.Call)]
    return [callees[name.symbol] for name in names if isinstance(name, t.Name) and name.symbol in callees]
