"""The pictures of `python -m benchmarks kernels`: rates against the machine's limits, and a roofline.

Above, each program's rate as a share of the limit that belongs to its unit (bandwidth of copies, peak without tensor
cores). Below, TFLOP/s of auto and of the hand-written version over operations per byte, on logarithmic axes, of the
programs that have both and are not small. On a device whose limits are not known, shares are those of the best rate of
each unit, and there are no roofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.kernels_results import HANDWRITTEN, Limits, Outcome, Results, results
from benchmarks.plot import caption
from benchmarks.suite import HOST

# Okabe and Ito's colours; the variants in the order in which they stand.
COLOURS = {
    HOST: "#BBBBBB",
    "thesis": "#E69F00",
    "clang": "#D55E00",
    "nvc": "#009E73",
    "auto": "#0072B2",
    HANDWRITTEN: "#56B4E9",
    "cublas": "#FFFFFF",
}
NAMES = {HOST: "gcc -fopenmp", HANDWRITTEN: "hand-written", "cublas": "cuBLAS"}
MARKS = {"auto": "o", HANDWRITTEN: "+"}


def write_picture(record: Mapping[str, Any], path: Path) -> None:
    """Draw a record of benchmarks/kernels.py to `path`, whose suffix gives the format."""
    found = results(record)
    figure = Figure(figsize=(max(8.0, 0.55 * len(found.outcomes)), 11.0), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 4))
    upper.set_title(caption(record), fontsize=9)
    _draw_shares(upper, found)
    _draw_roofline(lower, found)
    figure.savefig(path, dpi=130)


def _draw_shares(axes: Axes, found: Results) -> None:
    shown = [variant for variant in COLOURS if any(variant in o.kernels for o in found.outcomes)]
    width = 0.85 / max(1, len(shown))
    for k, variant in enumerate(shown):
        shares = [_share(outcome, variant, found) for outcome in found.outcomes]
        places = [place + (k - (len(shown) - 1) / 2) * width for place in range(len(shares))]
        name = NAMES.get(variant, variant)
        axes.bar(places, shares, width, color=COLOURS[variant], edgecolor="black", linewidth=0.3, label=name)
    axes.axhline(1.0, color="black", linewidth=0.5, linestyle=":")
    labels = [f"{o.kernel.program.title}\n{o.label}" for o in found.outcomes]
    axes.set_xticks(range(len(labels)), labels, rotation=90, fontsize=6)
    axes.set_ylabel("rate / limit of the machine")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=len(shown), fontsize=7, frameon=False)


def _share(outcome: Outcome, variant: str, found: Results) -> float:
    unit, is_double = outcome.kernel.unit, outcome.work.is_double
    alike = [o for o in found.outcomes if o.kernel.unit == unit]
    best = max((rate for o in alike for name in o.kernels if (rate := o.rate(name))), default=1.0)
    limit = found.limits.in_unit(unit, is_double) if found.limits else best
    return (outcome.rate(variant) or 0.0) / limit


def _draw_roofline(axes: Axes, found: Results) -> None:
    shown = [o for o in found.outcomes if o.kernel.program.handwritten and not o.kernel.small]
    drawn = [outcome for outcome in shown if outcome.work.operations and outcome.work.bytes]
    for variant, mark in MARKS.items():
        points = [(o, o.kernels[variant]) for o in drawn if variant in o.kernels]
        intensities = [o.work.operations / o.work.bytes for o, _ in points]
        rates = [o.work.operations / seconds / 1e12 for o, seconds in points]
        axes.scatter(intensities, rates, marker=mark, color=COLOURS[variant], label=NAMES.get(variant, variant))
        if variant == "auto":
            for (outcome, _), x, y in zip(points, intensities, rates, strict=True):
                axes.annotate(outcome.kernel.program.name, (x, y), (3, -7), textcoords="offset points", fontsize=6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    if found.limits:
        _draw_roofs(axes, found.limits, [o.work.operations / o.work.bytes for o in drawn])
    axes.set_xlabel("operations / byte")
    axes.set_ylabel("TFLOP/s")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=7, frameon=False)


def _draw_roofs(axes: Axes, limits: Limits, intensities: list[float]) -> None:
    least, most = min(intensities, default=0.1), max(intensities, default=100.0)
    for peak, name, style in ((limits.floats, "floats", "-"), (limits.doubles, "doubles", "--")):
        ridge = peak * 1000 / limits.memory
        xs = [least, ridge, max(most, 2 * ridge)]
        ys = [min(peak, x * limits.memory / 1000) for x in xs]
        axes.plot(xs, ys, color="black", linewidth=0.7, linestyle=style, label=f"roof, {name}")
