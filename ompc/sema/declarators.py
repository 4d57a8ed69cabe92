"""Types as C writes them: specifiers, declarators, structs, unions and enums (C11 6.7).

In: pycparser's declaration nodes.   Out: `types.Type`.   Not here: layouts -- records.py; initialisers --
initialisers.py.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.frontend.gnu import TypeOf
from ompc.frontend.neutralise import ALIGNED_RECORD, OPAQUE_RECORD
from ompc.frontend.pragmas import pragma_text
from ompc.ir import types as ty
from ompc.ir.constants import constant_value, wrapped
from ompc.ir.conversions import qualify
from ompc.ir.macro_names import macro_of
from ompc.ir.tree import Expr, OpaqueExpr, Storage, Symbol
from ompc.ir.walk import walk
from ompc.sema import builtins, records
from ompc.sema.context import Context, location
from ompc.sema.scope import EnumConstant, Tag, TypedefName


def _spellings() -> dict[tuple[str, ...], ty.Type]:
    """Every list of type specifiers that C allows (C11 6.7.2), sorted, with its type."""
    table: dict[tuple[str, ...], ty.Type] = {}

    def add(t: ty.Type, *spellings: str) -> None:
        for spelling in spellings:
            table[tuple(sorted(spelling.split()))] = t

    add(ty.VOID, "void")
    add(ty.BOOL, "_Bool", "bool")
    add(ty.SCHAR, "signed char")
    add(ty.UCHAR, "unsigned char")
    for name, signed, unsigned in (
        ("short", ty.SHORT, ty.USHORT),
        ("", ty.INT, ty.UINT),
        ("long", ty.LONG, ty.ULONG),
        ("long long", ty.LLONG, ty.ULLONG),
    ):
        add(signed, f"{name} int", f"signed {name}", f"signed {name} int", *([name] if name else []))
        add(unsigned, f"unsigned {name}", f"unsigned {name} int")
    add(ty.INT128, "__int128", "signed __int128")
    add(ty.UINT128, "unsigned __int128")
    for float_type in (ty.FLOAT, ty.DOUBLE, ty.LONG_DOUBLE):
        add(float_type, float_type.name)
        add(ty.Complex(float_type), f"_Complex {float_type.name}")
    add(ty.Complex(ty.DOUBLE), "_Complex")
    return table


_SPELLINGS = _spellings()


def lower_type(ctx: Context, node: c_ast.Node) -> ty.Type:
    """The type of a declarator or type name. What C has and ompc does not model is `Unknown`."""
    match node:
        case c_ast.TypeDecl(type=inner, quals=quals):
            return qualify(lower_type(ctx, inner), frozenset(quals or ()))
        case c_ast.Typename(type=inner) | c_ast.Decl(type=inner):
            return lower_type(ctx, inner)
        case c_ast.PtrDecl(type=inner, quals=quals):
            return ty.Pointer(lower_type(ctx, inner), quals=frozenset(quals or ()))
        case c_ast.ArrayDecl():
            return _array(ctx, node)
        case c_ast.FuncDecl():
            with ctx.block():
                return lower_function_type(ctx, node).type
        case c_ast.IdentifierType(names=names):
            return _named(ctx, names)
        case c_ast.Struct() | c_ast.Union():
            return _record(ctx, node)
        case c_ast.Enum():
            return _enum(ctx, node)
        case TypeOf(expr=c_ast.Typename() as name):
            return lower_type(ctx, name)
        case TypeOf(expr=operand):
            with ctx.unevaluated():
                return with_lengths_of_another_place(ctx.expression(operand).type, location(operand))
        case _:
            return ty.Unknown(f"{type(node).__name__} is not supported")


def with_lengths_of_another_place(t: ty.Type, here: Location) -> ty.Type:
    """`t` where a name or an object stands for it: variable lengths keep the values that they had at its declaration.

    int n = 9;  typedef double row[n];  n = 4;  row w;        w has 9 elements: `n` here says something else
    """
    match t:
        case ty.Array(of=of, length=length):
            if isinstance(length, Expr):
                length = OpaqueExpr(length.type, here, "a length evaluated elsewhere")
            return replace(t, of=with_lengths_of_another_place(of, here), length=length)
        case ty.Pointer(to=to):
            return replace(t, to=with_lengths_of_another_place(to, here))
        case _:
            return t


def _array(ctx: Context, node: c_ast.ArrayDecl) -> ty.Type:
    """The element first: in `a[n][m]` the outer declarator is the leftmost bracket, and lengths are evaluated once."""
    dim = node.dim
    length: int | Expr | None = None
    written: Expr | None = None
    if dim is not None and not (isinstance(dim, c_ast.ID) and dim.name == "*"):
        expr = ctx.expression(dim)
        constant = constant_value(expr)
        length = expr if constant is None else constant
        written = expr if constant is not None and any(map(macro_of, walk(expr))) else None
    return ty.Array(lower_type(ctx, node.type), length, written)


def _named(ctx: Context, names: list[str]) -> ty.Type:
    if len(names) == 1 and names[0] in builtins.UNKNOWN_TYPES:
        return builtins.UNKNOWN_TYPES[names[0]]
    if names == ["char"]:
        return ctx.char
    known = _SPELLINGS.get(tuple(sorted(names)))
    if known is not None:
        return known
    entity = ctx.lookup(names[0]) if len(names) == 1 else None
    return entity.type if isinstance(entity, TypedefName) else ty.Unknown(" ".join(names))


# ------------------------------------------------------------------ functions


@dataclass(frozen=True, slots=True)
class FunctionDeclarator:
    """A function's type and its parameters as symbols; `names` of a K&R definition, whose types come later."""

    type: ty.Function
    params: tuple[Symbol, ...]
    names: tuple[str, ...] = ()


