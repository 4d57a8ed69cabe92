"""`ompc tune` without its printing: run the search, keep what it found, make the texts.

In: the request, the environment, what is wanted.   Out: `Told`.   Not here: options and output -- cli/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

from ompc.base.diagnostics import CompileError, Diagnostic
from ompc.base.frozen import dataclass
from ompc.base.progress import Shown
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.frontend.preprocess import read_source
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.machine.setting import Request
from ompc.toolchain.machine.tuning_files import keep_tuning, read_tuning
from ompc.tools.tune.clauses import patch
from ompc.tools.tune.program import Found, Wanted, tune_program
from ompc.tools.tune.table import format_results, format_space, headline
from ompc.tools.tune.variants import Translate, tunable_loops

_SHOWN_SIZE = 18
"""The size class of the loops whose space is shown before anything has run (the binary logarithm of their iterations):
all knobs matter there.
"""

EMULATED = "on the emulator, whose times say nothing about a GPU"


@dataclass(frozen=True, slots=True)
class Told:
    """`patch`: the winners as pragmas; `kept`: the file that was written, if any; `unkept`: why it could not be."""

    table: str
    patch: str
    kept: Path | None
    diagnostics: tuple[Diagnostic, ...]
    unkept: tuple[Diagnostic, ...] = ()


def run_tune(
    request: Request,
    environ: Mapping[str, str],
    wanted: Wanted,
    translate: Translate,
    cache: Cache,
    progress: Shown,
    watch: Watch,
) -> Told:
    """CompileError: of the build, OMPC480, OMPC481. What cannot be kept (OMPC411) is told all the same."""
    name, runs = request.source.name, count(1)
    with progress(name) as say:
        step = partial(_say_run, say, name, runs)
        found = tune_program(request, environ, replace(wanted, step=step), translate, cache, watch)
    told = Told(_table(request, found), _patch(found), None, found.diagnostics)
    try:
        return replace(told, kept=keep_tuning(environ, found.device, found.added_to(read_tuning(environ))))
    except CompileError as error:
        return replace(told, unkept=error.diagnostics)


def _say_run(say: Callable[[str], None], name: str, runs: Iterator[int], what: str) -> None:
    say(f"{name}: {next(runs)}  {what}")


def show_space(translations: Sequence[Translation]) -> str:
    """What would be tried for each loop on the device."""
    return format_space((loop.place, loop.space(_SHOWN_SIZE), loop.kernels) for loop in tunable_loops(translations))


def _table(request: Request, found: Found) -> str:
    where = EMULATED if found.target == "emulate" else f"on {found.device}"
    line = headline(request.source.stem, where, found.runs, found.results, found.launches)
    if found.ended_at is not None:
        line += f"\nThe search ended at its limit of {found.ended_at:g} seconds, before all was tried."
    return format_results(line, found.results, found.launches)


def _patch(found: Found) -> str:
    texts = {file: read_source(Path(file)) for file in sorted({result.loop.file for result in found.results})}
    return patch(found.results, found.weights, texts)


def wanted_of(
    arguments: Sequence[str],
    stdin: BinaryIO | None,
    repeats: int,
    limit: float | None,
    tolerance: float,
    shapes_only: bool,
) -> Wanted:
    """What the options of the command say."""
    text = None if stdin is None else stdin.read()
    return Wanted(tuple(arguments), text, repeats, limit, tolerance, not shapes_only)
