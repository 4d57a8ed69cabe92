"""Rematerialisation: what a region's threads make of their numbers in front of a loop is made in each iteration.

    #pragma omp parallel                                 #pragma omp parallel
    {   int me = omp_get_thread_num();                   {   int me = omp_get_thread_num();
        int *mine = counts + me * bins;                      #pragma omp for
        #pragma omp for                                      for (i = 0; i < n; i++) {
        for (i = 0; i < n; i++)                  ->              int *mine = counts + me * bins;
            mine[key[i]]++;                                      mine[key[i]]++;
    }                                                        }
                                                         }

Then the number alone differs from thread to thread, which a kernel can tell (thread_numbers.py). One declaration or
assignment gives the variable the value that it has at the loop (reaching_values.py), by arithmetic on numbers,
addresses of arrays, variables that the region does not change and other such variables, so that it is the same value
wherever that is done again.

In: a loop of a team.   Out: the loop with such declarations in its body; itself where there is none.
Not here: values that are read from memory, or made by functions: threads differ in them (OMPC458).
Source: rematerialisation (Briggs, Cooper, Torczon, PLDI 1992).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import labels_in
from ompc.ir.queries import called, declared_in, symbols_in
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop, Sharing, Team
from ompc.omp.uses import NUMBER
from ompc.transform.thread_numbers import given_in_team, is_question
from ompc.transform.threads.reaching_values import Values, changed_by_all_in, reaching_values

_ARITHMETIC = frozenset("+ - * / % << >> & | ^ == != < <= > >= && ||".split())


def with_thread_values(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with what it uses of its team's variables that are made of a thread's number."""
    team, body = loop.team, loop.body
    if team is None or body is None or loop.is_divided or loop.target is not None or labels_in(team.code):
        return loop
    own = {symbol for symbol, how in loop.sharing.items() if how is Sharing.TEAM_PRIVATE}
    if not loop.loops or own.isdisjoint(symbols_in(body)):
        return loop
    values, of_number = _values(loop, team)
    used = _used(body, values, of_number)
    bounds = (bound for each in loop.loops for bound in (each.lower, each.upper, each.step) if bound is not None)
    bounding = {symbol for bound in bounds for symbol in symbols_in(bound)}
    inside_of = symbols_in(body) | declared_in(body) | {each.var for each in loop.loops} | bounding
    parts = {s for symbol in used for s in symbols_in(values[symbol])} - set(used)
    if not used or not bounding.isdisjoint(used) or _are_confused(parts, inside_of):
        return loop
    copies = _copies(used, {symbol.name for symbol in (inside_of | parts) - set(used)})

    def change(node: Node) -> Node | None:
        if isinstance(node, t.Name) and node.symbol in copies:
            return replace(node, symbol=copies[node.symbol])
        return None

    made = [t.VarDecl(copies[s], rewritten(copied(values[s]), change), s.loc) for s in used]
    inside = t.Block(body.loc, (*(t.DeclStmt(decl.loc, (decl,)) for decl in made), rewritten(body, change)))
    if not copies.keys().isdisjoint(symbols_in(inside)):
        return loop  # in lengths of arrays, which are parts of types
    named = {s for symbol in used for s in symbols_in(values[symbol]) if s.storage is not t.Storage.FUNCTION}
    more = {s: Sharing.TEAM_PRIVATE if s in team.private else Sharing.SHARED for s in named - loop.sharing.keys()}
    sharing = {s: how for s, how in {**loop.sharing, **more}.items() if s not in copies}
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=inside))
    return replace(loop, body=inside, loops=loops, sharing=sharing)


def _are_confused(parts: Collection[t.Symbol], inside_of: Collection[t.Symbol]) -> bool:
    """Would a name in one of the values mean something else inside of the loop?"""
    names = {symbol.name: symbol for symbol in parts}
    return len(names) < len(parts) or any(names.get(symbol.name, symbol) is not symbol for symbol in inside_of)


def _copies(used: Sequence[t.Symbol], taken: set[str]) -> dict[t.Symbol, t.Symbol]:
    """Variables of the iteration's own, with names that nothing else inside of the loop has."""
    copies: dict[t.Symbol, t.Symbol] = {}
    for symbol in used:
        name = symbol.name
        while name in taken:
            name += "_"
        taken.add(name)
        copies[symbol] = replace(symbol, name=name)
    return copies


