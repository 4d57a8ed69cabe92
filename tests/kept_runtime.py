"""A compiler that compiles a file of the runtime once for a test session: python3 kept_runtime.py FOLDER c++ WORDS...

    FOLDER  KEY.o      what the command has made before
            KEY.lock   held by whoever makes it; others wait instead of making it as well

The C++ files are half a minute of a processor with sanitizers, and many tests build in a cache of their own, or without
one. KEY is made of the words and of the runtime's text. How the kernels of a program are optimised says nothing of
these: they are always -O1 (most of a run is spent in the emulator's scheduler) and position-independent, which suits
all. The C files are compiled as the command says. Commands that are about more than making the object are left to the
compiler.
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
_LEFT_OUT = ("-O", "-g0", "-fPIC", "-fno-gnu-unique", "-fopenmp", "-DOMPC_OBJECT=")


def keep(folder: Path, command: Sequence[str]) -> int:
    """The status of the compiler; the object is where the command wants it."""
    output = Path(command[command.index("-o") + 1])
    words = _words(command)
    if any(_is_unit(word) and word.endswith(".cc") for word in words):
        words = [*_of_any_program(words), *ALWAYS]
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
    return [word for number, word in enumerate(left) if word not in left[number + 1 :]]


def _key(words: Sequence[str]) -> str:
    """Folders count by what is in them: a translated folder has the runtime's headers in its own."""
    parts = [_content(Path(word.removeprefix("-I"))) if _is_place(word) else word for word in words]
    return sha256(repr(sorted(parts)).encode()).hexdigest()[:24]


def _is_place(word: str) -> bool:
    return word.startswith("-I") or _is_unit(word)


def _is_unit(word: str) -> bool:
    return _UNIT.fullmatch(word) is not None


def _content(place: Path) -> str:
    files = sorted(place.glob("ompc_*.h")) if place.is_dir() else [place]
    return sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()


def _is_only_making(words: Sequence[str]) -> bool:
    known = any(map(_is_unit, words)) and "-c" in words and "-o" in words
    return known and not any(word.startswith("-M") for word in words)


if __name__ == "__main__":
    if _is_only_making(sys.argv[2:]):
        sys.exit(keep(Path(sys.argv[1]), sys.argv[2:]))
    os.execvp(sys.argv[2], sys.argv[2:])
