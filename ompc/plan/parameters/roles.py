"""Plan: how each object of a loop reaches the kernel.

    shared array, or what a shared pointer points to      ARRAY, behind a device pointer
    shared scalar or struct, only read                    VALUE, by value (a struct up to `DEVICE.by_value`)
    shared scalar or struct, written                      CELL: one element of device memory that comes back
    what pointers in one of these lead to                 LINKED: copied with it, the pointers translated
    private, firstprivate, lastprivate, reduction         each thread's own

A shared scalar, or member of a struct, that the loop both reads and writes is a race in the user's program; hundreds
of thousands of threads would make it a worse one, so the loop stays on the host (OMPC331). Not so where every write is
an indivisible operation (reductions/indivisible.py), nor for elements of member arrays (memory/members.py).

    In: Facts.   Out: tuple[Draft, ...] in the order of declaration, or a Reason.
    Not here: placement and transfers -- plan/memory/variables.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from ompc.analysis.facts import Facts
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.members import raced_member
from ompc.analysis.memory.roots import PLAIN, Root, target_type
from ompc.analysis.privatisation.carried import carried_between_iterations
from ompc.analysis.reductions.accumulation import other_use
from ompc.analysis.reductions.grouping import escaping_use, why_not_combinable
from ompc.analysis.reductions.in_place import root_of
from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.omp.model import MappedSection, ReductionItem, Sharing
from ompc.plan.machine import DEVICE
from ompc.plan.model.extent import BlockExtent, Extent, MappedExtent, ObjectExtent, SectionExtent, ValueExtent
from ompc.plan.model.plan import Role
from ompc.plan.parameters.expansion import expanded_arrays

_ONE = Section("0", "0", None, ())
"""The element that a pointer points to."""



@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """An object of the region before its placement is chosen; `reads` and `writes` count places in the text."""

    symbol: t.Symbol
    root: Root
    role: Role
    element: ty.Type
    extent: Extent
    reads: int
    writes: int
    variable_dimensions: int = 0
    holds_links: bool = False


class _Refused(Exception):
    def __init__(self, code: str, message: str, at: Location | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(code, message, at)


def drafts(facts: Facts) -> tuple[Draft, ...] | Reason:
    """The role of every object that the loop uses."""
    try:
        _check_names(facts)
        _check_reductions(facts)
        _check_conditional(facts)
        shared = [_shared(facts, root) for root in facts.shared_roots if not _is_invariant_pointer(facts, root)]
        bounds = [_bound_only(facts, root) for root in _bound_roots(facts)]
        private = _privates(facts)
    except _Refused as refused:
        return refused.reason
    if (carried := carried_between_iterations(facts.loop, facts.unit, facts.accesses)) is not None:
        return carried
    found = [*shared, *bounds, *(draft for draft in private if draft is not None)]
    return _never_accessed(facts, found) or tuple(sorted(found, key=lambda draft: draft.root.order()))


def _never_accessed(facts: Facts, found: list[Draft]) -> Reason | None:
    """An object of which the kernel has the address alone: nothing of it would be on the device."""
    known = {draft.symbol for draft in found} | {loop.var for loop in facts.loop.loops}
    for node in facts.reach.nodes:
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
    for root in facts.shared_roots:
        if scope.get(root.symbol.name) is not root.symbol and root.symbol not in facts.loop.fixed:
            of = "of a called function" if root.symbol in facts.function_symbols else "(so its symbol is called)"
            message = f"'{root.symbol.name}' {of} cannot be named where the loop starts"
            raise _Refused("OMPC332", message, root.symbol.loc)
        if (root.symbol.storage is t.Storage.THREAD or root.symbol.threadprivate) and root.symbol not in own:
            raise _Refused("OMPC309", f"'{root.symbol.name}' has one copy per thread", root.symbol.loc)
    for symbol in sorted(facts.function_symbols, key=lambda symbol: symbol.position):
        if facts.is_thread_private(Root(symbol)):
            raise _Refused(
                "OMPC332", f"a called function uses '{symbol.name}', which is private in the loop", symbol.loc
            )
        if _is_copied(symbol, facts):
            message = f"a called function uses '{symbol.name}', of which a construct around the loop may have a copy"
            raise _Refused("OMPC332", message, symbol.loc)


def _is_copied(symbol: t.Symbol, facts: Facts) -> bool:
    """May the loop, or the call of its launcher, name a copy where a called function names the original?"""
    loop = facts.loop
    if symbol.threadprivate or symbol.storage is t.Storage.THREAD:
        return False
    if symbol in loop.copied or (loop.team is not None and symbol in loop.team.private):
        return True
    return loop.target is not None and symbol in loop.target.copies and Root(symbol) in facts.written


def _check_reductions(facts: Facts) -> None:
    """Partial results may be grouped in any way only when the loop does nothing but accumulate."""
    for item in facts.loop.reductions:
        _check_combiner(item, facts)
        root = root_of(item)
        found = facts.of(root)
        if item.declared is None:
            other = other_use(facts.reach, facts.points_to, root, item.op, found)
        else:
            other = escaping_use(facts.reach, facts.points_to, root, item.declared, facts.accesses)
        if other is not None:
            message = f"'{item.symbol.name}' is more than accumulated by '{item.op}': the result depends on the threads"
            raise _Refused("OMPC344", message, other.loc)


def _check_conditional(facts: Facts) -> None:
    """An assignment to a `lastprivate(conditional:)` variable must be seen as one, by the variable's name."""
    for symbol in facts.loop.lastprivates:
        if symbol not in facts.loop.conditional:
            continue
        found = facts.of(Root(symbol))
        unseen = next((a for a in found if a.mode.writes and not isinstance(a.node, t.Name)), None)
        if unseen is not None or not ty.is_arithmetic(symbol.type):
            message = f"the assignments to the conditional lastprivate '{symbol.name}' cannot be followed"
            raise _Refused("OMPC336", message, symbol.loc if unseen is None else unseen.node.loc)
        if facts.loop.sharing[symbol] is not Sharing.LASTPRIVATE:
            message = f"the conditional lastprivate '{symbol.name}' has another attribute too"
            raise _Refused("OMPC336", message, symbol.loc)


