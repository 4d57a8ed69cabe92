"""Private variables of `simd` constructs made explicit (OpenMP 5.2, 10.4): a sequential loop with variables of its own.

    #pragma omp simd private(t)              {
    for (j = 0; j < m; j++) {                    double t;
        t = x[j]; y[j] = t * t;                  #pragma omp simd
    }                                            for (j = 0; j < m; j++) { t = x[j]; y[j] = t * t; }
                                             }

The variable outside keeps its value, and where it is shared the loop does not race for it. Every later stage then sees
an ordinary block. The user's text is not touched: what runs on the host is compiled from it.

In: the typed tree.   Out: the same tree but for such constructs.
Not here: lastprivate and reduction, which a sequential loop does on the variable itself; linear; combined constructs.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, cast

from ompc.ir import types as ty
from ompc.ir.directive import Clause, Directive, Operand, Section
from ompc.ir.rewrite import parts_of
from ompc.ir.tree import Block, DeclStmt, Expr, Name, Pragma, Stmt, Storage, Symbol, Unit, VarDecl
from ompc.ir.walk import walk
from ompc.omp.constructs import readable

N = TypeVar("N")


def with_simd_copies(unit: Unit) -> Unit:
    """`unit` with a block around every `simd private(...)` loop that declares the private variables."""
    functions = dict(unit.functions)
    for name, function in unit.functions.items():
        if function.body is not None and any(map(_is_candidate, walk(function.body))):
            functions[name] = replace(function, body=rebuilt(function.body, {}))
    return replace(unit, functions=functions)


def _is_candidate(node: object) -> bool:
    return isinstance(node, Pragma) and node.directive.name == "simd" and node.directive.first("private") is not None


def rebuilt(node: N, renamed: Mapping[Symbol, Symbol]) -> N:
    """`node` with the symbols in `renamed` exchanged; itself where nothing changes."""
    if isinstance(node, tuple):
        items = tuple(rebuilt(item, renamed) for item in node)
        return cast(N, items) if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not isinstance(node, (Expr, Stmt, VarDecl)):
        return node
    if isinstance(node, Name):
        return cast(N, replace(node, symbol=renamed[node.symbol])) if node.symbol in renamed else node
    copies = _copies(node)
    if copies:
        return cast(N, _with_declarations(cast(Pragma, node), renamed, copies))
    changed = {name: rebuilt(getattr(node, name), renamed) for name in parts_of(node)}
    if isinstance(node, Pragma):
        changed["scope"], changed["directive"] = _scope(node, renamed), _directive(node.directive, renamed)
    same = all(value is getattr(node, name) for name, value in changed.items())
    return node if same else replace(node, **changed)


def _scope(pragma: Pragma, renamed: Mapping[Symbol, Symbol]) -> Mapping[str, Symbol]:
    hidden = {old.name: new for old, new in renamed.items() if pragma.scope.get(old.name) is old}
    return ChainMap(hidden, cast("dict[str, Symbol]", pragma.scope)) if hidden else pragma.scope


def _directive(directive: Directive, renamed: Mapping[Symbol, Symbol]) -> Directive:
    if renamed.keys().isdisjoint(directive.named):
        return directive
    clauses = tuple(_clause(clause, renamed) for clause in directive.clauses)
    named, used = (frozenset(renamed.get(s, s) for s in found) for found in (directive.named, directive.used))
    return replace(directive, clauses=clauses, named=named, used=used)


def _clause(clause: Clause, renamed: Mapping[Symbol, Symbol]) -> Clause:
    symbols = tuple(renamed.get(symbol, symbol) for symbol in clause.symbols)
    sections = tuple(None if s is None else _section(s, renamed) for s in clause.sections)
    return replace(clause, symbols=symbols, expr=rebuilt(clause.expr, renamed), sections=sections)


def _section(section: Section, renamed: Mapping[Symbol, Symbol]) -> Section:
    def operand(part: Operand) -> Operand:
        return replace(part, expr=rebuilt(part.expr, renamed))

    first, count = (None if part is None else operand(part) for part in (section.first, section.count))
    return replace(section, base=operand(section.base), first=first, count=count)


def _copies(node: object) -> dict[Symbol, Symbol]:
    """The private variables of a `simd` construct, each with a new one of its type; none if one cannot be declared."""
    if not isinstance(node, Pragma) or node.body is None or not _is_candidate(node):
        return {}
    directive = readable(node)
    listed = [] if directive is None else [symbol for c in directive.all("private") for symbol in c.symbols]
    if any(ty.is_variably_modified(symbol.type) or ty.size_of(symbol.type) is None for symbol in listed):
        return {}
    return {symbol: copy_of(symbol, node) for symbol in listed}


def copy_of(symbol: Symbol, pragma: Pragma) -> Symbol:
    return Symbol(
        symbol.name, symbol.type, Storage.AUTO, pragma.loc, symbol.position, symbol.function, symbol.address_taken
    )


def _with_declarations(pragma: Pragma, renamed: Mapping[Symbol, Symbol], copies: Mapping[Symbol, Symbol]) -> Block:
    """The block that stands for the construct."""
    assert pragma.body is not None
    inside = {**renamed, **copies}
    declarations = tuple(VarDecl(copy, None, pragma.loc) for copy in copies.values())
    left = tuple(clause for clause in pragma.directive.clauses if clause.name != "private")
    directive = _directive(replace(pragma.directive, clauses=left), inside)
    loop = replace(pragma, body=rebuilt(pragma.body, inside), scope=_scope(pragma, inside), directive=directive)
    return Block(pragma.loc, (DeclStmt(pragma.loc, declarations), loop))
