from __future__ import annotations

from contextlib import suppress

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    with suppress(ValueError):  # another conftest may have it
        parser.addoption("--rewrite", action="store_true", help="write the expectations anew from what the stages give")
