"""Analysis: exactly which elements of an array a launch touches.

Two questions, both answered by isl over the iteration domain of the launch:

    section       the bounding section of what is accessed behind a pointer, when its first and last element are
    certainly
                  accessed: then everything between them belongs to the same object (C11 6.5.6), so it may be
                  copied in and out
    overwritten   does the launch certainly write every element of a declared array? Then nothing needs to be copied in

`may` is the set of elements that some execution can access, `must` the set that every execution accesses; the section
is exact when both have the same least and the same greatest element. An access under a condition belongs to `may`
alone.

    for (i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i + 1];     x: [0, n - 1], exact;   y: [1, n - 2], exact

    In: DeviceCode, accesses, access relations.   Out: Section or None.
    Not here: objects of known size (plan/memory/variables.py), blocks that the runtime knows by address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import islpy as isl

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.integers.constraints import Points
from ompc.analysis.integers.domain_forms import Bounds
from ompc.analysis.integers.integer_sets import Piece, Sets, answered
from ompc.analysis.integers.polynomials import Factor, Monomial, Quotient
from ompc.analysis.memory.access_relation import AccessRelations
from ompc.analysis.memory.accesses import Access, direct_subscripts
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.constants import constant_value
from ompc.ir.walk import evaluated

Names = dict[Monomial, str]
"""Of the parameters of sets: variables that the launcher has."""

_FEW_OPERATIONS, _FEW_PLACES = 4_000, 200
"""What it may cost to say which part is written, which saves copies and decides nothing: isl's operations; accesses
and what stands around them.
"""

_FURTHEST_STEP = 2**20
"""In elements: of a larger one nobody asks."""
_MOST = 2**63 - 1
"""The largest number that the text of a section may have."""


@dataclass(frozen=True, slots=True)
class Section:
    """Elements `lower`..`upper` inclusive of the pointer's target type, as C text over `symbols`;
    empty unless `condition` holds. `step`: of these none but every so manieth.
    """

    lower: str
    upper: str
    condition: str | None
    symbols: tuple[t.Symbol, ...]
    step: int = 1


class Footprints:
    """The accessed sets of one launch. `relations` are in terms of what the launcher can name."""

    def __init__(self, device_code: DeviceCode, accesses: Sequence[Access], relations: AccessRelations) -> None:
        self._loop = device_code.loop
        self._accesses = accesses
        self._relations = relations
        self._sets = Sets()
        self._cheap_sets = Sets(_FEW_OPERATIONS)

    def section(self, obj: MemoryObject) -> Section | None:
        """The exact bounding section of the elements (first subscript) accessed behind the pointer `obj`, None when
        unknown.
        """
        return answered(partial(self._section, obj), None, self._loop.loc)

    def _section(self, obj: MemoryObject) -> Section | None:
        found = [access for access in self._accesses if access.obj == obj]
        names: Names = {}
        may = self._union(names, found, rank=1, certain=False)
        must = self._union(names, found, rank=1, certain=True, more=self._in_bounds(obj))
        if may is None or must is None or not _same_ends(may, must):
            return None
        section = _as_section(must, names, self._launched(names))
        return None if section is None else replace(section, step=_step(may))

    def bounding_section(self, obj: MemoryObject) -> Section | None:
        """Elements (first subscript) outside which nothing behind or in `obj` is accessed, None when unknown.

        Not all of them need to exist: for questions about memory whose extent is known.
        """
        found = [access for access in self._accesses if access.obj == obj]
        return answered(partial(self._bounding_section, found, self._sets), None, self._loop.loc)

    def written_section(self, obj: MemoryObject) -> Section | None:
        """Elements (first subscript) outside which nothing behind or in `obj` is written, None when unknown, or not
        known soon.
        """
        found = [access for access in self._accesses if access.obj == obj and access.mode.writes]
        if sum(1 + len(access.context) for access in found) > _FEW_PLACES:
            return None
        try:
            return self._bounding_section(found, self._cheap_sets)
        except isl.Error:
            return None

    def _bounding_section(self, found: Sequence[Access], sets: Sets) -> Section | None:
        names: Names = {}
        may = self._union(names, found, rank=1, certain=False, others=False, sets=sets)
        if may is None or may.is_empty():
            return None
        section = _as_section(may, names, self._launched(names, sets))
        return None if section is None else replace(section, condition=None)  # else nothing is accessed

    def overwrites(self, obj: MemoryObject) -> bool:
        """Is every element of the declared array `obj` certainly written?"""
        lengths = ty.constant_lengths(obj.symbol.type)
        found = [access for access in self._accesses if access.obj == obj]
        if not lengths or any(access.mode.reads for access in found):
            return False
        # A member, or a bit-field, is not its whole element.
        element = ty.unqualified(ty.element_of(obj.symbol.type))
        whole = [access for access in found if ty.unqualified(access.node.type) == element]
        return answered(partial(self._is_whole, whole, lengths), False, self._loop.loc)

    def _is_whole(self, accesses: Sequence[Access], lengths: Sequence[int]) -> bool:
        must = self._union({}, accesses, rank=len(lengths), certain=True)
        return must is not None and bool(self._box(lengths).is_subset(must))

    def _union(
        self,
        names: Names,
        found: Sequence[Access],
        rank: int,
        certain: bool,
        more: Sequence[Piece] = (),
        others: bool = True,
        sets: Sets | None = None,
    ) -> isl.Set | None:
        """The union of the elements of all accesses, and `more`; None when a set that must be known is not affine.

        With `certain`, accesses that may not happen are left out instead of making the answer unknown. Else the answer
        may have elements too many: nothing is known of loops whose bounds are not affine; nor, without the `others`,
        of loops and conditions that do not decide which element it is, but whether there is any.
        """
        pieces = list(more)
        for access in found:
            if certain and not self._relations.is_certain(access, where_held=True):
                continue
            piece = self._elements(names, access, rank, certain, others)
            if piece is not None:
                pieces.append(piece)
            elif not certain:
                return None
        return (sets or self._sets).of(names.values(), *dict.fromkeys(pieces)) if pieces else None

    def _in_bounds(self, obj: MemoryObject) -> list[Piece]:
        """The elements that the bounds of the parallel loops read, which are evaluated in any case: `p->n` reads 0."""
        bounds = [e for loop in self._loop.loops[:1] for e in (loop.lower, loop.upper) if e is not None]
        found = [direct_subscripts(node, obj) for bound in bounds for node in evaluated(bound)]
        outer = len(obj.path) - 1
        values = [constant_value(subscripts[-1]) for subscripts in found if subscripts and len(subscripts) == outer + 1]
        return [Piece(("a0",), (f"a0 = {value}",)) for value in values if value is not None]

    def _launched(self, names: Names, sets: Sets | None = None) -> isl.Set:
        """The values of the parameters for which anything is launched at all: no parallel loop is empty.

        The launcher does not know that of a loop whose bounds depend on outer ones.
        """
        points = _Launched(parameters=names)
        for bounds in self._relations.bounds([loop for loop in self._loop.loops if not loop.dependent]):
            points.has_entered(bounds)
        return (sets or self._sets).of(names.values(), points.piece(None))

    def _elements(self, names: Names, access: Access, rank: int, certain: bool, others: bool) -> Piece | None:
        """The accessed elements: { [a0, a1] : exists i0, i1: domain and a0 = ... }."""
        if access.function is not None or is_beyond_type(access.node):
            return None
        relation = self._relations.of(access, self._relations.around(access))
        subscripts = relation.subscripts[access.outer : access.outer + rank]
        if not others:
            relation = relation.deciding(subscripts)
        points = _Launched(parameters=names)
        if relation.loops:
            points.has_entered(relation.loops[0])  # the outermost has an iteration, or nothing is launched
        entered = [points.has_entered(bounds) for bounds in relation.loops[1:]]
        entered += [points.has_held(condition) for condition in relation.conditions]
        if certain and not all(entered):
            return None
        values = [None if subscript is None else points.text(subscript) for subscript in subscripts]
        if len(values) < rank or None in values:
            return None
        return points.piece(tuple(f"a{k}" for k in range(rank)), *(f"a{k} = {v}" for k, v in enumerate(values)))

    def _box(self, lengths: Sequence[int]) -> isl.Set:
        names = tuple(f"a{k}" for k in range(len(lengths)))
        return self._sets.of((), Piece(names, tuple(f"0 <= a{k} < {length}" for k, length in enumerate(lengths))))


@dataclass(slots=True)
class _Launched(Points):
    """The iterations of one launch, in terms of variables that the launcher has, and no products or quotients of them.
    `unknown`: the counters of loops whose bounds are not affine.
    """

    unknown: set[Factor] = field(default_factory=set)

    def has_entered(self, bounds: Bounds) -> bool:
        entered = Points.has_entered(self, bounds)
        if not entered:
            self.unknown.add(bounds.counter)
        return entered

    def parameter(self, factors: Monomial) -> str | None:
        known = len(factors) == 1 and isinstance(factors[0], t.Symbol) and factors[0] not in self.unknown
        return Points.parameter(self, factors) if known else None

    def _is_dimension(self, quotient: Quotient) -> bool:
        return False


def is_beyond_type(lvalue: t.Expr) -> bool:
    """Can the access reach past the size of the struct type, into an array at its end?"""
    selections = access_path(lvalue).selections
    return any(s.record is not None and ty.is_trailing_array(s.record, s.member) for s in selections)


def _same_ends(may: isl.Set, must: isl.Set) -> bool:
    return bool(may.lexmin().is_equal(must.lexmin()) and may.lexmax().is_equal(must.lexmax()))


def _step(elements: isl.Set) -> int:
    """How far they are apart, at least: 7 of those with the numbers `7 * i + n`."""
    stride = elements.get_stride(0)
    return int(stride.to_python()) if stride.is_int() and 1 < stride.to_python() <= _FURTHEST_STEP else 1


def _as_section(elements: isl.Set, names: Names, launched: isl.Set) -> Section | None:
    """None where there are numbers in it that C's integers do not have: the subscript wraps round."""
    domain = elements.params()
    build = isl.AstBuild.from_context(domain.intersect(launched))
    lower = build.expr_from_pw_aff(elements.dim_min(0)).to_C_str()
    upper = build.expr_from_pw_aff(elements.dim_max(0)).to_C_str()
    extra = domain.gist(launched)
    condition = None
    if not launched.is_subset(domain):
        condition = isl.AstBuild.from_context(launched).expr_from_set(extra).to_C_str()
    if any(int(number) > _MOST for number in re.findall(r"\d+", f"{lower} {upper} {condition}")):
        return None
    used = re.findall(r"p\d+", f"{lower} {upper} {condition}")
    symbols = {name: symbol for (symbol,), name in names.items() if name in used and isinstance(symbol, t.Symbol)}
    return Section(
        _spelled(lower, symbols),
        _spelled(upper, symbols),
        None if condition is None else _spelled(condition, symbols),
        tuple(sorted(symbols.values(), key=lambda symbol: symbol.position)),
    )


def _spelled(text: str, symbols: Mapping[str, t.Symbol]) -> str:
    """isl's C text with the user's names; widened, since isl reorders sums that the user's int arithmetic keeps in
    range, and compares numbers that C would convert: `n >= lo + 1` with `size_t n` and a negative `lo`.
    """
    return re.sub(r"p\d+", lambda match: _wide(symbols[match.group()]), text)


def _wide(symbol: t.Symbol) -> str:
    kind = symbol.type
    is_wide = isinstance(kind, ty.Int) and kind.signed and kind.size == 8
    return symbol.name if is_wide else f"(long long){symbol.name}"

