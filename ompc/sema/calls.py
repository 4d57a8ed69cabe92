"""Calls and what looks like a call: builtins, `offsetof`, <tgmath.h>, `va_arg`.

In: pycparser's FuncCall nodes.   Out: tree.Expr.   Not here: other expressions -- expressions.py.
"""

from __future__ import annotations

from pycparser import c_ast

from ompc.base.source import Location
from ompc.frontend.gnu import COMPUTED_GOTO
from ompc.frontend.neutralise import ASM_CALL, IMAGINARY_CALL
from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import COMPLEX
from ompc.ir.show import integer_text
from ompc.ir.tree import Call, Cast, Expr, FloatConst, IntConst, Name, OpaqueExpr, Storage, Symbol
from ompc.sema import builtins, records
from ompc.sema.context import Context, location, named, opaque

COMPUTED_GOTO_WHY = "a computed goto"


def lower_call(ctx: Context, node: c_ast.FuncCall) -> Expr:
    callee = node.name
    if isinstance(callee, c_ast.ID) and callee.name in _SPECIAL:
        return _SPECIAL[callee.name](ctx, node)
    args = tuple(ctx.expression(a) for a in (node.args.exprs if node.args else ()))
    function = _callee(ctx, callee)
    t = function.type.to if isinstance(function.type, ty.Pointer) else function.type
    if not isinstance(t, ty.Function):
        why = function.why if isinstance(function, OpaqueExpr) else "a call of what is no function"
        return opaque(node, why)
    return Call(ty.unqualified(t.returns), location(node), function, args)


def _callee(ctx: Context, node: c_ast.Node) -> Expr:
    """The called function; a name without a declaration is a builtin or declared by its use (C89)."""
    if not isinstance(node, c_ast.ID) or ctx.lookup(node.name) is not None:
        return ctx.expression(node)
    t = builtins.implicit(node.name)
    if t is None:
        return opaque(node, f"{node.name} is a compiler builtin that ompc does not know")
    with ctx.at_file_scope():
        symbol = ctx.new_symbol(node.name, t, Storage.FUNCTION, location(node))
        ctx.linked[node.name] = symbol
    ctx.file_scope.names[node.name] = symbol
    return Name(t, location(node), symbol)


def _offsetof(ctx: Context, node: c_ast.FuncCall) -> Expr:
    of, designator = node.args.exprs
    place = _offset(ctx, ctx.type_of(of), designator)
    return (
        opaque(node, "offsetof that cannot be evaluated") if place is None else size_constant(location(node), place[0])
    )


def _offset(ctx: Context, base: ty.Type, node: c_ast.Node) -> tuple[int, ty.Type] | None:
    """Offset in bytes and type of the member that `node` designates inside `base`."""
    match node:
        case c_ast.ID(name=name):
            return _member_offset(0, base, name)
        case c_ast.StructRef(name=outer, field=field):
            place = _offset(ctx, base, outer)
            return None if place is None else _member_offset(*place, field.name)
        case c_ast.ArrayRef(name=outer, subscript=subscript):
            place, index = _offset(ctx, base, outer), constant_value(ctx.expression(subscript))
            if place is None or index is None or not isinstance(place[1], ty.Array):
                return None
            size = ty.size_of(place[1].of)
            return None if size is None else (place[0] + size * index, place[1].of)
        case _:
            return None


def _member_offset(offset: int, t: ty.Type, name: str) -> tuple[int, ty.Type] | None:
    if not isinstance(t, ty.Struct) or t.record.opaque:
        return None
    path = records.find_member(t.record, name)
    return None if path is None else (offset + sum(f.offset for f in path), path[-1].type)


def _va_arg(ctx: Context, node: c_ast.FuncCall) -> Expr:
    return OpaqueExpr(ty.unqualified(ctx.type_of(node.args.exprs[1])), location(node), "va_arg")


def _types_compatible(ctx: Context, node: c_ast.FuncCall) -> Expr:
    first, second = (ty.unqualified(ctx.type_of(n)) for n in node.args.exprs)
    if isinstance(first, ty.Unknown) or isinstance(second, ty.Unknown):
        return opaque(node, "__builtin_types_compatible_p of types that ompc does not know")
    return _integer(node, int(conversions.compatible(first, second)))


