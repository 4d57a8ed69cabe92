"""The benchmark programs and their sizes, as data: a new program is one more entry in PROGRAMS.

A size is command line arguments plus macro definitions, since programs with declared arrays fix the largest size
at compile time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "programs"
HANDWRITTEN = Path(__file__).resolve().parent / "handwritten"
HOST = "host"
LEVELS = ("baseline", "thesis", "auto")
CHOOSING = "choosing"
"""The program of level auto, left to choose for itself whether a loop is worth the device."""


class SizesError(Exception):
    """A sizes file that is not what README.md describes; the message names the file and the entry."""


@dataclass(frozen=True, slots=True)
class Size:
    """One problem size: `label` for people, `arguments` for the program, `defines` (NAME=VALUE) for the compilers."""

    label: str
    arguments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """The definitions as compiler flags."""
        return tuple(f"-D{define}" for define in self.defines)


@dataclass(frozen=True, slots=True)
class Program:
    """A C program with OpenMP pragmas: deterministic standard output, own time as `seconds X` on standard error.

    `rtol` is the relative difference allowed between floating-point numbers of two outputs; integers are exact.
    `levels` of ompc are measured, and the same program in CUDA: `handwritten` has the compiler flags of each version.
    `stem` of the files, where it is not the name. `peers`: compilers that can offload it too. `beside`: a program that
    is measured anyway and has the same answer, so that this one is not run on the host. `choosing`: it is also run
    without OMPC_OFFLOAD=always.
    """

    name: str
    title: str
    sizes: Mapping[str, Size]
    rtol: float = 1e-9
    levels: tuple[str, ...] = LEVELS
    handwritten: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stem: str | None = None
    peers: tuple[str, ...] = ()
    beside: str | None = None
    choosing: bool = False

    @property
    def source(self) -> Path:
        """The C file."""
        return SOURCES / f"{self.stem or self.name}.c"

    @property
    def cuda_source(self) -> Path:
        """The same by hand."""
        return HANDWRITTEN / f"{self.stem or self.name}.cu"


FIGURE_16 = (
    Program(
        "matmul",
        "MatrixMul",
        {
            "thesis": Size("128 x 138"),
            "large": Size("2048 x 2048", defines=("MAX_ROWS=2048", "MAX_INNER=2048", "MAX_COLUMNS=2048")),
        },
        rtol=0.0,  # every product and sum in it is exact
    ),
    Program(
        "pi_montecarlo",
        "PI (Monte Carlo)",
        {"thesis": Size("10^5 trials"), "large": Size("10^7 trials", ("10000000",))},
    ),
    Program(
        "pi_integral",
        "PI (Integral)",
        {"thesis": Size("10^6 intervals"), "large": Size("10^9 intervals", ("1000000000",))},
    ),
    Program(
        "mandelbrot",
        "Mandelbrot",
        {
            "thesis": Size("4092 points, 10^5 it."),
            "large": Size("2^24 points, 10^3 it.", ("16777216", "1000")),
        },
    ),
    Program(
        "jacobi",
        "Jacobi",
        {
            # 100 iterations, as in the OpenMPC measurements beside which the figure is set; with tolerance 0, since
            # the default one is met after a single iteration at 5000 x 5000.
            "thesis": Size("200 x 200, 100 it.", ("200", "200", "100", "0")),
            "large": Size("5000 x 5000, 100 it.", ("5000", "5000", "100", "0"), ("MAX_ROWS=5000", "MAX_COLUMNS=5000")),
        },
        rtol=1e-7,  # the residual is printed with ten digits and comes from sums of 4e4 or 2.5e7 squares
    ),
)


def with_sizes(programs: tuple[Program, ...], sizes: str) -> tuple[tuple[Program, Size], ...]:
    """Each program with its size: a named set ("thesis", "large") or a JSON file (README.md, "Sizes").

    A file may leave programs out: then they are not run. Raises SizesError.
    """
    if all(sizes in program.sizes for program in programs):
        return tuple((program, program.sizes[sizes]) for program in programs)
    entries = _read_entries(Path(sizes), list(programs[0].sizes))
    unknown = sorted(entries.keys() - {program.name for program in programs})
    if unknown:
        raise SizesError(f"{sizes}: unknown program {unknown[0]!r}")
    return tuple((p, _size(sizes, p.name, entries[p.name])) for p in programs if p.name in entries)


def _read_entries(path: Path, named: list[str]) -> dict[str, object]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SizesError(f"{path}: {error.strerror}; the named sizes are {' and '.join(named)}") from error
    except ValueError as error:
        raise SizesError(f"{path}: not JSON: {error}") from error
    if not isinstance(entries, dict):
        raise SizesError(f"{path}: an object from program names to sizes is wanted")
    return entries


def _size(path: str, name: str, entry: object) -> Size:
    if not isinstance(entry, dict) or entry.keys() - {"label", "arguments", "defines"}:
        raise SizesError(f"{path}: {name}: an object with label, arguments, defines is wanted")
    lists = {key: entry.get(key, []) for key in ("arguments", "defines")}
    for key, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(item, (str, int, float)) for item in value):
            raise SizesError(f"{path}: {name}: {key}: a list of strings or numbers is wanted")
    size = Size("", *(tuple(str(item) for item in lists[key]) for key in ("arguments", "defines")))
    return replace(size, label=str(entry.get("label", " ".join(size.arguments or size.defines) or "default")))
