"""Analysis: products that must be rounded before they are added, and roots before they divide.

nvcc contracts a product and a sum to one fused multiply-add, whose last bit may differ. That is welcome in a result,
but where the value decides a comparison, becomes an integer or a subscript, the last bit becomes another integer (the
Mandelbrot count changes). So: the products that such a value is computed from are printed as `ompc::mul(a, b)`.

    zx = zx * zx - zy * zy + cx;  if (zx * zx + zy * zy > 4.0) break;      all four products are exact

Likewise 1 / sqrt(x), which ompc contracts itself (plan/contraction.py): it stays as it is on the way to such a value.

Backwards and flow-insensitive: from the floating operands of comparisons, conditions and conversions to integers,
through the values assigned to the variables and arrays they read, to every product and 1 / sqrt(x) on the way.

The same slice says which sums must be formed in the program's order: those that it comes by (plan/lane_sums.py).

    In: Reach, accesses.   Out: the Binary and compound-Assign nodes that are exact; every expression on the way.
    Not here: --fp strict (nvcc -fmad=false) and --fp fast (this analysis is not asked).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ompc.analysis.accesses import Access
from ompc.analysis.reach import Reach
from ompc.analysis.roots import Root
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import children, walk

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True, slots=True)
class Exactness:
    """`operations`: the products (Binary "*", Assign "*=") of the kernel that must not be contracted with a following
    sum, and the inverse roots that must be two operations; `deciding`: the expressions from which what decides comes.
    """

    operations: frozenset[t.Expr]
    deciding: frozenset[t.Expr]


def exactness(reach: Reach, accesses: Sequence[Access], inverse_roots: Collection[t.Expr]) -> Exactness:
    """What a last bit of may become an integer or a branch."""
    slicer = _Slice(reach, accesses, inverse_roots)
    for body in reach.bodies():
        for seed in _deciding(body):
            slicer.add(seed)
        for seed in _added_to_integers(body):
            slicer.add(seed, meets_sum=True)
    for function in reach.functions:
        slicer.add_integer_arguments(function)
    slicer.solve()
    return Exactness(frozenset(slicer.exact), slicer.seen)


def _is_real(node: t.Expr) -> bool:
    return isinstance(node.type, ty.Float)


def _deciding(body: t.Stmt) -> Iterator[t.Expr]:
    """Floating expressions whose last bit can become an integer or a branch."""
    for node in walk(body):
        match node:
            case t.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                yield from filter(_is_real, (left, right))
            case t.Binary(op="&&" | "||", left=left, right=right):
                yield from filter(_is_real, (left, right))
            case t.Unary(op="!", operand=operand) if _is_real(operand):
                yield operand
            case (
                t.If(condition=value)
                | t.While(condition=value)
                | t.DoWhile(condition=value)
                | t.Conditional(condition=value)
            ):
                yield from filter(_is_real, (value,))
            case t.For(condition=t.Expr() as value) if _is_real(value):
                yield value
            case t.Cast(type=kind, operand=value) if ty.is_integer(kind) and _is_real(value):
                yield value
            case t.Assign(target=target, value=value) if ty.is_integer(target.type) and _is_real(value):
                yield value
            case t.VarDecl(symbol=symbol, init=t.Expr() as value) if ty.is_integer(symbol.type) and _is_real(value):
                yield value
            case _:
                pass


def _added_to_integers(body: t.Stmt) -> Iterator[t.Expr]:
    """Floating values that `n += x * y` adds before it converts the sum."""
    for node in walk(body):
        match node:
            case t.Assign(op="+=" | "-=", target=target, value=value) if ty.is_integer(target.type) and _is_real(value):
                yield value
            case _:
                pass


class _Slice:
    """The backward slice; `exact` grows. A product is exact only when its value can meet a sum on its way."""

    def __init__(self, reach: Reach, accesses: Sequence[Access], inverse_roots: Collection[t.Expr]) -> None:
        self._reach = reach
        self._inverse_roots = inverse_roots
        self._pending: list[tuple[t.Expr, bool]] = []
        self._seen: set[tuple[t.Expr, bool]] = set()
        self._roots: defaultdict[t.Expr, set[Root]] = defaultdict(set)
        for access in accesses:
            self._roots[access.node].add(access.root)
        self._definitions = _definitions(reach, self._roots)
        self._functions = {function.symbol: function for function in reach.functions}
        self.exact: set[t.Expr] = set()

    def add(self, node: t.Expr, meets_sum: bool = False) -> None:
        """`meets_sum`: the value may be an operand of + or - before it decides anything."""
        if (node, meets_sum) not in self._seen:
            self._seen.add((node, meets_sum))
            self._pending.append((node, meets_sum))

    def add_integer_arguments(self, function: t.Function) -> None:
        """Arguments converted to an integer parameter, and results converted to an integer return type."""
        kind = function.symbol.type
        assert isinstance(kind, ty.Function)
        for node in self._reach.nodes:
            if (
                isinstance(node, t.Call)
                and isinstance(node.function, t.Name)
                and node.function.symbol is function.symbol
            ):
                for parameter, argument in zip(function.params, node.args, strict=False):
                    if ty.is_integer(parameter.type) and _is_real(argument):
                        self.add(argument)
        if ty.is_integer(kind.returns) and function.body is not None:
            for value in _returned(function.body):
                self.add(value)

    @property
    def seen(self) -> frozenset[t.Expr]:
        return frozenset(node for node, _ in self._seen)

    def solve(self) -> None:
        while self._pending:
            self._visit(*self._pending.pop())

    def _visit(self, node: t.Expr, meets_sum: bool) -> None:
        if (meets_sum and _is_product(node)) or node in self._inverse_roots:
            self.exact.add(node)
        for root in self._roots.get(node, ()):
            for value in self._definitions[root]:
                self.add(value, meets_sum=True)  # whoever reads the variable may add to it
        match node:
            case t.Binary(op="+" | "-") | t.Assign(op="+=" | "-="):
                inside = True
            case t.Unary() | t.Cast() | t.Conditional() | t.Comma() | t.Assign(op="="):
                inside = meets_sum
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self._functions:
                self._enter(self._functions[symbol], meets_sum)
                inside = True
            case _:
                inside = False
        for child in children(node):
            if isinstance(child, t.Expr) and not ty.is_integer(child.type):
                self.add(child, inside)

    def _enter(self, function: t.Function, meets_sum: bool) -> None:
        assert function.body is not None
        for value in _returned(function.body):
            self.add(value, meets_sum)


def _is_product(node: t.Expr) -> bool:
    match node:
        case t.Binary(op="*") | t.Assign(op="*="):
            return _is_real(node)
        case _:
            return False


def _returned(body: t.Stmt) -> Iterator[t.Expr]:
    for node in walk(body):
        if isinstance(node, t.Return) and node.value is not None:
            yield node.value


def _definitions(reach: Reach, roots: defaultdict[t.Expr, set[Root]]) -> defaultdict[Root, list[t.Expr]]:
    """For every object, the expressions whose value is stored in it. A compound assignment is its own value."""
    found: defaultdict[Root, list[t.Expr]] = defaultdict(list)
    functions = {function.symbol: function for function in reach.functions}
    for node in reach.nodes:
        match node:
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                found[Root(symbol)].append(value)
            case t.Assign(op=op, target=target, value=value):
                for root in roots.get(target, ()):
                    found[root].append(value if op == "=" else node)
            case t.Call(function=t.Name(symbol=callee), args=args) if callee in functions:
                for parameter, argument in zip(functions[callee].params, args, strict=False):
                    found[Root(parameter)].append(argument)
            case _:
                pass
    return found
