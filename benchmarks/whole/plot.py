"""The picture of `python -m benchmarks programs`: how many times as fast as gcc's each program is, the fastest above.

A bar begins at 1, where both are as fast; a mark is ompc's first run. What failed, or was not measured, has no bar.
Many programs stand in two columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.report import duration
from benchmarks.whole.results import SHARE, Outcome, gain, results

# Okabe and Ito's colours.
COLOURS = {"on the device": "#0072B2", "on the host": "#BBBBBB", "slower than promised": "#D55E00"}
FIRST_RUN = "#E69F00"
INCHES = 0.24
"""Of a program."""
MOST = 60
"""Programs in one column; of more the names are smaller, too."""


def write_picture(record: Mapping[str, Any], path: Path) -> None:
    """Draw a record of measuring.py to `path`, whose suffix gives the format."""
    outcomes = results(record).outcomes
    drawn = sorted((o for o in outcomes if o.speedup is not None), key=lambda o: o.speedup or 0.0)
    count = 1 if len(drawn) <= MOST else 2
    rows = max(4, -(-len(drawn) // count))
    inches = INCHES if count == 1 else 0.6 * INCHES
    figure = Figure(figsize=(9.0 if count == 1 else 13.0, 2.0 + inches * rows), layout="constrained")
    FigureCanvasAgg(figure)
    columns = figure.subplots(1, count, squeeze=False, sharex=True)[0]
    for number, axes in enumerate(columns):  # the fastest are in the first one
        end = len(drawn) - number * rows
        part = drawn[max(0, end - rows) : end]
        _draw(axes, part)
        _dress(axes, part, outcomes, rows, is_last=number == count - 1)
    figure.suptitle(_caption(record, len(drawn)), fontsize=9)
    figure.savefig(path, dpi=150)


def _draw(axes: Axes, drawn: Sequence[Outcome]) -> None:
    for kind, colour in COLOURS.items():
        chosen = [(y, o.speedup) for y, o in enumerate(drawn) if _kind(o) == kind and o.speedup is not None]
        if chosen:
            places, values = zip(*chosen, strict=True)
            widths = [value - 1.0 for value in values]
            axes.barh(places, widths, 0.7, left=1.0, color=colour, edgecolor="black", linewidth=0.3, label=kind)
    firsts = [(y, o.host.median / o.first) for y, o in enumerate(drawn) if o.host is not None and o.first]
    if firsts:
        places, values = zip(*firsts, strict=True)
        axes.plot(values, places, linestyle="", marker="|", markersize=9, color=FIRST_RUN, label="first run")


def _kind(outcome: Outcome) -> str:
    if outcome.cost is not None and outcome.cost > SHARE:
        return "slower than promised"
    launched = outcome.launches is not None and outcome.launches["launches"] > 0
    return "on the device" if launched else "on the host"


def _dress(axes: Axes, drawn: Sequence[Outcome], outcomes: Sequence[Outcome], rows: int, is_last: bool) -> None:
    axes.set_xscale("log")
    axes.axvline(1.0, color="black", linewidth=0.7)
    mean = gain(outcomes)
    if mean is not None:
        label = f"geometric mean above 1 s: {mean:.2f}"
        axes.axvline(mean, color="black", linewidth=0.7, linestyle=":", label=label)
    names = [f"{o.name} ({duration(o.host.median)})" if o.host else o.name for o in drawn]
    axes.set_yticks(range(len(drawn)), names, fontsize=7 if len(outcomes) <= MOST else 6)
    axes.set_ylim(len(drawn) - rows - 0.7, max(0, len(drawn) - 1) + 0.7)
    axes.set_xlabel("gcc / auto, seconds of the whole program (in brackets: gcc's)")
    axes.spines[["top", "right"]].set_visible(False)
    if drawn and is_last:
        axes.legend(fontsize=7, frameon=False, loc="lower right")


def _caption(record: Mapping[str, Any], drawn: int) -> str:
    environment = record["environment"]
    where = environment["device"] or f"no GPU ({record['target']})"
    threads = environment.get("OMP_NUM_THREADS") or environment.get("processors")
    of = f"{drawn} of {len(record['programs'])} programs"
    days = " and ".join(record.get("days", [record["date"][:10]]))
    return f"{where}, {threads} threads, {of}, median of {record['rounds']} runs, {days}"