def _expected(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """`__builtin_expect(x, c)` is (long)x; `__builtin_assume_aligned(p, n)` is (void *)p. Nothing else is promised."""
    value, *others = (ctx.expression(n) for n in node.args.exprs)
    assert isinstance(node.name, c_ast.ID)
    returns = builtins.FUNCTIONS[node.name.name].returns
    if any(constant_value(other) is None for other in others):
        return opaque(node, f"{node.name.name} of a value that is not constant")
    return Cast(returns, location(node), value)


def _constant_p(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """What the optimiser may find out is not known."""
    with ctx.unevaluated():
        value = ctx.expression(node.args.exprs[0])
    known = constant_value(value) is not None or isinstance(value, FloatConst)
    return _integer(node, 1) if known else opaque(node, "__builtin_constant_p")


def _choose(ctx: Context, node: c_ast.FuncCall) -> Expr:
    condition, then, other = node.args.exprs
    chosen = constant_value(ctx.expression(condition))
    return opaque(node, "__builtin_choose_expr") if chosen is None else ctx.expression(then if chosen else other)


def _nothing(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """`__builtin_unreachable()`: whoever gets there may do anything, so also go on."""
    return Cast(ty.VOID, location(node), _integer(node, 0))


def _integer(node: c_ast.Node, value: int) -> IntConst:
    return IntConst(ty.INT, location(node), value, str(value))


def _asm(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """The argument is a string of all identifiers in its operands (frontend/neutralise.py), which it may change."""
    (identifiers,) = node.args.exprs
    names, members = named(ctx, identifiers.value.strip('"').split())
    for symbol in names:
        symbol.address_taken = True
    return OpaqueExpr(ty.VOID, location(node), "asm", names, members)


def _tgmath(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """`__builtin_tgmath(sqrtf, sqrt, sqrtl, ..., (x))`: <tgmath.h> chooses among functions by the arguments' type."""
    exprs = node.args.exprs
    functions = [ctx.lookup(e.name) if isinstance(e, c_ast.ID) else None for e in exprs]
    variants = [f for f in functions if isinstance(f, Symbol) and isinstance(f.type, ty.Function)]
    count = len(variants[0].type.params or ()) if variants and isinstance(variants[0].type, ty.Function) else 0
    args = tuple(ctx.expression(e) for e in exprs[len(exprs) - count :])
    wanted = _generic_type(variants[0].type, args) if variants else None
    for symbol in variants:
        t = symbol.type
        if isinstance(t, ty.Function) and wanted is not None and _generic_parameter(t) == wanted:
            return Call(t.returns, location(node), Name(t, location(node), symbol), args)
    return opaque(node, "a type-generic function whose variant cannot be chosen")


def _generic_parameter(t: ty.Function) -> ty.Type | None:
    """The parameter type that tells the variants apart: the first floating one."""
    return next((p for p in t.params or () if isinstance(p, (ty.Float, ty.Complex))), None)


def _generic_type(t: ty.Type, args: tuple[Expr, ...]) -> ty.Type | None:
    """The common type of the generic arguments; an integer counts as double (C11 7.25p3)."""
    result: ty.Type | None = None
    params = t.params or () if isinstance(t, ty.Function) else ()
    for param, arg in zip(params, args, strict=False):
        if not isinstance(param, (ty.Float, ty.Complex)):
            continue
        mine = conversions.rvalue(arg.type)
        if ty.is_integer(mine):
            mine = ty.DOUBLE
        if not isinstance(mine, (ty.Float, ty.Complex)):
            return None
        result = mine if result is None else conversions.common(result, mine)
    return result


def _computed_goto(ctx: Context, node: c_ast.FuncCall) -> Expr:
    return OpaqueExpr(ty.VOID, location(node), COMPUTED_GOTO_WHY)


def _imaginary(ctx: Context, node: c_ast.FuncCall) -> Expr:
    value = ctx.expression(node.args.exprs[0])
    if not isinstance(value, FloatConst) or not isinstance(value.type, ty.Float):
        return opaque(node, "an imaginary integer")
    return FloatConst(ty.Complex(value.type), location(node), f"{value.text}i")


def _complex(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """`__builtin_complex(x, y)`, by which <complex.h> has CMPLX and CMPLXF; `f` at its end says which one this is."""
    args = tuple(ctx.expression(n) for n in node.args.exprs)
    kinds = {conversions.rvalue(arg.type) for arg in args}
    kind = next(iter(kinds))
    if len(kinds) != 1 or not isinstance(kind, ty.Float):
        return opaque(node, "__builtin_complex of unlike types")
    name = COMPLEX + {"float": "f", "double": "", "long double": "l"}[kind.name]
    made = ty.Function(ty.Complex(kind), (kind, kind))
    with ctx.at_file_scope():
        symbol = ctx.file_scope.names.get(name)
        if not isinstance(symbol, Symbol):
            symbol = ctx.file_scope.names[name] = ctx.new_symbol(name, made, Storage.FUNCTION, location(node))
            ctx.linked[name] = symbol
    return Call(ty.Complex(kind), location(node), Name(made, location(node), symbol), args)


_SPECIAL = {
    "offsetof": _offsetof,
    "__builtin_va_arg": _va_arg,
    "__builtin_types_compatible_p": _types_compatible,
    "__builtin_expect": _expected,
    "__builtin_assume_aligned": _expected,
    "__builtin_constant_p": _constant_p,
    "__builtin_choose_expr": _choose,
    "__builtin_unreachable": _nothing,
    "__builtin_tgmath": _tgmath,
    "__builtin_complex": _complex,
    ASM_CALL: _asm,
    COMPUTED_GOTO: _computed_goto,
    IMAGINARY_CALL: _imaginary,
}


def size_constant(loc: Location, value: int) -> IntConst:
    """A folded size or offset."""
    return IntConst(ty.SIZE_T, loc, value, integer_text(value, ty.SIZE_T))
