"""Many files of cases at once, in processes of their own."""

from __future__ import annotations

import gc
import math
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from ompc.base.options import FloatingPoint, Level
from ompc.toolchain.machine.setting import Target

from .building import Workshop
from .cases import make_case
from .checking import Failure, Outcome, check_cases


@dataclass(frozen=True, slots=True)
class Settings:
    """`orders`: the values of OMPC_SEED, all for each file, or `in_turn` one; `per_file`: how many cases share a file;
    `runtime`: where the prepared runtime is kept, by default beside the programs; `minutes`: no file is begun later;
    `devices`: how many are emulated;
    `only`: the kinds of segments, as of make_case.
    """

    seed: int = 0
    programs: int = 100
    first: int = 0
    jobs: int = 2
    target: Target = Target.EMULATE
    levels: tuple[Level, ...] = (Level.AUTO, Level.THESIS, Level.BASELINE)
    orders: tuple[str, ...] = ("1", "7")
    per_file: int = 20
    runtime: Path | None = None
    fp: FloatingPoint = FloatingPoint.DEFAULT
    optimise: str = "-O0"
    messages: bool = True
    sanitize: bool = True
    in_turn: bool = False
    minutes: float = math.inf
    only: tuple[str, ...] = ()
    devices: int = 1

    def workshop(self, directory: Path) -> Workshop:
        return Workshop(
            directory,
            self.target,
            self.runtime,
            self.fp,
            self.optimise,
            messages=self.messages,
            sanitize=self.sanitize,
            devices=self.devices,
        )


def check_numbers(settings: Settings, numbers: Sequence[int], directory: Path) -> Outcome:
    """Make and check the cases with these numbers, in one file."""
    gc.disable()  # searching the trees of a translation for garbage costs a tenth of its time; they end with the file
    workshop = settings.workshop(directory)
    cases = [make_case(settings.seed, number, settings.only) for number in numbers]
    orders = settings.orders
    if settings.in_turn:
        orders = (orders[numbers[0] // settings.per_file % len(orders)],)
    try:
        return check_cases(workshop, cases, settings.levels, orders, f"file{numbers[0]}")
    finally:
        gc.enable()
        gc.collect()


def run_campaign(
    settings: Settings, advance: Callable[[Outcome], None] = lambda _: None, directory: Path | None = None
) -> Outcome:
    """Check all programs; `advance` is told of each file."""
    total = Outcome()
    end = time.monotonic() + 60 * settings.minutes
    last = settings.first + settings.programs
    files = [
        range(start, min(start + settings.per_file, last)) for start in range(settings.first, last, settings.per_file)
    ]
    with tempfile.TemporaryDirectory(prefix="ompc-fuzz-") as made:
        where = directory or Path(made)
        where.mkdir(parents=True, exist_ok=True)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=settings.jobs, mp_context=context) as pool:
            futures = [pool.submit(check_numbers, settings, numbers, where) for numbers in files]
            for future in as_completed(futures):
                if future.cancelled():
                    continue
                if time.monotonic() > end:
                    for other in futures:
                        other.cancel()
                outcome = future.result()
                total.add(outcome)
                advance(outcome)
    return total


__all__ = ["Failure", "Settings", "check_numbers", "run_campaign"]
