"""Run the user's C compiler over the user's file: is it valid C, and what does it look like preprocessed?

    check_syntax   `cc -fsyntax-only -fopenmp`: what it refuses is the user's error, in the compiler's words (OMPC101)
    expand         `cc -E -fopenmp`, with the definitions of macros if they are asked for
    preprocess     the same, GNU spellings neutralised (frontend/neutralise.py), ready for the parser

In: a path and the options.   Out: `Preprocessed`.   Not here: parsing -- frontend/parse.py.
"""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.options import Options
from ompc.base.source import Location, file_named
from ompc.frontend.macro_definitions import Expanded, separated
from ompc.frontend.macro_uses import MacroPlace, macro_places
from ompc.frontend.neutralise import neutralise
from ompc.frontend.own_files import own_headers, text_of
from ompc.frontend.prune import prune, without_idle_markers
from ompc.frontend.text import with_letters

_WIDE_ENUMS_SINCE = 13  # gcc's major version

_MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """A preprocessed file.

    `file`         the main file, as the preprocessor names it (and so as every `Location` does)
    `text`         what the parser reads: preprocessed, GNU spellings neutralised
    `expanded`     what the preprocessor wrote, untouched
    `files`        every file that was read, main file first: what a cache must watch
    `source`       the user's own text; bytes that are no UTF-8 are kept as surrogate escapes
    `char_signed`  whether plain `char` is signed for this compiler and these flags
    `macros`       where `text` has constants for names of macros
    `wide_enums`   whether all constants of an enum have its type, where one of them is no `int`: gcc 13 and later
    """

    file: str
    text: str
    expanded: str
    files: tuple[str, ...]
    source: str
    char_signed: bool = True
    wide_enums: bool = False
    macros: tuple[MacroPlace, ...] = ()


def read_source(source: Path) -> str:
    """The user's text, every byte kept (write it back with the same `errors="surrogateescape"`). OMPC102, OMPC103."""
    if not source.exists():
        raise CompileError(Diagnostic("OMPC102", Kind.ERROR, f"there is no file {source}"))
    try:
        data = source.read_bytes()
    except OSError as error:
        message = f"{source} cannot be read: {error.strerror}"
        raise CompileError(Diagnostic("OMPC103", Kind.ERROR, message)) from None
    if b"\0" in data:
        raise CompileError(Diagnostic("OMPC103", Kind.ERROR, f"{source} is a binary file, not C source"))
    return data.decode("utf-8", errors="surrogateescape")


def check_syntax(source: Path, options: Options) -> tuple[Diagnostic, ...]:
    """Warnings about pragmas that the compiler does not know (OMPC201); raises OMPC101 for C that does not compile."""
    text = read_source(source)
    flags = ["-fsyntax-only", "-fopenmp", "-Wunknown-pragmas", "-fdiagnostics-color=never"]
    result = _run(options, [*flags, *options.cpp_flags, "-x", "c", argument(source)])
    messages = result.stderr.decode("utf-8", errors="surrogateescape")
    if result.returncode != 0:
        raise CompileError(_refused(source, messages))
    return _unknown_pragmas(str(source), text, messages)


def expand(source: Path, options: Options, *more: str) -> str:
    """What `cc -E -fopenmp` writes with the user's flags, and `more`. Raises OMPC101, OMPC104."""
    result = _run(options, ["-E", *more, "-fopenmp", *options.cpp_flags, "-x", "c", argument(source)])
    if result.returncode != 0:
        raise CompileError(_refused(source, result.stderr.decode("utf-8", errors="surrogateescape")))
    return with_letters(result.stdout.decode("utf-8", errors="surrogateescape").replace("\r\n", "\n"))


_ASKED_FOR = frozenset({"__CHAR_UNSIGNED__", "__GNUC__", "__clang__"})
"""The compiler's macros that say what types are."""


def preprocess(source: Path, options: Options) -> Preprocessed:
    """The file expanded and made readable for the parser. Raises OMPC101 to OMPC104."""
    text = read_source(source)
    separate = _with_definitions(source, options)
    macros = separate.predefined(_ASKED_FOR) or predefined(options)
    expanded, parsed = separate.text, without_idle_markers(neutralise(prune(separate.text)))
    own: dict[str, Callable[[], str | None]] = {argument(source): lambda: text}
    own |= {name: partial(text_of, name) for name in own_headers(expanded, argument(source))}
    return Preprocessed(
        file=argument(source),
        text=parsed,
        expanded=expanded,
        files=_files(expanded, argument(source)),
        source=text,
        char_signed="__CHAR_UNSIGNED__" not in macros,
        wide_enums=_has_wide_enums(macros),
        macros=macro_places(separate, parsed, own),
    )


