"""A folder of C programs -> its files with OpenMP, and which of them make a program.

A file with a `main` is a program, alone or with the files of its folder that have none; building.py tries in this
order. What cannot be guessed is said in NAME.toml beside the folder NAME (all keys optional; paths are relative to the
folder, and so is {folder} in flags and arguments):

    include = ["common"]                   # -I for all files
    flags = ["-DSMALL"]                    # for preprocessor, compiler and linker
    files = ["common/timers.c"]            # linked with every program
    exclude = ["*/offload/*"]

    [[program]]                            # for programs whose file with main matches; the first that matches counts
    main = "openmp/bfs/*.c"
    files = ["openmp/bfs/io.c"]            # instead of those above
    flags = ["-DN=64"]                     # besides those above
    arguments = ["4", "{folder}/data/graph.txt"]
    data = ["openmp/bfs/weights"]          # files that it looks for where it runs

In: folders.   Out: Suite.   Not here: whether a compiler agrees (building.py).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from typing import Any

MAIN = re.compile(r"^(?:[A-Za-z_][\w \t*]*\s)?main\s*\(", re.MULTILINE)
OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b|_Pragma\s*\(\s*\"\s*omp\b", re.MULTILINE)
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
LARGEST = 2_000_000
"""Files above this many bytes are data."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with OpenMP, and the preprocessor's flags for it."""

    path: Path
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """`choices`: sets of files that may make the program, the likeliest first; each begins with the one with `main`."""

    name: str
    choices: tuple[tuple[Path, ...], ...]
    flags: tuple[str, ...]
    arguments: tuple[str, ...]
    data: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """One folder."""

    name: str
    sources: tuple[Source, ...]
    programs: tuple[Program, ...]

    def sample(self, count: int, seed: int) -> Suite:
        """At most `count` files and the programs that begin with one of them."""
        if count >= len(self.sources):
            return self
        chosen = random.Random(seed).sample(self.sources, count)
        paths = {source.path for source in chosen}
        programs = tuple(program for program in self.programs if program.choices[0][0] in paths)
        return Suite(self.name, tuple(sorted(chosen, key=lambda source: source.path)), programs)

    def sample_programs(self, count: int, seed: int) -> Suite:
        """All files, and at most `count` programs."""
        if count >= len(self.programs):
            return self
        chosen = random.Random(seed).sample(self.programs, count)
        return replace(self, programs=tuple(sorted(chosen, key=lambda program: program.name)))


def read_suite(folder: Path) -> Suite:
    """Everything in `folder` that concerns OpenMP; of equal files in folders with the same other files only one."""
    folder = folder.resolve()
    settings = _settings(folder)
    files = [path for path in sorted(folder.rglob("*.c")) if _is_wanted(path, folder, settings)]
    folders = sorted({path.parent for path in files})
    programs = [program for where in folders for program in _programs(where, files, folder, settings)]
    sources = [Source(path, _flags(path, folder, settings)) for path in files if OPENMP.search(text_of(path))]
    return Suite(folder.name, tuple(sources), tuple(programs))


@lru_cache(maxsize=64)
def text_of(path: Path) -> str:
    """The code of a file, without comments."""
    return NOT_CODE.sub(" ", path.read_text(errors="replace"))


def _is_wanted(path: Path, folder: Path, settings: Mapping[str, Any]) -> bool:
    inside = str(path.relative_to(folder))
    excluded = any(fnmatch(inside, pattern) for pattern in settings.get("exclude", ()))
    return not excluded and path.is_file() and path.stat().st_size <= LARGEST


def _settings(folder: Path) -> Mapping[str, Any]:
    path = folder.with_name(f"{folder.name}.toml")
    if not path.exists():
        return {}
    import tomllib  # here, since Python 3.10 has none and most folders need no settings

    return tomllib.loads(path.read_text().replace("{folder}", str(folder)))


def _programs(where: Path, files: Sequence[Path], folder: Path, settings: Mapping[str, Any]) -> list[Program]:
    own = [path for path in files if path.parent == where]
    mains = [path for path in own if MAIN.search(text_of(path))]
    others = tuple(path for path in own if path not in mains)
    found = []
    for main in mains:
        special = _special(main, folder, settings)
        linked = tuple(folder / name for name in special.get("files", settings.get("files", ())))
        choices = [(main, *linked)]
        if beside := tuple(path for path in others if path not in linked):
            choices.append((main, *beside, *linked))
        if any(OPENMP.search(text_of(path)) for path in choices[-1]):
            name = str(main.relative_to(folder).with_suffix(""))
            arguments = tuple(special.get("arguments", ()))
            data = tuple(folder / name for name in special.get("data", ()))
            found.append(Program(name, tuple(choices), _flags(main, folder, settings), arguments, data))
    return found


def _special(main: Path, folder: Path, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = str(main.relative_to(folder))
    return next((entry for entry in settings.get("program", ()) if fnmatch(inside, entry["main"])), {})


def _flags(path: Path, folder: Path, settings: Mapping[str, Any]) -> tuple[str, ...]:
    special = _special(path, folder, settings)
    directories = (path.parent, *(folder / name for name in settings.get("include", ())))
    return (*(f"-I{d}" for d in directories), *settings.get("flags", ()), *special.get("flags", ()))
