"""The other files of a program: those of the database, as far as they can be linked with the file that is looked at.

    mesh.c, solve.c, main.c of one database       what `ompc explain mesh.c solve.c main.c` says of mesh.c
    test.c, which has a `main` too                no part of it, and then there may be other code besides
    two files that define `norm`                  neither: nobody knows here which one is linked

    In: a Job.   Out: a function that translates the job's file beside the others.
    Not here: which files the database has -- projects.py; what a link does -- cc/linking.py.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.driver import SourceFile, read_unit, translate_beside, translate_program
from ompc.ir import tree as t
from ompc.lsp.answers import Job
from ompc.lsp.unsaved import Unsaved

SECONDS = 30.0
"""How long others are read; what is left then counts as unknown."""

Translate = Callable[[Sequence[Path], Options], tuple[Translation, ...]]


def translator(job: Job, unsaved: Unsaved, options: Options) -> Translate:
    """Of a program's one file, by itself where the job names no others. `options`: the file's, once more."""
    if not job.beside:
        return translate_program
    directory = Path(job.directory)
    here = read_unit(SourceFile(unsaved.path(job.path), options, directory))
    if here is None:
        return translate_program
    found = _units(job, unsaved)
    others, is_some = _linked(here, found)
    mains = sum("main" in _defined(unit) for unit in (here, *others))
    complete = mains == 1 and not is_some and None not in found

    def translate(sources: Sequence[Path], options: Options) -> tuple[Translation, ...]:
        own = SourceFile(sources[0], options.of_file(sources[0]), directory)
        return (translate_beside(own, others, complete=complete),)

    return translate


def _units(job: Job, unsaved: Unsaved) -> list[t.Unit | None]:
    end = time.monotonic() + SECONDS
    found: list[t.Unit | None] = []
    for file in job.beside:
        options = replace(job.options, cpp_flags=unsaved.flags(file.flags), partly=True)
        there = Path(file.directory) if Path(file.directory).is_dir() else Path(file.path).parent
        is_late = time.monotonic() > end
        found.append(None if is_late else read_unit(SourceFile(unsaved.path(file.path), options, there)))
    return found


def _linked(own: t.Unit, found: Sequence[t.Unit | None]) -> tuple[list[t.Unit], bool]:
    """Those that can be in one program with `own`, and whether some cannot."""
    units = [unit for unit in found if unit is not None]
    mains = sum("main" in _defined(unit) for unit in units)
    is_main = "main" in _defined(own)
    kept = [unit for unit in units if "main" not in _defined(unit) or (mains == 1 and not is_main)]
    times = Counter(name for unit in (own, *kept) for name in _defined(unit))
    once = [unit for unit in kept if all(times[name] == 1 for name in _defined(unit))]
    return once, len(once) < len(units)


def _defined(unit: t.Unit) -> set[str]:
    """The functions that a link finds."""
    return {name for name, function in unit.functions.items() if name not in unit.internal and not function.inline}
