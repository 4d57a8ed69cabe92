"""Analysis: chains: short loops one after the other, and the host's loops around them, that one block could do.

    for (i = 0; i < n; i++) {                   a launch of one block for all of it, whose threads share each loop
        double sum = 0;                         and wait for each other behind it, in place of 2 n launches of a few
        #pragma omp parallel for reduction(+:sum)       microseconds each, and of n results that the host waits for
        for (j = 0; j < i; j++) sum += a[i][j] * y[j];
        y[i] = b[i] - sum;
    }

A chain is a `for` statement of the host's, the outermost one, in which there is nothing but such loops, statements,
declarations and other such `for` statements; or two or more loops and statements that follow each other in a block.
Its loops are `parallel for` regions of one loop with no other loop in it that may be long, and what ompc has added
(without_pragma/added_loops.py). To the analyses it is an added loop of one iteration, whose body is the text of all
that, with the regions as the loops that a team of one would run (transform/serialise_nested.py): that a block may share
them is proved, or it is none. Variables of the host that it changes are its own: nobody reads them behind it.

What is as short as that nobody knows before the launch: the runtime compares (ompc_cost_model.h). Where it refuses, the
host's text is as it was, and each loop is asked about.

    In: a unit, its parallel loops.   Out: `ParallelLoop`s with `chain`.
    Not here: how the block shares the loops -- plan/groups; what becomes of chains -- plan/chains.py.
    Source: persistent threads (Gupta, Stuart and Owens, "A study of persistent threads style GPU programming", 2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.flow.definite_assignment import flow_of
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.locality.work import SHORT_TRIPS
from ompc.analysis.privatisation.shared_scalars import is_plain
from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.directive import CHAIN, ONCE, Directive, Kind
from ompc.ir.exits import ends_early, is_entered, jumps_in
from ompc.ir.queries import assigned_in, declared_in, nodes, symbols_in, unread_in
from ompc.ir.rewrite import rewritten, with_symbols
from ompc.ir.walk import Node, children, walk
from ompc.omp.constructs import is_openmps
from ompc.omp.loops import sequential_loop
from ompc.omp.model import League, Override, ParallelLoop, Sharing
from ompc.omp.parallel_loop import Construct, parallel_loop
from ompc.omp.purity import pure_functions
from ompc.omp.without_pragma.added_loops import directive_of_added, is_special, of_one_turn
from ompc.transform.serialise_nested import as_called_in_loop

MOST_PARTS = 8
"""The most loops and statements of a chain. The runtime's Region names as many."""
_Parts = Mapping[t.Pragma, ParallelLoop]


def chains(unit: t.Unit, loops: Iterable[ParallelLoop]) -> tuple[ParallelLoop, ...]:
    """The chains of the functions of `unit`, in the order of the text, over `loops`."""
    parts = {loop.pragma: loop for loop in loops if _may_be_part(loop)}
    if not any(not loop.is_added for loop in parts.values()):
        return ()
    finder = _Finder(unit, parts)
    return tuple(chain for function in unit.functions.values() for chain in finder.of(function))


def _may_be_part(loop: ParallelLoop) -> bool:
    """Is it short code of its own, whatever team runs it?"""
    if loop.host is not None or loop.team is not None or loop.target is not None or loop.scan is not None:
        return False
    if loop.condition is not None or loop.asked or loop.override != Override() or loop.league is not League.NONE:
        return False
    if len(loop.loops) != 1 or loop.body is None or loop.lastprivates or loop.linear or jumps_in(loop.body):
        return False
    return not any(map(_may_be_long, walk(loop.body)))


def _may_be_long(node: object) -> bool:
    if isinstance(node, t.For):
        found = sequential_loop(node)
        if isinstance(found, Reason):
            return True
        lower, upper = constant_value(found.lower), constant_value(found.upper)
        return lower is None or upper is None or abs(upper - lower) > SHORT_TRIPS
    return isinstance(node, (t.While, t.DoWhile))


