"""`parallel for` inside the body of a worksharing loop: each thread's own team, of one thread (OpenMP 5.2, 10.1.1).

    #pragma omp parallel for                            #pragma omp parallel for
    for (i = 0; i < n; i++) {                           for (i = 0; i < n; i++) {
        #pragma omp parallel for reduction(+: s)            {
        for (j = 0; j < m; j++) s += a[i][j];                   int j;
        b[i] = s;                                               for (j = 0; j < m; j++) s += a[i][j];
    }                                                       }
                                                            b[i] = s;
                                                        }

Nested regions are not active unless the program asks for it (max-active-levels is 1), and a program that is right with
threads there is right without: the loop is a sequential one with variables of its own. Every later stage then sees an
ordinary block; the user's text is not touched.

A `parallel` region in which its threads do nothing but share loops (`#pragma omp for`) is as well: one after the other,
with the variables that it declares, and barriers are nothing.

A variable of a `reduction` or `lastprivate` clause becomes no copy: a sequential loop does what they say on the
variable itself, if that is only accumulated into, and nothing but the loop's own text can reach it. Nor does one of
`firstprivate`, which must not change.

In: the typed tree.   Out: the same tree but for such constructs; one that does anything else stays (OMPC303, OMPC330).
`as_called_in_loops` says the same of the functions that an iteration calls; on the host they stay what they are.

Not here: regions inside a region that is no loop; nested regions whose threads do something besides loops, which
shows how many there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ompc.base.diagnostics import Reason
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.queries import assigned_in, called, only_reads, reached
from ompc.ir.rewrite import rewritten, with_bodies, with_symbols
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    DeclStmt,
    Empty,
    Expr,
    ExprStmt,
    Function,
    IncDec,
    InitList,
    Name,
    Pragma,
    Stmt,
    Symbol,
    Unit,
    VarDecl,
)
from ompc.ir.walk import Node, walk
from ompc.omp.constructs import constituents, is_made_of, readable
from ompc.omp.loops import associated_loops, canonical_loops
from ompc.omp.model import CanonicalLoop
from ompc.omp.uses import ALL_QUESTIONS, has_side_effects
from ompc.transform.privatise_simd import copy_of

_CLAUSES = frozenset(
    "nowait private firstprivate lastprivate shared default reduction schedule collapse num_threads if proc_bind order"
    " safelen simdlen aligned nontemporal".split()
)
_ACCUMULATE = {"+": ("+=", "-=", "+"), "*": ("*=", "*"), "&": ("&=", "&"), "|": ("|=", "|"), "^": ("^=", "^")}

N = TypeVar("N")


def with_sequential_regions(unit: Unit) -> Unit:
    """`unit` with plain loops in place of the `parallel for` loops that each thread of a loop runs by itself."""
    return with_bodies(unit, _may_be_one, partial(_visited, functions=unit.functions, in_loop=False))


def as_called_in_loops(unit: Unit) -> Unit:
    """`unit` with its functions as iterations of a worksharing loop call them: every `parallel for` there is nested."""
    return with_bodies(unit, _may_be_one, partial(_visited, functions=unit.functions, in_loop=True))


def as_called_in_loop(statement: Stmt, functions: Mapping[str, Function]) -> Stmt:
    """The same of a statement alone."""
    return _visited(statement, functions, in_loop=True)


def _may_be_one(node: object) -> bool:
    if not isinstance(node, Pragma) or node.body is None:
        return False
    return is_made_of(node.directive, "for", "loop") or node.directive.name == "parallel"


def _visited(node: N, functions: Mapping[str, Function], in_loop: bool) -> N:
    """`node` with the constructs below it exchanged; itself where nothing changes."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, Pragma) or not _may_be_one(node):
            return node if isinstance(node, Expr) else None
        directive = readable(node)
        nested = in_loop and directive is not None and node.body is not None and not _asks(node.body, functions)
        plain = _sequential(node, directive) if nested and directive is not None else None
        if plain is not None:
            return _visited(plain, functions, in_loop)
        kinds = frozenset() if directive is None else constituents(directive.name)
        shares = kinds <= {"parallel", "for", "loop"} and not kinds <= {"parallel"}
        body = _visited(node.body, functions, in_loop or shares)
        return node if body is node.body else replace(node, body=body)

    return rewritten(node, change)


def _asks(body: Stmt, functions: Mapping[str, Function]) -> bool:
    """Does a function that it calls ask for a thread? It is one of the inner team, whose number is another one."""
    return any(not ALL_QUESTIONS.isdisjoint(called(code)) for code in reached(body, functions))


def _sequential(pragma: Pragma, directive: Directive) -> Block | None:
    """The block that stands for the construct; None: it is not understood well enough."""
    if directive.name == "parallel":
        return _region(pragma, directive)
    return _loop(pragma, directive) if directive.name in ("parallel for", "parallel for simd") else None


