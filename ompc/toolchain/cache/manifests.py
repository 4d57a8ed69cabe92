"""What a build read and what came of it, as the cache keeps it: the manifest of a finished build.

A build is remembered only where its inputs are sure: every file that was read still has the content that was read, and
none of them mentions the time of day.

In: the files that were read, the result.   Out: an entry of the cache's table of builds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.source import Location
from ompc.toolchain.cache.cache import Cache, Manifest, absent_candidates, hash_file

_TIME_MACRO = re.compile(rb"\b__(DATE|TIME|TIMESTAMP)__\b")


def remember(
    cache: Cache,
    key: str,
    read: Iterable[Path],
    directories: Sequence[Path],
    payload: Mapping[str, object],
    started: int,
) -> None:
    """Store the manifest, unless what was read may differ from what is there now or depends on the time of day.

    `directories`: where headers are looked up; `started`: when the build began, in nanoseconds.
    """
    files: dict[str, str] = {}
    for path in sorted({path.absolute() for path in read}):
        content = hash_file(path)
        if content is None or path.stat().st_mtime_ns > started or _TIME_MACRO.search(path.read_bytes()):
            return
        files[str(path)] = content
    cache.store_build(key, Manifest(files, absent_candidates(map(Path, files), directories), payload))


def header_directories(source: Path, flags: Sequence[str]) -> list[Path]:
    """Where the user's own headers are looked up, the source's directory first."""
    named = re.findall(r"(?:^|\0)-(?:I|iquote|isystem|idirafter)\0?([^\0]+)", "\0".join(flags))
    return [source.parent.absolute(), *(Path(directory).absolute() for directory in named)]


def read_depfile(depfile: Path) -> list[Path]:
    """The prerequisites in make's syntax, as gcc and clang write it with -MD."""
    if not depfile.exists():
        return []
    _, _, prerequisites = depfile.read_text(errors="surrogateescape").replace("\\\n", " ").partition(": ")
    words: Sequence[str] = re.findall(r"(?:\\.|\$\$|\S)+", prerequisites)
    return [Path(re.sub(r"\\(.)", r"\1", word).replace("$$", "$")) for word in words]


def diagnostic_to_json(d: Diagnostic) -> dict[str, object]:
    at = None if d.at is None else [d.at.file, d.at.line, d.at.column]
    return {
        "code": d.code, "kind": d.kind.name, "message": d.message, "at": at, "notes": list(d.notes), "help": d.help
    }  # fmt: skip


def diagnostic_from_json(entry: Mapping[str, object]) -> Diagnostic:
    at = entry["at"]
    notes = entry["notes"]
    assert isinstance(notes, list) and (at is None or isinstance(at, list))
    return Diagnostic(
        code=str(entry["code"]),
        kind=Kind[str(entry["kind"])],
        message=str(entry["message"]),
        at=None if at is None else Location(*at),
        notes=tuple(map(str, notes)),
        help=None if entry["help"] is None else str(entry["help"]),
    )


def diagnostics_of(payload: Mapping[str, object]) -> tuple[Diagnostic, ...]:
    """Those that the payload keeps."""
    entries = payload["diagnostics"]
    assert isinstance(entries, list)
    return tuple(diagnostic_from_json(entry) for entry in entries)
