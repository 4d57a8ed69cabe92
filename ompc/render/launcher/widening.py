"""Arithmetic of launchers in 64 bits, with no more casts than C's conversions need.

    (long long)n - 1                    n - 1LL                 the number makes the difference wide
    -(long long)a + (long long)b + 1    (long long)b - a + 1    one operand does, for all that follow
    2 * (long long)n                    2LL * n
    (long long)n                        n                       the function called takes a `long long`
    (long long)n >= (long long)m        n >= m                  two ints are compared as they are

That sums do not leave an int's range is what the casts are for: isl orders terms as it likes, and C would compute in
int. Only an `int`, or what C makes one, loses its cast: of others C's conversions may give another number.

    In: an expression in which every variable that is no `long` has a cast, and their types.   Out: the same value.
    What is not such an expression is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty

_CAST = "(long long)"
_TOKENS = re.compile(r"\(long long\)|[^\W\d]\w*(?:::\w+)*|\d+|&&|\|\||[<>=!]=|[-+*/%<>?:(),]|\s+|.")
_ADDED, _MULTIPLIED = ("+", "-"), ("*", "/", "%")
_COMPARED = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True, slots=True)
class _Node:
    """`op` is an operator, "" of a number or variable, or "()" of a call; `name` of these; `narrow`: an int's value."""

    op: str
    name: str = ""
    parts: tuple[_Node, ...] = ()
    narrow: bool = False


class _NoSuchText(Exception):
    pass


def narrow_names(symbols: Iterable[t.Symbol]) -> frozenset[str]:
    """Those whose values C computes with as `int`."""
    return frozenset(s.name for s in symbols if isinstance(s.type, ty.Int) and _is_int(s.type))


def _is_int(kind: ty.Int) -> bool:
    return kind.size < ty.INT.size or (kind.size == ty.INT.size and kind.signed)


def with_few_casts(text: str, narrow: frozenset[str]) -> str:
    """`text` where a `long long` is wanted, or a condition; `narrow`: the variables that are ints."""
    return _printed(text, narrow, _value)


def wide_with_few_casts(text: str, narrow: frozenset[str]) -> str:
    """`text`, of which the type itself is wide: for more arithmetic."""
    return _printed(text, narrow, _wide)


def _printed(text: str, narrow: frozenset[str], printed: Callable[[_Node], str]) -> str:
    if _CAST not in text:
        return text
    try:
        return printed(_Parser(text, narrow).all())
    except _NoSuchText:
        return text


class _Parser:
    """C's precedence, from the conditional operator inwards."""

    def __init__(self, text: str, narrow: frozenset[str]) -> None:
        self._left = [token for token in _TOKENS.findall(text) if not token.isspace()] + [""]
        self._narrow = narrow

    def all(self) -> _Node:
        found = self._conditional()
        self._take("")
        return found

    def _take(self, *wanted: str) -> str:
        if self._left[0] not in wanted:
            raise _NoSuchText
        return self._left.pop(0) if self._left[0] else ""

    def _conditional(self) -> _Node:
        condition = self._binary(("||",), ("&&",), _COMPARED, _ADDED, _MULTIPLIED)
        if self._left[0] != "?":
            return condition
        self._take("?")
        chosen = self._conditional()
        self._take(":")
        return _Node("?", parts=(condition, chosen, self._conditional()))

    def _binary(self, ops: tuple[str, ...], *inner: tuple[str, ...]) -> _Node:
        found = self._binary(*inner) if inner else self._unary()
        while self._left[0] and self._left[0] in ops:
            op = self._take(*ops)
            found = _Node(op, parts=(found, self._binary(*inner) if inner else self._unary()))
        return found

    def _unary(self) -> _Node:
        if self._left[0] == "-":
            self._take("-")
            return _Node("neg", parts=(self._unary(),))
        if self._left[0] == _CAST:
            self._take(_CAST)
            name = self._left.pop(0)
            if not name[:1].isidentifier():
                raise _NoSuchText
            return _Node("", name if name in self._narrow else _CAST + name, narrow=name in self._narrow)
        return self._primary()

    def _primary(self) -> _Node:
        token = self._left.pop(0)
        if token == "(":
            found = self._conditional()
            self._take(")")
            return found
        if token.isdecimal():
            return _Node("", token, narrow=True)
        if not token[:1].isidentifier():
            raise _NoSuchText
        if self._left[0] != "(":
            return _Node("", token)
        self._take("(")
        arguments = [self._conditional()]
        while self._left[0] == ",":
            self._take(",")
            arguments.append(self._conditional())
        self._take(")")
        return _Node("()", token, tuple(arguments))


