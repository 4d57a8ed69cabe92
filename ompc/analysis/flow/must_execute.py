"""Analysis: must-execute accesses: those that every iteration of a parallel loop makes, unprotected.

The opposite of accesses.py, which says what may happen. An access counts here only where nothing can skip it but loops
and conditions that are kept as its `guards`, where no construct excludes other threads (atomic, critical, ...), and
where its object has a path from a variable: subscripts and members.

    t = x[i];  if (i > 0) y[i] = t;  if (t > 0) y[0] = t;
        read x (i);  write t;  read t;  write y (i) [i > 0];   not y (0): t > 0 is not affine

    In: a ParallelLoop, the functions of the unit.   Out: tuple[MustAccess, ...], or None where iterations could
    wait for one another, or do what ompc does not see.   Not here: who shares the object -- team.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Subscript, access_path, base_symbols, pointer_and_number
from ompc.ir.exits import ends_early, has_goto, is_jump, leaves
from ompc.ir.lvalues import LvalueWalk, Mode
from ompc.ir.queries import declarations_in, reached, symbols_in, target_of, targets_written
from ompc.ir.walk import Node, children, walk
from ompc.omp.constructs import constituents, is_openmps, openmp
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop

_KEEPS_THREADS_APART = frozenset(
    "printf fprintf puts putchar putc fputs fputc perror rand srand rand_r malloc calloc free sprintf snprintf abs "
    "labs omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_in_parallel clock time".split()
)
"""Library functions in which no thread waits for another one, and which write to no variable of the loop."""

_EXCLUDING = frozenset(
    "atomic critical master masked single section sections task taskloop parallel for loop distribute teams target"
    " simd".split()
)
"""Constructs that keep other threads out of their body, or run it in threads of their own."""

_OF_DATA = frozenset({"target data", "target enter data", "target exit data", "target update"})


@dataclass(frozen=True, slots=True)
class Base:
    """Where a path starts: the variable `symbol`, or (`pointee`) what the pointer `symbol` points to."""

    symbol: t.Symbol
    pointee: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """`expr` is true (`holds`) or false."""

    expr: t.Expr
    holds: bool


Guard: TypeAlias = CanonicalLoop | Condition
"""What must hold for an access to be reached: a value of a sequential loop's variable, or a condition."""

