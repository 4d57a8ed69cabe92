"""Threadprivate objects that all files of a program can name: privatisable where no function of it wants an old
value.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.driver import translate_library, translate_program

LOOP = """
extern double line[20];
#pragma omp threadprivate(line)
extern double v[50];
void fill(int n), elsewhere(void), sum(double *at, int n);
void solve(int n)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{ {body} }}
    {behind}
}}
"""

OTHER = """
double line[20], v[50], *kept;
#pragma omp threadprivate(line)
void solve(int n);
void fill(int n) {{ for (int k = 0; k < n; k++) line[k] = k; }}
void sum(double *at, int n) {{ for (int k = 1; k < n; k++) at[k] += at[k - 1]; }}
{other}
int main(void) {{ solve(50); {main} return 0; }}
"""

WRITTEN = "for (int k = 0; k < 20; k++) line[k] = i + k; v[i] = line[3];"

SCRATCH = {
    "written first": {"body": WRITTEN},
    "by a function of the other file": {"body": "fill(20); v[i] = line[3];"},
    "handed to a function of the other file": {"body": WRITTEN + " sum(line, 20); v[i] += line[19];"},
    "written anew elsewhere": {"body": WRITTEN, "other": "void elsewhere(void) { fill(20); v[0] = line[0] = 1; }"},
    "written anew in a region": {
        "body": WRITTEN,
        "main": "\n#pragma omp parallel\n{ line[1] = 2; \n#pragma omp critical\nv[0] += line[1]; }\n",
    },
}

KEPT = {
    "not written": {"body": "v[i] = line[3];"},
    "written in part": {"body": "fill(3); v[i] = line[3];"},
    "survives from iteration to iteration": {"body": "line[0] += i; v[i] = line[0];"},
    "read behind the loop": {"body": WRITTEN, "behind": "v[0] = line[1];"},
    "read by another file": {"body": WRITTEN, "main": "v[0] = line[0];"},
    "read by a function that nobody is seen to call": {
        "body": WRITTEN,
        "other": "double last(void) { return line[3]; }",
    },
    "read by a function that the loop calls": {
        "body": WRITTEN + " elsewhere();",
        "other": "void elsewhere(void) { v[9] = line[0]; }",
    },
    "read by the next region": {
        "body": WRITTEN,
        "main": "\n#pragma omp parallel\n\n#pragma omp critical\nv[0] += line[1];\n",
    },
    "copied in": {
        "body": WRITTEN,
        "main": "\n#pragma omp parallel copyin(line)\n{ line[0] = 1; v[0] = line[0]; }\n",
    },
    "its address is kept": {"body": WRITTEN, "other": "void elsewhere(void) { kept = line; }"},
    "one for all in another file": {"body": WRITTEN, "threadprivate": ""},
}


def program(name: str, found: dict[str, str], directory: Path) -> list[Path]:
    part = {"body": "", "behind": "", "other": "", "main": "", **found}
    texts = {"a.c": LOOP, "b.c": OTHER}
    paths = []
    for file, text in texts.items():
        written = text.format(**part)
        if file == "b.c" and "threadprivate" in part:
            written = written.replace("#pragma omp threadprivate(line)", part["threadprivate"])
        path = directory / file
        path.write_text(written)
        paths.append(path)
    return paths


def reason(translation: Translation) -> str | None:
    regions: Any = translation.report["regions"]
    found = regions[0].get("reason")
    return None if found is None else found["code"]


@pytest.mark.parametrize("name", SCRATCH)
def test_scratch_of_a_program(tmp_path: Path, name: str) -> None:
    first, _ = translate_program(program(name, SCRATCH[name], tmp_path), Options())
    assert reason(first) is None


@pytest.mark.parametrize("name", KEPT)
def test_wanted_by_the_program(tmp_path: Path, name: str) -> None:
    first, _ = translate_program(program(name, KEPT[name], tmp_path), Options())
    assert reason(first) == "OMPC309"


Translate = Callable[[list[Path]], Translation]

PARTS: dict[str, Translate] = {
    "one file alone": lambda paths: translate_program(paths[:1], Options())[0],
    "a library": lambda paths: translate_library(paths, Options())[0][0],
    "with a library of its own": lambda paths: translate_program(paths, Options(link_flags=("-L.", "-lmine")))[0],
    "that lets libraries see its names": lambda paths: translate_program(paths, Options(link_flags=("-rdynamic",)))[0],
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_programs(tmp_path: Path, name: str) -> None:
    """What other code does is not known."""
    assert reason(PARTS[name](program(name, SCRATCH["written first"], tmp_path))) == "OMPC309"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    paths = program("", SCRATCH["written first"], tmp_path)
    (tmp_path / "c.c").write_text("extern double line[20];\n#pragma omp threadprivate(line)\n__auto_type x = 1;\n")
    first = translate_program([*paths, tmp_path / "c.c"], Options())[0]
    assert reason(first) in ("OMPC309", None)


def test_one_file_with_main(tmp_path: Path) -> None:
    one, two = program("", SCRATCH["by a function of the other file"], tmp_path)
    (tmp_path / "all.c").write_text(two.read_text() + one.read_text())
    assert reason(translate_program([tmp_path / "all.c"], Options())[0]) is None
