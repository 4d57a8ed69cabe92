"""An expression as the user has written it, with the macros in it, for people.

    g->h[(unsigned long)0 * (g->ny + 2) + j]      g->h[IDX(0, j)]
    u[1023]                                       u[NX - 1]

A use of a macro with parameters is said only where it expands to what is there (frontend/macro_calls.py).

In: an expression.   Out: C text.   Not here: code -- render/code/macro_names.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.macros import Macro
from ompc.frontend.macro_calls import use_of
from ompc.ir.macro_names import macro_of, macros_around
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.tree import Expr, IntConst
from ompc.ir.types import INT
from ompc.ir.walk import Node, walk


def as_written(expr: Expr) -> str:
    around = (macro for node in walk(expr) for macro in macros_around(node))
    defined = {each.name: each for macro in around for each in macro.with_named()}
    return c_expr(_with_macros(expr, defined))


def _with_macros(expr: Expr, defined: Mapping[str, Macro]) -> Expr:
    """`expr` with words in the place of what macros have made."""
    constant = macro_of(expr)
    if constant is not None:
        return _word(expr, constant.name)

    def change(node: Node) -> Node | None:
        if node is expr or not isinstance(node, Expr) or node.named is None:
            return None
        return _with_macros(node, defined)

    inner = rewritten(expr, change)
    plain = text = c_expr(inner)
    for macro in macros_around(expr):
        found = use_of(macro, text, defined)
        text = text if found is None else found[0]
    return inner if text == plain else _word(expr, text)


def _word(expr: Expr, text: str) -> Expr:
    return IntConst(INT, expr.loc, 0, text)
