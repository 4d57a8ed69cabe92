"""Loops whose heads move several variables: the one that the condition asks about, and what becomes of the others.

    for (int k = 64 * i, j = 0; j < n; j++, k += 2)    first   int k = 64 * i;
        a[k] = b[j];                                   plain   for (int j = 0; j < n; j++) a[k] = b[j];
                                                       steps   k += 2, behind each iteration

    In: a loop.   Out: its parts; None: it has another form.
    Not here: whether the others can be computed from the counter -- induction_variables.py.
    Source: OpenMP 5.2, 4.4.1 (the canonical form that is left).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.queries import changed_by, parts_of_comma, symbols_in


@dataclass(frozen=True, slots=True)
class Head:
    """`first` is done in front of the loop `plain`, `steps` behind each of its iterations."""

    first: tuple[t.Stmt, ...]
    plain: t.For
    steps: tuple[t.Expr, ...] = ()


def split_head(loop: t.For) -> Head | None:
    """The loop with one variable in its head, and the rest of that."""
    if loop.condition is None or loop.step is None:
        return None
    steps = tuple(parts_of_comma(loop.step))
    if len(steps) == 1 and not _has_several(loop.init):
        return Head((), loop)
    asked = symbols_in(loop.condition)
    counting = [step for step in steps if changed_by(step) in asked]
    if len(counting) != 1:
        return None
    counter = changed_by(counting[0])
    begun = None if counter is None else _begun(loop.init, counter)
    if begun is None:
        return None
    first, init = begun
    others = tuple(step for step in steps if step is not counting[0])
    return Head(first, replace(loop, init=init, step=counting[0]), others)


def _has_several(init: t.Stmt | None) -> bool:
    match init:
        case t.DeclStmt(decls=decls):
            return len(decls) > 1
        case t.ExprStmt(expr=t.Comma()):
            return True
        case _:
            return False


def _begun(init: t.Stmt | None, counter: t.Symbol) -> tuple[tuple[t.Stmt, ...], t.Stmt] | None:
    """What else begins in a loop's head, and how the counter does; None: one needs the other, or is no variable."""
    match init:
        case t.DeclStmt(decls=decls):
            own = [decl for decl in decls if decl.symbol is counter]
            others = [decl for decl in decls if decl.symbol is not counter]
            values = [decl.init for decl in others]
            made: tuple[t.Stmt, ...] = tuple(t.DeclStmt(init.loc, (decl,)) for decl in others)
            alone: list[t.Stmt] = [t.DeclStmt(init.loc, (decl,)) for decl in own]
            named = [decl.symbol for decl in others]
        case t.ExprStmt(expr=expr):
            parts = list(parts_of_comma(expr))
            targets = [_assigned(part) for part in parts]
            if None in targets:
                return None
            made = tuple(t.ExprStmt(p.loc, p) for p, s in zip(parts, targets, strict=True) if s is not counter)
            alone = [t.ExprStmt(p.loc, p) for p, s in zip(parts, targets, strict=True) if s is counter]
            values = [p.value for p in parts if isinstance(p, t.Assign) and _assigned(p) is not counter]
            named = [s for s in targets if s is not None and s is not counter]
        case _:
            return None
    if len(alone) != 1 or any(value is None for value in values):
        return None
    needs = _needs(values, (counter,)) or _needs(_values_of(alone[0]), named)
    return None if needs else (made, alone[0])


def _assigned(expr: t.Expr) -> t.Symbol | None:
    match expr:
        case t.Assign(op="=", target=t.Name(symbol=symbol)):
            return symbol
        case _:
            return None


def _values_of(init: t.Stmt) -> Sequence[t.Expr | t.InitList | None]:
    match init:
        case t.DeclStmt(decls=decls):
            return [decl.init for decl in decls]
        case t.ExprStmt(expr=t.Assign(value=value)):
            return [value]
        case _:
            return []


def _needs(values: Sequence[t.Expr | t.InitList | None], symbols: Sequence[t.Symbol]) -> bool:
    return any(value is not None and not symbols_in(value).isdisjoint(symbols) for value in values)
