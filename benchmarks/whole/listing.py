"""The list of programs that a user writes (programs.toml) -> tuple[Entry, ...], checked key by key.

    [suite.NAS]                                # what its programs have in common; a program may say otherwise
    check = "regex Verification += +(\\\\w+)"

    [[program]]
    name = "CG"
    suite = "NAS"
    folder = "npb/CG"
    build = "$CC -O3 -fopenmp *.c -lm -o $OUT"

All that is wrong is said at once, each line with the program and the key. What each key means is in
benchmarks/README.md.

In: a file and the folder that it speaks of.   Out: entries.   Not here: a first list (finding.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from benchmarks.whole.answers import Check, parse_check

LIST = "programs.toml"
STREAMS = ("stdout", "stderr")


class ListError(Exception):
    """A list that cannot be used: one line for each thing that is wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One program. `build`, `prepare`, `run`, `verify`: text for a shell. Paths are relative to the user's folder."""

    name: str
    build: str
    check: Check
    suite: str = ""
    folder: str = "."
    also: tuple[str, ...] = ()
    prepare: str = ""
    run: str = "$OUT"
    verify: str = ""
    answer: tuple[str, ...] = ("stdout",)
    ignore: re.Pattern[str] | None = None
    time: re.Pattern[str] | None = None
    status: int = 0
    timeout: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name by which people tell it from all others."""
        return f"{self.suite}/{self.name}" if self.suite else self.name

    @property
    def place(self) -> str:
        """The same as the name of a folder."""
        return re.sub(r"[^A-Za-z0-9.+-]+", "_", self.label).lstrip(".")

    def is_called(self, name: str) -> bool:
        """Does a user mean this one by its name, by its suite's, or by both?"""
        return name in (self.name, self.suite, self.label)


def read_list(path: Path, folder: Path) -> tuple[Entry, ...]:
    """The programs of the list at `path`, whose folders lie in `folder`. Raises ListError."""
    try:
        import tomllib  # here, since Python 3.10 has none, and all other measurements need none
    except ImportError as error:
        raise ListError("Python 3.11 or newer is needed to read a list of programs") from error
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ListError(f"{path}: {error.strerror}; --find writes a first one") from error
    except ValueError as error:
        raise ListError(f"{path}: {error}") from error
    wrong: list[str] = []
    entries = _entries(table, folder, wrong)
    if wrong:
        raise ListError("\n".join(f"{path}: {line}" for line in wrong))
    return entries


def _entries(table: Mapping[str, Any], folder: Path, wrong: list[str]) -> tuple[Entry, ...]:
    wrong += [f"unknown key {key!r}: [[program]] and [suite.NAME] are known" for key in sorted({*table} - ALLOWED)]
    programs, suites = table.get("program", []), table.get("suite", {})
    if not isinstance(programs, list) or not all(isinstance(program, dict) for program in programs) or not programs:
        wrong.append("program: at least one table [[program]] is wanted")
        return ()
    if not isinstance(suites, dict) or not all(isinstance(suite, dict) for suite in suites.values()):
        wrong.append("suite: tables [suite.NAME] are wanted")
        return ()
    common = {name: _values(f"suite {name}", suite, KEYS.keys() - OWN, wrong) for name, suite in suites.items()}
    entries = [_entry(number, program, common, wrong) for number, program in enumerate(programs, start=1)]
    made = [entry for entry in entries if entry is not None]
    used = {program.get("suite") for program in programs if isinstance(program.get("suite"), str)}
    wrong += [f"suite {name}: no program is of this suite" for name in suites if name not in used]
    _check_places(made, folder, wrong)
    return tuple(made)


def _entry(number: int, given: Mapping[str, Any], common: Mapping[str, Any], wrong: list[str]) -> Entry | None:
    name = given.get("name")
    who = f"program {name}" if isinstance(name, str) and name else f"program {number}"
    own = _values(who, given, KEYS.keys(), wrong)
    values = {**common.get(own.get("suite", ""), {}), **own}
    missing = [key for key in REQUIRED if key not in values and key not in given]
    wrong += [f"{who}: {key} is missing" for key in missing]
    return Entry(**values) if all(key in values for key in REQUIRED) else None


