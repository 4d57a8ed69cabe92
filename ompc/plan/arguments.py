"""Loop bounds and launcher arguments: what the host passes to a launcher, and what the launcher computes from it.

A bound that is integer arithmetic on scalars passed by value is computed in the launcher, where a reader sees it. Any
other one without side effects (`i < row[r + 1]`, `i < g->n`, `i < (int)(x * y)`) is evaluated by the host in the call:
the original evaluates it at that place anyway, and its compiler contracts what it has contracted there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from ompc.analysis.integers.invariance import Invariance
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.model import FixedRead, ParallelLoop, ReductionItem, Sharing
from ompc.plan.model.element_names import name_of
from ompc.plan.model.extent import MappedExtent, ObjectExtent
from ompc.plan.model.launch import Agreement, Argument, Bound, ThreadTable
from ompc.plan.model.names import Local, Name, spelled
from ompc.plan.model.variable import Role, Variable

TURNS = Local("turns")
"""The launcher's argument for how many iterations further on a thread has its next one of a divided loop."""


def bound(name: Name, kind: ty.Type, expr: t.Expr | None, is_value: Callable[[t.Symbol], bool]) -> Bound:
    """The plan of one bound or step; None stands for a step of one."""
    if expr is None:
        return Bound(name, kind, None, None, 1)
    constant = constant_value(expr)
    if constant is not None:
        return Bound(name, kind, expr, None, constant)
    if Invariance(is_value).holds(expr):
        return Bound(name, kind, without_traps(expr), None, None)
    text = c_expr(expr)
    return Bound(name, kind, None, f"({text})" if isinstance(expr, t.Comma) else text, None)  # one argument of a call


def without_traps(expr: t.Expr) -> t.Expr:
    """`expr` where a division by 0 is 0: the original may never come to it, and if it does, anything may happen."""

    def change(node: Node) -> Node | None:
        match node:
            case t.Binary(op="/" | "%", left=left, right=right, type=ty.Int()) if not constant_value(right):
                zero, divided = t.IntConst(ty.INT, node.loc, 0, "0"), rewritten(right, change)
                quotient = t.Binary(node.type, node.loc, node.op, rewritten(left, change), divided)
                return t.Conditional(node.type, node.loc, copied(divided), quotient, zero)
            case _:
                return None

    return rewritten(expr, change)


OBJECT = ty.Pointer(ty.VOID)
READ_ONLY_OBJECT = ty.Pointer(ty.Void(quals=frozenset({"const"})))


def fixed_arguments(v: Variable, read: FixedRead, agreement: Agreement) -> list[Argument]:
    """The number that the host reads in memory, and where it lies if the launcher is to compare that."""
    kind, value = ty.unqualified(v.symbol.type), c_expr(read.value)
    text = f"({read.condition}) ? {value} : 0" if read.condition else value
    found = [Argument(v.device_name, kind, text, agreement)]
    found += [_compared(Local("_at", after=v.device_name), lvalue, read.condition) for lvalue in read.compared]
    return found


def kept_arguments(loop: ParallelLoop) -> list[Argument]:
    """Where the parts of objects lie that the host has asked for, which the launcher compares with what is written."""
    return [_compared(Local(f"{name_of(lvalue)}_kept"), lvalue, "") for lvalue in loop.kept]


def _compared(name: Name, lvalue: t.Expr, condition: str) -> Argument:
    text = c_expr(lvalue)
    place = f"({condition}) ? &{text} : 0" if condition else f"&{text}"
    return Argument(name, READ_ONLY_OBJECT, place, stays=(text, ty.size_of(lvalue.type) or 0))


def turns_argument(loop: ParallelLoop) -> list[Argument]:
    """How many iterations further on each thread has its next one, if it has no block of them."""
    step = None if loop.divided is None else loop.divided.turns
    return [] if step is None else [Argument(TURNS, ty.unqualified(step.type), c_expr(step))]


def rows_of_scratch(loop: ParallelLoop, values: Sequence[Variable]) -> dict[t.Symbol, tuple[Name, Name]]:
    """The rows of the launch's memory, by the names of what they are counted by."""
    names = {v.symbol: v.device_name for v in values}
    return {symbol: (names[first], names[second]) for symbol, (first, second) in loop.scratch.items()}


def of_each_thread(v: Variable, variable: t.Symbol) -> Argument:
    """What a thread has in the variable that the kernel has a table of."""
    by_value = not v.writes and (ty.is_arithmetic(variable.type) or isinstance(variable.type, ty.Pointer))
    table = ThreadTable(spelled(v.symbol.name), variable, by_value, bool(v.writes))
    kind = ty.unqualified(variable.type) if by_value else ty.Pointer(ty.VOID) if v.writes else READ_ONLY_OBJECT
    text = variable.name if by_value or isinstance(variable.type, ty.Array) else f"&{variable.name}"
    return Argument(Local(variable.name), kind, text, Agreement.NONE, table=table)


