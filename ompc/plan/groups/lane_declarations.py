"""Plan: where the variables of an iteration are declared whose loops lanes share.

    double sum = 0, t;                                         double sum = 0;
    for (k = ...) { t = val[k] * x[col[k]]; sum += t; }        the loop, whose lanes have a t of their own
    y[i] = sum;                                                if (own) y[i] = sum;

A variable of several steps is declared in front of them; one that only terms are computed with is left to them. A loop
that all lanes repeat, also those that a condition keeps out of it, must leave alone what these have in its variable:

    if (c) for (k = 0; ...) {...} else w[i] = k;               { int k; for (k = 0; ...) {...} }  if (own) w[i] = k;

So must those of which each iteration has another number of turns, since lanes go on for the others:

    for (k = 0; k < count[i]; k++)                             bool more = own;
        for (j = 0; j < m; j++) ...                            for (k = 0; any(more = more && k < count[i]); k++)
                                                                   the loop over j, if (more) with entries

    In: declarations, steps.   Out: the same without what is not needed; a declaration and what its initialiser does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.ir.queries import is_constant_table
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_terms import NotDivisibleError
from ompc.plan.groups.lane_work import leaves_its_variable
from ompc.plan.model.lane_steps import Alone, Chosen, Repeated, Scope, SharedLoop, Step
from ompc.plan.model.names import Name


def pruned(scope: Scope, named: Collection[t.Symbol]) -> Scope:
    """Without the declarations of variables that only shared loops have used, which have their own."""
    steps: list[Step] = []
    for step in scope.steps:
        match step:
            case Alone(statements=statements):
                left = tuple(s for s in statements if not (isinstance(s, t.DeclStmt) and _is_unused(s, named)))
                steps += [Alone(left)] * bool(left)
            case Scope():
                steps.append(pruned(step, named))
            case Repeated(body=body):
                steps.append(replace(step, body=pruned(body, named)))
            case Chosen():
                other = None if step.other is None else pruned(step.other, named)
                steps.append(replace(step, then=pruned(step.then, named), other=other))
            case SharedLoop():
                steps.append(step)
    return Scope(tuple(decl for decl in scope.declared if decl.symbol in named), tuple(steps))


def repeated(
    facts: Facts,
    loop: CanonicalLoop,
    body: Scope,
    conditional: bool,
    turns: Name | None,
    told: tuple[t.Symbol, ...] = (),
) -> Step | None:
    """The loop as a step of all lanes; None where those that do not execute it, or have fewer `turns`, would change its
    variable. `told`: as of Repeated.
    """
    step = Repeated(loop.statement, body, conditional and turns is None, turns, told)
    if loop.declared_here or (not conditional and turns is None):
        return step
    if leaves_its_variable(facts, loop):
        return None
    own = t.VarDecl(loop.var, None, loop.statement.loc)
    return Scope((own,), (step,)) if conditional else step


def can_be_told(facts: Facts, lower: t.Expr, own: Collection[t.Symbol], known: Collection[t.Symbol]) -> bool:
    """Do all threads of a group know where a loop begins when they are told the values of the iteration's `own`
    variables? Of the others they know the counters, `known`, and what is the same in all of the launch.
    """
    if not all(isinstance(node, _ARITHMETIC) for node in walk(lower)):
        return False
    if not all(ty.is_arithmetic(symbol.type) and not symbol.address_taken for symbol in own):
        return False
    names = [node for node in walk(lower) if isinstance(node, t.Name)]
    return facts.invariance.holds(*(name for name in names if name.symbol not in {*own, *known}))


_ARITHMETIC = (t.Name, t.IntConst, t.Binary, t.Unary, t.Cast, t.Conditional)


def _is_unused(node: t.DeclStmt, named: Collection[t.Symbol]) -> bool:
    return all(decl.init is None and decl.symbol not in named for decl in node.decls)


def is_wanted(symbol: t.Symbol, elsewhere: Collection[t.Symbol]) -> bool:
    """May other steps use the variable, by its name or by a pointer to it?"""
    return symbol in elsewhere or (symbol.address_taken and not is_constant_table(symbol))


def initialised(decl: t.VarDecl) -> tuple[t.VarDecl, list[t.Stmt]]:
    """A declaration in front, with a constant's value, and what else its initialiser does, as an assignment."""
    symbol = decl.symbol
    variable = ty.is_variably_modified(symbol.type) and not isinstance(symbol.type, ty.Array)
    if variable or is_constant_table(symbol):  # an array of variable length is memory of the launch
        raise NotDivisibleError(f"'{symbol.name}' is declared in front of it")
    if decl.init is None or (ty.is_arithmetic(symbol.type) and _is_constant(decl.init)):
        return decl, []
    if isinstance(decl.init, (t.InitList, t.StringConst)):
        raise NotDivisibleError(f"'{symbol.name}' is initialised in front of it")
    name = t.Name(symbol.type, decl.loc, symbol)
    assigned = t.Assign(ty.unqualified(symbol.type), decl.loc, "=", name, decl.init)
    return t.VarDecl(symbol, None, decl.loc), [t.ExprStmt(decl.loc, assigned)]


def _is_constant(node: t.Expr) -> bool:
    return all(isinstance(part, (t.IntConst, t.FloatConst, t.Cast, t.Unary)) for part in walk(node))


def check_jumps(scope: Scope) -> None:
    """No lane may leave an iteration early."""
    for step in scope.steps:
        match step:
            case Alone(statements=statements) if any(map(continues, statements)):
                raise NotDivisibleError("an iteration has a `continue`")
            case Scope():
                check_jumps(step)
            case Repeated(body=body):
                check_jumps(body)
            case Chosen(then=then, other=other):
                check_jumps(then)
                if other is not None:
                    check_jumps(other)
            case _:
                pass


def with_declarations(steps: Sequence[Step], items: Sequence[t.Stmt]) -> Scope:
    """A declaration that several steps need stands in front of them; its initial value is assigned in its step."""
    if len(steps) < 2:
        return Scope((), tuple(steps))
    declared: list[t.VarDecl] = []
    found: list[Step] = []
    for step in steps:
        inside = set(step.statements) if isinstance(step, Alone) else set[t.Stmt]()
        elsewhere = {
            node.symbol for item in items if item not in inside for node in walk(item) if isinstance(node, t.Name)
        }
        if not isinstance(step, Alone):
            found.append(step)
            continue
        statements: list[t.Stmt] = []
        for statement in step.statements:
            if isinstance(statement, t.DeclStmt) and any(is_wanted(d.symbol, elsewhere) for d in statement.decls):
                for decl in statement.decls:
                    first, assigned = initialised(decl)
                    declared.append(first)
                    statements += assigned
            else:
                statements.append(statement)
        found += [Alone(tuple(statements))] * bool(statements)
    return Scope(tuple(declared), tuple(found))


def with_rest(item: t.Stmt, rest: Sequence[t.Stmt]) -> t.Stmt:
    """`if (c) { A; continue; } rest` as `if (c) { A } else { rest }`."""
    match item:
        case t.If(condition=condition, then=then, other=other):
            first = then.items if isinstance(then, t.Block) else (then,)
            last = () if other is None else (other,)
            if isinstance(first[-1], t.Continue) and not any(map(continues, (*first[:-1], *last))):
                after = t.Block(item.loc, (*last, *rest))
                if len(first) > 1:
                    return t.If(item.loc, condition, t.Block(item.loc, first[:-1]), after)
                return t.If(item.loc, t.Unary(ty.INT, item.loc, "!", condition), after, None)
        case _:
            pass
    raise NotDivisibleError(f"iterations part at the `continue` of line {item.loc.line}")
