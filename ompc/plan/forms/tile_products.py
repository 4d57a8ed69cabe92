"""Plan: is what a tiled nest does in each iteration of its inner loop a sum of products that tensor cores compute?

    for (k ...) s += a[i][k] * b[k][j];                   s: of doubles, one for each point (i, j)
    for (k ...) c[i][j] -= alpha * d[k][i] * d[k][j];     left: alpha * d[k][i], for all j; right: d[k][j], for all i

A factor is any arithmetic on elements that one axis shares and on what the launch does not change. The instruction is
a chain of fused multiply-adds in the order of the iterations, which is what nvcc makes of the loop itself, so results
are the same bit for bit. Hence not where products are not contracted: with --fp strict, and where a last bit decides.

    In: the parts of a TilePlan, Contraction.   Out: TileProduct, or None.
    Not here: which instruction it is, and what devices without it do (ompc_products.h); products of floats, which
    tensor cores round.   Source: PTX ISA, "Matrix fragments for mma with .f64 floating point type".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ompc.analysis.locality.register_tile import RegisterTileBody
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.tile_model import Axis, KeptElement, RegisterTileVariable, StagedRead, TileProduct

_ARITHMETIC = ("+", "-", "*", "/")


def tile_product(
    body: RegisterTileBody,
    axes: tuple[t.Symbol, t.Symbol],
    staged: Sequence[StagedRead],
    kept: Sequence[KeptElement],
    carried: Sequence[RegisterTileVariable],
    values: Collection[t.Symbol],
    contraction: Contraction,
) -> TileProduct | None:
    """The sum that all of the inner loop's body is; `axes` are y and x, `values` what the launch passes."""
    declared, last = _parts(body.loop.body)
    if last is None or not contraction.contracts or len(kept) + len(carried) != 1:
        return None
    own = kept[0].own if kept else carried[0].own
    product, negative = _added(last, kept, carried)
    if product is None or product in contraction.exact or not _is_double(product) or not _is_double(last.target):
        return None
    factors = _Factors(body, axes, {node: read.axis for read in staged for node in read.nodes}, declared, values)
    sides = {factors.sides(factor): factor for factor in (product.left, product.right)}
    left, right = sides.get(frozenset({Axis.Y})), sides.get(frozenset({Axis.X}))
    if left is None or right is None:
        return None
    return TileProduct(own, left, right, factors.needed(left), factors.needed(right), negative)


def _is_double(node: t.Expr) -> bool:
    return ty.unqualified(node.type) == ty.DOUBLE


def _parts(body: t.Stmt) -> tuple[list[t.VarDecl], t.Assign | None]:
    """The declarations in front of the only other statement, and that; None where there is another one."""
    items = [item for item in (body.items if isinstance(body, t.Block) else (body,)) if not isinstance(item, t.Empty)]
    first, last = items[:-1], items[-1] if items else None
    if not isinstance(last, t.ExprStmt) or not isinstance(last.expr, t.Assign):
        return [], None
    if not all(isinstance(item, t.DeclStmt) for item in first):
        return [], None
    return [decl for item in first if isinstance(item, t.DeclStmt) for decl in item.decls], last.expr


def _added(
    node: t.Assign, kept: Sequence[KeptElement], carried: Sequence[RegisterTileVariable]
) -> tuple[t.Binary | None, bool]:
    """The product that is added to what the points have of their own, and whether it is subtracted instead."""

    def is_own(expr: t.Expr) -> bool:
        if isinstance(expr, t.Name):
            return any(expr.symbol is variable.symbol for variable in carried)
        return any(expr in element.nodes for element in kept)

    value, negative = node.value, node.op == "-="
    if node.op == "=" and isinstance(value, t.Binary) and value.op in ("+", "-"):
        negative = value.op == "-"
        if is_own(value.left):
            value = value.right
        elif is_own(value.right) and not negative:
            value = value.left
        else:
            return None, False
    elif node.op not in ("+=", "-="):
        return None, False
    is_sum = is_own(node.target) and isinstance(value, t.Binary) and value.op == "*"
    return (value, negative) if is_sum and isinstance(value, t.Binary) else (None, False)


@dataclass(frozen=True, eq=False)
class _Factors:
    """`staged`: the axis of each read that is."""

    body: RegisterTileBody
    axes: tuple[t.Symbol, t.Symbol]
    staged: Mapping[t.Expr, Axis]
    declared: Sequence[t.VarDecl]
    values: Collection[t.Symbol]

    def sides(self, node: t.Expr) -> frozenset[Axis] | None:
        """The axes that `node` varies with; None: with other things too."""
        if node in self.staged:
            return frozenset({self.staged[node]})
        match node:
            case t.IntConst() | t.FloatConst():
                return frozenset()
            case t.Name(symbol=symbol) if symbol in self.values:
                return frozenset()
            case t.Name(symbol=symbol) if symbol in self.body.varying:
                varying = self.body.varying[symbol]
                return frozenset(axis for axis, of in zip((Axis.Y, Axis.X), self.axes, strict=True) if of in varying)
            case t.Name(symbol=symbol):
                init = next((decl.init for decl in self.declared if decl.symbol is symbol), None)
                return self.sides(init) if init is not None and ty.is_arithmetic(symbol.type) else None
            case t.Cast(operand=operand) | t.Unary(op="+" | "-", operand=operand) if ty.is_arithmetic(node.type):
                return self.sides(operand)
            case t.Binary(op=op, left=left, right=right) if op in _ARITHMETIC and ty.is_arithmetic(node.type):
                first, second = self.sides(left), self.sides(right)
                return None if first is None or second is None else first | second
            case _:
                return None

    def needed(self, factor: t.Expr) -> tuple[t.VarDecl, ...]:
        """The declarations that the factor is computed from, in their order."""
        named = symbols_in(factor)
        found: list[t.VarDecl] = []
        for decl in reversed(self.declared):
            if decl.symbol in named and decl.symbol not in self.body.varying and decl.init is not None:
                found.insert(0, decl)
                named |= symbols_in(decl.init)
        return tuple(found)
