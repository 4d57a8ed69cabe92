"""The readiness report for machines: the report of `ompc translate --report` with what is found out beyond it.

    each region   "lines": {"first", "last"}, "suggestions": [{"title", "ensure", "command", "file",
                  "edits": [{"line", "column", "old", "new"}]}], "tried": number of changes, null: none were

Lines and columns count from 1, columns in characters; `old` stands there and becomes `new`.

    In: Readiness, the reports.   Out: plain dictionaries, lists, strings and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.tools.explain import records
from ompc.tools.readiness.gather import Record
from ompc.tools.readiness.model import Loop, Readiness, Suggestion


def as_records(found: Readiness, reports: Sequence[Record]) -> Mapping[str, object]:
    """For a program of one file its report, for one of several all of them, as `ompc translate` writes them."""
    loops = {id(loop.record): loop for loop in found.loops}
    files = [_file(report, loops) for report in reports]
    return files[0] if len(files) == 1 else {"schema": 1, "files": files}


def _file(report: Record, loops: Mapping[int, Loop]) -> dict[str, object]:
    regions = [_region(region, loops.get(id(region))) for region in records(report.get("regions"))]
    return {**report, "regions": regions}


def _region(region: Record, loop: Loop | None) -> Record:
    if loop is None:  # of a header that another file has brought in already
        return region
    return {
        **region,
        "lines": {"first": loop.first, "last": loop.last},
        "suggestions": [_suggestion(suggestion) for suggestion in loop.suggestions],
        "tried": loop.tried,
    }


def _suggestion(suggestion: Suggestion) -> Record:
    return {
        "title": suggestion.title,
        "ensure": suggestion.ensure,
        "command": suggestion.command,
        "file": suggestion.file,
        "edits": [{"line": e.line, "column": e.column, "old": e.old, "new": e.new} for e in suggestion.edits],
    }