def lower_function_type(ctx: Context, node: c_ast.FuncDecl) -> FunctionDeclarator:
    """The caller opens the scope that the parameters live in. `int a[n]` may use the parameter `n` before it."""
    params = node.args.params if node.args is not None else None
    if params is None or isinstance(params[0], c_ast.ID):
        names = tuple(p.name for p in params or ())
        return FunctionDeclarator(ty.Function(lower_type(ctx, node.type), None), (), names)
    if _is_void(ctx, params):
        return FunctionDeclarator(ty.Function(lower_type(ctx, node.type), ()), ())
    types: list[ty.Type] = []
    symbols: list[Symbol] = []
    variadic = False
    for param in params:
        if isinstance(param, c_ast.EllipsisParam):
            variadic = True
            continue
        written = lower_type(ctx, param.type)
        types.append(parameter_type(param.type, written))
        symbols.append(declare_parameter(ctx, param, types[-1]))
        symbols[-1].written = written if isinstance(written, ty.Array) else None
    return FunctionDeclarator(ty.Function(lower_type(ctx, node.type), tuple(types), variadic), tuple(symbols))


def declare_parameter(ctx: Context, node: c_ast.Node, t: ty.Type) -> Symbol:
    """A parameter without a name gets a symbol called "", so that parameters and arguments stay in step."""
    symbol = ctx.new_symbol(node.name or "", t, Storage.PARAMETER, location(node))
    if node.name:
        ctx.scope.names[node.name] = symbol
    return symbol


def parameter_type(node: c_ast.Node, t: ty.Type) -> ty.Type:
    """Arrays and functions become pointers (C11 6.7.6.3p7); qualifiers inside the brackets go to the pointer."""
    if isinstance(t, ty.Array):
        quals = getattr(node, "dim_quals", None) or ()
        return ty.Pointer(t.of, quals=frozenset(q for q in quals if q != "static"))
    return ty.decayed(t)


def _is_void(ctx: Context, params: list[c_ast.Node]) -> bool:
    if len(params) != 1 or not isinstance(params[0], c_ast.Typename):
        return False
    return isinstance(lower_type(ctx, params[0]), ty.Void)


# -------------------------------------------------------- structs, unions, enums


def _record(ctx: Context, node: c_ast.Struct | c_ast.Union) -> ty.Type:
    kind = "struct" if isinstance(node, c_ast.Struct) else "union"
    if node.decls is None:
        return _tag_reference(ctx, node.name) or _new_record(ctx, kind, node)
    if id(node) in ctx.specifiers:  # one specifier, several declarators
        return ctx.specifiers[id(node)]
    known = ctx.scope.tags.get(node.name) if node.name else None
    completes = isinstance(known, ty.Struct) and known.record.fields is None
    struct = known if completes and isinstance(known, ty.Struct) else _new_record(ctx, kind, node)
    ctx.specifiers[id(node)] = struct
    if ctx.packed and ctx.packed[-1]:
        struct.record.opaque = f"#pragma pack({ctx.packed[-1]})"
    records.complete(struct.record, _members(ctx, node, struct.record))
    return struct


def _tag_reference(ctx: Context, tag: str | None) -> Tag | None:
    return ctx.lookup_tag(tag) if tag else None


def _new_record(ctx: Context, kind: str, node: c_ast.Node) -> ty.Struct:
    struct = ty.Struct(ty.Record(kind, node.name, location(node)))
    ctx.records.append(struct.record)
    if node.name:
        ctx.scope.tags[node.name] = struct
    return struct


