"""Sema: from pycparser's tree to a typed `Unit`.

Declarations are lowered in the order of the text, since that is how C's scopes work. Prototypes and `extern` objects of
headers wait until their name is used (scope.FileScope), or the text ends.

In: pycparser's tree, the main file's name and text.   Out: `Unit`. Nothing is raised: a function that cannot be
lowered is `Function(opaque=why)`.   Not here: OpenMP -- ompc/omp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pycparser import c_ast

from ompc.base.macros import Macro
from ompc.frontend.pragmas import Paired, pragma_text
from ompc.ir import types as ty
from ompc.ir.tree import (
    Assign,
    Block,
    Call,
    Cast,
    Expr,
    ExprStmt,
    Function,
    IncDec,
    OpaqueExpr,
    OpaqueStmt,
    Pragma,
    Storage,
    Symbol,
    Unit,
    VarDecl,
)
from ompc.ir.walk import Node, type_expressions, walk
from ompc.sema.addresses import mark_addresses
from ompc.sema.calls import COMPUTED_GOTO_WHY
from ompc.sema.context import Context, location
from ompc.sema.declarations import apply_pragma, declare_file_scope, declare_type_name, linked_symbol
from ompc.sema.declarators import declare_parameter, lower_function_type, lower_type, parameter_type
from ompc.sema.expressions import new_context
from ompc.sema.linkage import linkage_of
from ompc.sema.scope import FileScope, Visible
from ompc.sema.statements import lower_block, lower_pragma

_TOO_DEEP = "it is nested too deeply"
_VARIES = "`declare variant`, or the linker, may put another function in its place"


def analyse(
    ast: c_ast.FileAST,
    file: str,
    source: str = "",
    *,
    char_signed: bool = True,
    wide_enums: bool = False,
    macros: Mapping[c_ast.Node, tuple[Macro, ...]] | None = None,
) -> Unit:
    """The typed unit. `file` is the main file as the preprocessor names it, `source` its text, to find pragmas in;
    `macros`: operands that are macros there, inner ones first.
    """
    char = ty.CHAR if char_signed else ty.Int("char", 1, False, 1)
    file_scope = FileScope()
    ctx = new_context(Visible(file_scope, ()), file, source.split("\n"), char)
    ctx.linkage = linkage_of(ast)
    ctx.wide_enums = wide_enums
    ctx.macros = macros or {}
    file_scope.declare = lambda node: _declare_deferred(ctx, node)
    functions: dict[str, Function] = {}
    pragmas: list[Pragma] = []
    for node in ast.ext:
        _external(ctx, node, functions, pragmas)
    variables = _variables(ctx)
    file_scope.lower_all()  # what nothing has named here, functions of other files may
    _expose(ctx)
    for decl in variables:
        mark_addresses(decl)
    for function in functions.values():
        if function.body is not None:
            mark_addresses(function.body)
    functions = {name: _replaceable(function) for name, function in functions.items()}
    records, enums = tuple(ctx.records), tuple(ctx.enums)
    return Unit(file, variables, functions, tuple(pragmas), records, enums, dict(ctx.linked), frozenset(ctx.internal))


def _expose(ctx: Context) -> None:
    """Objects that other names lead to, here or elsewhere, are as those whose addresses are known elsewhere; what has
    no name that is its symbol's is as if it were not defined here: text of ours cannot name it.
    """
    for symbol in ctx.linked.values():
        defined = symbol.storage in (Storage.GLOBAL, Storage.FILE_STATIC)
        if defined and ctx.file_scope.names.get(symbol.name) is not symbol:
            symbol.storage = Storage.EXTERN
    for name in ctx.linkage.shared | ctx.linkage.unknown:
        exposed = ctx.linked.get(name)
        if exposed is not None and exposed.storage is not Storage.FUNCTION:
            exposed.address_taken = True


def _replaceable(function: Function) -> Function:
    """A function in whose place the compiler or the linker may put another one is not read: its calls may do anything.
    """
    if not function.symbol.varies or function.body is None:
        return function
    return Function(function.symbol, function.params, None, opaque=_VARIES)


def _external(ctx: Context, node: c_ast.Node, functions: dict[str, Function], pragmas: list[Pragma]) -> None:
    match node:
        case c_ast.FuncDef():
            function = _function(ctx, node)
            functions[function.name] = function
        case c_ast.Typedef() | c_ast.Decl(name=None):
            declare_type_name(ctx, node)
        case c_ast.Decl() if _can_wait(ctx, node):
            ctx.file_scope.deferred.setdefault(node.name, []).append(node)
        case c_ast.Decl():
            _declare(ctx, node)
        case c_ast.Pragma():
            if not apply_pragma(ctx, pragma_text(node)):
                pragmas.append(lower_pragma(ctx, Paired(node, ())))
        case _:
            return  # _Static_assert, attribute declarations: the C compiler has checked them


def _can_wait(ctx: Context, node: c_ast.Decl) -> bool:
    """May this declaration be lowered on first use? It must be a header's, and declare nothing but its name."""
    if ctx.varies or node.init is not None or node.name in ctx.file_scope.names or location(node).file == ctx.file:
        return False
    if not isinstance(node.type, c_ast.FuncDecl) and "extern" not in node.storage:
        return False
    inner = node.type
    while isinstance(inner, (c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl, c_ast.TypeDecl)):
        inner = inner.type
    return isinstance(inner, c_ast.IdentifierType)


