"""Which changes bring a host loop to the device: each candidate is applied to a copy, and the program translated again.

A change counts where the C compiler accepts the copy, the loop is on the device in its plan, and no other loop has left
it. Copies are written to a directory of their own, from which the headers beside the original are found as before.

    In: Readiness, what was translated.   Out: the same with suggestions on its host loops.
    Not here: which changes are worth a try -- cures.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.frontend.text import Replace, apply_edits
from ompc.tools.explain import records
from ompc.tools.readiness.cures import Candidate, candidates
from ompc.tools.readiness.gather import Record
from ompc.tools.readiness.model import Loop, Readiness, SourceFile, Suggestion
from ompc.tools.readiness.places import Places

MOST_SUGGESTIONS = 2
"""The most suggestions for one loop; the best are tried first."""
MOST_DIFF_LINES = 40

Translate = Callable[[Sequence[Path], Options], tuple[Translation, ...]]
"""The pipeline: driver.translate_program."""


@dataclass(frozen=True, slots=True)
class Program:
    """What was translated: `sources` with `options`, to `translations`."""

    sources: tuple[Path, ...]
    options: Options
    translations: tuple[Translation, ...]


def with_suggestions(
    found: Readiness, program: Program, translate: Translate, seconds: float, watch: Watch
) -> Readiness:
    """`found` with what helps each host loop, as far as can be tried in that time."""
    trials = _Trials(program, translate)
    end = time.monotonic() + seconds
    new: dict[int, Loop] = {}
    for file in found.files:
        places = Places(file.text)
        for loop in file.loops:
            if not loop.on_device and time.monotonic() < end:
                with watch.stage(file.path, "suggestions"):
                    new[id(loop)] = _with_suggestions(loop, file, places, trials, end)
    files = (replace(file, loops=tuple(new.get(id(loop), loop) for loop in file.loops)) for file in found.files)
    return replace(found, files=tuple(files))


def _with_suggestions(loop: Loop, file: SourceFile, places: Places, trials: _Trials, end: float) -> Loop:
    good: list[Suggestion] = []
    tried = 0
    for candidate in (*candidates(loop, places), *trials.other_files(loop, file)):
        if len(good) == MOST_SUGGESTIONS or time.monotonic() > end:
            break
        tried += 1
        if trials.helps(candidate, loop, file):
            good.append(trials.suggestion(candidate, file))
    return replace(loop, suggestions=tuple(good), tried=tried)


@dataclass(slots=True)
class _Trials:
    """Trials of one program. `done`: the reports that changes have led to."""

    program: Program
    translate: Translate
    done: dict[object, tuple[Record, ...] | None] = field(default_factory=dict)

    def helps(self, candidate: Candidate, loop: Loop, file: SourceFile) -> bool:
        key = (file.path, candidate.edits, candidate.files)
        if key not in self.done:
            self.done[key] = self._reports(candidate, file)
        reports = self.done[key]
        if reports is None:
            return False
        before = [records(t.report.get("regions")) for t in self.program.translations]
        after = [records(report.get("regions")) for report in reports[: len(before)]]
        return [len(each) for each in before] == [len(each) for each in after] and _is_gain(
            before[file.number], after[file.number], loop
        )

    def suggestion(self, candidate: Candidate, file: SourceFile) -> Suggestion:
        command = None
        if candidate.files:
            command = f"ompc build {' '.join(map(str, (*self.program.sources, *candidate.files)))}"
        diff = tuple(_diff(file.text, candidate.edits)) if candidate.edits else ()
        return Suggestion(candidate.title, candidate.ensure, file.path, candidate.edits, diff, command)

    def other_files(self, loop: Loop, file: SourceFile) -> list[Candidate]:
        """A C file beside the program's that defines the function whose source is not here."""
        called = [re.search(r"calls '(\w+)', .*whose source is not here", why.message) for why in loop.why]
        found = []
        for name in (match[1] for match in called if match is not None):
            definition = re.compile(rf"^[A-Za-z_][\w \t*]*\b{name}\s*\([^;{{}}]*\)\s*\{{", re.MULTILINE)
            for path in sorted(Path(file.path).parent.glob("*.c")):
                if path in self.program.sources or not path.is_file():
                    continue
                if definition.search(path.read_text(errors="replace")):
                    ensure = f"{path} belongs to the program."
                    found.append(Candidate(f"translate {path} together with it", ensure, files=(str(path),)))
        return found

    def _reports(self, candidate: Candidate, file: SourceFile) -> tuple[Record, ...] | None:
        """None: it is no program any more."""
        with temporary_directory("ompc-try-") as directory:
            sources, options = [*self.program.sources, *map(Path, candidate.files)], self.program.options
            try:
                if candidate.edits:
                    sources, options = self._edited(candidate, file, Path(directory))
                return tuple(translation.report for translation in self.translate(sources, options))
            except Exception:  # of a text that nobody has written: the report is about the one that somebody has
                return None

    def _edited(self, candidate: Candidate, file: SourceFile, directory: Path) -> tuple[list[Path], Options]:
        """The sources and options with the copy in place of the original."""
        sources = list(self.program.sources)
        own, path = sources[file.number], Path(file.path)
        beside = path.resolve().relative_to(own.resolve().parent)  # ValueError: a header from elsewhere
        texts = {Path(own.name): own.read_bytes(), beside: _encoded(apply_edits(file.text, candidate.edits))}
        for name, data in texts.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_bytes(data)
        sources[file.number] = copy = directory / own.name
        options = self.program.options
        of_copy = (str(copy), options.own_flags(own))
        flags = ("-iquote", str(own.parent), *options.cpp_flags)
        return sources, replace(options, cpp_flags=flags, flags_of_files=(*options.flags_of_files, of_copy))


def _is_gain(before: Sequence[Record], after: Sequence[Record], loop: Loop) -> bool:
    """Loops keep their order, whatever their lines are."""
    at = next((k for k, region in enumerate(before) if region is loop.record), None)
    if at is None or after[at].get("function") != loop.function or after[at].get("target") != "gpu":
        return False
    return all(new.get("target") == "gpu" for old, new in zip(before, after, strict=True) if old.get("target") == "gpu")


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _diff(text: str, edits: Sequence[Replace]) -> list[str]:
    """The changed lines with one around them; a line that says how many follow, where there are many."""
    new = apply_edits(text, edits)
    lines = list(unified_diff(text.split("\n"), new.split("\n"), lineterm="", n=1))[2:]
    found = [_place(line) if line.startswith("@@") else line for line in lines]
    more = len(found) - MOST_DIFF_LINES
    return found if more <= 0 else [*found[:MOST_DIFF_LINES], f"@ and {more} lines more"]


def _place(line: str) -> str:
    """`@@ -12,3 +12,3 @@` in short."""
    found = re.match(r"@@ -(\d+)", line)
    return f"@ line {found[1]}" if found is not None else line
