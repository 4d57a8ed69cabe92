"""Check what sema promises about a `Unit`; a failure is a bug of ours, and says so with the unit's text.

    every expression has a type, every node has one parent, case labels stand inside a switch,
    break and continue have something to leave, names are symbols of this unit or function, a pragma's scope is
    consistent

In: a Unit.   Out: nothing, or `InternalError`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.ir import types as ty
from ompc.ir.names import Names
from ompc.ir.show import show
from ompc.ir.tree import (
    Block,
    Break,
    Case,
    Continue,
    DeclStmt,
    DoWhile,
    Expr,
    For,
    Function,
    Index,
    Label,
    Name,
    Pragma,
    Stmt,
    Storage,
    Switch,
    Symbol,
    Unit,
    While,
)
from ompc.ir.walk import Node, children, walk


class InternalError(AssertionError):
    """A promise between stages is broken: a bug in ompc. The dump shows the product."""

    def __init__(self, message: str, dump: str) -> None:
        super().__init__(f"{message}\n\n{dump}")
        self.message = message
        self.dump = dump


def verify(unit: Unit) -> None:
    """Raise InternalError when the unit breaks one of its invariants."""
    try:
        _check_unit(unit)
    except _Broken as broken:
        raise InternalError(f"sema: {broken}", show(unit)) from None


class _Broken(Exception):
    pass


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise _Broken(message)


def _check_unit(unit: Unit) -> None:
    globals_ = {decl.symbol for decl in unit.variables}
    seen: set[int] = set()
    for decl in unit.variables:
        _require(decl.symbol.function is None, f"the file-scope object {decl.symbol.name} belongs to a function")
        _check_tree(decl, globals_, seen)
    for name, function in unit.functions.items():
        _require(name == function.name, f"function {function.name} is filed as {name}")
        _check_function(function, globals_, seen)


def _check_function(function: Function, globals_: set[Symbol], seen: set[int]) -> None:
    _require((function.body is None) == (function.opaque is not None), f"{function.name}: a body or a reason, not both")
    if function.body is None:
        return
    visible = globals_ | set(function.params)
    for node in walk(function.body):
        if isinstance(node, DeclStmt):
            visible |= {decl.symbol for decl in node.decls}
    _check_tree(function.body, visible, seen)
    _check_jumps(function.body, _Inside(), function.name)


def _check_tree(root: Node, visible: set[Symbol], seen: set[int]) -> None:
    for node in walk(root):  # messages are made where something is broken: there are millions of nodes
        if id(node) in seen:
            raise _Broken(f"a {type(node).__name__} at {node.loc} has two parents")
        seen.add(id(node))
        if isinstance(node, Expr) and not isinstance(node.type, ty.Type):
            raise _Broken(f"a {type(node).__name__} at {node.loc} has no type")
        if isinstance(node, Index) and not isinstance(ty.decayed(node.base.type), (ty.Pointer, ty.Unknown)):
            raise _Broken(f"the base of the subscript at {node.loc} is no pointer")
        if isinstance(node, Name):
            _check_name(node, visible)
        if isinstance(node, Pragma):
            _check_scope(node.scope, node)


def _check_name(node: Name, visible: set[Symbol]) -> None:
    symbol = node.symbol
    if not (symbol in visible or symbol.storage is Storage.FUNCTION or symbol.name.startswith("__")):
        raise _Broken(f"{symbol.name} at {node.loc} is a symbol from elsewhere")


def _check_scope(scope: Mapping[str, Symbol], node: Pragma) -> None:
    names = scope.names_in_blocks() if isinstance(scope, Names) else scope  # those of the file are too many
    for name in names:
        symbol = scope[name]
        is_it = symbol.name == name or symbol.function is None  # with linkage, it is named as for the linker
        _require(is_it, f"the scope of the pragma at {node.loc} calls {symbol.name} {name}")


class _Inside:
    """What surrounds a statement: a switch, a loop."""

    def __init__(self, switch: bool = False, loop: bool = False) -> None:
        self.switch = switch
        self.loop = loop


def _check_jumps(stmt: Stmt, inside: _Inside, name: str) -> None:
    match stmt:
        case Case():
            _require(inside.switch, f"{name}: a case at {stmt.loc} outside a switch")
        case Break():
            _require(inside.switch or inside.loop, f"{name}: a break at {stmt.loc} leaves nothing")
        case Continue():
            _require(inside.loop, f"{name}: a continue at {stmt.loc} outside a loop")
        case Switch():
            inside = _Inside(switch=True, loop=inside.loop)
        case While() | DoWhile() | For():
            inside = _Inside(switch=inside.switch, loop=True)
        case _:
            pass
    for child in children(stmt):
        if isinstance(child, Stmt):
            labelled = isinstance(child, (Case, Label)) and not isinstance(stmt, Block)
            _require(not labelled, f"{name}: a label at {child.loc} without a block")
            _check_jumps(child, inside, name)
