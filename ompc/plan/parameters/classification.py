"""Plan: classification of kernel parameters: how each object of a loop reaches the kernel.

    shared array, or what a shared pointer points to      ARRAY, behind a device pointer
    shared scalar or struct, only read                    VALUE, by value (a struct up to `DEVICE.by_value`)
    shared scalar or struct, written                      CELL: one element of device memory that comes back
    what pointers in one of these lead to                 LINKED: copied with it, the pointers translated
    private, firstprivate, lastprivate, reduction         each thread's own

A shared scalar, or member of a struct, that the loop both reads and writes is a race in the user's program; hundreds
of thousands of threads would make it a worse one, so the loop stays on the host (OMPC331). Not so where every write is
an atomic operation (reductions/atomic_operations.py), nor for elements of member arrays (memory/members.py).

    In: Facts.   Out: tuple[KernelParameter, ...] in the order of declaration, or a Reason.
    Not here: placement and transfers -- plan/memory/variables.py.
"""

from __future__ import annotations

from ompc.analysis.facts import Facts
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.members import raced_member
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject, target_type
from ompc.analysis.privatisation.loop_carried import loop_carried_scalars
from ompc.analysis.reductions.accumulation import other_use
from ompc.analysis.reductions.associativity import escaping_use, why_not_combinable
from ompc.analysis.reductions.in_place import reduced_object
from ompc.analysis.scan_phases import entering_accesses, why_not_apart
from ompc.base.diagnostics import Reason, StaysOnHost
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.omp.model import MappedSection, ReductionItem, Sharing
from ompc.plan.machine import DEVICE
from ompc.plan.model.extent import BlockExtent, Extent, MappedExtent, ObjectExtent, SectionExtent, ValueExtent
from ompc.plan.model.variable import Role
from ompc.plan.parameters.expansion import expanded_arrays

_ONE = Section("0", "0", None, ())
"""The element that a pointer points to."""



@dataclass(frozen=True, slots=True, eq=False)
class KernelParameter:
    """An object of the region before its placement is chosen; `reads` and `writes` count places in the text."""

    symbol: t.Symbol
    obj: MemoryObject
    role: Role
    element: ty.Type
    extent: Extent
    reads: int
    writes: int
    variable_dimensions: int = 0
    holds_pointers: bool = False


def classify_parameters(facts: Facts) -> tuple[KernelParameter, ...] | Reason:
    """The role of every object that the loop uses."""
    try:
        _check_names(facts)
        _check_scan(facts)
        _check_reductions(facts)
        _check_conditional(facts)
        shared = [_shared(facts, obj) for obj in facts.shared_objects if not _is_invariant_pointer(facts, obj)]
        bounds = [_bound_only(obj) for obj in _bound_objects(facts)]
        private = _privates(facts)
    except StaysOnHost as refused:
        return refused.reason
    if (carried := loop_carried_scalars(facts.loop, facts.unit, facts.accesses)) is not None:
        return carried
    found = [*shared, *bounds, *(parameter for parameter in private if parameter is not None)]
    return _never_accessed(facts, found) or tuple(sorted(found, key=lambda parameter: parameter.obj.order()))


def _never_accessed(facts: Facts, found: list[KernelParameter]) -> Reason | None:
    """An object of which the kernel has the address alone: nothing of it would be on the device."""
    known = {parameter.symbol for parameter in found} | {loop.var for loop in facts.loop.loops}
    for node in facts.device_code.nodes:
        if not isinstance(node, t.Name) or isinstance(node.symbol.type, ty.Function):
            continue
        if node.symbol not in known and not facts.points_to.is_local(node.symbol):
            message = f"takes the address of '{node.symbol.name}' and never follows it"
            return Reason("OMPC361", message, node.loc)
    return None


