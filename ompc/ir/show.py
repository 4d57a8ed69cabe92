"""C text of types and expressions, and the text form of a whole unit for `--dump sema`.

    c_type(Array(Array(DOUBLE, 200), 100), "u")      "double u[100][200]"
    c_type(Pointer(Array(DOUBLE, 200)), "u")         "double (*u)[200]"
    c_expr(expr)                                     as few parentheses as C's grammar allows

In: types, expressions, units.   Out: text.   Not here: device code, which has its own names -- ompc/render.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ompc.ir import types as ty
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Case,
    Cast,
    Comma,
    CompoundLiteral,
    Conditional,
    Continue,
    DeclStmt,
    DoWhile,
    Empty,
    Expr,
    ExprStmt,
    FloatConst,
    For,
    Function,
    Goto,
    If,
    IncDec,
    Index,
    InitList,
    IntConst,
    Label,
    Member,
    Name,
    OpaqueExpr,
    OpaqueStmt,
    Pragma,
    Return,
    Sizeof,
    Stmt,
    StringConst,
    Switch,
    Unary,
    Unit,
    VarDecl,
    While,
)

# ----------------------------------------------------------------------- types


def c_type(t: ty.Type, declarator: str = "") -> str | None:
    """A C declaration of `declarator` with type `t` (a type name when it is empty).

    None when C cannot spell the type: an unnamed struct, an unknown type.
    """
    spelled = _declaration(t, declarator)
    return None if spelled is None else spelled.rstrip()


def _declaration(t: ty.Type, inner: str) -> str | None:
    match t:
        case ty.Pointer(to=to):
            quals = _quals(t)
            star = f"*{quals}{inner}" if inner or not quals else f"*{quals.rstrip()}"
            return _declaration(to, f"({star})" if isinstance(to, (ty.Array, ty.Function)) else star)
        case ty.Array(of=of, length=length):
            return _declaration(of, f"{inner}[{_length(length)}]")
        case ty.Function(returns=returns):
            params = _params(t)
            return None if params is None else _declaration(returns, f"{inner}({params})")
        case _:
            name = _specifier(t)
            if name is None:
                return None
            return f"{_quals(t)}{name} {inner}" if inner else f"{_quals(t)}{name}"


def _length(length: int | Expr | None) -> str:
    if length is None:
        return ""
    return str(length) if isinstance(length, int) else c_expr(length)


def _params(t: ty.Function) -> str | None:
    if t.params is None:
        return ""
    spelled = [c_type(p) for p in t.params]
    if any(p is None for p in spelled):
        return None
    return ", ".join([p for p in spelled if p] + (["..."] if t.variadic else [])) or "void"


def _quals(t: ty.Type) -> str:
    order = [q for q in ("_Atomic", "const", "volatile", "restrict") if q in t.quals]
    return "".join(q + " " for q in order)


def _specifier(t: ty.Type) -> str | None:
    match t:
        case ty.Void():
            return "void"
        case ty.Int(name=name) | ty.Float(name=name):
            return name
        case ty.Complex(of=of):
            return f"{of.name} _Complex"
        case ty.Struct(record=r):
            return f"{r.kind} {r.tag}" if r.tag else r.typedef_name
        case ty.Enum(enumeration=e):
            return f"enum {e.tag}" if e.tag else e.typedef_name
        case _:
            return None


def type_text(t: ty.Type, declarator: str = "") -> str:
    """`c_type` for people: what C cannot spell is described in angle brackets."""
    spelled = c_type(t, declarator)
    if spelled is not None:
        return spelled
    described = _describe(ty.element_of(t))
    return f"{described} {declarator}".rstrip()


def _describe(t: ty.Type) -> str:
    match t:
        case ty.Unknown(why=why):
            return f"<unknown: {why}>"
        case ty.Struct(record=r):
            return f"<unnamed {r.kind} at line {r.loc.line}>"
        case ty.Enum(enumeration=e):
            return f"<unnamed enum at line {e.loc.line}>"
        case ty.Pointer(to=to):
            return f"{_describe(to)} *"
        case ty.Function():
            return "<function>"
        case _:
            return c_type(t) or "<unknown>"


def integer_text(value: int, t: ty.Type) -> str:
    """A C constant of exactly this value and type; parenthesised when negative, so that it fits anywhere."""
    name = t.name if isinstance(t, ty.Int) else "int"
    suffix = {
        "unsigned int": "U",
        "long": "L",
        "unsigned long": "UL",
        "long long": "LL",
        "unsigned long long": "ULL",
    }.get(name, "")
    if value >= 0:
        return f"{value}{suffix}"
    least = {"int": -(1 << 31), "long": -(1 << 63), "long long": -(1 << 63)}.get(name)
    return f"(-{-value - 1}{suffix} - 1)" if value == least else f"(-{-value}{suffix})"


# ----------------------------------------------------------------- expressions

_COMMA, _ASSIGN, _CONDITIONAL, _CAST, _UNARY, _POSTFIX, _PRIMARY = 1, 2, 3, 14, 15, 16, 17
_PRECEDENCE = {
    "||": 4, "&&": 5, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, "<=": 10, ">": 10, ">=": 10,
    "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
}  # fmt: skip


def c_expr(expr: Expr) -> str:
    """`expr` as C text with minimal parentheses; an opaque one is shown as a comment."""
    return _text(expr, _COMMA)


def _text(expr: Expr, least: int) -> str:
    """`expr`, in parentheses when it binds less tightly than `least`."""
    text, precedence = _render(expr)
    return f"({text})" if precedence < least else text


def _render(expr: Expr) -> tuple[str, int]:
    match expr:
        case IntConst(text=text) | FloatConst(text=text) | StringConst(text=text):
            return text, _UNARY if text.startswith("-") else _PRIMARY
        case Name(symbol=symbol):
            return symbol.name, _PRIMARY
        case Binary(op=op, left=left, right=right):
            level = _PRECEDENCE[op]
            return f"{_text(left, level)} {op} {_text(right, level + 1)}", level
        case Unary(op=op, operand=operand):
            inner = _text(operand, _CAST)
            return f"{op} {inner}" if inner.startswith(op) and op in "+-&" else f"{op}{inner}", _UNARY
        case IncDec(op=op, prefix=prefix, operand=operand):
            if prefix:
                return op + _text(operand, _UNARY), _UNARY
            return _text(operand, _POSTFIX) + op, _POSTFIX
        case Assign(op=op, target=target, value=value):
            return f"{_text(target, _UNARY)} {op} {_text(value, _ASSIGN)}", _ASSIGN
        case Conditional(condition=condition, then=then, other=other):
            arms = f"{_text(then, _COMMA)} : {_text(other, _CONDITIONAL)}"
            return f"{_text(condition, _CONDITIONAL + 1)} ? {arms}", _CONDITIONAL
        case Comma(left=left, right=right):
            return f"{_text(left, _COMMA)}, {_text(right, _ASSIGN)}", _COMMA
        case _:
            return _render_postfix(expr)


def _render_postfix(expr: Expr) -> tuple[str, int]:
    match expr:
        case Index(base=base, index=index):
            return f"{_text(base, _POSTFIX)}[{c_expr(index)}]", _POSTFIX
        case Member(base=base, member=member) if isinstance(base.type, ty.Complex):
            return f"__{'real' if member.name == 're' else 'imag'}__ {_text(base, _UNARY)}", _UNARY
        case Member():
            return _member_text(expr), _POSTFIX
        case Call(function=function, args=args):
            return f"{_text(function, _POSTFIX)}({', '.join(_text(a, _ASSIGN) for a in args)})", _POSTFIX
        case Cast(operand=operand):
            return f"({type_text(expr.type)}){_text(operand, _CAST)}", _CAST
        case Sizeof(of=of):
            return f"sizeof({type_text(of)})", _UNARY
        case InitList(items=items):
            return "{" + ", ".join(_item(path, value) for path, value in items) + "}", _PRIMARY
        case CompoundLiteral(init=init):
            return f"({type_text(expr.type)}){c_expr(init)}", _POSTFIX
        case OpaqueExpr(why=why):
            return f"/* {why} */", _PRIMARY
        case _:
            raise TypeError(f"{type(expr).__name__} is not an expression")


def _member_text(expr: Member) -> str:
    """Anonymous members have no text: `p->x` may lead through several."""
    arrow, base = expr.arrow, expr.base
    while isinstance(base, Member) and base.member.name is None:
        arrow, base = base.arrow, base.base
    return f"{_text(base, _POSTFIX)}{'->' if arrow else '.'}{expr.member.name}"


def _item(path: tuple[str | int, ...], value: Expr) -> str:
    designators = "".join(f"[{d}]" if isinstance(d, int) else f".{d}" for d in path)
    return f"{designators} = {_text(value, _ASSIGN)}" if path else _text(value, _ASSIGN)


# ------------------------------------------------------------------------ units


def show(unit: Unit) -> str:
    """The text form of a unit: its file-scope objects, then its functions. Header functions are only counted."""
    lines = [f"unit {unit.file}", ""]
    lines += [_declaration_line(decl) for decl in unit.variables]
    lines += [f"#pragma {p.spelling}" for p in unit.pragmas]
    own = [f for f in unit.functions.values() if f.symbol.loc.file == unit.file]
    for function in own:
        lines += ["", *_function(function)]
    others = len(unit.functions) - len(own)
    if others:
        lines += ["", f"({others} functions from headers)"]
    return "\n".join(lines) + "\n"


def _declaration_line(decl: VarDecl) -> str:
    init = f" = {_text(decl.init, _ASSIGN)}" if decl.init is not None else ""
    flags = [decl.symbol.storage.value]
    flags += ["address taken"] if decl.symbol.address_taken else []
    flags += ["threadprivate"] if decl.symbol.threadprivate else []
    return f"{type_text(decl.symbol.type, decl.symbol.name)}{init};  // {', '.join(flags)}"


def _function(function: Function) -> Iterator[str]:
    t = function.symbol.type
    nothing = "void" if isinstance(t, ty.Function) and t.params == () else ""
    params = ", ".join(type_text(p.type, p.name) for p in function.params) or nothing
    returns = function.symbol.type.returns if isinstance(function.symbol.type, ty.Function) else ty.INT
    yield f"{type_text(returns, f'{function.name}({params})')}  // line {function.symbol.loc.line}"
    if function.body is None:
        yield f"    /* opaque: {function.opaque} */"
    else:
        yield from statement_lines(function.body, 0)


def statement_lines(stmt: Stmt, depth: int = 1) -> Iterator[str]:
    """The lines of a statement, indented by `depth` levels."""
    pad = "    " * depth
    match stmt:
        case Block():
            yield from _block(stmt, depth)
        case DeclStmt(decls=decls):
            yield from (pad + _declaration_line(d) for d in decls)
        case Pragma(spelling=text, body=body):
            yield f"{pad}#pragma {text}  // line {stmt.loc.line}" + (", in a macro" if stmt.in_macro else "")
            if body is not None:
                yield from statement_lines(body, depth)
        case If() | While() | DoWhile() | For() | Switch():
            yield from _compound(stmt, depth)
        case _:
            yield pad + _simple(stmt)


def _block(block: Block, depth: int) -> Iterator[str]:
    """Thousands of blocks may stand inside each other: here they stand one after the other."""
    inner, deepest = block, depth
    while len(inner.items) == 1 and isinstance(item := inner.items[0], Block):
        yield "    " * deepest + "{"
        inner, deepest = item, deepest + 1
    yield "    " * deepest + "{"
    for statement in inner.items:
        yield from statement_lines(statement, deepest + 1)
    yield from ("    " * level + "}" for level in range(deepest, depth - 1, -1))


def _compound(stmt: Stmt, depth: int) -> Iterator[str]:
    pad = "    " * depth
    match stmt:
        case If(condition=condition, then=then, other=other):
            yield f"{pad}if ({c_expr(condition)})"
            yield from statement_lines(then, depth + 1)
            if other is not None:
                yield pad + "else"
                yield from statement_lines(other, depth + 1)
        case While(condition=condition, body=body):
            yield f"{pad}while ({c_expr(condition)})"
            yield from statement_lines(body, depth + 1)
        case DoWhile(condition=condition, body=body):
            yield pad + "do"
            yield from statement_lines(body, depth + 1)
            yield f"{pad}while ({c_expr(condition)});"
        case For(init=init, condition=condition, step=step, body=body):
            head = "; ".join([_for_init(init), _optional(condition), _optional(step)])
            yield f"{pad}for ({head})"
            yield from statement_lines(body, depth + 1)
        case Switch(value=value, body=body):
            yield f"{pad}switch ({c_expr(value)})"
            yield from statement_lines(body, depth + 1)
        case _:
            raise TypeError(f"{type(stmt).__name__} is not a compound statement")


def _optional(expr: Expr | None) -> str:
    return "" if expr is None else c_expr(expr)


def _for_init(init: Stmt | None) -> str:
    match init:
        case None:
            return ""
        case ExprStmt(expr=expr):
            return c_expr(expr)
        case DeclStmt(decls=decls):
            return ", ".join(
                type_text(d.symbol.type, d.symbol.name) + ("" if d.init is None else f" = {_text(d.init, _ASSIGN)}")
                for d in decls
            )
        case _:
            return _simple(init)


_SIMPLE: dict[type[Stmt], Callable[..., str]] = {
    ExprStmt: lambda s: f"{c_expr(s.expr)};",
    Empty: lambda s: ";",
    Case: lambda s: "default:" if s.value is None else f"case {c_expr(s.value)}:",
    Label: lambda s: f"{s.name}:",
    Goto: lambda s: f"goto {s.name};",
    Break: lambda s: "break;",
    Continue: lambda s: "continue;",
    Return: lambda s: "return;" if s.value is None else f"return {c_expr(s.value)};",
    OpaqueStmt: lambda s: f"/* {s.why} */",
}


def _simple(stmt: Stmt) -> str:
    return _SIMPLE[type(stmt)](stmt)
