"""Places in the user's text at which a suggestion can edit it: clauses, directives, statements, declarations.

All that is not found is None, and there is no suggestion; what is found need not be right, since each edit is tried.

    In: the text of a file, lines.   Out: Replace edits.   Not here: which edits could help -- cures.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ompc.base.frozen import dataclass
from ompc.frontend.text import Replace, Token, line_text, tokens

OPEN = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, eq=False)
class Places:
    """The words of one file."""

    text: str

    @cached_property
    def words(self) -> Sequence[Token]:
        """Behind the last one there are some without text, so that what follows a word can always be asked."""
        end = Token("end", "", self.text.count("\n") + 2, 1, len(self.text))
        return (*tokens(self.text), *[end] * 4)

    @cached_property
    def lines(self) -> Sequence[str]:
        return self.text.split("\n")

    def within(self, first: int, last: int) -> Iterator[int]:
        """The indices of the words of these lines."""
        yield from (at for at, word in enumerate(self.words) if first <= word.line <= last)

    def find(self, text: str, first: int, last: int) -> int | None:
        return next((at for at in self.within(first, last) if self.words[at].text == text), None)

    def closing(self, at: int) -> int | None:
        """The index of the bracket that closes the one at `at`."""
        depth = 0
        for index in range(at, len(self.words)):
            text = self.words[index].text
            depth += (text in OPEN) - (text in OPEN.values())
            if depth == 0:
                return index
        return None

    # ------------------------------------------------------------------------ pragmas

    def pragma(self, line: int) -> range | None:
        """The indices of the words of the directive that begins on `line`, with those on continued lines."""
        found = list(self.within(line, line))
        if not found or self.words[found[0]].text != "#":
            return None
        last = line
        while last < len(self.lines) and self.lines[last - 1].rstrip("\r").endswith("\\"):
            last += 1
        return range(found[0], max(self.within(line, last)) + 1)

    def with_clause(self, line: int, clause: str) -> Replace | None:
        """`clause` at the end of the pragma."""
        found = self.pragma(line)
        if found is None:
            return None
        end = self.words[found[-1]]
        return Replace(end.line, end.column + len(end.text), "", f" {clause}")

    def clause(self, line: int, name: str) -> range | None:
        """The indices of a clause of the pragma, with its argument."""
        for at in list(self.pragma(line) or ())[3:]:
            if self.words[at].text == name:
                bracket = at + 1 < len(self.words) and self.words[at + 1].text == "("
                end = self.closing(at + 1) if bracket else at
                return None if end is None else range(at, end + 1)
        return None

    def without_clause(self, line: int, name: str) -> Replace | None:
        found = self.clause(line, name)
        return None if found is None else self.cut(found)

    def pragma_before(self, line: int, name: str) -> int | None:
        """The line of the last OpenMP pragma up to `line` that has the word `name`."""
        for at in reversed(range(len(self.words))):
            word = self.words[at]
            if word.line <= line and word.text == "pragma":
                found = self.pragma(word.line)
                if found is not None and any(self.words[k].text == name for k in found):
                    return word.line
        return None

    def without_directive(self, line: int) -> list[Replace]:
        """The directive's lines taken out."""
        found = self.pragma(line)
        return [] if found is None else self.without_lines(line, self.words[found[-1]].line)

    # ------------------------------------------------------------------------ text

    def cut(self, found: range) -> Replace | None:
        """These words, of one line, taken out with the blanks in front of them."""
        first, last = self.words[found[0]], self.words[found[-1]]
        if first.line != last.line:
            return None
        text = line_text(self.text, first.line)
        begin, end = first.column - 1, last.column - 1 + len(last.text)
        while begin > 0 and text[begin - 1] in " \t" and text[:begin].strip():
            begin -= 1
        if not text[:begin].strip():
            while end < len(text) and text[end] in " \t":
                end += 1
        return Replace(first.line, begin + 1, text[begin:end], "")

    def replaced(self, at: int, new: str) -> Replace:
        word = self.words[at]
        return Replace(word.line, word.column, word.text, new)

    def without_lines(self, first: int, last: int) -> list[Replace]:
        """Whole lines taken out; the file must go on behind them."""
        if last >= len(self.lines):
            return []
        return [Replace(line, 1, self.lines[line - 1] + "\n", "") for line in range(first, last + 1)]

    def statement(self, line: int, name: str) -> range | None:
        """The indices of a statement that is a call of `name` and begins on `line`, with its semicolon."""
        for at in self.within(line, line):
            before = self.words[at - 1].text if at else ";"
            call = at + 1 < len(self.words) and self.words[at + 1].text == "("
            if self.words[at].text == name and call and before in (";", "{", "}", ")", "else"):
                end = self.closing(at + 1)
                if end is not None and end + 1 < len(self.words) and self.words[end + 1].text == ";":
                    return range(at, end + 2)
        return None

    def declaration(self, line: int) -> range | None:
        """The indices of the `static` declaration on `line`, with its semicolon."""
        at = self.find("static", line, line)
        depth = 0
        for index in range(at or 0, len(self.words)) if at is not None else ():
            text = self.words[index].text
            depth += (text in OPEN) - (text in OPEN.values())
            if text == ";" and depth == 0:
                return range(at or 0, index + 1)
        return None

    def function_start(self, line: int) -> int | None:
        """The line on which the function definition around `line` begins."""
        depth, start, fresh = 0, None, True
        for at, word in enumerate(self.words):
            if word.line > line:
                return start if depth else None
            if depth == 0 and fresh and word.text != "#":
                start, fresh = word.line, False
            depth += (word.text == "{") - (word.text == "}")
            ended = word.text in (";", "}") or (at + 1 < len(self.words) and self._directive_ends(at))
            fresh = fresh or (depth == 0 and ended)
        return None

    def is_named_later(self, name: str, line: int) -> bool:
        """Does the function name `name` behind the loop that ends on `line`?"""
        depth = 0
        words = (word for word in self.words if word.line > line)
        start = self.function_start(line)
        for word in self.words if start is not None else ():
            if start is not None and start <= word.line <= line:
                depth += (word.text == "{") - (word.text == "}")
        for word in words:
            depth += (word.text == "{") - (word.text == "}")
            if depth <= 0 or word.text == name:
                return word.text == name
        return False

    def _directive_ends(self, at: int) -> bool:
        """Is the word the last one of a directive?"""
        found = self.pragma(self.words[at].line)
        return found is not None and found[-1] == at
