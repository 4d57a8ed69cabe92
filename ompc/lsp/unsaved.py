"""Texts that an editor has and no disk: a folder in which each lies where its path says.

    /home/u/solver/mesh.c  ->  /tmp/ompc-unsaved-1f0c/home/u/solver/mesh.c

A compiler finds such a header before the one on the disk: by quotes beside a file that is unsaved as well, and by each
`-I` and its like, in front of which stands the same folder in here. Headers on the disk find unsaved ones beside
them by `-I` alone.

    In: texts by their absolute paths.   Out: paths and options for the pipeline; its answers with the user's paths.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass

_SEARCHED = re.compile(r"(-I|-iquote|-isystem|-idirafter)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The texts in their folder; `root` is empty where there are none."""

    root: str
    texts: Mapping[str, str]

    def path(self, path: str) -> Path:
        """Where the newest text of a file is."""
        return Path(self.root + path) if path in self.texts else Path(path)

    def flags(self, flags: Sequence[str]) -> tuple[str, ...]:
        """Options by which unsaved headers are found, and headers beside unsaved files."""
        if not self.texts:
            return tuple(flags)
        beside = dict.fromkeys(str(Path(path).parent) for path in self.texts)
        places = (*(self.root + folder for folder in beside), *beside)
        return (*self._before(flags), *(word for place in places for word in ("-iquote", place)))

    def _before(self, flags: Sequence[str]) -> Iterator[str]:
        option = ""
        for flag in flags:
            found = _SEARCHED.fullmatch(flag)
            if option:
                yield from (option, self._folder(flag), option, flag)
                option = ""
            elif found is None:
                yield flag
            elif found[2]:
                yield from (found[1] + self._folder(found[2]), flag)
            else:
                option = flag

    def _folder(self, path: str) -> str:
        return self.root + whole(path)

    def real(self, text: str) -> str:
        """Paths in it are those of the user again."""
        return text.replace(self.root, "") if self.root else text

    def real_path(self, path: str) -> str:
        """The user's own, absolute."""
        return whole(self.real(path))


def whole(path: str) -> str:
    """Absolute, without dots; links stay, since an editor knows a file by them."""
    return os.path.normpath(Path(path).absolute())


@contextmanager
def laid_out(texts: Mapping[str, str]) -> Iterator[Unsaved]:
    """The folder, while it is needed."""
    if not texts:
        yield Unsaved("", {})
        return
    with temporary_directory("ompc-unsaved-") as root:
        for path, text in texts.items():
            place = Path(root + path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode(errors="surrogateescape"))
        yield Unsaved(root, texts)