def _check_names(facts: Facts) -> None:
    """Every object from outside must be nameable where the loop is launched."""
    scope = facts.loop.pragma.scope
    own = frozenset[t.Symbol]() if facts.loop.team is None else facts.loop.team.private
    for obj in facts.shared_objects:
        made = (*facts.loop.fixed, *facts.loop.former, *facts.loop.thread_copies, *facts.loop.scratch)
        known = scope.get(obj.symbol.name) is obj.symbol or obj.symbol in made
        if not known:
            of = "of a called function" if obj.symbol in facts.function_symbols else "(so its symbol is called)"
            message = f"'{obj.symbol.name}' {of} cannot be named where the loop starts"
            raise StaysOnHost("OMPC332", message, obj.symbol.loc)
        if (obj.symbol.storage is t.Storage.THREAD or obj.symbol.threadprivate) and obj.symbol not in own:
            raise StaysOnHost("OMPC309", f"'{obj.symbol.name}' has one copy per thread", obj.symbol.loc)
    for symbol in sorted(facts.function_symbols, key=lambda symbol: symbol.position):
        if facts.is_thread_private(MemoryObject(symbol)):
            raise StaysOnHost(
                "OMPC332", f"a called function uses '{symbol.name}', which is private in the loop", symbol.loc
            )
        if _is_copied(symbol, facts):
            message = f"a called function uses '{symbol.name}', of which a construct around the loop may have a copy"
            raise StaysOnHost("OMPC332", message, symbol.loc)


def _is_copied(symbol: t.Symbol, facts: Facts) -> bool:
    """May the loop, or the call of its launcher, name a copy where a called function names the original?"""
    loop = facts.loop
    if symbol.threadprivate or symbol.storage is t.Storage.THREAD:
        return False
    if symbol in loop.copied or (loop.team is not None and symbol in loop.team.private):
        return True
    return loop.target is not None and symbol in loop.target.copies and MemoryObject(symbol) in facts.written


def _check_scan(facts: Facts) -> None:
    """The phases of iterations run apart, and in the order of a `scan`."""
    if (why_not := why_not_apart(facts)) is not None:
        raise StaysOnHost(why_not.code, why_not.message, why_not.at)


def _check_reductions(facts: Facts) -> None:
    """Partial results may be grouped in any way only when the loop does nothing but accumulate."""
    for item in facts.loop.reductions:
        _check_combiner(item, facts)
        obj = reduced_object(item)
        accesses = entering_accesses(facts, facts.accesses)
        if item.declared is None:
            found = tuple(access for access in accesses if access.obj == obj)
            other = other_use(facts.device_code, facts.points_to, obj, item.op, found)
        else:
            other = escaping_use(facts.device_code, facts.points_to, obj, item.declared, accesses)
        if other is not None:
            message = f"'{item.symbol.name}' is more than accumulated by '{item.op}': the result depends on the threads"
            raise StaysOnHost("OMPC344", message, other.loc)


def _check_conditional(facts: Facts) -> None:
    """An assignment to a `lastprivate(conditional:)` variable must be seen as one, by the variable's name."""
    for symbol in facts.loop.lastprivates:
        if symbol not in facts.loop.conditional:
            continue
        found = facts.of(MemoryObject(symbol))
        unseen = next((a for a in found if a.mode.writes and not isinstance(a.node, t.Name)), None)
        if unseen is not None or not ty.is_arithmetic(symbol.type):
            message = f"the assignments to the conditional lastprivate '{symbol.name}' cannot be followed"
            raise StaysOnHost("OMPC336", message, symbol.loc if unseen is None else unseen.node.loc)
        if facts.loop.sharing[symbol] is not Sharing.LASTPRIVATE:
            message = f"the conditional lastprivate '{symbol.name}' has another attribute too"
            raise StaysOnHost("OMPC336", message, symbol.loc)


