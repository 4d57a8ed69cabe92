"""The programs of `python -m benchmarks memory`: sizes, the bytes that must cross each way, and what is to be reached.

The minimum is counted by hand from what the program does, for a device that keeps everything: each element goes to the
device once after the host has written it, if the device reads it, and comes home once after the device has written it,
if the host reads it. Counted are elements of arrays, 8 bytes for a double; not the few bytes of scalars, of sums that
come home, and of the loop that starts the device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from benchmarks.bars import Bar
from benchmarks.memory_bars import MINIMAL_TRAFFIC, Measured, Minimum, above, bandwidth, ratio, seconds_of
from benchmarks.suite import FIGURE_16, Program, Size

SIZES = ("full", "quick")
LAUNCHES = 100_000
TIMED = ("TIME_TRANSFERS",)
BY_HAND: Mapping[str, tuple[str, ...]] = {"handwritten": ()}


@dataclass(frozen=True, slots=True)
class Study:
    """A program, the minimum as a formula of its arguments, why it is that, and the bars.

    Programs that are not `timed` run once, for their traffic: their clocks have the creation of the context.
    """

    program: Program
    minimum: Callable[..., Minimum]
    because: str
    bars: tuple[Bar[Measured], ...] = ()
    timed: bool = True

    def minimum_of(self, size: Size) -> Minimum:
        """The formula with the arguments of `size`."""
        return self.minimum(*(int(argument) for argument in size.arguments))

    @property
    def all_bars(self) -> tuple[Bar[Measured], ...]:
        """The bars of the program, and that of the bytes, which is everybody's."""
        return (*self.bars, MINIMAL_TRAFFIC)


def _jacobi(rows: int, columns: int, _iterations: int, _tolerance: int) -> Minimum:
    inner = max(0, rows - 2) * max(0, columns - 2)
    return Minimum(8 * (rows * columns + inner + 3), 8 * inner, arrays=4)


JACOBI = (
    "to the device: all of u, which the first loop copies; f at the inner points, where it is read; three weights. "
    "Not uold: the device writes what it reads there. Home: u at the inner points, which alone are written"
)


def _heat(rows: int, columns: int, steps: int) -> Minimum:
    plate = 8 * rows * columns if steps else 0
    return Minimum(plate, plate, arrays=2)


def _table(*_arguments: int) -> Minimum:
    return Minimum(8 * 4000, 0, arrays=1)


def _transfer(numbers: int, rounds: int) -> Minimum:
    return Minimum(8 * numbers * rounds, 8 * numbers * rounds, arrays=1)


def _launch_cost(_launches: int) -> Minimum:
    return Minimum(5 * 8 * 131072, 8 * 131072, arrays=5)


def _matmul(rows: int, inner: int, columns: int) -> Minimum:
    return Minimum(4 * (rows * inner + inner * columns), 4 * rows * columns, arrays=3)


def _of_figure_16(name: str, full: Size, quick: Size) -> Program:
    """One of the five, of which only the traffic is wanted."""
    program = next(program for program in FIGURE_16 if program.name == name)
    return replace(program, sizes={"full": full, "quick": quick}, levels=("auto",))


