"""Analysis: scalar replacement: elements of arrays in memory that may stay in a variable while an inner loop runs.

    y[i] = 0;                                      known to be there: the statement before writes it
    for (k = first[i]; k < first[i + 1]; k++)
        y[i] += value[k] * x[column[k]];           always the same element, and nothing else of y

Of an array, the loop may access one such element and others that never overlap it: `f[i].x` beside `f[i].y`, `s[i][0]`
beside `s[i][1]`. An element must be there before it is read into the variable, and no other iteration may lose what it
writes: so some access to it is certain, by the statements before the loop, or by every iteration of it. In the latter
case the loop must have one (`ReplaceableElement.guard`).

    In: Facts.   Out: ReplaceableElement elements, outermost loops first.
    Not here: which of them are replaced, and by what -- plan/rewrites/elements/scalar_replacement.py.
    Source: scalar replacement: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables"
    (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import form, same
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.memory.accesses import Access, by_object
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Selection, Step, Subscript, access_path
from ompc.ir.constants import constant_value
from ompc.ir.exits import has_goto, leaves, leaves_loop
from ompc.ir.queries import set_in, symbols_in, unread_in
from ompc.ir.walk import Node, children, walk
from ompc.omp.model import CanonicalLoop, Sharing

Loop = t.For | t.While | t.DoWhile
_LOOPS = (t.For, t.While, t.DoWhile)
_UNFIT = (t.Switch, t.Pragma, t.OpaqueExpr, t.OpaqueStmt)
"""What a loop must not have: what other threads may wait for, or where ways lead in and out."""


@dataclass(frozen=True, slots=True, eq=False)
class ReplaceableElement:
    """`element`, in `loop` the lvalues `nodes`. `first`: the statement before that assigns it, and may be its value's
    initializer. `guard`: the loop whose first iteration makes it certain; None: it is certain anyway.
    """

    loop: Loop
    element: t.Expr
    nodes: tuple[t.Expr, ...]
    first: t.ExprStmt | None
    guard: CanonicalLoop | None


def replaceable_elements(facts: Facts) -> tuple[ReplaceableElement, ...]:
    body = facts.device_code.body
    if unread_in(body) is not None or has_goto(body):
        return ()
    return tuple(_Finder(facts).below(body, ()))


@dataclass(slots=True)
class _Finder:
    facts: Facts

    def below(self, node: t.Stmt, before: Sequence[t.Stmt]) -> Iterator[ReplaceableElement]:
        """Those of the loops in `node`, the statements `before` which run whenever it does."""
        if isinstance(node, t.Block):
            enters = any(isinstance(item, t.Case) for item in node.items)  # not only at its beginning
            for position, item in enumerate(node.items):
                yield from self.below(item, () if enters else node.items[:position])
            return
        found: list[ReplaceableElement] = []
        if isinstance(node, _LOOPS):
            found = list(self._of_loop(node, before))
            yield from found
        taken = {part for one in found for part in one.nodes}
        for child in children(node):
            if isinstance(child, t.Stmt) and not isinstance(node, t.Pragma):
                yield from (one for one in self.below(child, ()) if taken.isdisjoint(one.nodes))

    def _of_loop(self, loop: Loop, before: Sequence[t.Stmt]) -> Iterator[ReplaceableElement]:
        inside = set(walk(loop))
        if leaves_loop(loop.body) or any(isinstance(node, _UNFIT) for node in inside):
            return
        changed = set_in(loop)
        accesses = [access for access in self.facts.accesses if access.node in inside]
        own = by_object(accesses)
        for obj in dict.fromkeys(access.obj for access in accesses if access.mode.writes):
            if self._is_plain(obj):
                yield from self._of_object(loop, own[obj], changed, before)

    def _is_plain(self, obj: MemoryObject) -> bool:
        """Is it memory of all threads, or an array of variable length, to which the kernel does nothing atomic, and no
        function anything? Arrays of the thread's own whose length is known may be in registers anyway.
        """
        facts = self.facts
        sharing = facts.loop.sharing.get(obj.symbol, Sharing.SHARED)
        own = facts.is_thread_private(obj) and not _has_variable_length(obj)
        if own or sharing in (Sharing.SHARED_REDUCTION, Sharing.REDUCTION):
            return False
        return not any(
            access.function is not None or facts.atomic_operations.covers(access) for access in facts.of(obj)
        )

    def _of_object(
        self,
        loop: Loop,
        own: Sequence[Access],
        changed: frozenset[t.Symbol],
        before: Sequence[t.Stmt],
    ) -> Iterator[ReplaceableElement]:
        """The elements of one array, of which the loop has the accesses `own`, and in which variables are `changed`."""
        bounds = {node for part in _outside_the_body(loop) for node in walk(part)}
        if any(access.node in bounds for access in own):
            return
        places: dict[object, list[t.Expr]] = {}
        written: dict[object, t.Expr] = {}
        for access in own:
            place: object = form(access.node) or access.node
            places.setdefault(place, []).append(access.node)
            if access.mode.writes:
                written.setdefault(place, access.node)
        for key, element in written.items():
            if key is element or not self._is_the_same_throughout(element, changed):
                continue
            others = (nodes[0] for other, nodes in places.items() if other != key)
            if all(is_apart(element, other) for other in others):
                nodes = tuple(dict.fromkeys(places[key]))
                if all(len({access.obj for access in self.facts.at(node)}) == 1 for node in nodes):
                    yield from self._certain(loop, element, nodes, before)

    def _is_the_same_throughout(self, element: t.Expr, changed: frozenset[t.Symbol]) -> bool:
        """Is it a number, at a place that nothing in the loop changes?"""
        if not isinstance(element.type, (ty.Int, ty.Float)) or not isinstance(element, (t.Index, t.Member, t.Unary)):
            return False
        if isinstance(element, t.Member) and element.member.bits is not None:
            return False
        return self._invariance(changed).holds(*(part for part in children(element) if isinstance(part, t.Expr)))

    def _invariance(self, changed: frozenset[t.Symbol]) -> Invariance:
        """Of a loop in which these variables are changed, while other threads do what the kernel does."""

        def is_fixed(symbol: t.Symbol) -> bool:
            if isinstance(symbol.type, ty.Array):
                return True  # where it lies
            kept = symbol not in changed and not symbol.address_taken
            obj = MemoryObject(symbol)
            value = ty.is_scalar(symbol.type) or ty.is_number(symbol.type)
            others = value and not self.facts.is_thread_private(obj) and obj in self.facts.written
            return kept and not others

        return Invariance(is_fixed, lambda place: all(a.obj not in self.facts.written for a in self.facts.at(place)))

    def _certain(
        self, loop: Loop, element: t.Expr, nodes: tuple[t.Expr, ...], before: Sequence[t.Stmt]
    ) -> Iterator[ReplaceableElement]:
        """Once, if the element is certainly accessed where the loop stands."""
        found = self._accessed_before(element, before)
        if found is not None:
            statement, is_first = found
            first = statement if is_first and isinstance(statement, t.ExprStmt) else None
            yield ReplaceableElement(loop, element, nodes, first, None)
        elif _evaluates_at_once(loop.body, nodes):
            if isinstance(loop, t.DoWhile):
                yield ReplaceableElement(loop, element, nodes, None, None)
            elif isinstance(loop, t.For) and (canonical := self.facts.inner_loops.get(loop)) is not None:
                if _has_an_iteration(canonical):
                    yield ReplaceableElement(loop, element, nodes, None, None)
                elif self._keeps_its_bounds(canonical):
                    yield ReplaceableElement(loop, element, nodes, None, canonical)

    def _accessed_before(self, element: t.Expr, before: Sequence[t.Stmt]) -> tuple[t.Stmt, bool] | None:
        """The statement that accesses it whenever control comes to the loop, and whether it does nothing but give it
        a value that nothing has used since.
        """
        unused = True
        for item in reversed(before):
            if not isinstance(item, (t.ExprStmt, t.DeclStmt, t.Empty)):
                return None
            parts = set(walk(item))
            if isinstance(item, t.ExprStmt) and isinstance(item.expr, t.Assign) and same(item.expr.target, element):
                plain = item.expr.op == "=" and not self._uses(element, set(walk(item.expr.value)))
                return item, unused and plain
            if not self._stays(element, item):
                return None
            if any(_is_evaluated(value, self._mentions(element, parts)) for value in _values(item)):
                return item, False
            unused &= not self._uses(element, parts)
        return None

    def _mentions(self, element: t.Expr, parts: set[Node]) -> list[t.Expr]:
        own = (access.node for part in parts for access in self.facts.at(part))
        return [node for node in own if same(node, element)]

    def _stays(self, element: t.Expr, item: t.Stmt) -> bool:
        """Is the place the same before and behind the code?"""
        if any(isinstance(part, (t.Call, t.OpaqueExpr)) for part in walk(item)):
            return False
        changed = set_in(item)
        return symbols_in(element).isdisjoint(changed)

    def _uses(self, element: t.Expr, parts: set[Node]) -> bool:
        """Does the code access the element, or what may overlap it?"""
        if any(isinstance(part, t.Call) for part in parts):
            return True
        objects = {access.obj for access in self.facts.at(element)}
        own = (access.node for part in parts for access in self.facts.at(part) if access.obj in objects)
        return any(not is_apart(element, node) for node in own)

    def _keeps_its_bounds(self, loop: CanonicalLoop) -> bool:
        """Do its bounds say behind the loop what they said in front of it?"""
        return self._invariance(set_in(loop.statement)).holds(loop.lower, loop.upper)


def _has_variable_length(obj: MemoryObject) -> bool:
    return isinstance(obj.symbol.type, ty.Array) and ty.is_variably_modified(obj.symbol.type)


def is_apart(a: t.Expr, b: t.Expr) -> bool:
    """Do two lvalues of one object never overlap, by the members or constant subscripts at which they part?

    `a` keeps its place; `b` may be evaluated at another time.
    """
    one, other = access_path(a), access_path(b)
    if one.follows != other.follows or not same(one.origin, other.origin):
        return False
    for position, pair in enumerate(zip(one.steps, other.steps, strict=False)):
        match pair:
            case Selection() as x, Selection() as y:
                parts, differ = x.member is not y.member, _are_members_of_one_struct(x, y)
            case Subscript(index=x), Subscript(index=y):
                parts, differ = not same(x, y), _differ_by_constants(x, y)
            case _:
                return False
        if parts:
            return differ and _stay_inside(one.steps[position + 1 :]) and _stay_inside(other.steps[position + 1 :])
    return False


def _differ_by_constants(x: t.Expr, y: t.Expr) -> bool:
    """Or sums of the same with different constants, `3 * i` and `3 * i + 1`?"""
    (one, first), (other, second) = base_and_offset(x), base_and_offset(y)
    alike = one is other is None or (one is not None and other is not None and same(one, other))
    return alike and first != second


def base_and_offset(index: t.Expr) -> tuple[t.Expr | None, int]:
    """What the subscript is beside the constant that is added last."""
    value = constant_value(index)
    if value is not None:
        return None, value
    match index:
        case t.Binary(op="+" | "-" as op, left=left, right=right) if (value := constant_value(right)) is not None:
            return left, value if op == "+" else -value
        case t.Binary(op="+", left=left, right=right) if (value := constant_value(left)) is not None:
            return right, value
        case _:
            return index, 0


def _are_members_of_one_struct(x: Selection, y: Selection) -> bool:
    if x.record is None or x.record is not y.record or x.record.kind != "struct":
        return False
    own = x.record.fields or ()
    return all(any(field is selection.member for field in own) for selection in (x, y))  # not of a union in it


def _stay_inside(steps: Sequence[Step]) -> bool:
    """Is it a part of what they lead to, as subscripts beyond the end of an array are not?"""
    return all(isinstance(step, Selection) or constant_value(step.index) is not None for step in steps)


def _outside_the_body(loop: Loop) -> tuple[Node, ...]:
    return tuple(child for child in children(loop) if child is not loop.body)


def _values(item: t.Stmt) -> list[t.Expr]:
    """What a statement without control flow evaluates."""
    match item:
        case t.ExprStmt(expr=expr):
            return [expr]
        case t.DeclStmt(decls=decls):
            return [decl.init for decl in decls if decl.init is not None]
        case _:
            return []


def _evaluates_at_once(body: t.Stmt, nodes: Sequence[t.Expr]) -> bool:
    """Does every iteration that begins evaluate one of `nodes`?"""
    items = body.items if isinstance(body, t.Block) else (body,)
    for item in items:
        if isinstance(item, t.Block):
            if _evaluates_at_once(item, nodes):
                return True
        elif isinstance(item, t.ExprStmt) and _is_evaluated(item.expr, nodes):
            return True
        if leaves(item):
            return False
    return False


def _is_evaluated(expr: t.Expr, nodes: Sequence[t.Expr]) -> bool:
    """Whatever the values: not behind `&&`, `||` or `?`."""
    if expr in nodes:
        return True
    match expr:
        case t.Binary(op="&&" | "||", left=part) | t.Conditional(condition=part):
            return _is_evaluated(part, nodes)
        case t.Sizeof():
            return False
        case _:
            return any(isinstance(child, t.Expr) and _is_evaluated(child, nodes) for child in children(expr))


def _has_an_iteration(loop: CanonicalLoop) -> bool:
    lower, upper = constant_value(loop.lower), constant_value(loop.upper)
    if lower is None or upper is None:
        return False
    relations = {"<": lower < upper, "<=": lower <= upper, ">": lower > upper, ">=": lower >= upper}
    return relations.get(loop.relation, lower != upper)