def _with_definitions(source: Path, options: Options) -> Expanded:
    """Without them where the compiler does not know the option."""
    try:
        return separated(expand(source, options, "-dD"))
    except CompileError:
        return Expanded(expand(source, options))


def _has_wide_enums(macros: Mapping[str, str]) -> bool:
    return "__clang__" not in macros and int(macros.get("__GNUC__", "0")) >= _WIDE_ENUMS_SINCE


def argument(source: Path) -> str:
    """The path as a command-line argument: one that starts with a dash must not be read as an option."""
    name = str(source)
    return f"./{name}" if name.startswith("-") else name


def predefined(options: Options) -> dict[str, str]:
    """The macros that the compiler predefines under the user's flags, where it does not say so with the text itself."""
    return _predefined(
        options.cc, options.cc_arguments, tuple(f for f in options.cpp_flags if re.match(r"-(std|m|f|O|ansi)", f))
    )


@lru_cache(maxsize=16)
def _predefined(cc: str, arguments: tuple[str, ...], flags: tuple[str, ...]) -> dict[str, str]:
    options = Options(cc=cc, cc_arguments=arguments)
    result = _run(options, [*flags, "-fopenmp", "-dM", "-E", "-x", "c", "/dev/null"])
    words = (line.split(" ", 2) for line in result.stdout.decode().splitlines())
    return {w[1]: (w[2] if len(w) > 2 else "") for w in words if len(w) > 1}


def _run(options: Options, arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
    try:
        command = [options.cc, *options.cc_arguments, *arguments]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        message = f"the C compiler {options.cc!r} cannot be run: {error.strerror}"
        help_text = "install gcc or clang, or name your compiler"
        raise CompileError(Diagnostic("OMPC104", Kind.ERROR, message, help=help_text)) from None


def _refused(source: Path, messages: str) -> Diagnostic:
    """The compiler's refusal; its own message, verbatim, is in the notes."""
    where = re.search(r"^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error", messages, re.MULTILINE)
    at = Location(where.group(1), int(where.group(2)), int(where.group(3) or 0)) if where else None
    said = messages.rstrip("\n") + "\n"
    return Diagnostic("OMPC101", Kind.ERROR, f"the C compiler does not accept {source}", at, notes=(said,))


def _unknown_pragmas(file: str, text: str, messages: str) -> tuple[Diagnostic, ...]:
    """One warning for each `#pragma omp` that the compiler ignores; misspelt ones name the nearest directive."""
    lines = text.split("\n")
    found: list[Diagnostic] = []
    for match in re.finditer(r"^(.+?):(\d+):(?:\d+:)? .*\[-Wunknown-pragmas\]", messages, re.MULTILINE):
        line = int(match.group(2))
        written = lines[line - 1].strip() if match.group(1) == file and line <= len(lines) else ""
        words = re.findall(r"\w+", written)
        if "pragma" in words and _looks_like_openmp(words):
            found.append(_misspelt(Location(file, line), words[words.index("pragma") + 1 :]))
    return tuple(found)


def _looks_like_openmp(words: list[str]) -> bool:
    after = words[words.index("pragma") + 1 :]
    if after[:1] == ["ompc"]:
        return False  # it is our own
    return bool(after) and (after[0] == "omp" or bool(difflib.get_close_matches(after[0], ["omp"], cutoff=0.6)))


_DIRECTIVE_WORDS = (
    "parallel for simd sections section single master masked critical barrier taskwait taskgroup taskloop task"
    " taskyield atomic flush ordered target teams distribute threadprivate declare cancel loop scope scan requires"
).split()


_NEWER_WORDS = frozenset("assume assumes begin dispatch error interop metadirective nothing tile unroll".split())
"""The first words of directives that compilers have learnt last (OpenMP 5.1 and 5.2)."""


def _misspelt(at: Location, words: list[str]) -> Diagnostic:
    wrong = next((w for w in words[1:] if w not in _DIRECTIVE_WORDS), "") if words[0] == "omp" else words[0]
    nearest = difflib.get_close_matches(wrong, _DIRECTIVE_WORDS if words[0] == "omp" else ["omp"], n=1, cutoff=0.5)
    message = f"the C compiler ignores this pragma: it does not know {wrong!r}"
    help_text = f"did you mean {nearest[0]!r}?" if nearest else None
    if words[0] == "omp" and wrong in _NEWER_WORDS:
        help_text = "this compiler is older than the directive"
    return Diagnostic("OMPC201", Kind.WARNING, message, at, help=help_text)


def _files(expanded: str, main: str) -> tuple[str, ...]:
    names = dict.fromkeys([main])
    names.update(dict.fromkeys(file_named(m.group(2)) for m in _MARKER.finditer(expanded)))
    return tuple(n for n in names if not n.startswith("<"))
