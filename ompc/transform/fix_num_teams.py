"""The number of teams, where a loop of a league of teams stores it (OpenMP 5.2, 10.2, 18.4.1).

    #pragma omp target teams distribute num_teams(8)          #pragma omp target teams distribute num_teams(8)
    for (i = 0; i < n; i++)                                   for (i = 0; i < n; i++)
        teams[i] = omp_get_num_teams();                           teams[i] = 8;

How many teams there are is the implementation's choice: as many as a constant `num_teams` asks for, and one without,
as gcc has on the host. Which iterations a kernel gives to a team is not said, so that nothing may depend on it: the
number is known only where it goes into an array at once. The user's text is not touched.

In: the typed tree.   Out: the same tree but for such calls.
Not here: `omp_get_team_num` and other questions about threads and teams, which keep a loop on the host --
analysis/eligibility/device_code.py; numbers that are no constants; called functions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import rewritten, with_bodies
from ompc.ir.tree import Assign, Call, Expr, ExprStmt, Index, IntConst, Name, Pragma, Stmt, Unit
from ompc.ir.walk import Node
from ompc.omp.constructs import constituents, readable

_FUNCTION = "omp_get_num_teams"

N = TypeVar("N")


def with_league_sizes(unit: Unit) -> Unit:
    """`unit` with numbers in place of calls that store the size of a league."""
    return with_bodies(unit, _is_question, lambda body: _visited(body, None))


def _is_question(node: object) -> bool:
    match node:
        case Call(function=Name(symbol=symbol)):
            return symbol.name == _FUNCTION
        case _:
            return False


def _visited(node: N, size: int | None) -> N:
    """`node` with the calls exchanged that ask for `size`; itself where nothing changes. None: it is not known."""

    def change(node: Node) -> Node | None:
        match node:
            case Pragma(body=Stmt() as body):
                inside = _visited(body, _size(node) or size)
                return node if inside is body else replace(node, body=inside)
            case ExprStmt(expr=expr):
                stored = None if size is None else _stored(expr, size)
                return node if stored is None else replace(node, expr=stored)
            case _:
                return node if isinstance(node, Expr) else None

    return rewritten(node, change)


def _stored(expr: Expr, size: int) -> Expr | None:
    """The assignment `a[i] = size` for `a[i] = omp_get_num_teams()`."""
    match expr:
        case Assign(op="=", target=Index(), value=value) if _is_question(value):
            return replace(expr, value=IntConst(ty.INT, value.loc, size, str(size)))
        case _:
            return None


def _size(pragma: Pragma) -> int | None:
    """The size of the league that the pragma makes, and whose loop it owns; None: it makes none, or no one knows."""
    directive = readable(pragma)
    made_of = frozenset[str]() if directive is None else constituents(directive.name)
    if directive is None or not {"target", "teams"} <= made_of or {"distribute", "loop"}.isdisjoint(made_of):
        return None
    clause = directive.first("num_teams")
    if clause is None:
        return 1
    size = None if clause.expr is None or clause.lower is not None else constant_value(clause.expr)
    return None if size is None or size < 1 else size
