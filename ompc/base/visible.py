"""The user's text as it may be shown: on a terminal, in a message, on a page.

    visible("a\\x1b[31mb.c")   ->  a\\x1b[31mb.c as twelve characters        a terminal would obey the first
    one_line("a\\nb.c")        ->  a\\x0ab.c                                 would look like two messages

Written as escapes are control characters (ECMA-48's two sets), what Unicode has to reorder text (bidirectional
embeddings, overrides, isolates and marks), characters without a width, and its two line ends. Tabs stay. Bytes that are
no UTF-8 stay as they came, as surrogates: `printable` replaces them where text is encoded again.

In: any text.   Out: text.   Not here: what files of C or of make can hold -- render/.
"""

from __future__ import annotations

import re

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
UNSEEN = re.compile(f"[{_CONTROL}{_INVISIBLE}]|[\U000e0000-\U000e007f]")
_ENDS = re.compile("\n")


def visible(text: str) -> str:
    """Lines stay lines, also those that end as on Windows."""
    return UNSEEN.sub(_escape, text.replace("\r\n", "\n"))


def in_ascii(name: str) -> str:
    """A name in letters that every tool knows. Files that have names like these already are refused (parse.py)."""
    return name if name.isascii() else "".join(c if c.isascii() else _escape_in_name(c) for c in name)


def _escape_in_name(letter: str) -> str:
    return f"_u{ord(letter):04x}" if ord(letter) < 0x10000 else f"_U{ord(letter):08x}"


def one_line(text: str) -> str:
    """A name or a message: it has no line ends of its own."""
    return _ENDS.sub(_escape, UNSEEN.sub(_escape, text))


def printable(text: str) -> str:
    """Bytes that are no UTF-8 in the user's files and their names are shown as such, and stop no message."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def for_terminal(text: str) -> str:
    """What is printed of it."""
    return visible(printable(text))


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
