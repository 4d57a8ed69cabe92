from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _quickly(gcc_is_not_asked: None) -> None:
    """All tests of this room: gcc builds what they run."""
