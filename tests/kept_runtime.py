"""A compiler that compiles a file of the runtime once for a test session: python3 kept_runtime.py FOLDER c++ WORDS...

    FOLDER  KEY.o      what the command has made before
            KEY.lock   held by whoever makes it; others wait instead of making it as well

The C++ files are half a minute of a processor with sanitizers, and many tests build in a cache of their own, or without
one. KEY is made of the words and of the runtime's text. How the kernels of a program are optimised says nothing of
these: they are always -O1 (most of a run is spent in the emulator's scheduler) and position-independent, which suits
all; nvcc, which hands such files on to the C++ compiler, is asked for all that tests ask of it at once. The C files are
compiled as the command says. Commands that are about more than making the object are left to the compiler.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

ALWAYS = ("-O1", "-fPIC", "-fno-gnu-unique")
"""For C++ files, in the place of what says otherwise."""
_UNIT = re.compile(r"(?:.*/)?(?:runtime/[\w/]+|ompc_runtime)/ompc_\w+\.cc?")
_LEFT_OUT = ("-O", "-g", "-w", "-W", "-fPIC", "-fno-gnu-unique", "-fopenmp", "-DOMPC_OBJECT=")
_LINES = "-g1"
"""With sanitizers, whose reports name them."""
_OF_NVCC = ("-std=c++17", "-O1", "-Xcompiler", "-fPIC,-Wall,-Wextra", "-Werror", "all-warnings")
_MEANT_FOR_NVCC = re.compile(r"-O\d|-std=c\+\+17|-arch=\w+|-Werror|all-warnings|-Wall,-Wextra|-c|-[ID].*")
"""What a command for nvcc may say besides, if what is kept is to do."""


def keep(folder: Path, command: Sequence[str]) -> int:
    """The status of the compiler; the object is where the command wants it."""
    output = Path(command[command.index("-o") + 1])
    words = _words(command)
    if any(_is_unit(word) and word.endswith(".cc") for word in words):
        words = _for_nvcc(words) if _is_nvcc(words[0]) else [*_of_any_program(words), *ALWAYS]
    kept = folder / f"{_key(words)}.o"
    folder.mkdir(parents=True, exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            mine = kept.with_suffix(".new")
            status = subprocess.run([*words, "-o", str(mine)]).returncode
            if status:
                return status
            mine.rename(kept)
    shutil.copyfile(kept, output)
    return 0


def _words(command: Sequence[str]) -> list[str]:
    """All but the place of the object."""
    at = command.index("-o")
    return [*command[:at], *command[at + 2 :]]


def _of_any_program(words: Sequence[str]) -> list[str]:
    """Each word once, where it counts: the last of two options is followed."""
    left = [word for word in words if not word.startswith(_LEFT_OUT)]
    if any(word.startswith("-fsanitize") for word in left):
        left.append(_LINES)
    return [word for number, word in enumerate(left) if word not in left[number + 1 :]]


def _is_nvcc(command: str) -> bool:
    return Path(command).name == "nvcc"


def _for_nvcc(words: Sequence[str]) -> list[str]:
    """Position-independent, and with the warnings that the strictest asks for; what says more is followed as it is."""
    left = _of_nvcc(words)
    if not all(_is_unit(word) or _MEANT_FOR_NVCC.fullmatch(word) for word in left):
        return list(words)
    return [words[0], *_OF_NVCC, *(word for word in left if word.startswith(("-I", "-D")) or _is_unit(word)), "-c"]


def _of_nvcc(words: Sequence[str]) -> list[str]:
    """Without itself, the host's compiler, and the names of options whose values follow."""
    skipped = {number + 1 for number, word in enumerate(words) if word == "-ccbin"}
    named = {"-ccbin", "-Xcompiler"}
    return [word for number, word in enumerate(words) if number and number not in skipped and word not in named]


def _key(words: Sequence[str]) -> str:
    """Folders count by the headers in them: a translated folder has all of the runtime's in its own."""
    unit = next(Path(word) for word in words if _is_unit(word))
    folders = [unit.parent, *(Path(word.removeprefix("-I")) for word in words if word.startswith("-I"))]
    headers: dict[str, str] = {}
    for folder in folders:
        for name, content in _headers(folder).items():
            headers.setdefault(name, content)
    others = sorted(word for word in words if not word.startswith("-I") and not _is_unit(word))
    parts = (unit.name, _digest(unit), sorted(headers.items()), others)
    return sha256(repr(parts).encode()).hexdigest()[:24]


def _is_unit(word: str) -> bool:
    return _UNIT.fullmatch(word) is not None


def _headers(folder: Path) -> dict[str, str]:
    return {file.name: _digest(file) for file in folder.glob("ompc_*.h")}


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _is_only_making(words: Sequence[str]) -> bool:
    known = any(map(_is_unit, words)) and "-c" in words and "-o" in words
    return known and not any(word.startswith("-M") for word in words)


if __name__ == "__main__":
    if _is_only_making(sys.argv[2:]):
        sys.exit(keep(Path(sys.argv[1]), sys.argv[2:]))
    os.execvp(sys.argv[2], sys.argv[2:])
