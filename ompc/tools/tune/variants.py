"""The program with its kernels made in other ways: which ways there are, and their executables.

    alternatives     main_u  inner(0)  constant(0)          first program    main_u inner(0), main_v order(2, 1)
                     main_v  order(2, 1)                    second program   main_u constant(0)

A way that makes the same text as the plan's own, or as one before it, is left out. Executables are built as later
builds are that find the winners in a file, and several at the same time.

In: a request, a function that translates with what is known of loops, the plan's own translation.
Out: programs of the screening, executables.   Not here: running them -- kernels.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from ompc.base.diagnostics import CompileError
from ompc.base.frozen import dataclass, field
from ompc.base.translation import Translation
from ompc.base.tuning import Entry, ShapeChoices, Tuning, choices_of
from ompc.base.watch import Watch
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request, Setting
from ompc.tools.tune.space import Schedule, Space

_COMMENT = re.compile(r"//.*")

Kernels = Mapping[str, ShapeChoices]
"""How kernels are made, by the contents of their loops; all others are made as in the plan."""

Translate = Callable[[Tuning], Sequence[Translation]]


@dataclass(frozen=True, slots=True)
class Tunable:
    """A loop on the device: how it is known, and what can be chosen. `kernels`: how else its kernel could be made."""

    file: str
    id: str
    place: str
    content: str
    schedules: tuple[Schedule, ...]
    dimensions: int
    kernels: tuple[ShapeChoices, ...] = ()

    def space(self, size_class: int) -> Space:
        return Space(self.schedules, self.dimensions, size_class)


Loops = Mapping[tuple[str, str], Tunable]
"""The loops, by file and id."""


def tunable_loops(translations: Iterable[Translation]) -> tuple[Tunable, ...]:
    """All loops on the device with something to choose."""
    reports: list[Mapping[str, Any]] = [translation.report for translation in translations]
    return tuple(
        Tunable(
            file=region["tuning"]["file"],
            id=region["id"],
            place=f"{region['tuning']['file']}:{region['line']} {region['directive']}",
            content=region["tuning"]["content"],
            schedules=tuple(
                Schedule(tuple(each["knobs"]), tuple(each["tiles"]), tuple(each["lanes"]))
                for each in region["tuning"]["schedules"]
            ),
            dimensions=region["launch"]["dimensions"],
            kernels=tuple(map(choices_of, region["tuning"]["kernels"])),
        )
        for report in reports
        for region in report["regions"]
        if region.get("tuning") and region["tuning"]["knobs"]
    )


@dataclass(frozen=True, slots=True)
class Variant:
    """An executable, or why there is none."""

    path: Path
    loops: Loops
    problem: str | None = None


@dataclass(slots=True)
class Variants:
    """`request` and `setting` are those of the plan's own `program`, which is made of `translations`; nothing new is
    translated or compiled once it `is_over`.
    """

    request: Request
    setting: Setting
    translate: Translate
    cache: Cache
    watch: Watch
    program: Path
    translations: Sequence[Translation]
    is_over: Callable[[], bool] = lambda: False
    _made: dict[str, Sequence[Translation]] = field(default_factory=dict)
    _built: dict[str, Variant] = field(default_factory=dict)

    def rounds(self) -> tuple[Kernels, ...]:
        """The n-th way of every loop; without those that change nothing."""
        ways: dict[str, tuple[ShapeChoices, ...]] = {}
        for loop in tunable_loops(self.translations):
            ways[loop.content] = tuple(dict.fromkeys((*ways.get(loop.content, ()), *loop.kernels)))
        seen = {content: {text} for content, text in _texts(self.translations).items()}
        found: list[Kernels] = []
        for turn in range(max(map(len, ways.values()), default=0)):
            if self.is_over():
                break
            kernels = {content: own[turn] for content, own in ways.items() if turn < len(own)}
            texts = _texts(self._translated(kernels))
            new = {content: way for content, way in kernels.items() if texts.get(content, "") not in seen[content]}
            for content in new:
                seen[content].add(texts[content])
            found += [new] if new else []
        return tuple(found)

    def built(self, programs: Sequence[Kernels]) -> list[Variant]:
        """The executables; several compilers run at the same time."""
        texts = {_key(kernels): self._translated(kernels) for kernels in programs}
        missing = {key: kernels for kernels in programs if (key := _key(kernels)) not in self._built}
        paths = [self.program.with_name(f"other-{len(self._built) + number}") for number in range(len(missing))]
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            made = pool.map(self._build, missing.values(), map(texts.__getitem__, missing), paths)
            self._built.update(zip(missing, made, strict=True))
        return [self._built[_key(kernels)] for kernels in programs]

    def _translated(self, kernels: Kernels) -> Sequence[Translation]:
        if not kernels:
            return self.translations
        key = _key(kernels)
        if key not in self._made:
            self._made[key] = self.translate(_known(kernels))
        return self._made[key]

    def _build(self, kernels: Kernels, translations: Sequence[Translation], path: Path) -> Variant:
        loops = {(loop.file, loop.id): loop for loop in tunable_loops(translations)}
        if not kernels:
            return Variant(self.program, loops)
        if self.is_over():
            return Variant(path, loops, "the search has ended")
        options = replace(self.request.options, tuning=_known(kernels))
        request = replace(self.request, options=options)
        try:
            build_program(request, self.setting, lambda: translations, path, self.cache, self.watch)
        except CompileError as error:
            return Variant(path, loops, f"it cannot be built: {error.diagnostics[0].message}")
        return Variant(path, loops)


def _known(kernels: Kernels) -> Tuning:
    """As a file would say so after the search."""
    entries = (Entry("this device", content, 0, way, 1.0, 1.0) for content, way in sorted(kernels.items()))
    return Tuning(tuple(entries))


def _key(kernels: Kernels) -> str:
    return ";".join(f"{content} {way.clauses}" for content, way in sorted(kernels.items()))


def _texts(translations: Iterable[Translation]) -> dict[str, str]:
    """What is printed for each content, but for comments."""
    found: dict[str, str] = {}
    for translation in translations:
        contents = {loop.id: loop.content for loop in tunable_loops([translation])}
        for id_, excerpt in translation.make_excerpts().items():
            if id_ in contents:
                text = _COMMENT.sub("", f"{excerpt.kernel}\n{excerpt.launcher}")
                found[contents[id_]] = found.get(contents[id_], "") + text
    return found