def _used(body: t.Stmt, values: Mapping[t.Symbol, t.Expr], of_number: frozenset[t.Symbol]) -> list[t.Symbol]:
    """Those of the variables that the body names, if they are `of_number`, or another one's value; each behind those
    that it is made of.
    """
    wanted = of_number & symbols_in(body)
    while more := {s for symbol in wanted for s in symbols_in(values[symbol]) if s in values} - wanted:
        wanted |= more
    return [symbol for symbol in values if symbol in wanted]


def _values(loop: ParallelLoop, team: Team) -> tuple[Values, frozenset[t.Symbol]]:
    """The variables that can be made again where the loop is, in the order of their assignments, and how; those of them
    that are made of a thread's number.
    """
    numbers, of_number = given_in_team(loop, NUMBER), set[t.Symbol]()
    changed = changed_by_all_in(team.code)
    if changed is None:
        return {}, frozenset()

    def accepts(symbol: t.Symbol, value: t.Expr, values: Collection[t.Symbol]) -> bool:
        if symbol in numbers or symbol not in team.private or not _is_plain(symbol):
            return False
        known = numbers.union(values)
        if not _Again(loop, team, known, changed)(value):
            return False
        is_of_number = NUMBER in called(value) or not (numbers | of_number).isdisjoint(symbols_in(value))
        (of_number.add if is_of_number else of_number.discard)(symbol)
        return is_of_number or symbol in changed  # else it stays what it is

    values = reaching_values(team.code, loop.pragma, accepts)
    return values, frozenset(of_number & values.keys())


def _is_plain(symbol: t.Symbol) -> bool:
    """A variable of a block that only its name leads to."""
    return symbol.storage is t.Storage.AUTO and not symbol.address_taken and _is_steady(symbol.type)


def _is_steady(kind: ty.Type) -> bool:
    return ty.is_scalar(kind) and not kind.quals & {"volatile", "_Atomic"} and not ty.is_variably_modified(kind)


@dataclass(frozen=True)
class _Again:
    """Has an expression the same value in each iteration as in front of the loop? `known`: the team's variables that
    have one which is made again; `changed`: those to which its code assigns.
    """

    loop: ParallelLoop
    team: Team
    known: frozenset[t.Symbol]
    changed: frozenset[t.Symbol]

    def __call__(self, node: t.Expr | None) -> bool:
        match node:
            case t.IntConst() | t.FloatConst():
                return True
            case t.Name(symbol=symbol):
                seen = self.loop.pragma.scope.get(symbol.name) is symbol
                shared = self.loop.sharing.get(symbol) in (None, Sharing.SHARED, Sharing.TEAM_PRIVATE)
                return symbol in self.known or (seen and shared and _stays(symbol, self.team, self.changed))
            case t.Cast(type=kind, operand=operand):
                return _is_steady(kind) and self(operand)
            case t.Binary(op=op, left=left, right=right):
                return op in _ARITHMETIC and self(left) and self(right)
            case t.Conditional(condition=condition, then=then, other=other):
                return self(condition) and self(then) and self(other)
            case t.Unary(op="&", operand=t.Index(base=base, index=index)):
                return self(base) and self(index)
            case t.Unary(op="+" | "-" | "~" | "!", operand=operand):
                return self(operand)
            case t.Index(base=base, index=index, type=ty.Array()):
                return self(base) and self(index)
            case _:
                return is_question(node)


def _stays(symbol: t.Symbol, team: Team, changed: frozenset[t.Symbol]) -> bool:
    """Does the variable keep its value, or the array its place, while the region runs?"""
    if symbol.threadprivate or symbol.storage is t.Storage.THREAD:
        return False
    if isinstance(symbol.type, ty.Array):
        return symbol not in team.private and not ty.is_variably_modified(symbol.type)
    own = symbol.is_automatic and not symbol.address_taken and symbol not in changed
    return _is_steady(symbol.type) and (own or "const" in symbol.type.quals)
