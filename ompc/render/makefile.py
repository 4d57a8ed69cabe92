"""The Makefile of a translated folder: `make` alone builds the program, without ompc.

Relative -I directories, and the directory of the user's own headers, are relative to where ompc ran; the Makefile
reaches them through `ORIGIN`, the path from the folder to there.

    In: the plan, the path of the source, the options.   Out: the text.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path, PurePath

from ompc.options import FloatingPoint, Options
from ompc.plan.model import Plan
from ompc.render.environment import template

_DIRECTORY = re.compile(r"(-I|-L|-iquote|-isystem|-idirafter|-include|-imacros)(.*)", re.DOTALL)


def makefile_text(plan: Plan | None, source: Path, options: Options, origin: str = "..") -> str:
    """The Makefile of `source`; no plan: the file was copied through. `origin`: from the folder to where ompc ran.

    Its variables: CC, CFLAGS, LDFLAGS, LDLIBS, ORIGIN, and with loops on the device NVCC, NVCCFLAGS, ARCH.
    """
    sanitizers = [flag for flag in options.cpp_flags if flag.startswith("-fsanitize=")]
    return template("Makefile.j2").render(
        name=source.stem,
        target=re.sub(r"([\s#%:\\])", r"\\\1", source.stem).replace("$", "$$"),
        word=_word(source.stem),
        origin=_escaped(origin),
        host_flags=" ".join([*_from_folder(options.cpp_flags), f"-iquote {_located(str(source.parent))}"]),
        contraction=" -fmad=false" if options.fp is FloatingPoint.STRICT else "",
        sanitizers="".join(f" {_escaped(flag)}" for flag in sanitizers),
        nvcc_sanitizers="".join(f" -Xcompiler {_escaped(part)}" for flag in sanitizers for part in _apart(flag)),
        has_device_code=plan is not None and bool(plan.on_device),
    )


def _apart(flag: str) -> list[str]:
    """nvcc splits what it passes on at commas."""
    return [f"-fsanitize={kind}" for kind in flag.removeprefix("-fsanitize=").split(",")]


def _from_folder(flags: Sequence[str]) -> list[str]:
    """The flags as words of a variable, with the relative paths in them seen from the folder."""
    words: list[str] = []
    takes_path = False
    for flag in flags:
        option = _DIRECTORY.fullmatch(flag)
        if takes_path:
            words.append(_located(flag))
            takes_path = False
        elif option is None:
            words.append(_escaped(flag))
        elif option.group(2):
            words.append(option.group(1) + _located(option.group(2)))
        else:
            words.append(flag)
            takes_path = True
    return words


def _located(path: str) -> str:
    if PurePath(path).is_absolute():
        return _escaped(path)
    return "$(ORIGIN)" if path == "." else f"$(ORIGIN)/{_escaped(path)}"


def _word(word: str) -> str:
    """A word of a recipe: quoted for the shell, then for make."""
    return shlex.quote(word).replace("$", "$$")


def _escaped(word: str) -> str:
    """The same in the value of a variable, where make takes # as the start of a comment."""
    return _word(word).replace("#", "\\#")