def _region(pragma: Pragma, directive: Directive) -> Block | None:
    """As of _sequential: of a region in which nothing is done but by loops that its threads share."""
    assert pragma.body is not None
    made: list[Stmt] = []
    for item in pragma.body.items if isinstance(pragma.body, Block) else (pragma.body,):
        inner = readable(item) if isinstance(item, Pragma) else None
        if isinstance(item, Pragma) and inner is not None and inner.name in ("for", "for simd"):
            loop = None if item.body is None else _loop(item, inner)
            if loop is None:
                return None
            made.append(loop)
        elif isinstance(item, DeclStmt):
            if any(decl.init is not None and not _only_reads(decl.init) for decl in item.decls):
                return None
            made.append(item)
        elif not isinstance(item, Empty) and (inner is None or inner.name != "barrier"):
            return None
    body = Block(pragma.loc, tuple(made))
    return _with_copies(body, pragma, directive, ()) if _is_understood(body, directive) else None


def _only_reads(value: Expr | InitList) -> bool:
    return isinstance(value, Expr) and only_reads(value)


def _loop(pragma: Pragma, directive: Directive) -> Block | None:
    """As of _sequential: of a loop alone."""
    assert pragma.body is not None
    loops = _loops(pragma.body, directive)
    if loops is None or not _is_understood(pragma.body, directive):
        return None
    return _with_copies(pragma.body, pragma, directive, loops)


def _with_copies(
    statement: Stmt, pragma: Pragma, directive: Directive, loops: Collection[CanonicalLoop]
) -> Block | None:
    """The block with what the construct makes private; None: of something it cannot have one."""
    kept = {s for name in ("lastprivate", "reduction") for clause in directive.all(name) for s in clause.symbols}
    own = [loop.var for loop in loops if not loop.declared_here and loop.var not in kept]
    own += [s for clause in directive.all("private") for s in clause.symbols if s not in own]
    if not all(map(_has_fixed_size, own)):
        return None
    copies = {symbol: copy_of(symbol, pragma) for symbol in own}
    declarations = tuple(VarDecl(copy, None, pragma.loc) for copy in copies.values())
    body = with_symbols(statement, copies)
    return Block(pragma.loc, (DeclStmt(pragma.loc, declarations), body) if declarations else (body,))


def _loops(body: Stmt, directive: Directive) -> tuple[CanonicalLoop, ...] | None:
    loops = canonical_loops(body, associated_loops(directive))
    return None if isinstance(loops, Reason) or any(loop.pointer is not None for loop in loops) else loops


def _is_understood(body: Stmt, directive: Directive) -> bool:
    if any(clause.name not in _CLAUSES for clause in directive.clauses):
        return False
    if any(clause.expr is not None and has_side_effects(clause.expr) for clause in directive.clauses):
        return False
    for clause in directive.all("reduction"):
        forms = _ACCUMULATE.get("+" if clause.modifier == "-" else clause.modifier or "")
        if forms is None or not clause.symbols or not all(_only_accumulated(body, s, forms) for s in clause.symbols):
            return False
    last = (symbol for clause in directive.all("lastprivate") for symbol in clause.symbols)
    first = (symbol for clause in directive.all("firstprivate") for symbol in clause.symbols)
    return all(map(_only_here, last)) and all(_only_here(s) and s not in assigned_in(body) for s in first)


def _only_here(symbol: Symbol) -> bool:
    """Can no pointer and no called function reach the variable?"""
    return symbol.function is not None and not symbol.address_taken and ty.is_scalar(symbol.type)


def _only_accumulated(body: Stmt, symbol: Symbol, forms: Collection[str]) -> bool:
    """Is each use of the variable `s += e`, `s = s + e` or `s++`, as a statement?"""
    updates = [node.expr for node in walk(body) if isinstance(node, ExprStmt)]
    allowed = sum(_names(update, symbol) for update in updates if _accumulates(update, symbol, forms))
    return _only_here(symbol) and allowed == _names_in([body], symbol)


def _accumulates(update: Expr, symbol: Symbol, forms: Collection[str]) -> bool:
    match update:
        case IncDec(operand=Name(symbol=named)):
            return named is symbol and "+=" in forms
        case Assign(op="=", target=Name(symbol=named), value=Binary(op=op, left=Name(symbol=left), right=right)):
            return named is symbol and left is symbol and op in forms and not _names(right, symbol)
        case Assign(op=op, target=Name(symbol=named), value=value):
            return named is symbol and op in forms and not _names(value, symbol)
        case _:
            return False


def _names(expr: Expr, symbol: Symbol) -> int:
    return _names_in([expr], symbol)


def _names_in(code: Iterable[Stmt | Expr], symbol: Symbol) -> int:
    return sum(isinstance(node, Name) and node.symbol is symbol for part in code for node in walk(part))


def _has_fixed_size(symbol: Symbol) -> bool:
    return not ty.is_variably_modified(symbol.type) and ty.size_of(symbol.type) is not None