_Path: TypeAlias = tuple[Base, tuple[t.Expr | str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class MustAccess:
    """One access.

    `path`             the way from `base` to it: subscripts and the names of members, outermost first
    `reads`, `writes`  what it does
    `guards`           what must hold for it to be reached, outermost first
    `value`            what a plain assignment stores
    """

    base: Base
    path: tuple[t.Expr | str, ...]
    reads: bool
    writes: bool
    node: t.Expr
    guards: tuple[Guard, ...]
    value: t.Expr | None = None


def must_accesses(body: t.Stmt, functions: Mapping[str, t.Function]) -> tuple[MustAccess, ...] | None:
    """The accesses of one iteration, in the order of the text."""
    if not runs_alone(body, functions):
        return None
    pointers_change = any(_stores_pointer(node) for code in reached(body, functions) for node in walk(code))
    collector = _Collector(pointers_change, _kept_pointers(body))
    collector.statement(body, ())
    return tuple(collector.found)


# ------------------------------------------------------- what ties iterations together


def runs_alone(body: t.Stmt, functions: Mapping[str, t.Function]) -> bool:
    """Is there certainly nothing by which iterations wait for one another, and no jump but those of structured code?"""
    codes = reached(body, functions)
    return not any(map(has_goto, codes)) and all(_is_known(node, functions) for code in codes for node in walk(code))


def _is_known(node: object, functions: Mapping[str, t.Function]) -> bool:
    match node:
        case t.OpaqueExpr() | t.OpaqueStmt():
            return False
        case t.Call(function=t.Name(symbol=symbol)) if isinstance(symbol.type, ty.Function):
            visible = functions.get(symbol.name)
            if visible is not None:
                return visible.body is not None
            return symbol.name in _KEEPS_THREADS_APART or device_library.is_device_function(symbol.name)
        case t.Call():
            return False
        case t.Pragma():
            return _is_known_construct(node)
        case t.While(condition=condition) | t.DoWhile(condition=condition) | t.For(condition=t.Expr() as condition):
            return not _may_wait(node, condition)
        case t.Expr(type=kind):
            return not kind.quals & {"volatile", "_Atomic"}
        case _:
            return True


def _is_known_construct(pragma: t.Pragma) -> bool:
    """Is it one without waiting, or a pragma without a meaning here? Compilers ignore what only looks like one."""
    directive = openmp(pragma)
    if directive is None:
        return pragma.directive.warning is not None or not is_openmps(pragma)
    return directive.problem is None and (constituents(directive.name) <= _EXCLUDING or directive.name in _OF_DATA)


def _may_wait(loop: t.Stmt, condition: t.Expr) -> bool:
    """Could the loop spin until another thread has done something? Its body then writes nothing that it tests."""
    if isinstance(loop, t.For) and not isinstance(sequential_loop(loop), Reason):
        return False
    if any(isinstance(node, t.Pragma) for node in walk(loop)):
        return True
    tested = symbols_in(condition)
    return all(tested.isdisjoint(base_symbols(target)) for target in targets_written(loop))


def _stores_pointer(node: Node) -> bool:
    """Does it change a pointer that is an element or a member, so that paths through it may lead elsewhere?"""
    match target_of(node):
        case t.Index(type=kind) | t.Member(type=kind) | t.Unary(type=kind):
            return not ty.is_arithmetic(kind)
        case t.Name(type=ty.Struct()):
            return True
        case _:
            return False


# --------------------------------------------------------------------- the accesses


class _Collector(LvalueWalk):
    """Walks one iteration; `statement` says whether control certainly reaches what follows."""

    def __init__(self, pointers_change: bool, kept: Mapping[t.Symbol, t.Expr]) -> None:
        self.pointers_change = pointers_change
        self.kept = kept
        self.guards: tuple[Guard, ...] = ()
        self.found: list[MustAccess] = []

    def statement(self, node: t.Stmt, guards: tuple[Guard, ...]) -> bool:
        match node:
            case t.Block(items=items):
                return all(self.statement(item, guards) for item in items)  # stops at the first that may leave
            case t.If(condition=condition, then=then, other=other):
                return self._if(condition, then, other, guards)
            case t.For():
                return self._for(node, guards)
            case t.While(condition=head) | t.Switch(value=head):
                self.expression(head, guards)
                return not leaves(node)
            case t.DoWhile():
                return not leaves(node)
            case t.Pragma(body=body):
                return body is None or self._construct(node, body, guards)
            case _ if is_jump(node):
                return False
            case _:
                for child in children(node):
                    if isinstance(child, t.VarDecl) and child.init is not None:
                        self.expression(child.init, guards)
                    elif isinstance(child, t.Expr):
                        self.expression(child, guards)
                return True

    def _construct(self, node: t.Pragma, body: t.Stmt, guards: tuple[Guard, ...]) -> bool:
        directive = openmp(node)
        if directive is None:
            return self.statement(body, guards)
        plain = directive.name == "simd" and not any(clause.symbols for clause in directive.clauses)
        return self.statement(body, guards) if plain else True

    def _if(self, condition: t.Expr, then: t.Stmt, other: t.Stmt | None, guards: tuple[Guard, ...]) -> bool:
        self.expression(condition, guards)
        goes_on = self.statement(then, (*guards, Condition(condition, True)))
        if other is not None:
            goes_on = self.statement(other, (*guards, Condition(condition, False))) and goes_on
        return goes_on

    def _for(self, node: t.For, guards: tuple[Guard, ...]) -> bool:
        if node.init is not None:
            self.statement(node.init, guards)
        if node.condition is not None:
            self.expression(node.condition, guards)
        loop = sequential_loop(node)
        if not isinstance(loop, Reason) and not ends_early(node.body):
            inside = (*guards, loop)
            if self.statement(node.body, inside) and node.step is not None:
                self.expression(node.step, inside)
        return not leaves(node)

    def expression(self, node: t.Expr, guards: tuple[Guard, ...]) -> None:
        """Collect the accesses of an expression whose value is used."""
        self.guards = guards
        self.read(node)

    def sometimes(self, node: t.Expr, *operands: t.Expr) -> None:
        """They may be skipped."""

    def access(self, node: t.Expr, mode: Mode, value: t.Expr | None) -> None:
        found = self._path(node)
        if found is not None:
            self.found.append(MustAccess(*found, mode.reads, mode.writes, node, self.guards, value))

    # the path from a variable to an object

    def _path(self, node: t.Expr) -> _Path | None:
        found = access_path(node)
        steps = tuple(step.index if isinstance(step, Subscript) else step.member.name for step in found.steps)
        named = tuple(step for step in steps if step is not None)
        if len(named) < len(steps):
            return None
        if found.follows:
            return _longer(self._element(found.origin, found.subscripts[0]), *named[1:])
        return None if found.variable is None else (Base(found.variable, pointee=False), named)

    def _element(self, pointer: t.Expr, index: t.Expr) -> _Path | None:
        """The path to `pointer[index]`."""
        match pointer:
            case t.Name(symbol=symbol) if symbol in self.kept:
                return self._element(self.kept[symbol], index)
            case t.Binary(op="+"):
                base, first = pointer_and_number(pointer)
                return self._element(base, _sum(first, index))
            case t.Unary(op="&", operand=t.Index(base=base, index=first)):
                return self._element(base, _sum(first, index))
            case _:
                return _longer(self._target(pointer), index)

    def _target(self, pointer: t.Expr) -> _Path | None:
        """The path to what an array decays to, or a pointer points to."""
        match pointer:
            case t.Expr(type=ty.Array()):
                return self._path(pointer)
            case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Pointer):
                return Base(symbol, pointee=True), ()
            case t.Index() | t.Member() | t.Unary(op="*") if not self.pointers_change:
                return self._path(pointer)
            case _:
                return None


def _longer(found: _Path | None, *steps: t.Expr | str) -> _Path | None:
    return None if found is None else (found[0], (*found[1], *steps))


def _kept_pointers(body: t.Stmt) -> Mapping[t.Symbol, t.Expr]:
    """The pointers declared in `body` that keep the value of their initialiser: `int *row = a + i * n;`"""
    decls = [decl for decl in declarations_in(body) if isinstance(decl.symbol.type, ty.Pointer)]
    changed = {target.symbol for target in targets_written(body) if isinstance(target, t.Name)} if decls else set()
    kept = (d for d in decls if d.symbol not in changed and d.symbol.storage is not t.Storage.LOCAL_STATIC)
    return {d.symbol: d.init for d in kept if d.init is not None and not d.symbol.address_taken}


def _sum(one: t.Expr, other: t.Expr) -> t.Expr:
    """Of two subscripts, as the address is computed."""
    if isinstance(other, t.IntConst) and other.value == 0:
        return one
    return t.Binary(ty.LONG, one.loc, "+", one, other)
