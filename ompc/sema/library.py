"""Functions of the C library in C, brought into a unit like those of a program's other files (sema/imports.py).

    for (i = 0; i < n; i++) memcpy(&b[i * m], &a[i * m], m * sizeof *a);     the kernel calls a copy of library.c's

The analyses then see which bytes a call reads and writes as they see it of any other function. What has a device
version in CUDA's mathematical library is here only if it writes behind a pointer: for the analyses, since kernels call
CUDA's own (`frexp`; plan/program/functions.py).

In: library.c, in standard C without includes.   Out: its Unit.   Not here: functions that allocate, print, or ask for
the locale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ompc.frontend.gnu import GnuParser
from ompc.ir.tree import Unit
from ompc.sema.analyse import analyse
from ompc.sema.imports import called_in, with_imports

LIBRARY = "library.c"
"""The file that its functions' locations name."""

_FILE = Path(__file__).with_name(LIBRARY)


def with_library(unit: Unit, others: Sequence[Unit]) -> Unit:
    """`unit` with what its functions call of the program's `others`, or else of the C library.

    A program's own `strlen` is meant where it has one, with external linkage, in whatever file.
    """
    theirs = {name for other in (unit, *others) for name in other.functions if name not in other.internal}
    if _names(_FILE).isdisjoint(called_in(unit).keys() - theirs):
        return with_imports(unit, others)
    library = _library(_FILE)
    rest = {name: function for name, function in library.functions.items() if name not in theirs}
    return with_imports(unit, [*others, replace(library, functions=rest)])


@cache
def _names(file: Path) -> frozenset[str]:
    """The functions that it defines, without the cost of parsing it."""
    return frozenset(re.findall(r"^\w[\w ]*[ *](\w+)\(", file.read_text(), re.MULTILINE))


@cache
def _library(file: Path) -> Unit:
    text = file.read_text()
    comment, _, code = text.partition("*/")
    blank = "\n" * comment.count("\n")
    return analyse(GnuParser().parse(blank + code, file.name), file.name, text)
