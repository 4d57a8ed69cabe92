"""Plan: objects at file scope of which the runtime is told, and those that get pages of their own.

In: the unit, the kernels, the options.   Out: symbols of arrays and structs.
Not here: objects in functions -- thesis/automatic_objects.py, thesis/static_objects.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ompc.analysis.memory.memory_objects import target_type
from ompc.base.options import Options
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.mapping.mapping import Kernel


def structs_behind_pointers(kernels: Sequence[Kernel]) -> frozenset[ty.Record]:
    """The types of structs to which pointers of the kernels lead."""
    targets = (target_type(d.obj) for kernel in kernels for d in kernel.parameters if d.obj.pointee)
    return frozenset(target.record for target in map(ty.element_of, targets) if isinstance(target, ty.Struct))


def registered_globals(
    unit: t.Unit, pinned: Collection[t.Symbol], records: Collection[ty.Record]
) -> tuple[t.Symbol, ...]:
    """File-scope arrays of the user's own file, and structs to which, or into which, pointers lead:
    the runtime finds a pointer into one of them by its address.
    """
    return tuple(
        decl.symbol
        for decl in unit.variables
        if (isinstance(decl.symbol.type, ty.Array) or _is_passed_on(decl.symbol, records))
        and ty.size_of(decl.symbol.type)
        and decl.symbol.storage in (t.Storage.GLOBAL, t.Storage.FILE_STATIC)
        and not decl.symbol.threadprivate
        and decl.symbol not in pinned
    )


_SECTION = re.compile(r"\b(?:section|__section__)\s*\(\s*\"")
"""An attribute; `#pragma omp section` is none, and comments may have the word."""

_WORTH_PAGES = 16 * 1024
"""The least size in bytes of an array that gets pages of its own. Rounding up smaller ones to whole pages would waste
much memory.
"""


def arrays_apart(expanded: str, unit: t.Unit, options: Options, pinned: Collection[t.Symbol]) -> tuple[t.Symbol, ...]:
    """Arrays without an initializer, for which the section of arrays is right: not where the user places objects
    in sections himself (`expanded` is the preprocessed text), or where several files may define one array together.
    """
    flags = (*options.cpp_flags, *options.compile_flags)
    places = "-fcommon" in flags or _SECTION.search(expanded) is not None
    if not options.does("own-pages") or places:
        return ()
    return tuple(
        decl.symbol
        for decl in unit.variables
        if isinstance(decl.symbol.type, ty.Array)
        and (ty.size_of(decl.symbol.type) or 0) >= _WORTH_PAGES
        and decl.symbol.storage in (t.Storage.GLOBAL, t.Storage.FILE_STATIC)
        and decl.init is None
        and "const" not in ty.element_of(decl.symbol.type).quals
        and not decl.symbol.threadprivate
        and decl.symbol not in pinned
    )


def _is_passed_on(symbol: t.Symbol, records: Collection[ty.Record]) -> bool:
    kind = symbol.type
    return isinstance(kind, ty.Struct) and (kind.record in records or symbol.address_taken)
