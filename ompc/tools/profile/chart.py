"""A profile as the thesis' stacked bars (figure 16): copies to the device, kernels, copies to the host, and the rest.

One bar for the program, in which what a kernel hides does not count, and one for each region that took longest; their
copies and kernels are the device's times, so that they can be longer than the host's time in the region.

In: `Profile`.   Out: a picture in the format that the file's name says. Needs matplotlib (the extra `ompc[bench]`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.tools.profile.ledger import Profile, RegionProfile
from ompc.tools.profile.table import duration

PARTS = ("host to device", "kernel", "device to host", "other")
# Okabe and Ito's colours, which people with colour blindness can tell apart; darkness differs too, for print.
COLOURS = dict(zip(PARTS, ("#0072B2", "#E69F00", "#56B4E9", "#BBBBBB"), strict=True))
SUFFIXES = (".png", ".svg", ".pdf")
_MOST_REGIONS = 10


class NoChartError(Exception):
    """It cannot be drawn or written; the text says why."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Seconds in the order of PARTS."""

    name: str
    seconds: tuple[float, float, float, float]


def bars_of(profile: Profile) -> tuple[Bar, ...]:
    """The program's bar first, then the regions', longest first. Neither has the program's own code in it."""
    parts = profile.parts
    other = parts["launch"] + parts["wait"] + parts["page_lock"] + parts["init"]
    regions = [_bar(region) for region in profile.regions if region.launches.count]
    regions.sort(key=lambda bar: -sum(bar.seconds))
    return (Bar("program", (parts["h2d"], parts["kernel"], parts["d2h"], other)), *regions[:_MOST_REGIONS])


def require_matplotlib() -> None:
    """Raises NoChartError."""
    if find_spec("matplotlib") is None:
        raise NoChartError('matplotlib is not installed (pip install matplotlib)')


def write_chart(profile: Profile, title: str, path: Path) -> None:
    """Raises NoChartError."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    bars = bars_of(profile)
    figure = Figure(figsize=(max(5.0, 2.0 + 1.1 * len(bars)), 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    scale, unit = _unit(bars)
    for place, bar in enumerate(bars):
        bottom = 0.0
        for part, seconds in zip(PARTS, bar.seconds, strict=True):
            height, label = seconds / scale, part if place == 0 else None
            axes.bar(place, height, 0.7, bottom, color=COLOURS[part], edgecolor="black", linewidth=0.4, label=label)
            bottom += height
        axes.text(place, bottom, duration(sum(bar.seconds)), ha="center", va="bottom", fontsize=8)
    axes.set_xticks(range(len(bars)), [bar.name for bar in bars], rotation=20, ha="right", fontsize=8)
    axes.set_ylabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"{title}, {profile.device or 'no device'}", fontsize=9)
    figure.legend(loc="outside upper center", ncols=len(PARTS), frameon=False, fontsize=9)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise NoChartError(error.strerror or str(error)) from None


def _bar(region: RegionProfile) -> Bar:
    to_device, to_host = region.traffic.to_device.seconds, region.traffic.to_host.seconds
    kernel = region.launches.kernel_seconds
    other = max(0.0, region.launches.wall_seconds - to_device - kernel - to_host)
    return Bar(f"{Path(region.file).name}:{region.line}", (to_device, kernel, to_host, other))


def _unit(bars: Sequence[Bar]) -> tuple[float, str]:
    highest = max(sum(bar.seconds) for bar in bars)
    if highest >= 1:
        return 1.0, "seconds"
    return (1e-3, "milliseconds") if highest >= 1e-3 else (1e-6, "microseconds")
