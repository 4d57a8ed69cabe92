"""Runs the command line in this process, with a pipeline made by hand in place of the real one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import made_by_hand
import pytest

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.cli import main


@dataclass
class Cli:
    """`run` is one command in the scratch directory; what it printed is text."""

    directory: Path
    capture: pytest.CaptureFixture[str]
    fails_with: BaseException | None = None
    options: list[Options] = field(default_factory=list)

    def translate_program(self, sources: Sequence[Path], options: Options, watch: Watch) -> tuple[Translation, ...]:
        self.options.append(options)
        if self.fails_with is not None:
            raise self.fails_with
        for source in sources:
            with watch.stage(str(source), "plan"):
                pass
        return tuple(made_by_hand.translation(source) for source in sources)

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(words)
        said = self.capture.readouterr()
        return status, said.out, said.err
