"""The picture of `python -m benchmarks memory`: times of the computing phase, and bytes moved over the minimum.

Both axes are logarithmic. The upper half has every variant of the programs that are timed, the lower one every variant
whose bytes are known, of the programs that must move any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmarks.memory_results import Outcome, outcomes
from benchmarks.plot import caption
from benchmarks.report import duration

# Okabe and Ito's colours; the variants in the order in which they stand.
COLOURS = {
    "host": "#BBBBBB",
    "baseline": "#D55E00",
    "thesis": "#E69F00",
    "auto": "#0072B2",
    "handwritten": "#56B4E9",
    "handwritten-best": "#FFFFFF",
}
NAMES = {"host": "gcc -fopenmp", "handwritten": "hand-written", "handwritten-best": "hand-written, swapping"}
WIDTH = 0.14
"""Of a bar; the programs are 1 apart."""


def write_picture(record: Mapping[str, Any], path: Path) -> None:
    """Draw a record of benchmarks/memory.py to `path`, whose suffix gives the format."""
    found = outcomes(record)
    timed = [outcome for outcome in found if outcome.times]
    moving = [outcome for outcome in found if outcome.minimum.to_device + outcome.minimum.to_host > 0]
    figure = Figure(figsize=(max(8.0, 1.5 * len(moving)), 8.0), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1)
    for place, outcome in enumerate(timed):
        _draw(upper, place, {time.variant: (time.phase, duration(time.phase)) for time in outcome.times})
    for place, outcome in enumerate(moving):
        _draw(lower, place, _moved(outcome))
    _dress(upper, timed, "computing phase with transfers, seconds")
    _dress(lower, moving, "bytes moved / minimum")
    lower.axhline(1.0, color="black", linewidth=0.5, linestyle=":", zorder=0)
    patches = [
        Patch(facecolor=colour, edgecolor="black", label=NAMES.get(variant, variant))
        for variant, colour in COLOURS.items()
    ]
    figure.legend(handles=patches, loc="outside upper center", ncols=len(patches), frameon=False, fontsize=9)
    upper.set_title(caption(record), fontsize=9)
    figure.savefig(path, dpi=150)


def _moved(outcome: Outcome) -> dict[str, tuple[float, str]]:
    ratios = {variant: traffic.over(outcome.minimum) for variant, traffic in outcome.traffic.items()}
    return {variant: (ratio, f"{ratio:.3g}") for variant, ratio in ratios.items() if ratio is not None}


def _draw(axes: Axes, place: int, heights: Mapping[str, tuple[float, str]]) -> None:
    shown = [variant for variant in COLOURS if variant in heights]
    for k, variant in enumerate(shown):
        height, text = heights[variant]
        x = place + (k - (len(shown) - 1) / 2) * WIDTH
        axes.bar(x, height, WIDTH * 0.9, color=COLOURS[variant], edgecolor="black", linewidth=0.4)
        axes.annotate(
            text,
            (x, height),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=6,
            rotation=90,
        )


def _dress(axes: Axes, drawn: Sequence[Outcome], quantity: str) -> None:
    axes.set_yscale("log")
    axes.margins(y=0.25)
    axes.set_ylabel(quantity)
    axes.set_xticks(range(len(drawn)), [f"{outcome.title}\n{outcome.size}" for outcome in drawn], fontsize=7)
    axes.tick_params(axis="x", length=0)
    axes.spines[["top", "right"]].set_visible(False)
