"""Plan: which heap blocks are allocated page-locked (`--opt thesis`; thesis 4.3).

    double *x = malloc(n * sizeof *x);        double *x = ompc_malloc_host_block(n * sizeof *x);

The calls that the memory behind a transferred pointer comes from (thesis/heap_origins.py) get another function's name.
Whatever the program then does with a block stays right: `free` and `realloc` know such a block by its address. So the
only conditions are that the name stands in the user's own file as plain text, and that nothing else than `free` and
`realloc` asks malloc about its blocks.

    In: the unit, the transferred pointers, the program's text.
    Out: the calls to change, the pointers whose blocks all come from them; for each of the others the reason.
    Not here: the edits -- render/host/pinned.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ompc.base.frozen import dataclass
from ompc.frontend.tokens import Token
from ompc.ir import tree as t
from ompc.plan.model.host_edits import HeapAllocation
from ompc.plan.model.program_text import ProgramText
from ompc.plan.thesis.heap_origins import ALLOCATORS, HeapOrigins, NotSeen

_ASKS_MALLOC = frozenset({"malloc_usable_size", "malloc_trim", "mallopt", "__libc_free", "__libc_realloc"})
_DEFINES_ALLOCATOR = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?:malloc|calloc)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HeapBlocks:
    """`allocations` in the order of the text; `pageable`: why not, as one clause of a sentence."""

    allocations: tuple[HeapAllocation, ...]
    pointers: frozenset[t.Symbol]
    pageable: Mapping[t.Symbol, str]


def heap_blocks(unit: t.Unit, transferred: Iterable[t.Symbol], source_text: str, expanded: str) -> HeapBlocks:
    """Decide for each pointer of `transferred`. `expanded` is what `cc -E -fopenmp` makes of `source_text`."""
    texts = ProgramText(unit, source_text, expanded)
    origins = HeapOrigins(unit)
    found: dict[t.Symbol, frozenset[t.Call]] = {}
    pageable: dict[t.Symbol, str] = {}
    for pointer in transferred:
        try:
            found[pointer] = origins.calls(pointer)
        except NotSeen as unseen:
            pageable[pointer] = str(unseen)
        if why_not := _program_rule(texts):
            pageable[pointer] = why_not
            found.pop(pointer, None)
    pageable |= _drop_unchangeable(texts, found)
    places = {_allocation(call) for calls in found.values() for call in calls}
    return HeapBlocks(tuple(sorted(places, key=lambda place: (place.at, place.function))), frozenset(found), pageable)


def _program_rule(texts: ProgramText) -> str | None:
    asks = sorted(texts.calls & _ASKS_MALLOC)
    if texts.unsuitable is not None or asks:
        return texts.unsuitable or f"{asks[0]} knows only what malloc has allocated"
    if any(_DEFINES_ALLOCATOR.search(text) for text in texts.own_files):
        return "a macro has the name of malloc or calloc"
    return None


def _allocation(call: t.Call) -> HeapAllocation:
    assert isinstance(call.function, t.Name)
    return HeapAllocation(call.function.symbol.name, call.loc)


def _drop_unchangeable(texts: ProgramText, found: dict[t.Symbol, frozenset[t.Call]]) -> dict[t.Symbol, str]:
    """Take away the pointers with a call that cannot be changed in the text. All calls of a line change, or none."""
    dropped: dict[t.Symbol, str] = {}
    written, expanded = _calls_in(texts.source), _calls_in(texts.expanded)
    while True:
        wanted = Counter(_place(call) for call in frozenset[t.Call]().union(*found.values()))
        unchangeable = {at for at in wanted if not wanted[at] == written[at] == expanded[at]}
        losing = {pointer: {_place(call) for call in calls} & unchangeable for pointer, calls in found.items()}
        for pointer, places in losing.items():
            if places:
                line = min(line for _, _, line in places)
                dropped[pointer] = f"its allocation at line {line} is not a plain call in the text of this file"
                del found[pointer]
        if not any(losing.values()):
            return dropped


_Place = tuple[str, str, int]
"""A function's name, a file, a line."""


def _place(call: t.Call) -> _Place:
    return _allocation(call).function, call.loc.file, call.loc.line


def _calls_in(found: Sequence[Token]) -> Counter[_Place]:
    return Counter(
        (name.text, name.file, name.line)
        for name, after in pairwise(found)
        if name.text in ALLOCATORS and after.text == "("
    )
