"""Analysis: what the host's code of one function accesses, launches and calls, and in which order.

    for (k = 0; k < n; k++) {        a loop from its condition to its step
        u[0] = k;                    2: written
        #pragma omp parallel for     3: a launch, which is no code of the host's but for its bounds
        ...
        if (k % 10 == 0)             a branch
            show(u);                 5: a call
    }

Places are numbered in the order in which they are evaluated, as far as the text says so; `goto` back to a label makes
a loop.

    In: a Function, Pointers, the launches.   Out: HostCode.
    Not here: what called functions do -- host_uses.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import Enum

from ompc.analysis.eligibility import library_effects as library
from ompc.analysis.eligibility.library_effects import Effect
from ompc.analysis.host.host_objects import Object, Unknown, Variable
from ompc.analysis.host.host_parameters import LocalPointers, Passed, Sources
from ompc.analysis.host.host_pointers import Pointers
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.lvalues import LvalueWalk, Mode
from ompc.ir.queries import type_written_at
from ompc.ir.walk import Node, children, type_expressions, walk


class By(Enum):
    """Whose access it is."""

    HOST = "host"
    LIBRARY = "library"
    UNSEEN = "unseen code"
    CALLERS = "unseen callers"
    POINTER = "unknown pointer"


@dataclass(frozen=True, slots=True)
class Access:
    """`name` is the called function's."""

    loc: Location
    effect: Effect
    by: By = By.HOST
    name: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """An object of the launches of a `loop`, known to the asker as `key`."""

    key: Hashable
    loop: Hashable
    obj: MemoryObject


