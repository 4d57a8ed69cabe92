"""The boundary with libc is closed: every symbol of the installed glibc has a class, and those that are wrapped are."""

from __future__ import annotations

import re
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest
from runtime_builds import Builder

from ompc.base.resources import Runtime, runtime_files

TABLE = Path(__file__).parent / "libc_symbols.txt"
REASONS = {
    *("pure", "user-space", "own-memory", "stream", "numbers", "thread"),
    *("handlers", "internal", "reserved", "old", "data"),
}
LIBRARIES = (
    *("libc.so.6", "libm.so.6", "libmvec.so.1", "libresolv.so.2", "libanl.so.1", "libnsl.so.1", "librt.so.1"),
    *("libpthread.so.0", "libdl.so.2", "libutil.so.1", "libthread_db.so.1", "libBrokenLocale.so.1"),
    *("libc_malloc_debug.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"),
)


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[str, str, str]]:
    """Version, class and reason ("" for none) of each symbol."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    found = {words[0]: (words[1], words[2], words[3] if len(words) == 4 else "") for words in lines}
    assert [words[0] for words in lines] == sorted(found), "the table is sorted, and has each symbol once"
    return found


def symbols_of(library: str) -> set[tuple[str, bool]]:
    """What a shared library exports, and whether programs linked now can use it; none where it is absent."""
    path = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout
    if not Path(path.strip()).is_absolute():
        return set()
    listed = subprocess.run(["nm", "-D", "--defined-only", path.strip()], capture_output=True, text=True, check=True)
    words = (line.split()[1:] for line in listed.stdout.splitlines())
    return {
        (name.split("@")[0], "@@" in name)
        for kind, name in words
        if kind != "A" and not name.endswith("@GLIBC_PRIVATE")
    }


def without_class(symbols: set[tuple[str, bool]]) -> list[str]:
    return sorted(name for name, _ in symbols if name not in table())


@pytest.fixture(scope="module")
def defined(build: Builder) -> set[str]:
    """What the runtime's object has in front of libc's."""
    built = build.c_runtime("heap-symbols.o", "-O0")
    listed = subprocess.run(["nm", "--defined-only", built], capture_output=True, text=True, check=True).stdout
    return {line.split()[2] for line in listed.splitlines() if line.split()[1] in "WV"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_symbol_of_glibc_has_a_class(library: str) -> None:
    symbols = symbols_of(library)
    assert symbols or library != "libc.so.6"
    assert without_class(symbols) == [], "tests/runtime/libc_symbols.txt has no line for them"


def test_a_symbol_without_a_class_is_seen() -> None:
    assert without_class({("read", True), ("a_function_of_tomorrow", True)}) == ["a_function_of_tomorrow"]


def test_the_table_says_what_it_may() -> None:
    for name, (version, kind, reason) in table().items():
        assert re.fullmatch(r"[\d.]+|-", version), name
        assert kind in {"wrapped", "unguards", "harmless"}, name
        assert reason in REASONS if kind == "harmless" else reason == "", name
    newest = max(tuple(map(int, version.split("."))) for version, _, _ in table().values() if version != "-")
    assert newest >= (2, 41), "Debian 13's"


def test_what_is_wrapped_is_defined(defined: set[str]) -> None:
    usable = {name for name, is_default in symbols_of("libc.so.6") if is_default}
    missing = [n for n, (_, kind, _) in table().items() if kind != "harmless" and n in usable and n not in defined]
    assert missing == []


def test_what_the_runtime_defines_is_not_called_harmless(defined: set[str]) -> None:
    assert [name for name in sorted(defined) if name in table() and table()[name][1] == "harmless"] == []


def test_what_ends_the_guards_is_told_apart() -> None:
    text = runtime_files(Runtime.COMMON)["ompc_system_functions.c"].read_text()
    lines = re.findall(r'^PASSES\((\w+), "(.*)"\);$', text, re.MULTILINE)
    assert len(lines) > 400
    for name, passes in lines:
        assert (table()[name][1] == "unguards") == ("!" in passes), name
        assert re.fullmatch(r"(?:[-*taefFs!bl]|[rwvVyp][1-9]|x[1-9]?)+", passes), name


def test_sizes_are_arguments_of_their_own() -> None:
    """The number behind a letter names an argument that is no address: "-V3-v5", not "-V3v5"."""
    text = runtime_files(Runtime.COMMON)["ompc_system_functions.c"].read_text()
    for name, passes in re.findall(r'^PASSES\((\w+), "(.*)"\);$', text, re.MULTILINE):
        letters = [letter for letter in re.findall(r"[^\d]\d?", passes) if letter[0] not in "eF!f"]
        sizes = [int(letter[1]) - 1 for letter in letters if letter[0] in "rwvVyx" and len(letter) == 2]
        assert all(size >= len(letters) or letters[size] == "-" for size in sizes), (name, passes)
