"""Plan: which declared arrays become pointers to page-locked memory (`--opt thesis`; thesis 3.2.2, 4.3, figures 14-15).

    double u[N][M];  in a function      allocated where it is declared, released on every way out of its block
    static double b[M];  in the file    allocated first thing in `main`, released after it

Only where the program cannot tell: the declaration stands in the user's own file as text and not in a macro, it is
the only one, without initialiser, and every use keeps its meaning with a pointer (thesis/array_uses.py). A global needs
`main` in this file, after it, with nothing that runs before `main` or after its memory is released. With external
linkage it may be named by another file; a translated program consists of one file, so there is none.

    In: the unit, the transferred arrays, the user's text, the preprocessed text.
    Out: the arrays in the order of declaration; for each of the others the reason, as one clause of a sentence.
    Not here: heap blocks -- plan/thesis/heap_blocks.py; the edits -- render/host/pinned.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from ompc.frontend.array_declarations import ArrayDeclaration, find_array_declaration
from ompc.frontend.main_function import main_body
from ompc.frontend.tokens import Token, enclosing_block
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.host_edits import PinnedArray
from ompc.plan.model.program_text import ProgramText
from ompc.plan.thesis.array_uses import creates_tasks, jumped_over, misuse

_GLOBAL = (t.Storage.GLOBAL, t.Storage.FILE_STATIC)

_STORAGE_REASONS = {
    t.Storage.LOCAL_STATIC: "a local static array keeps its values from call to call",
    t.Storage.REGISTER: "declared `register`",
    t.Storage.PARAMETER: "a parameter: the caller's array",
    t.Storage.EXTERN: "declared `extern`: it is defined elsewhere",
    t.Storage.THREAD: "each thread has its own",
    t.Storage.FUNCTION: "not an object",
}

_LEAVES_SCOPES = re.compile(r"_*(sig)?(setjmp|longjmp)|(get|set|make|swap)context")
_AROUND_MAIN = re.compile(r"\b_*(constructor|destructor|ifunc|alias|weakref)_*\b|init_array|fini_array")


def pinned_arrays(
    unit: t.Unit, transferred: Iterable[t.Symbol], source_text: str, expanded: str
) -> tuple[tuple[PinnedArray, ...], Mapping[t.Symbol, str]]:
    """Decide for each array of `transferred`. `expanded` is what `cc -E -fopenmp` makes of `source_text`."""
    texts = ProgramText(unit, source_text, expanded)
    pinned: list[PinnedArray] = []
    pageable: dict[t.Symbol, str] = {}
    for symbol in sorted(transferred, key=lambda symbol: symbol.position):
        why_not = _why_not(texts, symbol)
        if why_not is None:
            pinned.append(PinnedArray(symbol, symbol.storage in _GLOBAL, symbol.loc))
        else:
            pageable[symbol] = why_not
    return tuple(pinned), pageable


def _why_not(texts: ProgramText, symbol: t.Symbol) -> str | None:
    """The first rule that speaks against the array."""
    why_not = _type_rule(symbol) or _STORAGE_REASONS.get(symbol.storage) or _program_rule(texts)
    if why_not is not None:
        return why_not
    source, expanded = _declarations(texts, symbol)
    if source is None or expanded is None:
        return "its declaration is not plain text of this file (a macro, a header, an initialiser, an attribute)"
    if source.is_static != expanded.is_static or len(source.brackets) != len(expanded.brackets):
        return "a macro makes a part of its declaration"
    if symbol in texts.initialised_from:
        return "the initialiser of a static object names it"
    rule: Callable[[ProgramText, t.Symbol, ArrayDeclaration, ArrayDeclaration], str | None]
    rule = _global_rule if symbol.storage in _GLOBAL else _local_rule
    return rule(texts, symbol, source, expanded)


def _type_rule(symbol: t.Symbol) -> str | None:
    kind = symbol.type
    if not isinstance(kind, ty.Array):
        return "memory whose allocation is not seen here"
    element = ty.element_of(kind)
    if isinstance(element, (ty.Unknown, ty.Pointer)) or ty.size_of(element) is None:
        return "its elements have no known size"
    if element.quals & {"const", "volatile", "_Atomic"}:
        return "its elements are qualified"
    if symbol.threadprivate:
        return "each thread has its own"
    if any(length in (None, 0) for length in ty.lengths_of(kind)):
        return "its size is not known, or it is empty"
    if ty.is_variably_modified(kind):
        return "a variable-length array: the launcher asks `sizeof` for its size"
    return None


def _program_rule(texts: ProgramText) -> str | None:
    if texts.unsuitable is not None:
        return texts.unsuitable
    for name in sorted(texts.calls):
        if _LEAVES_SCOPES.fullmatch(name):
            return f"{name} may leave its scope without releasing it"
    return None


def _declarations(texts: ProgramText, symbol: t.Symbol) -> tuple[ArrayDeclaration | None, ArrayDeclaration | None]:
    """The declaration in the user's text and in the preprocessed text."""
    if symbol.loc.file != texts.unit.file:
        return None, None
    place = (symbol.name, symbol.loc.file, symbol.loc.line)
    return find_array_declaration(texts.source, *place), find_array_declaration(texts.expanded, *place)


def _local_rule(
    texts: ProgramText, symbol: t.Symbol, source: ArrayDeclaration, expanded: ArrayDeclaration
) -> str | None:
    found = texts.expanded
    block = enclosing_block(found, expanded.index)
    if block is None or source.is_static:
        return "its block was not found in the text"
    if creates_tasks(found, expanded.end, block[1]):
        return "a task in its scope would copy the array, but only the pointer once it is one"
    return misuse(found, expanded.end, block[1], symbol.name) or jumped_over(found, expanded.index, block)


def _global_rule(
    texts: ProgramText, symbol: t.Symbol, source: ArrayDeclaration, expanded: ArrayDeclaration
) -> str | None:
    found = texts.expanded
    if _AROUND_MAIN.search("\n".join(token.text for token in found if token.kind in ("identifier", "string"))):
        return "attributes in this file may let code use it outside of `main`"
    if _mentions_at_file_scope(found, symbol.name) != 1:
        return "the file declares it more than once"
    return misuse(found, 0, len(found), symbol.name) or _main_rule(texts, source)


def _mentions_at_file_scope(found: Iterable[Token], name: str) -> int:
    depth = count = 0
    for token in found:
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(token.text, 0)
        count += depth == 0 and token.kind == "identifier" and token.text == name
    return count


def _main_rule(texts: ProgramText, source: ArrayDeclaration) -> str | None:
    """`main` must stand in the text, once, after the array, where the names of its declaration mean the same."""
    body = main_body(texts.source)
    mentions = [token for token in texts.expanded if token.text == "main" and not token.system]
    if body is None or len(mentions) != 1:
        return "this file has no plain `main`, or names it twice, so there is no place to allocate it"
    if texts.source[body].start < source.name.start:
        return "it is declared after `main`"
    main = texts.unit.functions.get("main")
    words = (*source.specifiers, source.name, *source.dimensions)
    needed = {token.text for token in words if token.kind == "identifier"}
    if main is None or needed & {parameter.name for parameter in main.params}:
        return "a parameter of `main` hides a name of its declaration"
    for token in texts.source:
        if token.kind == "directive" and _redefines(token, needed, after=source.name.start):
            return "a macro in its declaration is redefined"
    return None


def _redefines(directive: Token, names: set[str], after: int) -> bool:
    words = re.match(r"#\s*(define|undef)\s+(\w+)", directive.text)
    return words is not None and directive.start > after and words.group(2) in names
