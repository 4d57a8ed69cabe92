from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import made_by_hand
import pytest
from in_process import Cli

import ompc


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    made_by_hand.write_source(tmp_path)
    monkeypatch.chdir(tmp_path)
    cli = Cli(tmp_path, capfd)
    driver = ModuleType("ompc.driver")
    driver.translate_program = cli.translate_program  # type: ignore[attr-defined]
    driver.with_library = lambda translations, sources, options: translations[0]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ompc.driver", driver)
    monkeypatch.setattr(ompc, "driver", driver, raising=False)
    return cli
