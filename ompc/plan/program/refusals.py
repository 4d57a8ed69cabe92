"""Plan: launches that will be, or are likely to be, refused when the program runs, as far as its text says.

    int *bins = alloca(n); count(bins, n);      certain (OMPC452): nobody knows how large the array is
    p = work; q = work + n;  q[i] = p[at[i]];   likely (OMPC453): how far `p` is accessed is not known, and for the
                                                launcher that is up to the end of the block, in which `q` is
    int me = omp_get_thread_num(); ...          certain (OMPC458): the threads have different values

What a pointer can point to is known where the whole program is seen. Certain is what happens at every launch, of a
team of several threads; likely, what happens where one of several objects is behind the pointer, or one block of
several that a statement allocates.

    In: a region, what its variables can be part of.   Out: tuple[Refusal, ...].
    Not here: what the launcher alone finds out: sections that overlap, memory that is short, missing devices.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeGuard

from ompc.analysis.flow.thread_dependence import made_of, of_one_thread
from ompc.analysis.host.host_objects import Block, Object, Temporary
from ompc.analysis.host.host_objects import Variable as HostVariable
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.omp.uses import NUMBER
from ompc.plan.model.launch import Agreement
from ompc.plan.model.plan import RegionPlan
from ompc.plan.model.variable import Variable

_ON_STACK = frozenset({"alloca", "__builtin_alloca"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """The launcher will leave the loop to the host, with `code`: `words` is a clause. `at`: what it is because of."""

    code: str
    certain: bool
    words: str
    at: Location | None


def unknown_extent(v: Variable, objects: Sequence[Object], registered: Collection[t.Symbol]) -> Refusal | None:
    """`registered`: automatic objects of which the runtime is told. The pointer `v` needs the size of a block."""
    unknown = [(each, at) for each in objects if (at := _without_size(each, registered)) is not None]
    if not unknown:
        return None
    first, at = unknown[0]
    words = f"`{v.label}` points to {_described(first)}, whose size the runtime does not know"
    return Refusal("OMPC452", len(unknown) == len(objects), words, at)


def _without_size(each: Object, registered: Collection[t.Symbol]) -> Location | None:
    """Where an object is declared or made that the runtime has no entry of."""
    match each:
        case HostVariable(symbol=symbol) if symbol.storage is t.Storage.AUTO and symbol not in registered:
            return symbol.loc
        case Block() if each.allocator in _ON_STACK:
            return each.call.loc
        case Temporary(of=t.CompoundLiteral() as literal):
            return literal.loc
        case _:
            return None


def _described(each: Object) -> str:
    match each:
        case HostVariable(symbol=symbol):
            return f"the local variable `{symbol.name}` of `{symbol.function}`"
        case Temporary():
            return "a compound literal"
        case _:
            return "memory of alloca"


def overlap(
    a: Variable, b: Variable, objects: Callable[[Variable], Sequence[Object]], reaches_far: Callable[[Variable], bool]
) -> Refusal | None:
    """`reaches_far`: as far as the launcher knows, all of the block around the pointer may be accessed."""
    ours, theirs = objects(a), objects(b)
    common = [each for each in ours if each in theirs and (isinstance(each, HostVariable) or _is_of_main(each))]
    far = a if reaches_far(a) else b if reaches_far(b) else None
    if not common or far is None:
        return None
    certain = len(ours) == len(theirs) == 1 and isinstance(common[0], HostVariable)
    what, at = _common(common[0])
    words = f"`{a.label}` and `{b.label}` point into {what}, and how far `{far.label}` is accessed is not known"
    return Refusal("OMPC453", certain, words, at)


def _is_of_main(each: Object) -> TypeGuard[Block]:
    """Is it one block, as far as the text says? Other functions may be called for several."""
    return isinstance(each, Block) and each.of is None and each.owner is not None and each.owner.name == "main"


def _common(each: HostVariable | Block) -> tuple[str, Location]:
    if isinstance(each, HostVariable):
        return f"`{each.symbol.name}`", each.symbol.loc
    return "one block", each.call.loc


def different_values(region: RegionPlan) -> Iterator[Refusal]:
    """Of a team's loop: variables that are made of the thread's number."""
    if region.loop.team is None or region.kernel is None:
        return
    used = {a.host_text for a in region.kernel.arguments if a.agreement is not Agreement.NONE}
    numbers = made_of(region.loop.team.code, {NUMBER})
    for symbol in sorted(of_one_thread(region.loop), key=lambda symbol: symbol.position):
        if symbol.name in used and symbol in numbers:
            value = numbers[symbol]
            words = f"`{symbol.name}` comes from the thread's number, which is another one in each thread"
            yield Refusal("OMPC458", isinstance(value, t.Call), words, value.loc)
