"""Reading one pragma: its directive, its clauses, and what is wrong with it.

    omp parallel for reduction(+ : sum) if(n > LIMIT)
      ->  Directive("parallel for", (Clause("reduction", modifier="+", items=("sum",), ...), Clause("if", expr=...)))

The text is what the preprocessor left (macros expanded). A directive's own argument becomes a clause with the
directive's name: `critical(update)` has Clause("critical", items=("update",)). `Clause.user_text` is the argument after
any modifier.

In: a Pragma of the tree, and the user's file for spellings.   Out: `Parsed`, a warning, or None.
Not here: which clauses the device supports -- regions.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from ompc.base.diagnostics import Diagnostic, Kind, Reason
from ompc.ir.tree import Expr, OpaqueExpr, Pragma, Symbol
from ompc.omp.clause_text import (
    ClauseText,
    MalformedError,
    one_line,
    pragma_as_written,
    scan_clauses,
    split_top_level,
    take_argument,
)
from ompc.omp.grammar import CLAUSES, DIRECTIVES, ClauseGrammar, Shape, words_of_directive
from ompc.omp.model import Clause, Directive
from ompc.sema.expressions import parse_expression

_WORD = re.compile(r"[A-Za-z_]\w*")
_LINEAR_MODIFIER = re.compile(r"(?:val|ref|uval)\s*\((.*)\)")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A directive as far as it could be read; `problem` says what could not be (it stays on the host)."""

    directive: Directive
    problem: Reason | None = None


def parse_pragma(pragma: Pragma, lines: Sequence[str] = ()) -> Parsed | Diagnostic | None:
    """Reads a pragma; `lines` is the user's file, without which spellings are the expanded ones.

    None: not an OpenMP pragma. A Diagnostic: compilers ignore this line, though it looks like a directive (OMPC201).
    """
    text = one_line(pragma.text)
    words = _leading_words(text)
    if not words or words[0] != "omp":
        return _misspelt_omp(words, pragma)
    count = words_of_directive(words[1:])
    if count == 0:
        return _misspelt_directive(words[1:], pragma)
    name = " ".join(words[1:count + 1])
    parsed = _parse_clauses(name, _after_words(text, count + 1), pragma)
    return replace(parsed, directive=_in_users_words(parsed.directive, pragma_as_written(lines, pragma.loc.line)))


def _leading_words(text: str) -> list[str]:
    """The words before the first character that is neither part of a word nor a space."""
    words = []
    while word := _WORD.match(text):
        words.append(word[0])
        text = text[word.end():].lstrip()
    return words


def _after_words(text: str, count: int) -> str:
    for _ in range(count):
        text = text.lstrip()
        text = text[len(_WORD.match(text)[0]):]  # type: ignore[index]  # the caller has counted these words
    return text.lstrip()


# ------------------------------------------------------------------- clauses


def _parse_clauses(name: str, tail: str, pragma: Pragma) -> Parsed:
    grammar = DIRECTIVES[name]
    clauses: list[Clause] = []
    try:
        if grammar.argument is not Shape.NONE:
            argument, tail = take_argument(tail)
            if argument is not None:
                clauses.append(_clause(ClauseText(name, argument), ClauseGrammar(grammar.argument), pragma))
        for text in scan_clauses(tail):
            if text.name not in grammar.clauses:
                raise _UnsupportedError(text.name)
            clauses.append(_clause(text, CLAUSES[text.name], pragma))
        problem = None
    except MalformedError as error:
        problem = Reason("OMPC311", f"the text of `{name}` cannot be read: {error}", pragma.loc)
    except _UnsupportedError as error:
        problem = Reason("OMPC304", f"`{name}` with the clause `{error}` is not supported", pragma.loc)
    return Parsed(Directive(name, tuple(clauses), pragma.loc), problem)


class _UnsupportedError(Exception):
    """A clause that the grammar does not have for this directive."""


def _clause(text: ClauseText, grammar: ClauseGrammar, pragma: Pragma) -> Clause:
    """One clause by its shape. Raises MalformedError."""
    bare = Clause(text.name)
    if text.argument is None:
        if grammar.shape is not Shape.NONE and not grammar.optional:
            raise MalformedError(f"`{text.name}` needs an argument")
        return bare
    match grammar.shape:
        case Shape.NONE:
            raise MalformedError(f"`{text.name}` takes no argument")
        case Shape.TEXT:
            return replace(bare, items=(text.argument,), user_text=text.argument)
        case Shape.LIST:
            return _list_clause(bare, None, text.argument, pragma)
        case Shape.MODIFIED_LIST:
            return _list_clause(bare, *_split_modifier(text.argument, grammar), pragma)
        case Shape.LIST_THEN_EXPRESSION:
            listed, *last = split_top_level(text.argument, ":", limit=1)
            expr = parse_expression(last[0], pragma.scope, pragma.loc) if last else None  # or a modifier of 5.2
            listing = _list_clause(bare, None, listed, pragma)
            return replace(listing, expr=None if isinstance(expr, OpaqueExpr) else expr, user_text=text.argument)
        case Shape.EXPRESSION:
            modifier, argument = _split_modifier(text.argument, grammar)
            expr = _expression(argument, text.name, pragma)
            return replace(bare, modifier=modifier, items=(argument,), expr=expr, user_text=argument)
        case Shape.KIND:
            return _kind_clause(bare, text.argument, grammar, pragma)


