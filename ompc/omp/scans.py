"""Prefixes: a loop whose reductions are `inscan`, and the `scan` directive that parts its body (OpenMP 5.2, 5.6).

    #pragma omp parallel for reduction(inscan, + : s)
    for (i = 0; i < n; i++) {
        s += a[i];                        the input phase: what the iteration puts in
    #pragma omp scan inclusive(s)
        b[i] = s;                         the scan phase: sees what all iterations up to its own have put in
    }

With `exclusive(s)` the scan phase stands first, and sees what the iterations before its own have put in.

In: the directive, the loop's body, its reductions.   Out: `Scan`, None where no reduction is `inscan`, or the reason
why not (OMPC304).
Not here: where the phases go -- transform/scan_phases.py; that the phases are apart -- analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.base.diagnostics import Reason
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.queries import statements_in
from ompc.ir.tree import Block, Pragma, Stmt, Symbol
from ompc.omp.model import CanonicalLoop, ReductionItem, Scan, Sharing

INSCAN = "inscan"
_CONSTRUCTS = frozenset({"for", "for simd", "parallel for", "parallel for simd"})
"""On others OpenMP has no `inscan`, or its loop has no threads."""


def scan_directive(body: Stmt | None) -> Pragma | None:
    """The directive that parts `body`, the only one in it, and with nothing around it but the body's braces."""
    found = [s for s in statements_in(body) if _is_scan(s)] if body is not None else []
    if len(found) != 1 or not isinstance(body, Block):
        return None
    return next((item for item in body.items if isinstance(item, Pragma) and item is found[0]), None)


def _is_scan(statement: Stmt) -> bool:
    return isinstance(statement, Pragma) and statement.directive.name == "scan"


def scan_of(
    directive: Directive,
    loops: Sequence[CanonicalLoop],
    sharing: Mapping[Symbol, Sharing],
    items: Sequence[ReductionItem],
) -> Scan | Reason | None:
    """What the loop's `scan` says; `items` are its reductions."""
    clauses = directive.all("reduction")
    inscan = [clause for clause in clauses if INSCAN in clause.modifiers[:-1]]
    if not inscan or not loops:
        return None
    parting = scan_directive(loops[-1].body)
    if directive.name not in _CONSTRUCTS:
        return _unsupported(directive, f"on `{directive.name}`")
    if len(inscan) != len(clauses):
        return _unsupported(directive, "beside reductions without it")
    if any(loop.dependent for loop in loops):
        return _unsupported(directive, "in a nest whose bounds depend on outer loops")
    if parting is None or parting.directive.problem is not None:
        return _unsupported(directive, "without one `scan` in the outermost braces of the loop")
    lists = parting.directive.clauses
    if len(lists) != 1 or {item.symbol for item in lists[0].listed} != {item.symbol for item in items}:
        return _unsupported(directive, "of other variables than `scan` names")
    for item in items:
        if sharing.get(item.symbol) is not Sharing.REDUCTION or isinstance(item.symbol.type, ty.Array):
            return _unsupported(directive, f"for `{item.symbol.name}`, which is more than one value,")
    return Scan(lists[0].name == "inclusive")


def _unsupported(directive: Directive, what: str) -> Reason:
    return Reason(
        "OMPC304", f"the clause `reduction` with the modifier `{INSCAN}` {what} is not supported", directive.loc
    )
