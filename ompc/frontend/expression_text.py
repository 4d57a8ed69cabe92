"""C text read as an expression, to tell whether two texts are the same one.

    ((a) + (b) * (2))     a + b * 2      both are +(a, *(b, 2))
    (unsigned)x           (unsigned int)x
    (size_t)x             (unsigned long)x

Only what can be read without knowing any declarations: in `(a)(b)` a function is called, and a cast names one of C's
own types, or a struct by its tag.

In: tokens.   Out: Expression. NoExpression: statements, templates, lists in braces, and what is no C.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ompc.base.frozen import dataclass, field
from ompc.frontend.text import Token, read_tokens

BINARY = {
    "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<": 10, "<=": 10, ">": 10, ">=": 10,
    "==": 9, "!=": 9, "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4,
}  # fmt: skip
_ASSIGNMENTS = frozenset("= += -= *= /= %= <<= >>= &= ^= |=".split())
_PREFIX = frozenset("+ - ! ~ * & ++ --".split())
_TYPES = frozenset("char short int long float double signed unsigned bool void".split())
_STANDARD = {"size_t": "unsigned long", "ptrdiff_t": "long"}
"""Types of <stddef.h>, which have these sizes wherever there are GPUs."""
_TAGGED = frozenset(("struct", "union", "enum"))
_QUALIFIERS = frozenset(("const", "volatile"))
_NO_OPERANDS = _TYPES | _TAGGED | _QUALIFIERS | {"sizeof", "decltype", "new", "delete", "throw", "typename"}
POSTFIX, UNARY, CONDITIONAL, ASSIGNMENT, COMMA = 16, 15, 3, 2, 1


class NoExpression(Exception):
    """The text is none, or has parts whose meaning declarations decide."""


@dataclass(frozen=True, slots=True)
class Expression:
    """`op` is "" of a name, number or literal; `text` is that, the member, or the type of a cast. `written`: its tokens
    without parentheses around them; `precedence`: how tightly it binds as it stands, those included.
    """

    op: str
    text: str
    parts: tuple[Expression, ...] = ()
    written: str = field(default="", compare=False)
    precedence: int = field(default=POSTFIX, compare=False)


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[Token, ...]:
    """The tokens, `a::b` as one."""
    found: list[Token] = []
    for token in read_tokens(text):
        if len(found) > 2 and token.kind == "identifier" and [each.text for each in found[-2:]] == [":", ":"]:
            in_front = found[-3]
            if in_front.kind == "identifier" and token.offset - in_front.offset == len(in_front.text) + 2:
                name = f"{in_front.text}::{token.text}"
                found[-3:] = [Token("identifier", name, in_front.line, in_front.column, in_front.offset)]
                continue
        found.append(token)
    return tuple(found)


def expression_of(words: Sequence[Token]) -> Expression:
    """All of `words`."""
    reader = _Reader(words)
    found = reader.comma()
    if reader.next:
        raise NoExpression
    return found


class _Reader:
    """C's grammar (C17 6.5), from the comma inwards."""

    def __init__(self, words: Sequence[Token]) -> None:
        self._words, self._at = words, 0

    @property
    def next(self) -> str:
        """The token that follows; empty at the end."""
        return self._words[self._at].text if self._at < len(self._words) else ""

    def comma(self) -> Expression:
        begin, found = self._at, self._assignment()
        while self.next == ",":
            self._at += 1
            found = self._made(begin, ",", "", (found, self._assignment()), COMMA)
        return found

    def _made(self, begin: int, op: str, text: str, parts: tuple[Expression, ...], precedence: int) -> Expression:
        return Expression(op, text, parts, _text_of(self._words[begin : self._at]), precedence)

    def _expect(self, text: str) -> None:
        if self.next != text:
            raise NoExpression
        self._at += 1

    def _assignment(self) -> Expression:
        begin, found = self._at, self._conditional()
        if self.next not in _ASSIGNMENTS:
            return found
        op = self.next
        self._at += 1
        return self._made(begin, op, "", (found, self._assignment()), ASSIGNMENT)

    def _conditional(self) -> Expression:
        begin, found = self._at, self._binary(1)
        if self.next != "?":
            return found
        self._at += 1
        then = self.comma()
        self._expect(":")
        return self._made(begin, "?", "", (found, then, self._conditional()), CONDITIONAL)

    def _binary(self, least: int) -> Expression:
        begin, found = self._at, self._unary()
        while (precedence := BINARY.get(self.next, 0)) >= least:
            op = self.next
            self._at += 1
            found = self._made(begin, op, "", (found, self._binary(precedence + 1)), precedence)
        return found

    def _unary(self) -> Expression:
        begin, op = self._at, self.next
        if op in _PREFIX:
            self._at += 1
            return self._made(begin, op, "", (self._unary(),), UNARY)
        kind = self._type() if op == "(" else ""
        if kind:
            return self._made(begin, "cast", kind, (self._unary(),), UNARY)
        return self._postfix()

    def _type(self) -> str:
        """That of a cast, with the parentheses; empty, and nothing read: there is none."""
        words: list[str] = []
        at = self._at + 1
        while at < len(self._words) and self._words[at].text != ")":
            word = self._words[at].text
            is_tag = bool(words) and words[-1] in _TAGGED
            standard = "" if is_tag else _STANDARD.get(word, "")
            if not (is_tag or standard or word in _TYPES | _TAGGED | _QUALIFIERS or (word == "*" and words)):
                return ""
            words += standard.split() or [word]
            at += 1
        if not words:
            return ""
        self._at = at + 1
        stars = words.index("*") if "*" in words else len(words)
        named = words[:stars]
        if len(named) > 1 and "int" in named and not _TAGGED & set(named):
            named.remove("int")
        return " ".join([*(named if _TAGGED & set(named) else sorted(named)), *words[stars:]])

    def _postfix(self) -> Expression:
        begin, found = self._at, self._primary()
        while True:
            match self.next:
                case "[":
                    self._at += 1
                    index = self.comma()
                    self._expect("]")
                    found = self._made(begin, "[]", "", (found, index), POSTFIX)
                case "(":
                    found = self._made(begin, "()", "", (found, *self._arguments()), POSTFIX)
                case "." | "->" as op:
                    self._at += 1
                    name = self._name()
                    found = self._made(begin, op, name, (found,), POSTFIX)
                case "++" | "--" as op:
                    self._at += 1
                    found = self._made(begin, f"p{op}", "", (found,), POSTFIX)
                case _:
                    return found

    def _arguments(self) -> list[Expression]:
        self._expect("(")
        found: list[Expression] = []
        while self.next != ")":
            if found:
                self._expect(",")
            found.append(self._assignment())
        self._expect(")")
        return found

    def _name(self) -> str:
        if self._at >= len(self._words) or self._words[self._at].kind != "identifier":
            raise NoExpression
        self._at += 1
        return self._words[self._at - 1].text

    def _primary(self) -> Expression:
        if self._at >= len(self._words):
            raise NoExpression
        word = self._words[self._at]
        self._at += 1
        if word.text == "(":
            inner = self.comma()
            self._expect(")")
            return Expression(inner.op, inner.text, inner.parts, inner.written, POSTFIX)
        if word.kind == "punctuation" or word.text in _NO_OPERANDS:
            raise NoExpression
        if "::" in word.text and self.next == "<":
            raise NoExpression
        return Expression("", word.text, (), word.text, POSTFIX)


def _text_of(words: Sequence[Token]) -> str:
    """As it stands in the text."""
    found, end = "", 0
    for word in words:
        found += " " * (word.offset - end if found else 0) + word.text
        end = word.offset + len(word.text)
    return found
