"""Plan: which loops inside an iteration the lanes of a warp share.

    for (i = 0; i < n; i++) {                                 one thread each: neighbouring lanes read rows that
        double sum = 0;                                       lie far apart
        for (k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * x[col[k]];                        shared: neighbouring lanes read neighbouring entries
        y[i] = sum;
    }

Shared is a loop whose length is each row's own, which reads neighbouring elements in neighbouring iterations, and
whose iterations do nothing but compute numbers and combine them into variables of the row (lane_terms.py). It stands
where all lanes of the warp come along: not in loops of other lengths, behind no jump. A `continue` above it becomes an
`else`.

    In: Facts, Mapping.   Out: LaneSharing, or why the loops stay with one lane each.
    Not here: how many lanes an iteration gets -- the launch (ompc_lanes.h). Loops of equal lengths are divided likewise
    where warps help each other: which, helped.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ompc.analysis.facts import Facts
from ompc.analysis.roots import Root
from ompc.omp.model import CanonicalLoop
from ompc.options import Level
from ompc.plan.helped import MOST_OWN, MOST_TERM_BYTES, helped_side
from ompc.plan.lane_steps import Alone, Chosen, LaneSharing, Repeated, Scope, SharedLoop, Step
from ompc.plan.lane_terms import NotDivisibleError, divide, may_continue
from ompc.plan.lane_work import (
    assigned_in,
    bytes_side_by_side,
    carried_by,
    check_computes,
    holds_rows,
    is_side_by_side,
    leaves_its_variable,
    may_have_rows_in_common,
)
from ompc.plan.launch import GridLoop
from ompc.plan.mapping import Mapping, breaks, is_fixed
from ompc.plan.messages import said
from ompc.plan.names import Namer
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import walk

WARP, MOST_THREADS = 32, 256
"""Lanes of a warp; the threads of a block that have memory for shared loops (ompc_lanes.h)."""

FEW_TERMS = 2
"""So many terms of an entry cost less than what is gained where rows turn out to be different ones."""
MOST_BYTES = 2
"""Of terms, which go through shared memory, for a byte that neighbouring lanes read side by side: lists of places, at
which the most is read, are no gain."""


def shareable(facts: Facts, mapping: Mapping, level: Level) -> tuple[t.Symbol, ...]:
    """The variables of the loops that lanes may come to share."""
    moved = len(mapping.loops) != 1 or mapping.twins or mapping.around
    if level is not Level.AUTO or moved or facts.loop.override.annotated_only:
        return ()
    x = mapping.loops[0].var
    found = [loop for helped in (False, True) for loop in _Finder(facts, x, Namer(()), helped).candidates(mapping.body)]
    return tuple(dict.fromkeys(loop.var for loop in found))


def lane_sharing(
    facts: Facts, mapping: Mapping, level: Level, namer: Namer, counted: Callable[[CanonicalLoop], GridLoop]
) -> LaneSharing | str | None:
    """How the lanes share loops, or why not; None where there is none that they could share.

    `counted` plans a loop as the grid's loops are planned.
    """
    if not shareable(facts, mapping, level):
        return None
    found = _sharing(facts, mapping, _Finder(facts, mapping.loops[0].var, namer))
    if isinstance(found, LaneSharing):
        return found
    helped = _sharing(facts, mapping, _Finder(facts, mapping.loops[0].var, namer, helped=True))
    if not isinstance(helped, LaneSharing) or facts.loop.override.threads or facts.loop.override.blocks:
        return found
    loops = {loop.loop.statement: loop.loop for loop in helped.body.loops()}
    grid = tuple(counted(loop) for loop in loops.values())
    if any(bound.host_text is not None for loop in grid for bound in (loop.lower, loop.upper, loop.step)):
        return found  # the host would have to evaluate it, perhaps where the program does not
    because = helped.because.replace("the lanes of a warp share", "the warps of a block share")
    return replace(helped, because=because, counted=grid)


def _sharing(facts: Facts, mapping: Mapping, finder: _Finder) -> LaneSharing | str:
    namer = finder.namer
    try:
        _check_kernel(facts, mapping)
        items = mapping.body.items if isinstance(mapping.body, t.Block) else (mapping.body,)
        body = finder.scope(items, (mapping.loops[0],))
        _check_jumps(body)
        body = _pruned(body, frozenset(body.names()))
    except NotDivisibleError as error:
        return f"no loop is shared by lanes: {error}"
    shared = list(body.loops())
    if not shared:
        return "; ".join(finder.refusals)
    names = " and ".join(dict.fromkeys(loop.loop.var.name for loop in shared))
    because = "; ".join([f"the lanes of a warp share the loop over {names}", *finder.refusals])
    lanes, slot, own = (namer.take(name) for name in ("lanes", "slot", "own"))
    rows_in = holds_rows(loop.loop for loop in shared)
    return LaneSharing(body, lanes, slot, own, finder.renewed, because, rows_in=rows_in)


def _check_kernel(facts: Facts, mapping: Mapping) -> None:
    """All lanes of each warp must come to the end of every iteration."""
    threads = facts.loop.override.threads
    if mapping.loops[0].dependent or facts.loop.lastprivates:
        raise NotDivisibleError("lastprivate variables")
    if threads is not None and (threads % WARP or threads > MOST_THREADS):
        raise NotDivisibleError(f"blocks of {threads} threads are asked for")
    if said(facts):
        raise NotDivisibleError("iterations print or end the program")
    if any(isinstance(node, (t.Goto, t.Label, t.Return)) for node in walk(mapping.body)):
        raise NotDivisibleError("an iteration has jumps")


@dataclass(slots=True)
class _Finder:
    facts: Facts
    x: t.Symbol
    namer: Namer
    helped: bool = False
    refusals: list[str] = field(default_factory=list)
    renewed: dict[t.Expr, t.Expr] = field(default_factory=dict)

    # ------------------------------------------------------------------ where the loops stand

    def candidates(self, body: t.Stmt) -> Iterator[CanonicalLoop]:
        """The loops of other lengths in each row that read neighbouring elements."""
        loops = (node for node in walk(body) if isinstance(node, t.For))
        return (self.facts.inner_loops[loop] for loop in loops if self._is_candidate(loop, ()))

    def _is_candidate(self, node: t.For, outer: Sequence[CanonicalLoop]) -> bool:
        """Does each row have a length of its own, and neighbouring iterations read neighbouring elements?"""
        loop = self.facts.inner_loops.get(node)
        if loop is not None and self.helped:
            return helped_side(self.facts, loop, self.x, ()) is not None
        return loop is not None and not self._is_fixed(loop, outer) and is_side_by_side(self.facts, loop, self.x)

    def _is_fixed(self, loop: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> bool:
        return all(is_fixed(self.facts, bound, outer) for bound in (loop.lower, loop.upper, loop.step))

    def scope(self, items: Sequence[t.Stmt], outer: Sequence[CanonicalLoop]) -> Scope:
        """The steps of consecutive statements. Raises NotDivisibleError where lanes part in front of a shared loop."""
        steps: list[Step] = []
        alone: list[t.Stmt] = []
        for position, item in enumerate(items):
            rest = items[position + 1 :]
            parts = may_continue(item) and any(self._shares(other, outer) for other in rest)
            statement = self._with_rest(item, rest) if parts else item
            step = self._step(statement, outer)
            if step is None:
                alone.append(statement)
            else:
                steps += [Alone(tuple(alone))] * bool(alone)
                steps.append(step)
                alone = []
            if parts:
                break
        steps += [Alone(tuple(alone))] * bool(alone)
        return self._with_declarations(steps, items)

    def _shares(self, item: t.Stmt, outer: Sequence[CanonicalLoop]) -> bool:
        return any(isinstance(node, t.For) and self._is_candidate(node, outer) for node in walk(item))

    @staticmethod
    def _with_rest(item: t.Stmt, rest: Sequence[t.Stmt]) -> t.Stmt:
        """`if (c) { A; continue; } rest` as `if (c) { A } else { rest }`."""
        match item:
            case t.If(condition=condition, then=then, other=other):
                first = then.items if isinstance(then, t.Block) else (then,)
                last = () if other is None else (other,)
                if isinstance(first[-1], t.Continue) and not any(map(may_continue, (*first[:-1], *last))):
                    after = t.Block(item.loc, (*last, *rest))
                    if len(first) > 1:
                        return t.If(item.loc, condition, t.Block(item.loc, first[:-1]), after)
                    return t.If(item.loc, t.Unary(ty.INT, item.loc, "!", condition), after, None)
            case _:
                pass
        raise NotDivisibleError(f"iterations part at the `continue` of line {item.loc.line}")

    def _step(self, node: t.Stmt, outer: Sequence[CanonicalLoop]) -> Step | None:
        """The statement as a step of all lanes; None: it has no loop that they share."""
        if not self._shares(node, outer):
            return None
        match node:
            case t.Block(items=items):
                return self._unless_alone(self.scope(items, outer))
            case t.Pragma(body=t.Stmt() as body) if node.text.split()[:2] == ["omp", "simd"]:
                return self._step(body, outer)
            case t.If(condition=condition, then=then, other=other):
                branches = self.scope((then,), outer), None if other is None else self.scope((other,), outer)
                if not any(scope and any(scope.loops()) for scope in branches):
                    return None
                own_then, own_other = self.namer.take("own_then"), self.namer.take("own_else")
                return Chosen(condition, own_then, own_other, *branches)
            case t.For():
                return self._shared(node, outer) or self._repeated(node, outer)
            case _:
                return None

    @staticmethod
    def _unless_alone(scope: Scope) -> Scope | None:
        return scope if any(scope.loops()) else None

    def _repeated(self, node: t.For, outer: Sequence[CanonicalLoop]) -> Step | None:
        loop = self.facts.inner_loops.get(node)
        if loop is None or not self._is_fixed(loop, outer) or breaks(loop.body):
            return None
        body = self.scope((loop.body,), (*outer, loop))
        return Repeated(node, body) if any(body.loops()) else None

    def _with_declarations(self, steps: Sequence[Step], items: Sequence[t.Stmt]) -> Scope:
        """A declaration that several steps need stands in front of them; its initial value is assigned in its step."""
        if len(steps) < 2:
            return Scope((), tuple(steps))
        declared: list[t.VarDecl] = []
        found: list[Step] = []
        for step in steps:
            inside = set(step.statements) if isinstance(step, Alone) else set[t.Stmt]()
            elsewhere = {
                node.symbol for item in items if item not in inside for node in walk(item) if isinstance(node, t.Name)
            }
            if not isinstance(step, Alone):
                found.append(step)
                continue
            statements: list[t.Stmt] = []
            for statement in step.statements:
                if isinstance(statement, t.DeclStmt) and any(d.symbol in elsewhere for d in statement.decls):
                    for decl in statement.decls:
                        first, assigned = _initialised(decl)
                        declared.append(first)
                        statements += assigned
                else:
                    statements.append(statement)
            found += [Alone(tuple(statements))] * bool(statements)
        return Scope(tuple(declared), tuple(found))

    # ------------------------------------------------------------------------- one loop

    def _shared(self, node: t.For, outer: Sequence[CanonicalLoop]) -> SharedLoop | None:
        if not self._is_candidate(node, outer):
            return None
        loop = self.facts.inner_loops[node]
        try:
            return self._divided(loop)
        except NotDivisibleError as error:
            self.refusals.append(f"the loop over {loop.var.name} stays with one lane: {error}")
            return None

    def _divided(self, loop: CanonicalLoop) -> SharedLoop:
        declared = {node.symbol for node in walk(loop.body) if isinstance(node, t.VarDecl)}
        check_computes(self.facts, loop, declared)
        written = assigned_in(loop.body) - declared
        carried = self._carried(loop, written)
        changing = (written - carried) | declared | {loop.var}
        found = divide(loop.body, carried, changing, self.namer.take)
        if len(found.terms) > FEW_TERMS and may_have_rows_in_common(self.facts, loop):
            why = f"neighbouring iterations may be at the same row, and an entry has {len(found.terms)} terms"
            raise NotDivisibleError(why)
        if self.helped and found.bytes > MOST_TERM_BYTES:
            raise NotDivisibleError(f"an entry has {found.bytes} bytes of terms")
        if not self.helped and found.bytes > MOST_BYTES * max(1, beside := bytes_side_by_side(loop)):
            why = f"an entry has {found.bytes} bytes of terms, and {beside} that neighbouring lanes would read together"
            raise NotDivisibleError(why)
        self.renewed |= found.renewed
        named = {node.symbol: None for node in walk(found.compute) if isinstance(node, t.Name)}
        terms = {term.symbol for term in found.terms}
        own = [symbol for symbol in named if symbol not in changing | terms and self._is_rows_own(symbol)]
        record = self.namer.take("Terms") if len(found.terms) > 1 else ""
        entries = self.namer.take(f"{loop.var.name}_entries")
        leaves = may_continue(loop.body)
        side = helped_side(self.facts, loop, self.x, ()) if self.helped else None
        if side is not None and len(own) > MOST_OWN:
            raise NotDivisibleError(f"it needs {len(own)} values of its row")
        return SharedLoop(loop, entries, record, found.terms, found.compute, found.combine, tuple(own), leaves, side)

    def _carried(self, loop: CanonicalLoop, written: Collection[t.Symbol]) -> frozenset[t.Symbol]:
        """Numbers, or the loop is not divisible."""
        if leaves_its_variable(self.facts, loop):
            raise NotDivisibleError(f"{loop.var.name} is used behind it")
        carried = carried_by(self.facts, loop, written)
        for symbol in sorted(carried, key=lambda symbol: symbol.position):
            if not isinstance(symbol.type, (ty.Int, ty.Float, ty.Enum)):
                raise NotDivisibleError(f"'{symbol.name}', which goes from one iteration to the next, is no number")
        return carried

    def _is_rows_own(self, symbol: t.Symbol) -> bool:
        """Has each row another value of it?"""
        if isinstance(symbol.type, (ty.Function, ty.Array)) or not self.facts.is_thread_private(Root(symbol)):
            return False
        declared = any(isinstance(n, t.VarDecl) and n.symbol is symbol for n in walk(self.facts.reach.body))
        written = any(access.mode.writes for access in self.facts.of(Root(symbol)))
        return declared or written or symbol is self.x or self.facts.loop.sharing.get(symbol) is None


def _check_jumps(scope: Scope) -> None:
    """No lane may leave an iteration early."""
    for step in scope.steps:
        match step:
            case Alone(statements=statements) if any(map(may_continue, statements)):
                raise NotDivisibleError("an iteration has a `continue`")
            case Scope():
                _check_jumps(step)
            case Repeated(body=body):
                _check_jumps(body)
            case Chosen(then=then, other=other):
                _check_jumps(then)
                if other is not None:
                    _check_jumps(other)
            case _:
                pass


def _pruned(scope: Scope, named: Collection[t.Symbol]) -> Scope:
    """Without the declarations of variables that only shared loops have used, which have their own."""
    steps: list[Step] = []
    for step in scope.steps:
        match step:
            case Alone(statements=statements):
                left = tuple(s for s in statements if not (isinstance(s, t.DeclStmt) and _is_unused(s, named)))
                steps += [Alone(left)] * bool(left)
            case Scope():
                steps.append(_pruned(step, named))
            case Repeated(loop=loop, body=body):
                steps.append(Repeated(loop, _pruned(body, named)))
            case Chosen():
                other = None if step.other is None else _pruned(step.other, named)
                steps.append(replace(step, then=_pruned(step.then, named), other=other))
            case SharedLoop():
                steps.append(step)
    return Scope(tuple(decl for decl in scope.declared if decl.symbol in named), tuple(steps))


def _is_unused(node: t.DeclStmt, named: Collection[t.Symbol]) -> bool:
    return all(decl.init is None and decl.symbol not in named for decl in node.decls)


def _initialised(decl: t.VarDecl) -> tuple[t.VarDecl, list[t.Stmt]]:
    """A declaration in front, with a constant's value, and what else its initialiser does, as an assignment."""
    symbol = decl.symbol
    if ty.is_variably_modified(symbol.type) or t.is_constant_table(symbol):
        raise NotDivisibleError(f"'{symbol.name}' is declared in front of it")
    if decl.init is None or (ty.is_arithmetic(symbol.type) and _is_constant(decl.init)):
        return decl, []
    if isinstance(decl.init, (t.InitList, t.StringConst)):
        raise NotDivisibleError(f"'{symbol.name}' is initialised in front of it")
    name = t.Name(symbol.type, decl.loc, symbol)
    assigned = t.Assign(ty.unqualified(symbol.type), decl.loc, "=", name, decl.init)
    return t.VarDecl(symbol, None, decl.loc), [t.ExprStmt(decl.loc, assigned)]


def _is_constant(node: t.Expr) -> bool:
    return all(isinstance(part, (t.IntConst, t.FloatConst, t.Cast, t.Unary)) for part in walk(node))
