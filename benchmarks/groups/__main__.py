"""The command line: `python -m benchmarks.groups`: what launches choose, beside all else that they could.

    loop               iterations  entries   chosen      1      2 ...   512   chosen / best
    dense_rows            4000000        4       58     58     74 ...   790            1.00

Microseconds of a launch whose data is on the device, the best of some in each of several runs. Groups of threads
(`--of groups`) are chosen by ompc/runtime/kernel/shape/ompc_group_costs.h, points of a thread (`--of tiles`) by
ompc_tiling.h; tests/runtime/test_shape_costs.py asks both again, without a GPU.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.environment import describe

PROGRAM, TILED = (Path(__file__).parent / name for name in ("shared_loops.c", "tiled_loops.c"))
THREADS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""What OMPC_LANES asks for, beside nothing."""
POINTS = (0, 1, 2, 4, 8)
"""What OMPC_TILES asks for, of threads that do not share iterations."""
CHOICES: dict[str, tuple[Path, list[dict[str, str]]]] = {
    "groups": (PROGRAM, [{"OMPC_LANES": str(n)} for n in THREADS]),
    "tiles": (TILED, [{"OMPC_TILES": str(n), "OMPC_LANES": "1"} for n in POINTS]),
}
"""The program, and what is asked of it, each beside nothing."""
ALIKE = 13.0
"""Microseconds, below which a launch is all that is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.groups", description="Measure groups of threads.")
    parser.add_argument("--json", type=Path, help="write the record there")
    parser.add_argument("--runs", type=int, default=2, help="of the program, for each choice")
    parser.add_argument("--of", choices=CHOICES, default="groups", help="what is chosen")
    asked = parser.parse_args(arguments)
    record = measured(asked.of, asked.runs)
    if asked.json is not None:
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(table(record))
    return 0


def measured(of: str, runs: int) -> dict[str, Any]:
    """The record. Raises subprocess.CalledProcessError where the program cannot be built or run."""
    source, choices = CHOICES[of]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / source.stem
        build = [sys.executable, "-m", "ompc", "cc", "-O3", "-fopenmp", str(source), "-lm", "-o", str(program)]
        subprocess.run(build, check=True)
        found: dict[tuple[str, str, int], dict[str, float]] = {}
        for choice in [{}, *choices] * runs:
            for line in _output(program, choice).splitlines():
                loop, points, entries, text = line.split()
                times = found.setdefault((loop, points, int(entries)), {})
                key = next(iter(choice.values()), "chosen")
                times[key] = min(float(text), times.get(key, math.inf))
    rows = [
        {
            "loop": loop,
            "iterations": int(points) if points.isdigit() else points,
            "entries": entries,
            "microseconds": times,
        }
        for (loop, points, entries), times in found.items()
    ]
    command = shlex.join(["python", "-m", "benchmarks.groups", "--of", of, "--runs", str(runs)])
    return {"schema": 1, "command": command, "environment": describe(), "rows": rows}


def _output(program: Path, choice: Mapping[str, str]) -> str:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("OMPC_")}
    environment |= {"OMPC_WAIT": "1", "OMPC_OFFLOAD": "always", **choice}
    return subprocess.run([program], env=environment, check=True, capture_output=True, text=True).stdout


def table(record: Mapping[str, Any]) -> str:
    """A line for each row, and the geometric mean."""
    keys = [key for key in record["rows"][0]["microseconds"] if key != "chosen"]
    head = f"{'loop':16}{'iterations':>12}{'entries':>9}{'chosen':>9}"
    lines = [head + "".join(f"{key:>9}" for key in keys) + "   / best"]
    ratios: list[float] = []
    for row in record["rows"]:
        times = row["microseconds"]
        best = min(times[key] for key in keys)
        ratios.append(max(ALIKE, times["chosen"]) / max(ALIKE, best))
        numbers = "".join(f"{times[key]:9.0f}" for key in ("chosen", *keys))
        lines.append(f"{row['loop']:16}{row['iterations']:>12}{row['entries']:9}{numbers}{ratios[-1]:9.2f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return "\n".join([*lines, f"chosen / best: geometric mean {mean:.3f}, worst {max(ratios):.2f}"])


if __name__ == "__main__":
    sys.exit(main())
