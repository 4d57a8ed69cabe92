"""Analysis: the atomic operations of a loop, and whether they may stand for its `atomic` and `critical`.

An operation on a thread's own object needs nothing: it stays as the user wrote it. For the others:

    atomic      the operation is what the directive says
    critical    each object that a section shares with other iterations must be touched by operations alone, here and
                in every other section; and these must be of one group, asked for no value (then neither their order
                nor their grouping into sections can be seen), or the only operation of their section
    argmin, argmax in the loop's own body; its companions are used nowhere else
    list        `list[n++] = e` in a section: the element is nobody else's, since nothing but that operation moves n

Plain reads elsewhere of what is only operated on read some value that it has meanwhile, as in C.

    In: DeviceCode, PointsTo, accesses, which objects are a thread's own.   Out: AtomicOperations, or the Reason
    (OMPC348).
    Source: OpenMP 5.2, 15.2 and 15.8.4; Herlihy and Wing, "Linearizability" (1990): objects that are each
    linearizable are so together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.integers.equality import same
from ompc.analysis.memory.accesses import Access, Mode
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.memory.points_to import PointsTo
from ompc.analysis.reductions.argmin_argmax import ArgReduction
from ompc.analysis.reductions.atomics import Forms, atomic
from ompc.analysis.reductions.criticals import Section, critical
from ompc.analysis.reductions.operations import Operation, Result
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import follows_pointer
from ompc.ir.constants import constant_value
from ompc.ir.queries import values_given
from ompc.ir.walk import walk


@dataclass(frozen=True, eq=False)
class AtomicOperations:
    """`forms` are the operations on shared objects, `arg_reductions` those of the loop's body. `exact`: are the last
    bits of a floating sum a trace of its order?
    """

    forms: Forms = field(default_factory=Forms)
    arg_reductions: tuple[ArgReduction, ...] = ()
    exact: bool = False

    @cached_property
    def _at(self) -> dict[t.Expr, Operation]:
        return {node: found for found in self.forms.operations for node in found.mentions}

    @cached_property
    def _arg_reduced(self) -> frozenset[t.Expr]:
        return frozenset(node for arg_reduction in self.arg_reductions for node in arg_reduction.mentions)

    def covers(self, access: Access) -> bool:
        """Is the access part of an operation or of an entry to an argmin/argmax reduction?"""
        return access.node in self._at or access.node in self._arg_reduced

    def is_arg_reduced(self, access: Access) -> bool:
        """Is it part of an entry to an argmin/argmax reduction, which the same iteration wins in any order?"""
        return access.node in self._arg_reduced

    def operation(self, access: Access) -> Operation | None:
        return self._at.get(access.node)

    def commute(self, first: Access, second: Access) -> bool:
        """Does the order of the two accesses to one object leave no trace, but for a floating sum's last bits, if these
        are none?
        """
        one, other = self._at.get(first.node), self._at.get(second.node)
        if one is None or other is None or one.group is None or one.group != other.group:
            return False
        if self.exact and not all(ty.is_integer(op.object.type) for op in (one, other)):
            return False
        return not any(op.in_order or op.result is not Result.NOTHING for op in (one, other))

    def all_commute(self, accesses: Sequence[Access]) -> bool:
        """May any two of them be done in either order, whichever elements they touch?"""
        return all(self.commute(accesses[0], access) for access in accesses)


class _Refused(Exception):
    def __init__(self, message: str, at: Location) -> None:
        super().__init__(message)
        self.reason = Reason("OMPC348", message, at)


def atomic_operations(
    device_code: DeviceCode, points_to: PointsTo, accesses: Sequence[Access], is_private: Callable[[MemoryObject], bool]
) -> AtomicOperations | Reason:
    """The operations of the loop, or why one of its constructs cannot be made of them."""
    pragmas = list(_pragmas(device_code))
    if not pragmas:
        return AtomicOperations()
    try:
        return _Checker(device_code, points_to, accesses, is_private).result(pragmas)
    except _Refused as refused:
        return refused.reason


def _pragmas(device_code: DeviceCode) -> Iterator[tuple[str, t.Pragma]]:
    """The outermost `atomic` and `critical` constructs, with the directive's name."""
    inside: set[object] = set()
    for node in device_code.nodes:
        if isinstance(node, t.Pragma) and node not in inside and node.directive.name in ("atomic", "critical"):
            inside.update(walk(node))
            yield node.directive.name, node