def _members(ctx: Context, node: c_ast.Struct | c_ast.Union, record: ty.Record) -> list[records.MemberDecl]:
    members: list[records.MemberDecl] = []
    for decl in node.decls:
        if isinstance(decl, c_ast.Pragma):
            text = pragma_text(decl)
            if text.startswith(OPAQUE_RECORD):
                record.opaque = f"__attribute__(({text.removeprefix(OPAQUE_RECORD).strip()}))"
            elif text.startswith(ALIGNED_RECORD):
                if record.aligned:
                    record.opaque = "__attribute__((aligned)), twice"  # the last one counts, or the largest
                record.aligned = int(text.removeprefix(ALIGNED_RECORD))
            elif text.startswith("pack"):
                record.opaque = f"#pragma {text}"
        elif isinstance(decl, c_ast.Decl):
            member = _member(ctx, decl, record)
            if member is not None:
                members.append(member)
        elif not isinstance(decl, c_ast.StaticAssert):
            record.opaque = f"{type(decl).__name__} inside a {record.kind}"
    return members


def _member(ctx: Context, decl: c_ast.Decl, record: ty.Record) -> records.MemberDecl | None:
    t = lower_type(ctx, decl.type)
    if decl.name is None and decl.bitsize is None and not _is_anonymous_record(t):
        return None  # `struct S;` or `enum {...};` inside a struct declares no member
    bits = None
    if decl.bitsize is not None:
        bits = constant_value(ctx.expression(decl.bitsize))
        if bits is None:
            record.opaque = f"the width of {decl.name} is not known"
    align = _alignment(ctx, decl)
    if align is None:
        record.opaque, align = "_Alignas that cannot be evaluated", 0
    return records.MemberDecl(decl.name, t, bits, align)


def _is_anonymous_record(t: ty.Type) -> bool:
    return isinstance(t, ty.Struct) and t.record.tag is None


def _alignment(ctx: Context, decl: c_ast.Decl) -> int | None:
    largest = 0
    for alignas in decl.align or ():
        argument = alignas.alignment
        if isinstance(argument, c_ast.Typename):
            value = records.align_of(lower_type(ctx, argument))
        else:
            value = constant_value(ctx.expression(argument))
        if value is None:
            return None
        largest = max(largest, value)
    return largest


def _enum(ctx: Context, node: c_ast.Enum) -> ty.Type:
    if node.values is None:
        return _tag_reference(ctx, node.name) or ty.Unknown(f"enum {node.name} is incomplete")
    if id(node) in ctx.specifiers:
        return ctx.specifiers[id(node)]
    enumeration = ty.Enumeration(node.name, location(node))
    values = _enumerators(ctx, node)
    enumeration.constants = values
    ctx.enums.append(enumeration)
    numbers = [value for _, value in values]
    wide = min(numbers) < -(1 << 31) or max(numbers) > (1 << 32) - 1 or (min(numbers) < 0 and max(numbers) >= 1 << 31)
    underlying = (ty.LONG if wide else ty.INT) if min(numbers) < 0 else (ty.ULONG if wide else ty.UINT)
    no_ints = {name for name, value in values if wrapped(value, ty.INT) != value}
    for name, value in values:
        if name in no_ints or (no_ints and ctx.wide_enums):
            ctx.scope.names[name] = EnumConstant(value, underlying)
    enum = ty.Enum(enumeration, underlying)
    ctx.specifiers[id(node)] = enum
    if node.name:
        ctx.scope.tags[node.name] = enum
    return enum


def _enumerators(ctx: Context, node: c_ast.Enum) -> tuple[tuple[str, int], ...]:
    """An enum constant is an int (C11 6.7.2.2p3); behind the enum, one that needs more has its type, and from gcc 13 on
    all of them then (C23 6.7.3.3).
    """
    values: list[tuple[str, int]] = []
    next_value = 0
    for item in node.values.enumerators:
        if not isinstance(item, c_ast.Enumerator):
            continue
        if item.value is not None:
            given = constant_value(ctx.expression(item.value))
            next_value = 0 if given is None else given
        fits = wrapped(next_value, ty.INT) == next_value
        constant_type = ty.INT if fits else (ty.UINT if 0 <= next_value < 1 << 32 else ty.LONG)
        ctx.scope.names[item.name] = EnumConstant(next_value, constant_type)
        values.append((item.name, next_value))
        next_value += 1
    return tuple(values)


def remember_typedef(t: ty.Type, name: str) -> None:
    """`typedef struct {...} name`: the first typedef of a type without a tag is how to spell it."""
    if isinstance(t, ty.Struct) and t.record.tag is None and t.record.typedef_name is None:
        t.record.typedef_name = name
    if isinstance(t, ty.Enum) and t.enumeration.tag is None and t.enumeration.typedef_name is None:
        t.enumeration.typedef_name = name


def completed(t: ty.Type, length: int) -> ty.Type:
    """`int a[] = {...}`: the array with its length."""
    return replace(t, length=length) if isinstance(t, ty.Array) and t.length is None else t
