"""Files by which others package and cite ompc: they say what pyproject.toml does, their commands find their files."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ompc.cli import main

tomllib = pytest.importorskip("tomllib", reason="Python 3.10")
yaml = pytest.importorskip("yaml", reason="no PyYAML (extra `dev`)")
ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def test_versions_and_terms_are_the_same() -> None:
    citation, recipe = read("CITATION.cff"), read("recipe/recipe.yaml")
    assert citation["version"] == recipe["context"]["version"] == PROJECT["version"]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert PROJECT["license"] in (ROOT / "CITATION.cff").read_text()
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_the_citation_names_the_thesis() -> None:
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    (thesis,) = citation["references"]
    page = " ".join((ROOT / "docs" / "thesis.md").read_text().split())
    assert thesis["title"] in page and f"{thesis['institution']['name']}, {thesis['year']}" in page


def test_the_recipe_requires_what_the_project_does() -> None:
    recipe = read("recipe/recipe.yaml")
    run = set(recipe["requirements"]["run"])
    for dependency in PROJECT["dependencies"]:
        requirement, _, condition = dependency.partition("; ")
        name, bound = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
        if "<" not in condition:  # the recipe is for the Python from which on there is one version of each
            assert f"{name} {bound}" in run
    points = {line.split(" = ")[0]: line.split(" = ")[1] for line in recipe["build"]["python"]["entry_points"]}
    assert points == PROJECT["scripts"]
    (pygls,) = PROJECT["optional-dependencies"]["lsp"]
    assert pygls.replace("pygls", "pygls ") in recipe["requirements"]["run_constraints"]


def test_the_image_has_all_that_the_wheel_is_made_of(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="the build backend is not installed (extra `dev`)")
    lines = (ROOT / "Containerfile").read_text().replace("\\\n", "").splitlines()
    instructions = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    assert {word for word, _ in instructions} <= {"FROM", "RUN", "COPY", "WORKDIR", "ENTRYPOINT", "CMD"}
    for word, rest in instructions:
        *sources, target = rest.split()
        for source in sources if word == "COPY" else ():
            place = tmp_path / target.lstrip("/")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(exist_ok=True)
                shutil.copy(ROOT / source, place)
    (extra,) = re.findall(r'pip install .*"/ompc\[(\w+)\]"', (ROOT / "Containerfile").read_text())
    assert extra in PROJECT["optional-dependencies"]
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "wheel")]
    done = subprocess.run(command, cwd=tmp_path / "ompc", capture_output=True, text=True)
    assert done.returncode == 0 and list((tmp_path / "wheel").glob("*.whl")), done.stderr


@pytest.mark.parametrize("line", re.findall(r"ompc (build.* jacobi\.c.*)$", (ROOT / "Containerfile").read_text(), re.M))
def test_commands_of_the_image_are_commands(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)) == 1, "there is no such file; the words are accepted"
