"""Tree -> C text."""

from __future__ import annotations

from .tree import Clause, Pragma, Program, Stmt, text_of


def print_program(program: Program) -> str:
    return "".join(_statement(s, "") for s in program)


def _statement(s: Stmt, indent: str) -> str:
    pragmas = "".join(f"{'' if p.style == 'line' else indent}{pragma_text(p)}\n" for p in s.pragmas)
    head = text_of(s.head)
    if s.body is None:
        at = "" if head.startswith("#") else indent
        return pragmas + (f"{at}{head}\n" if head else "")
    inner = "".join(_statement(b, indent + "    ") for b in s.body)
    opening = f"{head} {{" if head else "{"
    tail = text_of(s.tail)
    return f"{pragmas}{indent}{opening}\n{inner}{indent}}}{' ' if tail and tail != ';' else ''}{tail}\n"


def pragma_text(p: Pragma) -> str:
    words = " ".join(["omp", p.directive, *(_clause(c) for c in p.clauses)])
    if p.style == "_Pragma":
        return '_Pragma("' + words.replace('"', '\\"') + '")'
    return f"PRAGMA({words})" if p.style == "macro" else f"#pragma {words}"


def _clause(c: Clause) -> str:
    if not c.items:
        return c.name
    return f"{c.name}({c.prefix}{', '.join(c.items)})"