MEMORY = (
    Study(
        Program(
            "jacobi-200",
            "Jacobi",
            {
                "full": Size("200 x 200, 100 it.", ("200", "200", "100", "0"), TIMED),
                "quick": Size("200 x 200, 3 it.", ("200", "200", "3", "0"), TIMED),
            },
            rtol=1e-7,  # see suite.py
            handwritten={"handwritten": (), "handwritten-best": ("-DBEST",)},
            stem="jacobi",
        ),
        _jacobi,
        JACOBI,
        (Bar("auto / hand-written", ratio("auto", "handwritten"), 1.10),),
    ),
    Study(
        Program(
            "jacobi-5000",
            "Jacobi",
            {
                "full": Size(
                    "5000 x 5000, 100 it.",
                    ("5000", "5000", "100", "0"),
                    ("MAX_ROWS=5000", "MAX_COLUMNS=5000", *TIMED),
                ),
                "quick": Size("40 x 50, 3 it.", ("40", "50", "3", "0"), ("MAX_ROWS=40", "MAX_COLUMNS=50", *TIMED)),
            },
            rtol=1e-7,
            handwritten={"handwritten": (), "handwritten-best": ("-DBEST",)},
            stem="jacobi",
        ),
        _jacobi,
        JACOBI,
        (
            Bar("auto", seconds_of("auto"), 0.05, " s"),
            Bar("baseline / auto", ratio("baseline", "auto"), 100.0, at_least=True),
        ),
    ),
    Study(
        Program(
            "heat",
            "Heat, swapped arrays",
            {
                "full": Size("4096 x 4096, 50 steps", ("4096", "4096", "50")),
                "quick": Size("40 x 50, 3 steps", ("40", "50", "3")),
            },
            handwritten=BY_HAND,
        ),
        _heat,
        "to the device: the plate at the start; the other array is written before it is read, all of it. "
        "Home: the plate at the end; the host never reads the other array",
    ),
    Study(
        Program(
            "table_uniform",
            "Table, same place",
            {"full": Size("2^20 points", ("1048576",)), "quick": Size("64 points", ("64",))},
            levels=("thesis", "auto"),
            handwritten=BY_HAND,
        ),
        _table,
        "to the device: the table. Home: no array",
        # As fast: two medians of five runs differ by up to 2 % where nothing differs.
        (Bar("thesis / auto", ratio("thesis", "auto"), 0.98, at_least=True),),
    ),
    Study(
        Program(
            "table_lanes",
            "Table, own places",
            {"full": Size("2^20 walkers, 4000 steps", ("1048576", "4000")), "quick": Size("64 walkers", ("64", "20"))},
            levels=("thesis", "auto"),
            handwritten=BY_HAND,
        ),
        _table,
        "to the device: the table. Home: no array",
        (Bar("thesis / auto", ratio("thesis", "auto"), 10.0, at_least=True),),
    ),
    Study(
        Program(
            "launch_cost",
            "Launches, five arrays",
            {"full": Size("10^5 launches", (str(LAUNCHES),)), "quick": Size("20 launches", ("20",))},
            levels=("auto",),
            handwritten=BY_HAND,
        ),
        _launch_cost,
        "to the device: five arrays of 1 MB. Home: the one that is written",
        (Bar("auto - bare launch, each", above("auto", "handwritten", 1e6 / LAUNCHES), 2.0, " us"),),
    ),
    *(
        Study(
            Program(
                name,
                title,
                {"full": Size(label, (numbers, rounds)), "quick": Size(f"20,000, x {quick}", ("20000", quick))},
                levels=("thesis", "auto"),
                handwritten=BY_HAND,
                stem="transfer",
            ),
            _transfer,
            "each round to the device: the buffer, which the host has filled. Home: all of it, which the host adds up",
            (
                Bar("auto, to device", bandwidth("auto", "to_device"), 50.0, " GB/s", at_least=True),
                Bar("auto, from device", bandwidth("auto", "to_host"), 50.0, " GB/s", at_least=True),
            ),
        )
        for name, title, label, numbers, rounds, quick in (
            ("transfer_once", "Transfer, once", "512 MiB, once", "67108864", "1", "1"),
            ("transfer_many", "Transfer, often", "128 MiB, 8 times", "16777216", "8", "3"),
        )
    ),
    Study(
        _of_figure_16(
            "matmul",
            Size("2048 x 2048", ("2048", "2048", "2048"), ("MAX_ROWS=2048", "MAX_INNER=2048", "MAX_COLUMNS=2048")),
            Size("7 x 11", ("7", "9", "11"), ("MAX_ROWS=7", "MAX_INNER=9", "MAX_COLUMNS=11")),
        ),
        _matmul,
        "to the device: A and B, floats. Home: C, all of which is written",
        timed=False,
    ),
    Study(
        _of_figure_16("pi_montecarlo", Size("10^7 trials", ("10000000",)), Size("1009 trials", ("1009",))),
        lambda trials: Minimum(16 * trials, 0, arrays=2),
        "to the device: two coordinates of each point, made by the host. Home: no array",
        timed=False,
    ),
    Study(
        _of_figure_16("pi_integral", Size("10^6 intervals", ("1000000",)), Size("1009 intervals", ("1009",))),
        lambda _intervals: Minimum(0, 0, arrays=0),
        "no arrays",
        timed=False,
    ),
    Study(
        _of_figure_16("mandelbrot", Size("2^20 points, 10^3 it.", ("1048576", "1000")), Size("100", ("100", "50"))),
        lambda points, _iterations: Minimum(16 * points, 0, arrays=1),
        "to the device: both parts of each point, made by the host. Home: no array",
        timed=False,
    ),
)


def study_of(name: str) -> Study:
    """The study of a program by its name."""
    return next(study for study in MEMORY if study.program.name == name)
