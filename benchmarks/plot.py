"""The picture: one group of stacked bars per program, the baseline's height is 1, as in the thesis' figure 16.

Bars higher than CEILING are cut there, with their value above; the original OpenMPC stands beside them, undivided,
where it was measured at the same size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmarks.ledger import PARTS
from benchmarks.report import duration
from benchmarks.results import Bar, Group, groups

CEILING = 2.5
WIDTH = 0.22
"""Of a bar; the groups are 1 apart."""
# Okabe and Ito's colours, which people with colour blindness can tell apart; darkness differs too, for print.
COLOURS = dict(zip(PARTS, ("#0072B2", "#E69F00", "#56B4E9", "#BBBBBB"), strict=True))
REFERENCE_COLOUR = "#FFFFFF"


def write_picture(record: Mapping[str, Any], path: Path) -> None:
    """Draw the record of a measurement (benchmarks/fig16.py) to `path`, whose suffix gives the format."""
    drawn = groups(record)
    figure = Figure(figsize=(max(6.0, 1.2 + 2.5 * len(drawn)), 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for place, group in enumerate(drawn):
        _draw_group(axes, place, group)
    _dress(axes, drawn, record)
    figure.savefig(path, dpi=150)


def _draw_group(axes: Axes, place: int, group: Group) -> None:
    height = _reference_height(group)
    count = len(group.bars) + (height is not None)
    places = [place + (k - (count - 1) / 2) * WIDTH for k in range(count)]
    for x, bar in zip(places, group.bars, strict=False):
        _draw_bar(axes, x, group, bar)
    if height is not None:
        _draw_reference(axes, places[-1], height, group)


def _draw_bar(axes: Axes, x: float, group: Group, bar: Bar) -> None:
    split = group.normalised(bar)
    if split is None or bar.median is None:
        _label(axes, x, 0.0, "failed" if bar.problem else "no unit")
    else:
        bottom = 0.0
        for part, height in zip(PARTS, split.parts(), strict=True):
            axes.bar(x, height, WIDTH * 0.9, bottom=bottom, color=COLOURS[part], edgecolor="black", linewidth=0.4)
            bottom += height
        _label(axes, x, bottom, f"{_ratio(bottom)}\n{duration(bar.median.whole)}")
    _name(axes, x, bar.level)


def _reference_height(group: Group) -> float | None:
    """The original OpenMPC with its default flags, baseline = 1; None where it was not measured at this size."""
    if group.reference is None or not group.reference.same_size or group.unit is None:
        return None
    return group.reference.seconds["default"] / group.unit


def _draw_reference(axes: Axes, x: float, height: float, group: Group) -> None:
    assert group.unit is not None
    axes.bar(x, height, WIDTH * 0.9, color=REFERENCE_COLOUR, edgecolor="black", linewidth=0.4, hatch="//")
    _label(axes, x, height, f"{_ratio(height)}\n{duration(height * group.unit)}")
    _name(axes, x, "OpenMPC")


def _label(axes: Axes, x: float, top: float, text: str) -> None:
    """The value above a bar; above the ceiling, with an arrow, where the bar is cut."""
    cut = top > CEILING
    shown = f"↑ {text}" if cut else text
    axes.annotate(
        shown,
        (x, min(top, CEILING)),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7.5,
        linespacing=1.1,
        annotation_clip=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.8},
    )


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def _name(axes: Axes, x: float, name: str) -> None:
    axes.text(x, -0.012, name, ha="center", va="top", fontsize=7.5, transform=axes.get_xaxis_transform())


def _dress(axes: Axes, drawn: Sequence[Group], record: Mapping[str, Any]) -> None:
    axes.set_ylim(0.0, _top(drawn))
    axes.set_xlim(-0.55, len(drawn) - 0.45)
    axes.set_xticks(range(len(drawn)), [f"{group.title}\n{group.size}" for group in drawn])
    axes.tick_params(axis="x", length=0, pad=16)
    axes.set_ylabel("time, baseline = 1")
    axes.axhline(1.0, color="black", linewidth=0.5, linestyle=":", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    patches = [Patch(facecolor=COLOURS[part], edgecolor="black", label=part.replace("_", " ")) for part in PARTS]
    if any(_reference_height(group) is not None for group in drawn):
        patches.append(
            Patch(facecolor=REFERENCE_COLOUR, edgecolor="black", hatch="//", label="OpenMPC 0.31 itself, default flags")
        )
    axes.figure.legend(handles=patches, loc="outside upper center", ncols=len(patches), frameon=False, fontsize=9)
    axes.set_title(caption(record), fontsize=9, pad=28)


def _top(drawn: Sequence[Group]) -> float:
    """The upper end of the axis: the highest bar or the ceiling; the labels stand above it, below the title."""
    heights = [split.whole for group in drawn for bar in group.bars if (split := group.normalised(bar))]
    heights += [height for group in drawn if (height := _reference_height(group)) is not None]
    return min(CEILING, max(heights, default=1.0))


def caption(record: Mapping[str, Any]) -> str:
    """On what, at which sizes and when a record was measured."""
    environment = record["environment"]
    where = environment["device"] or f"no GPU ({record['target']})"
    return f"{where}, {record['sizes']} sizes, median of {record['rounds']} runs, {record['date'][:10]}"