def _values(who: str, given: Mapping[str, Any], keys: AbstractSet[str], wrong: list[str]) -> dict[str, Any]:
    """What the keys say, of those that are right."""
    found = {}
    for key, value in given.items():
        if key not in keys:
            wrong.append(f"{who}: unknown key {key!r}")
            continue
        try:
            found[key] = KEYS[key](value)
        except ValueError as error:
            wrong.append(f"{who}: {key}: {error}")
    return found


def _check_places(entries: Sequence[Entry], folder: Path, wrong: list[str]) -> None:
    seen: dict[str, Entry] = {}
    for entry in entries:
        place = entry.place.lower()
        if place in seen:
            wrong.append(f"program {entry.name}: name: {entry.label!r} and {seen[place].label!r} are too much alike")
        seen.setdefault(place, entry)
        if not (folder / entry.folder).is_dir():
            wrong.append(f"program {entry.name}: folder: there is no folder {entry.folder!r} in {folder}")
        absent = [path for path in entry.also if not (folder / path).exists()]
        wrong += [f"program {entry.name}: also: there is no {path!r} in {folder}" for path in absent]


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text is wanted")
    return value


def _name(value: Any) -> str:
    if not re.search(r"[A-Za-z0-9]", _text(value)) or not value.isprintable() or "/" in value:
        raise ValueError("a name with letters or digits and without '/' is wanted")
    return str(value)


def _build(value: Any) -> str:
    if not re.search(r"\$(CC\b|\{CC\})", _text(value)):
        raise ValueError('$CC does not occur, so that ompc would build nothing; a Makefile takes it as make CC="$CC"')
    return _command(value)


def _command(value: Any) -> str:
    if re.search(r"\./\"?\$\{?OUT\b", _text(value)):
        raise ValueError("$OUT is a whole path: write it without ./")
    return str(value)


def _inside(value: Any) -> str:
    path = PurePosixPath(_text(value))
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("a path inside of the folder is wanted")
    return str(path)


def _paths(value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values:
        raise ValueError("a path or a list of paths is wanted")
    return tuple(_inside(item) for item in values)


def _pattern(value: Any) -> re.Pattern[str]:
    try:
        return re.compile(_text(value), re.MULTILINE)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error


def _time(value: Any) -> re.Pattern[str]:
    pattern = _pattern(value)
    if pattern.groups != 1:
        raise ValueError("one group, which matches the seconds, is wanted")
    return pattern


def _check(value: Any) -> Check:
    return parse_check(_text(value))


def _status(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 255:
        raise ValueError("a number from 0 to 255 is wanted")
    return value


def _seconds(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise ValueError("seconds, more than 0, are wanted")
    return float(value)


def _environment(value: Any) -> dict[str, str]:
    is_table = isinstance(value, dict) and all(re.fullmatch(r"\w+", name) for name in value)
    if not is_table or not all(isinstance(text, str) for text in value.values()):
        raise ValueError('a table of texts is wanted: { NAME = "value" }')
    return dict(value)


KEYS: Mapping[str, Callable[[Any], Any]] = {
    "name": _name,
    "suite": _name,
    "folder": _inside,
    "also": _paths,
    "build": _build,
    "prepare": _command,
    "run": _command,
    "verify": _command,
    "answer": _paths,
    "check": _check,
    "ignore": _pattern,
    "time": _time,
    "status": _status,
    "timeout": _seconds,
    "environment": _environment,
}
OWN = {"name", "suite"}
REQUIRED = ("name", "build", "check")
ALLOWED = {"program", "suite"}
assert KEYS.keys() == {entry_field.name for entry_field in fields(Entry)}
