"""Declarations with linkage, typedefs and tags: several declarations of one object make ONE symbol (C11 6.2.2, 6.9.2).

    extern double a[];  double a[100];  static int n;  static int n = 3;     a: one symbol of length 100;  n: one

In: pycparser's Decl and Typedef.   Out: symbols and names in the context.
Not here: objects without linkage -- statements.py.
"""

from __future__ import annotations

import re

from pycparser import c_ast

from ompc.frontend.neutralise import OPAQUE_NAMES, SYMBOL
from ompc.ir import types as ty
from ompc.ir.constants import value_from_declaration
from ompc.ir.conversions import compatible, composite
from ompc.ir.tree import Expr, Storage, Symbol
from ompc.ir.walk import type_expressions
from ompc.sema import builtins
from ompc.sema.context import Context, location
from ompc.sema.declarators import lower_type, remember_typedef, with_lengths_of_another_place
from ompc.sema.initialisers import lower_initialiser
from ompc.sema.scope import TypedefName


def declare_type_name(ctx: Context, node: c_ast.Decl | c_ast.Typedef) -> tuple[Expr, ...]:
    """A typedef, or a declaration of a tag alone (`struct S {...};`); the variable lengths that it evaluates."""
    if isinstance(node, c_ast.Typedef):
        known = builtins.UNKNOWN_TYPES.get(node.name)
        t = known if known is not None else lower_type(ctx, node.type)
        remember_typedef(t, node.name)
        ctx.scope.names[node.name] = TypedefName(with_lengths_of_another_place(t, location(node)))
        return tuple(type_expressions(t))
    tag = str(getattr(node.type, "name", ""))
    if isinstance(node.type, (c_ast.Struct, c_ast.Union)) and node.type.decls is None and tag not in ctx.scope.tags:
        # `struct S;` declares a new S in this scope even where an outer one is visible (C11 6.7.2.3p7).
        kind = "struct" if isinstance(node.type, c_ast.Struct) else "union"
        record = ty.Record(kind, tag, location(node.type))
        ctx.records.append(record)
        ctx.scope.tags[tag] = ty.Struct(record)
    lower_type(ctx, node.type)
    return ()


def declare_file_scope(ctx: Context, node: c_ast.Decl) -> Symbol:
    """An object or function with linkage: the one symbol of that name, with what this declaration adds.

    The caller enters the name into its scope. Initialisers go to `ctx.inits`.
    """
    ctx.file_scope.lower_deferred(node.name)
    t = lower_type(ctx, node.type)
    symbol = linked_symbol(ctx, node, t, _storage(node, t))
    if not ctx.blocks:
        ctx.file_scope.names[node.name] = symbol
    if node.init is not None:
        ctx.inits[symbol], whole = lower_initialiser(ctx, t, node.init)
        symbol.type = symbol.type if isinstance(symbol.type, ty.Unknown) else whole
        if symbol.name not in ctx.linkage.weak:
            symbol.value = value_from_declaration(symbol.type, ctx.inits[symbol])
    return symbol


def linked_symbol(ctx: Context, node: c_ast.Decl, t: ty.Type, storage: Storage) -> Symbol:
    """The symbol that the declared name stands for (linkage.py), with what this declaration says of it."""
    if ctx.blocks:
        ctx.linkage.declare(node)  # those of file scope are known
    name = ctx.linkage.symbol(node.name)
    elsewhere = node.name in ctx.linkage.borrowed or name in ctx.linkage.weak
    if elsewhere and storage in (Storage.GLOBAL, Storage.FILE_STATIC):
        storage = Storage.EXTERN
    if name in ctx.linkage.unknown and storage is not Storage.FUNCTION:
        t = ty.Unknown(f"{name} may be another object's name")
    symbol = ctx.linked.get(name)
    if storage is Storage.FUNCTION and "static" in node.storage and node.name not in ctx.linkage.borrowed:
        ctx.internal.add(name)
    if symbol is None:
        symbol = ctx.new_symbol(name, t, storage, location(node))
        symbol.function = None  # also when a block declares it
        ctx.linked[name] = symbol
    elif name in ctx.linkage.symbols.values() and not compatible(symbol.type, t):
        symbol.type = ty.Unknown(f"{name} has names of different types")
    else:
        symbol.type = composite(symbol.type, t)
    symbol.varies |= name in ctx.linkage.weak
    if storage is Storage.FUNCTION and ctx.varies:
        symbol.varies, ctx.varies = True, False
    if symbol.storage is Storage.EXTERN and storage is not Storage.EXTERN:
        symbol.storage, symbol.loc = storage, location(node)
    return symbol


def _storage(node: c_ast.Decl, t: ty.Type) -> Storage:
    if isinstance(t, ty.Function):
        return Storage.FUNCTION
    if "_Thread_local" in node.storage or "thread_local" in node.storage:
        return Storage.THREAD
    if "static" in node.storage:
        return Storage.FILE_STATIC
    return Storage.EXTERN if "extern" in node.storage and node.init is None else Storage.GLOBAL


def apply_pragma(ctx: Context, text: str) -> bool:
    """What a pragma says about types and objects; true when it was a marker of our own, no pragma of the user's."""
    if text.startswith(OPAQUE_NAMES):
        attribute, *names = text.removeprefix(OPAQUE_NAMES).split()
        for name in names:
            _make_opaque(ctx, name, attribute)
        return True
    if text.startswith(SYMBOL):
        return True  # linkage.py has heeded it
    pack = re.match(r"pack\s*\(\s*(.*?)\s*\)", text)
    if pack:
        _pack(ctx, pack.group(1))
    elif re.match(r"(scalar_storage_order|ms_struct)\b", text):
        ctx.packed.append(text)
    elif re.match(r"omp\s+declare\s+variant\b", text):
        ctx.varies = True
    _threadprivate(ctx, text)
    return False


def _make_opaque(ctx: Context, name: str, attribute: str) -> None:
    """A typedef or object that is more, or other, than its declaration says."""
    unknown = ty.Unknown(f"{name} has the attribute {attribute}")
    entity = ctx.scope.names.get(name)
    if isinstance(entity, TypedefName):
        ctx.scope.names[name] = TypedefName(unknown)
    elif isinstance(entity, Symbol):
        entity.type = unknown


def _pack(ctx: Context, argument: str) -> None:
    """#pragma pack(n), pack(push, n), pack(pop), pack(): `ctx.packed` is the stack, "" for the default."""
    words = [w.strip() for w in argument.split(",") if w.strip()]
    if not ctx.packed:
        ctx.packed.append("")
    if "pop" in words:
        ctx.packed.pop()
        return
    number = next((w for w in words if not re.fullmatch(r"push|[A-Za-z_]\w*", w)), None)
    if "push" in words:
        ctx.packed.append(number or ctx.packed[-1])
    else:
        ctx.packed[-1] = number or ""


def _threadprivate(ctx: Context, text: str) -> None:
    """`#pragma omp threadprivate(list)` is a property of the objects it names."""
    match = re.match(r"omp\s+threadprivate\s*\(([^)]*)\)", text)
    for name in match.group(1).split(",") if match else ():
        symbol = ctx.lookup(name.strip())
        if isinstance(symbol, Symbol):
            symbol.threadprivate = True
