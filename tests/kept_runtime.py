"""A compiler that compiles the runtime's files once for a test session: python3 kept_runtime.py FOLDER c++ WORDS...

    FOLDER  KEY.o      what the command has made before
            KEY.lock   held by whoever makes it; others wait instead of making it as well
            apart      if it is there, each C++ file is compiled by itself

The C++ files are half a minute of a processor with sanitizers, and many tests build in a cache of their own, or without
one. KEY is made of the words and of the runtime's text. How the kernels of a program are optimised says nothing of
these: they are always -O1 (most of a run is spent in the emulator's scheduler) and position-independent, which suits
all; nvcc, which hands such files on to the C++ compiler, is asked for all that tests ask of it at once. The C files are
compiled as the command says. Commands that are about more than making the object are left to the compiler.

Most of what a C++ file costs is what it includes. So they are compiled as one, whose object stands for the first of
them, and an empty one for each of the others: they are linked together or not at all, and no name of one may mean
something else in another. One is compiled by itself all the same, so that two definitions of what a header should only
declare do not link. At night each is compiled by itself; test_runtime_programs.py asks always whether it includes what
it needs.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

ALWAYS = ("-O1", "-fPIC", "-fno-gnu-unique")
"""For C++ files, in the place of what says otherwise."""
APART = "apart"
"""A file of the folder: each is compiled by itself."""
BY_ITSELF = "ompc_resident.cc"
"""Of those that are quickly compiled it includes the most."""
_UNIT = re.compile(r"(?:.*/)?(?:runtime/[\w/]+|ompc_runtime)/ompc_\w+\.cc?")
_LEFT_OUT = ("-O", "-g", "-w", "-W", "-fPIC", "-fno-gnu-unique", "-fopenmp", "-DOMPC_OBJECT=")
_LINES = "-g1"
"""With sanitizers, whose reports name them."""
_OF_NVCC = ("-std=c++17", "-O1", "-Xcompiler", "-fPIC,-fno-gnu-unique,-Wall,-Wextra", "-Werror", "all-warnings")
_MEANT_FOR_NVCC = re.compile(
    r"-O\d|-std=c\+\+17|-arch=\w+|-Werror|all-warnings|-Wall,-Wextra|-fPIC|-fno-gnu-unique|-c|-[ID].*"
)
"""What a command for nvcc may say besides, if what is kept is to do."""
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(ompc_\w+\.h)"', re.MULTILINE)


def keep(folder: Path, command: Sequence[str]) -> int:
    """The status of the compiler; the object is where the command wants it."""
    output = Path(command[command.index("-o") + 1])
    words = _words(command)
    unit = Path(next(filter(_is_unit, words))).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if unit.suffix == ".cc":
        words = _for_nvcc(words) if _is_nvcc(words[0]) else [*_of_any_program(words), *ALWAYS]
        together = [] if (folder / APART).exists() else _together(unit, words)
        if len(together) > 1:
            units = together if unit == together[0] else []
            return _keep(folder, words, _as_one(folder, units), units, output)
    return _keep(folder, words, unit, [unit], output)


def _keep(folder: Path, words: Sequence[str], source: Path, units: Sequence[Path], output: Path) -> int:
    others = [word for word in words if not _is_unit(word)]
    kept = folder / f"{_key(others, units)}.o"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            mine = kept.with_suffix(".new")
            status = os.spawnvp(os.P_WAIT, others[0], [*others, str(source), "-o", str(mine)])
            if status:
                return status
            mine.rename(kept)
    output.write_bytes(kept.read_bytes())
    return 0


def _as_one(folder: Path, units: Sequence[Path]) -> Path:
    """A file with all of these."""
    text = "".join(f'#include "{unit}"\n' for unit in units)
    source = folder / f"{sha256(text.encode()).hexdigest()[:24]}.cc"
    if not source.exists():
        mine = source.with_suffix(f".{os.getpid()}")
        mine.write_text(text)
        mine.rename(source)
    return source


def _together(unit: Path, words: Sequence[str]) -> list[Path]:
    """The files of the runtime that are compiled as one with this one; they lie where headers are searched."""
    if unit.name == BY_ITSELF:
        return []
    found = {file for folder in (unit.parent, *_folders(words)) for file in folder.glob("ompc_*.cc")}
    return sorted((file for file in found if file.name != BY_ITSELF), key=lambda file: file.name)


def _folders(words: Sequence[str]) -> list[Path]:
    return [Path(word.removeprefix("-I")).absolute() for word in words if word.startswith("-I")]


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


def _key(words: Sequence[str], units: Sequence[Path]) -> str:
    """Of folders, the headers count that these files include: a program's own lie in a translated folder too."""
    folders = [*(unit.parent for unit in units), *_folders(words)]
    headers: dict[str, str] = {}
    left = list(units)
    while left:
        for name in _INCLUDE.findall(left.pop().read_text()):
            found = next((folder / name for folder in folders if (folder / name).exists()), None)
            if found is not None and name not in headers:
                headers[name] = _digest(found)
                left.append(found)
    others = sorted(word for word in words if not word.startswith("-I"))
    parts = ([(unit.name, _digest(unit)) for unit in units], sorted(headers.items()), others)
    return sha256(repr(parts).encode()).hexdigest()[:24]


def _is_unit(word: str) -> bool:
    return _UNIT.fullmatch(word) is not None


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _is_only_making(words: Sequence[str]) -> bool:
    known = sum(map(_is_unit, words)) == 1 and "-c" in words and "-o" in words
    return known and not any(word.startswith(("-M", "-fsyntax-only")) for word in words)


if __name__ == "__main__":
    if _is_only_making(sys.argv[2:]):
        sys.exit(keep(Path(sys.argv[1]), sys.argv[2:]))
    os.execvp(sys.argv[2], sys.argv[2:])
