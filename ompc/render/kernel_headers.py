"""Which of the runtime's headers a device file with kernels alone includes: those that define what it names.

    ompc::reduce(error, error_result);    ompc_reduce.h
    OMPC_UNROLL                           ompc_unroll.h

What a header defines is read from it: macros, and the types, functions, variables and enumerators of namespace ompc. A
name that is found in several headers asks for all of them, but for those that include another of them: they have what
it does with their own types. One that is found in none asks for all headers of kernels.

In: the text of kernels.   Out: names of headers, with and without those that they include themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from ompc.base.resources import Runtime, runtime_files

ALL = "ompc_kernels.h"
LANGUAGE = "ompc_cuda.h"
"""What every device file includes: each target has its own."""

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
_NAMED = re.compile(r"\bompc::(\w+)|\b(OMPC_[A-Z]\w*)")
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(OMPC_\w+)", re.MULTILINE)
_FUNCTION_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(OMPC_\w+)\(([^)]*)\)((?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
_USED_MACRO = re.compile(r"\b(OMPC_\w+)\(([^()]*)")
_NAMESPACE = re.compile(r"\b(inline\s+)?namespace\s*(\w*)\s*$")
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(\w+)")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=")
_BEFORE = re.compile(r"(\w+)\s*(?=[(=;{,\[]|$)")
_NO_NAMES = {"alignas", "decltype", "noexcept", "__launch_bounds__", "__attribute__", "static_assert", "const"}


def headers_named_in(text: str) -> tuple[str, ...]:
    """The headers of kernels that define what the text names, in the order of their names; the language's is first."""
    known = _headers_by_name()
    names = {name or macro for name, macro in _NAMED.findall(_COMMENT.sub(" ", text))}
    found = {header for name in names for header in known.get(name, (ALL,))}
    return (LANGUAGE, *((ALL,) if ALL in found else sorted(found - {LANGUAGE})))


def with_included(headers: Iterable[str]) -> dict[str, Path]:
    """These and all that they include, of the target CUDA, by name."""
    files = _files()
    found: dict[str, Path] = {}
    wanted = list(headers)
    for name in wanted:  # grows
        if name in files and name not in found:
            found[name] = files[name]
            wanted += _included(files[name])
    return dict(sorted(found.items()))


def headers_of_kernels(texts: Iterable[str]) -> dict[str, Path]:
    """All headers that these device files include, by their names in a folder, where those of CUDA lie apart."""
    cuda = runtime_files(Runtime.CUDA)
    found = with_included(name for text in texts for name in _INCLUDE.findall(text))
    return {f"cuda/{name}" if name in cuda else name: path for name, path in found.items()}


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    return {**runtime_files(Runtime.COMMON), **runtime_files(Runtime.CUDA)}


@cache
def _included(path: Path) -> list[str]:
    return _INCLUDE.findall(path.read_text())


@lru_cache(maxsize=1)
def _headers_by_name() -> dict[str, frozenset[str]]:
    texts = {header: path.read_text() for header, path in with_included([ALL]).items()}
    included = {header: with_included([header]).keys() - {header} for header in texts}
    found: dict[str, set[str]] = {}
    for header, text in texts.items():
        for name in _defined(text):
            found.setdefault(name, set()).add(header)
    return {
        name: frozenset(header for header in headers if not included[header] & headers)
        for name, headers in found.items()
    }


def _defined(text: str) -> set[str]:
    bare = _COMMENT.sub(" ", text)
    macros = {name for name in _MACRO.findall(bare) if not name.endswith("_H")}
    naming = dict(_naming_macros(bare))
    return macros | {name for head, body in _declarations(bare) for name in _names(head, body, naming)}


def _naming_macros(text: str) -> Iterator[tuple[str, list[int]]]:
    """Macros of which parameters become names of what they define, as in `OMPC_OPERATOR(Sum, ...)`."""
    for name, parameters, body in _FUNCTION_MACRO.findall(text):
        named = [word.strip() for word in parameters.split(",")]
        pattern = r"\b(?:struct|class)\s+{0}\b(?!\s*<)|(?<![\w:.>] )(?<![\w:.>]){0}\(|\w [*&]?{0}\("
        yield name, [n for n, word in enumerate(named) if re.search(pattern.format(re.escape(word)), body)]


def _declarations(text: str) -> Iterator[tuple[str, str]]:
    """What stands in namespace ompc itself: the text up to a body or a semicolon, and the body."""
    inside: list[bool] = []  # of each brace that is open: a namespace
    start = 0
    text = _DIRECTIVE.sub(" ", text)
    for found in re.finditer(r"[{};]", text):
        at = found.start()
        in_namespaces = all(inside)
        if found[0] == "{":
            is_namespace = in_namespaces and _NAMESPACE.search(text, start, at) is not None
            if in_namespaces and not is_namespace:
                yield text[start:at], text[at + 1 : text.find("}", at)]
            inside.append(is_namespace)
            start = at + 1 if is_namespace else start
        else:
            if found[0] == "}" and inside:
                inside.pop()
            elif in_namespaces:
                yield text[start:at], ""
            start = at + 1 if all(inside) else start


def _names(declaration: str, body: str, naming: Mapping[str, list[int]]) -> Iterator[str]:
    for macro, given in _USED_MACRO.findall(declaration):
        words = [word.strip() for word in given.split(",")]
        yield from (words[n] for n in naming.get(macro, ()) if n < len(words))
    head = _without_angles(declaration)
    kind = _TYPE.search(head)
    if kind is not None and "(" not in head[: kind.start()]:
        yield kind[1]
        if head.lstrip().startswith("enum "):
            yield from re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip())
        return
    alias = _ALIAS.search(head)
    if alias is not None:
        yield alias[1]
        return
    outside = _without_brackets(head)
    yield from (name for name in _BEFORE.findall(outside) if name not in _NO_NAMES and not name.isdigit())


def _without_angles(text: str) -> str:
    """Without template arguments and parameters."""
    before = None
    while before != text:
        before, text = text, re.sub(r"(?<![<=-])<(?![<=])[^<>;{}]*>", " ", text)
    return text


def _without_brackets(text: str) -> str:
    """Without what is in round brackets; an initial value is left out as well."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)", "\0", text)
    text = text.replace("\0", "(")
    return re.sub(r"=[^,]*", "=", text)