class _Checker:
    def __init__(
        self,
        device_code: DeviceCode,
        points_to: PointsTo,
        accesses: Sequence[Access],
        is_private: Callable[[MemoryObject], bool],
    ) -> None:
        self.device_code = device_code
        self.points_to = points_to
        self.is_private = is_private
        self.shared = [access for access in accesses if not is_private(access.obj)]
        self.protected: set[MemoryObject] = set()
        self.in_body = set(walk(device_code.body))
        self.nodes: dict[t.Pragma, Mapping[object, int]] = {}

    def result(self, pragmas: Sequence[tuple[str, t.Pragma]]) -> AtomicOperations:
        forms, sections = Forms(), []
        for name, pragma in pragmas:
            if name == "critical":
                sections.append(self.section(pragma))
                continue
            found = atomic(pragma, in_order=self.device_code.orders_atomics)
            if isinstance(found, Reason):
                raise _Refused(found.message, pragma.loc)
            forms |= self.on_shared_objects(found)
        whole = forms
        for section in sections:
            whole |= section.forms
        found_all = AtomicOperations(
            whole, tuple(arg_reduction for section in sections for arg_reduction in section.arg_reductions)
        )
        for section in sections:
            self.protected |= {a.obj for a in self.shared if a.mode.writes and self.is_in(a, section)}
        for section in sections:
            self.check_section(section, found_all)
        for one in found_all.arg_reductions:
            self.check_arg_reduction(one, found_all)
        return found_all

    # ------------------------------------------------------------- a thread's own objects

    def section(self, pragma: t.Pragma) -> Section:
        found = critical(pragma)
        forms = self.on_shared_objects(found.forms)
        if any(op.result is not Result.NOTHING for op in forms.operations):
            forms |= Forms(ordered=frozenset({pragma}))
        arg_reductions = tuple(
            c for c in found.arg_reductions if not all(self.is_private(MemoryObject(symbol)) for symbol in c.objects)
        )
        return replace(found, forms=forms, arg_reductions=arg_reductions)

    def on_shared_objects(self, forms: Forms) -> Forms:
        """`forms` without the operations on objects of the thread's own, which stay as they are written.

        A statement that an operation has taken over stays or goes with it.
        """
        own = [op for op in forms.operations if self.is_own(op)]
        if not own:
            return forms
        kept = {node: op for node, op in forms.expressions.items() if op not in own}
        left = {node: op for node, op in forms.statements.items() if op is not None and op not in own}
        taken = {node: op for node, op in forms.statements.items() if op is None and not _holds_any(node, own)}
        return Forms(kept, {**left, **taken}, forms.ordered if kept or left else frozenset())

    def is_own(self, operation: Operation) -> bool:
        """A device's atomic operations are for memory that threads share: not for what is only this thread's."""
        objects = self.points_to.object_of(operation.object)
        own = [obj for obj in objects if self.is_private(obj)]
        in_function = operation.object not in self.in_body
        through_pointer = any(isinstance(node, t.Unary) or follows_pointer(node) for node in walk(operation.object))
        if own and (len(own) < len(objects) or (in_function and through_pointer)):
            message = f"an atomic operation that may be on '{own[0].symbol.name}', which is a thread's own"
            raise _Refused(message, operation.object.loc)
        return len(own) == len(objects)

    # ------------------------------------------------------------- critical sections

    def check_section(self, section: Section, found: AtomicOperations) -> None:
        for access in self.shared:
            if access.obj not in self.protected or not self.is_in(access, section) or found.covers(access):
                continue
            if not self.is_append(access, section, found):
                raise _Refused(_not_an_operation(access), access.node.loc)
        for operation in section.forms.operations:
            for obj in self.points_to.object_of(operation.object):
                self.check_object(obj, section, operation, found)

    def is_in(self, access: Access, section: Section) -> bool:
        """May the access happen in the section? A call in it may lead to any function."""
        inside = self.inside(section)
        if access.node in inside:
            return True
        called = {f.symbol for f in self.device_code.functions}
        calls = (node.function for node in inside if isinstance(node, t.Call))
        return access.function is not None and any(isinstance(name, t.Name) and name.symbol in called for name in calls)

    def inside(self, section: Section) -> Mapping[object, int]:
        """The nodes of the section, numbered in the order of the text."""
        if section.pragma not in self.nodes:
            self.nodes[section.pragma] = {node: number for number, node in enumerate(walk(section.pragma))}
        return self.nodes[section.pragma]

    def check_object(self, obj: MemoryObject, section: Section, operation: Operation, found: AtomicOperations) -> None:
        """Every write to the object is an operation; all of one group, or each of them alone in its section."""
        groups = set()
        for access in self.shared:
            if access.obj != obj:
                continue
            other = found.operation(access)
            if other is None and access.mode.writes:
                message = f"'{obj}' is changed in a critical section and in another way as well"
                raise _Refused(message, access.node.loc)
            if other is not None:
                groups.add(other.group if other.result is Result.NOTHING else None)
        alone = (
            len(section.forms.operations) == 1 and not section.arg_reductions and operation not in section.repeatedly
        )
        if (len(groups) > 1 or None in groups) and not alone:
            message = f"the critical section does more than one thing, and the order shows in '{obj}'"
            raise _Refused(message, section.pragma.loc)

    # ------------------------------------------------------------- lists

    def is_append(self, access: Access, section: Section, found: AtomicOperations) -> bool:
        """`list[n++] = e`, or `slot = n++; list[slot] = e;`: no two iterations get the same element."""
        if len(section.forms.operations) != 1 or section.repeatedly or section.arg_reductions:
            return False
        (counter,) = section.forms.operations
        moves = (a for a in self.shared if a.obj in self.points_to.object_of(counter.object) and a.mode.writes)
        if not all(_counts_up(found.operation(move)) for move in moves):
            return False
        whole = [other for other in self.shared if other.obj == access.obj]
        return all(other.mode is Mode.WRITE and self.is_element(other, section, counter) for other in whole)

    def is_element(self, access: Access, section: Section, counter: Operation) -> bool:
        """Is the access in the section, at the subscript that the counter has just given?"""
        inside = self.inside(section)
        if access.node not in inside or not access.subscripts:
            return False
        first = access.subscripts[0]
        given = next((node for node, op in section.forms.expressions.items() if op is counter), None)
        if first is given:
            return True
        moved = next((a for a in self.shared if a.node in counter.mentions), None)
        if given is None or moved is None or not isinstance(first, t.Name):
            return False
        always = access.context[: len(moved.context)] == moved.context and inside[given] < inside[access.node]
        return always and self.only_value(first.symbol, section) is given

    def only_value(self, slot: t.Symbol, section: Section) -> t.Expr | None:
        """What the section assigns to the thread's own variable `slot`, if it does so once and does not jump."""
        if any(isinstance(node, (t.Goto, t.Switch)) for node in self.inside(section)):
            return None
        values = values_given(section.pragma, slot)
        own = self.is_private(MemoryObject(slot)) and not slot.address_taken
        return values[0] if own and len(values) == 1 else None

    # ------------------------------------------------------------- argmin/argmax reductions

    def check_arg_reduction(self, arg_reduction: ArgReduction, found: AtomicOperations) -> None:
        """Each thread keeps its own copies meanwhile: only the key, which falls or rises, may be read elsewhere."""
        at = arg_reduction.statement.loc
        if arg_reduction.statement not in self.in_body:
            raise _Refused("a critical section of a called function chooses a best value with its companions", at)
        if any(
            other is not arg_reduction and set(other.objects) & set(arg_reduction.objects)
            for other in found.arg_reductions
        ):
            raise _Refused("two critical sections choose the best value of the same variables", at)
        for symbol in arg_reduction.objects:
            if self.is_private(MemoryObject(symbol)) or symbol.address_taken:
                raise _Refused(f"the best value is kept in '{symbol.name}', which is not a plain shared variable", at)
            for access in self.shared:
                if access.obj == MemoryObject(symbol) and not _is_entry(access, arg_reduction):
                    raise _Refused(f"'{symbol.name}' is also used outside of its critical section", access.node.loc)


def _is_entry(access: Access, arg_reduction: ArgReduction) -> bool:
    """Is the access part of the reduction, or a look at the key as some thread has it?"""
    if access.node in arg_reduction.mentions:
        return True
    return access.mode is Mode.READ and access.function is None and same(access.node, arg_reduction.key)


def _counts_up(operation: Operation | None) -> bool:
    if operation is None or operation.name != "add" or not ty.is_integer(operation.object.type):
        return False
    step = constant_value(operation.operands[0])
    return step is not None and step > 0


def _holds_any(statement: t.Stmt, operations: Sequence[Operation]) -> bool:
    nodes = set(walk(statement))
    return any(node in nodes for op in operations for node in op.mentions)


def _not_an_operation(access: Access) -> str:
    verb = "changes" if access.mode.writes else "reads"
    return f"its critical section {verb} '{access.obj}' in a way that is no single operation on one object"
