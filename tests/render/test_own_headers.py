"""The user's own headers in the translated folder: copies of all of them, where each include finds what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program, with_library
from ompc.render.host.own_headers import own_headers
from ompc.render.makefiles.library import library_makefile_text
from ompc.render.makefiles.makefile import OneOfSeveral


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def copies(sources: list[str], headers: dict[str, str], *flags: str, taken: tuple[str, ...] = ()) -> list[str]:
    """The names of the copies where `sources` include these headers."""
    for name, text in {**dict.fromkeys(sources, ""), **headers}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    found = own_headers(list(map(Path, sources)), list(map(Path, [*sources, *headers])), flags, taken)
    assert all(text == headers.get(name, headers.get(f"src/{name}")) for name, text in found.texts.items())
    return sorted(found.texts)


def test_copies_lie_where_includes_find_them(here: Path) -> None:
    headers = {"src/a.h": "1", "src/sub/b.h": "2", "inc/c.h": "3", "other/d.h": "4", "../e.h": "5"}
    assert copies(["src/x.c"], headers, "-I./inc", "-I", "../w") == ["a.h", "inc/c.h", "sub/b.h"]


@pytest.mark.parametrize(
    "headers",
    [
        {"src/a.h": "", "src/inc/a.h": "", "inc/a.h": ""},
        {"src/a.h": '#include "../b.h"\n', "b.h": ""},
        {"src/a.h": "#  include <sub/../b.h>\n"},
        {"src/a.h": "", "src/program/b.h": ""},
    ],
    ids=["one name", "above", "above in the middle", "the name of the program"],
)
def test_there_are_all_or_none(here: Path, headers: dict[str, str]) -> None:
    assert copies(["src/x.c"], headers, "-Iinc", taken=("program",)) == []


def test_sources_of_several_directories_may_have_headers_of_one_name(here: Path) -> None:
    assert copies(["a/x.c", "b/y.c"], {"a/own.h": "", "inc/other.h": ""}, "-Iinc") == []


def test_a_directory_with_the_name_of_the_program_is_left_where_it_is(here: Path) -> None:
    Path("solver").mkdir()
    Path("solver/sizes.h").write_text("#define N 100\n")
    text = "double a[N];\nvoid f(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < N; i++) a[i] = i;\n}\n"
    Path("solver.c").write_text(f'#include "solver/sizes.h"\n{text}')
    source, options = Path("solver.c"), Options()
    files = with_library(translate_program([source], options), [source], options).files
    assert "solver_launchers.cu" in files and not [name for name in files if name.startswith("solver/")]


@pytest.mark.parametrize(("read", "listed"), [("../a b/x.h", True), ("../a;b/x.h", False), ("C:/x.h", False)])
def test_files_that_make_cannot_read_are_not_listed(read: str, listed: bool) -> None:
    text = library_makefile_text([OneOfSeveral("a", Path("a.c"), True)], Options(), (), [read])
    assert ("-MD" in text) == listed and ("-include" in text) == listed
