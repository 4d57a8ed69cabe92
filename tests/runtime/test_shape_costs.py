"""The cost models of groups and tiles choose well: by what was measured of all of them on a GPU (benchmarks/groups)."""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.groups.__main__ import ALIKE, POINTS, PROGRAM, THREADS, TILED
from benchmarks.groups.__main__ import __file__ as command
from ompc.base.options import Options
from ompc.base.resources import Runtime, include_words
from ompc.driver import translate

RESULTS = Path(command).parents[1] / "results"
GROUPS, TILES = (RESULTS / "2026-11-26-h200-3" / f"{of}.json" for of in ("groups", "tiles"))
SPARSE, SAME_TEXT = "sparse_rows", "scattered_rows"
_TILING = r"launch\.tiling\(\S+, \S+, \w+, (\d[^;]*)\);"
_JOINING = r"(by_(?:lanes|lanes_first|warps_first|whole_warps)|in_turns)"
_WANTED = re.compile(rf"(?:{_TILING}[^;]*)?launch\.group\([^;]*?ompc::{_JOINING}\([^;]*?, (\d+)\)([^;]*)\);")
_TILED = re.compile(r"launch\.tiling\([^;]*trips_k, (\d[^;]*)\);")

HARNESS = """
#include "ompc_sharing.h"
#include "ompc_tiling.h"
#include <cstdio>
using namespace ompc;
int main()
{{
    [[maybe_unused]] const RowLengths rows{{}};
    const GroupLimits device{{132, 132 * 2048, 0}};
    DeviceLimits h200{{}};
    h200.multiprocessors = 132, h200.block_shared = 232448;
    Tiling tiling;
    [[maybe_unused]] const auto show = [&](const GroupWanted &wanted, Trips trips) {{
        const auto size = [](const GroupShape &of) {{ return static_cast<unsigned long long>(of.size()); }};
        std::printf("%llu", size(wanted.shape(trips, device)));
        for (unsigned asked = 1; asked <= 512; asked *= 2)
            std::printf(" %llu", size(wanted.shape(trips, {{132, 132 * 2048, asked}})));
        std::printf("\\n");
    }};
{calls}
}}
"""


def _answers(tmp_path: Path, calls: list[str]) -> list[list[str]]:
    """What the launches of an H200 answer to each call, in words."""
    source = tmp_path / "asked.cc"
    source.write_text(HARNESS.format(calls="\n".join(calls)))
    rooms = [*include_words(Runtime.COMMON), *include_words(Runtime.EMULATE)]
    compiler: list[str | Path] = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *rooms]
    subprocess.run([*compiler, source, "-o", tmp_path / "asked"], check=True)
    shown = subprocess.run([tmp_path / "asked"], check=True, capture_output=True, text=True).stdout
    return [line.split() for line in shown.splitlines()]


def _ratio(times: Mapping[str, float], chosen: str) -> float:
    return max(ALIKE, times[chosen]) / max(ALIKE, min(times.values()))


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def test_groups_are_nearly_the_best(tmp_path: Path) -> None:
    text = "".join(translate(PROGRAM, Options()).files.values())
    rows = json.loads(GROUPS.read_text())["rows"]
    names = [name for name in dict.fromkeys(row["loop"] for row in rows) if name != SAME_TEXT]
    loops = dict(zip(names, _WANTED.findall(text), strict=True))
    calls = []
    for row in rows:
        tiles, joining, instructions, more = loops[SPARSE if row["loop"] == SAME_TEXT else row["loop"]]
        points, entries = row["iterations"], row["entries"]
        if tiles:
            side = math.isqrt(points)
            calls.append(f"    tiling = tiling_of(h200, 1, {side}, {side}, {entries}, {tiles});")
        calls.append(f"    show({joining}({entries}, {instructions}){more}, {points});")
    ratios = []
    for row, (chosen, *sizes) in zip(rows, _answers(tmp_path, calls), strict=True):
        times: dict[str, float] = {}
        for asked, size in zip(THREADS, sizes, strict=True):
            times[size] = min(row["microseconds"][str(asked)], times.get(size, math.inf))
        ratios.append(_ratio(times, chosen))
    assert _mean(ratios) < 1.06
    assert max(ratios) < 1.7


def test_tiles_are_nearly_the_best(tmp_path: Path) -> None:
    """Beside a thread, too, which is no tile."""
    text = "".join(translate(TILED, Options()).files.values())
    rows = [row for row in json.loads(TILES.read_text())["rows"] if row["entries"]]
    loops = dict(zip(dict.fromkeys(row["loop"] for row in rows), _TILED.findall(text), strict=True))
    calls = []
    for row in rows:
        sides = row["iterations"].removesuffix("^2").split("x")
        z, y, x = [*sides, sides[1]] if "^2" in row["iterations"] else ["1", *sides]
        tiling = f"tiling_of(h200, {z}, {y}, {x}, {row['entries']}, {loops[row['loop']]})"
        calls.append(f'    std::printf("%d\\n", {tiling}.points);')
    ratios = []
    for row, (points,) in zip(rows, _answers(tmp_path, calls), strict=True):
        ratios.append(_ratio({str(n): row["microseconds"][str(n)] for n in POINTS}, points))
    assert _mean(ratios) < 1.02
    assert max(ratios) < 1.15
