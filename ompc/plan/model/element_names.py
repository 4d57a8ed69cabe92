"""Plan: a variable's name from the element of an array that it stands for.

    f[i].x      f_i_x
    f[k + 1]    f_here
    g->nx       g_nx

In: an lvalue.   Out: a name, which may be taken.   Not here: which names are -- names.py.
"""

from __future__ import annotations

import re

from ompc.ir import tree as t


def name_of(element: t.Expr) -> str:
    """`f_i_x` of `f[i].x`; `f_here_x` where the subscript is computed."""
    return re.sub(r"\W", "_", "_".join(_words(element)))


def _words(element: t.Expr) -> list[str]:
    match element:
        case t.Name(symbol=symbol):
            return [symbol.name]
        case t.Index(base=base, index=t.Name(symbol=symbol)):
            return [*_words(base), symbol.name]
        case t.Index(base=base, index=t.IntConst(value=value)) if value >= 0:
            return [*_words(base), str(value)]
        case t.Index(base=base):
            return [*_words(base), "here"]
        case t.Member(base=base, member=member):
            return [*_words(base), member.name or ""]
        case t.Unary(operand=base) | t.Cast(operand=base) | t.Binary(left=base):
            return _words(base)
        case _:
            return ["element"]
