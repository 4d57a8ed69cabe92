"""Options of a compiler as CMake takes them, which drops a word that it has seen: an option and its value are one.

    -Iinclude       "-I${ORIGIN}/include"
    -include x.h    "-include${ORIGIN}/x.h"
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath

from ompc.render.makefiles.quoting import PLACES

_OF_FILES = {"-include", "-imacros"}


def cmake_word(word: str) -> str:
    """A quoted argument."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'


def cmake_options(flags: Sequence[str], copies: Collection[str]) -> list[str]:
    """The flags as arguments, with relative paths seen from the folder; `copies` as in quoting.from_folder."""
    found: list[str] = []
    words = iter(flags)
    for flag in words:
        option = PLACES.fullmatch(flag)
        if option is None:
            found.append(cmake_word(flag))
            continue
        name, value = option[1], option[2] or next(words, "")
        found += [_with_variables(cmake_word(name + place)) for place in _places(name, value, copies)]
    return found


_ORIGIN, _HERE = "\0ORIGIN\0", "\0HERE\0"


def _with_variables(text: str) -> str:
    return text.replace(_ORIGIN, "${ORIGIN}").replace(_HERE, "${CMAKE_CURRENT_SOURCE_DIR}")


def _places(option: str, path: str, copies: Collection[str]) -> list[str]:
    own = os.path.normpath(path)
    there = path if PurePath(path).is_absolute() else _ORIGIN if path == "." else f"{_ORIGIN}/{path}"
    if option in _OF_FILES:
        return [f"{_HERE}/{own}" if own in copies else path if not Path(path).exists() else there]
    has_copies = option != "-L" and any(copy.startswith(f"{own}/") for copy in copies)
    return [*([f"{_HERE}/{own}"] if has_copies else []), there]
