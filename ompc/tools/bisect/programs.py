"""The programs that are compared: each variant is translated and built once, variants of the same text together.

In: a request, a function that translates, the cache.   Out: executables; CompileError of a build.
Not here: which variants there are -- variants.py; the compilers -- toolchain/.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request, Target, choose_setting
from ompc.tools.bisect.variants import Variant

AT_ONCE = 2
"""The most builds at the same time: each has several compilers at work itself."""


@dataclass(slots=True)
class Programs:
    """`step` is told what is built; `directory` is where executables lie."""

    request: Request
    environ: Mapping[str, str]
    translate: Callable[[Options], Sequence[Translation]]
    cache: Cache
    directory: Path
    watch: Watch
    step: Callable[[str], None]
    _built: dict[str, Path] = field(default_factory=dict)
    _keys: dict[Options, str] = field(default_factory=dict)
    _translations: dict[str, Sequence[Translation]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def builds(self) -> int:
        return len(self._built)

    def host(self) -> Path:
        """The program as gcc -fopenmp builds it."""
        self.step("building the host's program")
        plain, place = replace(self.request, target=Target.HOST), self.directory / "host"
        build_program(plain, choose_setting(plain, self.environ), tuple, place, self.cache, self.watch)
        return place

    def key(self, variant: Variant) -> str:
        """The same for variants that are one program."""
        options = variant.translated_by
        with self._lock:  # the stages are not made for several threads
            if options not in self._keys:
                translations = self.translate(options)
                files = [sorted(translation.files.items()) for translation in translations]
                text = repr((options.fp, [[item for item in of_one if item[0] != "Makefile"] for of_one in files]))
                key = sha256(_without_provenance(text, options).encode(errors="surrogateescape")).hexdigest()[:16]
                self._keys[options] = key
                self._translations.setdefault(key, translations)
            return self._keys[options]

    def path(self, variant: Variant) -> Path:
        """Of the executable, which is built now if it is not there."""
        key = self.key(variant)
        if key not in self._built:
            self.step(f"building {described(variant)}")
            options = variant.translated_by
            request, place = replace(self.request, options=options), self.directory / key
            setting = choose_setting(request, self.environ)
            build_program(request, setting, lambda: self._translations[key], place, self.cache, self.watch)
            self._built[key] = place
        return self._built[key]

    def build(self, variants: Iterable[Variant]) -> None:
        """Several at once, those that are there not again."""
        different = {self.key(variant): variant for variant in variants}
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            list(pool.map(self.path, different.values()))


def described(variant: Variant) -> str:
    """In a few words."""
    level = f"--opt {variant.options.level.value}"
    if not variant.left_out:
        return level
    if len(variant.left_out) == 1:
        return f"{level} without {variant.left_out[0].name}"
    return f"{level} without {variant.left_out[0].name} ... {variant.left_out[-1].name}"


def _without_provenance(text: str, options: Options) -> str:
    """The first line of a device file names the options."""
    return text.replace(f" --without {','.join(sorted(options.without))}", "") if options.without else text
