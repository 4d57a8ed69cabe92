"""gcc's command line as `ompc cc` reads it: what is compiled from what, to where, and which words are ompc's own.

    ompc cc -fopenmp -O2 -DN=3 -c src/a.c -o a.o --opt thesis @more

    stage   assemble (-c)        inputs   src/a.c (word 5), those of the response file `more`
    output  a.o                  flags    -fopenmp -O2 -DN=3
    own     opt = thesis

A word that ompc does not know is the host compiler's, and is handed on. All that has to be known are the options that
take the next word as their value, as gcc's manual lists them: such a word is no input.

In: the words after `ompc cc`.   Out: `CommandLine`.   Not here: what is made of it -- ompc/cc.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path

from ompc.base.frozen import dataclass, field


class Stage(Enum):
    """Where the compiler stops."""

    OTHER = "other"  # -E, -S, -M, -fsyntax-only, --version, -###: nothing that the device has a part in
    ASSEMBLE = "assemble"  # -c: one object file for each source
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Input:
    """An input file: the number of its word, the word, the language that -x says (None: by the name's ending)."""

    position: int
    text: str
    language: str | None = None

    @property
    def is_c(self) -> bool:
        return self.language == "c" or (self.language is None and self.text.endswith(".c"))


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A compiler's command line, digested. Positions count in `words`.

    `given`         the host compiler's words as they were written, response files not read
    `words`         the same, response files read
    `flags`         the words that are options, with their values; no inputs, no -o, no -c, no -x
    `dependencies`  the options about dependency files (-MD, -MF x, ...), which are not in `flags`
    `own`           ompc's settings by name: target, opt, fp, arch, cc, cxx, quiet, time
    """

    given: tuple[str, ...]
    words: tuple[str, ...]
    stage: Stage
    inputs: tuple[Input, ...]
    flags: tuple[str, ...]
    output: str | None = None
    dependencies: tuple[str, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def openmp(self) -> bool:
        """The last of -fopenmp, -fopenmp=LIBRARY and -fno-openmp counts."""
        on = False
        for flag in self.flags:
            if flag == "-fno-openmp":
                on = False
            elif flag == "-fopenmp" or flag.startswith("-fopenmp="):
                on = True
        return on

    @property
    def sources(self) -> tuple[Input, ...]:
        """The C sources; `-` (standard input) is none."""
        return tuple(item for item in self.inputs if item.is_c and item.text != "-")


SETTINGS = ("target", "opt", "fp", "gpus", "without", "arch", "cc", "cxx")
"""ompc's own options that have a value, written as --opt thesis, --opt=thesis or OMPC_OPT."""

TARGETS = ("auto", "cuda", "emulate", "host")

_TAKES_NEXT = frozenset(
    """-o -x -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib
    -MF -MT -MQ -Xlinker -Xassembler -Xpreprocessor -Xclang -Xarch_host -T -u -z -e -h -A -B -wrapper -aux-info -G -arch
    -framework -iframework -target --param -dumpbase -dumpbase-ext -dumpdir -mllvm -b -V -Tbss -Tdata -Ttext -Tbss=
    -specs --sysroot --entry --include --output --undefined -I -D -U -L -l -F -R -soname -rpath -install_name
    """.split()
)
_DEPENDENCIES = {"-MD", "-MMD", "-MP", "-MG"}
_STOPS_EARLIER = re.compile(
    r"-E|-S|-M|-MM|-r|-fsyntax-only|-###|--version|--help(=.*)?|-dump(machine|version|fullversion|specs)|--?print-.*"
    r"|-emit-(llvm|ast)|--analyze"
)
"""Matches options with which gcc does not come to a complete link. -r is one, too: a partial link makes an object of
objects, and what the device needs comes with the last link.
"""


class TooDeepError(Exception):
    """Response files that name each other without an end."""


def parse_command_line(
    words: Sequence[str], read: Callable[[Path], str] = lambda path: path.read_text(errors="surrogateescape")
) -> CommandLine:
    """Digest the words. TooDeepError; a response file that cannot be read stays a word, as gcc has it."""
    given, own = _without_own(words)
    expanded, inside = _without_own(_with_response_files(given, read))
    own = {**own, **inside}
    return _digest(tuple(expanded if inside else given), expanded, own)


def _without_own(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    rest: list[str] = []
    own: dict[str, str] = {}
    position = 0
    while position < len(words):
        word = words[position]
        name, separator, value = word[2:].partition("=") if word.startswith("--") else ("", "", "")
        follows = words[position + 1] if position + 1 < len(words) else None
        if word in {"--quiet", "-q"}:
            own["quiet"] = "1"
        elif word == "--time":
            own["time"] = "1"
        elif name in SETTINGS and separator and (name != "target" or value in TARGETS):
            own[name] = value
        elif name in SETTINGS and not separator and follows is not None and (name != "target" or follows in TARGETS):
            own[name] = follows
            position += 1
        else:
            rest.append(word)
            if word in _TAKES_NEXT and follows is not None:
                rest.append(follows)
                position += 1
        position += 1
    return rest, own


def _with_response_files(words: Sequence[str], read: Callable[[Path], str], depth: int = 0) -> list[str]:
    if depth > 100:
        raise TooDeepError
    found: list[str] = []
    for word in words:
        try:
            inside = split_response(read(Path(word[1:]))) if word.startswith("@") and len(word) > 1 else None
        except OSError:
            inside = None
        found += [word] if inside is None else _with_response_files(inside, read, depth + 1)
    return found


def split_response(text: str) -> list[str]:
    """The words of a response file, as libiberty splits them: blanks, both kinds of quotes, and backslashes."""
    words: list[str] = []
    word: list[str] | None = None
    quote = ""
    at = 0
    while at < len(text):
        c = text[at]
        if not quote and c.isspace():
            if word is not None:
                words.append("".join(word))
            word = None
        else:
            word = [] if word is None else word
            if c == "\\" and at + 1 < len(text):
                at += 1
                word.append(text[at])
            elif c == quote:
                quote = ""
            elif not quote and c in "'\"":
                quote = c
            else:
                word.append(c)
        at += 1
    return words if word is None else [*words, "".join(word)]


def _digest(given: tuple[str, ...], words: Sequence[str], own: Mapping[str, str]) -> CommandLine:
    inputs: list[Input] = []
    flags: list[str] = []
    dependencies: list[str] = []
    output, language, stage = None, None, Stage.LINK
    position = 0
    while position < len(words):
        word = words[position]
        value = words[position + 1] if word in _TAKES_NEXT and position + 1 < len(words) else None
        pair = [word] if value is None else [word, value]
        if word in {"-o", "--output"} and value is not None:
            output = value
        elif word.startswith("-o") and len(word) > 2 and not word.startswith("-openmp"):
            output = word[2:]
        elif (word.startswith("-x") and word != "-x") or (word == "-x" and value is not None):
            named = value if value is not None else word[2:]
            language = None if named == "none" else named
        elif word == "-c":
            stage = Stage.ASSEMBLE if stage is Stage.LINK else stage
        elif _STOPS_EARLIER.fullmatch(word):
            stage = Stage.OTHER
            flags.append(word)
        elif word in _DEPENDENCIES or re.match(r"-M[FTQ]|-Wp,-M", word):
            dependencies += pair
        elif word == "-" or not word.startswith("-"):
            inputs.append(Input(position, word, language))
        else:
            flags += pair
        position += len(pair)
    if not inputs and not any(flag.startswith("-l") for flag in flags):
        stage = Stage.OTHER
    return CommandLine(
        given, tuple(words), stage, tuple(inputs), tuple(flags), output, tuple(dependencies), own
    )  # fmt: skip