class _Finder:
    def __init__(self, unit: t.Unit, parts: _Parts) -> None:
        self._unit = unit
        self._parts = parts
        self._pure = pure_functions(unit)

    def of(self, function: t.Function) -> Iterator[ParallelLoop]:
        """The chains of a function."""
        if function.body is None or unread_in(function.body) is not None:
            return
        for statements in self._candidates(function.body, function.body, True):
            made = self._made(statements, function)
            if made is not None:
                yield made

    def _candidates(self, root: t.Stmt, body: t.Stmt, outermost: bool) -> Iterator[tuple[t.Stmt, ...]]:
        """Statements that may be chains; those in a block inside of another chain, too, which may be too long.
        `outermost`: no chain is around `root`.
        """
        if isinstance(root, t.Pragma):
            return
        if outermost and isinstance(root, t.For) and self._is_around(root, body):
            yield (root,)
            outermost = False
        if isinstance(root, t.Block):
            yield from self._runs(root.items)
        for child in children(root):
            if isinstance(child, t.Stmt):
                yield from self._candidates(child, body, outermost)

    def _runs(self, items: Sequence[t.Stmt]) -> Iterator[tuple[t.Stmt, ...]]:
        run: list[t.Stmt] = []
        for item in (*items, None):
            if isinstance(item, t.Pragma) and item in self._parts and (not run or _stands_behind(run[-1], item)):
                run.append(item)
                continue
            if 1 < len(run) <= MOST_PARTS:
                yield tuple(run)
            run = [item] if isinstance(item, t.Pragma) and item in self._parts else []

    def _is_around(self, loop: t.For, body: t.Stmt) -> bool:
        """Is the host's `loop` one around parts, and nothing that a block cannot do?"""
        if isinstance(sequential_loop(loop), Reason) or ends_early(loop.body) or is_entered(loop, body):
            return False
        if loop.loc.file != self._unit.file:
            return False
        return self._has_only_parts(loop.body) and 0 < len(self._parts_in((loop,))) <= MOST_PARTS

    def _has_only_parts(self, code: t.Stmt) -> bool:
        match code:
            case t.Pragma():
                return code in self._parts
            case t.Block(items=items):
                return all(map(self._has_only_parts, items))
            case t.For(body=body):
                is_loop = not isinstance(sequential_loop(code), Reason) and not ends_early(body)
                return is_loop and bool(self._parts_in((code,))) and self._has_only_parts(body)
            case t.DeclStmt(decls=decls):
                return all(ty.is_scalar(decl.symbol.type) and decl.symbol.is_automatic for decl in decls)
            case t.ExprStmt() | t.Empty():
                return True
            case _:
                return False

    def _parts_in(self, statements: Iterable[t.Stmt]) -> tuple[ParallelLoop, ...]:
        inside = (node for statement in statements for node in nodes(statement))
        return tuple(self._parts[node] for node in inside if isinstance(node, t.Pragma) and node in self._parts)

    def _made(self, statements: tuple[t.Stmt, ...], function: t.Function) -> ParallelLoop | None:
        parts = self._parts_in(statements)
        if all(part.is_added for part in parts) or all(part.is_statement for part in parts):
            return None
        plain = [as_called_in_loop(_without_added(each), self._unit.functions) for each in statements]
        plain = [each.items[0] if isinstance(each, t.Block) and len(each.items) == 1 else each for each in plain]
        if any(isinstance(node, t.Pragma) and is_openmps(node) for code in plain for node in nodes(code)):
            return None
        loc = statements[0].loc
        block = t.Block(loc, tuple(plain))
        if any(map(is_special, symbols_in(block))):
            return None
        copies = self._copies(block, statements[-1], function)
        if copies is None:
            return None
        begun = tuple(t.VarDecl(copy, t.Name(symbol.type, loc, symbol), loc) for symbol, copy in copies.items())
        items = with_symbols(block, copies).items
        items = (t.DeclStmt(loc, begun), *items) if begun else items
        body = of_one_turn(t.Block(loc, items), function.symbol)
        pragma = t.Pragma(loc, "", body, parts[0].pragma.scope, directive=Directive(Kind.ADDED, CHAIN, (), loc))
        construct = Construct(pragma, directive_of_added(loc), body, function, ())
        made = parallel_loop(construct, self._unit, self._pure)
        own = {symbol for symbol in assigned_in(body) if made.sharing.get(symbol) is Sharing.SHARED}
        sharing = {**made.sharing, **{symbol: Sharing.PRIVATE for symbol in own if ty.is_scalar(symbol.type)}}
        sums = {item.symbol for part in parts for item in part.reductions}
        unordered = frozenset(copies.get(symbol, symbol) for symbol in sums)
        if made.host is not None:
            return None
        name = parts[0].id + ("_around" if isinstance(statements[0], t.For) else "_chain")
        return replace(made, id=name, sharing=sharing, chain=parts, unordered_sums=unordered)

    def _copies(self, block: t.Block, last: t.Stmt, function: t.Function) -> dict[t.Symbol, t.Symbol] | None:
        """Of the variables from outside that the chain changes those that begin with their value, each with the chain's
        own; None: one of all these is read behind `last`, or may be.
        """
        assert function.body is not None
        changed = {symbol for symbol in assigned_in(block) - declared_in(block) if ty.is_scalar(symbol.type)}
        if any(not is_plain(symbol) or read_after(function.body, last, symbol) for symbol in changed):
            return None
        names = {symbol.name for symbol in symbols_in(block)}
        needed = sorted(changed & flow_of(block).exposed, key=lambda symbol: symbol.position)
        return {symbol: _copy_of(symbol, names, block.loc) for symbol in needed}


def _copy_of(symbol: t.Symbol, names: set[str], loc: Location) -> t.Symbol:
    name = f"{symbol.name}_own"
    while name in names:
        name += "_"
    names.add(name)
    return t.Symbol(name, ty.unqualified(symbol.type), t.Storage.AUTO, loc, symbol.position, symbol.function)


def _without_added(statement: t.Stmt) -> t.Stmt:
    """As the program has it."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Pragma) or node.directive.kind is not Kind.ADDED:
            return node if isinstance(node, t.Expr) else None
        return node.body.body if node.directive.name == ONCE and isinstance(node.body, t.For) else node.body

    return rewritten(statement, change)


def _stands_behind(first: t.Stmt, second: t.Stmt) -> bool:
    """Each gets a line of the host's of its own."""
    return first.loc.file == second.loc.file and first.loc.line < second.loc.line
