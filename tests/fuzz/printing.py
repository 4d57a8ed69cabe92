"""Tree -> C text. Some loops ask for their kernels to be made otherwise; which ones and how goes by their text."""

from __future__ import annotations

from zlib import crc32

from .hidden import with_hidden_names
from .tree import Clause, Pragma, Program, Stmt, text_of

WAYS = (
    *("inner(0)", "order(2, 1)", "lanes(0) constant(1)", "inner(0) lanes(0) readonly(0)", "shared(0) inner(1)"),
    *("order(2, 1) readonly(0)", "order(3, 1, 2) constant(1)", "order(1, 3, 2) shared(0)", "constant(0) readonly(0)"),
)
"""Of making a kernel (docs/tune.md)."""


def print_program(program: Program) -> str:
    return with_hidden_names("".join(_statement(s, "") for s in program))


def _statement(s: Stmt, indent: str) -> str:
    pragmas = _asked(s) + "".join(f"{'' if p.style == 'line' else indent}{pragma_text(p)}\n" for p in s.pragmas)
    head = text_of(s.head)
    if s.body is None:
        at = "" if head.startswith("#") else indent
        return pragmas + (f"{at}{head}\n" if head else "")
    inner = "".join(_statement(b, indent + "    ") for b in s.body)
    opening = f"{head} {{" if head else "{"
    tail = text_of(s.tail)
    return f"{pragmas}{indent}{opening}\n{inner}{indent}}}{' ' if tail and tail != ';' else ''}{tail}\n"


def _asked(s: Stmt) -> str:
    """How the kernel of one loop in four is to be made."""
    loops = [p for p in s.pragmas if "for" in p.directive.split()]
    chosen = crc32("".join(map(pragma_text, loops)).encode()) % (4 * len(WAYS))
    return f"#pragma ompc {WAYS[chosen]}\n" if loops and chosen < len(WAYS) else ""


def pragma_text(p: Pragma) -> str:
    words = " ".join(["omp", p.directive, *(_clause(c) for c in p.clauses)])
    if p.style == "_Pragma":
        return '_Pragma("' + words.replace('"', '\\"') + '")'
    return f"PRAGMA({words})" if p.style == "macro" else f"#pragma {words}"


def _clause(c: Clause) -> str:
    if not c.items:
        return c.name
    return f"{c.name}({c.prefix}{', '.join(c.items)})"
