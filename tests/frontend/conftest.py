"""Programs from text to a verified unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.frontend import parse, preprocess
from ompc.ir.tree import Unit
from ompc.sema import analyse
from ompc.sema.verify import verify


@pytest.fixture
def unit_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Unit]:
    """`unit_of(text, *flags)`: the unit of a file p.c, verified."""
    monkeypatch.chdir(tmp_path)

    def lower(text: str, *flags: str) -> Unit:
        Path("p.c").write_bytes(text.encode("utf-8", "surrogateescape"))
        preprocessed = preprocess(Path("p.c"), Options(cpp_flags=flags))
        unit = analyse(parse(preprocessed), preprocessed.file, preprocessed.source)
        verify(unit)
        return unit

    return lower