def _declare_deferred(ctx: Context, node: object) -> None:
    assert isinstance(node, c_ast.Decl)
    with ctx.at_file_scope():
        _declare(ctx, node)


def _declare(ctx: Context, node: c_ast.Decl) -> None:
    """A file-scope object or function. Nesting that is too deep for us makes its type unknown."""
    try:
        declare_file_scope(ctx, node)
    except RecursionError:
        ctx.file_scope.names[node.name] = linked_symbol(ctx, node, ty.Unknown(_TOO_DEEP), Storage.GLOBAL)


def _variables(ctx: Context) -> tuple[VarDecl, ...]:
    """The file-scope objects in the order of their first declaration."""
    objects = [s for s in ctx.linked.values() if s.storage is not Storage.FUNCTION]
    objects.sort(key=lambda s: s.position)
    return tuple(VarDecl(s, ctx.inits.get(s), s.loc) for s in objects)


# -------------------------------------------------------------------- functions


def _function(ctx: Context, node: c_ast.FuncDef) -> Function:
    decl = node.decl
    ctx.file_scope.lower_deferred(decl.name)
    ctx.function = decl.name
    try:
        with ctx.block():
            return _lower_function(ctx, node)
    except RecursionError:
        symbol = linked_symbol(ctx, decl, ty.Function(ty.Unknown(_TOO_DEEP), None), Storage.FUNCTION)
        return Function(symbol, (), None, opaque=_TOO_DEEP)
    finally:
        ctx.function = None


def _lower_function(ctx: Context, node: c_ast.FuncDef) -> Function:
    decl = node.decl
    if not isinstance(decl.type, c_ast.FuncDecl):  # through a typedef, which C forbids
        why = f"its declarator is a {type(decl.type).__name__}"
        return Function(linked_symbol(ctx, decl, ty.Unknown(why), Storage.FUNCTION), (), None, opaque=why)
    declarator = lower_function_type(ctx, decl.type)
    params = declarator.params or _old_style_params(ctx, node, declarator.names)
    symbol = linked_symbol(ctx, decl, declarator.type, Storage.FUNCTION)
    symbol.loc = location(decl)
    ctx.file_scope.names[decl.name] = symbol
    body = _with_lengths_of(params, lower_block(ctx, node.body))
    if any(isinstance(n, OpaqueStmt) and n.why == COMPUTED_GOTO_WHY for n in walk(body)):
        return Function(symbol, params, None, opaque=COMPUTED_GOTO_WHY, unread=body)
    return Function(symbol, params, body, inline="inline" in decl.funcspec)


def _with_lengths_of(params: tuple[Symbol, ...], body: Block) -> Block:
    """The body behind what calls evaluate besides: lengths of parameters' types that do more than read integers.

    int f(int n, double a[n++]) {...}       { (void)n++; ... }
    """
    lengths = [length for p in params for length in type_expressions(p.written or p.type)]
    values = [ExprStmt(e.loc, Cast(ty.VOID, e.loc, e)) for e in lengths if any(map(_is_more_than_integers, walk(e)))]
    return replace(body, items=(*values, *body.items)) if values else body


def _is_more_than_integers(part: Node) -> bool:
    """Does it write, call or look at a floating-point number, which may be compared?"""
    if isinstance(part, (Assign, IncDec, Call, OpaqueExpr)):
        return True
    return isinstance(part, Expr) and (isinstance(part.type, ty.Float) or "volatile" in part.type.quals)


def _old_style_params(ctx: Context, node: c_ast.FuncDef, names: tuple[str, ...]) -> tuple[Symbol, ...]:
    """K&R: the types follow the parameter list, in any order; one that is not declared is an int."""
    declared = {d.name: d for d in node.param_decls or () if isinstance(d, c_ast.Decl)}
    symbols: list[Symbol] = []
    for name in names:
        decl = declared.get(name)
        if decl is None:
            symbol = ctx.new_symbol(name, ty.INT, Storage.PARAMETER, location(node.decl))
            ctx.scope.names[name] = symbol
        else:
            symbol = declare_parameter(ctx, decl, parameter_type(decl.type, lower_type(ctx, decl.type)))
        symbols.append(symbol)
    return tuple(symbols)
