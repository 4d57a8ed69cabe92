"""Expressions: names resolved, types computed, `sizeof` folded (C11 6.5).

    lower_expression   a node of pycparser's to a typed `Expr`
    parse_expression   text (the argument of a clause) to a typed `Expr`

A construct that ompc does not model becomes `OpaqueExpr` with its reason; nothing is guessed.
In: pycparser's expression nodes and the scopes.   Out: tree.Expr.   Not here: statements -- statements.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ompc.base.source import Location
from ompc.frontend.gnu import GnuParser
from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.constants import as_double, character_literal, constant_value, integer_literal, string_type
from ompc.ir.macro_names import with_name
from ompc.ir.show import c_type, integer_text
from ompc.ir.tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Comma,
    Conditional,
    Expr,
    FloatConst,
    IncDec,
    Index,
    IntConst,
    Member,
    Name,
    OpaqueExpr,
    Sizeof,
    Storage,
    StringConst,
    Symbol,
    Unary,
)
from ompc.ir.walk import walk
from ompc.sema import records, wide_fields
from ompc.sema.calls import lower_call, size_constant
from ompc.sema.context import Context, location, named_in, opaque
from ompc.sema.declarators import lower_type
from ompc.sema.initialisers import lower_list
from ompc.sema.own_objects import address_of_literal, lower_literal, lower_statement_expression
from ompc.sema.scope import EnumConstant, FileScope, Scope, TypedefName, Visible


def lower_expression(ctx: Context, node: c_ast.Node) -> Expr:
    """The typed form of `node`; `OpaqueExpr` for what ompc does not model."""
    lowered = _lowered(ctx, node)
    if isinstance(lowered, OpaqueExpr) and not lowered.members:
        names, members = named_in(ctx, node)
        return replace(lowered, names=names, members=members)
    return with_name(lowered, ctx.macros[node]) if node in ctx.macros else lowered


def _lowered(ctx: Context, node: c_ast.Node) -> Expr:
    match node:
        case c_ast.ID():
            return _name(ctx, node)
        case c_ast.Constant():
            return _constant(ctx, node)
        case c_ast.BinaryOp(op=op, left=left, right=right):
            return _binary(location(node), op, ctx.expression(left), ctx.expression(right))
        case c_ast.UnaryOp():
            return _unary(ctx, node)
        case c_ast.ArrayRef(name=base, subscript=subscript):
            return _index(location(node), ctx.expression(base), ctx.expression(subscript))
        case c_ast.StructRef():
            return _member(ctx, node)
        case c_ast.Assignment(op=op, lvalue=target, rvalue=value):
            lowered = ctx.expression(target)
            given = ctx.expression(value)
            return Assign(wide_fields.of_assignment(op, lowered, given), location(node), op, lowered, given)
        case c_ast.FuncCall():
            return lower_call(ctx, node)
        case _:
            return _rarer_expression(ctx, node)


def _rarer_expression(ctx: Context, node: c_ast.Node) -> Expr:
    match node:
        case c_ast.Cast(to_type=to, expr=operand):
            kind, value = ty.unqualified(ctx.type_of(to)), ctx.expression(operand)
            return as_double(kind, value) or Cast(kind, location(node), value)
        case c_ast.TernaryOp():
            return _conditional(ctx, node)
        case c_ast.ExprList(exprs=exprs):
            return _comma(ctx, exprs)
        case c_ast.CompoundLiteral(type=to, init=init):
            return lower_literal(ctx, lower_list(ctx, ctx.type_of(to), init), location(node))
        case c_ast.GenericSelection():
            return _generic(ctx, node)
        case c_ast.Compound():
            return lower_statement_expression(ctx, node)
        case c_ast.EllipsisParam():
            return opaque(node, "a long designator range")
        case _:
            return opaque(node, f"{type(node).__name__} is not supported")


# ------------------------------------------------------------- names and constants


def _name(ctx: Context, node: c_ast.ID) -> Expr:
    entity = ctx.lookup(node.name)
    if isinstance(entity, Symbol) and entity.value is not None:
        kind = ty.unqualified(entity.type)
        return IntConst(kind, location(node), entity.value, integer_text(entity.value, kind))
    if isinstance(entity, Symbol):
        return Name(entity.type, location(node), entity)
    if isinstance(entity, EnumConstant):
        return IntConst(entity.type, location(node), entity.value, node.name)
    if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__") and ctx.function is not None:
        return _function_name(ctx, node)
    return opaque(node, f"{node.name} is not declared")


def _object(ctx: Context, node: c_ast.Node) -> Expr:
    """The operand of `&`: the variable itself, where an expression has its value."""
    entity = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    return Name(entity.type, location(node), entity) if isinstance(entity, Symbol) else ctx.expression(node)


def _function_name(ctx: Context, node: c_ast.ID) -> Name:
    """`static const char __func__[]`, as if declared at the top of the function (C11 6.4.2.2)."""
    t = ty.Array(ty.qualified(ctx.char, ("const",)), len(ctx.function or "") + 1)
    symbol = ctx.new_symbol(node.name, t, Storage.LOCAL_STATIC, location(node))
    ctx.blocks[0].names[node.name] = symbol
    return Name(t, location(node), symbol)


def _constant(ctx: Context, node: c_ast.Constant) -> Expr:
    text, loc = node.value, location(node)
    if node.type in ("float", "double", "long double"):
        return FloatConst({"float": ty.FLOAT, "double": ty.DOUBLE, "long double": ty.LONG_DOUBLE}[node.type], loc, text)
    if node.type == "string":
        return StringConst(string_type(text, ctx.char), loc, text)
    if text.endswith("'"):
        value, t = character_literal(text, ctx.char)
        is_one = node.type != "int"  # as pycparser calls a constant of several characters, of which nvcc warns
        return IntConst(t, loc, value, text if is_one else integer_text(value, t))
    if node.type == "bool":
        return IntConst(ty.BOOL, loc, int(text == "true"), "1" if text == "true" else "0")
    literal = integer_literal(text)
    if literal is None:
        return opaque(node, f"the constant {text}")
    return IntConst(literal[1], loc, literal[0], text)


# ----------------------------------------------------------------------- operators


def _binary(loc: Location, op: str, left: Expr, right: Expr) -> Expr:
    return Binary(wide_fields.of_operator(op, left, right), loc, op, left, right)


def _unary(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    op, loc = node.op, location(node)
    if op == "sizeof":
        return _sizeof(ctx, node)
    if op in ("_Alignof", "alignof"):
        value = records.align_of(ctx.type_of(node.expr))
        return opaque(node, "_Alignof of this type") if value is None else size_constant(loc, value)
    if op == "&&":
        return opaque(node, "the address of a label")
    operand = _object(ctx, node.expr) if op == "&" else ctx.expression(node.expr)
    match op:
        case "++" | "--" | "p++" | "p--":
            return IncDec(conversions.rvalue(operand.type), loc, op[-2:], op[0] != "p", operand)
        case "&":
            literal = address_of_literal(ctx, operand)
            return Unary(ty.Pointer(operand.type), loc, op, operand) if literal is None else literal
        case "*":
            return Unary(_pointee(operand.type), loc, op, operand)
        case "!":
            return Unary(ty.INT, loc, op, operand)
        case "+" | "-" | "~":
            return Unary(wide_fields.promoted(operand), loc, op, operand)
        case _:
            return part_of(operand, op, loc)


def part_of(operand: Expr, op: str, loc: Location) -> Expr:
    """`__real__ z` and `__imag__ z`, as members; a real number is its own real part."""
    kind = operand.type
    if isinstance(kind, ty.Complex):
        part = ty.PARTS[ty.unqualified(kind.of)][op == "__imag__"]
        return Member(ty.qualified(part.type, kind.quals), loc, operand, part, False)
    if op == "__real__" and ty.is_arithmetic(kind):
        return operand
    return OpaqueExpr(ty.Unknown(op), loc, f"the operator {op}")


def _pointee(t: ty.Type) -> ty.Type:
    match ty.decayed(t):
        case ty.Pointer(to=to):
            return to
        case ty.Unknown() as unknown:
            return unknown
        case _:
            return ty.Unknown("dereference of what is no pointer")


def _index(loc: Location, base: Expr, index: Expr) -> Expr:
    """`3[a]` is a[3]: the pointer is always the base."""
    if ty.is_integer(base.type) and not ty.is_integer(index.type):
        base, index = index, base
    return Index(_pointee(base.type), loc, base, index)


def _sizeof(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    operand, is_done = node.expr, False
    with ctx.unevaluated():
        if isinstance(operand, c_ast.Typename):
            of = ctx.type_of(operand)
        else:
            lowered = ctx.expression(operand)
            of, is_done = lowered.type, not is_pure(lowered)
    if isinstance(of, (ty.Void, ty.Function)):
        return size_constant(location(node), 1)  # gcc
    size = ty.size_of(of)
    if size is None and is_done:  # C11 6.5.3.4p2: `sizeof rows[k++]` counts, where rows are of variable length
        return opaque(node, "sizeof of an operand that is evaluated")
    if size is None:
        return Sizeof(ty.SIZE_T, location(node), of)
    spelled = c_type(ty.unqualified(of), "")
    text = integer_text(size, ty.SIZE_T) if spelled is None else f"sizeof({spelled})"
    return IntConst(ty.SIZE_T, location(node), size, text)


def _member(ctx: Context, node: c_ast.StructRef) -> Expr:
    base, arrow, name = ctx.expression(node.name), node.type == "->", node.field.name
    t = _pointee(base.type) if arrow else base.type
    if not isinstance(t, ty.Struct):
        return opaque(node, t.why if isinstance(t, ty.Unknown) else f"member {name} of what is no struct")
    path = records.find_member(t.record, name)
    if path is None:
        return opaque(node, f"member {name} of an incomplete {t.record.kind}")
    for field in path:
        quals = t.quals - {"restrict"}
        base = Member(conversions.qualify(field.type, quals), location(node), base, field, arrow)
        t, arrow = base.type, False
    return base


def _conditional(ctx: Context, node: c_ast.TernaryOp) -> Expr:
    condition = ctx.expression(node.cond)
    if node.iftrue is None and not is_pure(condition):
        return opaque(node, "?: of an expression that must be evaluated once")
    then = ctx.expression(node.cond if node.iftrue is None else node.iftrue)
    other = ctx.expression(node.iffalse)
    if ty.is_number(then.type) and ty.is_number(other.type):
        t = wide_fields.of_choice(then, other)
    else:
        t = conversions.conditional(then.type, other.type, is_null_pointer(then), is_null_pointer(other))
    return Conditional(t, location(node), condition, then, other)


def is_pure(expr: Expr) -> bool:
    """May the expression be evaluated twice? Nothing in it writes, calls or is unknown."""
    return not any(isinstance(node, (Assign, IncDec, Call, OpaqueExpr)) for node in walk(expr))


def is_null_pointer(expr: Expr) -> bool:
    """A null pointer constant: 0, or (void *)0 (C11 6.3.2.3p3)."""
    if isinstance(expr, Cast) and expr.type == ty.Pointer(ty.VOID):
        expr = expr.operand
    return ty.is_integer(expr.type) and constant_value(expr) == 0


def _comma(ctx: Context, exprs: list[c_ast.Node]) -> Expr:
    result = ctx.expression(exprs[0])
    for node in exprs[1:]:
        right = ctx.expression(node)
        result = Comma(conversions.rvalue(right.type), result.loc, result, right)
    return result


def _generic(ctx: Context, node: c_ast.GenericSelection) -> Expr:
    """_Generic: only the chosen expression remains (C11 6.5.1.1)."""
    with ctx.unevaluated():
        controlling = conversions.rvalue(ctx.expression(node.expr).type)
    if isinstance(controlling, ty.Unknown):
        return opaque(node, f"_Generic on {controlling.why}")
    default = None
    for association in node.associations:
        if association.type is None:
            default = association.expr
        elif conversions.compatible(controlling, ctx.type_of(association.type)):
            return ctx.expression(association.expr)
    return ctx.expression(default) if default is not None else opaque(node, "_Generic without a match")


# --------------------------------------------------------------- clause arguments


def parse_expression(text: str, scope: Mapping[str, Symbol], loc: Location) -> Expr:
    """Parse and type an expression that stands in a pragma, with the names visible there (`Pragma.scope`).

    Typedef names, enum constants and struct members work when `scope` is sema's own snapshot. What cannot be parsed
    is an `OpaqueExpr` at `loc`.
    """
    if not _balanced(text):
        return OpaqueExpr(ty.Unknown("not an expression"), loc, f"{text!r} is not an expression")
    visible = scope if isinstance(scope, Visible) else Visible(FileScope(names=dict(scope)), ())
    typedefs = sorted({word for word in _words(text) if isinstance(visible.entity(word), TypedefName)})
    prelude = "".join(f"typedef int {name}; " for name in typedefs)
    try:
        ast = GnuParser().parse(f"{prelude}int ompc_expression = (\n{text}\n);", loc.file)
    except (ParseError, RecursionError, AssertionError, AttributeError, IndexError, TypeError, ValueError):
        return OpaqueExpr(ty.Unknown("not an expression"), loc, f"{text!r} is not an expression")
    if len(ast.ext) != len(typedefs) + 1 or not isinstance(ast.ext[-1], c_ast.Decl) or ast.ext[-1].init is None:
        return OpaqueExpr(ty.Unknown("not an expression"), loc, f"{text!r} is not an expression")
    _place(ast.ext[-1].init, loc)
    return lower_expression(new_context(visible, loc.file), ast.ext[-1].init)


def _balanced(text: str) -> bool:
    """Do the parentheses match? `x) + (y` must not escape from those put around it."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _words(text: str) -> set[str]:
    word, words = "", set()
    for character in text + " ":
        if character.isalnum() or character == "_":
            word += character
        elif word:
            words.add(word)
            word = ""
    return words


def _place(node: c_ast.Node, loc: Location) -> None:
    """Everything in a pragma stands on the pragma's line."""
    if node.coord is not None:
        node.coord.file, node.coord.line = loc.file, loc.line
    for _, child in node.children():
        _place(child, loc)


def new_context(visible: Visible, file: str, lines: list[str] | None = None, char: ty.Int = ty.CHAR) -> Context:
    """A context that lowers with what is visible at one place."""
    ctx = Context(
        file=file,
        lines=lines or [],
        char=char,
        file_scope=visible.file,
        expression=lambda node: lower_expression(ctx, node),
        type_of=lambda node: lower_type(ctx, node),
        blocks=[*visible.blocks, Scope()] if visible.blocks else [],
    )
    return ctx
