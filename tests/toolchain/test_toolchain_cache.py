from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ompc.base.cache_directory import cache_directory
from ompc.toolchain.cache.cache import (
    RUNTIMES,
    Cache,
    Manifest,
    absent_candidates,
    copy_executable,
    hash_file,
    key_of,
)


def manifest_of(*files: Path, absent: tuple[str, ...] = ()) -> Manifest:
    return Manifest({str(f): str(hash_file(f)) for f in files}, absent, {"program": "p"})


def test_a_build_is_found_while_its_files_keep_their_content(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int a;")
    cache = Cache(tmp_path / "cache")
    cache.store_build("key", manifest_of(source))
    found = cache.find_build("key")
    assert found is not None and found.payload == {"program": "p"}
    os.utime(source, (1, 1))
    assert cache.find_build("key") is not None, "time is not content"
    source.write_text("int b;")
    assert cache.find_build("key") is None
    source.unlink()
    assert cache.find_build("key") is None


def test_a_header_that_appears_in_front_of_another_is_noticed(tmp_path: Path) -> None:
    used = tmp_path / "second" / "sys" / "h.h"
    used.parent.mkdir(parents=True)
    used.write_text("")
    (tmp_path / "first").mkdir()
    absent = absent_candidates([used], [tmp_path / "first"])
    assert str(tmp_path / "first" / "sys" / "h.h") in absent
    cache = Cache(tmp_path / "cache")
    cache.store_build("key", manifest_of(used, absent=absent))
    assert cache.find_build("key") is not None
    (tmp_path / "first" / "h.h").write_text("")
    assert cache.find_build("key") is None


def test_damaged_entries_are_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    content = cache.store_object(program)
    assert content is not None
    kept = cache.find_object(content)
    assert kept is not None and os.access(kept, os.X_OK)
    kept.write_bytes(b"half")
    assert cache.find_object(content) is None
    cache.store_build("key", manifest_of(program))
    next((tmp_path / "cache" / "builds").iterdir()).write_text('{"files":')
    assert cache.find_build("key") is None


def test_a_step_gives_back_its_object(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    (tmp_path / "o").write_bytes(b"object")
    assert cache.find_step("k") is None
    cache.store_step("k", tmp_path / "o")
    found = cache.find_step("k")
    assert found is not None and found.read_bytes() == b"object"


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    assert cache.store_object(tmp_path / "file") is None
    cache.store_build("key", manifest_of(tmp_path / "file"))
    assert cache.find_build("key") is None


def test_the_oldest_go_when_the_limit_is_reached(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", limit_bytes=3000)
    kept = []
    for i in range(4):
        file = tmp_path / str(i)
        file.write_bytes(bytes([i]) * 1000)
        content = cache.store_object(file)
        assert content is not None
        kept.append(content)
        path = cache.find_object(content)
        assert path is not None
        os.utime(path, (1000 + i, 1000 + i))
    cache.store_build("key", manifest_of(tmp_path / "3"))
    assert cache.find_object(kept[0]) is None
    assert cache.find_object(kept[3]) is not None
    assert sum(f.stat().st_size for f in (tmp_path / "cache").rglob("*") if f.is_file()) <= 3000


def test_a_library_of_the_runtime_goes_as_a_whole(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", limit_bytes=3000)
    for number, key in enumerate(("old", "used")):
        folder = cache.directory / RUNTIMES / key / "include"
        folder.mkdir(parents=True)
        for name in ("a.h", "b.h", "../words.json"):
            (folder / name).write_bytes(bytes(700))
            os.utime(folder / name, (1000, 1000 + number * (name == "../words.json")))
    cache.store_build("key", manifest_of(tmp_path / "none"))
    assert not (cache.directory / RUNTIMES / "old").exists()
    assert len(list((cache.directory / RUNTIMES / "used").rglob("*.h"))) == 2


def test_many_writers_of_one_entry(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    file = tmp_path / "big"
    file.write_bytes(os.urandom(200_000))
    with ThreadPoolExecutor(8) as pool:
        hashes = set(pool.map(lambda _: cache.store_object(file), range(32)))
    assert len(hashes) == 1
    assert cache.find_object(str(hashes.pop())) is not None
    assert not list((tmp_path / "cache").rglob(".new-*"))


def test_the_directory_follows_the_environment() -> None:
    assert cache_directory({"OMPC_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b"}) == Path("/a")
    assert cache_directory({"XDG_CACHE_HOME": "/b"}) == Path("/b/ompc")
    assert cache_directory({"XDG_CACHE_HOME": "relative", "HOME": "/h"}) == Path("/h/.cache/ompc")


def test_keys_do_not_depend_on_the_order_of_parts() -> None:
    assert key_of({"a": 1, "b": [2]}) == key_of({"b": [2], "a": 1}) != key_of({"a": 1, "b": [3]})


def test_an_executable_is_replaced_while_it_runs(tmp_path: Path) -> None:
    target = tmp_path / "sleep"
    copy_executable(Path("/bin/sleep").resolve(), target)
    pid = os.posix_spawn(target, [str(target), "30"], {})
    try:
        copy_executable(Path("/bin/true").resolve(), target)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    assert hash_file(target) == hash_file(Path("/bin/true"))
    assert os.access(target, os.X_OK)
