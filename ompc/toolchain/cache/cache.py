"""The build cache: results by the content of everything they were made from.

Three tables under one directory:

    builds/KEY.json    the *manifest* of one build: which files it read, each with the hash of its content, and what
                       came of it. KEY hashes what is known before reading the source: its path, the options, the
                       compilers, ompc itself. It answers "unchanged?" without a compiler (ccache's direct mode).
    objects/XX/HASH    files by the hash of their content: executables, object files
    steps/KEY          the hash of an object file by the hash of everything that went into one compiler run
    runtime/KEY/       the runtime as a library (toolchain/installed_runtime.py), which comes and goes as a whole

A manifest also lists files that were *not* there: one that appears in an earlier include directory hides the file that
was read. Files are written beside their place and renamed, so that concurrent builds and interrupted ones leave nothing
half-written; whatever cannot be read back whole counts as absent. A cache that cannot be written is no error: the build
is only repeated.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ompc.base.ending import temporary_file
from ompc.base.frozen import dataclass

FORMAT = 1
"""The version of the entries' format. It is part of every key, so an older ompc's entries are never read."""

DEFAULT_LIMIT_BYTES = 1 << 30

RUNTIMES = "runtime"
"""The folder with those of the runtime."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one build read and made. `files` maps paths to content hashes; `payload` is the caller's JSON."""

    files: Mapping[str, str]
    absent: tuple[str, ...]
    payload: Mapping[str, object]

    def holds(self) -> bool:
        """True when every file still has its content and none that was absent has appeared."""
        return not any(Path(path).exists() for path in self.absent) and all(
            hash_file(Path(path)) == expected for path, expected in self.files.items()
        )


def hash_file(path: Path) -> str | None:
    """SHA-256 of the content; None for what cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def key_of(parts: Mapping[str, object]) -> str:
    """A key for JSON-like parts, independent of the order of the mapping."""
    text = json.dumps({"format": FORMAT, **parts}, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache in `directory`, kept below `limit_bytes` by dropping what was used least recently."""

    directory: Path
    limit_bytes: int = DEFAULT_LIMIT_BYTES

    def find_build(self, key: str) -> Manifest | None:
        """The manifest of a build whose inputs are all unchanged."""
        path = self._build(key)
        try:
            entry = json.loads(path.read_text())
            manifest = Manifest(entry["files"], tuple(entry["absent"]), entry["payload"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not manifest.holds():
            return None
        _touch(path)
        return manifest

    def store_build(self, key: str, manifest: Manifest) -> None:
        entry = {"files": dict(manifest.files), "absent": manifest.absent, "payload": dict(manifest.payload)}
        self._write(self._build(key), json.dumps(entry, sort_keys=True).encode())
        self._prune()

    def find_object(self, content_hash: str) -> Path | None:
        """The file with this content; a damaged one is absent."""
        path = self._object(content_hash)
        if hash_file(path) != content_hash:
            return None
        _touch(path)
        return path

    def store_object(self, file: Path) -> str | None:
        """Keep a copy, mode included; its hash, or None when the cache cannot be written."""
        content_hash = hash_file(file)
        if content_hash is None or not self._write(self._object(content_hash), file.read_bytes(), file.stat().st_mode):
            return None
        return content_hash

    def find_step(self, key: str) -> Path | None:
        """The object file that a compiler run with this key has made, whole."""
        try:
            content_hash = self._step(key).read_text()
        except OSError:
            return None
        _touch(self._step(key))
        return self.find_object(content_hash) if len(content_hash) == 64 else None

    def store_step(self, key: str, file: Path) -> None:
        content_hash = self.store_object(file)
        if content_hash is not None:
            self._write(self._step(key), content_hash.encode())

    def _build(self, key: str) -> Path:
        return self.directory / "builds" / f"{key}.json"

    def _step(self, key: str) -> Path:
        return self.directory / "steps" / key

    def _object(self, content_hash: str) -> Path:
        return self.directory / "objects" / content_hash[:2] / content_hash

    def _write(self, path: Path, content: bytes, mode: int = 0o644) -> bool:
        """Write atomically; False when it cannot be done."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with temporary_file(".new-", path.parent) as (handle, new):
                with os.fdopen(handle, "wb") as out:
                    out.write(content)
                new.chmod(mode & 0o777)
                new.replace(path)
        except OSError:
            return False
        return True

    def _prune(self) -> None:
        """Drop the least recently used files until nine tenths of the limit are left; others may do so meanwhile."""
        entries = sorted(self._entries(), key=lambda entry: entry[0])
        total = sum(size for _, size, _ in entries)
        if total <= self.limit_bytes:
            return
        for _, size, path in entries:
            if total <= self.limit_bytes * 0.9:
                return
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            total -= size

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """Time of last use, bytes and path of every file in the cache, and of each of the runtime's folders."""
        for folder, _, names in os.walk(self.directory):
            whole = self._folder_of_runtime(Path(folder))
            if whole is None:
                yield from _statuses(Path(folder) / name for name in names)
            elif whole == Path(folder):
                within = list(_statuses(path for path in whole.rglob("*") if path.is_file()))
                yield max((time for time, _, _ in within), default=0.0), sum(size for _, size, _ in within), whole

    def _folder_of_runtime(self, folder: Path) -> Path | None:
        place = self.directory / RUNTIMES
        return place / folder.relative_to(place).parts[0] if place in folder.parents else None


def _statuses(paths: Iterable[Path]) -> Iterator[tuple[float, int, Path]]:
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            yield status.st_mtime, status.st_size, path


def _touch(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path)


def copy_executable(source: Path, target: Path) -> None:
    """Put a copy of `source` at `target` in one step, so that a running program keeps its file. OSError: cannot."""
    with temporary_file(".ompc-", target.parent) as (handle, new):
        os.close(handle)
        shutil.copyfile(source, new)
        new.chmod(source.stat().st_mode & 0o777)
        new.replace(target)


def absent_candidates(files: Iterable[Path], include_directories: Iterable[Path]) -> tuple[str, ...]:
    """Paths that do not exist now and would hide one of `files` if they appeared in an include directory.

    A file may have been named by any tail of its path (`stdio.h`, `sys/types.h`), so tails of up to three parts count.
    """
    tails = {Path(*path.parts[-n:]) for path in files for n in (1, 2, 3) if len(path.parts) > n}
    candidates = {directory / tail for directory in include_directories for tail in tails}
    return tuple(sorted(str(path) for path in candidates if not path.exists()))
