"""Copies of the user's own headers, for the translated folder: those beside a source and below, and those of -I.

    jacobi.c     #include "sizes.h"       jacobi.ompc/sizes.h
    -Iinclude    #include <grid.h>        jacobi.ompc/include/grid.h

A copy has its path from the source's directory, or from where ompc ran. The folder has all of them or none: a copy
whose neighbour is missing might find another header of that name. It has none where two headers would be one file, or
have the name of what ompc or the build writes, where one includes something above its own directory, and where sources
lie in several directories. Then they are found where they are.

    In: what each source has read, the options.   Out: names and texts.   Not here: how they are found -- quoting.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.frontend.preprocess import read_source
from ompc.render.makefiles.quoting import PLACES


@dataclass(frozen=True, slots=True)
class OwnHeaders:
    """`texts`: by the path in the folder; `placed`: those of them that lie at that path where ompc ran."""

    texts: dict[str, str]
    placed: frozenset[str]


def headers_beside(files: Iterable[str | Path], source: Path) -> dict[str, Path]:
    """Those beside the source, and below it, by their path from there."""
    root = source.parent.resolve()
    paths = [Path(name) for name in files]
    own = (path for path in paths if path.is_file() and path.resolve() != source.resolve())
    return {p.resolve().relative_to(root).as_posix(): p for p in own if p.resolve().is_relative_to(root)}


_ABOVE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?\.\./', re.MULTILINE)
_NOTHING = OwnHeaders({}, frozenset())


def own_headers(
    sources: Sequence[Path], read: Iterable[Path], flags: Sequence[str], taken: Collection[str]
) -> OwnHeaders:
    """Of a program. `read`: all files that were read; `flags`: the preprocessor's; `taken`: names in the folder."""
    if len({source.parent.resolve() for source in sources}) > 1:
        return _NOTHING
    files = [path for path in read if path.resolve() not in {source.resolve() for source in sources}]
    here = Path.cwd()
    found: dict[str, set[Path]] = {}
    for name, path in headers_beside(files, sources[0]).items():
        found.setdefault(name, set()).add(path.resolve())
    for place in _places(flags):
        root = (here / place).resolve()
        for path in files:
            if path.is_file() and path.resolve().is_relative_to(root):
                name = f"{place}/{path.resolve().relative_to(root).as_posix()}"
                found.setdefault(name, set()).add(path.resolve())
    if any(len(paths) > 1 or name.split("/")[0] in taken for name, paths in found.items()):
        return _NOTHING
    texts = {name: read_source(next(iter(paths))) for name, paths in found.items()}
    if any(map(_ABOVE.search, texts.values())):
        return _NOTHING
    return OwnHeaders(texts, frozenset(name for name in texts if (here / name).resolve() in found[name]))


def _places(flags: Sequence[str]) -> list[str]:
    """The directories below where ompc runs in which headers are looked for."""
    found: list[str] = []
    separate = False
    for flag in flags:
        option = PLACES.fullmatch(flag)
        value = flag if separate else option[2] if option is not None and option[1] != "-L" else ""
        separate = not separate and option is not None and not option[2]
        path = os.path.normpath(value) if value else "."
        if path != "." and not path.startswith("..") and not Path(path).is_absolute():
            found.append(path if Path(path).is_dir() else Path(path).parent.as_posix())
    return [place for place in dict.fromkeys(found) if place != "."]
