"""Plans of C text: `plan("...", Level.AUTO)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import FloatingPoint, Level, Options
from ompc.driver import compile_to
from ompc.plan.model.plan import Plan


@pytest.fixture(autouse=True)
def _quickly(gcc_is_not_asked: None) -> None:
    """All tests of this room."""


@pytest.fixture
def plan_of(tmp_path: Path) -> Callable[..., Plan]:
    def run(
        text: str,
        level: Level = Level.AUTO,
        fp: FloatingPoint = FloatingPoint.DEFAULT,
        without: frozenset[str] = frozenset(),
        several_devices: bool = False,
    ) -> Plan:
        path = tmp_path / "t.c"
        path.write_text(text)
        options = Options(level=level, fp=fp, without=without, several_devices=several_devices)
        return compile_to("plan", path, options)

    return run
