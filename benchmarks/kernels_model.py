"""What is known of a program of `python -m benchmarks kernels`: its work, and what others make of it.

The work is counted by hand from what the loop does: the bytes of every element that must be read or written, once, and
its floating-point operations (a division or a square root is one; a comparison none). For matrices and lists of random
shape it is the expected one. Rates of others are those of an H200.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.suite import Program, Size

SIZES = ("full", "quick")
TIMED = ("TIME_TRANSFERS",)
PEERS = ("clang", "nvc")
BY_HAND: Mapping[str, tuple[str, ...]] = {"handwritten": ()}
BY_HAND_AND_CUBLAS: Mapping[str, tuple[str, ...]] = {**BY_HAND, "cublas": ("-DCUBLAS",)}
GIGABYTES, TERAFLOPS = "GB/s", "TFLOP/s"


@dataclass(frozen=True, slots=True)
class Work:
    """Of one repetition: bytes between the device's memory and its processors, operations, and of which type."""

    bytes: float
    operations: float
    is_double: bool = True

    def in_unit(self, unit: str) -> float:
        """GB or TFLOP."""
        return self.bytes / 1e9 if unit == GIGABYTES else self.operations / 1e12


@dataclass(frozen=True, slots=True)
class Others:
    """What others reach on an H200, in the program's unit (None: not known) and in the same loop.

    clang 19 offloading by target pragmas, best flags; PPCG 0.09, the best of its options. Measured on 2026-11-20,
    CUDA 13.0, driver 580.
    """

    clang: float | None = None
    ppcg: float | None = None


@dataclass(frozen=True, slots=True)
class Kernel:
    """A program, its work as a formula of its arguments, how often a run repeats it, in which unit its speed is told.

    `repetitions` is the last argument, or what is given. `at_least`: the rate to be reached. `against`: the program
    whose hand-written version it is compared with, where it has none. `small`: it is judged by its whole phase, and by
    what it chooses where it may stay on the host.
    """

    program: Program
    work: Callable[..., Work]
    unit: str = GIGABYTES
    repetitions: int | None = None
    at_least: float | None = None
    others: Others = Others()
    against: str | None = None
    small: bool = False
    least_speed: float = 0.8
    """Of the hand-written version's, at least."""
    alone: bool = False
    """Judged by itself, and not among all."""

    def work_of(self, size: Size) -> Work:
        """The formula with the arguments of `size`, but for the repetitions."""
        arguments = [int(argument) for argument in size.arguments]
        return self.work(*(arguments if self.repetitions is not None else arguments[:-1]))

    def repetitions_of(self, size: Size) -> int:
        """How often the loop runs in one run of the program."""
        return self.repetitions if self.repetitions is not None else int(size.arguments[-1])


def sizes_of(label: str, full: str, quick: str, defines: tuple[str, ...] = ()) -> dict[str, Size]:
    return {
        "full": Size(label, tuple(full.split()), defines),
        "quick": Size(quick, tuple(quick.split()), defines),
    }
