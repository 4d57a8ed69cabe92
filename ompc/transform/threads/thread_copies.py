"""Array expansion: what each thread of a team has for itself is an element of a table, by the thread's number.

    #pragma omp parallel                              each iteration of the kernel
    {   int *mine = calloc(bins, sizeof *mine);       {   int thread = thread_of_block(i, n, threads);
        int seen[8] = {0};                                #pragma omp atomic
        #pragma omp for                                   mine_of[thread][key[i]]++;
        for (i = 0; i < n; i++) {             ->          #pragma omp atomic
            mine[key[i]]++;                               seen_of[thread][i % 8]++;
            seen[i % 8]++;                            }
        }
    }

Before the launch the table gets what each thread of the team has in its variable; behind it, each of them gets back
what the kernel has left there. Which thread runs an iteration follows from the schedule (thread_numbers.py), so that
each thread finds what it would have found. The iterations of one thread run in their order: the loop is launched only
where it is proved that they may run in any (`ParallelLoop.in_order`).

In: a loop of a team, variables of its threads.   Out: the loop, with the tables in `ParallelLoop.thread_copies`; None:
the schedule does not tell which thread runs an iteration, or a variable cannot be copied.
Not here: which variables need it -- analysis/loops.py; the table -- runtime/launch/ompc_team.h.
Source: Padua and Wolfe, "Advanced compiler optimizations for supercomputers", CACM 1986 (scalar and array expansion).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import labels_in
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop, Succession
from ompc.omp.uses import NUMBER
from ompc.transform.thread_numbers import ThreadAnswers, given_in_team, team_size
from ompc.transform.updates_in_turn import with_updates


def with_thread_copies(loop: ParallelLoop, apart: Collection[t.Symbol]) -> ParallelLoop | None:
    """`loop` with the variable of the thread that runs an iteration in the place of each of `apart`."""
    body, size = loop.body, team_size(loop)
    if loop.team is None or body is None or size is None or labels_in(body) or not loop.loops:
        return None
    bounds = (bound for each in loop.loops for bound in (each.lower, each.upper, each.step) if bound is not None)
    if any(not symbols_in(bound).isdisjoint(apart) for bound in bounds) or not all(map(_is_copied, apart)):
        return None
    made = ThreadAnswers(loop, size, given_in_team(loop, NUMBER))
    thread = made.thread()
    if thread is None:
        return None
    tables = {s: made.variables.pointer(f"{s.name}_of", ty.unqualified_elements(s.type)) for s in _in_order(apart)}

    def change(node: Node) -> Node | None:
        match node:
            case t.Name(symbol=symbol, loc=loc) if symbol in tables:
                table = tables[symbol]
                assert isinstance(table.type, ty.Pointer)
                at = t.Name(thread.type, loc, thread)
                return t.Index(table.type.to, loc, t.Name(table.type, loc, table), at)
            case _:
                return None

    inside = with_updates(rewritten(body, change), {thread})
    if not symbols_in(inside).isdisjoint(tables):
        return None  # in lengths of arrays, which are parts of types
    found = made.variables.with_body(inside)
    because = Succession(f"`{_in_order(apart)[0].name}` of each thread", adds_in_order=False)
    return replace(
        found,
        sharing={symbol: how for symbol, how in found.sharing.items() if symbol not in tables},
        in_order=loop.in_order or because,
        thread_copies={table: symbol for symbol, table in tables.items()},
    )


def _in_order(symbols: Collection[t.Symbol]) -> list[t.Symbol]:
    return sorted(symbols, key=lambda symbol: symbol.position)


def _is_copied(symbol: t.Symbol) -> bool:
    """Numbers, or pointers that no struct has, in one piece of memory that a launcher may name."""
    kind = symbol.type
    element = ty.element_of(kind) if isinstance(kind, ty.Array) else kind
    if ty.is_variably_modified(kind) or not ty.size_of(kind) or symbol.storage is t.Storage.REGISTER:
        return False
    plain = ty.is_number(element) or isinstance(element, ty.Pointer)
    plain = plain or (isinstance(element, ty.Struct) and not ty.has_pointers(element))
    return plain and not element.quals & {"volatile", "_Atomic"}
