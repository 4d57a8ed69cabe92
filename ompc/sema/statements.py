"""Statements and block-scope declarations (C11 6.7, 6.8).

Which statement a pragma owns is decided by frontend/pragmas.py; here the items it pairs are lowered one by one.

In: pycparser's statement nodes.   Out: tree.Stmt.   Not here: file-scope declarations and function definitions --
analyse.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pycparser import c_ast

from ompc.base.source import Location
from ompc.frontend.gnu import RANGE
from ompc.frontend.pragmas import CaseMark, Item, LabelMark, Paired, paired, pragma_line, pragma_text
from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.constants import constant_value, value_from_declaration
from ompc.ir.show import integer_text
from ompc.ir.tree import (
    Block,
    Break,
    Case,
    Cast,
    Continue,
    DeclStmt,
    DoWhile,
    Empty,
    Expr,
    ExprStmt,
    For,
    Goto,
    If,
    IntConst,
    Label,
    OpaqueExpr,
    OpaqueStmt,
    Pragma,
    Return,
    Stmt,
    Storage,
    Switch,
    VarDecl,
    While,
)
from ompc.sema.context import Context, location, named_in, opaque
from ompc.sema.declarations import apply_pragma, declare_file_scope, declare_type_name
from ompc.sema.declarators import lower_type
from ompc.sema.initialisers import lower_initialiser
from ompc.sema.linkage import has_own_symbol

_EXPRESSIONS = (
    c_ast.ID,
    c_ast.Constant,
    c_ast.BinaryOp,
    c_ast.UnaryOp,
    c_ast.ArrayRef,
    c_ast.StructRef,
    c_ast.Assignment,
    c_ast.FuncCall,
    c_ast.Cast,
    c_ast.TernaryOp,
    c_ast.ExprList,
    c_ast.CompoundLiteral,
    c_ast.GenericSelection,
)


def lower_block(ctx: Context, node: c_ast.Compound) -> Block:
    """A block with a scope of its own."""
    with ctx.block():
        return Block(location(node), lower_items(ctx, paired(node.block_items or ())))


def lower_items(ctx: Context, items: Iterable[Item]) -> tuple[Stmt, ...]:
    """Siblings in order; a declaration is visible from the next one on. Variables of an expression's own come first."""
    statements: list[Stmt] = []
    for item in items:
        outer, ctx.hoisted = ctx.hoisted, []
        lowered = _item(ctx, item)
        if ctx.hoisted:
            statements.append(DeclStmt(ctx.hoisted[0].loc, tuple(ctx.hoisted)))
        ctx.hoisted = outer
        statements += lowered
    return tuple(statements)


def _item(ctx: Context, item: Item) -> list[Stmt]:
    if isinstance(item, CaseMark):
        return _cases(ctx, item)
    lowered = lower_item(ctx, item)
    return [] if lowered is None else [lowered]


_LONGEST_RANGE = 256


def _cases(ctx: Context, mark: CaseMark) -> list[Stmt]:
    """A case label, or one for each value of a GNU range; a long range is opaque."""
    loc, value = location(mark.node), mark.value
    if not isinstance(value, c_ast.BinaryOp) or value.op != RANGE:
        return [Case(loc, None if value is None else ctx.expression(value))]
    first, last = ctx.expression(value.left), constant_value(ctx.expression(value.right))
    low = constant_value(first)
    if low is None or last is None or last - low >= _LONGEST_RANGE:
        return [OpaqueStmt(loc, "a long case range")]
    return [Case(loc, IntConst(first.type, loc, v, integer_text(v, first.type))) for v in range(low, last + 1)]


def lower_item(ctx: Context, item: Item) -> Stmt | None:
    """One item; None for what leaves nothing in the tree (`_Static_assert`, our own markers)."""
    match item:
        case Paired(pragma=pragma):
            return None if apply_pragma(ctx, pragma_text(pragma)) else lower_pragma(ctx, item)
        case LabelMark(node=label):
            return Label(location(label), label.name)
        case c_ast.StaticAssert():
            return None
        case _:
            return lower_statement(ctx, item)


def lower_statement(ctx: Context, node: c_ast.Node) -> Stmt:
    loc = location(node)
    match node:
        case c_ast.Compound():
            return lower_block(ctx, node)
        case c_ast.Typedef():
            lengths = declare_type_name(ctx, node)  # evaluated here, once
            values = tuple(ExprStmt(length.loc, Cast(ty.VOID, length.loc, length)) for length in lengths)
            return Block(loc, values) if values else DeclStmt(loc, ())
        case c_ast.Decl():
            return DeclStmt(loc, _declaration(ctx, node))
        case c_ast.EmptyStatement():
            return Empty(loc)
        case c_ast.If(cond=cond, iftrue=then, iffalse=other):
            arm = None if other is None else _body(ctx, other)
            return If(loc, ctx.expression(cond), _body(ctx, then), arm)
        case c_ast.While(cond=cond, stmt=body):
            return While(loc, ctx.expression(cond), _body(ctx, body))
        case c_ast.DoWhile(cond=cond, stmt=body):
            return DoWhile(loc, _body(ctx, body), ctx.expression(cond))
        case c_ast.For():
            return _for(ctx, node)
        case c_ast.Switch(cond=cond, stmt=body):
            value = ctx.expression(cond)
            known = conversions.wide_bits(value) is None
            return Switch(loc, value if known else opaque(cond, "a switch by a wide bit-field"), _body(ctx, body))
        case _:
            return _jump_or_expression(ctx, node)