# --------------------------------------------------------------------------------------------------- printing


def _value(node: _Node) -> str:
    """Of whatever integer type, with the right number."""
    match node:
        case _Node(op="", name=name):
            return name
        case _Node(op="?", parts=(condition, chosen, other)):
            return f"{_value(condition)} ? {_value(chosen)} : {_value(other)}"
        case _Node(op="||" | "&&" as op, parts=parts):
            return f" {op} ".join(_within(part, op) for part in parts)
        case _Node(op=op, parts=(left, right)) if op in _COMPARED:
            return f"{_compared(left)} {op} {_compared(right)}"
        case _:
            return _wide(node)


def _compared(node: _Node) -> str:
    return f"({_value(node)})" if node.op in ("?", "||", "&&", *_COMPARED) else _value(node)


def _within(node: _Node, op: str) -> str:
    """An operand of `&&` or `||`; gcc wants the one in the other in parentheses."""
    return f"({_value(node)})" if node.op in ("?", "||", "&&") and node.op != op else _value(node)


def _wide(node: _Node) -> str:
    """Of type `long long` or `long`, computed in it."""
    match node:
        case _Node(op="", name=name, narrow=True):
            return f"{name}LL" if name.isdecimal() else f"{_CAST}{name}"
        case _Node(op="", name=name):
            return name
        case _Node(op="()", name=name, parts=parts):
            return f"{name}({', '.join(map(_wide, parts))})"
        case _Node(op="?", parts=(condition, chosen, other)):
            return f"{_value(condition)} ? {_wide(chosen)} : {_wide(other)}"
        case _Node(op="+" | "-" | "neg"):
            return _sum(list(_terms(node)))
        case _Node(op="*" | "/" | "%"):
            return _product(node)
        case _:
            raise _NoSuchText  # a comparison as a number


def _terms(node: _Node, negative: bool = False) -> Iterable[tuple[bool, _Node]]:
    """What is added up, each with its sign."""
    match node:
        case _Node(op="+" | "-" as op, parts=(left, right)):
            yield from _terms(left, negative)
            yield from _terms(right, negative != (op == "-"))
        case _Node(op="neg", parts=(inner,)):
            yield from _terms(inner, not negative)
        case _:
            yield negative, node


def _sum(terms: list[tuple[bool, _Node]]) -> str:
    """The first term that is added stands first; from the first wide one on C adds in 64 bits."""
    first = next((k for k, (negative, _) in enumerate(terms) if not negative), 0)
    (negative, head), *rest = [terms[first], *terms[:first], *terms[first + 1 :]]
    if not rest:
        return "-" * negative + _operand(head, _wide)
    is_wide = not head.narrow or negative or not (_is_number(rest[0][1]) or not rest[0][1].narrow)
    text = "-" * negative + _operand(head, _wide if is_wide else _value)
    for sign, term in rest:
        text += (" - " if sign else " + ") + _operand(term, _value if is_wide else _wide)
        is_wide = True
    return text


def _product(node: _Node) -> str:
    left, right = node.parts
    if left.op in _MULTIPLIED:
        return f"{_product(left)} {node.op} {_factor(right)}"
    is_wide = left.narrow and not right.narrow and right.op == "" and node.op == "*"
    return f"{_operand(left, _value if is_wide else _wide)} {node.op} {_factor(right)}"


def _factor(node: _Node) -> str:
    """One that stands behind another."""
    return f"({_wide(node)})" if node.op in _MULTIPLIED else _operand(node, _value)


def _operand(node: _Node, printed: Callable[[_Node], str]) -> str:
    """In parentheses, where it is no product, call or variable."""
    if node.op == "":
        return printed(node)
    return _wide(node) if node.op in ("()", *_MULTIPLIED) else f"({_wide(node)})"


def _is_number(node: _Node) -> bool:
    return node.op == "" and node.name.isdecimal()
