"""Reading one pragma: its directive, its clauses, and what is wrong with it.

    omp parallel for reduction(+ : sum) if(n > LIMIT)
      ->  Directive(OPENMP, "parallel for", (Clause("reduction", ("+",), listed=(sum,)), Clause("if", ...)))

The text is what the preprocessor left (macros expanded). A directive's own argument becomes a clause with the
directive's name: `critical(update)` has Clause("critical", text="update"). `Clause.user_text` is the argument after
any modifier.

In: a Pragma of the tree, and the user's file for spellings.   Out: `Directive`.
Not here: all pragmas of a unit -- resolve.py; which clauses the device supports -- parallel_loop.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from ompc.base.diagnostics import Diagnostic, Reason
from ompc.base.diagnostics import Kind as Severity
from ompc.ir.directive import Clause, Directive, Kind
from ompc.ir.tree import Expr, OpaqueExpr, Pragma, Symbol
from ompc.omp.grammar import CLAUSES, DIRECTIVES, ClauseGrammar, Shape, words_of_directive
from ompc.omp.reading.clause_text import (
    ClauseText,
    MalformedError,
    one_line,
    pragma_as_written,
    scan_clauses,
    split_section,
    split_top_level,
    take_argument,
)
from ompc.omp.reading.declared import declared_reductions
from ompc.omp.reading.list_items import list_items
from ompc.omp.reading.own_pragmas import read_own
from ompc.sema.expressions import parse_expression

_WORD = re.compile(r"[^\W\d]\w*")
_OWN = frozenset({"cuda", "ompc"})
_WITHOUT_USE = frozenset({"private", "shared"})
"""Clauses that do not use the values of their variables: they replace the variables, or leave them what they are."""
_MAPPED = frozenset({"map", "to", "from"})


def read_pragma(pragma: Pragma, lines: Sequence[str] = ()) -> Directive:
    """What a pragma says; `lines` is the user's file, without which spellings are the expanded ones."""
    text = one_line(pragma.spelling)
    return replace(_read(text, pragma, lines), text=text.removeprefix("omp "))


def _read(text: str, pragma: Pragma, lines: Sequence[str]) -> Directive:
    words = _leading_words(text)
    if words[:1] != ["omp"]:
        if words and words[0] in _OWN:
            return read_own(text, pragma)
        return Directive(Kind.FOREIGN, "", (), pragma.loc, warning=_misspelt_omp(words, pragma))
    count = words_of_directive(words[1:])
    if count == 0:
        named = frozenset(pragma.scope[word] for word in _WORD.findall(text) if word in pragma.scope)
        warning = _misspelt_directive(words[1:], pragma)
        return Directive(Kind.UNKNOWN, "", (), pragma.loc, warning=warning, named=named, used=named)
    name, tail = " ".join(words[1:count + 1]), _after_words(text, count + 1)
    clauses, problem = _parse_clauses(name, tail, pragma)
    named, used = _variables(tail, pragma.scope)
    read = Directive(Kind.OPENMP, name, clauses, pragma.loc, problem, named=named, used=used)
    if name == "declare reduction" and problem is None:
        read = _declaring(read, pragma)
    return _in_users_words(read, pragma_as_written(lines, pragma.loc.line))


def _declaring(directive: Directive, pragma: Pragma) -> Directive:
    try:
        declares = tuple(declared_reductions({clause.name: clause for clause in directive.clauses}, pragma))
        return replace(directive, declares=declares)
    except MalformedError as error:
        message = f"the text of `declare reduction` cannot be read: {error}"
        return replace(directive, problem=Reason("OMPC311", message, pragma.loc))


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


def _parse_clauses(name: str, tail: str, pragma: Pragma) -> tuple[tuple[Clause, ...], Reason | None]:
    """The clauses up to the first that cannot be read, and why it cannot."""
    grammar = DIRECTIVES[name]
    clauses: list[Clause] = []
    problem = None
    try:
        if grammar.argument is not Shape.NONE:
            argument, tail = take_argument(tail)
            if argument is not None:
                clauses.append(_clause(ClauseText(name, argument), ClauseGrammar(grammar.argument), pragma))
        for text in scan_clauses(tail):
            if text.name not in grammar.clauses:
                raise _UnsupportedError(text.name)
            clauses.append(_clause(text, CLAUSES[text.name], pragma))
    except MalformedError as error:
        problem = Reason("OMPC311", f"the text of `{name}` cannot be read: {error}", pragma.loc)
    except _UnsupportedError as error:
        problem = Reason("OMPC304", f"`{name}` with the clause `{error}` is not supported", pragma.loc)
    return tuple(clauses), problem


def _variables(tail: str, scope: Mapping[str, Symbol]) -> tuple[frozenset[Symbol], frozenset[Symbol]]:
    """The variables that stand in the clauses' arguments, and those of them in other clauses than `_WITHOUT_USE`."""
    try:
        argument, rest = take_argument(tail)
        clauses = (ClauseText("", argument), *scan_clauses(rest))
    except MalformedError:
        clauses = (ClauseText("", tail),)
    found = [(clause.name, scope[word]) for clause in clauses for word in _words(clause) if word in scope]
    used = frozenset(symbol for name, symbol in found if name not in _WITHOUT_USE)
    return frozenset(symbol for _, symbol in found), used


