"""Plan: a loop's second version, for launches in which two of its pointers are equal (loop versioning, `auto`).

    void residual(double *r, const double *v, ...)       called as residual(r, v), and as residual(r, r)
    {
        #pragma omp parallel for
        for (i ...) r[i] = v[i] - ...;                   the second version: r[i] = r[i] - ...
    }

A kernel relies on it that its arrays do not overlap, and its launcher refuses the launch where they do. Where a call of
the program gives two parameters one pointer, that is what the program does. In the second version one name stands for
both, so that all analyses see one object; it is a loop of its own, with its own axes and forms, and its proofs hold
for one array where those of the first hold for two. The launcher compares the pointers, and the lengths of rows where
these are variables.

Versions are made only where a call says that they are needed: each is a kernel more to read and to compile. Threads of
a team agree on the values of all pointers before one of them compares these. Where nobody promises that iterations are
independent, that is proved of the second version as of the first. Not of target constructs, whose map
clauses name the variables, nor of loops with tables of what each thread has (transform/threads): these are the first
launcher's, and phases were proved of other objects.

    In: Facts, SharedBlocks.   Out: pairs of pointers, the Facts of the second version.
    Source: D. F. Bacon, S. L. Graham, O. J. Sharp, "Compiler Transformations for High-Performance Computing", 1994, on
    run-time disambiguation.
    Not here: pointers into one block that are not equal -- parameters/shared_blocks.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import with_symbols
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.model.plan import RegionPlan, Version
from ompc.plan.model.variable import Role
from ompc.plan.parameters.shared_blocks import SharedBlocks

Equal = Mapping[t.Symbol, t.Symbol]
"""Pointers, each with the one that stands for it."""


def equal_pointers(facts: Facts, blocks: SharedBlocks) -> Equal:
    """The pointers that are equal to another one in some call, each with the one that stands for it; that is written,
    where one of the two is.
    """
    loop = facts.loop
    if loop.target is not None or loop.thread_copies or loop.phases is not None:
        return {}
    found: dict[t.Symbol, t.Symbol] = {}
    pointers = [obj.symbol for obj in facts.shared_objects if obj.path == (PLAIN,) and _is_constant(facts, obj)]
    written = {obj.symbol for obj in facts.written if obj.path[:1] == (PLAIN,)}  # behind it, or behind what is there
    for pair in combinations(pointers, 2):
        stands, other = sorted(pair, key=lambda symbol: symbol not in written)
        if stands not in written or not {stands, other}.isdisjoint(found):
            continue
        if _are_alike(stands.type, other.type) and blocks.are_one_in_a_call(stands, other):
            found[other] = stands
    return found


def _is_constant(facts: Facts, pointer: MemoryObject) -> bool:
    """Has the pointer one value in all of the loop, which is no promise of its own?"""
    symbol = pointer.symbol
    if facts.loop.sharing.get(symbol, Sharing.SHARED) is not Sharing.SHARED or "restrict" in symbol.type.quals:
        return False
    return not symbol.address_taken and MemoryObject(symbol) not in facts.written


def _are_alike(a: ty.Type, b: ty.Type) -> bool:
    """May one pointer stand for the other, if variable lengths are equal?"""
    match ty.unqualified(a), ty.unqualified(b):
        case (ty.Pointer(to=x), ty.Pointer(to=y)) | (ty.Array(of=x), ty.Array(of=y)) if _same_length(a, b):
            return _are_alike(x, y)
        case x, y:
            return x == y


def _same_length(a: ty.Type, b: ty.Type) -> bool:
    """The launcher compares lengths that are variables."""
    lengths = [kind.length for kind in (a, b) if isinstance(kind, ty.Array)]
    return not lengths or lengths[0] == lengths[1] or all(isinstance(length, t.Expr) for length in lengths)


def with_equal_pointers(facts: Facts, equal: Equal) -> Facts | Reason:
    """The facts of the version in which the values of `equal` stand for its keys; its id says so."""

    def of_version(axis: CanonicalLoop) -> CanonicalLoop:
        lower, upper = with_symbols(axis.lower, equal), with_symbols(axis.upper, equal)
        return replace(axis, lower=lower, upper=upper, step=with_symbols(axis.step, equal))

    loop = facts.loop
    body = with_symbols(facts.device_code.body, equal)
    loops = tuple(map(of_version, loop.loops))
    loops = (*loops[:-1], replace(loops[-1], body=body))
    sharing = {symbol: how for symbol, how in loop.sharing.items() if symbol not in equal}
    return gather_again(facts, replace(loop, id=f"{loop.id}_equal", body=body, loops=loops, sharing=sharing))


def without_extras(options: Options) -> Options:
    """The version shares the loop's tuned shapes and what the runtime has counted of its rows no more than its name."""
    return replace(options, without=options.without | {"tuned-shapes", "block-rows"})


def version_of(region: RegionPlan, made: RegionPlan, equal: Equal) -> Version | None:
    """`made` as a version of `region`; None where its launcher needs what the other one does not have."""
    if region.kernel is None or made.kernel is None or made.call_condition != region.call_condition:
        return None
    names = {argument.host_text: argument.name for argument in reversed(region.kernel.arguments)}
    if not all(argument.host_text in names for argument in made.kernel.arguments):
        return None
    arguments = tuple(names[argument.host_text] for argument in made.kernel.arguments)
    lengths = {v.symbol: v.dimensions for v in region.variables if v.role is Role.ARRAY}
    if not lengths.keys() >= {*equal, *equal.values()}:
        return None  # one of them is read before the launch, at elements that it does not change (fixed_reads.py)
    if any(len(lengths[a]) != len(lengths[b]) for a, b in equal.items()):
        return None
    pairs = [(names[a.name], names[b.name]) for a, b in equal.items()]
    where = " && ".join(f"{a} == {b}" for a, b in pairs)
    pairs += [(x, y) for a, b in equal.items() for x, y in zip(lengths[a], lengths[b], strict=True) if x is not y]
    return Version(replace(made, where=where), equal, tuple(pairs), arguments)
