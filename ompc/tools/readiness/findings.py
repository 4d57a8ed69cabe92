"""What of a program is not as its pragmas promise: the results of kind "fail" of SARIF, and what `ompc check` names.

    a file that cannot be read            once
    a warning about a pragma or variable  where no loop has it as its reason
    a loop of the host                    for each reason

A finding has a fingerprint that stays the same while the text of the loop or line does, wherever it moves. So those
that are in an older SARIF file, a *baseline*, can be told from new ones. An error is always new.

    Source: SARIF 2.1.0, 3.27.17 (partialFingerprints), 3.27.24 (baselineState).
    In: Readiness, the text of a SARIF file.   Out: Findings.   Not here: how they are written -- sarif.py.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.tools.readiness.model import Loop, Readiness, SourceFile, Why

FINGERPRINT = "loop/v1"
_LEVELS = {"error": Kind.ERROR, "warning": Kind.WARNING, "note": Kind.HOST}


@dataclass(frozen=True, slots=True)
class Finding:
    """`level`: error, warning or note, as SARIF has them; `loop`: that it is about, if it is about one."""

    why: Why
    file: str
    line: int
    level: str
    fingerprint: str
    loop: Loop | None = None

    @property
    def diagnostic(self) -> Diagnostic:
        message = self.why.message if self.loop is None else f"this loop stays on the host: {self.why.message}"
        at = Location(self.file, self.line)
        return Diagnostic(self.why.code, _LEVELS[self.level], message, at, help=self.why.help)


def findings(found: Readiness) -> Iterator[Finding]:
    """Of all files, in the order of SARIF's results."""
    for file in found.files:
        yield from findings_of_file(file)
        for loop in file.loops:
            yield from findings_of_loop(loop, file)


def findings_of_file(file: SourceFile) -> Iterator[Finding]:
    if file.problem is not None:
        level = "error" if is_refused(file.problem) else "note"
        mark = fingerprint(file.problem.code, Path(file.path).name)
        yield Finding(file.problem, file.path, file.problem.line or 1, level, mark)
    for warning in file.warnings:
        line = warning.line or 1
        yield Finding(warning, file.path, line, "warning", fingerprint(warning.code, *_lines(file, line, line)))


def findings_of_loop(loop: Loop, file: SourceFile) -> Iterator[Finding]:
    """Each reason why it stays on the host."""
    for why in loop.why:
        level = "warning" if why.is_race else "note"
        yield Finding(why, loop.file, loop.first, level, fingerprint_of_loop(loop, file, why.code), loop)


def is_refused(problem: Why) -> bool:
    """Is what keeps a file from being read the user's error, rather than C that ompc does not know?"""
    return not problem.code.startswith("OMPC3") and problem.code != "OMPC105"


def fingerprint_of_loop(loop: Loop, file: SourceFile, rule: str) -> str:
    return fingerprint(rule, loop.function, *_lines(file, loop.first, loop.last))


def _lines(file: SourceFile, first: int, last: int) -> Sequence[str]:
    return file.text.split("\n")[first - 1 : last]


def fingerprint(rule: str, *texts: str) -> str:
    """Of what the texts say, however it is indented."""
    words = " ".join([rule, *(" ".join(text.split()) for text in texts)])
    return hashlib.sha256(words.encode(errors="surrogateescape")).hexdigest()[:32]


Baseline = Counter[tuple[str, str]]
"""How often a rule and fingerprint are in the older file."""


def baseline_in(text: str) -> Baseline:
    """Those of a SARIF file. ValueError: it is none."""
    log = json.loads(text)
    found: Baseline = Counter()
    for run in _list(log, "runs"):
        for result in _list(run, "results", []):
            marks = result.get("partialFingerprints", {}) if isinstance(result, Mapping) else {}
            if isinstance(marks, Mapping) and FINGERPRINT in marks and result.get("kind", "fail") == "fail":
                found[str(result.get("ruleId")), str(marks[FINGERPRINT])] += 1
    return found


def _list(record: object, key: str, default: object = None) -> list[Mapping[str, object]]:
    value = record.get(key, default) if isinstance(record, Mapping) else None
    if not isinstance(value, list):
        raise ValueError(f"it has no list of {key}")
    return value


def are_new(found: Sequence[Finding], baseline: Baseline) -> list[bool]:
    """Of each finding: is it an error, or none of the baseline? Of several that are alike, the last ones are new."""
    rest = baseline.copy()
    new: list[bool] = []
    for finding in found:
        key = finding.why.code, finding.fingerprint
        new.append(finding.level == "error" or rest[key] <= 0)
        rest[key] -= 1
    return new
