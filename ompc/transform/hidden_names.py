"""Variables that hide others of their name get names of their own, for kernels.

    for (i...)                                    for (i...)
        for (k...) {                                  for (k...) {
            sum[i] += k;                                  sum[i] += k;
            long k = i & 3;                ->             long k_2 = i & 3;
            sum[i] += k;                                  sum[i] += k_2;
        }                                             }

A rewrite may then move a statement anywhere in a loop's body, where all that it names has been declared: a name means
one thing. And C++, in which kernels are, does not let a body declare its counter's name again. Loops that follow one
another may have counters of one name; none of them hides another.

Left are variables that are not automatic, which the host's text names too, and those that lengths of arrays name; loops
with such ones stay as they are (`has_names_apart`).

In: a loop as its kernel has it, or a function.   Out: the same with other symbols.
Not here: names that C++ or CUDA has -- plan/model/names.py.
Source: the renaming of bound variables (Barendregt, "The Lambda Calculus", 1984, 2.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count

from ompc.ir import tree as t
from ompc.ir.queries import declared_in, nodes, symbols_in, type_written_at, unread_in
from ompc.ir.rewrite import with_symbols
from ompc.ir.walk import Node, children, type_expressions, walk
from ompc.omp.model import ParallelLoop


def with_names_apart(loop: ParallelLoop) -> ParallelLoop:
    """`loop` in which no variable hides another one that it uses."""
    body = loop.body
    if body is None or not loop.loops or (loop.target is not None and loop.target.alone):
        return loop
    renamed = _renamed(body, _outside(loop))
    if not renamed:
        return loop
    made = with_symbols(body, renamed)
    sums = frozenset(renamed.get(symbol, symbol) for symbol in loop.unordered_sums)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=made))
    return replace(loop, body=made, loops=loops, unordered_sums=sums)


def has_names_apart(loop: ParallelLoop) -> bool:
    """Is there no variable that hides another one that the loop uses?"""
    return loop.body is None or not any(_hiding_in(loop.body, _outside(loop)))


def _outside(loop: ParallelLoop) -> set[t.Symbol]:
    bounds = [part for each in loop.loops for part in (each.lower, each.upper, each.step) if part is not None]
    named = {symbol for part in bounds for symbol in symbols_in(part)}
    return named | {each.var for each in loop.loops}


def with_names_apart_in(functions: Mapping[str, t.Function]) -> Mapping[str, t.Function]:
    """The functions that kernels call, likewise."""
    found = dict(functions)
    for name, function in functions.items():
        renamed = {} if function.body is None else _renamed(function.body, set(function.params))
        if renamed and function.body is not None:
            found[name] = replace(function, body=with_symbols(function.body, renamed))
    return found


def _renamed(body: t.Stmt, outside: set[t.Symbol]) -> dict[t.Symbol, t.Symbol]:
    """What the variables that hide others become. `outside`: what is visible in front of the body, beside what that
    names.
    """
    hiding = list(_hiding_in(body, outside))
    if not hiding or unread_in(body) is not None:
        return {}
    texts = {node.text for node in nodes(body) if isinstance(node, t.IntConst)}  # of enumerators, too
    taken = {symbol.name for symbol in outside | symbols_in(body) | declared_in(body)} | texts
    fixed = _in_lengths(body)
    found: dict[t.Symbol, t.Symbol] = {}
    for symbol in hiding:
        if symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER) and symbol not in fixed:
            name = next(name for k in count(2) if (name := f"{symbol.name}_{k}") not in taken)
            found[symbol] = replace(symbol, name=name)
            taken.add(name)
    return found


def _hiding_in(body: t.Stmt, outside: set[t.Symbol]) -> Iterable[t.Symbol]:
    inside = declared_in(body)
    visible = (outside | symbols_in(body)) - inside
    names = Counter(symbol.name for symbol in inside | visible)
    several = any(number > 1 for number in names.values())
    return _hiding(body, {symbol.name: symbol for symbol in visible}) if several else ()


def _hiding(node: Node, scope: dict[str, t.Symbol]) -> Iterable[t.Symbol]:
    """The variables declared in `node` that hide another one; `scope`, what is visible in front of it, gets all."""
    if isinstance(node, t.VarDecl):
        if scope.get(node.symbol.name, node.symbol) is not node.symbol:
            yield node.symbol
        scope[node.symbol.name] = node.symbol
    inner = dict(scope) if isinstance(node, (t.Block, t.For, t.While, t.DoWhile, t.If, t.Switch)) else scope
    for part in children(node):
        if not isinstance(part, t.Expr):
            yield from _hiding(part, inner)


def _in_lengths(body: t.Stmt) -> set[t.Symbol]:
    return {
        name.symbol
        for node in nodes(body)
        for expr in type_expressions(type_written_at(node))
        for name in walk(expr)
        if isinstance(name, t.Name)
    }