def value_arguments(v: Variable, loop: ParallelLoop) -> list[Argument]:
    """A scalar by value, an object of several by its address."""
    if ty.has_parts(v.symbol.type):
        return [object_argument(v, v.device_name, READ_ONLY_OBJECT, f"&{v.symbol.name}", loop)]
    if v.symbol is loop.phases:
        return []  # the launcher says it
    if (read := loop.fixed.get(v.symbol)) is not None:
        is_part = loop.divided is not None and v.symbol in (loop.divided.first, loop.divided.end)
        return fixed_arguments(v, read, Agreement.NONE if is_part else Agreement.VALUE)
    return [Argument(v.device_name, ty.unqualified(v.symbol.type), v.symbol.name)]


def host_name(v: Variable, loop: ParallelLoop) -> str:
    """What the host calls an object, or the one whose copy it is."""
    return loop.former.get(v.symbol, v.symbol).name


def object_argument(v: Variable, name: Name, kind: ty.Type, text: str, loop: ParallelLoop) -> Argument:
    """An object by its address: that of a shared variable is the same in all threads."""
    if v.is_pointee:
        return Argument(name, kind, text)
    if loop.team is None or v.symbol not in loop.team.private:
        return Argument(name, kind, text, Agreement.NONE)
    return Argument(name, kind, text, Agreement.CONTENTS, ty.unqualified(v.symbol.type))


def named_once(arguments: Sequence[Argument]) -> list[Argument]:
    """The first of each name: arrays may have lengths in common (row_lengths.py)."""
    found: dict[Name, Argument] = {}
    for argument in arguments:
        found.setdefault(argument.name, argument)
    return list(found.values())


def length_arguments(v: Variable, loop: ParallelLoop) -> list[Argument]:
    """The lengths of a variable-length array, as the host's sizeof gives them: fixed when the array was declared."""
    whole = host_name(v, loop)
    row, found = f"{whole}[0]", []
    for name, length in zip_longest(v.dimensions, v.lengths):
        found.append(Argument(name, ty.LONG, _named(length, loop) or f"(long)(sizeof({row}) / sizeof({row}[0]))"))
        row += "[0]"
    if isinstance(v.extent, MappedExtent):
        texts = (v.extent.section.first, v.extent.section.count)
        longs = (text if text.isdecimal() else f"(long)({text})" for text in texts)
        found += [Argument(name, ty.LONG, text) for name, text in zip(v.sizes, longs, strict=True)]
    if v.bytes is None and isinstance(v.extent, ObjectExtent):
        found += [Argument(name, ty.ULONG, f"sizeof({whole})") for name in v.sizes]
    return found


def _named(length: t.Symbol | None, loop: ParallelLoop) -> str:
    """The variable, as a long, if it is what the host calls so in front of the loop."""
    if length is None or loop.pragma.scope.get(length.name) is not length:
        return ""
    is_signed = isinstance(length.type, ty.Int) and length.type.signed
    return length.name if is_signed else f"(long){length.name}"


def copied_reductions(loop: ParallelLoop) -> list[ReductionItem]:
    """The reductions of which each thread has a copy."""
    return [item for item in loop.reductions if loop.sharing[item.symbol] is Sharing.REDUCTION]


def agreement_on(result: t.Symbol, loop: ParallelLoop) -> Agreement:
    """What the threads have in common where a launch adds to `result`: the variable, or one of its own each."""
    named = any(result in clause.symbols for clause in loop.directive.all("reduction"))
    return Agreement.VALUE if named else Agreement.NONE


def registers(loop: ParallelLoop, variables: Sequence[Variable]) -> tuple[t.Symbol, ...]:
    """The `register` variables that the launcher takes by their address."""
    linear = (symbol for symbol in loop.linear.values() if symbol.storage is t.Storage.REGISTER)
    return (*(v.symbol for v in variables if _is_register_by_address(v)), *linear)


def _is_register_by_address(v: Variable) -> bool:
    """Is it a `register` variable, which has no address, that the launcher takes by its address?"""
    by_value = v.role in (Role.VALUE, Role.FIRSTPRIVATE) and not ty.has_parts(v.symbol.type)
    whole = not isinstance(v.symbol.type, ty.Array) and not v.is_pointee
    return v.symbol.storage is t.Storage.REGISTER and v.role is not Role.PRIVATE and whole and not by_value


def own_accumulators(loop: ParallelLoop) -> tuple[t.Symbol, ...]:
    """Variables in which each thread of a team accumulates for itself, and whose addresses nobody else has: the
    launcher gets those of copies. The compiler keeps in a register what no other function can write.
    """
    if loop.team is None:
        return ()
    own = (item.symbol for item in copied_reductions(loop) if agreement_on(item.symbol, loop) is Agreement.NONE)
    scalars = (symbol for symbol in own if ty.is_arithmetic(symbol.type) and not symbol.address_taken)
    return tuple(symbol for symbol in scalars if symbol in loop.team.private)
