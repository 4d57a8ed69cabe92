"""Analysis: the slice of a function that finds which elements of objects it accesses, and in which order.

    for (k = 0; k <= lk - 1; k++) {                  for (k = 0; inspected::goes_on() && k <= lk - 1; k++) {
        x11 = x[i11 + k];                                inspected::reads(inspected::element(x, i11 + k, 16), 16);
        y[i21 + k] = add(x11, ...);                      inspected::writes(inspected::element(y, i21 + k, 16), 16);
    }                                                }

Control follows the program where conditions are known (values.py). Where one is not, what stands under it is read, as
it may be, and not written; what would lead elsewhere from there keeps the code from being inspected, but for the end of
the program, behind which nothing matters. An iteration of a worksharing loop stands for all of them: what its counter
says is unknown. It begins with objects of which nothing is written, and leaves nothing behind.

    In: functions, objects, what is settled.   Out: the inspector's functions. NotInspectable: a place is not known.
    Not here: expressions -- accesses.py; what of it is of no use -- pruning.py; which calls there are -- contexts.py.
    Source: Weiser, "Program slicing", IEEE TSE 1984.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.privatisation.concurrent_context import private_in
from ompc.analysis.privatisation.inspection.accesses import Accesses
from ompc.analysis.privatisation.inspection.values import NotInspectable
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import catches, has_goto, is_jump, is_label
from ompc.ir.queries import assigned_in, called, changed_in, declared_in, names_in, nodes, symbols_in, unread_in
from ompc.ir.rewrite import with_symbols
from ompc.ir.walk import children, walk
from ompc.omp.constructs import constituents, is_openmps
from ompc.omp.loops import alone_in_braces

_SHARED_OUT = frozenset({"parallel", "for", "simd"})
_BY_EACH = frozenset({"critical", "atomic", "simd", "ordered"})
_COPIES = frozenset({"private", "firstprivate", "shared"})


class Slices(Accesses):
    """All functions of one inspector."""

    def sliced(self, function: t.Function) -> t.Function:
        """The inspector's function for one of the program's."""
        if function.symbol not in self.made:
            if function in self.calls or function.body is None or has_goto(function.body):
                raise NotInspectable
            if unread_in(function.body) is not None:
                raise NotInspectable
            self.made[function.symbol] = self._named(function, self._body_of(function, function.body))
        return self.made[function.symbol]

    def _body_of(self, function: t.Function, body: t.Block) -> t.Block:
        values = self.values
        around = values.changed, values.hidden, self.loops, self.maybe, self.sharing
        values.changed, values.hidden, self.loops, self.maybe = assigned_in(body), set(), [], False
        self.sharing = False
        self.calls.append(function)
        if not {n for n in nodes(body) if isinstance(n, t.Name) and n.symbol in values.objects} <= {*walk(body)}:
            raise NotInspectable  # lengths of arrays depend on it
        try:
            return i.block([*self._statements(body.items)])
        finally:
            self.calls.pop()
            values.changed, values.hidden, self.loops, self.maybe, self.sharing = around

    def _named(self, function: t.Function, body: t.Block) -> t.Function:
        params = tuple(kept for p in function.params if (kept := self.parameter(p)) is not None)
        kind = ty.Function(self.returned(function), tuple(p.type for p in params))
        symbol = t.Symbol(function.name, kind, t.Storage.FUNCTION, function.symbol.loc, function.symbol.position)
        return t.Function(symbol, params, body)

    # ----------------------------------------------------------------- statements

    def _statements(self, items: Sequence[t.Stmt]) -> Iterator[t.Stmt]:
        for item in items:
            yield from self._statement(item)

    def _body(self, node: t.Stmt | None) -> t.Block:
        return i.block([] if node is None else [*self._statement(node)])

    def _statement(self, node: t.Stmt) -> Iterator[t.Stmt]:
        match node:
            case t.Block(items=items):
                begun = [self.begins(symbol) for symbol in self.begun_at.get(node, ())]
                found = [*begun, *self._statements(items)]
                yield from [i.block(found)] if any(isinstance(item, t.DeclStmt) for item in items) else found
            case t.ExprStmt(expr=expr):
                yield from self.evaluated(expr)
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    yield from self.declared(decl)
            case t.If(condition=condition, then=then, other=other):
                yield from self._if(condition, then, other)
            case t.For() | t.While() | t.DoWhile():
                yield from self._loop(node)
            case t.Switch(value=value, body=body):
                yield from self.effects(value)
                yield from self._perhaps([body], node)
            case t.Return(value=value):
                yield from self._return(node, value)
            case t.Pragma():
                yield from self._pragma(node)
            case t.Empty():
                return
            case _ if is_jump(node):
                yield from self._jump(node)
            case _ if is_label(node):
                return  # of a switch
            case _:
                raise NotInspectable

    def _if(self, condition: t.Expr, then: t.Stmt, other: t.Stmt | None) -> Iterator[t.Stmt]:
        yield from self.effects(condition)
        choice = self.values.value(condition)
        if choice is None or self.maybe:
            yield from self._perhaps([then] if other is None else [then, other])
            return
        taken, not_taken = self._body(then), self._body(other)
        yield t.If(condition.loc, choice, taken, not_taken if not_taken.items else None)

    def _perhaps(self, parts: Sequence[t.Stmt], around: t.Stmt | None = None) -> Iterator[t.Stmt]:
        """What may be done, or not, or any number of times, in the statement `around`."""
        outer, self.maybe = self.maybe, True
        self.loops.append((around, False))
        for part in parts:
            yield from self._statement(part)
        self.loops.pop()
        self.maybe = outer

    def _loop(self, node: t.For | t.While | t.DoWhile) -> Iterator[t.Stmt]:
        head = node.condition
        before = [] if head is None else self.effects(head)
        init = [*self._statement(node.init)] if isinstance(node, t.For) and node.init is not None else []
        condition = i.number(1, ty.INT) if head is None else self.values.value(head)
        if condition is None or before or self.maybe:
            yield from init
            step = [t.ExprStmt(node.loc, node.step)] if isinstance(node, t.For) and node.step is not None else []
            yield from before
            yield from self._perhaps([node.body, *step], node)
            return
        self.loops.append((node, True))
        body = self._body(node.body)
        self.loops.pop()
        turns = t.Binary(ty.INT, node.loc, "&&", i.call(i.GOES_ON), condition)
        if isinstance(node, t.DoWhile):
            yield t.DoWhile(node.loc, body, turns)
            return
        steps = self.effects(node.step) if isinstance(node, t.For) and node.step is not None else []
        if len(init) <= 1:
            yield t.For(node.loc, init[0] if init else None, turns, _one(steps), body)
        else:
            yield i.block([*init, t.For(node.loc, None, turns, _one(steps), body)])

    def _jump(self, node: t.Stmt) -> Iterator[t.Stmt]:
        """One that leads to the end of what may be done is left out: what follows may be read."""
        bound = (certain for around, certain in reversed(self.loops) if around is not None and catches(around, node))
        certain = next(bound, None)
        if certain is None or (certain and self.maybe):
            raise NotInspectable  # out of a worksharing loop, or perhaps not
        if certain:
            yield node

    def _return(self, node: t.Return, value: t.Expr | None) -> Iterator[t.Stmt]:
        if self.maybe or self.sharing:
            raise NotInspectable
        result: t.Expr | None = None
        if value is not None:
            yield from self.effects(value)
            result = self.result(self.calls[-1], value)
        yield t.Return(node.loc, result)

    # -------------------------------------------------------------------- pragmas

    def _pragma(self, node: t.Pragma) -> Iterator[t.Stmt]:
        if not is_openmps(node):
            yield from () if node.body is None else self._statement(node.body)
            return
        if node.directive.name == "threadprivate":
            return
        if node.directive.problem is not None or not node.directive.named.isdisjoint(self.values.objects):
            raise NotInspectable
        made_of = constituents(node.directive.name)
        if node.body is None:
            return
        if node.directive.name in _BY_EACH:
            yield from self._statement(node.body)
        elif made_of <= _SHARED_OUT:
            yield from self._shared_out(node, node.body)
        elif self._uses(node.body):
            raise NotInspectable
        else:
            self.learn_unknown(changed_in(node.body))

    def _uses(self, code: t.Stmt) -> bool:
        return self.values.mentions(code) or not self.touching.isdisjoint(called(code))

    def _shared_out(self, node: t.Pragma, body: t.Stmt) -> Iterator[t.Stmt]:
        """A region, or a loop of which each thread has some iterations: each begins with objects of which nothing is
        written, and nothing is known behind it.
        """
        forks = "parallel" in constituents(node.directive.name)
        if (self.maybe or (self.sharing and forks)) and self._uses(body):
            raise NotInspectable  # regions inside of others
        counters = frozenset[t.Symbol]()
        if "for" in constituents(node.directive.name):
            counters, body = self._in_loops(node, body)
        others = (c.symbols for c in node.directive.clauses if c.name not in _COPIES)
        self.learn_unknown(symbol for symbols in others for symbol in symbols)
        own = node.directive.listed("private")
        own |= self._assigned_anew(node, body, own | counters)
        hidden, self.values.hidden = self.values.hidden, self.values.hidden | counters
        around, self.sharing, loops, self.loops = self.sharing, True, self.loops, []
        declared = [t.DeclStmt(node.loc, (found,)) for symbol in _in_order(own) if (found := self.undefined(symbol))]
        copies = {decl.symbol: replace(decl.symbol) for statement in declared for decl in statement.decls}
        items = [with_symbols(item, copies) for item in (*declared, *self._statement(body))]
        self.sharing, self.values.hidden, self.loops = around, hidden, loops
        yield i.block([*map(self.begins, self.values.objects), *items])
        yield from map(self.begins, self.values.objects)

    def _assigned_anew(self, node: t.Pragma, body: t.Stmt, own: frozenset[t.Symbol]) -> frozenset[t.Symbol]:
        """The variables from outside that every iteration assigns before it reads them, and that nothing but loops
        names; what else the body changes of the thread's own, or of all threads', is unknown.
        """
        changed = changed_in(body) - own - declared_in(body)
        if "parallel" in constituents(node.directive.name):
            self.learn_unknown(changed - private_in(node))
            return frozenset()
        loops = worksharing_loops(self.calls[-1])
        inside = {name for loop in loops for name in nodes(loop)}
        names = names_in(self.calls[-1].body or body)
        anew = {s for s in changed - exposed_reads(body) if all(name in inside for name in names.get(s, ()))}
        self.learn_unknown(changed - anew)
        return frozenset(anew)

    def _in_loops(self, node: t.Pragma, body: t.Stmt) -> tuple[frozenset[t.Symbol], t.Stmt]:
        """The counters of the loops, and what an iteration does."""
        collapse = node.directive.first("collapse")
        number = 1 if collapse is None or collapse.expr is None else constant_value(collapse.expr) or 0
        counters = frozenset[t.Symbol]()
        for _ in range(number):
            loop = alone_in_braces(body)
            if not isinstance(loop, t.For) or any(map(self.values.mentions, _head(loop))):
                raise NotInspectable
            counters |= frozenset() if loop.init is None else changed_in(loop.init) | declared_in(loop.init)
            body = loop.body
        return counters, body


def innermost_block(body: t.Stmt, symbol: t.Symbol) -> t.Block | None:
    """The innermost block in `body` in which all names of `symbol` are; None: there is none."""
    found: t.Block | None = None
    inner: t.Stmt | None = body
    while inner is not None and not isinstance(inner, t.Switch):
        found = inner if isinstance(inner, t.Block) else found
        holding = [part for part in children(inner) if symbol in symbols_in(part)]
        inner = holding[0] if len(holding) == 1 and isinstance(holding[0], t.Stmt) else None
    return found if found is not None and len(names_in(found).get(symbol, ())) else None


def worksharing_loops(function: t.Function) -> Mapping[t.Pragma, t.Stmt]:
    """The loops of a function of which threads share the iterations, and what an iteration does."""
    found: dict[t.Pragma, t.Stmt] = {}
    for node in nodes(function.body) if function.body is not None else ():
        if isinstance(node, t.Pragma) and isinstance(node.body, t.For) and _shares_out(node):
            found[node] = node.body.body
    return found


def _shares_out(node: t.Pragma) -> bool:
    return is_openmps(node) and "for" in constituents(node.directive.name)


def _head(loop: t.For) -> Iterator[t.Expr | t.Stmt]:
    yield from (part for part in (loop.init, loop.condition, loop.step) if part is not None)


def _in_order(symbols: frozenset[t.Symbol]) -> list[t.Symbol]:
    return sorted(symbols, key=lambda symbol: symbol.position)


def _one(steps: Sequence[t.Stmt]) -> t.Expr | None:
    """What a step does as one expression."""
    found: t.Expr | None = None
    for step in steps:
        if not isinstance(step, t.ExprStmt):
            raise NotInspectable
        found = step.expr if found is None else t.Comma(step.expr.type, step.loc, found, step.expr)
    return found