def _check_combiner(item: ReductionItem, facts: Facts) -> None:
    if item.declared is None:
        return
    why_not = why_not_combinable(item.declared, facts.reach)
    if why_not is None and (ty.size_of(item.declared.type) or 0) > DEVICE.reduced:
        why_not = f"its type is larger than {DEVICE.reduced} bytes"
    if why_not is None and isinstance(item.symbol.type, ty.Array) and item.declared.uses_original:
        why_not = "its initializer uses omp_orig, here an element of an array"
    if why_not is not None:
        message = f"the reduction '{item.op}' of '{item.symbol.name}' cannot run on the device: {why_not}"
        raise _Refused("OMPC350", message, item.declared.loc)


def _is_invariant_pointer(facts: Facts, root: Root) -> bool:
    """A shared pointer variable that is only read is represented by what it points to."""
    if root.pointee or not isinstance(root.symbol.type, ty.Pointer):
        return False
    if root in facts.written:
        raise _Refused("OMPC331", f"the shared pointer '{root.symbol.name}' is changed in the loop", root.symbol.loc)
    return root.through(PLAIN) in facts.shared_roots


def _shared(facts: Facts, root: Root) -> Draft:
    found = facts.of(root)
    reads = sum(access.mode.reads for access in found)
    writes = sum(access.mode.writes for access in found)
    if root.stored:
        return _linked(facts, root, reads, writes)
    if root.pointee:
        return _pointee(facts, root, reads, writes)
    if isinstance(root.symbol.type, ty.Pointer):
        return _value_of_pointer(root)
    if isinstance(root.symbol.type, ty.Array):
        return _array(facts, root, reads, writes)
    return _object(facts, root, reads, writes)


def _pointee(facts: Facts, root: Root, reads: int, writes: int) -> Draft:
    target = target_type(root)
    _check_target(target, root)
    extent = _extent(facts, root, target)
    dimensions, links = _variable_dimensions(target), _holds_links(facts, root)
    return Draft(root.symbol, root, Role.ARRAY, _flattened(target), extent, reads, writes, dimensions, links)