def _words(clause: ClauseText) -> Iterator[str]:
    return (match[0] for match in _WORD.finditer(clause.argument or ""))


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
            return replace(bare, text=text.argument, user_text=text.argument)
        case Shape.LIST:
            return _list_clause(bare, (), text.argument, pragma)
        case Shape.MODIFIED_LIST:
            return _list_clause(bare, *_split_modifier(text.argument, grammar), pragma)
        case Shape.LIST_THEN_EXPRESSION:
            listed, *last = split_top_level(text.argument, ":", limit=1)
            expr = parse_expression(last[0], pragma.scope, pragma.loc) if last else None  # or a modifier of 5.2
            listing = _list_clause(bare, (), listed, pragma)
            unread = isinstance(expr, OpaqueExpr)
            return replace(
                listing, expr=None if unread else expr, text=text.argument, user_text=text.argument, unread=unread
            )
        case Shape.EXPRESSION:
            modifiers, argument = _split_modifier(text.argument, grammar)
            expr = _expression(argument, text.name, pragma)
            return replace(bare, modifiers=modifiers, expr=expr, text=argument, user_text=argument)
        case Shape.BOUNDS:
            return _bounds_clause(bare, text.argument, pragma)
        case Shape.KIND:
            return _kind_clause(bare, text.argument, grammar, pragma)


def _split_modifier(argument: str, grammar: ClauseGrammar) -> tuple[tuple[str, ...], str]:
    """(("+",), "a, b") from "+ : a, b". In an expression only the grammar's words are a modifier: `c ? 1 : 0` has none.
    """
    head, *tail = split_top_level(argument, ":", limit=1)
    if not tail or (grammar.shape is Shape.EXPRESSION and head not in grammar.modifiers):
        return (), argument
    words = (word for part in split_top_level(head, ",") for word in split_top_level(part, " "))
    return tuple(words), tail[0]


def _list_clause(bare: Clause, modifiers: tuple[str, ...], argument: str, pragma: Pragma) -> Clause:
    items = list_items(argument, pragma, bare.name in _MAPPED)
    return replace(bare, modifiers=modifiers, listed=items, text=argument, user_text=argument)


def _kind_clause(bare: Clause, argument: str, grammar: ClauseGrammar, pragma: Pragma) -> Clause:
    modifiers, rest = _split_modifier(argument, grammar)
    kind, *chunk = split_top_level(rest, ",")
    if not _WORD.fullmatch(kind) or len(chunk) > 1:
        raise MalformedError(f"`{argument}` is no argument of `{bare.name}`")
    expr = _expression(chunk[0], bare.name, pragma) if chunk else None
    return replace(bare, modifiers=modifiers, kind=kind, expr=expr, text=rest, user_text=rest)


def _bounds_clause(bare: Clause, argument: str, pragma: Pragma) -> Clause:
    """`lower : upper`, or the one."""
    found = [parse_expression(text, pragma.scope, pragma.loc) for text in split_section(argument)]
    if len(found) > 2 or any(isinstance(expr, OpaqueExpr) for expr in found):
        return replace(bare, text=argument, user_text=argument, unread=True)
    return replace(bare, expr=found[-1], lower=found[0] if found[1:] else None, text=argument, user_text=argument)


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
    is_it = written is not None and _names(written, directive.name)
    return replace(directive, clauses=tuple(clauses), written=written if is_it and written is not None else "")


def _names(written: str, name: str) -> bool:
    """Does the directive's name stand in the user's line?"""
    words = _leading_words(written)
    return words[:1] == ["omp"] and words_of_directive(words[1:]) == len(name.split())


def _users_clauses(name: str, written: str) -> tuple[ClauseText, ...]:
    """The clauses that stand after the directive's name in the user's line; () when the name itself is not there."""
    if not _names(written, name):
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
    if not clause.modifiers:
        return replace(clause, user_text=own.argument)
    return replace(clause, user_text=_split_modifier(own.argument, grammar)[1])


# ---------------------------------------------------------- misspelt directives


def _misspelt_directive(words: list[str], pragma: Pragma) -> Diagnostic:
    """OMPC201 with the nearest directive: compilers ignore such a line, so the loop below it runs in one thread."""
    candidates = [" ".join(words[:n]) for n in range(min(len(words), 4), 0, -1)]
    nearest = ((c, get_close_matches(c.lower(), DIRECTIVES, n=1, cutoff=0.8)) for c in candidates)
    spelt, near = next(((c, match[0]) for c, match in nearest if match), (" ".join(words[:1]), None))
    return Diagnostic(
        "OMPC201", Severity.WARNING, f"`#pragma omp {spelt}` is no OpenMP directive: compilers ignore it", pragma.loc,
        help=f"did you mean `#pragma omp {near}`?" if near else None,
    )


def _misspelt_omp(words: list[str], pragma: Pragma) -> Diagnostic | None:
    """OMPC201 for `#pragma OMP parallel` and `#pragma opm parallel`: a near miss of `omp` before a directive's name."""
    if len(words) < 2 or words[0] in _OWN:
        return None
    if not get_close_matches(words[0].lower(), ["omp", "openmp"], n=1, cutoff=0.6):
        return None
    lowered = [word.lower() for word in words[1:]]
    count = words_of_directive(lowered)
    if count == 0:
        return None
    return Diagnostic(
        "OMPC201",
        Severity.WARNING,
        f"`#pragma {words[0]} {words[1]}` is no OpenMP directive: compilers ignore it",
        pragma.loc,
        help=f"did you mean `#pragma omp {' '.join(lowered[:count])}`?",
    )
