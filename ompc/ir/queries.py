"""What trees contain: names, declarations, assignments and calls; each question answered once.

    a[i].x = *p + n++;      names a, i, p, n;  writes a[i].x and n;  changes a and n by their names

All answers are lexical: what pointers reach and what called functions do is the analyses' business. Trees do not
change, so the answers about a node are kept. The lengths of variable arrays, in types, are code too (`nodes`).

    In: a part of the typed tree.   Out: what is in it, in the order of the text.
    Not here: jumps -- exits.py; what OpenMP's and the C library's functions do -- omp/uses.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar, cast

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, object_of
from ompc.ir.walk import Node, children, type_expressions, walk, walk_with_lengths
from ompc.ir.walk import type_written_at as type_written_at

_KEPT = 1 << 15
"""How many answers of a kind are kept: those about all parts of a file, which each rewrite asks for again."""

N = TypeVar("N", bound=Node)


# ------------------------------------------------------------------------------------------- what there is


def nodes(root: Node) -> Iterator[Node]:
    """Everything in `root`, itself first, the lengths of variable arrays in its types included."""
    return walk_with_lengths(root)


def statements_in(root: t.Stmt) -> Iterator[t.Stmt]:
    """`root` and every statement in it, in the order of the text; expressions have none."""
    stack = [root]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(child for child in reversed(children(current)) if isinstance(child, t.Stmt))


@lru_cache(maxsize=_KEPT)
def unread_in(root: Node) -> t.OpaqueExpr | t.OpaqueStmt | None:
    """The first piece of `root` that sema could not read."""
    return next((node for node in nodes(root) if isinstance(node, (t.OpaqueExpr, t.OpaqueStmt))), None)


# --------------------------------------------------------------------------------------------------- names


@lru_cache(maxsize=_KEPT)
def names_in(root: Node) -> Mapping[t.Symbol, tuple[t.Name, ...]]:
    """Where `root` names each symbol, in the order of `nodes`."""
    found: dict[t.Symbol, list[t.Name]] = {}
    for node in nodes(root):
        if isinstance(node, t.Name):
            found.setdefault(node.symbol, []).append(node)
    return {symbol: tuple(names) for symbol, names in found.items()}


@lru_cache(maxsize=_KEPT)
def symbols_in(root: Node) -> frozenset[t.Symbol]:
    """All symbols named in `root`, functions too."""
    return frozenset([node.symbol for node in nodes(root) if type(node) is t.Name])


def declarations_in(root: Node) -> tuple[t.VarDecl, ...]:
    return tuple([node for node in walk(root) if type(node) is t.VarDecl])


@lru_cache(maxsize=_KEPT)
def declared_in(root: Node) -> frozenset[t.Symbol]:
    """All objects declared in `root`, static ones too; what blocks declare `extern` is not theirs."""
    return frozenset(declaration.symbol for declaration in declarations_in(root))


def variables_of(function: t.Function) -> frozenset[t.Symbol]:
    """The parameters, and all objects declared in the body, static ones too."""
    return frozenset(function.params) | (frozenset() if function.body is None else declared_in(function.body))


def is_named_outside(code: t.Stmt, part: t.Stmt, symbol: t.Symbol) -> bool:
    """Does `code` name `symbol` elsewhere than in its `part`? The lengths of variable arrays are no part's."""
    inside = _nodes_of(part)
    return any(name not in inside for name in names_in(code).get(symbol, ()))


@lru_cache(maxsize=16)
def _nodes_of(root: t.Stmt) -> frozenset[Node]:
    return frozenset(walk(root))


# ------------------------------------------------------------------------------------------------- objects


def is_constant_table(symbol: t.Symbol) -> bool:
    """A `static const` object of a block, without pointers: every copy of it is as good as the object."""
    element = ty.element_of(symbol.type)
    constant = "const" in element.quals and "volatile" not in element.quals
    return symbol.storage is t.Storage.LOCAL_STATIC and constant and not ty.has_pointers(element)


@dataclass(frozen=True, slots=True)
class Place:
    """A variable or a member of one, by name: `n`, `grid.size.x`."""

    symbol: t.Symbol
    members: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((self.symbol.name, *filter(None, self.members)))

    def overlaps(self, other: Place) -> bool:
        """Is one the other, or a part of it?"""
        shorter = min(len(self.members), len(other.members))
        return self.symbol is other.symbol and self.members[:shorter] == other.members[:shorter]


def place_of(e: t.Expr) -> Place | None:
    """The variable or member that an lvalue names; None when it goes through a pointer or an index."""
    path = access_path(e)
    if path.variable is None or path.subscripts:
        return None
    return Place(path.variable, tuple(selection.member.name or "" for selection in path.selections))


def places_read(e: t.Expr) -> Iterator[Place]:
    """The variables and members that `e` names, each as its longest path."""
    inside: set[t.Expr] = set()
    for node in nodes(e):
        if isinstance(node, t.Expr) and node not in inside and (place := place_of(node)) is not None:
            inside.update(n for n in nodes(node) if isinstance(n, t.Expr))
            yield place


# --------------------------------------------------------------------------------------------- assignments


_WRITING = frozenset({t.Assign, t.IncDec})
_CHANGING = _WRITING | {t.Call, t.Leave, t.Print}


def parts_of_comma(expr: t.Expr) -> Iterator[t.Expr]:
    """The expressions that are evaluated one after the other; `expr` itself where it is one."""
    if isinstance(expr, t.Comma):
        yield from parts_of_comma(expr.left)
        yield from parts_of_comma(expr.right)
    else:
        yield expr


