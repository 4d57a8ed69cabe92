"""Analysis: contraction safety: what must be rounded and added as the program says, not contracted, not regrouped.

nvcc contracts a product and a sum to one fused multiply-add, whose last bit may differ. That is done only where every
use of the value is known to be harmless (deciding_uses.py); otherwise the products that the value is computed from are
printed as `ompc::mul(a, b)`. The Mandelbrot count would change:

    zx = zx * zx - zy * zy + cx;  if (zx * zx + zy * zy > 4.0) break;      all four products are exact

Likewise 1 / sqrt(x), which ompc contracts itself (model/contraction.py), and sums that lanes form
(plan/groups/lane_sums.py).

Backwards and flow-insensitive: from the uses that decide, through the values given to the variables, arrays and
parameters on the way, to every product and 1 / sqrt(x).

    In: DeviceCode, accesses, inverse roots, what the file compares.   Out: ContractionSafety.
    Not here: --fp strict (nvcc -fmad=false) and --fp fast (this analysis is not asked); what other loops and the host
    do with what is stored -- compared_objects.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeGuard

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.floats.deciding_uses import DecidingUses, bits_read, bodies_of
from ompc.analysis.floats.float_values import FloatValues, float_values, has_floats, is_product, is_real
from ompc.analysis.floats.steadiness import Steadiness
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import returned
from ompc.ir.walk import Node, children, walk


@dataclass(frozen=True, slots=True)
class ContractionSafety:
    """`operations`: the products (Binary "*", Assign "*=") of the kernel that must not be contracted with a following
    sum, and the inverse roots that must be two operations; `deciding`: the expressions from which what decides comes,
    whose sums keep their order.
    """

    operations: frozenset[t.Expr]
    deciding: frozenset[t.Expr]


def contraction_safety(
    device_code: DeviceCode,
    accesses: Sequence[Access],
    inverse_roots: Collection[t.Expr],
    compared: Callable[[t.Expr], bool],
    tested: Callable[[t.Expr], bool],
) -> ContractionSafety:
    """What a last bit of may become more than a last bit; `compared`: of what is stored in the lvalue, elsewhere;
    `tested`: of a sum that it goes into, somebody asks whether it is 0.
    """
    values = float_values(device_code, accesses)
    bodies = ((device_code.body, ty.VOID), *bodies_of(device_code.functions))
    uses = DecidingUses(bodies, values, Steadiness(values, inverse_roots))
    slicer = _Slice(values, inverse_roots)
    for seed, meets_sum in uses.seeds:
        slicer.add((seed,), meets_sum)
    for obj in (*bits_read(accesses), *_combined_by_the_user(device_code)):
        slicer.add(values.given.get(obj, ()))
    slicer.add(node for bound in _bounds(device_code) for node in walk(bound) if _is_real(node))
    sums = {
        MemoryObject(item.symbol)
        for item in device_code.loop.reductions
        if item.op in ("+", "-") and item.declared is None
    }
    kept = [node for node in _stores(device_code) if compared(node.target) and not _is_in(node.target, sums, values)]
    slicer.add(node if node.op != "=" else node.value for node in kept)
    slicer.solve()
    of_sums = _Slice(values, inverse_roots)
    of_sums.add(node if node.op != "=" else node.value for node in _stores(device_code) if tested(node.target))
    of_sums.solve()
    of_dividends = _Slice(values, inverse_roots, enters_sums=False)
    of_dividends.add(uses.dividends)
    of_dividends.solve()
    exact = slicer.exact | of_sums.exact | of_dividends.exact
    if _has_complex_numbers(device_code):
        exact |= {node for node in device_code.nodes if isinstance(node, t.Expr) and is_product(node)}
        exact |= set(inverse_roots)
    return ContractionSafety(frozenset(exact), slicer.seen)


def _has_complex_numbers(device_code: DeviceCode) -> bool:
    """Then nothing is contracted: the runtime's operators on them round each product, and so does what they meet."""
    return any(isinstance(node, t.Expr) and isinstance(node.type, ty.Complex) for node in device_code.nodes)


def _combined_by_the_user(device_code: DeviceCode) -> Iterable[MemoryObject]:
    """Reduction variables whose combiners are the user's own."""
    return (MemoryObject(item.symbol) for item in device_code.loop.reductions if item.declared is not None)


def _stores(device_code: DeviceCode) -> Iterator[t.Assign]:
    return (node for node in device_code.nodes if isinstance(node, t.Assign) and has_floats(node.target.type))


def _bounds(device_code: DeviceCode) -> Iterator[t.Expr]:
    """What the launcher computes: how many iterations there are."""
    for loop in device_code.loop.loops:
        yield from filter(None, (loop.lower, loop.upper, loop.step))


def _is_in(lvalue: t.Expr, sums: Collection[MemoryObject], values: FloatValues) -> bool:
    """Is it one of the sums that the loop forms, which are combined in any order?"""
    objects = values.objects.get(lvalue, ())
    return bool(objects) and all(obj in sums for obj in objects)


def _is_real(node: Node) -> TypeGuard[t.Expr]:
    return isinstance(node, t.Expr) and is_real(node)


class _Slice:
    """The backward slice; `exact` grows. A product is exact only when its value can meet a sum on its way.

    `enters_sums`: also what is added to variables.
    """

    def __init__(self, values: FloatValues, inverse_roots: Collection[t.Expr], enters_sums: bool = True) -> None:
        self._enters_sums = enters_sums
        self._values = values
        self._inverse_roots = inverse_roots
        self._pending: list[tuple[t.Expr, bool]] = []
        self._read: set[MemoryObject] = set()
        self._seen: set[tuple[t.Expr, bool]] = set()
        self.exact: set[t.Expr] = set()

    def add(self, nodes: Iterable[t.Expr], meets_sum: bool = True) -> None:
        """`meets_sum`: the value may be an operand of + or - before it decides anything, as one that a variable has."""
        for node in nodes:
            if (node, meets_sum) not in self._seen:
                self._seen.add((node, meets_sum))
                self._pending.append((node, meets_sum))

    @property
    def seen(self) -> frozenset[t.Expr]:
        return frozenset(node for node, _ in self._seen)

    def solve(self) -> None:
        while self._pending:
            self._visit(*self._pending.pop())

    def _visit(self, node: t.Expr, meets_sum: bool) -> None:
        if (meets_sum and is_product(node)) or node in self._inverse_roots:
            self.exact.add(node)
        for obj in self._values.objects.get(node, frozenset()) - self._read:
            self._read.add(obj)  # its values are many where a variable is assigned to in each statement
            given = self._values.given.get(obj, ())
            self.add(value for value in given if self._enters_sums or not isinstance(value, t.Assign))
        callee = self._values.callee(node)
        if callee is not None:
            self.add(() if callee.body is None else returned(callee.body), meets_sum)
        match node:
            case t.Binary(op="*" | "/") | t.Assign(op="*=" | "/="):
                meets_sum = False
            case t.Unary() | t.Cast() | t.Conditional() | t.Comma() | t.Assign(op="="):
                pass
            case _:
                meets_sum = True
        for child in children(node):
            if isinstance(child, t.Expr) and not ty.is_integer(child.type):
                self.add((child,), meets_sum)