def _block(facts: Facts, root: Root) -> BlockExtent:
    """One struct behind a pointer (`g->n`) is known to be no more than that."""
    window = facts.footprints.hull(root)
    if _is_one(window):
        return BlockExtent(window)
    return BlockExtent(_ONE if facts.is_single_object(root) else None)


def needs_block(draft: Draft) -> bool:
    """Can a launcher ask how large the object is that the pointer points into? Not of one element."""
    return isinstance(draft.extent, BlockExtent) and (draft.role is Role.LINKED or not _is_one(draft.extent.window))


def _is_one(window: Section | None) -> bool:
    return window is not None and (window.lower, window.upper) == ("0", "0")


def _value_of_pointer(root: Root) -> Draft:
    """A shared pointer that is compared and not followed."""
    assert isinstance(root.symbol.type, ty.Pointer)
    return Draft(root.symbol, root, Role.ARRAY, _flattened(root.symbol.type.to), ValueExtent(), 0, 0)


def _linked(facts: Facts, root: Root, reads: int, writes: int) -> Draft:
    """What is known of its extent is the block of each object; the pointers to it must not change meanwhile."""
    target = target_type(root)
    _check_target(target, root)
    if ty.is_variably_modified(target):
        raise _Refused("OMPC325", f"'{root}' has rows of a variable length", facts.of(root)[0].node.loc)
    links, extent = _holds_links(facts, root), BlockExtent(facts.footprints.hull(root))
    return Draft(root.symbol, root, Role.LINKED, _flattened(target), extent, reads, writes, holds_links=links)


def _holds_links(facts: Facts, root: Root) -> bool:
    """Does the kernel follow pointers that are stored in the object?"""
    return any(other.stored and other.holder == root for other in facts.shared_roots)


def _extent(facts: Facts, root: Root, target: ty.Type) -> Extent:
    if ty.is_variably_modified(target):
        return BlockExtent()
    section = facts.footprints.section(root)
    if section is not None:
        return SectionExtent(section)
    mapped = None
    if len(root.links) == 1:
        mapped = _reduced_section(facts, root.symbol)
        if mapped is None and facts.loop.target is not None:
            mapped = facts.loop.target.sections.get(root.symbol)
    return _block(facts, root) if mapped is None else MappedExtent(mapped)


def _reduced_section(facts: Facts, pointer: t.Symbol) -> MappedSection | None:
    """How far the section of a reduction clause says that the pointer reaches."""
    section = next((item.section for item in facts.loop.reductions if item.symbol is pointer), ())
    if not section or (section[0].length is None and not section[0].single):
        return None
    first = "0" if section[0].lower is None else c_expr(section[0].lower)
    return MappedSection(first, "1" if section[0].length is None else c_expr(section[0].length))


def _check_target(target: ty.Type, root: Root) -> None:
    element = ty.element_of(target)
    if isinstance(element, ty.Struct) and element.record.fields is None:
        raise _Refused("OMPC337", f"the struct that '{root}' is an element of is not defined here", root.symbol.loc)


def _array(facts: Facts, root: Root, reads: int, writes: int) -> Draft:
    kind = root.symbol.type
    assert isinstance(kind, ty.Array)
    _check_target(kind, root)
    if kind.length is None:  # defined in another file, which makes its extent known to the runtime
        return Draft(root.symbol, root, Role.ARRAY, kind.of, _extent(facts, root, kind.of), reads, writes)
    if isinstance(kind.length, int) and ty.is_variably_modified(kind):
        raise _Refused("OMPC325", f"'{root.symbol.name}' has a constant length over variable ones", root.symbol.loc)
    variable = _variable_dimensions(kind.of)
    size = None if ty.is_variably_modified(kind) else ty.size_of(kind)
    element, links = _flattened(kind.of), _holds_links(facts, root)
    return Draft(root.symbol, root, Role.ARRAY, element, ObjectExtent(size), reads, writes, variable, links)


def _flattened(target: ty.Type) -> ty.Type:
    """What the device pointer points to: rows of a constant length, elements of variable ones, bytes."""
    if isinstance(target, ty.Void):
        return ty.UCHAR  # C++ has no size of void
    return ty.element_of(target) if ty.is_variably_modified(target) else target