def target_of(node: Node) -> t.Expr | None:
    """The lvalue that `node` itself writes: by an assignment of any kind, ++ or --."""
    kind = type(node)
    if kind is t.Assign:
        return cast(t.Assign, node).target
    return cast(t.IncDec, node).operand if kind is t.IncDec else None


def changed_by(node: Node) -> t.Symbol | None:
    """The variable that `node` itself assigns by its name, as a whole or a member or element of it."""
    target = target_of(node)
    return None if target is None else object_of(target)


@lru_cache(maxsize=_KEPT)
def targets_written(root: Node) -> tuple[t.Expr, ...]:
    """The operands of assignments, ++ and -- in `root`."""
    writing = [node for node in nodes(root) if type(node) in _WRITING]
    return tuple([target for node in writing if (target := target_of(node)) is not None])


@lru_cache(maxsize=_KEPT)
def assigned_in(root: Node) -> frozenset[t.Symbol]:
    """The variables that `root` assigns as a whole; what it declares is not among them."""
    return frozenset(target.symbol for target in targets_written(root) if isinstance(target, t.Name))


def set_in(root: Node) -> frozenset[t.Symbol]:
    """The variables that `root` assigns as a whole, or declares."""
    return assigned_in(root) | declared_in(root)


@lru_cache(maxsize=_KEPT)
def changed_in(root: Node) -> frozenset[t.Symbol]:
    """The variables that `root` assigns by their names, as a whole or a member or element of them."""
    return frozenset(symbol for target in targets_written(root) if (symbol := object_of(target)) is not None)


def assigns_only(root: Node, own: Container[t.Symbol]) -> bool:
    """Is all that `root` assigns one of the variables `own`, or a member or element of one, by name?"""
    return all(object_of(target) in own for target in targets_written(root))


def values_given(root: Node, symbol: t.Symbol) -> tuple[t.Expr | None, ...]:
    """What `root` gives to the variable by its name, in the order of the text.

    The values of initialisers and of `=`; None for an assignment of another kind, ++ and --, of the variable or of a
    member or element of it.
    """
    return tuple(value for node in nodes(root) for value in _given_by(node, symbol))


def _given_by(node: Node, symbol: t.Symbol) -> Iterator[t.Expr | None]:
    match node:
        case t.VarDecl(symbol=declared, init=t.Expr() as value) if declared is symbol:
            yield value
        case t.Assign(op="=", target=t.Name(symbol=target), value=value) if target is symbol:
            yield value
        case _ if changed_by(node) is symbol:
            yield None
        case _:
            return


def variables_given(node: Node, functions: Mapping[t.Symbol, t.Function]) -> Iterator[tuple[t.Symbol, t.Expr]]:
    """The variables to which `node` itself gives a value: by an initialiser, by `=`, or as a parameter by a call."""
    match node:
        case t.VarDecl(symbol=symbol, init=t.Expr() as value):
            yield symbol, value
        case t.Assign(op="=", target=t.Name(symbol=symbol), value=value):
            yield symbol, value
        case t.Call(function=t.Name(symbol=symbol), args=args) if symbol in functions:
            yield from zip(functions[symbol].params, args, strict=False)  # of variadic and old-style functions too
        case _:
            return


@lru_cache(maxsize=_KEPT)
def only_reads(expr: t.Expr) -> bool:
    """Does it neither assign anything nor call a function?"""
    return _CHANGING.isdisjoint(map(type, nodes(expr)))


# --------------------------------------------------------------------------------------------------- calls


def reached(code: N, functions: Mapping[str, t.Function]) -> tuple[N | t.Stmt, ...]:
    """`code`, and the bodies of all functions that it calls, directly or not."""
    found: list[N | t.Stmt] = [code]
    seen: set[str] = set()
    for each in found:  # grows meanwhile
        for name in called(each):
            function = functions.get(name)
            if function is not None and function.body is not None and function.name not in seen:
                seen.add(function.name)
                found.append(function.body)
    return tuple(found)


def read_for_lengths(function: t.Function) -> frozenset[t.Symbol]:
    """What a call of it reads to find the lengths of rows that parameters point to, in front of its body."""
    written = (kind for parameter in function.params for kind in (parameter.type, parameter.written) if kind)
    return frozenset(symbol for kind in written for length in type_expressions(kind) for symbol in symbols_in(length))


def called_functions(root: Node, functions: Mapping[t.Symbol, t.Function]) -> tuple[t.Function, ...]:
    """Those of `functions` that `root` calls by their names, directly or not; each once."""
    found: dict[t.Function, None] = {}
    pending: list[Node] = [root]
    while pending:
        for node in nodes(pending.pop()):
            if isinstance(node, t.Call) and isinstance(node.function, t.Name):
                function = functions.get(node.function.symbol)
                if function is not None and function not in found:
                    found[function] = None
                    pending += [] if function.body is None else [function.body]
    return tuple(found)


def callee(call: t.Call, functions: Mapping[str, t.Function]) -> t.Function | None:
    """The function that is called by its name; None: it is none of them, or a variable that hides one."""
    match call.function:
        case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Function):
            return functions.get(symbol.name)
        case _:
            return None


@lru_cache(maxsize=_KEPT)
def called(code: Node) -> tuple[str, ...]:
    """The names of the functions that it calls, each once, in the order of the text."""
    calls = (node.function for node in nodes(code) if isinstance(node, t.Call))
    return tuple(dict.fromkeys(function.symbol.name for function in calls if isinstance(function, t.Name)))


def is_written(pragma: t.Pragma) -> bool:
    """Has the text it, or has ompc added it?"""
    return pragma.spelling != ""
