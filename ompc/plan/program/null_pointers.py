"""Plan: automatic pointers that some path leaves without a value: they begin as null pointers.

    double *ext;                               double *ext = 0;
    if (neighbours)
        ext = receive(neighbours);
    #pragma omp parallel for                   OMPC_OFFLOAD(ompc_smooth_y(n, x, ext, ...))
    for (i = 0; i < n; i++)
        ... for (j = first[i]; j < first[i + 1]; j++) sum += ext[j];

The launcher is given the pointer before anybody knows whether an iteration reads through it. Where it holds what the
stack had there, it leads to no object that the runtime knows, and the loop would be refused (OMPC452), though all rows
are empty. A program that read the pointer on such a path would have no defined behaviour (C11 6.3.2.1, 6.7.9): so it
may have any value, and a null pointer is one that launchers pass on.

Those of the outermost block of a function, where a declaration is met once. In functions with `goto` they stay: people
rely on what the stack still has behind a jump back.

In: the plan, the unit, the user's text.   Out: the plan with the pointers, as they stand in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.frontend.array_declarations import find_plain_declarator
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto
from ompc.plan.model.plan import Plan
from ompc.plan.model.program_text import ProgramText


def with_null_pointers(plan: Plan, unit: t.Unit, text: str, expanded: str) -> Plan:
    """`text`: the user's; `expanded`: preprocessed. What a macro declares, or another one names there, stays."""
    kernels = [kernel for region in plan.on_device for _, kernel in region.kernels]
    used = {array.symbol for kernel in kernels for array in kernel.arrays if isinstance(array.symbol.type, ty.Pointer)}
    found = [symbol for symbol in _unset(unit, used) if symbol.loc.file == unit.file] if used else []
    if not found:
        return plan
    texts = ProgramText(unit, text, expanded)
    placed = (symbol for symbol in found if _is_placed(symbol, texts))
    return replace(plan, null_pointers=tuple(placed))


def _is_placed(symbol: t.Symbol, texts: ProgramText) -> bool:
    place = (symbol.name, symbol.loc.file, symbol.loc.line)
    return all(find_plain_declarator(words, *place) is not None for words in (texts.source, texts.own))


def _unset(unit: t.Unit, used: set[t.Symbol]) -> Iterator[t.Symbol]:
    """Of the pointers that kernels use, those that may be read before they have a value."""
    for function in unit.functions.values():
        if not isinstance(function.body, t.Block) or has_goto(function.body):
            continue
        items = function.body.items
        for position, item in enumerate(items):
            wanted = [symbol for symbol in _declared(item) if symbol in used]
            if wanted:
                exposed = exposed_reads(t.Block(item.loc, items[position + 1 :]))
                yield from (symbol for symbol in wanted if symbol in exposed)


def _declared(item: t.Stmt) -> Iterator[t.Symbol]:
    """Automatic variables without an initialiser whose address nobody takes."""
    for declaration in item.decls if isinstance(item, t.DeclStmt) else ():
        symbol = declaration.symbol
        is_kept = symbol.address_taken or "volatile" in symbol.type.quals
        if declaration.init is None and symbol.storage is t.Storage.AUTO and not is_kept:
            yield symbol