def _check_combiner(item: ReductionItem, facts: Facts) -> None:
    if item.declared is None:
        return
    why_not = why_not_combinable(item.declared, facts.device_code)
    if why_not is None and (ty.size_of(item.declared.type) or 0) > DEVICE.reduced:
        why_not = f"its type is larger than {DEVICE.reduced} bytes"
    if why_not is None and isinstance(item.symbol.type, ty.Array) and item.declared.uses_original:
        why_not = "its initializer uses omp_orig, here an element of an array"
    if why_not is not None:
        message = f"the reduction '{item.op}' of '{item.symbol.name}' cannot run on the device: {why_not}"
        raise StaysOnHost("OMPC350", message, item.declared.loc)


def _is_invariant_pointer(facts: Facts, obj: MemoryObject) -> bool:
    """A shared pointer variable that is only read is represented by what it points to."""
    if obj.pointee or not isinstance(obj.symbol.type, ty.Pointer):
        return False
    if obj in facts.written:
        raise StaysOnHost("OMPC331", f"the shared pointer '{obj.symbol.name}' is changed in the loop", obj.symbol.loc)
    return obj.through(PLAIN) in facts.shared_objects


def _shared(facts: Facts, obj: MemoryObject) -> KernelParameter:
    found = facts.of(obj)
    reads = sum(access.mode.reads for access in found)
    writes = sum(access.mode.writes for access in found)
    if obj.stored:
        return _linked(facts, obj, reads, writes)
    if obj.pointee:
        return _pointee(facts, obj, reads, writes)
    if isinstance(obj.symbol.type, ty.Pointer):
        return _value_of_pointer(obj)
    if isinstance(obj.symbol.type, ty.Array):
        return _array(facts, obj, reads, writes)
    return _object(facts, obj, reads, writes)


def _pointee(facts: Facts, obj: MemoryObject, reads: int, writes: int) -> KernelParameter:
    target = target_type(obj)
    _check_target(target, obj)
    extent = _extent(facts, obj, target)
    dimensions, holds_pointers = _variable_dimensions(target), _holds_pointers(facts, obj)
    return KernelParameter(
        obj.symbol, obj, Role.ARRAY, _flattened(target), extent, reads, writes, dimensions, holds_pointers
    )


def _block(facts: Facts, obj: MemoryObject) -> BlockExtent:
    """One struct behind a pointer (`g->n`) is known to be no more than that."""
    window = facts.footprints.bounding_section(obj)
    if _is_one(window):
        return BlockExtent(window)
    return BlockExtent(_ONE if facts.is_single_object(obj) else None)


def needs_block(parameter: KernelParameter) -> bool:
    """Can a launcher ask how large the object is that the pointer points into? Not of one element."""
    return isinstance(parameter.extent, BlockExtent) and (
        parameter.role is Role.LINKED or not _is_one(parameter.extent.window)
    )


def _is_one(window: Section | None) -> bool:
    return window is not None and (window.lower, window.upper) == ("0", "0")


def _value_of_pointer(obj: MemoryObject) -> KernelParameter:
    """A shared pointer that is compared and not followed."""
    assert isinstance(obj.symbol.type, ty.Pointer)
    return KernelParameter(obj.symbol, obj, Role.ARRAY, _flattened(obj.symbol.type.to), ValueExtent(), 0, 0)


def _linked(facts: Facts, obj: MemoryObject, reads: int, writes: int) -> KernelParameter:
    """What is known of its extent is the block of each object; the pointers to it must not change meanwhile."""
    target = target_type(obj)
    _check_target(target, obj)
    if ty.is_variably_modified(target):
        raise StaysOnHost("OMPC325", f"'{obj}' has rows of a variable length", facts.of(obj)[0].node.loc)
    holds_pointers, extent = _holds_pointers(facts, obj), BlockExtent(facts.footprints.bounding_section(obj))
    return KernelParameter(
        obj.symbol, obj, Role.LINKED, _flattened(target), extent, reads, writes, holds_pointers=holds_pointers
    )