@dataclass(frozen=True, slots=True)
class Launch:
    """`bounds`: what the host evaluates for it."""

    uses: tuple[Use, ...]
    bounds: tuple[t.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Of places; `condition` those of a loop's condition."""

    begin: float
    end: float
    loc: Location | None = None
    condition: tuple[int, int] = (0, -1)

    def holds(self, at: float) -> bool:
        return self.begin <= at <= self.end


@dataclass(frozen=True, slots=True)
class Event:
    """An access, or a use by a launch, of what `sources` are."""

    at: int
    what: Access | Use
    sources: Sources


@dataclass(slots=True)
class HostCode:
    """Of one function. `calls`: of functions that are seen; those of the last tuple are called by code that is not."""

    function: t.Function
    local: LocalPointers
    events: list[Event] = field(default_factory=list)
    calls: list[tuple[int, t.Call, tuple[t.Function, ...], tuple[t.Function, ...]]] = field(default_factory=list)
    loops: list[Span] = field(default_factory=list)
    branches: list[Span] = field(default_factory=list)
    places: dict[t.Stmt | t.VarDecl, Span] = field(default_factory=dict)  # of each statement of the host's
    freed: list[tuple[int, t.Expr]] = field(default_factory=list)  # by functions of the library
    follows_unknown: bool = False  # pointers of which it is not known what they can point to


def host_code(function: t.Function, pointers: Pointers, launches: Mapping[t.Pragma, Launch]) -> HostCode:
    """What `function` does; its body is seen."""
    assert function.body is not None
    walker = _Walker(HostCode(function, LocalPointers(function, pointers)), launches)
    walker.statement(function.body)
    walker.finish()
    return walker.code


_EFFECTS = {Mode.READ: Effect.READ, Mode.WRITE: Effect.WRITE, Mode.UPDATE: Effect.BOTH}


class _Walker(LvalueWalk):
    """Through one function in the order of evaluation."""

    def __init__(self, code: HostCode, launches: Mapping[t.Pragma, Launch]) -> None:
        self.code = code
        self._local = code.local
        self._pointers = code.local.pointers
        self._launches = launches
        self._at = 0
        self._labels: dict[str, int] = {}
        self._jumps: list[tuple[str, int, Location]] = []

    def finish(self) -> None:
        """Jumps back make loops."""
        for name, at, loc in self._jumps:
            to = self._labels.get(name, at)
            if to < at:
                self.code.loops.append(Span(to, at, loc))

    def statement(self, node: t.Stmt | t.VarDecl) -> None:
        self._at += 1
        begin = self._at
        self._statement(node)
        self.code.places[node] = Span(begin, self._at)

    def _statement(self, node: t.Stmt | t.VarDecl) -> None:
        match node:
            case t.Pragma() if node in self._launches:
                self._launch(self._launches[node])
            case t.For(init=init):
                if init is not None:
                    self.statement(init)
                self._loop(node, node.condition, node.body, node.step)
            case t.While(condition=condition, body=body):
                self._loop(node, condition, body)
            case t.DoWhile(condition=condition, body=body):
                self._loop(node, body, condition)
            case t.If(condition=condition, then=then, other=other):
                self.read(condition)
                self._branch(then)
                if other is not None:
                    self._branch(other)
            case t.Switch(value=value, body=body):
                self.read(value)
                self._branch(body)
            case t.VarDecl():
                self._declaration(node)
            case t.Label(name=name):
                self._labels[name] = self._at
            case t.Goto(name=name, loc=loc):
                self._jumps.append((name, self._at, loc))
            case t.OpaqueStmt(loc=loc):
                self._anything(loc)
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self.read(child)
                    else:
                        self.statement(child)

    def _declaration(self, node: t.VarDecl) -> None:
        self._lengths(node)
        if node.init is not None:
            self.read(node.init)
            if node.symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER):
                self._event(Access(node.loc, Effect.WRITE), frozenset({Variable(node.symbol)}))

    def _loop(self, node: t.Stmt, *parts: t.Expr | t.Stmt | None) -> None:
        """The parts of a loop in the order in which they run; the first or last expression is the condition."""
        begin, condition = self._at + 1, (0, -1)
        for part in parts:
            self._at += 1
            first = self._at
            if isinstance(part, t.Stmt):
                self.statement(part)
            elif part is not None:
                self.read(part)
                if part is getattr(node, "condition", None):
                    condition = (first, self._at)
        self.code.loops.append(Span(begin, self._at, node.loc, condition))
        self._at += 1

    def _branch(self, node: t.Stmt | t.Expr) -> None:
        self._at += 1
        begin = self._at
        if isinstance(node, t.Stmt):
            self.statement(node)
        else:
            self.read(node)
        self.code.branches.append(Span(begin, self._at))
        self._at += 1

    def read(self, node: t.Expr) -> None:
        """An expression whose value is used."""
        self._lengths(node)
        match node:
            case t.Assign(op=op, target=target, value=value):
                self.read(value)
                self._lvalue(target, Mode.WRITE if op == "=" else Mode.UPDATE)
            case t.Call():
                self._call(node)
            case t.OpaqueExpr(loc=loc):
                self._anything(loc)
            case _:
                super().read(node)

    def sometimes(self, node: t.Expr, *operands: t.Expr) -> None:
        for operand in operands:
            self._branch(operand)

    def _lengths(self, node: Node) -> None:
        """Of variable arrays in a type that the text spells here."""
        for length in type_expressions(type_written_at(node)):
            self.read(length)

    def _lvalue(self, node: t.Expr, mode: Mode, value: t.Expr | None = None) -> None:
        """What finds the object is evaluated before it is accessed."""
        self._operands(node)
        if not isinstance(node.type, (ty.Array, ty.Function)):
            self.access(node, mode, value)

    def access(self, node: t.Expr, mode: Mode, value: t.Expr | None) -> None:
        sources = self._local.objects(node)
        self._follow(sources, node)
        self._access(node.loc, _EFFECTS[mode], sources)

    def _follow(self, sources: Sources, node: t.Expr) -> None:
        """Constant strings and null lead nowhere; what else leads nowhere known may lead anywhere."""
        leads_nowhere = not sources and any(isinstance(part, t.Name) for part in walk(node))
        self.code.follows_unknown |= leads_nowhere or Unknown() in sources

    def _launch(self, launch: Launch) -> None:
        for bound in launch.bounds:
            self.read(bound)
        self._at += 1
        for use in launch.uses:
            self.code.events.append(Event(self._at, use, self._local.obj(use.obj)))
        self._at += 1

    def _call(self, call: t.Call) -> None:
        if not isinstance(call.function, t.Name):
            self.read(call.function)
        for argument in call.args:
            self.read(argument)
        self._at += 1
        seen, unseen = self._pointers.callees(call)
        for symbol in unseen:
            if library.is_library(symbol):
                self._library(call, symbol)
            else:
                self._unseen(call, symbol.name)
        if not seen and not unseen:
            self._unseen(call, "a function pointer")
        back = tuple(self._pointers.called_back(call)) if unseen or not seen else ()
        if seen or back:
            self.code.calls.append((self._at, call, tuple(seen), back))
        self._at += 1

    def _library(self, call: t.Call, symbol: t.Symbol) -> None:
        if library.frees(symbol) and call.args:
            self.code.freed.append((self._at, call.args[0]))
        for at, argument in enumerate(call.args):
            effect = library.effect(symbol, at)
            if effect is not Effect.NONE and isinstance(ty.decayed(argument.type), ty.Pointer):
                access = Access(argument.loc, effect, By.LIBRARY, library.plain_name(symbol))
                sources = self._local.value(argument)
                self._follow(sources, argument)
                self._event(access, sources)

    def _unseen(self, call: t.Call, name: str) -> None:
        """It may access what it is given, what it was given before, and what it can name."""
        kind = call.function.type.to if isinstance(call.function.type, ty.Pointer) else call.function.type
        known: set[Object | Passed] = set(self._exposed())
        for at, argument in enumerate(call.args):
            is_pointer = isinstance(ty.decayed(argument.type), ty.Pointer)
            given = self._local.value(argument) if is_pointer else Sources()
            if is_pointer:
                self._follow(given, argument)
            inside = self._pointers.passed(argument)
            known |= self._pointers.reachable(inside) - inside
            effect = library.effect_by_type(kind, at)
            self._event(Access(call.loc, effect, By.UNSEEN, name), given)
        self._event(Access(call.loc, Effect.BOTH, By.UNSEEN, name), frozenset(known))

    def _anything(self, loc: Location) -> None:
        """Code that ompc does not know: it may access every variable and block."""
        self.code.follows_unknown = True
        self._event(Access(loc, Effect.BOTH, By.UNSEEN), self._exposed() | {Unknown()})

    def _exposed(self) -> frozenset[Object]:
        """What code that is not seen can reach by itself."""
        return self._pointers.reachable({*self._pointers.kept, *self._pointers.program.external_objects()})

    def _access(self, loc: Location, effect: Effect, sources: Sources) -> None:
        """A pointer of unknown origin may lead to what was kept, or hidden in a number."""
        self._event(Access(loc, effect), sources - {Unknown()})
        if Unknown() in sources:
            hidden = frozenset({*self._pointers.kept, *self._pointers.hidden})
            self._event(Access(loc, effect, By.POINTER), hidden)

    def _event(self, access: Access, sources: Sources) -> None:
        if sources:
            self.code.events.append(Event(self._at, access, sources))
