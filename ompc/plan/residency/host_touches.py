"""Plan: which mapped variables the host code inside a `target data` region uses.

    #pragma omp target data map(a, b, c)
    {
        for (step = 0; step < n; step++)
            sweep(a, b);                    only launches use what its parameters point to: no touch
        #pragma omp target update from(b)
        print(b);                           the program synchronises b itself
        c[0] = 1;                           a touch: c is copied with each launch
    }

A program that uses c so is not conforming, or has a meaning of its own where memory is not shared; with c copied, it
gets the answer that it gets in shared memory.

In: the unit.   Out: `HostTouches.untouched(pragma)`.
Not here: aliases of mapped variables; host code between `enter data` and `exit data`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import Node, children, walk
from ompc.omp.constructs import is_target_region, listed


class _Unknown(Exception):
    """Host code that cannot be read, or functions that call each other in a circle: it may touch anything."""


class HostTouches:
    """Answers for one unit; functions are examined once."""

    def __init__(self, unit: t.Unit) -> None:
        self._functions = unit.functions
        self._of_functions: dict[str, frozenset[t.Symbol] | None] = {}

    def untouched(self, pragma: t.Pragma) -> frozenset[t.Symbol]:
        """The variables in the map clauses of a `target data` construct that its host code leaves alone or updates."""
        if pragma.body is None:
            return frozenset()
        try:
            touched = _with_aliases(self._touched(pragma.body) - _updated(pragma.body), pragma.body)
        except _Unknown:
            return frozenset()
        return pragma.directive.listed("map") - touched

    def _touched(self, obj: Node) -> frozenset[t.Symbol]:
        """The variables that host code in `root` names, but for copies of pointers. Raises _Unknown."""
        found: set[t.Symbol] = set()
        left = [obj]
        while left:
            node = left.pop()
            match node:
                case t.OpaqueExpr() | t.OpaqueStmt():
                    raise _Unknown
                case t.Name(symbol=symbol):
                    found.add(symbol)
                case t.Call(function=t.Name(symbol=callee), args=args) if self._visible(callee) is not None:
                    function = self._visible(callee)
                    assert function is not None
                    touched = self._of_function(function)
                    found |= touched
                    left += _touched_arguments(function, args, touched)
                case _ if _copied_pointers(node) or _is_harmless(node):
                    pass
                case _:
                    left += children(node)
        return frozenset(found)

    def _of_function(self, function: t.Function) -> frozenset[t.Symbol]:
        if function.name not in self._of_functions:
            self._of_functions[function.name] = None
            assert function.body is not None
            self._of_functions[function.name] = _with_aliases(self._touched(function.body), function.body)
        known = self._of_functions[function.name]
        if known is None:
            raise _Unknown
        return known

    def _visible(self, callee: t.Symbol) -> t.Function | None:
        function = self._functions.get(callee.name) if isinstance(callee.type, ty.Function) else None
        return None if function is None or function.body is None or function.opaque is not None else function


def _touched_arguments(
    function: t.Function, args: tuple[t.Expr, ...], touched: frozenset[t.Symbol]
) -> Iterator[t.Expr]:
    """The arguments of a call but for arrays and pointers whose parameter the function leaves alone."""
    for at, argument in enumerate(args):
        parameter = function.params[at] if at < len(function.params) else None
        plain = isinstance(argument, t.Name) and isinstance(ty.decayed(argument.type), ty.Pointer)
        if not plain or parameter is None or parameter in touched:
            yield argument


def _updated(obj: Node) -> frozenset[t.Symbol]:
    """What `target update` directives in `root` name."""
    directives = (node.directive for node in walk(obj) if isinstance(node, t.Pragma))
    return listed((d for d in directives if d.name == "target update"), "to", "from")


def _is_harmless(node: Node) -> bool:
    """Device code, or a size."""
    return isinstance(node, t.Sizeof) or (isinstance(node, t.Pragma) and is_target_region(node.directive))


def _copied_pointers(node: Node) -> tuple[t.Symbol, t.Symbol] | None:
    """The variables of `p = q` and `double *p = q`: the pointer changes hands, nothing that it points to is used."""
    match node:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=to), value=t.Name(symbol=of))):
            pass
        case t.VarDecl(symbol=to, init=t.Name(symbol=of)):
            pass
        case _:
            return None
    return (to, of) if isinstance(to.type, ty.Pointer) else None


def _with_aliases(touched: frozenset[t.Symbol], obj: Node) -> frozenset[t.Symbol]:
    """`touched`, and what may be the same, since pointers are copied from one to the other in `root`."""
    pairs = [pair for node in walk(obj) if (pair := _copied_pointers(node)) is not None]
    found = set(touched)
    grown = True
    while grown:
        more = {s for pair in pairs if not found.isdisjoint(pair) for s in pair} - found
        found |= more
        grown = bool(more)
    return frozenset(found)