def _holds_pointers(facts: Facts, obj: MemoryObject) -> bool:
    """Does the kernel follow pointers that are stored in the object?"""
    return any(other.stored and other.holder == obj for other in facts.shared_objects)


def _extent(facts: Facts, obj: MemoryObject, target: ty.Type) -> Extent:
    if ty.is_variably_modified(target):
        return BlockExtent()
    section = facts.footprints.section(obj)
    if section is not None:
        return SectionExtent(section)
    mapped = None
    if len(obj.path) == 1:
        mapped = _reduced_section(facts, obj.symbol)
        if mapped is None and facts.loop.target is not None:
            mapped = facts.loop.target.sections.get(obj.symbol)
    return _block(facts, obj) if mapped is None else MappedExtent(mapped)


def _reduced_section(facts: Facts, pointer: t.Symbol) -> MappedSection | None:
    """How far the section of a reduction clause says that the pointer reaches."""
    section = next((item.section for item in facts.loop.reductions if item.symbol is pointer), ())
    if not section or (section[0].length is None and not section[0].single):
        return None
    first = "0" if section[0].lower is None else c_expr(section[0].lower)
    return MappedSection(first, "1" if section[0].length is None else c_expr(section[0].length))


def _check_target(target: ty.Type, obj: MemoryObject) -> None:
    element = ty.element_of(target)
    if isinstance(element, ty.Struct) and element.record.fields is None:
        raise StaysOnHost("OMPC337", f"the struct that '{obj}' is an element of is not defined here", obj.symbol.loc)


def _array(facts: Facts, obj: MemoryObject, reads: int, writes: int) -> KernelParameter:
    kind = obj.symbol.type
    assert isinstance(kind, ty.Array)
    _check_target(kind, obj)
    if kind.length is None:  # defined in another file, which makes its extent known to the runtime
        return KernelParameter(obj.symbol, obj, Role.ARRAY, kind.of, _extent(facts, obj, kind.of), reads, writes)
    if isinstance(kind.length, int) and ty.is_variably_modified(kind):
        raise StaysOnHost("OMPC325", f"'{obj.symbol.name}' has a constant length over variable ones", obj.symbol.loc)
    variable = _variable_dimensions(kind.of)
    size = None if ty.is_variably_modified(kind) else ty.size_of(kind)
    element, holds_pointers = _flattened(kind.of), _holds_pointers(facts, obj)
    return KernelParameter(
        obj.symbol, obj, Role.ARRAY, element, ObjectExtent(size), reads, writes, variable, holds_pointers
    )


def _flattened(target: ty.Type) -> ty.Type:
    """What the device pointer points to: rows of a constant length, elements of variable ones, bytes."""
    if isinstance(target, ty.Void):
        return ty.UCHAR  # C++ has no size of void
    return ty.element_of(target) if ty.is_variably_modified(target) else target


def _variable_dimensions(target: ty.Type) -> int:
    """How many inner lengths a variably modified row type has."""
    return len(ty.lengths_of(target)) if ty.is_variably_modified(target) else 0


def _object(facts: Facts, obj: MemoryObject, reads: int, writes: int) -> KernelParameter:
    symbol = obj.symbol
    size = ty.size_of(symbol.type)
    if size is None:
        raise StaysOnHost("OMPC337", f"the type of '{symbol.name}' is not defined here", symbol.loc)
    if writes and facts.loop.target is not None and symbol in facts.loop.target.copies:
        _check_copy(facts, symbol)
    if reads and writes:
        _check_race(facts, obj)
    holds_pointers = _holds_pointers(facts, obj)
    if not facts.is_only_read(symbol) or holds_pointers or size > DEVICE.by_value:
        return KernelParameter(
            symbol, obj, Role.CELL, symbol.type, ObjectExtent(size), reads, writes, holds_pointers=holds_pointers
        )
    return KernelParameter(symbol, obj, Role.VALUE, symbol.type, ObjectExtent(size), reads, writes)