def _variable_dimensions(target: ty.Type) -> int:
    """How many inner lengths a variably modified row type has."""
    count = 0
    if ty.is_variably_modified(target):
        while isinstance(target, ty.Array):
            count, target = count + 1, target.of
    return count


def _object(facts: Facts, root: Root, reads: int, writes: int) -> Draft:
    symbol = root.symbol
    size = ty.size_of(symbol.type)
    if size is None:
        raise _Refused("OMPC337", f"the type of '{symbol.name}' is not defined here", symbol.loc)
    if writes and facts.loop.target is not None and symbol in facts.loop.target.copies:
        _check_copy(facts, symbol)
    if reads and writes:
        _check_race(facts, root)
    through_pointers = any(other.pointee for other in facts.written) and symbol.address_taken
    links = _holds_links(facts, root)
    if writes or through_pointers or links or size > DEVICE.by_value:
        return Draft(symbol, root, Role.CELL, symbol.type, ObjectExtent(size), reads, writes, holds_links=links)
    return Draft(symbol, root, Role.VALUE, symbol.type, ObjectExtent(size), reads, writes)


def _check_race(facts: Facts, root: Root) -> None:
    """What iterations both read and write must be elements, or be changed indivisibly."""
    found = facts.of(root)
    raced = raced_member(found, [a for a in found if a.mode.writes and not facts.indivisible.covers(a)])
    if raced is None:
        return
    whole = not isinstance(root.symbol.type, ty.Struct)
    what = root.symbol.name if whole else c_expr(raced.node)
    message = f"the shared variable '{what}' is both read and written in the loop: iterations race for it"
    raise _Refused("OMPC331", message, found[0].node.loc if whole else raced.node.loc)


def _check_copy(facts: Facts, symbol: t.Symbol) -> None:
    """The copy that a target region has of a scalar can have no other name, and no function can mean the original."""
    if symbol.address_taken or symbol in facts.function_symbols:
        message = f"the target region has its own copy of '{symbol.name}', and the loop changes one of the two"
        raise _Refused("OMPC352", message, facts.loop.loc)


def _bound_roots(facts: Facts) -> list[Root]:
    """Scalars that only the bounds of the parallel loops read: the launcher needs them, the kernel does not."""
    roots = facts.shared_roots_and_bounds - frozenset(facts.shared_roots)
    return [root for root in roots if ty.is_arithmetic(root.symbol.type) and not facts.is_thread_private(root)]


def _bound_only(facts: Facts, root: Root) -> Draft:
    size = ty.size_of(root.symbol.type)
    return Draft(root.symbol, root, Role.VALUE, root.symbol.type, ObjectExtent(size), 0, 0)


def _privates(facts: Facts) -> list[Draft | None]:
    """Each thread's own: by clause, and those that the body declares and that need memory of the launch's."""
    expanded = expanded_arrays(facts)
    if isinstance(expanded, Reason):
        raise _Refused(expanded.code, expanded.message, expanded.at)
    own = [(symbol, how) for symbol, how in facts.loop.sharing.items() if not how.one_for_all]
    found = [_private(symbol, how) for symbol, how in own if symbol not in expanded]
    return found + [
        Draft(symbol, Root(symbol), Role.PRIVATE, symbol.type, extent, 0, 0) for symbol, extent in expanded.items()
    ]


def _private(symbol: t.Symbol, sharing: Sharing) -> Draft | None:
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
        raise _Refused("OMPC325", f"the private variable '{symbol.name}' has a variable size", symbol.loc)
    if isinstance(symbol.type, ty.Array) and sharing is Sharing.FIRST_LASTPRIVATE:
        raise _Refused("OMPC336", f"the array '{symbol.name}' is both firstprivate and lastprivate", symbol.loc)
    if isinstance(ty.element_of(symbol.type), ty.Pointer) and sharing not in (Sharing.PRIVATE, Sharing.FIRSTPRIVATE):
        raise _Refused("OMPC336", f"the pointer '{symbol.name}' would come back from the device", symbol.loc)
    return Draft(symbol, Root(symbol), role, symbol.type, ObjectExtent(size), 0, 0)
