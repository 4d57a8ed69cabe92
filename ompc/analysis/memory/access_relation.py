"""Analysis: access relations: in which iterations of the loops around it an access happens, and to which element.

    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++)             a[i][j]     { (k, i, j) -> [i, j] : 0 <= k < n and k + 1 <= i < n
            for (j = 0; j < n; j++)                           and 0 <= j < n and j > k }
                if (j > k) a[i][j] -= ...

The domain is what bounds and constant steps of the loops say, with the conditions of the `if`s around the access, as
far as counters and invariants decide them. It may have iterations too many: what is not known is no constraint. Never
too few: a condition that reads memory, or numbers that wrap round, is none, nor is one that a jump may pass by.

    In: Access, the loops around it, what is known of integers.   Out: AccessRelation.
    Not here: whether two relations have elements in common -- dependence/dependence.py.
    Source: access relations, Pugh and Wonnacott, "Static analysis of upper and lower bounds on dependences and
    parallelism", TOPLAS 1994.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import dropwhile

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.integers.alternatives import Case, cases
from ompc.analysis.integers.definitions import Known
from ompc.analysis.integers.domain_forms import Bounds, Condition, DomainForms, renamed, with_renamed_bounds
from ompc.analysis.integers.polynomials import CounterCopy, Factor, Fixed, Polynomial, depends_on
from ompc.analysis.integers.ranges import Range, range_of_type
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.access_paths import Selection, Subscript, access_path
from ompc.ir.exits import jumps_in, labels_in, leaves
from ompc.ir.queries import symbols_in
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True)
class AccessRelation:
    """Equal ones touch the same elements of one object.

    `loops`       those around the access, outermost first
    `conditions`  those that hold where it happens
    `subscripts`  of the element; None is no polynomial
    `wraps`       places are equal if they are 2^64 apart
    `inside`      the way on from the element, if it is a struct: members by names and offsets, and subscripts; a union
                  and a bit-field, which share memory with others, and what follows them, are left out
    """

    loops: tuple[Bounds, ...]
    conditions: tuple[Condition, ...]
    subscripts: tuple[Polynomial | None, ...]
    wraps: bool
    inside: tuple[str | Polynomial | None, ...] = ()

    def deciding(self, subscripts: Sequence[Polynomial | None]) -> AccessRelation:
        """With the loops and conditions alone that decide what these subscripts are, and not whether there are any:

            for (k = 0; k < m; k++) for (i = k; i < n; i++) for (j = 0; j < l; j++)  ... a[i][j]   i: loops k and i
        """
        counters = {bounds.loop.var for bounds in self.loops}
        needed = {var for subscript in subscripts for var in _counters_in(subscript, counters)}
        for bounds in reversed(self.loops):
            if bounds.loop.var in needed:
                needed |= _counters_in(bounds, counters)
        return replace(
            self,
            loops=tuple(bounds for bounds in self.loops if bounds.loop.var in needed),
            conditions=tuple(held for held in self.conditions if needed.issuperset(_counters_in(held, counters))),
        )

    def in_iteration(self, copy: int, shared: Collection[t.Symbol]) -> AccessRelation:
        """The same in one of two iterations that are compared, which have the `shared` counters in common."""
        own = [bounds.loop.var for bounds in self.loops if bounds.loop.var not in shared]
        copies: Mapping[t.Symbol, Factor] = {var: CounterCopy(var, copy) for var in own}
        return AccessRelation(
            tuple(with_renamed_bounds(bounds, copies) for bounds in self.loops),
            tuple(condition.renamed(copies) for condition in self.conditions),
            tuple(renamed(subscript, copies) for subscript in self.subscripts),
            self.wraps,
            tuple(step if isinstance(step, str) else renamed(step, copies) for step in self.inside),
        )


def _counters_in(numbers: Polynomial | Condition | Bounds | None, counters: Collection[t.Symbol]) -> set[t.Symbol]:
    factors = frozenset() if numbers is None else numbers.factors
    return {var for var in counters if any(_turns_with(factor, var) for factor in factors)}


def _turns_with(factor: Factor, counter: t.Symbol) -> bool:
    return depends_on(factor, (counter,)) or (isinstance(factor, Fixed) and counter in factor.symbols)


class AccessRelations:
    """The relations of one launch: what may be accessed, and what is certain to be. `annotated` are its parallel loops,
    `inner` the canonical ones of its body; `ranges` those of some invariants.
    """

    def __init__(self, device_code: DeviceCode, inner: Mapping[t.For, CanonicalLoop], known: Known) -> None:
        self._code = device_code
        self.annotated = device_code.loop.loops
        self.inner = inner
        self.ranges: dict[Factor, Range] = {
            symbol: (least, known.greatest.get(symbol, range_of_type(symbol.type)[1]))
            for symbol, least in known.least.items()
        }
        self.known = known
        self._entered: dict[tuple[CanonicalLoop, ...], tuple[DomainForms, tuple[Bounds, ...]]] = {}
        self._found: dict[tuple[Access, tuple[CanonicalLoop, ...]], AccessRelation] = {}
        self._cases: dict[tuple[Access, tuple[CanonicalLoop, ...]], tuple[AccessRelation, ...]] = {}

    def around(self, access: Access) -> tuple[CanonicalLoop, ...]:
        """The canonical loops around an access, outermost first."""
        inner = (self.inner.get(node) for node in access.context if isinstance(node, t.For))
        return (*self.annotated, *(loop for loop in inner if loop is not None))

    def is_certain(self, access: Access, where_held: bool = False) -> bool:
        """Is it evaluated in every turn of the loops around it? Nothing is where an iteration may end the program: the
        others are not reached then. `where_held`: or in every turn in which the conditions of its relation hold.
        """
        if self._code.leaves or access.function is not None or leaves(self._code.body):
            return False
        loops = [node for node in access.context if isinstance(node, t.For)]
        if not all(node in self.inner and not jumps_in(node) for node in loops):
            return False
        asked = len(access.context) - len(loops)
        return not asked or (where_held and asked == len(self.of(access, self.around(access)).conditions))

    def bounds(self, loops: Sequence[CanonicalLoop]) -> tuple[Bounds, ...]:
        """Of loops, outermost first."""
        return tuple(map(self._forms().enter, loops))

    def of(self, access: Access, loops: Sequence[CanonicalLoop]) -> AccessRelation:
        """Of an access inside `loops`, outermost first."""
        key = access, tuple(loops)
        if key not in self._found:
            self._found[key] = self._relation(access, loops)
        return self._found[key]

    def cases(self, access: Access, loops: Sequence[CanonicalLoop]) -> tuple[AccessRelation, ...]:
        """The same where subscripts are one of several numbers, by conditions: all that the access may be, each in its
        iterations. One relation, as above, where they are not.
        """
        key = access, tuple(loops)
        if key not in self._cases:
            forms, _ = self._inside(tuple(loops))
            path = access_path(access.node)
            expressions = (*(access.subscripts or ()), *path.subscripts)
            found = [self._relation(access, loops, case) for case in cases(forms, expressions)]
            self._cases[key] = tuple(found) or (self.of(access, loops),)
        return self._cases[key]

    def _relation(
        self, access: Access, loops: Sequence[CanonicalLoop], case: Case | None = None
    ) -> AccessRelation:
        forms, bounds = self._inside(tuple(loops))
        if case is not None:
            forms.choose(case.chosen)
        conditions = (*_conditions(forms, access), *(() if case is None else case.conditions))
        subscripts = tuple(map(forms.of, access.subscripts or ()))
        inside = tuple(_way_inside(forms, access)) if access.subscripts is not None else ()
        return AccessRelation(bounds, conditions, subscripts, forms.wraps, inside)

    def _inside(self, loops: tuple[CanonicalLoop, ...]) -> tuple[DomainForms, tuple[Bounds, ...]]:
        """Forms inside of `loops`, which many accesses are, and their bounds."""
        if loops not in self._entered:
            forms = self._forms()
            self._entered[loops] = forms, tuple(map(forms.enter, loops))
        forms, bounds = self._entered[loops]
        return replace(forms), bounds

    def _forms(self) -> DomainForms:
        forms = DomainForms(self.known.invariant, self.known.definitions)
        forms.ranges.update({factor: found for factor, found in self.ranges.items() if isinstance(factor, t.Symbol)})
        return forms


def _way_inside(forms: DomainForms, access: Access) -> Iterator[str | Polynomial | None]:
    """From the element that the access's subscripts select to what it reads or writes."""
    steps = access_path(access.node).steps
    for step in dropwhile(lambda step: isinstance(step, Subscript), steps):
        if isinstance(step, Subscript):
            yield forms.of(step.index)
        elif _has_memory_of_its_own(step):
            yield f"{step.member.name or ''}@{step.member.offset}"
        else:
            return


