"""Programs from text to a verified unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import compile_to
from ompc.ir.tree import Unit


@pytest.fixture
def unit_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Unit]:
    """`unit_of(text, *flags)`: the unit of a file p.c, verified."""
    monkeypatch.chdir(tmp_path)

    def lower(text: str, *flags: str) -> Unit:
        Path("p.c").write_bytes(text.encode("utf-8", "surrogateescape"))
        return compile_to("sema", Path("p.c"), Options(cpp_flags=flags))

    return lower
