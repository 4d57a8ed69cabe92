"""The cost model of groups chooses well: by what was measured of all groups, on a GPU, of benchmarks/groups."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path

from benchmarks.groups.__main__ import ALIKE, PROGRAM, THREADS
from benchmarks.groups.__main__ import __file__ as command
from ompc.base.options import Options
from ompc.base.resources import Runtime, include_words
from ompc.driver import translate

RECORD = Path(command).parents[1] / "results" / "2026-11-26-h200-2" / "groups.json"
MEAN, WORST = 1.06, 1.7
SPARSE, SAME_TEXT = "sparse_rows", "scattered_rows"
_WANTED = re.compile(
    r"launch\.group\([^;]*?ompc::(by_(?:lanes|lanes_first|warps_first|whole_warps)|in_turns)"
    r"\([^;]*?, (\d+)\)([^;]*)\);"
)

HARNESS = """
#include "ompc_sharing.h"
#include <cstdio>
using namespace ompc;
int main()
{{
    const RowLengths rows{{}};
    const GroupLimits device{{132, 132 * 2048, 0}};
    const auto show = [&](const GroupWanted &wanted, Trips trips) {{
        const auto size = [](const GroupShape &of) {{ return static_cast<unsigned long long>(of.size()); }};
        std::printf("%llu", size(wanted.shape(trips, device)));
        for (unsigned asked = 1; asked <= 512; asked *= 2)
            std::printf(" %llu", size(wanted.shape(trips, {{132, 132 * 2048, asked}})));
        std::printf("\\n");
    }};
{calls}
}}
"""


def test_what_is_chosen_is_nearly_the_best(tmp_path: Path) -> None:
    """The launches of an H200 are asked which group they would choose; the record says what that takes there."""
    text = "".join(translate(PROGRAM, Options()).files.values())
    rows = json.loads(RECORD.read_text())["rows"]
    names = [name for name in dict.fromkeys(row["loop"] for row in rows) if name != SAME_TEXT]
    loops = dict(zip(names, _WANTED.findall(text), strict=True))
    calls = []
    for row in rows:
        joining, instructions, more = loops[SPARSE if row["loop"] == SAME_TEXT else row["loop"]]
        calls.append(f"    show({joining}({row['entries']}, {instructions}){more}, {row['iterations']});")
    source = tmp_path / "groups.cc"
    source.write_text(HARNESS.format(calls="\n".join(calls)))
    rooms = [*include_words(Runtime.COMMON), *include_words(Runtime.EMULATE)]
    compiler: list[str | Path] = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *rooms]
    subprocess.run([*compiler, source, "-o", tmp_path / "groups"], check=True)
    shown = subprocess.run([tmp_path / "groups"], check=True, capture_output=True, text=True).stdout.splitlines()
    ratios = []
    for row, line in zip(rows, shown, strict=True):
        chosen, *sizes = line.split()
        times: dict[str, float] = {}
        for asked, size in zip(THREADS, sizes, strict=True):
            times[size] = min(row["microseconds"][str(asked)], times.get(size, math.inf))
        ratios.append(max(ALIKE, times[chosen]) / max(ALIKE, min(times.values())))
    assert math.exp(sum(map(math.log, ratios)) / len(ratios)) < MEAN
    assert max(ratios) < WORST