def _has_memory_of_its_own(step: Selection) -> bool:
    """A member that shares none with others?"""
    return step.record is not None and step.record.kind == "struct" and step.member.bits is None


def _conditions(forms: DomainForms, access: Access) -> Iterator[Condition]:
    """Those of the statements and operators around the access on which counters have some say."""
    for node in access.context if access.function is None else ():
        if not isinstance(node, (t.If, t.Conditional, t.Binary)):
            continue
        asked = node.left if isinstance(node, t.Binary) else node.condition
        if not any(symbol in forms.counters or symbol in forms.definitions for symbol in symbols_in(asked)):
            continue
        holds = _branch(node, access.node)
        if holds is not None:
            condition = forms.condition(asked, holds)
            if condition is not None and any(depends_on(factor, forms.counters) for factor in condition.factors):
                yield condition


def _branch(node: Node, inside: t.Expr) -> bool | None:
    """Must the condition of `node` be true, or false, for what is inside to be evaluated? None: that is not known."""
    match node:
        case t.If(then=then, other=other) | t.Conditional(then=then, other=other):
            in_then, in_other = inside in _nodes(then), other is not None and inside in _nodes(other)
            return in_then if in_then != in_other and not _may_be_passed_by(node) else None
        case t.Binary(op="&&" | "||" as op):
            return op == "&&"
        case _:
            return None


def _may_be_passed_by(node: Node) -> bool:
    """Does a `goto` or a `switch` lead into a branch, whatever its condition is?"""
    return labels_in(node)


@lru_cache(maxsize=64)
def _nodes(code: Node) -> frozenset[Node]:
    return frozenset(walk(code))
