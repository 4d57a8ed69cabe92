"""Analysis: upward-exposed uses of arrays: reads of a thread's own object that no certain write comes before.

definite_assignment.py answers that for whole scalars; here for every element of arrays and every member of structs,
also through functions that get the object's address, which are followed:

    solution(x, t);                      writes t[0], ..., t[4]
    for (m = 0; m < 5; m++) u[m] = t[m]; reads what has been written: the code exposes nothing of t

One walk in the order of execution keeps two things for each place: which elements every path to it has written, for all
values of the loops' variables around it, as a set of isl's; and the integer variables whose values are affine there. A
read of other elements does not count where the same iterations certainly use a subscript outside the object:

    for (i = 0; i < n; i++) t[i] = ...;   s = t[n - 5] + t[3];        n - 5 >= 0, so that 3 < n: nothing exposed

    In: code, the object, what may happen around (concurrent_context.py).   Out: use_of(...).
    Not here: who else names the object, or reads it afterwards -- array_privatisation.py.
    Source: Feautrier, "Dataflow analysis of array and scalar references", IJPP 1991.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ompc.analysis.integers.domain_forms import Condition
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.memory.addresses import Addresses, Lost
from ompc.analysis.memory.parts import Address, Part
from ompc.analysis.privatisation.concurrent_context import ConcurrentContext, is_unseen
from ompc.analysis.privatisation.element_sets import ElementSets, Found, Use
from ompc.analysis.privatisation.known_numbers import Numbers, Point
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.exits import from_each_case, has_goto, has_hidden_case, is_jump, jumps_in, returns_early, returns_in
from ompc.ir.queries import only_reads, symbols_in, type_written_at, unread_in
from ompc.ir.walk import Node, children, type_expressions
from ompc.omp.constructs import constituents, forks_team, is_openmps
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop
from ompc.transform.calls.returns import without_early_returns

MOST_STEPS = 20_000
"""Statements and expressions that are looked at, those of a function again at each call; beyond it nothing is known."""

_BY_EVERY_THREAD = frozenset({"critical", "atomic", "simd"})
_BY_SOME_THREADS = frozenset({"for", "loop", "simd", "single", "master", "masked", "sections", "section", "parallel"})
_COMPOUND = (t.If, t.For, t.While, t.DoWhile, t.Switch)
_POINTS = frozenset({"barrier", "flush", "taskwait", "taskyield", "nothing"})


def use_of(code: Node, symbol: t.Symbol, around: ConcurrentContext) -> Found:
    """What `code` reads of `symbol`, which only its name and the addresses that `code` takes of it lead to."""
    if has_hidden_case(code) or has_goto(code) or unread_in(code) is not None:
        return Found(Use.UNKNOWN)
    return answered(partial(_use_of, code, symbol, around), Found(Use.UNKNOWN), code.loc)


def _use_of(code: Node, symbol: t.Symbol, around: ConcurrentContext) -> Found:
    try:
        walker = _Walker(code, symbol, around)
        walker.node(code, Point(walker.sets.none(), {}))
        return walker.sets.found(walker.numbers.place)
    except Lost:
        return Found(Use.UNKNOWN)


class _Walker:
    """Walks code in the order of execution. `certain`: the present place is reached whenever the loops around turn."""

    def __init__(self, code: Node, symbol: t.Symbol, around: ConcurrentContext) -> None:
        self._symbol = symbol
        self._around = around
        self._bodies = around.bodies
        self.numbers = Numbers(around.interference_free(code), {}, around=around)
        self._addresses = Addresses(symbol, self.numbers.of)
        self._calls: list[t.Function] = []
        self._certain = not around.unseen
        self._steps = 0
        self.sets = ElementSets(symbol.type)

    def node(self, node: Node, point: Point) -> None:
        if isinstance(node, t.Expr):
            self.expression(node, point)
        else:
            self.statement(node, point)

    def statement(self, node: t.Stmt | t.VarDecl, point: Point) -> None:
        self._count_step()
        compound = isinstance(node, _COMPOUND) or (isinstance(node, t.Pragma) and node.body is not None)
        if compound and not self._names_object(node) and not self._may_use_elsewhere():
            point.forget(self._bodies.changed(node))
            self._certain = self._certain and not jumps_in(node)
            return
        match node:
            case t.VarDecl(symbol=symbol, init=init):
                self._declaration(symbol, init, point)
            case t.If(condition=condition, then=then, other=other):
                self.expression(condition, point)
                self._if(condition, then, other, point)
            case t.For():
                self._for(node, point)
            case t.While(condition=head, body=body) | t.DoWhile(condition=head, body=body):
                self._may_iterate((head, body), point)
            case t.Switch(value=head, body=body):
                self.expression(head, point)
                self._may_iterate(from_each_case(body), point)
            case t.Return(value=value):
                if value is not None:
                    self.expression(value, point)
            case _ if is_jump(node):
                self._certain = False
            case t.Pragma():
                self._pragma(node, point)
            case t.OpaqueStmt():
                raise Lost
            case _:
                for child in children(node):
                    self.node(child, point)

    def _count_step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Lost

    def _declaration(self, symbol: t.Symbol, init: t.Expr | None, point: Point) -> None:
        self._lengths(symbol.type, point)
        if symbol is self._symbol:
            point.sure = self.sets.none()
        if init is not None:
            self.expression(init, point)
        if symbol is self._symbol and init is not None:
            point.sure = self.sets.write(Part("", (), symbol.type), point.sure, self._certain)
        self._assign(symbol, init, point)

    def _assign(self, symbol: t.Symbol, value: t.Expr | None, point: Point) -> None:
        """`symbol` is a variable that has a new value; None: some value."""
        followed = symbol in self._around.own and not symbol.address_taken and isinstance(symbol.type, ty.Int)
        if followed and value is not None and ty.is_integer(value.type):
            self.numbers.point = point
            point.values[symbol] = self.numbers.assigned(symbol, value)
        else:
            point.values[symbol] = None

    def _if(self, condition: t.Expr, then: t.Stmt, other: t.Stmt | None, point: Point) -> None:
        self.numbers.point = point
        taken = [self.numbers.condition(condition, holds) for holds in (True, False)]
        ends = [point.copy(), point.copy()]
        for end, branch, taking in zip(ends, (then, other), taken, strict=True):
            if branch is not None:
                self._under(taking, branch, end)
        joint = ends[0].sure.intersect(ends[1].sure)
        for end, where in zip(ends, map(self.sets.where, taken), strict=True):
            joint = joint if where is None else joint.union(end.sure.intersect(where))
        point.sure, point.values = joint.coalesce(), ends[0].values
        point.join(ends[1:])

    def _under(self, condition: Condition | None, branch: t.Stmt, point: Point) -> None:
        certain = self._certain
        self._certain = self.sets.under(condition) and certain
        self.statement(branch, point)
        self.sets.end_under()
        self._certain = certain and not jumps_in(branch)

    def _may_iterate(self, parts: Sequence[Node], point: Point) -> None:
        """Code that may run any number of times."""
        changed = frozenset(symbol for part in parts for symbol in self._bodies.changed(part))
        point.forget(changed)
        certain, self._certain = self._certain, False
        for part in parts:
            self.node(part, point.copy())
        self._certain = certain and not any(returns_in(part) for part in parts)
        point.forget(changed)

    # ------------------------------------------------------------------- loops
    def _for(self, node: t.For, point: Point, shared_out: bool = False) -> None:
        if node.init is not None:
            self.statement(node.init, point)
        if node.condition is not None:
            self.expression(node.condition, point)
        loop = self._countable(node)
        self.numbers.point = point
        if loop is None or not self._iterates(loop, point, shared_out):
            heads = [part for part in (node.condition, node.body, node.step) if part is not None]
            self._may_iterate(heads, point)

    def _countable(self, node: t.For) -> CanonicalLoop | None:
        """The loop, if nothing that it runs changes its variable or bounds."""
        loop = sequential_loop(node)
        if isinstance(loop, Reason) or loop.var.address_taken or loop.var not in self._around.own:
            return None
        fixed = symbols_in(loop.upper) | {loop.var} | (frozenset() if loop.step is None else symbols_in(loop.step))
        return None if fixed & self._bodies.changed(loop.body) else loop

    def _iterates(self, loop: CanonicalLoop, point: Point, shared_out: bool = False) -> bool:
        """All iterations of `loop`, or False: they are not affine. One may rely on what was written before, and by
        earlier ones; not so when they are `shared_out` to the threads of a team.
        """
        sure = self.sets.enter(self.numbers.enter(loop), point.sure)
        if sure is None:
            self.numbers.leave(loop)
            return False
        changed = self._bodies.changed(loop.statement)
        breaks, certain = jumps_in(loop.body) or shared_out, self._certain
        point.forget(changed)
        inner = Point(sure, dict(point.values))
        again, marks = inner.copy(), self.sets.marks()
        self._certain = certain and not jumps_in(loop.body)
        self.statement(loop.body, inner)
        if self.sets.exposed_since(marks) and not breaks:
            self.sets.forget_since(marks)
            again.sure = again.sure.union(self.sets.by_earlier(inner.sure, loop.down))
            inner = again
            self.statement(loop.body, inner)
        written = self.sets.leave(inner.sure)
        if not breaks:
            point.sure = point.sure.union(written).coalesce()
        self._certain = certain and not returns_in(loop.body)
        self.numbers.leave(loop)
        point.forget(changed)
        return True

    # ----------------------------------------------------------------- pragmas

    def _pragma(self, node: t.Pragma, point: Point) -> None:
        if node.body is None:
            if is_openmps(node) and node.directive.name not in _POINTS:
                raise Lost
        elif not is_openmps(node) or node.directive.name in _BY_EVERY_THREAD:
            self.statement(node.body, point)
        else:
            self._shared_out(node.directive, node.body, point)

    def _shared_out(self, directive: Directive, body: t.Stmt, point: Point) -> None:
        """A construct of which other threads run a part: what it leaves in the thread's object depends on that."""
        changed = self._bodies.changed(body)
        if not self._names_object(body):
            point.forget(changed)
            return
        made_of = constituents(directive.name)
        is_known = directive.problem is None and made_of <= _BY_SOME_THREADS and directive.first("collapse") is None
        if not is_known or (forks_team(directive) and self._symbol.is_automatic):
            raise Lost
        inside = point.copy()
        if forks_team(directive):  # of the copy that another thread has nothing is known
            inside.sure = self.sets.none()
        inside.forget(changed)
        if isinstance(body, t.For):
            self._for(body, inside, shared_out=True)
        else:
            self.statement(body, inside)
        point.forget(changed)
        point.sure = self.sets.none()

    def _names_object(self, code: Node) -> bool:
        named = self._bodies.named(code)
        return self._symbol in named or not named.isdisjoint(self._addresses.bound)

    # ------------------------------------------------------------- expressions

    def _may_use_elsewhere(self) -> bool:
        """May code call a function that is not seen, which calls others of the program that use the object?"""
        return self._around.unseen and not self._symbol.is_automatic

    def _matters(self, node: t.Expr) -> bool:
        """May it use the object, or change a variable?"""
        return self._names_object(node) or self._may_use_elsewhere() or bool(self._bodies.changed(node))

    def expression(self, node: t.Expr, point: Point) -> None:
        self._count_step()
        if not self._matters(node):
            return
        self._lengths(type_written_at(node), point)
        self.numbers.point = point
        match node:
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*"):
                self._value_of(node, point)
            case t.Assign(op=op, target=target, value=value):
                self._each([*self._addresses.operands(target), value], point)
                self._store(target, point, reads=op != "=", value=value if op == "=" else None)
            case t.IncDec(operand=operand):
                self._each(self._addresses.operands(operand), point)
                self._store(operand, point, reads=True)
            case t.Binary(op="&&" | "||", left=left, right=right):
                self.expression(left, point)
                self._maybe([right], point)
            case t.Conditional(condition=condition, then=then, other=other):
                self.expression(condition, point)
                self._maybe([then, other], point)
            case t.Comma(left=left, right=right):
                self.expression(left, point)
                self.expression(right, point)
            case t.Sizeof():
                pass  # the operand is not evaluated
            case t.OpaqueExpr():
                raise Lost
            case t.Unary(op="&") if self._addresses.address(node) is not None:
                raise Lost  # it is no argument: what the pointer is used for is not followed
            case t.Call():
                self._call(node, point)
            case _:
                self._each([child for child in children(node) if isinstance(child, t.Expr)], point)

    def _lengths(self, written: ty.Type, point: Point) -> None:
        """The lengths of variable arrays in a type that the text spells are evaluated."""
        for length in type_expressions(written):
            self.expression(length, point)

    def _each(self, parts: Sequence[t.Expr], point: Point) -> None:
        """Operands, which C evaluates in any order: none may rely on what another one writes."""
        parts = [part for part in parts if self._matters(part)]
        if len(parts) < 2 or all(map(only_reads, parts)):
            for part in parts:
                self.expression(part, point)
            return
        ends = [point.copy() for _ in parts]
        for part, end in zip(parts, ends, strict=True):
            self.expression(part, end)
        for end in ends:
            point.sure = point.sure.union(end.sure)
        point.sure = point.sure.coalesce()
        point.join(ends)

    def _maybe(self, parts: Sequence[t.Expr], point: Point) -> None:
        certain, self._certain = self._certain, False
        ends = [point.copy() for _ in parts]
        for part, end in zip(parts, ends, strict=True):
            self.expression(part, end)
        self._certain = certain
        point.join(ends)

    def _part(self, lvalue: t.Expr, point: Point) -> Part | None:
        self.numbers.point = point
        return self._addresses.part(lvalue)

    def _value_of(self, lvalue: t.Expr, point: Point) -> None:
        self.numbers.point = point
        self._each(self._addresses.operands(lvalue), point)
        part = self._part(lvalue, point)
        if isinstance(lvalue, t.Name) and lvalue.symbol in self._addresses.bound:
            raise Lost  # the pointer itself is wanted
        if part is not None and isinstance(lvalue.type, ty.Array):
            raise Lost
        if part is not None:
            self.sets.read(part, point.sure, self._certain)

    def _store(self, target: t.Expr, point: Point, reads: bool, value: t.Expr | None = None) -> None:
        part = self._part(target, point)
        if part is not None:
            if reads:
                self.sets.read(part, point.sure, self._certain)
            point.sure = self.sets.write(part, point.sure, self._certain)
        if isinstance(target, t.Name):
            if target.symbol in self._addresses.bound:
                raise Lost
            self._assign(target.symbol, value, point)

    # ------------------------------------------------------------------- calls

    def _call(self, call: t.Call, point: Point) -> None:
        function, args = call.function, call.args
        pointers = [self._addresses.address(arg) for arg in args]
        operands = [self._addresses.pointer_operands(a) if p else [a] for a, p in zip(args, pointers, strict=True)]
        self._each([operand for found in operands for operand in found], point)
        name = function.symbol.name if isinstance(function, t.Name) else ""
        callee = self._bodies.functions.get(name)
        if callee is not None and callee.body is not None:
            self._follow(callee, without_early_returns(callee.body), list(zip(args, pointers, strict=True)), point)
        elif any(pointer is not None for pointer in pointers):
            raise Lost
        elif is_unseen(call, self._bodies.functions) and not self._symbol.is_automatic:
            point.sure = self.sets.none()  # the function may call others of the program, which use the object

    def _follow(
        self, callee: t.Function, body: t.Block, args: Sequence[tuple[t.Expr, Address | None]], point: Point
    ) -> None:
        if callee in self._calls or len(args) != len(callee.params) or has_goto(body):
            raise Lost
        point.forget(self._bodies.changed(body))
        values = point.copy()
        for parameter, (arg, address) in zip(callee.params, args, strict=True):
            if address is not None:
                self._bind(parameter, address)
            else:
                self._assign(parameter, arg, values)
        point.values = values.values
        before = point.sure
        self._calls.append(callee)
        self.statement(body, point)
        self._calls.pop()
        for parameter in callee.params:
            self._addresses.bound.pop(parameter, None)
        if returns_early(body):
            point.sure = before

    def _bind(self, parameter: t.Symbol, address: Address) -> None:
        if not isinstance(parameter.type, ty.Pointer) or not ty.is_same_object(parameter.type.to, address.to):
            raise Lost
        self._addresses.bound[parameter] = address
