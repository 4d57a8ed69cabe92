"""How often a parallel loop runs, as C text for people: `n - 2` for `for (i = 1; i < n - 1; i++)`.

Sums are gathered, so that constants meet; zero is left unsaid for loops that do not run. What is not a sum is kept as
written. Printed in the report and the plan's text form only: the launcher computes the count exactly (ompc::trips_...).

    In: a canonical loop.   Out: text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import prod

from ompc.ir import tree as t
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop, FixedRead, ParallelLoop

_Sum = dict[str, int]
"""Coefficients by the text of the term; "" has the constant."""


def of_user(loop: ParallelLoop) -> Mapping[t.Symbol, FixedRead]:
    """The kernel's variables that stand for what the user has written: not the launcher's for bounds of all threads."""
    divided = () if loop.divided is None else (loop.divided.first, loop.divided.end)
    return {symbol: read for symbol, read in loop.fixed.items() if symbol not in divided}


def trip_text(loop: CanonicalLoop, fixed: Mapping[t.Symbol, FixedRead]) -> str:
    """The trip count of `loop`; variables that are `fixed` are shown as what the user has written."""

    def change(node: Node) -> Node | None:
        return fixed[node.symbol].value if isinstance(node, t.Name) and node.symbol in fixed else None

    if fixed:
        loop = replace(loop, lower=rewritten(loop.lower, change), upper=rewritten(loop.upper, change))
    first, last = (loop.upper, loop.lower) if loop.down else (loop.lower, loop.upper)
    total = _added(_sum(last), _sum(first), -1)
    total[""] = total.get("", 0) + (1 if "=" in loop.relation and loop.relation != "!=" else 0)
    step = loop.constant_step if loop.constant_step is not None else 0
    if step == 0:
        assert loop.step is not None
        return f"{_factor(_text(total))} / {_factor(c_expr(loop.step))}, rounded up"
    if all(term == "" for term in total):
        return str(max(0, -(-total[""] // step)))
    if step == 1:
        return _text(total)
    total[""] += step - 1
    return f"{_factor(_text(total))} / {step}"


def head_text(loop: CanonicalLoop) -> str:
    """The loop's head in words, with its trip count."""
    name, sign = loop.var.name, "-" if loop.down else "+"
    step = "1" if loop.step is None else c_expr(loop.step)
    head = f"{name} = {c_expr(loop.lower)}; {name} {loop.relation} {c_expr(loop.upper)}; {name} {sign}= {step}"
    where = ", counted in the kernel" if loop.dependent else ""
    return f"{head} ({trip_text(loop, {})} iterations{where})"


def product_text(counts: Sequence[str]) -> str:
    """The product of trip counts: numbers are multiplied."""
    number = prod(int(count) for count in counts if count.isdecimal())
    others = [count for count in counts if not count.isdecimal()]
    factors = ([str(number)] if number != 1 or not others else []) + others
    return " * ".join(f"({f})" if " " in f and len(factors) > 1 else f for f in factors)


def _sum(expr: t.Expr) -> _Sum:
    match expr:
        case t.IntConst(value=value, text=text) if text.isidentifier():
            return {text: 1} if value else {"": 0}
        case t.IntConst(value=value):
            return {"": value}
        case t.Binary(op="+", left=left, right=right):
            return _added(_sum(left), _sum(right), 1)
        case t.Binary(op="-", left=left, right=right):
            return _added(_sum(left), _sum(right), -1)
        case t.Unary(op="-", operand=operand):
            return _added({}, _sum(operand), -1)
        case t.Name() | t.Member() | t.Index() | t.Call() | t.Binary(op="*"):
            return {c_expr(expr): 1}
        case _:
            return {f"({c_expr(expr)})": 1}


def _added(left: _Sum, right: _Sum, sign: int) -> _Sum:
    total = dict(left)
    for term, coefficient in right.items():
        total[term] = total.get(term, 0) + sign * coefficient
    return {term: coefficient for term, coefficient in total.items() if coefficient or term == ""}


def _text(total: _Sum) -> str:
    terms = [(coefficient, term) for term, coefficient in total.items() if term]
    if len(terms) == 1 and terms[0][0] == 1 and not total.get("", 0):
        return _without_parentheses(terms[0][1])
    terms.sort(key=lambda item: item[0] < 0)  # what is added comes first; otherwise the order of the text
    words: list[str] = []
    for coefficient, term in terms:
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} * "
        words.append((" - " if words else "-") if coefficient < 0 else (" + " if words else ""))
        words.append(factor + term)
    constant = total.get("", 0)
    if constant and words:
        words.append(f" + {constant}" if constant > 0 else f" - {-constant}")
    return "".join(words) or str(constant)


def _factor(text: str) -> str:
    return text if text.isidentifier() or text.isdecimal() else f"({text})"


def _without_parentheses(term: str) -> str:
    """`term` without those that are around all of it."""
    depths = list(accumulate({"(": 1, ")": -1}.get(character, 0) for character in term))
    return term[1:-1] if depths.index(0) == len(term) - 1 and len(term) > 1 else term
