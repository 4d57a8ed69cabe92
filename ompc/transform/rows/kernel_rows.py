"""Which code of kernels has pointers to rows of variable length, and what becomes of it.

    static void row(int n, double x[][n], int j) { ... x[j][i] ... }

    #pragma omp parallel for
    for (int j = 0; j < m; j++) {
        row(n, x, j);                                    the function's statements, with `x[j][i]` of the loop's own `x`
        double (*q)[n] = (double (*)[n])p;
        q[j][0] = 0;                                     p[(long)j * n] = 0;
    }

A function stays one where its statements cannot stand in the loop (inlining.py); its parameters are pointers to
elements then. Code that computes with rows in another way than those that are known stays as it is, and keeps its loop
on the host (OMPC325).

    In: the unit as kernels see it, its loops.   Out: the functions, the loops.
    Not here: what becomes of expressions -- flat_rows.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import cast

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in, declared_in, nodes, reached, symbols_in, type_written_at, variables_of
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop, Sharing
from ompc.transform.rows.flat_rows import Flattening
from ompc.transform.rows.row_places import Surroundings
from ompc.transform.rows.row_shapes import NoFlatRows, flat, rows_of


def gets_rows(call: t.Call, function: t.Function) -> bool:
    """Does the function get pointers to rows of variable length, and return nothing?"""
    kind = function.symbol.type
    returns = isinstance(kind, ty.Function) and not isinstance(kind.returns, ty.Void)
    return not returns and any(ty.is_variably_modified(parameter.type) for parameter in function.params)


@dataclass(frozen=True)
class FlatFunctions:
    """The unit's functions, those that loops reach without pointers to rows.

    `parameters`: the types of such a function's parameters. `assigned`: what the code of all loops assigns.
    """

    functions: Mapping[str, t.Function]
    parameters: Mapping[t.Symbol, tuple[ty.Type, ...]]
    assigned: frozenset[t.Symbol]


def flat_functions(functions: Mapping[str, t.Function], loops: Iterable[ParallelLoop]) -> FlatFunctions:
    """The functions that `loops` call, without pointers to rows where that is possible."""
    loops = tuple(loops)
    bodies = {body for loop in loops if loop.body is not None for body in reached(loop.body, functions)}
    assigned = frozenset(symbol for body in bodies for symbol in assigned_in(body))
    concerned = [f for f in functions.values() if f.body in bodies and _concerns(f)]
    while True:
        parameters = {f.symbol: tuple(map(_parameter, f.params)) for f in concerned}
        found = {f.name: _flat_function(f, parameters, assigned, functions) for f in concerned}
        made = {name: function for name, function in found.items() if function is not None}
        if len(made) == len(found):
            return FlatFunctions({**functions, **made}, parameters, assigned)
        concerned = [f for f in concerned if f.name in made]


def _parameter(symbol: t.Symbol) -> ty.Type:
    return flat(symbol.type) if rows_of(symbol.type) is not None else symbol.type


def _concerns(function: t.Function) -> bool:
    modified = [parameter.type for parameter in function.params if ty.is_variably_modified(parameter.type)]
    try:
        for kind in modified:
            flat(kind)
    except NoFlatRows:
        return False
    return function.body is not None and (bool(modified) or _spells_rows(function.body))


def _spells_rows(code: t.Stmt) -> bool:
    """Does it declare such pointers, or convert to their types?"""
    return any(rows_of(type_written_at(node)) is not None for node in nodes(code))


def _flat_function(
    function: t.Function,
    parameters: Mapping[t.Symbol, tuple[ty.Type, ...]],
    assigned: frozenset[t.Symbol],
    functions: Mapping[str, t.Function],
) -> t.Function | None:
    body = function.body
    assert body is not None
    own = variables_of(function)
    names = _Names(own | symbols_in(body), functions)
    around = Surroundings(assigned, names.ambiguous, lambda _: False, parameters, names.free)
    flattening = Flattening(around, own)
    try:
        params, lengths = list[t.Symbol](), list[t.VarDecl]()
        for symbol in function.params:
            parameter, declared = flattening.parameter(symbol)
            params.append(parameter)
            lengths += declared
        made = cast(t.Block, flattening.of(body))
    except NoFlatRows:
        return None
    if not _is_clean(made, flattening):
        return None
    first = tuple(t.DeclStmt(decl.loc, (decl,)) for decl in lengths)
    whole = cast(t.Block, flattening.without_unused(t.Block(made.loc, (*first, *made.items))))
    return replace(function, params=tuple(params), body=whole)


def with_flat_rows(loop: ParallelLoop, known: FlatFunctions, functions: Mapping[str, t.Function]) -> ParallelLoop:
    """`loop` without pointers to rows in its body; itself where there is none, or where that cannot be.

    `functions`: the unit's, by which it is known what the loop's own does not assign.
    """
    body = loop.body
    if body is None or not loop.loops or not _asks(body, known):
        return loop
    assigned = frozenset(symbol for code in reached(body, functions) for symbol in assigned_in(code))
    steps = {each.var for each in loop.loops}
    names = _Names({*declared_in(body), *symbols_in(body), *loop.sharing, *steps}, functions)
    around = Surroundings(assigned, names.ambiguous, _kept_outside(loop, functions), known.parameters, names.free)
    flattening = Flattening(around, declared_in(body))
    try:
        made = flattening.without_unused(cast(t.Stmt, flattening.of(body)))
    except NoFlatRows:
        return loop
    if made is body or not _is_clean(made, flattening):
        return loop
    return replace(loop, body=made, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=made)))


def _kept_outside(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> Callable[[t.Symbol], bool]:
    """Variables that have the same value in the loop as where its function declares something."""
    function = functions.get(loop.function)
    if function is None or function.body is None:
        return lambda _: False
    own, assigned = variables_of(function), assigned_in(function.body)

    def is_known(symbol: t.Symbol) -> bool:
        if loop.sharing.get(symbol) not in (Sharing.SHARED, Sharing.FIRSTPRIVATE):
            return False
        return symbol in own and symbol.is_automatic and symbol not in assigned

    return is_known


def _asks(body: t.Stmt, known: FlatFunctions) -> bool:
    """Is there anything but subscripts of objects that are declared outside?"""
    if _spells_rows(body):
        return True
    return any(_computes(node) or _calls(node, known) for node in walk(body))


def _computes(node: Node) -> bool:
    match node:
        case t.Sizeof():
            return True
        case t.Unary(op="*", operand=operand):
            return rows_of(operand.type) is not None
        case t.Binary(left=left, right=right):
            return rows_of(left.type) is not None or rows_of(right.type) is not None
        case _:
            return False


def _calls(node: Node, known: FlatFunctions) -> bool:
    return isinstance(node, t.Call) and isinstance(node.function, t.Name) and node.function.symbol in known.parameters


def _is_clean(code: t.Stmt, flattening: Flattening) -> bool:
    """Is no pointer named any more that the code does not have?"""
    directives = (node.directive for node in walk(code) if isinstance(node, t.Pragma))
    named = symbols_in(code).union(*(directive.named for directive in directives))
    return not any(symbol in named for symbol in flattening.gone)


class _Names:
    """The names of a piece of code; those that stand for two things say nothing in another place of it."""

    def __init__(self, symbols: Iterable[t.Symbol], functions: Mapping[str, t.Function]) -> None:
        meant: dict[str, set[t.Symbol]] = defaultdict(set)
        for symbol in symbols:
            meant[symbol.name].add(symbol)
        self.ambiguous = frozenset(symbol for found in meant.values() if len(found) > 1 for symbol in found)
        self._taken = {*meant, *functions}

    def free(self, wanted: str) -> str:
        name = wanted
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
