"""ompc keeps what Python compiles of it, also where Python itself writes nothing beside the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = "import sys; from ompc.__main__ import entry; sys.argv = ['ompc', '--version']; entry()"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """ompc without anything that Python has compiled of it."""
    shutil.copytree(ROOT / "ompc", tmp_path / "site" / "ompc", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "site"


def kept(package: Path, cache: Path, **settings: str) -> list[Path]:
    """The modules that are in the cache after a run."""
    environ = {**os.environ, "PYTHONPATH": str(package), "OMPC_CACHE_DIR": str(cache), **settings}
    environ.pop("PYTHONPYCACHEPREFIX", None)
    subprocess.run([sys.executable, "-c", CODE], cwd=package, env=environ, check=True, stdout=subprocess.DEVNULL)
    return sorted(path for path in cache.rglob("*.pyc") if path.name.startswith("diagnostics."))


def test_it_is_kept_where_python_writes_nothing(package: Path, tmp_path: Path) -> None:
    assert len(kept(package, tmp_path / "cache", PYTHONDONTWRITEBYTECODE="1")) == 1
    assert not list(package.rglob("*.pyc"))


def test_it_is_beside_the_sources_where_python_may(package: Path, tmp_path: Path) -> None:
    assert kept(package, tmp_path / "cache", PYTHONDONTWRITEBYTECODE="") == []
    assert list(package.rglob("*.pyc"))


def test_a_folder_that_others_can_write_is_not_used(package: Path, tmp_path: Path) -> None:
    (tmp_path / "cache" / "bytecode").mkdir(parents=True)
    (tmp_path / "cache" / "bytecode").chmod(0o777)
    assert kept(package, tmp_path / "cache", PYTHONDONTWRITEBYTECODE="1") == []


def test_code_of_templates_is_kept_and_made_anew_where_it_is_damaged(package: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates", package / "templates", ignore=shutil.ignore_patterns("__pycache__"))
    code = "from ompc.render.environment import template; print(template('operator.cu.j2').filename)"
    environ = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": ""}
    environ.pop("PYTHONPYCACHEPREFIX", None)
    sizes = []
    for content in (None, b"", b"something else"):
        found = list((package / "templates").rglob("operator.cu.j2.*.pyc"))
        assert len(found) == len(sizes[:1])
        if content is not None:
            found[0].write_bytes(content)
        subprocess.run([sys.executable, "-c", code], cwd=package, env=environ, check=True, stdout=subprocess.DEVNULL)
        (kept_code,) = (package / "templates").rglob("operator.cu.j2.*.pyc")
        sizes.append(kept_code.stat().st_size)
    assert len(set(sizes)) == 1
