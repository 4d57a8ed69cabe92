"""Worksharing constructs in the body of a `distribute` loop that one thread can run alone (OpenMP 5.2, 5.4).

    #pragma omp target teams distribute
    for (i = 0; i < n; i++) {
        double s = 0;
        #pragma omp parallel for reduction(+:s)     run as the plain loop that it is: any number of threads may be one
        for (j = 0; j < m; j++)
            s += a[i * m + j];
        b[i] = s;
    }

A private variable of such a construct is a new object. The thread's own variable serves in its place when nothing
outside such constructs names it; then each thread of the kernel needs one (`private`). A lastprivate variable ends as
the plain variable does.

In: the body.   Out: `Alone`.
Not here: thread numbers and barriers, which the kernel refuses anyway -- analysis/eligibility/device_code.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir.directive import Directive
from ompc.ir.queries import changed_in, declared_in, names_in, nodes, statements_in, symbols_in
from ompc.ir.tree import Pragma, Stmt, Symbol
from ompc.ir.walk import Node
from ompc.omp.constructs import openmp
from ompc.omp.loops import associated_loops, canonical_loops

_CONSTRUCTS = frozenset({"parallel for", "parallel for simd", "parallel loop", "loop", "simd"})
_CLAUSES = frozenset(
    {
        "private", "firstprivate", "lastprivate", "shared", "default", "reduction", "schedule", "collapse",
        "num_threads", "if", "proc_bind", "nowait", "order", "safelen", "simdlen", "aligned", "nontemporal", "bind",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alone:
    """The constructs that one thread runs; the variables of which it then needs its own; or why it cannot."""

    pragmas: frozenset[Pragma] = frozenset()
    private: frozenset[Symbol] = frozenset()
    problem: Reason | None = None


def alone_in(body: Stmt) -> Alone:
    """The worksharing constructs below `body`. Pragmas of other kinds are left to later stages."""
    own: dict[Symbol, list[Pragma]] = {}
    found: set[Pragma] = set()
    for pragma in (s for s in statements_in(body) if isinstance(s, Pragma)):
        directive = openmp(pragma)
        if directive is None or directive.name not in _CONSTRUCTS or pragma.body is None:
            continue
        problem = directive.problem or _unsupported(directive, pragma)
        if problem is not None:
            return Alone(problem=problem)
        found.add(pragma)
        for symbol in _private(directive, pragma.body):
            own.setdefault(symbol, []).append(pragma)
    for symbol, pragmas in own.items():
        if not _is_confined(symbol, body, pragmas):
            message = f"`{symbol.name}` is private in a parallel loop and used outside of it"
            return Alone(problem=Reason("OMPC352", message, pragmas[0].loc))
    local = declared_in(body)
    return Alone(frozenset(found), frozenset(symbol for symbol in own if symbol not in local))


def _unsupported(directive: Directive, pragma: Pragma) -> Reason | None:
    for clause in directive.clauses:
        if clause.name not in _CLAUSES:
            return Reason("OMPC304", f"the clause `{clause.name}` is not supported", pragma.loc)
    changed = may_be_changed_in(pragma.body) if pragma.body is not None else set()
    for clause in directive.all("firstprivate"):
        for symbol in clause.symbols:
            if symbol in changed:
                message = f"`{symbol.name}` is firstprivate in a parallel loop of the body, and changed there"
                return Reason("OMPC352", message, pragma.loc)
    return None


def may_be_changed_in(statement: Stmt) -> frozenset[Symbol]:
    """The variables that `statement` may change, as far as its text tells."""
    return changed_in(statement) | {symbol for symbol in symbols_in(statement) if symbol.address_taken}


def _private(directive: Directive, body: Stmt) -> Iterator[Symbol]:
    """The variables of which the construct makes new objects."""
    for clause in directive.all("private"):
        yield from clause.symbols
    loops = canonical_loops(body, associated_loops(directive))
    if not isinstance(loops, Reason):
        yield from (loop.pointer or loop.var for loop in loops if not loop.declared_here)


def _is_confined(symbol: Symbol, body: Stmt, pragmas: list[Pragma]) -> bool:
    """Is `symbol` named only in these constructs?"""
    inside: set[Node] = set()
    for pragma in pragmas:
        if pragma.body is not None:
            inside.update(nodes(pragma.body))
    names = names_in(body).get(symbol, ())
    return all(name in inside for name in names)