def _split_modifier(argument: str, grammar: ClauseGrammar) -> tuple[str | None, str]:
    """("+", "a, b") from "+ : a, b". In an expression only the grammar's words are a modifier: `c ? 1 : 0` has none."""
    head, *tail = split_top_level(argument, ":", limit=1)
    if not tail or (grammar.shape is Shape.EXPRESSION and head not in grammar.modifiers):
        return None, argument
    return head, tail[0]


def _list_clause(bare: Clause, modifier: str | None, argument: str, pragma: Pragma) -> Clause:
    items = tuple(split_top_level(argument, ","))
    return replace(bare, modifier=modifier, items=items, symbols=_resolve(items, pragma.scope), user_text=argument)


def _resolve(items: Sequence[str], scope: Mapping[str, Symbol]) -> tuple[Symbol, ...]:
    """The variables at the head of each list item (`a` in `a[0:n]`). Raises MalformedError where there is none."""
    symbols = []
    for item in items:
        modified = _LINEAR_MODIFIER.fullmatch(item)
        word = _WORD.match(modified[1] if modified else item)
        if word is None or word[0] not in scope:
            raise MalformedError(f"the list item `{item}` names no variable")
        symbols.append(scope[word[0]])
    return tuple(symbols)


def _kind_clause(bare: Clause, argument: str, grammar: ClauseGrammar, pragma: Pragma) -> Clause:
    modifier, rest = _split_modifier(argument, grammar)
    kind, *chunk = split_top_level(rest, ",")
    if not _WORD.fullmatch(kind) or len(chunk) > 1:
        raise MalformedError(f"`{argument}` is no argument of `{bare.name}`")
    expr = _expression(chunk[0], bare.name, pragma) if chunk else None
    return replace(bare, modifier=modifier, items=(kind,), expr=expr, user_text=rest)


def _expression(text: str, clause: str, pragma: Pragma) -> Expr:
    """The typed argument. Raises MalformedError."""
    expr = parse_expression(text, pragma.scope, pragma.loc)
    if isinstance(expr, OpaqueExpr):
        raise MalformedError(f"the argument `{text}` of `{clause}` is no expression")
    return expr


# ----------------------------------------------------- the user's own spelling


def _in_users_words(directive: Directive, written: str | None) -> Directive:
    """`directive` with the argument of each clause as the user spelt it, if the line has as many of that name."""
    own = _users_clauses(directive.name, written) if written is not None else ()
    spelt: dict[str, list[ClauseText]] = {}
    for text in own:
        spelt.setdefault(text.name, []).append(text)
    clauses: list[Clause] = []
    for clause in directive.clauses:
        same = directive.all(clause.name)
        written_so = spelt.get(clause.name, [])
        position = next(i for i, c in enumerate(same) if c is clause)
        clauses.append(_respelt(clause, written_so[position]) if len(written_so) == len(same) else clause)
    return replace(directive, clauses=tuple(clauses))


def _users_clauses(name: str, written: str) -> tuple[ClauseText, ...]:
    """The clauses that stand after the directive's name in the user's line; () when the name itself is not there."""
    words = _leading_words(written)
    if words[:1] != ["omp"] or words_of_directive(words[1:]) != len(name.split()):
        return ()
    tail = _after_words(written, 1 + len(name.split()))
    try:
        argument, rest = take_argument(tail)
        own = scan_clauses(rest)
    except MalformedError:
        return ()
    return own if argument is None else (ClauseText(name, argument), *own)


def _respelt(clause: Clause, own: ClauseText) -> Clause:
    if own.argument is None:
        return clause
    grammar = CLAUSES.get(clause.name, ClauseGrammar(Shape.TEXT))
    if clause.modifier is None:
        return replace(clause, user_text=own.argument)
    return replace(clause, user_text=_split_modifier(own.argument, grammar)[1])


# ---------------------------------------------------------- misspelt directives


def _misspelt_directive(words: list[str], pragma: Pragma) -> Diagnostic:
    """OMPC201 with the nearest directive: compilers ignore such a line, so the loop below it runs in one thread."""
    candidates = [" ".join(words[:n]) for n in range(min(len(words), 4), 0, -1)]
    nearest = ((c, get_close_matches(c.lower(), DIRECTIVES, n=1, cutoff=0.8)) for c in candidates)
    spelt, near = next(((c, match[0]) for c, match in nearest if match), (" ".join(words[:1]), None))
    return Diagnostic(
        "OMPC201", Kind.WARNING, f"`#pragma omp {spelt}` is no OpenMP directive: compilers ignore it", pragma.loc,
        help=f"did you mean `#pragma omp {near}`?" if near else None,
    )


def _misspelt_omp(words: list[str], pragma: Pragma) -> Diagnostic | None:
    """OMPC201 for `#pragma OMP parallel` and `#pragma opm parallel`: a near miss of `omp` before a directive's name."""
    if len(words) < 2 or words[0] == "ompc":  # that is our own (tuning_clauses.py)
        return None
    if not get_close_matches(words[0].lower(), ["omp", "openmp"], n=1, cutoff=0.6):
        return None
    lowered = [word.lower() for word in words[1:]]
    count = words_of_directive(lowered)
    if count == 0:
        return None
    return Diagnostic(
        "OMPC201",
        Kind.WARNING,
        f"`#pragma {words[0]} {words[1]}` is no OpenMP directive: compilers ignore it",
        pragma.loc,
        help=f"did you mean `#pragma omp {' '.join(lowered[:count])}`?",
    )