def _jump_or_expression(ctx: Context, node: c_ast.Node) -> Stmt:
    loc = location(node)
    match node:
        case c_ast.Goto(name=name):
            return Goto(loc, name)
        case c_ast.Break():
            return Break(loc)
        case c_ast.Continue():
            return Continue(loc)
        case c_ast.Return(expr=value):
            return Return(loc, None if value is None else ctx.expression(value))
        case _ if isinstance(node, _EXPRESSIONS):
            expr = ctx.expression(node)
            if isinstance(expr, OpaqueExpr):
                return OpaqueStmt(loc, expr.why, expr.names, expr.members)
            return ExprStmt(loc, expr)
        case _:
            return OpaqueStmt(loc, f"{type(node).__name__} is not supported", *named_in(ctx, node))


def _body(ctx: Context, node: c_ast.Node) -> Stmt:
    """The body of `if` or a loop: one statement; labels and pragmas in front of it need a Block to stand in."""
    with ctx.block():
        statements = lower_items(ctx, paired([node]))
    if len(statements) == 1 and not isinstance(statements[0], (Case, Label)):
        return statements[0]
    return Block(location(node), statements)


def _for(ctx: Context, node: c_ast.For) -> For:
    with ctx.block():
        init: Stmt | None = None
        if isinstance(node.init, c_ast.DeclList):
            decls = [
                d for n in node.init.decls if isinstance(n, (c_ast.Decl, c_ast.Typedef)) for d in _declaration(ctx, n)
            ]
            init = DeclStmt(location(node.init), tuple(decls))
        elif node.init is not None:
            expr = ctx.expression(node.init)
            init = ExprStmt(expr.loc, expr)
        condition, step = _optional(ctx, node.cond), _optional(ctx, node.next)
        return For(location(node), init, condition, step, _body(ctx, node.stmt))


def _optional(ctx: Context, node: c_ast.Node | None) -> Expr | None:
    return None if node is None else ctx.expression(node)


# ---------------------------------------------------------------------- pragmas


def lower_pragma(ctx: Context, item: Paired) -> Pragma:
    """The pragma with the statement it owns; the scope is the one in front of the statement."""
    text, visible = re.sub(r"\s+", " ", pragma_text(item.pragma)), ctx.visible()
    loc, in_macro = pragma_place(ctx, item.pragma)
    # Variables of an expression's own are declared in front of the pragma: its loop must follow it.
    body = tuple(statement for owned in item.body for statement in _item(ctx, owned))
    if not item.body:
        return Pragma(loc, text, None, visible, in_macro)
    single = (
        body[0]
        if len(body) == 1 and not isinstance(body[0], (Case, Label))
        else Block(body[0].loc if body else loc, body)
    )
    return Pragma(loc, text, single, visible, in_macro)


def pragma_place(ctx: Context, node: c_ast.Pragma) -> tuple[Location, bool]:
    """Where the `#pragma` stands in the user's text, and whether a macro made it (then there is no such line)."""
    loc = location(node)
    if loc.file != ctx.file:
        return loc, False
    line = pragma_line(ctx.lines, loc.line)
    return (loc, True) if line is None else (Location(loc.file, line), False)


# ----------------------------------------------------------------- declarations


def _declaration(ctx: Context, node: c_ast.Decl | c_ast.Typedef) -> tuple[VarDecl, ...]:
    """A declaration in a block; objects with linkage belong to the file scope and give no VarDecl."""
    if isinstance(node, c_ast.Typedef) or node.name is None:
        declare_type_name(ctx, node)
        return ()
    if "extern" in node.storage or isinstance(node.type, c_ast.FuncDecl):
        ctx.scope.names[node.name] = declare_file_scope(ctx, node)
        return ()
    t = lower_type(ctx, node.type)
    if isinstance(t, ty.Function):  # through a typedef
        ctx.scope.names[node.name] = declare_file_scope(ctx, node)
        return ()
    if "static" in node.storage and has_own_symbol(node):
        t = ty.Unknown(f"{node.name} has a symbol that other names may lead to")
    symbol = ctx.new_symbol(node.name, t, _storage(node), location(node))
    ctx.scope.names[node.name] = symbol
    if node.init is None:
        return (VarDecl(symbol, None, symbol.loc),)
    init, symbol.type = lower_initialiser(ctx, t, node.init)
    symbol.value = value_from_declaration(symbol.type, init)
    return (VarDecl(symbol, init, symbol.loc),)


def _storage(node: c_ast.Decl) -> Storage:
    if "_Thread_local" in node.storage or "thread_local" in node.storage:
        return Storage.THREAD
    if "static" in node.storage:
        return Storage.LOCAL_STATIC
    return Storage.REGISTER if "register" in node.storage else Storage.AUTO
