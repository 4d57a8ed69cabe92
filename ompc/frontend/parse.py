"""Parse preprocessed text with pycparser.

The C compiler has accepted the file before (frontend/preprocess.py), so what pycparser refuses is not the user's
error: it is C that ompc does not support, and the file is passed through with every loop on the host (OMPC105).

In: `Preprocessed`.   Out: `Parsed`.   Not here: types and names -- ompc/sema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.macros import Macro
from ompc.base.source import Location
from ompc.frontend.gnu import GnuParser
from ompc.frontend.pragmas import directive_words, pragma_text
from ompc.frontend.preprocess import Preprocessed
from ompc.frontend.text import with_letters

_LIKE_A_LETTER = re.compile(r"_u[0-9a-f]{4}|_U[0-9a-f]{8}")


class Unsupported(Exception):
    """Valid C that cannot be analysed; `diagnostic` (OMPC105) says so. The caller copies the file through."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class Parsed:
    """pycparser's tree of the whole translation unit, headers included; its operands that are macros in the
    user's text, inner ones first.
    """

    ast: c_ast.FileAST
    macros: Mapping[c_ast.Node, tuple[Macro, ...]]


def parse(preprocessed: Preprocessed) -> Parsed:
    """Raises `Unsupported`."""
    why = _why_unreadable(preprocessed)
    if why is not None:
        raise Unsupported(_diagnostic(why, preprocessed.file))
    try:
        parser = GnuParser(preprocessed.macros)
        tree = parser.parse(preprocessed.text, preprocessed.file)
        if any(isinstance(node, c_ast.Pragma) and _begins_variants(node) for node in tree.ext):
            raise Unsupported(_diagnostic("`begin declare variant` defines functions twice", preprocessed.file))
        return Parsed(tree, parser.named)
    except ParseError as error:
        raise Unsupported(_diagnostic(str(error), preprocessed.file)) from None
    except RecursionError:
        raise Unsupported(_diagnostic("expressions or blocks are nested too deeply", preprocessed.file)) from None
    except (AssertionError, AttributeError, IndexError, TypeError, ValueError) as error:
        # pycparser's own slips on valid but unusual C: nothing that the user could correct.
        why = f"the parser failed ({type(error).__name__}: {error})"
        raise Unsupported(_diagnostic(why, preprocessed.file)) from None


def _why_unreadable(preprocessed: Preprocessed) -> str | None:
    """Of names with letters beyond ASCII: edits look for them as they are, and kernels have others in their place."""
    if with_letters(preprocessed.source) != preprocessed.source:
        return "a name has a letter that is written as its number (`\\u03b1`)"
    if not preprocessed.text.isascii() and _LIKE_A_LETTER.search(preprocessed.text):
        return "names have letters beyond ASCII, and others look like what kernels call these (`_u03b1`)"
    return None


def _begins_variants(pragma: c_ast.Pragma) -> bool:
    return directive_words(pragma_text(pragma))[:3] == ["begin", "declare", "variant"]


def _diagnostic(message: str, file: str) -> Diagnostic:
    where = re.match(r"(.*?):(\d+)(?::(\d+))?: (.*)", message, re.DOTALL)
    at = Location(where.group(1), int(where.group(2))) if where else Location(file, 0)
    why = where.group(4) if where else message
    if why.startswith("Illegal character"):  # compilers write such letters as \U000003b1, or leave them
        why = "a name has letters beyond ASCII"
    return Diagnostic(
        "OMPC105",
        Kind.HOST,
        f"this file cannot be analysed, so every loop stays on the host: {why}",
        at,
        help="the C compiler accepts it; ompc does not know this construct",
    )