def _check_race(facts: Facts, obj: MemoryObject) -> None:
    """What iterations both read and write must be elements, or be changed atomically."""
    found = facts.of(obj)
    raced = raced_member(found, [a for a in found if a.mode.writes and not facts.atomic_operations.covers(a)])
    if raced is None:
        return
    whole = not isinstance(obj.symbol.type, ty.Struct)
    what = obj.symbol.name if whole else c_expr(raced.node)
    message = f"the shared variable '{what}' is both read and written in the loop: iterations race for it"
    raise StaysOnHost("OMPC331", message, found[0].node.loc if whole else raced.node.loc)


def _check_copy(facts: Facts, symbol: t.Symbol) -> None:
    """The copy that a target region has of a scalar can have no other name, and no function can mean the original."""
    if symbol.address_taken or symbol in facts.function_symbols:
        message = f"the target region has its own copy of '{symbol.name}', and the loop changes one of the two"
        raise StaysOnHost("OMPC352", message, facts.loop.loc)


def _bound_objects(facts: Facts) -> list[MemoryObject]:
    """Scalars that only the bounds of the parallel loops read: the launcher needs them, the kernel does not."""
    objects = facts.shared_objects_and_bounds - frozenset(facts.shared_objects)
    return [obj for obj in objects if ty.is_arithmetic(obj.symbol.type) and not facts.is_thread_private(obj)]


def _bound_only(obj: MemoryObject) -> KernelParameter:
    size = ty.size_of(obj.symbol.type)
    return KernelParameter(obj.symbol, obj, Role.VALUE, obj.symbol.type, ObjectExtent(size), 0, 0)


def _privates(facts: Facts) -> list[KernelParameter | None]:
    """Each thread's own: by clause, and those that the body declares and that need memory of the launch's."""
    expanded = expanded_arrays(facts)
    if isinstance(expanded, Reason):
        raise StaysOnHost(expanded.code, expanded.message, expanded.at)
    own = [(symbol, how) for symbol, how in facts.loop.sharing.items() if not how.one_for_all]
    found = [_private(symbol, how) for symbol, how in own if symbol not in expanded]
    return found + [
        KernelParameter(symbol, MemoryObject(symbol), Role.PRIVATE, symbol.type, extent, 0, 0)
        for symbol, extent in expanded.items()
    ]


def _private(symbol: t.Symbol, sharing: Sharing) -> KernelParameter | None:
    role = {
        Sharing.PRIVATE: Role.PRIVATE,
        Sharing.LOOP: Role.PRIVATE,
        Sharing.FIRSTPRIVATE: Role.FIRSTPRIVATE,
        Sharing.LASTPRIVATE: Role.LASTPRIVATE,
        Sharing.FIRST_LASTPRIVATE: Role.FIRSTPRIVATE,  # by value; what comes back is in ParallelLoop.lastprivates
        Sharing.REDUCTION: Role.REDUCTION,
    }[sharing]
    if role is Role.FIRSTPRIVATE and isinstance(symbol.type, ty.Pointer):
        return None  # the pointer parameter to what it points to is each thread's own copy already
    size = ty.size_of(symbol.type)
    if ty.is_variably_modified(symbol.type) or size is None:
        raise StaysOnHost("OMPC325", f"the private variable '{symbol.name}' has a variable size", symbol.loc)
    if isinstance(symbol.type, ty.Array) and sharing is Sharing.FIRST_LASTPRIVATE:
        raise StaysOnHost("OMPC336", f"the array '{symbol.name}' is both firstprivate and lastprivate", symbol.loc)
    if isinstance(ty.element_of(symbol.type), ty.Pointer) and sharing not in (Sharing.PRIVATE, Sharing.FIRSTPRIVATE):
        raise StaysOnHost("OMPC336", f"the pointer '{symbol.name}' would come back from the device", symbol.loc)
    return KernelParameter(symbol, MemoryObject(symbol), role, symbol.type, ObjectExtent(size), 0, 0)
