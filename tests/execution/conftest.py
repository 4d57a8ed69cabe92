from __future__ import annotations

from pathlib import Path

import pytest
from execution_build import Workshop


@pytest.fixture(scope="session")
def workshop(shared_folder: Path, runtime_folder: Path, nightly: bool) -> Workshop:
    return Workshop(shared_folder / "execution", runtime_folder, messages=nightly)
