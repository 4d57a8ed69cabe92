"""Plan: private arrays that are too large for a thread's local memory, or whose length the compiler does not know.

A private array is declared in the kernel: registers, or CUDA's local memory, of which the hardware interleaves the
words of neighbouring lanes. But local memory is set aside for every thread that the device can hold, and its size is
fixed when the kernel is compiled. So beyond `DEVICE.local_arrays` for one thread, and for variable lengths, the array
gets one more dimension, the threads (array expansion), and lives in a buffer that each launch allocates for its own
threads:

    double work[n];                         body of the loop, or private(work)
    work[k] = ...                           every use is an element: element k of all threads contiguous, so coalesced
    sort(work, n); p = work + k;            else: one part for each thread, which ordinary pointers can point into

The lengths are evaluated by the host at the launch, also where the array is never declared, so they must be the same in
every iteration: integer arithmetic on variables that the loop does not change.

    In: Facts.   Out: for each such array an ExpandedExtent; or a Reason: OMPC325, OMPC333.
    Source: array expansion (Padua and Wolfe, CACM 1986).   Not here: arrays of called functions; how many threads the
    memory suffices for -- runtime/kernel/arrays/ompc_expanded.h.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.integers.invariance import Invariance
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.model import Sharing
from ompc.plan.arguments import without_traps
from ompc.plan.machine import DEVICE
from ompc.plan.model.extent import ExpandedExtent


def expanded_arrays(facts: Facts) -> Mapping[t.Symbol, ExpandedExtent] | Reason:
    """The private arrays of the loop that need memory of the launch's own, or why one cannot have it."""
    candidates = dict.fromkeys((*_by_clause(facts), *_declared(facts)))
    found: dict[t.Symbol, ExpandedExtent] = {}
    for symbol in _own_arrays(facts):
        if ty.is_variably_modified(symbol.type):
            extent = _extent(facts, symbol) if symbol in candidates else None
            if extent is None:
                return Reason("OMPC325", _why_variable(facts, symbol), symbol.loc)
            found[symbol] = extent
    fixed = sorted((s for s in _own_arrays(facts) if s not in found), key=lambda s: (-_bytes(s), s.position))
    while sum(map(_bytes, fixed)) > DEVICE.local_arrays:
        largest = next((symbol for symbol in fixed if symbol in candidates), None)
        if largest is None:
            total, symbol = sum(map(_bytes, fixed)), fixed[0]
            return Reason("OMPC333", f"each thread would need {total} bytes for its own '{symbol.name}'", symbol.loc)
        extent = _extent(facts, largest)
        assert extent is not None, "a length that is a number"
        found[largest] = extent
        fixed.remove(largest)
    return found


def _bytes(symbol: t.Symbol) -> int:
    return ty.size_of(symbol.type) or 0


def _own_arrays(facts: Facts) -> Iterator[t.Symbol]:
    """Every array of which each thread has its own, each once; those of called functions too."""
    found = {symbol: None for symbol, how in facts.loop.sharing.items() if not how.one_for_all}
    declared = {
        n.symbol: None for n in facts.device_code.nodes if isinstance(n, t.VarDecl) and not _is_static(n.symbol)
    }
    yield from (symbol for symbol in found | declared if isinstance(symbol.type, ty.Array))


def _is_static(symbol: t.Symbol) -> bool:
    return symbol.storage is t.Storage.LOCAL_STATIC


def _by_clause(facts: Facts) -> Iterator[t.Symbol]:
    """Arrays that have no value before the loop and none after it."""
    scope = facts.loop.pragma.scope
    for symbol, how in facts.loop.sharing.items():
        if how is Sharing.PRIVATE and isinstance(symbol.type, ty.Array) and scope.get(symbol.name) is symbol:
            yield symbol


def _declared(facts: Facts) -> Iterator[t.Symbol]:
    """Arrays that blocks of the loop's body declare, without initialisers."""
    for node in walk(facts.device_code.body):
        if isinstance(node, t.Block):
            for item in node.items:
                for decl in item.decls if isinstance(item, t.DeclStmt) else ():
                    if isinstance(decl.symbol.type, ty.Array) and decl.init is None and not _is_static(decl.symbol):
                        yield decl.symbol


def _extent(facts: Facts, symbol: t.Symbol) -> ExpandedExtent | None:
    """None: a length is not the same in every iteration, or not known before the launch."""
    lengths: list[int | str] = []
    kind, visible = symbol.type, facts.loop.pragma.scope.get(symbol.name) is symbol
    text = symbol.name

    def is_known(name: t.Symbol) -> bool:
        """Lengths are no accesses: nobody has looked whether the launcher sees the name, and threads the same value."""
        of_thread = name.threadprivate or name.storage is t.Storage.THREAD
        return facts.is_fixed(name) and facts.loop.pragma.scope.get(name.name) is name and not of_thread

    while isinstance(kind, ty.Array):
        if isinstance(kind.length, int):
            lengths.append(kind.length)
        elif visible:
            lengths.append(f"(long)(sizeof({text}) / sizeof({text}[0]))")
        elif kind.length is not None and Invariance(is_known).holds(kind.length):
            lengths.append(f"(long)({c_expr(without_traps(kind.length))})")
        else:
            return None
        kind, text = kind.of, f"{text}[0]"
    return None if ty.is_variably_modified(kind) else ExpandedExtent(tuple(lengths), _only_elements(facts, symbol))


def _why_variable(facts: Facts, symbol: t.Symbol) -> str:
    if symbol in facts.loop.sharing:
        how = facts.loop.sharing[symbol].value
        return f"the {how} variable '{symbol.name}' has a variable size"
    return f"'{symbol.name}' is an array of each iteration's own, whose size is not known before the launch"


def _only_elements(facts: Facts, symbol: t.Symbol) -> bool:
    """Does the code name the array only to read or write one of its elements, whose address it does not take?"""
    addressed = {n.operand for n in facts.device_code.nodes if isinstance(n, t.Unary) and n.op == "&"}
    elements: set[t.Expr] = set()
    for node in facts.device_code.nodes:
        if isinstance(node, t.Index) and not isinstance(node.type, ty.Array) and node not in addressed:
            base: t.Expr = node
            while isinstance(base, t.Index):
                base = base.base
            elements.add(base)
    names = (node for node in facts.device_code.nodes if isinstance(node, t.Name) and node.symbol is symbol)
    return all(name in elements for name in names)
