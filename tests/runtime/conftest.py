from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from runtime_builds import Builder


@pytest.fixture(scope="session")
def build(shared_folder: Path, runtime_folder: Path, nightly: bool) -> Builder:
    """The builder of the session, whose folder its workers share."""
    folder = shared_folder / "runtime-programs"
    folder.mkdir(exist_ok=True)
    return Builder(folder, runtime_folder, messages=nightly)
