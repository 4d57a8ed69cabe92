"""Words in a Makefile, and paths as they are seen from the translated folder.

Relative paths are relative to where ompc ran; the Makefile reaches them through `ORIGIN`. A header that was copied into
the folder is found there first (own_headers.py).

    In: options and names.   Out: text for a value, a recipe or a rule's head.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath

PLACES = re.compile(r"(-I|-L|-iquote|-isystem|-idirafter|-include|-imacros)(.*)", re.DOTALL)
_FILE = {"-include", "-imacros"}
"""Options that name a file. One that is not where ompc runs is searched for as an #include is, and stays as it is
written.
"""


def target_name(name: str) -> str:
    """A file name as make's target."""
    return re.sub(r"([\s#%:\\])", r"\\\1", name).replace("$", "$$")


def from_folder(flags: Sequence[str], copies: Collection[str] = ()) -> list[str]:
    """The flags as words of a variable, with the relative paths in them seen from the folder. `copies`: files, as paths
    from where ompc ran, which the folder has at the same paths.
    """
    words: list[str] = []
    separate = ""
    for flag in flags:
        option = PLACES.fullmatch(flag)
        if separate:
            words += [word for place in _values(separate, flag, copies) for word in (separate, place)]
            separate = ""
        elif option is None:
            words.append(value_word(flag))
        elif option.group(2):
            words += [option.group(1) + place for place in _values(option.group(1), option.group(2), copies)]
        else:
            separate = flag
    return [*words, *([separate] if separate else [])]


def _values(option: str, path: str, copies: Collection[str]) -> list[str]:
    """Where to look: in the folder, then where ompc ran."""
    own = os.path.normpath(path)
    if option in _FILE:
        if own in copies:
            return [value_word(f"./{own}")]  # gcc reads what is called @a as options
        return [located(path) if Path(path).exists() else value_word(path)]
    has_copies = option != "-L" and any(copy.startswith(f"{own}/") for copy in copies)
    return [*([value_word(f"./{own}")] if has_copies else []), located(path)]


def located(path: str) -> str:
    """In one pair of quotes, since whoever moves the folder may give a path with spaces."""
    if PurePath(path).is_absolute():
        return value_word(path)
    return "'$(ORIGIN)'" if path == "." else f"'$(ORIGIN)/{in_quotes(path)}'"


def in_quotes(text: str) -> str:
    """Text in the value of a variable that will stand between single quotes."""
    return _uncommented(text.replace("'", "'\\''").replace("$", "$$"))


def whole_value(text: str) -> str:
    """All of a variable's value: a backslash at its end would continue the line."""
    return f"{text}$()" if text.endswith("\\") else text


def recipe_word(word: str) -> str:
    """A word of a recipe: quoted for the shell, then for make."""
    return shlex.quote(word).replace("$", "$$")


def value_word(word: str) -> str:
    """The same in the value of a variable."""
    return _uncommented(recipe_word(word))


def _uncommented(value: str) -> str:
    """Make takes # as the start of a comment, and halves the backslashes before it."""
    return re.sub(r"(\\*)#", r"\1\1\\#", value)
