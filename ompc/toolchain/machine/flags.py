"""gcc's own options on ompc's command line: which they are and who gets them.

    preprocess   -DN=3  -D N=3  -Iinc  -std=c99  -include x.h  -fno-builtin      the preprocessor and the host compiler
    compile      -O3  -g  -Wall                                                  the host compiler
    link         -lm  -Llib  -Wl,...  -static                                    the linker
    dependencies -MMD  -MF FILE  -MT TARGET                                      whoever writes a dependency file

In: the words of the command line.   Out: the words that are ompc's, and `Flags`, each list in the order given.
Not here: options that only ompc has (`--target`, `-o`), which click reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ompc.base.frozen import dataclass
from ompc.base.options import sanitizers_of


class _Goes(Enum):
    PREPROCESS = "preprocess"
    COMPILE = "compile"
    LINK = "link"
    DEPENDENCIES = "dependencies"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Flags:
    """Compiler options by the step that needs them. `preprocess` goes to the host compiler as well."""

    preprocess: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()

    @property
    def optimisation(self) -> str:
        """The last -O option, as gcc takes it; -O2 when there is none."""
        return next((f for f in reversed(self.compile) if f.startswith("-O")), "-O2")

    @property
    def wants_warnings(self) -> bool:
        return any(f.startswith(("-W", "-pedantic")) for f in self.compile)

    @property
    def sanitizers(self) -> tuple[str, ...]:
        """What the linker and the emulated kernels must be given as well as the host file."""
        return sanitizers_of(self.preprocess)


class MissingValueError(Exception):
    """An option at the end of the command line lacks its value; the argument is the option."""


_SEPARATE: dict[str, _Goes] = {
    "-include": _Goes.PREPROCESS,
    "-imacros": _Goes.PREPROCESS,
    "-isystem": _Goes.PREPROCESS,
    "-iquote": _Goes.PREPROCESS,
    "-idirafter": _Goes.PREPROCESS,
    "-Xlinker": _Goes.LINK,
}
"""Options whose value is the next word."""

_JOINED_OR_SEPARATE: dict[str, _Goes] = {
    "-I": _Goes.PREPROCESS,
    "-D": _Goes.PREPROCESS,
    "-U": _Goes.PREPROCESS,
    "-L": _Goes.LINK,
    "-l": _Goes.LINK,
    "-MF": _Goes.DEPENDENCIES,
    "-MT": _Goes.DEPENDENCIES,
    "-MQ": _Goes.DEPENDENCIES,
}

_EXACT: dict[str, _Goes] = {
    "-fopenmp": _Goes.NOWHERE,  # always on
    "-ansi": _Goes.PREPROCESS,
    "-trigraphs": _Goes.PREPROCESS,
    "-pthread": _Goes.PREPROCESS,
    "-nostdinc": _Goes.PREPROCESS,
    "-undef": _Goes.PREPROCESS,
    "-MD": _Goes.DEPENDENCIES,
    "-MMD": _Goes.DEPENDENCIES,
    "-MP": _Goes.DEPENDENCIES,
    "-static": _Goes.LINK,
    "-pie": _Goes.LINK,
    "-no-pie": _Goes.LINK,
    "-s": _Goes.LINK,
    "-rdynamic": _Goes.LINK,
    "-w": _Goes.COMPILE,
    "-pipe": _Goes.COMPILE,
    "-pedantic": _Goes.COMPILE,
    "-pedantic-errors": _Goes.COMPILE,
}

_PREFIXES: tuple[tuple[str, _Goes], ...] = (
    ("-std=", _Goes.PREPROCESS),
    ("-f", _Goes.PREPROCESS),  # -funsigned-char, -fsanitize=address and others define macros
    ("-m", _Goes.PREPROCESS),
    ("-Wl,", _Goes.LINK),
    ("-static-", _Goes.LINK),  # -static-pie, -static-libgcc, -static-libstdc++
    ("-shared-", _Goes.LINK),  # -shared-libgcc
    ("-Wp,", _Goes.PREPROCESS),
    ("-W", _Goes.COMPILE),
    ("-O", _Goes.COMPILE),
    ("-g", _Goes.COMPILE),
)
"""Options recognised by how they start, tried in this order."""


def split_flags(words: Sequence[str]) -> tuple[list[str], Flags]:
    """The words that are ompc's, and the compiler's options. Everything from `--` on is left alone.

    MissingValueError: an option that needs a value is the last word.
    """
    rest: list[str] = []
    taken: dict[_Goes, list[str]] = {goes: [] for goes in _Goes}
    position = 0
    while position < len(words) and words[position] != "--":
        word = words[position]
        goes, count = _classify(word)
        if goes is None:
            rest.append(word)
        elif position + count > len(words) or (count == 2 and words[position + 1] == "--"):
            raise MissingValueError(word)
        else:
            taken[goes] += words[position : position + count]
        position += count
    return rest + list(words[position:]), Flags(
        preprocess=tuple(taken[_Goes.PREPROCESS]),
        compile=tuple(taken[_Goes.COMPILE]),
        link=tuple(taken[_Goes.LINK]),
        dependencies=tuple(taken[_Goes.DEPENDENCIES]),
    )


def _classify(word: str) -> tuple[_Goes | None, int]:
    """Who gets the option (None: not the compiler's) and how many words it takes."""
    if word in _EXACT:
        return _EXACT[word], 1
    if word in _SEPARATE:
        return _SEPARATE[word], 2
    for option in (word[:2], word[:3]):
        if option in _JOINED_OR_SEPARATE:
            return _JOINED_OR_SEPARATE[option], 2 if word == option else 1
    for prefix, goes in _PREFIXES:
        if word.startswith(prefix):
            return goes, 1
    return None, 1
